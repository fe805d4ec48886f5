//! The moves of a written game, found one after the other.

use super::board::{Board, Seat, SquareMove};
use super::capture_generator::Scratch;
use super::captures::Ways;
use super::features::Features;
use super::moves::{Jump, Move, Sink};
use super::position::Position;
use super::squares::SquareSet;
use crate::side::Side;

/// One thing of a written game that matters for its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A move by its first and its last square; those between are `Script::between`, from one place up to another.
    Move {
        /// Where it begins.
        from: u16,
        /// Where it ends.
        to: u16,
        /// The squares between.
        between: (u32, u32),
        /// Whether it is written as a capture; it decides where a step and a capture have the same squares.
        captures: bool,
    },
    /// A move that is not told.
    Unknown,
    /// The same, unless it is the turn of the side that does not begin games.
    Placeholder,
    /// The begin of a variation: another way to go on before the last move.
    Open,
    /// Its end.
    Close,
    /// Another position, the next of the scenes given.
    Setup,
}

/// What a set-up changes.
#[derive(Clone, Copy)]
pub enum Scene<'a> {
    /// Everything: it goes on from a position of the same game.
    Board(&'a dyn Board),
    /// The side to move alone.
    Turn(Side),
}

/// A written game, or a part of one.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// What it says, in order.
    pub steps: Vec<Step>,
    /// All squares that stand between the first and the last of a move.
    pub between: Vec<u16>,
    /// The side that begins games.
    pub first: Side,
}

/// What a step came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// A move, and whether another has the same first and last square.
    Move(SquareMove, bool),
    /// A move that is not known: it is not told, or the position is not known.
    Unknown,
    /// No move.
    Nothing,
}

/// Why a game cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The step that cannot be done.
    pub step: usize,
    /// The moves that it could mean; none if it is illegal.
    pub candidates: Vec<SquareMove>,
}

/// A position in a game; None once a move was not told.
#[derive(Clone, Copy)]
struct Spot<S> {
    position: Option<Position<S>>,
    turn: Side,
}

impl<S: SquareSet> Spot<S> {
    fn at(position: Position<S>) -> Self {
        Spot { turn: position.turn, position: Some(position) }
    }

    /// The spot with a side to move and nothing else changed.
    fn with_turn(&self, turn: Side) -> Self {
        Spot { position: self.position.map(|position| Position { turn, ..position }), turn }
    }

    /// The spot after a move that is not known.
    fn after_unknown(&self) -> Self {
        Spot { position: None, turn: self.turn.opponent() }
    }
}

impl<S: SquareSet, F: Features> Seat<S, F> {
    /// What `Board::replay` does.
    pub(super) fn follow(
        &self,
        script: &Script,
        scenes: &[Scene<'_>],
        mut told: Option<&mut Vec<Replayed>>,
    ) -> Result<Option<Self>, Failure> {
        let mut scenes = scenes.iter();
        let mut scratch = Scratch::default();
        // Where the line is, and where it was before its last move.
        let (mut now, mut before) = (Spot::at(self.position), Spot::at(self.position));
        let mut lines = Vec::new();
        for (index, step) in script.steps.iter().enumerate() {
            let mut came_to = Replayed::Nothing;
            match *step {
                Step::Move { from, to, between, captures } => {
                    let between = &script.between[between.0 as usize..between.1 as usize];
                    let brief = told.is_none() && between.is_empty();
                    before = now;
                    now = match &now.position {
                        None => {
                            came_to = Replayed::Unknown;
                            now.after_unknown()
                        }
                        Some(position)
                            if brief && let Some(played) = self.find_short(position, from, to, &mut scratch) =>
                        {
                            Spot::at(self.mover.after(position, &played))
                        }
                        Some(position) => {
                            let found = self.find_written(position, from, to, between, captures);
                            let (found, ambiguous) = found.map_err(|candidates| Failure { step: index, candidates })?;
                            let next = self.mover.after(position, &self.to_bits(&found));
                            came_to = Replayed::Move(found, ambiguous);
                            Spot::at(next)
                        }
                    };
                }
                Step::Placeholder if now.turn != script.first => {}
                Step::Unknown | Step::Placeholder => {
                    came_to = Replayed::Unknown;
                    (before, now) = (now, now.after_unknown());
                }
                Step::Open => {
                    lines.push((now, before));
                    now = before;
                }
                Step::Close => (now, before) = lines.pop().unwrap_or((now, before)),
                Step::Setup => {
                    now = match scenes.next() {
                        Some(Scene::Board(board)) => {
                            board.as_any().downcast_ref::<Self>().map_or(now, |seat| Spot::at(seat.position))
                        }
                        Some(Scene::Turn(turn)) => now.with_turn(*turn),
                        None => now,
                    };
                    before = now;
                }
            }
            if let Some(told) = &mut told {
                told.push(came_to);
            }
        }
        Ok(now.position.map(|position| Seat { mover: self.mover.clone(), position }))
    }

    /// The move with these first and last squares, if there is exactly one.
    #[inline(always)]
    fn find_short(&self, position: &Position<S>, from: u16, to: u16, scratch: &mut Scratch<S>) -> Option<Move<S>> {
        let bits = &self.mover.geometry.bits;
        let mut wanted =
            Wanted { from: bits[usize::from(from)], to: bits[usize::from(to)], found: None, several: false };
        self.mover.generate(position, Ways::Distinct, scratch, &mut wanted);
        wanted.found.filter(|_| !wanted.several)
    }

    /// The move that the squares name, and whether another has the same first and last one; else what they can mean.
    #[inline(never)]
    fn find_written(
        &self,
        position: &Position<S>,
        from: u16,
        to: u16,
        between: &[u16],
        captures: bool,
    ) -> Result<(SquareMove, bool), Vec<SquareMove>> {
        let seat = Seat { mover: self.mover.clone(), position: *position };
        let short = seat.find_moves(&[from, to]);
        let ambiguous = short.len() > 1;
        let written = [&[from], between, &[to]].concat();
        let mut candidates = if between.is_empty() { short } else { seat.find_moves(&written) };
        if candidates.len() > 1 && candidates.iter().any(|played| played.jumps.is_empty() != captures) {
            candidates.retain(|played| played.jumps.is_empty() != captures);
        }
        if candidates.len() != 1 {
            return Err(candidates);
        }
        Ok((candidates.remove(0), ambiguous))
    }
}

/// Takes the moves with one start and one end.
struct Wanted<S> {
    from: usize,
    to: usize,
    found: Option<Move<S>>,
    several: bool,
}

impl<S: SquareSet> Wanted<S> {
    #[inline(always)]
    fn take(&mut self, played: Move<S>) {
        self.several = self.found.is_some();
        self.found = Some(played);
    }
}

impl<S: SquareSet> Sink<S> for Wanted<S> {
    #[inline(always)]
    fn capture(&mut self, played: Move<S>, _: &[Jump]) {
        if usize::from(played.from) == self.from && usize::from(played.to) == self.to {
            self.take(played);
        }
    }
    #[inline(always)]
    fn clear(&mut self) {
        (self.found, self.several) = (None, false);
    }
    #[inline(always)]
    fn quiet(&mut self, played: Move<S>) {
        if usize::from(played.from) == self.from && usize::from(played.to) == self.to {
            self.take(played);
        }
    }
    #[inline(always)]
    fn steps(&mut self, targets: S, delta: i32, far_row: S) {
        if self.to as i32 - delta == self.from as i32 && targets.has(self.to) {
            self.take(Move::quiet(self.from, self.to, far_row.has(self.to)));
        }
    }
    #[inline(always)]
    fn leaps(&mut self, targets: S, delta: i32, far_row: S) {
        if self.to as i32 - 2 * delta == self.from as i32 && targets.has(self.to) {
            let captured = S::bit((self.to as i32 - delta) as usize);
            let (from, to, crowns) = (self.from as u16, self.to as u16, far_row.has(self.to));
            self.take(Move { captured, from, to, crowns });
        }
    }
    #[inline(always)]
    fn slides(&mut self, from: usize, targets: S) {
        if from == self.from && targets.has(self.to) {
            self.take(Move::quiet(from, self.to, false));
        }
    }
}
