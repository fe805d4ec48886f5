//! Choosing moves, as Python sees it.

mod found;
mod thinker;
mod thought;

pub use thinker::Thinker;
pub use thought::Thought;
