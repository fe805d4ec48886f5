//! Replay: play the move text of a recorded game and resolve every abbreviated move to a legal one.

use super::bitboard::Bitboard;
use super::board::{Board, BoundPosition, SquareMove};
use super::capture_generator::Scratch;
use super::captures::CapturePaths;
use super::moves::{Jump, Move, MoveSink};
use super::position::Position;
use super::specialisation::RuleSource;
use crate::side::Side;
use crate::work::SharedMonitor;

/// One element of a move text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A move, given by its first and last square.
    Move {
        /// The first square.
        from: u16,
        /// The last square.
        to: u16,
        /// The range of `MoveText::between` with the squares between the first and the last.
        between: (u32, u32),
        /// Whether the move is written as a capture, which decides between a quiet move and a capture with the same
        /// squares.
        captures: bool,
    },
    /// An unknown move, `...` or `-`.
    Unknown,
    /// `...` after a move number: an unknown move if the side that moves first is to move, otherwise no move.
    Placeholder,
    /// The start of a variation: an alternative to the last move.
    Open,
    /// The end of a variation.
    Close,
    /// A set-up: the next one of the given `SetupChange`s.
    Setup,
}

/// The change that a set-up makes to the current position.
#[derive(Clone, Copy)]
pub enum SetupChange<'a> {
    /// The whole position, with the same rules.
    Board(&'a dyn Board),
    /// Only the side to move.
    Turn(Side),
}

/// The moves, variations and set-ups of a recorded game, without its annotations.
#[derive(Clone, Debug, Default)]
pub struct MoveText {
    /// The elements in order.
    pub steps: Vec<Step>,
    /// The intermediate squares of all moves.
    pub between: Vec<u16>,
    /// The side that moves first in a game.
    pub first: Side,
}

/// The result of one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// A move, and whether another legal move has the same first and last square.
    Move(SquareMove, bool),
    /// An unknown move: it is not given, or the position before it is unknown.
    Unknown,
    /// No move.
    Nothing,
}

/// The reason why a replay ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// A move is illegal or ambiguous.
    Unplayable {
        /// The index of its step.
        step: usize,
        /// The legal moves that the text can mean; empty if it is illegal.
        candidates: Vec<SquareMove>,
    },
    /// The work was cancelled.
    Stopped,
}

/// The current place of a replay in the game tree: a position, or unknown after an unknown move.
#[derive(Clone, Copy)]
struct Cursor<B> {
    position: Option<Position<B>>,
    turn: Side,
}

impl<B: Bitboard> Cursor<B> {
    fn at(position: Position<B>) -> Self {
        Cursor { turn: position.turn, position: Some(position) }
    }

    fn with_turn(&self, turn: Side) -> Self {
        Cursor { position: self.position.map(|position| Position { turn, ..position }), turn }
    }

    fn after_unknown(&self) -> Self {
        Cursor { position: None, turn: self.turn.opponent() }
    }
}

/// The units of work of one step of the text. A state of a capture search is one unit.
const STEP_WORK: u32 = 4;

impl<B: Bitboard, R: RuleSource> BoundPosition<B, R> {
    /// Implement `Board::replay`.
    pub(super) fn replay_text(
        &self,
        text: &MoveText,
        setups: &[SetupChange<'_>],
        mut results: Option<&mut Vec<Replayed>>,
        monitor: Option<&SharedMonitor>,
    ) -> Result<Option<Self>, ReplayError> {
        let mut setups = setups.iter();
        let mut scratch = Scratch::new(monitor);
        // The current position of the line, and the position before its last move, where a variation starts.
        let (mut now, mut before) = (Cursor::at(self.position), Cursor::at(self.position));
        let mut outer_lines = Vec::new();
        for (index, step) in text.steps.iter().enumerate() {
            // The common case: a move that is identified by its first and last square.
            if let Step::Move { from, to, between: (start, end), .. } = *step
                && start == end
                && results.is_none()
                && let Some(position) = &now.position
                && let Some(played) = self.find_short(position, from, to, &mut scratch)
            {
                (before, now) = (now, Cursor::at(self.generator.after(position, &played)));
                if !scratch.work.add(STEP_WORK) {
                    return Err(ReplayError::Stopped);
                }
                continue;
            }
            let mut result = Replayed::Nothing;
            match *step {
                Step::Move { from, to, between, captures } => {
                    let between = &text.between[between.0 as usize..between.1 as usize];
                    before = now;
                    now = match &now.position {
                        None => {
                            result = Replayed::Unknown;
                            now.after_unknown()
                        }
                        Some(position) => {
                            let (found, ambiguous) = self
                                .find_written(position, from, to, between, captures, &mut scratch)
                                .ok_or(ReplayError::Stopped)?
                                .map_err(|candidates| ReplayError::Unplayable { step: index, candidates })?;
                            let next = self.generator.after(position, &self.to_bits(&found));
                            result = Replayed::Move(found, ambiguous);
                            Cursor::at(next)
                        }
                    };
                }
                Step::Placeholder if now.turn != text.first => {}
                Step::Unknown | Step::Placeholder => {
                    result = Replayed::Unknown;
                    (before, now) = (now, now.after_unknown());
                }
                Step::Open => {
                    outer_lines.push((now, before));
                    now = before;
                }
                Step::Close => (now, before) = outer_lines.pop().unwrap_or((now, before)),
                Step::Setup => {
                    now = match setups.next() {
                        Some(SetupChange::Board(board)) => {
                            board.as_any().downcast_ref::<Self>().map_or(now, |seat| Cursor::at(seat.position))
                        }
                        Some(SetupChange::Turn(turn)) => now.with_turn(*turn),
                        None => now,
                    };
                    before = now;
                }
            }
            if let Some(results) = &mut results {
                results.push(result);
            }
            if !scratch.work.add(STEP_WORK) {
                return Err(ReplayError::Stopped);
            }
        }
        Ok(now.position.map(|position| BoundPosition { generator: self.generator.clone(), position }))
    }

    /// Return the move with these first and last squares if there is exactly one.
    ///
    /// After cancelled work the result can be None or an ambiguous move; the caller checks for it next.
    #[inline(always)]
    fn find_short(&self, position: &Position<B>, from: u16, to: u16, scratch: &mut Scratch<B>) -> Option<Move<B>> {
        let bits = &self.generator.geometry.bits;
        let (from, to) = (bits[usize::from(from)], bits[usize::from(to)]);
        let mut sink = MatchingSink { from, to, found: None, several: false };
        self.generator.generate(position, CapturePaths::Distinct, scratch, &mut sink);
        sink.found.filter(|_| !sink.several)
    }

    /// Return the move with these squares, and whether another move has the same first and last one. The error is the
    /// list of all moves that the squares can mean. Return None if the work was cancelled.
    #[inline(never)]
    fn find_written(
        &self,
        position: &Position<B>,
        from: u16,
        to: u16,
        between: &[u16],
        captures: bool,
        scratch: &mut Scratch<B>,
    ) -> Option<Result<(SquareMove, bool), Vec<SquareMove>>> {
        let before = BoundPosition { generator: self.generator.clone(), position: *position };
        let legal = before.list_moves(CapturePaths::Distinct, scratch)?;
        let named = |squares: &[u16]| -> Vec<SquareMove> {
            let found = before.match_moves(&legal, squares);
            found.into_iter().map(|index| legal[index].clone()).collect()
        };
        let mut candidates = named(&[from, to]);
        let ambiguous = candidates.len() > 1;
        if !between.is_empty() {
            candidates = named(&[&[from], between, &[to]].concat());
        }
        if candidates.len() > 1 && candidates.iter().any(|played| played.jumps.is_empty() != captures) {
            candidates.retain(|played| played.jumps.is_empty() != captures);
        }
        if candidates.len() != 1 {
            return Some(Err(candidates));
        }
        let played = candidates.remove(0);
        let played = if between.is_empty() { played } else { before.with_path(played, &[between, &[to]].concat()) };
        Some(Ok((played, ambiguous)))
    }
}

/// A move sink that keeps the moves with one start and one end.
struct MatchingSink<B> {
    from: usize,
    to: usize,
    found: Option<Move<B>>,
    several: bool,
}

impl<B: Bitboard> MatchingSink<B> {
    #[inline(always)]
    fn take(&mut self, played: Move<B>) {
        self.several = self.found.is_some();
        self.found = Some(played);
    }
}

impl<B: Bitboard> MoveSink<B> for MatchingSink<B> {
    #[inline(always)]
    fn capture(&mut self, played: Move<B>, _: &[Jump]) {
        if usize::from(played.from) == self.from && usize::from(played.to) == self.to {
            self.take(played);
        }
    }
    #[inline(always)]
    fn clear(&mut self) {
        (self.found, self.several) = (None, false);
    }
    #[inline(always)]
    fn quiet(&mut self, played: Move<B>) {
        if usize::from(played.from) == self.from && usize::from(played.to) == self.to {
            self.take(played);
        }
    }
    #[inline(always)]
    fn man_steps(&mut self, targets: B, delta: i32, far_row: B) {
        if self.to as i32 - delta == self.from as i32 && targets.has(self.to) {
            self.take(Move::quiet(self.from, self.to, far_row.has(self.to)));
        }
    }
    #[inline(always)]
    fn single_jumps(&mut self, targets: B, delta: i32, far_row: B) {
        if self.to as i32 - 2 * delta == self.from as i32 && targets.has(self.to) {
            let captured = B::bit((self.to as i32 - delta) as usize);
            let (from, to, crowns) = (self.from as u16, self.to as u16, far_row.has(self.to));
            self.take(Move { captured, from, to, crowns });
        }
    }
    #[inline(always)]
    fn king_moves(&mut self, from: usize, targets: B) {
        if from == self.from && targets.has(self.to) {
            self.take(Move::quiet(from, self.to, false));
        }
    }
}
