//! Moves, and the sinks that receive the generated moves.

use super::bitboard::Bitboard;

/// A quiet move, or a complete capture without its path. Squares are given by their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move<B> {
    /// The captured pieces.
    pub captured: B,
    /// The first square.
    pub from: u16,
    /// The last square.
    pub to: u16,
    /// Whether a man is crowned.
    pub crowns: bool,
}

impl<B: Bitboard> Move<B> {
    /// Create a quiet move.
    #[inline(always)]
    pub fn quiet(from: usize, to: usize, crowns: bool) -> Self {
        Move { captured: B::EMPTY, from: from as u16, to: to as u16, crowns }
    }
}

/// One jump of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Jump {
    /// The square of the captured piece.
    pub captured: u16,
    /// The landing square.
    pub landing: u16,
}

/// A move with its path: one jump for each captured piece, none for a quiet move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveWithPath<B> {
    /// The move.
    pub played: Move<B>,
    /// The jumps in order.
    pub jumps: Box<[Jump]>,
}

/// A sink: the receiver of the moves that the move generator finds.
///
/// The move generator reports sets of moves when it can. A sink that does not need single moves overrides the methods
/// for sets; by default they call `capture` and `quiet` for each move.
pub trait MoveSink<B: Bitboard> {
    /// Return whether only the number of captures matters. If so, `add_captures` can be called instead of `capture`.
    #[inline(always)]
    fn counts_only(&self) -> bool {
        false
    }

    /// Receive the number of captures; called only if `counts_only` returns true.
    #[inline(always)]
    fn add_captures(&mut self, _number: u64) {}

    /// Receive a capture and its jumps.
    fn capture(&mut self, played: Move<B>, jumps: &[Jump]);

    /// Drop all captures received so far: the next one outranks them.
    fn clear(&mut self);

    /// Receive a quiet move.
    fn quiet(&mut self, played: Move<B>);

    /// Receive the quiet moves of men by `delta` bits to `targets`. Men are crowned on `far_row`.
    #[inline(always)]
    fn man_steps(&mut self, targets: B, delta: i32, far_row: B) {
        for to in targets.bits() {
            self.quiet(Move::quiet((to as i32 - delta) as usize, to, far_row.has(to)));
        }
    }

    /// Receive captures of one piece each, with steps of `delta` bits, that end on `targets`. Men are crowned on
    /// `far_row`.
    #[inline(always)]
    fn single_jumps(&mut self, targets: B, delta: i32, far_row: B) {
        for to in targets.bits() {
            let (from, victim) = ((to as i32 - 2 * delta) as u16, (to as i32 - delta) as u16);
            let played = Move { captured: B::bit(usize::from(victim)), from, to: to as u16, crowns: far_row.has(to) };
            self.capture(played, &[Jump { captured: victim, landing: to as u16 }]);
        }
    }

    /// Receive the quiet moves of one king to `targets`.
    #[inline(always)]
    fn king_moves(&mut self, from: usize, targets: B) {
        for to in targets.bits() {
            self.quiet(Move::quiet(from, to, false));
        }
    }
}

/// A sink that lists moves without their paths.
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

/// A sink that lists moves with their paths.
pub struct PathList<B> {
    /// The moves received so far.
    pub list: Vec<MoveWithPath<B>>,
    /// Whether the allocation for a move has failed.
    pub memory_exhausted: bool,
}

/// The initial capacity of a list of moves, sufficient for nearly every position.
const INITIAL_CAPACITY: usize = 24;

/// The length of a list of moves from which each allocation is checked.
const MIN_CHECKED: usize = 1024;

impl<B> Default for PathList<B> {
    fn default() -> Self {
        PathList { list: Vec::with_capacity(INITIAL_CAPACITY), memory_exhausted: false }
    }
}

impl<B: Bitboard> PathList<B> {
    /// Return whether one more move can be allocated. The allocations of a short list are not checked.
    #[inline(always)]
    fn has_memory(&mut self, jumps: &[Jump]) -> bool {
        self.list.len() < MIN_CHECKED || self.try_reserve(jumps)
    }

    #[cold]
    fn try_reserve(&mut self, jumps: &[Jump]) -> bool {
        let has_memory = Vec::<Jump>::new().try_reserve_exact(jumps.len()).is_ok() && self.list.try_reserve(1).is_ok();
        self.memory_exhausted |= !has_memory;
        has_memory
    }
}

impl<B: Bitboard> MoveSink<B> for PathList<B> {
    fn capture(&mut self, played: Move<B>, jumps: &[Jump]) {
        if self.has_memory(jumps) {
            self.list.push(MoveWithPath { played, jumps: jumps.into() });
        }
    }
    fn clear(&mut self) {
        self.list.clear();
    }
    fn quiet(&mut self, played: Move<B>) {
        self.list.push(MoveWithPath { played, jumps: Box::default() });
    }
}

/// A sink that drops all moves.
pub struct NullSink;

impl<B: Bitboard> MoveSink<B> for NullSink {
    fn counts_only(&self) -> bool {
        true
    }
    fn capture(&mut self, _: Move<B>, _: &[Jump]) {}
    fn clear(&mut self) {}
    fn quiet(&mut self, _: Move<B>) {}
}

/// A sink that tests whether one move is among the generated moves.
pub struct ContainsSink<B> {
    target: Move<B>,
    /// Whether the move has been received.
    pub found: bool,
}

impl<B: Bitboard> ContainsSink<B> {
    /// Create a sink that tests for a move.
    pub fn new(target: Move<B>) -> Self {
        ContainsSink { target, found: false }
    }
}

impl<B: Bitboard> MoveSink<B> for ContainsSink<B> {
    #[inline(always)]
    fn capture(&mut self, played: Move<B>, _: &[Jump]) {
        self.found |= played == self.target;
    }
    #[inline(always)]
    fn clear(&mut self) {
        self.found = false;
    }
    #[inline(always)]
    fn quiet(&mut self, played: Move<B>) {
        self.found |= played == self.target;
    }
    #[inline(always)]
    fn man_steps(&mut self, targets: B, delta: i32, far_row: B) {
        let Move { captured, from, to, crowns } = self.target;
        let is_step = captured.is_empty() && i32::from(to) - i32::from(from) == delta;
        let (to, is_crowned) = (usize::from(to), far_row.has(usize::from(to)));
        self.found |= is_step && targets.has(to) && crowns == is_crowned;
    }
    #[inline(always)]
    fn king_moves(&mut self, from: usize, targets: B) {
        let Move { captured, from: start, to, crowns } = self.target;
        self.found |= captured.is_empty() && usize::from(start) == from && targets.has(usize::from(to)) && !crowns;
    }
}

/// A sink that keeps a capture if it is generated with a given path.
pub struct PathSink<B> {
    target: Move<B>,
    landings: Vec<u16>,
    /// The capture, if it has been received with this path.
    pub found: Option<MoveWithPath<B>>,
}

impl<B: Bitboard> PathSink<B> {
    /// Create a sink for a capture along the path with these landing squares.
    pub fn new(target: Move<B>, landings: Vec<u16>) -> Self {
        PathSink { target, landings, found: None }
    }
}

impl<B: Bitboard> MoveSink<B> for PathSink<B> {
    fn capture(&mut self, played: Move<B>, jumps: &[Jump]) {
        if played == self.target && jumps.iter().map(|jump| jump.landing).eq(self.landings.iter().copied()) {
            self.found = Some(MoveWithPath { played, jumps: jumps.into() });
        }
    }
    fn clear(&mut self) {
        self.found = None;
    }
    fn quiet(&mut self, _: Move<B>) {}
}

/// A sink that counts moves (bulk counting).
#[derive(Clone, Copy, Debug, Default)]
pub struct CountSink(pub u64);

impl<B: Bitboard> MoveSink<B> for CountSink {
    #[inline(always)]
    fn counts_only(&self) -> bool {
        true
    }
    #[inline(always)]
    fn add_captures(&mut self, number: u64) {
        self.0 += number;
    }
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
