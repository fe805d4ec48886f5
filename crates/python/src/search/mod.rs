//! Bindings of the search.

mod engine;
mod function;
mod handle;
mod info;

pub use engine::SearchEngine;
pub use function::evaluate_by_function;
pub use handle::SearchHandle;
