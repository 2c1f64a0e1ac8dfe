//! The oracle's rooms, in the order in which a game passes them.

pub(crate) mod value;

pub(crate) mod spec;

pub(crate) mod ops;
pub(crate) mod planner;

pub(crate) mod plan;

pub(crate) mod model;

pub(crate) mod faults;
pub(crate) mod runs;
pub(crate) mod staging;
pub(crate) mod watchers;

pub(crate) mod functions;

pub(crate) mod declare;

pub(crate) mod bodies;
pub(crate) mod reactions;

pub(crate) mod audit;
pub(crate) mod drive;
pub(crate) mod feeds;
pub(crate) mod holding;
pub(crate) mod steps;

pub(crate) mod bytes;
pub(crate) mod whole;
