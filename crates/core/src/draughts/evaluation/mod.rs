//! Static evaluation of undecided positions: a neural network (`network`), or a tapered, linear evaluation.
//!
//! The value of the linear evaluation is a sum of features times weights: material, piece-square tables, structure of
//! men, mobility and pattern tables. Every feature is counted from both points of view and the opponent's count is subtracted, so a position has
//! the same value if the board is rotated and the colours are exchanged. Every weight has two values, for the opening
//! and for the endgame; the game phase, which depends on the number of pieces on the board, interpolates between them.
//!
//! `training` fits networks.
//!
//! `Weights` are data in square indices. `Evaluation` is their compiled form for bitboards of one type. The rule fields
//! determine which features are counted: directions of moves and captures, flying kings, the shape of the board.

mod compiled;
mod evaluate;
mod feature_rows;
mod kings;
mod network;
mod patterns;
mod structure;
mod training;
mod weights;

pub(super) use compiled::{Evaluation, LinearEvaluation};
pub use feature_rows::{FeatureRows, packed_size};
pub use network::NetworkWeights;
pub(super) use network::{Accumulator, Network};
pub use training::{Examples, NetworkShape, NetworkTrainer};
pub use weights::{Feature, Pattern, TaperedWeight, Weights};

use std::any::Any;

use super::board::Board;
use crate::search::FunctionEvaluation;

/// An evaluation compiled for the boards of one rule set, without the type of their bitboards.
pub trait Evaluator: Send + Sync {
    /// Return the `Evaluation<B>`, for callers that have the type `B`.
    fn as_any(&self) -> &dyn Any;
    /// Return whether this is a linear evaluation, which has feature rows.
    fn is_linear(&self) -> bool;
}

/// A function outside the core, which evaluates positions of any rules.
impl Evaluator for FunctionEvaluation<Box<dyn Board>> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn is_linear(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
