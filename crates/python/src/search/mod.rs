//! Bindings of the search.

mod engine;
mod handle;
mod info;

pub use engine::SearchEngine;
pub use handle::SearchHandle;
