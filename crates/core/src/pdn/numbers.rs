//! The move numbers of a scanned game, and the moves that are missing between them.

use super::comments::CommentEnds;
use super::lexer::{Lexer, Stop};
use super::scanner::ScannedGame;
use super::token::TokenKind;

/// A gap between two move numbers of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberGap {
    /// The byte of the number after the gap.
    pub byte: usize,
    /// The number before the gap; 0 if the gap is at the start of the game.
    pub before: u32,
    /// The number after the gap.
    pub after: u32,
}

/// A line of moves: the last move number, and the number of moves after it.
#[derive(Default)]
struct Line {
    number: Option<u32>,
    moves: u32,
}

impl ScannedGame {
    /// Return the gaps between move numbers: from one number to the next there are fewer moves than the difference
    /// requires. Unknown moves such as `...` count as moves.
    pub fn number_gaps(&self) -> Vec<NumberGap> {
        let mut lexer = Lexer { bytes: &self.text, at: 0, last: true, comment_ends: CommentEnds::default() };
        // Before the first number of a game, number 0 and both its moves are complete.
        let mut line = Line { number: Some(0), moves: 2 };
        let (mut outer_lines, mut gaps) = (Vec::new(), Vec::new());
        loop {
            let lexeme = match lexer.skip_ignored().and_then(|()| lexer.next()) {
                Ok(lexeme) => lexeme,
                Err(Stop::Bad(..)) => continue,
                Err(Stop::More | Stop::End) => return gaps,
            };
            match lexeme.kind {
                TokenKind::TagName if lexer.tag_value(lexeme.end).is_err() => return gaps,
                TokenKind::MoveNumber => {
                    let digits = self.text[lexeme.start..lexeme.end].iter().take_while(|byte| byte.is_ascii_digit());
                    let add =
                        |number: u32, digit: &u8| number.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
                    let number = digits.fold(0, add);
                    if let Some(before) = line.number
                        && number > before
                        && line.moves < (number - before).saturating_mul(2) - 1
                    {
                        gaps.push(NumberGap { byte: lexeme.start, before, after: number });
                    }
                    line = Line { number: Some(number), moves: 0 };
                }
                TokenKind::Open => outer_lines.push(std::mem::take(&mut line)),
                TokenKind::Close => line = outer_lines.pop().unwrap_or_default(),
                TokenKind::Setup => line = Line::default(),
                kind if kind.is_move() => line.moves = line.moves.saturating_add(1),
                _ => {}
            }
        }
    }
}
