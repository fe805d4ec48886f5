//! The move text of a scanned game: its tokens as the steps of a replay.

use super::names::SquareNames;
use super::scanner::ScannedGame;
use super::token::TokenKind;
use crate::draughts::{Ambiguity, Board, MoveText, ReplayError, Replayed, SetupChange, SquareMove, Step};
use crate::side::Side;
use crate::work::SharedMonitor;

/// The reason why a game cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameError {
    /// A move is illegal or ambiguous.
    Unplayable {
        /// The byte of the game at which the move starts.
        byte: usize,
        /// The legal moves that the text can mean; empty if it is illegal.
        candidates: Vec<SquareMove>,
    },
    /// The work was cancelled.
    Stopped,
}

impl TokenKind {
    /// Return whether the token is a step of the move text.
    pub fn is_step(self) -> bool {
        self.is_move() || matches!(self, TokenKind::Open | TokenKind::Close | TokenKind::Setup)
    }
}

impl ScannedGame {
    /// Play the game from a position; see `Board::replay`. `first` is the side that moves first in a game.
    #[allow(clippy::too_many_arguments)]
    pub fn replay(
        &self,
        start: &dyn Board,
        names: &SquareNames,
        first: Side,
        setups: &[SetupChange<'_>],
        ambiguity: Ambiguity,
        results: Option<&mut Vec<Replayed>>,
        monitor: Option<&SharedMonitor>,
    ) -> Result<Option<Box<dyn Board>>, GameError> {
        let text = self.move_text(names, first)?;
        start.replay(&text, setups, ambiguity, results, monitor).map_err(|error| match error {
            ReplayError::Stopped => GameError::Stopped,
            ReplayError::Unplayable { step, candidates } => {
                let mut steps = self.tokens.iter().filter(|token| token.kind.is_step());
                GameError::Unplayable { byte: steps.nth(step).map_or(0, |token| token.start as usize), candidates }
            }
        })
    }

    /// Return the steps of the game. A move with a square that is not on the board is illegal.
    fn move_text(&self, names: &SquareNames, first: Side) -> Result<MoveText, GameError> {
        let mut moves = MoveText { first, ..MoveText::default() };
        let mut squares = Vec::new();
        for token in &self.tokens {
            moves.steps.push(match token.kind {
                TokenKind::Move => {
                    squares.clear();
                    let text = token.bytes(&self.text);
                    let illegal = |_| GameError::Unplayable { byte: token.start as usize, candidates: Vec::new() };
                    names.parse(text, &mut squares).map_err(illegal)?;
                    let &[from, ref between @ .., to] = squares.as_slice() else { continue };
                    let begin = moves.between.len() as u32;
                    moves.between.extend_from_slice(between);
                    let captures = !text.contains(&b'-');
                    Step::Move { from, to, between: (begin, moves.between.len() as u32), captures }
                }
                TokenKind::Unknown => Step::Unknown,
                TokenKind::Placeholder => Step::Placeholder,
                TokenKind::Open => Step::Open,
                TokenKind::Close => Step::Close,
                TokenKind::Setup => Step::Setup,
                _ => continue,
            });
        }
        Ok(moves)
    }
}
