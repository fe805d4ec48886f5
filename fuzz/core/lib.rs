//! The fuzz targets of the core. Their code is shared with the test that replays the corpus.

#[path = "../../crates/core/tests/fuzz/targets/mod.rs"]
mod targets;

pub use targets::check;
