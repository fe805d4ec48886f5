//! Portable Draughts Notation (PDN): a lexer, a scanner that splits a stream of bytes into games of tokens, and the
//! replay of a game's move text.

mod comments;
mod lexer;
mod movetext;
mod names;
mod numbers;
mod scanner;
mod signs;
mod token;

#[cfg(test)]
mod tests;

pub use movetext::GameError;
pub use names::SquareNames;
pub use numbers::NumberGap;
pub use scanner::{ScannedGame, Scanner};
pub use token::{Problem, Token, TokenKind};
