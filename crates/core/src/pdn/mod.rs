//! Portable Draughts Notation: bytes in, games as tokens out. What the moves mean is `draughts::replay`'s.

mod comments;
mod lexer;
mod names;
mod quoted;
mod scanner;
mod token;

#[cfg(test)]
mod tests;

pub use names::SquareNames;
pub use scanner::{Scan, Scanner};
pub use token::{Kind, Problem, Token};
