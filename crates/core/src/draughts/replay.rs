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
    /// The only one of several candidates that lets the rest of its line be played, and these candidates.
    Resolved(SquareMove, Vec<SquareMove>),
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

/// The treatment of a move whose text several legal moves match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ambiguity {
    /// The move is unplayable.
    Reject,
    /// The move is the only candidate that lets the rest of its line be played; it is unplayable if there is no such
    /// candidate, if there are several, or if the search for them exceeds `MAX_PROBED_STEPS` or `MAX_PROBE_DEPTH`.
    Resolve,
}

/// The maximum number of steps of one text that are played to resolve ambiguous moves.
pub const MAX_PROBED_STEPS: u32 = 20_000;
/// The maximum number of ambiguous moves in a line after one that is being resolved.
pub const MAX_PROBE_DEPTH: u32 = 64;

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

/// The place of a replay after some steps of the text.
#[derive(Clone)]
struct Place<B> {
    /// The current position of the line.
    now: Cursor<B>,
    /// The position before the last move of the line, where a variation starts.
    before: Cursor<B>,
    /// The same two for each line around the current one.
    outer_lines: Vec<(Cursor<B>, Cursor<B>)>,
    /// The number of set-ups so far.
    setups: usize,
}

impl<B: Bitboard> Place<B> {
    fn at(start: Position<B>) -> Self {
        Place { now: Cursor::at(start), before: Cursor::at(start), outer_lines: Vec::new(), setups: 0 }
    }

    /// Continue from a position after one more move.
    fn advance(&mut self, next: Cursor<B>) {
        (self.before, self.now) = (self.now, next);
    }
}

/// A replay in progress.
struct Replay<'a, B, R> {
    board: &'a BoundPosition<B, R>,
    text: &'a MoveText,
    setups: &'a [SetupChange<'a>],
    scratch: Scratch<B>,
    /// The number of steps that may still be played to resolve ambiguous moves.
    probed_steps_left: u32,
}

impl<B: Bitboard, R: RuleSource> BoundPosition<B, R> {
    /// Implement `Board::replay`.
    pub(super) fn replay_text(
        &self,
        text: &MoveText,
        setups: &[SetupChange<'_>],
        ambiguity: Ambiguity,
        mut results: Option<&mut Vec<Replayed>>,
        monitor: Option<&SharedMonitor>,
    ) -> Result<Option<Self>, ReplayError> {
        let mut replay =
            Replay { board: self, text, setups, scratch: Scratch::new(monitor), probed_steps_left: MAX_PROBED_STEPS };
        let mut place = Place::at(self.position);
        for (index, step) in text.steps.iter().enumerate() {
            // The common case: a move that is identified by its first and last square.
            if let Step::Move { from, to, between: (start, end), .. } = *step
                && start == end
                && results.is_none()
                && let Some(position) = &place.now.position
                && let Some(played) = self.find_short(position, from, to, &mut replay.scratch)
            {
                let next = Cursor::at(self.generator.after(position, &played));
                place.advance(next);
                if !replay.scratch.work.add(STEP_WORK) {
                    return Err(ReplayError::Stopped);
                }
                continue;
            }
            let result = match replay.play(step, &mut place).ok_or(ReplayError::Stopped)? {
                Ok(result) => result,
                Err(candidates) => {
                    let chosen = match ambiguity {
                        Ambiguity::Reject => None,
                        Ambiguity::Resolve => replay.resolve(index, &place, &candidates).ok_or(ReplayError::Stopped)?,
                    };
                    let Some(chosen) = chosen else {
                        return Err(ReplayError::Unplayable { step: index, candidates });
                    };
                    let played = candidates[chosen].clone();
                    replay.play_move(&played, &mut place);
                    Replayed::Resolved(played, candidates)
                }
            };
            if let Some(results) = &mut results {
                results.push(result);
            }
            if !replay.scratch.work.add(STEP_WORK) {
                return Err(ReplayError::Stopped);
            }
        }
        Ok(place.now.position.map(|position| BoundPosition { generator: self.generator.clone(), position }))
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

impl<B: Bitboard, R: RuleSource> Replay<'_, B, R> {
    /// Play a step, and return its result. The error is the list of the moves that an unplayable move can mean. Return
    /// None if the work was cancelled.
    fn play(&mut self, step: &Step, place: &mut Place<B>) -> Option<Result<Replayed, Vec<SquareMove>>> {
        let now = place.now;
        match *step {
            Step::Move { from, to, between, captures } => {
                let Some(position) = &now.position else {
                    place.advance(now.after_unknown());
                    return Some(Ok(Replayed::Unknown));
                };
                let between = &self.text.between[between.0 as usize..between.1 as usize];
                let written = self.board.find_written(position, from, to, between, captures, &mut self.scratch)?;
                return Some(written.map(|(found, ambiguous)| {
                    self.play_move(&found, place);
                    Replayed::Move(found, ambiguous)
                }));
            }
            Step::Placeholder if now.turn != self.text.first => {}
            Step::Unknown | Step::Placeholder => {
                place.advance(now.after_unknown());
                return Some(Ok(Replayed::Unknown));
            }
            Step::Open => {
                place.outer_lines.push((now, place.before));
                place.now = place.before;
            }
            Step::Close => (place.now, place.before) = place.outer_lines.pop().unwrap_or((now, place.before)),
            Step::Setup => {
                place.now = match self.setups.get(place.setups) {
                    Some(SetupChange::Board(board)) => board
                        .as_any()
                        .downcast_ref::<BoundPosition<B, R>>()
                        .map_or(now, |bound| Cursor::at(bound.position)),
                    Some(SetupChange::Turn(turn)) => now.with_turn(*turn),
                    None => now,
                };
                place.before = place.now;
                place.setups += 1;
            }
        }
        Some(Ok(Replayed::Nothing))
    }

    /// Play a legal move of the current position.
    fn play_move(&self, played: &SquareMove, place: &mut Place<B>) {
        if let Some(position) = &place.now.position {
            place.advance(Cursor::at(self.board.generator.after(position, &self.board.to_bits(played))));
        }
    }

    /// Return the index of the candidate for the move of a step that lets the rest of its line be played. If several do,
    /// it is the one whose whole path the text names. It is None inside if there is not exactly one or the limits are
    /// reached, and None outside if the work was cancelled.
    fn resolve(&mut self, index: usize, place: &Place<B>, candidates: &[SquareMove]) -> Option<Option<usize>> {
        let mut playable = Vec::new();
        for (number, candidate) in candidates.iter().enumerate() {
            let mut after = place.clone();
            self.play_move(candidate, &mut after);
            match self.is_line_playable(index + 1, after, MAX_PROBE_DEPTH)? {
                Ok(true) => playable.push(number),
                Ok(false) => {}
                Err(LimitReached) => return Some(None),
            }
        }
        if let (2.., Step::Move { between: (start, end), .. }) = (playable.len(), self.text.steps[index]) {
            playable.retain(|number| candidates[*number].jumps.len() == (end - start) as usize + 1);
        }
        Some(if let [only] = playable.as_slice() { Some(*only) } else { None })
    }

    /// Return whether the steps from `first` to the end of the current line can be played, with any reading of ambiguous
    /// moves. Return None if the work was cancelled.
    fn is_line_playable(
        &mut self,
        first: usize,
        mut place: Place<B>,
        depth: u32,
    ) -> Option<Result<bool, LimitReached>> {
        let text = self.text;
        let lines = place.outer_lines.len();
        for (offset, step) in text.steps[first..].iter().enumerate() {
            if *step == Step::Close && place.outer_lines.len() == lines {
                break;
            }
            if self.probed_steps_left == 0 {
                return Some(Err(LimitReached));
            }
            self.probed_steps_left -= 1;
            if !self.scratch.work.add(STEP_WORK) {
                return None;
            }
            let Err(candidates) = self.play(step, &mut place)? else { continue };
            if candidates.len() > 1 && depth == 0 {
                return Some(Err(LimitReached));
            }
            let mut playable = None;
            for candidate in &candidates {
                let mut after = place.clone();
                self.play_move(candidate, &mut after);
                match self.is_line_playable(first + offset + 1, after.clone(), depth - 1)? {
                    Ok(true) => {
                        playable = Some(after);
                        break;
                    }
                    Ok(false) => {}
                    Err(limit) => return Some(Err(limit)),
                }
            }
            match playable {
                None => return Some(Ok(false)),
                Some(_) if place.outer_lines.len() == lines => break,
                // The moves of an inner variation do not affect the line after it.
                Some(after) => place = after,
            }
        }
        Some(Ok(true))
    }
}

/// The limits of the search for the readings of ambiguous moves are reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LimitReached;

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
