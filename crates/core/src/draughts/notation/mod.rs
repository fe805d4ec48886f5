//! Text notation: FEN, square lists and moves, parsed and formatted with the square names of a variant.

mod fen;
mod moves;
mod span;
mod squares;

use crate::text::NotationError;

pub use moves::{MoveError, is_ambiguous};
pub use squares::Squares;

/// The notation of a rule set: the names of its squares and the separator of captures.
#[derive(Debug)]
pub struct Notation {
    /// The name of the variant, for error messages.
    variant: String,
    squares: Squares,
    /// The separator between the squares of a capture.
    capture_separator: String,
    /// The maximum number of consecutive quiet moves of a king; 0 means no limit.
    king_move_limit: u8,
}

impl Notation {
    /// Create the notation of a variant.
    pub fn new(variant: String, squares: Squares, capture_separator: String, king_move_limit: u8) -> Self {
        Notation { variant, squares, capture_separator, king_move_limit }
    }

    /// Return the names and numbers of the squares.
    pub fn squares(&self) -> &Squares {
        &self.squares
    }

    fn unknown_square(&self, named: span::Span<'_>) -> NotationError {
        named.error(format!("{} has no square {}", self.variant, named.quoted()))
    }
}

#[cfg(test)]
mod tests;
