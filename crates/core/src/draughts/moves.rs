//! A whole move, and where generated moves go.

use super::bitboard::Bitboard;
use crate::parallel::KeepGoing;

/// A step, or a capture with all its jumps. Bits, not square numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move<B> {
    /// The captured pieces.
    pub captured: B,
    /// Where the piece starts.
    pub from: u16,
    /// Where it ends.
    pub to: u16,
    /// Whether a man becomes a king.
    pub crowns: bool,
}

impl<B: Bitboard> Move<B> {
    /// A move without captures.
    #[inline(always)]
    pub fn quiet(from: usize, to: usize, crowns: bool) -> Self {
        Move { captured: B::EMPTY, from: from as u16, to: to as u16, crowns }
    }
}

/// One jump of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Jump {
    /// The piece jumped over.
    pub captured: u16,
    /// Where the jump lands.
    pub landing: u16,
}

/// A move with the way it goes: one jump a captured piece, none for a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveWithPath<B> {
    /// The move.
    pub played: Move<B>,
    /// Its jumps in order.
    pub jumps: Box<[Jump]>,
}

/// Takes the moves of a position as they are found.
pub trait MoveSink<B: Bitboard> {
    /// A capture, with its jumps.
    fn capture(&mut self, played: Move<B>, jumps: &[Jump]);

    /// Forgets the captures so far: a better one was found.
    fn clear(&mut self);

    /// A quiet move.
    fn quiet(&mut self, played: Move<B>);

    /// Whether more moves are wanted; asked again and again where there may be very many captures.
    #[inline(always)]
    fn keeps_going(&mut self) -> bool {
        true
    }

    /// Quiet steps of men by `delta` bits to `targets`; on `far_row` they are crowned.
    #[inline(always)]
    fn man_steps(&mut self, targets: B, delta: i32, far_row: B) {
        for to in targets.bits() {
            self.quiet(Move::quiet((to as i32 - delta) as usize, to, far_row.has(to)));
        }
    }

    /// Captures of one piece by steps of `delta` bits, ending on `targets`; on `far_row` they crown.
    #[inline(always)]
    fn single_jumps(&mut self, targets: B, delta: i32, far_row: B) {
        for to in targets.bits() {
            let (from, victim) = ((to as i32 - 2 * delta) as u16, (to as i32 - delta) as u16);
            let played = Move { captured: B::bit(usize::from(victim)), from, to: to as u16, crowns: far_row.has(to) };
            self.capture(played, &[Jump { captured: victim, landing: to as u16 }]);
        }
    }

    /// Quiet moves of a king.
    #[inline(always)]
    fn king_moves(&mut self, from: usize, targets: B) {
        for to in targets.bits() {
            self.quiet(Move::quiet(from, to, false));
        }
    }
}

/// Keeps moves only.
impl<B: Bitboard> MoveSink<B> for Vec<Move<B>> {
    #[inline(always)]
    fn capture(&mut self, played: Move<B>, _: &[Jump]) {
        self.push(played);
    }
    #[inline(always)]
    fn clear(&mut self) {
        self.clear();
    }
    #[inline(always)]
    fn quiet(&mut self, played: Move<B>) {
        self.push(played);
    }
}

/// Keeps moves with the way they go, and can be stopped.
pub struct PathList<'a, B> {
    /// The moves so far.
    pub list: Vec<MoveWithPath<B>>,
    /// Whether there was no word to stop.
    pub complete: bool,
    keep_going: KeepGoing<'a>,
    polled: u32,
}

/// How many questions of a search one question to `keep_going` answers.
const POLL_INTERVAL: u32 = 4096;

/// The initial capacity of a list, enough for nearly every position.
const INITIAL_CAPACITY: usize = 24;

impl<'a, B> PathList<'a, B> {
    /// An empty list; `keep_going` is asked now and then in the course of a long search.
    pub fn new(keep_going: KeepGoing<'a>) -> Self {
        PathList { list: Vec::with_capacity(INITIAL_CAPACITY), complete: true, keep_going, polled: 0 }
    }
}

impl<B: Bitboard> MoveSink<B> for PathList<'_, B> {
    fn capture(&mut self, played: Move<B>, jumps: &[Jump]) {
        self.list.push(MoveWithPath { played, jumps: jumps.into() });
    }
    fn clear(&mut self) {
        self.list.clear();
    }
    fn quiet(&mut self, played: Move<B>) {
        self.list.push(MoveWithPath { played, jumps: Box::default() });
    }
    fn keeps_going(&mut self) -> bool {
        self.polled += 1;
        if self.complete && self.polled == POLL_INTERVAL {
            self.polled = 0;
            self.complete = (self.keep_going)();
        }
        self.complete
    }
}

/// Drops moves, and stops when another sink does.
pub struct NullSink<'a, B>(pub &'a mut dyn MoveSink<B>);

impl<B: Bitboard> MoveSink<B> for NullSink<'_, B> {
    fn capture(&mut self, _: Move<B>, _: &[Jump]) {}
    fn clear(&mut self) {}
    fn quiet(&mut self, _: Move<B>) {}
    fn keeps_going(&mut self) -> bool {
        self.0.keeps_going()
    }
}

/// Looks for one move.
pub struct ContainsSink<B> {
    wanted: Move<B>,
    /// Whether the move is among those so far.
    pub found: bool,
}

impl<B: Bitboard> ContainsSink<B> {
    /// Look for the move.
    pub fn new(wanted: Move<B>) -> Self {
        ContainsSink { wanted, found: false }
    }
}

impl<B: Bitboard> MoveSink<B> for ContainsSink<B> {
    #[inline(always)]
    fn capture(&mut self, played: Move<B>, _: &[Jump]) {
        self.found |= played == self.wanted;
    }
    #[inline(always)]
    fn clear(&mut self) {
        self.found = false;
    }
    #[inline(always)]
    fn quiet(&mut self, played: Move<B>) {
        self.found |= played == self.wanted;
    }
    #[inline(always)]
    fn man_steps(&mut self, targets: B, delta: i32, far_row: B) {
        let Move { captured, from, to, crowns } = self.wanted;
        let is_step = captured.is_empty() && i32::from(to) - i32::from(from) == delta;
        let (to, is_crowned) = (usize::from(to), far_row.has(usize::from(to)));
        self.found |= is_step && targets.has(to) && crowns == is_crowned;
    }
    #[inline(always)]
    fn king_moves(&mut self, from: usize, targets: B) {
        let Move { captured, from: start, to, crowns } = self.wanted;
        self.found |= captured.is_empty() && usize::from(start) == from && targets.has(usize::from(to)) && !crowns;
    }
}

/// Counts moves without making them.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountSink(pub u64);

impl<B: Bitboard> MoveSink<B> for CountSink {
    #[inline(always)]
    fn capture(&mut self, _: Move<B>, _: &[Jump]) {
        self.0 += 1;
    }
    #[inline(always)]
    fn clear(&mut self) {
        self.0 = 0;
    }
    #[inline(always)]
    fn quiet(&mut self, _: Move<B>) {
        self.0 += 1;
    }
    #[inline(always)]
    fn man_steps(&mut self, targets: B, _: i32, _: B) {
        self.0 += targets.count() as u64;
    }
    #[inline(always)]
    fn single_jumps(&mut self, targets: B, _: i32, _: B) {
        self.0 += targets.count() as u64;
    }
    #[inline(always)]
    fn king_moves(&mut self, _: usize, targets: B) {
        self.0 += targets.count() as u64;
    }
}
