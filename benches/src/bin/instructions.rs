//! Counts instructions: runs each shape under callgrind at two iteration counts and subtracts.
//!
//! `instructions` prints the table and fails if a shape takes more than its line in `limits.tsv` allows,
//! or has no line there; `instructions SHAPE` prints one row; `instructions SHAPE COUNT` just does the
//! work, for a profiler of your own. Instructions do not depend on what else the machine does, so these
//! are gates, where times would be weather. A limit is what was measured when it was last lowered, and
//! 3 % for other compilers; the target is what the design asks for.

#![expect(clippy::print_stdout, reason = "a tool that prints a table")]

use std::env;
use std::process::{Command, ExitCode};

use cog_benches::{Shape, shapes};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let shapes = shapes();
    let chosen: Vec<&Shape> = match arguments.first() {
        None => shapes.iter().collect(),
        Some(name) => shapes.iter().filter(|shape| shape.name == name).collect(),
    };
    match (chosen.as_slice(), arguments.get(1)) {
        ([], _) => {
            println!("no such shape; there are");
            shapes.iter().for_each(|shape| println!("  {}", shape.name));
            ExitCode::FAILURE
        }
        ([shape, ..], Some(count)) => {
            let operations = count.parse().expect("the second argument is a number");
            let mut operation = (shape.build)();
            (1..=operations).for_each(&mut operation);
            ExitCode::SUCCESS
        }
        (chosen, None) => table(chosen),
    }
}

/// How many instructions a unit of each shape may take.
const LIMITS: &str = include_str!("../../limits.tsv");

fn limit(shape: &str) -> Option<f64> {
    let mut lines = LIMITS.lines().filter_map(|line| line.split_once('\t'));
    let (_, limit) = lines.find(|(name, _)| *name == shape)?;
    limit.parse().ok()
}

/// Prints a row for each shape; a failure if one is over its limit, or has none.
fn table(shapes: &[&Shape]) -> ExitCode {
    println!("| work | instructions | limit | target |");
    println!("|---|---:|---:|---:|");
    let mut over = Vec::new();
    for shape in shapes {
        let instructions = instructions(shape);
        let limit = limit(shape.name);
        let text = limit.map_or_else(|| String::from("missing"), |limit| format!("{limit:.0}"));
        let target = shape
            .target
            .map_or_else(|| String::from("–"), |target| target.to_string());
        println!("| {} | {instructions:.1} | {text} | {target} |", shape.name);
        if limit.is_none_or(|limit| limit < instructions) {
            over.push(shape.name);
        }
    }
    if over.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("\nover the limit: {}", over.join(", "));
    ExitCode::FAILURE
}

/// What one unit of one warm operation takes.
fn instructions(shape: &Shape) -> f64 {
    // What building takes is in both counts, and goes away with the difference.
    let (few, many) = (shape.operations, 3 * shape.operations);
    let difference = collected(shape.name, many) - collected(shape.name, few);
    difference / f64::from(many - few) / f64::from(shape.units)
}

/// What callgrind collects while this program does so many operations of a shape.
fn collected(shape: &str, operations: u32) -> f64 {
    let program = env::current_exe().expect("a running program has a path");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args([shape, &operations.to_string()])
        .output()
        .expect("valgrind is installed");
    let report = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{shape} failed under callgrind:\n{report}"
    );
    let line = report.lines().find(|line| line.contains("Collected :"));
    let count = line
        .and_then(|line| line.rsplit(' ').next())
        .and_then(|count| count.parse().ok());
    count.expect("callgrind says what it collected")
}
