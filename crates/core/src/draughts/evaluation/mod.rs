//! Static evaluation: a tapered, linear evaluation of undecided positions.
//!
//! The value is a sum of features times weights: material, piece-square tables, structure of men, mobility and pattern
//! tables. Every feature is counted from both points of view and the opponent's count is subtracted, so a position has
//! the same value if the board is rotated and the colours are exchanged. Every weight has two values, for the opening
//! and for the endgame; the game phase, which depends on the number of pieces on the board, interpolates between them.
//!
//! `Weights` are data in square indices. `Evaluation` is their compiled form for bitboards of one type. The rule fields
//! determine which features are counted: directions of moves and captures, flying kings, the shape of the board.

mod compiled;
mod evaluate;
mod feature_rows;
mod kings;
mod patterns;
mod structure;
mod weights;

pub(super) use compiled::Evaluation;
pub use feature_rows::{FeatureRows, packed_size};
pub use weights::{Feature, Pattern, TaperedWeight, Weights};

use std::any::Any;

/// An evaluation compiled for the boards of one rule set, without the type of their bitboards.
pub trait Evaluator: Send + Sync {
    /// Return the `Evaluation<B>`, for callers that have the type `B`.
    fn as_any(&self) -> &dyn Any;
}

#[cfg(test)]
mod tests;
