//! The arena's shapes by the clock. Each starts warm and checks its answer at every operation.

use cog_benches::shapes;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn all(criterion: &mut Criterion) {
    for shape in shapes() {
        let (room, rest) = shape
            .name
            .split_once("::")
            .expect("a name is room::shape::size");
        let mut group = criterion.benchmark_group(room);
        group.throughput(Throughput::Elements(u64::from(shape.units)));
        // Built only if it is asked for: a filter on the command line skips the rest.
        group.bench_function(rest, |bencher| {
            let mut operation = (shape.build)();
            let mut next = 0_u32;
            bencher.iter(|| {
                next = next.wrapping_add(1);
                operation(next);
            });
        });
        group.finish();
    }
}

criterion_group!(arena, all);
criterion_main!(arena);
