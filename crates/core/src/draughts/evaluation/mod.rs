//! What a position is worth to the side to move, where nothing is decided yet.
//!
//! The value is a sum of counts times weights. Everything is counted for each side as that side sees the board and
//! the other side's count taken off, so a board turned around with the colours exchanged has the same value. Every
//! weight has two values, for the opening and for the ending, and the number of pieces on the board blends them.
//!
//! Weights are data in square indices; `Evaluation` is their compiled form for sets of one type. What is counted
//! follows from the rule fields: directions of moves and captures, flying kings, the shape of the board.

mod bulk;
mod compiled;
mod count;
mod kings;
mod patterns;
mod structure;
mod weights;

pub use bulk::{Sample, packed_size};
pub(super) use compiled::Evaluation;
pub use weights::{Feature, Pair, Pattern, Weights};

use std::any::Any;

/// An evaluation compiled for the boards of one rule set, whatever their type of set: `as_any` gives back the
/// `Evaluation` that it is.
pub trait Judge: Send + Sync {
    /// For boards and searches, which know the type.
    fn as_any(&self) -> &dyn Any;
}

#[cfg(test)]
mod tests;
