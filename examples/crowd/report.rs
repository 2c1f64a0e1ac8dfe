//! The rows as tables for people, or as JSON for programs.

use crate::measure::{Counts, Rate, Row};

/// One table: the variants of one kind of work at one rate. The first row is the denominator.
pub(crate) fn print_table(rate: Rate, rows: &[Row]) {
    let entities = rows[0].entities;
    println!("\n{} of {entities} changed, {}", rate.changed, spread(rate));
    println!(
        "{:<16}{:>12}{:>9}{:>10}{:>10}{:>11}  ok",
        "", "median us", "ratio", "reached", "run", "published"
    );
    for row in rows {
        let ratio = row.median_us / rows[0].median_us;
        let [reached, run, published] = row
            .counts
            .map_or(["-".to_owned(), "-".to_owned(), "-".to_owned()], show);
        let (variant, time, ok) = (
            row.variant,
            row.median_us,
            if row.ok { "yes" } else { "NO" },
        );
        println!(
            "{variant:<16}{time:>12.1}{ratio:>9.2}{reached:>10}{run:>10}{published:>11}  {ok}"
        );
    }
}

fn show(counts: Counts) -> [String; 3] {
    [counts.reached, counts.run, counts.published].map(|count| count.to_string())
}

/// All rows as one JSON array.
pub(crate) fn json(rows: &[Row]) -> String {
    let rows: Vec<_> = rows.iter().map(object).collect();
    format!("[\n  {}\n]", rows.join(",\n  "))
}

fn object(row: &Row) -> String {
    let [reached, run, published] = row.counts.map_or(
        ["null".to_owned(), "null".to_owned(), "null".to_owned()],
        show,
    );
    format!(
        "{{\"entities\": {}, \"changed\": {}, \"spread\": \"{}\", \"variant\": \"{}\", \"median_us\": {:.2}, \
         \"reached\": {reached}, \"run\": {run}, \"published\": {published}, \"ok\": {}}}",
        row.entities,
        row.rate.changed,
        spread(row.rate),
        row.variant,
        row.median_us,
        row.ok
    )
}

fn spread(rate: Rate) -> &'static str {
    if rate.scattered {
        "scattered"
    } else {
        "contiguous"
    }
}
