//! Portable Draughts Notation (PDN): a lexer, a scanner that splits a stream of bytes into games of tokens, and the
//! replay of a game's move text.

mod comments;
mod lexer;
mod movetext;
mod names;
mod scanner;
mod token;

#[cfg(test)]
mod tests;

pub use movetext::GameError;
pub use names::SquareNames;
pub use scanner::{ScannedGame, Scanner};
pub use token::{Problem, Token, TokenKind};
