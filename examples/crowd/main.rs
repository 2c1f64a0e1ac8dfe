//! A crowd of 100,000, each with five components that follow from one another, at several rates of change.
//!
//! You will see a table per rate: what a frame costs in the Cog sets beside the same work written by
//! hand, how many rows were reached, run and published, and whether every value is what a naive
//! recomputation says. There are no keys to press.
//!
//! `--entities N`, `--frames N`, `--json`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

mod cogs;
mod by_hand;
mod measure;
mod report;

use measure::{Crowd, Rate, Row, measure};

/// What is measured at one rate of change; the first is what the others are compared with.
const CHAIN: &[&str] = &["separate", "cog", "cog_summary", "fused", "summary"];
/// Work of another kind, each beside its own version by hand.
const LOOKUP: &[&str] = &["lookup_by_hand", "lookup"];
const SHARED: &[&str] = &["shared_by_hand", "shared"];
const TOTAL: &[&str] = &["total_by_hand", "total", "total_summed"];

fn main() {
    let options = Options::read(std::env::args().skip(1));
    let mut rows = Vec::new();
    for rate in Rate::all(options.entities) {
        for variants in [CHAIN, LOOKUP, SHARED, TOTAL] {
            let measured: Vec<Row> = variants
                .iter()
                .map(|variant| measure(crowd(variant, options.entities), variant, rate, &options))
                .collect();
            if !options.json {
                report::print_table(rate, &measured);
            }
            rows.extend(measured);
        }
    }
    if options.json {
        println!("{}", report::json(&rows));
    }
    assert!(
        rows.iter().all(|row| row.ok),
        "every value is what a naive recomputation says"
    );
}

/// A world full of entities for `variant`.
fn crowd(variant: &str, entities: usize) -> Box<dyn Crowd> {
    match variant {
        "cog" => Box::new(cogs::Chain::<cogs::Health>::new(entities)),
        "cog_summary" => Box::new(cogs::Chain::<cogs::WatchedHealth>::new(entities)),
        "separate" => Box::new(by_hand::Chain::separate(entities)),
        "fused" => Box::new(by_hand::Chain::fused(entities)),
        "summary" => Box::new(by_hand::Chain::summary(entities)),
        "lookup" => Box::new(cogs::Looked::new(entities)),
        "lookup_by_hand" => Box::new(by_hand::Looked::new(entities)),
        "shared" => Box::new(cogs::Scaled::new(entities)),
        "total" => Box::new(cogs::Totalled::new(entities)),
        "total_by_hand" => Box::new(by_hand::Totalled::by_change(entities)),
        "total_summed" => Box::new(by_hand::Totalled::by_sum(entities)),
        "shared_by_hand" => Box::new(by_hand::Scaled::new(entities)),
        other => panic!("`{other}` is no variant"),
    }
}

/// What was asked for on the command line.
struct Options {
    entities: usize,
    frames: usize,
    json: bool,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Self {
        let mut options = Self {
            entities: 100_000,
            frames: 100,
            json: false,
        };
        while let Some(argument) = arguments.next() {
            let mut number = || {
                let value = arguments.next().and_then(|value| value.parse().ok());
                value.unwrap_or_else(|| panic!("`{argument}` takes a number"))
            };
            match argument.as_str() {
                "--entities" => options.entities = number(),
                "--frames" => options.frames = number(),
                "--json" => options.json = true,
                _ => panic!("`{argument}` is none of --entities N, --frames N, --json"),
            }
        }
        assert!(
            1 < options.entities && 0 < options.frames,
            "a crowd has entities, a run has frames"
        );
        options
    }
}
