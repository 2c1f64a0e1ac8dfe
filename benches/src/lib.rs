//! The shapes that `benches/arena.rs` times and `src/bin/instructions.rs` counts.
//!
//! Takes: nothing. Leaves: for each shape a function that does one warm operation and checks its
//! answer. Never: measures anything itself, or builds inside an operation.

mod aligned;
mod failing;
mod fold;
#[path = "../../cog-arena/tests/graphs/mod.rs"]
mod graphs;
mod keyless;
mod many;

/// One warm operation, given how many came before it, counting from one.
pub type Operation = Box<dyn FnMut(u32)>;

/// A shape to measure.
pub struct Shape {
    /// `room::shape::size`.
    pub name: &'static str,
    /// What of an operation is counted: links of a chain, changed rows times columns, or one.
    pub units: u32,
    /// How many operations make a measurement in instructions: few where one is dear.
    pub operations: u32,
    /// How many instructions a unit is meant to take, where the design says so.
    pub target: Option<u32>,
    /// Builds the shape and warms it up.
    pub build: fn() -> Operation,
}

/// All shapes, in the order of the tables.
#[must_use]
pub fn shapes() -> Vec<Shape> {
    keyless::shapes()
        .into_iter()
        .chain(aligned::shapes())
        .chain(many::shapes())
        .chain(failing::shapes())
        .chain(fold::shapes())
        .collect()
}
