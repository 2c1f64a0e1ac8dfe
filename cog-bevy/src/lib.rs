//! Derived components for Bevy: pure functions of other components, always settled.
#![forbid(unsafe_code)]

mod sets;
mod cogs;
mod params;
mod binding;
mod frame;
mod app_ext;
mod plugin;

/// The reactive graph itself, which stands alone.
pub use cog_arena as arena;

pub use app_ext::{CogAppExt, CogWorldExt};
pub use binding::CogRow;
pub use cogs::{CogWriter, Cogs};
pub use params::{
    AsDeclared, ByEq, CogParam, Compare, Declarer, DerivedFn, DerivedOut, Input, InputRes,
    IsOptional, IsPlain, Lookup, Moved, Need, Own, Previous,
};
pub use plugin::CogPlugin;
pub use sets::{CogFrame, CogLoop, CogSystems};
