//! The capture generator: a depth-first search for captures of several pieces, jump by jump.
//!
//! The jumps that can follow depend only on the search state: the square of the piece, the captured pieces and whether
//! it has been crowned. Each state is searched once; otherwise the number of paths explodes in ordinary positions. Two
//! paths can reach the same state after three jumps at the earliest (two would require two crossing pairs of straight
//! lines), so states are recorded from the third jump on.
//!
//! The generator is compiled once per bitboard type and rule source. The side to move and the sink are run-time values,
//! because this recursion is half of the code of the crate in every combination for which it is compiled.

use super::bitboard::Bitboard;
use super::captures::{CapturePaths, ShortJumps};
use super::directions::{DIRECTIONS, Directions, back, each_direction};
use super::generator::MoveGenerator;
use super::moves::{Jump, Move, MoveSink};
use super::position::Position;
use super::precedence::{Rank, king_order};
use super::rules::{KingLanding, Promotion};
use super::specialisation::RuleSource;
use super::visited::{SearchState, VisitedStates};
use crate::side::Side;
use crate::work::{SharedMonitor, WorkCounter};

/// The number of jumps before which two paths cannot reach the same state.
const MIN_TRANSPOSITION: usize = 3;

/// Buffers that are reused between captures, so that counting moves allocates no memory.
pub struct Scratch<B> {
    /// The jumps of the path that is being searched.
    pub(super) jumps: Vec<Jump>,
    /// The states searched from one starting square.
    visited: VisitedStates<B>,
    /// The states searched so far. If the work is cancelled, the generated moves are incomplete.
    pub(super) work: WorkCounter,
}

impl<B> Scratch<B> {
    /// Create buffers for a monitor; without one, capture searches of more than a few thousand states are cancelled.
    pub(super) fn new(monitor: Option<&SharedMonitor>) -> Self {
        Scratch { jumps: Vec::new(), visited: VisitedStates::default(), work: WorkCounter::new(monitor) }
    }

    /// Return the value unless the work was cancelled.
    #[inline(always)]
    pub(super) fn complete<T>(&self, value: T) -> Option<T> {
        if self.work.is_cancelled() { None } else { Some(value) }
    }
}

/// Buffers without a monitor.
impl<B> Default for Scratch<B> {
    fn default() -> Self {
        Scratch::new(None)
    }
}

/// A search for the captures of one side.
pub(super) struct CaptureGenerator<'a, B, R, const BLACK: bool> {
    pub(super) generator: &'a MoveGenerator<B, R>,
    pub(super) paths: CapturePaths,
    /// The pieces that men can capture, and those that kings can capture.
    pub(super) victims: [B; 2],
    pub(super) kings: B,
    /// Every piece except the capturing one, whose own square counts as empty.
    pub(super) others: B,
    pub(super) from: usize,
    starts_as_king: bool,
    /// The squares from which men or short kings have at least one jump, and those from which they have two.
    one: B,
    two: B,
    /// The highest rank found so far: captures of a lower rank are dropped.
    pub(super) best: Rank<B>,
    pub(super) found: bool,
    pub(super) finished: u64,
    /// Whether the sink only counts. Captures are then counted here, without a virtual call for each.
    counts_only: bool,
    counted: u64,
    /// Whether the sink has received a capture.
    has_added: bool,
    pub(super) scratch: &'a mut Scratch<B>,
    pub(super) sink: &'a mut dyn MoveSink<B>,
}

impl<'a, B: Bitboard, R: RuleSource, const BLACK: bool> CaptureGenerator<'a, B, R, BLACK> {
    const SIDE: Side = Side::new(BLACK);

    /// Prepare a search for captures of rank `best` or higher.
    #[inline(always)]
    pub(super) fn new(
        generator: &'a MoveGenerator<B, R>,
        position: &Position<B>,
        paths: CapturePaths,
        best: Rank<B>,
        scratch: &'a mut Scratch<B>,
        sink: &'a mut dyn MoveSink<B>,
    ) -> Self {
        let side = Self::SIDE;
        CaptureGenerator {
            generator,
            paths,
            victims: [generator.man_victims(position, side), position.of(side.opponent())],
            kings: position.kings,
            others: position.occupied(),
            from: 0,
            starts_as_king: false,
            one: B::EMPTY,
            two: B::EMPTY,
            best,
            found: false,
            finished: 0,
            counts_only: sink.counts_only(),
            counted: 0,
            has_added: false,
            scratch,
            sink,
        }
    }

    /// Search from every piece that might capture.
    #[inline(always)]
    pub(super) fn run(&mut self, position: &Position<B>, by_men: &ShortJumps<B>, kings: B) {
        self.run_longer(by_men, false);
        if R::flying_kings(&self.generator.rules) {
            self.run_from(kings, true);
        } else if !kings.is_empty() {
            let directions = self.generator.king_captures(Self::SIDE);
            let by_kings = self.generator.short_jumps(position, kings, true, Self::SIDE);
            self.run_longer(&by_kings, true);
            self.add_singles(position, &by_kings, true, directions);
        }
        self.add_singles(position, by_men, false, self.generator.man_captures(Self::SIDE));
        if self.counted > 0 {
            self.sink.add_captures(self.counted);
        }
    }

    /// Add single jumps, unless longer captures have precedence.
    #[inline(always)]
    fn add_singles(&mut self, position: &Position<B>, jumps: &ShortJumps<B>, is_king: bool, directions: Directions) {
        if jumps.single.is_empty() {
            return;
        }
        self.found = true;
        if !self.generator.singles_rank_alike(position) {
            self.starts_as_king = is_king;
            for direction in (0..DIRECTIONS).filter(|direction| directions.has(*direction)) {
                self.rank_singles(jumps.jumpers[direction] & jumps.single, is_king, direction);
            }
        } else if self.admit(self.generator.precedence.rank_of_one_man(is_king)) {
            let far_row = if is_king { B::EMPTY } else { self.far_row() };
            each_direction!(R, directions, direction => {
                let from = jumps.jumpers[direction] & jumps.single;
                if self.counts_only {
                    self.counted += from.count() as u64;
                } else if !from.is_empty() {
                    self.has_added = true;
                    let delta = R::delta(&self.generator.geometry, direction);
                    self.sink.single_jumps(from.shifted(2 * delta), delta, far_row);
                }
            });
        }
    }

    /// Return whether a capture of this rank counts; drop the captures found so far if it outranks them.
    #[inline(always)]
    fn admit(&mut self, rank: Rank<B>) -> bool {
        if rank > self.best {
            self.best = rank;
            self.counted = 0;
            if self.has_added {
                self.sink.clear();
            }
        }
        rank >= self.best
    }

    /// Add the single jumps in a direction that have precedence.
    fn rank_singles(&mut self, jumpers: B, is_king: bool, direction: usize) {
        let delta = R::delta(&self.generator.geometry, direction);
        for from in jumpers.bits() {
            let (victim, to) = ((from as i32 + delta) as usize, (from as i32 + 2 * delta) as usize);
            self.from = from;
            self.scratch.jumps.push(Jump { captured: victim as u16, landing: to as u16 });
            self.finish(to, B::bit(victim), is_king);
            self.scratch.jumps.pop();
        }
    }

    /// Search the captures of men or short kings that might take more than one piece.
    #[inline(always)]
    fn run_longer(&mut self, jumps: &ShortJumps<B>, is_king: bool) {
        (self.one, self.two) = (jumps.one, jumps.two);
        self.run_from(jumps.longer, is_king);
    }

    /// Search jump by jump from each of the pieces.
    fn run_from(&mut self, pieces: B, is_king: bool) {
        let occupied = self.others;
        self.starts_as_king = is_king;
        for from in pieces.bits() {
            self.from = from;
            self.others = occupied & !B::bit(from);
            self.scratch.visited.clear();
            self.found |= match self.graph(is_king) {
                Some(graph) => self.search_graph(graph),
                None => self.search_jumps(from, B::EMPTY, is_king, Directions::ALL),
            };
        }
        self.others = occupied;
    }

    /// Follow every jump from a square in the allowed directions, and return whether there was one.
    fn search_jumps(&mut self, at: usize, captured: B, is_king: bool, allowed: Directions) -> bool {
        if !is_king {
            self.short_jumps(at, captured, false, self.generator.man_captures(Self::SIDE))
        } else if R::flying_kings(&self.generator.rules) {
            self.flying_jumps(at, captured, allowed)
        } else {
            self.short_jumps(at, captured, true, self.generator.king_captures(Self::SIDE))
        }
    }

    /// Follow the jumps of a man or a short king.
    #[inline(always)]
    fn short_jumps(&mut self, at: usize, captured: B, is_king: bool, directions: Directions) -> bool {
        let victims = self.victims[usize::from(is_king)] & !captured;
        let open = self.generator.geometry.board & !self.blockers(captured);
        let mut has_jump = false;
        each_direction!(R, directions, direction => {
            let delta = R::delta(&self.generator.geometry, direction);
            let victim = B::bit(at).shifted(delta) & victims;
            let landing = victim.shifted(delta) & open;
            if !landing.is_empty() {
                has_jump = true;
                let landing = landing.lowest();
                self.scratch.jumps.push(Jump { captured: victim.lowest() as u16, landing: landing as u16 });
                self.land(landing, direction, captured | victim, is_king);
                self.scratch.jumps.pop();
            }
        });
        has_jump
    }

    /// Continue or finish the capture after a jump of a man or a short king.
    #[inline(always)]
    fn land(&mut self, at: usize, direction: usize, captured: B, is_king: bool) {
        let mut is_king = is_king;
        if !is_king && self.far_row().has(at) {
            match self.generator.rules.promotion {
                Promotion::AtEnd => {}
                Promotion::Stops => return self.finish(at, captured, is_king),
                Promotion::InFlight => is_king = true,
            }
        }
        let has_jump = if is_king && R::flying_kings(&self.generator.rules) {
            let ahead = self.directions_after(direction);
            let searched = self.search_once(at, captured, true, direction, ahead);
            // A king that was just crowned may stop where another path had to continue.
            searched.unwrap_or_else(|| self.has_flying_jump(at, captured, ahead))
        } else {
            !self.is_stuck(at, direction, is_king)
                && self.search_once(at, captured, is_king, direction, Directions::ALL).unwrap_or(true)
        };
        if !has_jump {
            self.finish(at, captured, is_king);
        }
    }

    /// Return whether a man or a short king that jumped in a direction certainly has no further jump; see `ShortJumps`.
    #[inline(always)]
    fn is_stuck(&self, at: usize, direction: usize, is_king: bool) -> bool {
        let directions =
            if is_king { self.generator.king_captures(Self::SIDE) } else { self.generator.man_captures(Self::SIDE) };
        let jumps = if directions.has(back(direction)) { self.two } else { self.one };
        is_king == self.starts_as_king && !jumps.has(at)
    }

    /// Follow the jumps of a flying king.
    fn flying_jumps(&mut self, at: usize, captured: B, allowed: Directions) -> bool {
        let directions = self.generator.king_captures(Self::SIDE);
        let mut has_jump = false;
        each_direction!(R, directions, direction => {
            if allowed.has(direction)
                && let Some((victim, landings)) = self.flying_jump(at, direction, captured)
            {
                has_jump = true;
                self.land_flying(victim, direction, landings, captured | B::bit(victim));
            }
        });
        has_jump
    }

    /// Return the first piece in a direction, if a flying king can capture it, and the squares behind it.
    #[inline(always)]
    pub(super) fn flying_jump(&self, at: usize, direction: usize, captured: B) -> Option<(usize, B)> {
        let blockers = self.blockers(captured);
        let victim = self.generator.nearest(self.generator.geometry.rays[at][direction] & blockers, direction)?;
        if !(self.victims[1] & !captured).has(victim) {
            return None;
        }
        let landings = self.generator.free_run(victim, direction, blockers);
        if landings.is_empty() { None } else { Some((victim, landings)) }
    }

    /// Continue after a flying king's jump over `victim` from every allowed landing square, or finish there.
    fn land_flying(&mut self, victim: usize, direction: usize, landings: B, captured: B) {
        let near = self.generator.nearest(landings, direction).expect("a jump has a landing square");
        let behind = B::bit(near);
        // Straight ahead and straight back the king meets the same pieces from every landing square. The nearest one is
        // enough, unless every path counts.
        let ahead = self.directions_after(direction);
        let aside = match self.paths {
            CapturePaths::All => ahead,
            CapturePaths::Distinct => Directions(ahead.0 & !(1 << direction | 1 << back(direction))),
        };
        let stops = self.stops(behind, landings);
        self.scratch.jumps.push(Jump { captured: victim as u16, landing: near as u16 });
        let mut has_jump = false;
        for (squares, allowed) in [(behind, ahead), (stops & !behind, aside)] {
            for landing in squares.bits() {
                self.set_landing(landing);
                let searched = self.search_once(landing, captured, true, direction, allowed);
                has_jump |= searched.unwrap_or_else(|| self.has_flying_jump(landing, captured, allowed));
            }
        }
        if !has_jump {
            self.finish_flying(victim, behind, landings, captured);
        }
        self.scratch.jumps.pop();
    }

    /// Return the directions that a flying king can take after a jump.
    #[inline(always)]
    pub(super) fn directions_after(&self, direction: usize) -> Directions {
        if self.generator.rules.reverse_captures { Directions::ALL } else { Directions(!(1 << back(direction))) }
    }

    /// Return the squares where a flying king can land if it continues.
    #[inline(always)]
    pub(super) fn stops(&self, behind: B, landings: B) -> B {
        if self.generator.rules.king_landing == KingLanding::BehindEach { behind } else { landings }
    }

    /// Finish the captures that end behind `victim`: on the square just behind it or on any of its landing squares.
    pub(super) fn finish_flying(&mut self, victim: usize, behind: B, landings: B, captured: B) {
        let ends = match self.generator.rules.king_landing {
            KingLanding::Any => landings,
            KingLanding::BehindLastKing if !self.kings.has(victim) => landings,
            _ => behind,
        };
        if self.rank(captured) < self.best {
            return;
        }
        for landing in ends.bits() {
            self.set_landing(landing);
            self.finish(landing, captured, true);
        }
    }

    /// Change the landing square of the last jump.
    #[inline(always)]
    pub(super) fn set_landing(&mut self, landing: usize) {
        self.scratch.jumps.last_mut().expect("there was a jump").landing = landing as u16;
    }

    /// Return whether a flying king has a jump.
    fn has_flying_jump(&self, at: usize, captured: B, allowed: Directions) -> bool {
        let directions = self.generator.king_captures(Self::SIDE);
        (0..DIRECTIONS)
            .filter(|direction| directions.has(*direction) && allowed.has(*direction))
            .any(|direction| self.flying_jump(at, direction, captured).is_some())
    }

    /// Run `search_jumps` unless the state has been searched before; return None in that case.
    #[inline(always)]
    fn search_once(
        &mut self,
        at: usize,
        captured: B,
        is_king: bool,
        direction: usize,
        allowed: Directions,
    ) -> Option<bool> {
        if self.scratch.jumps.len() < MIN_TRANSPOSITION {
            return Some(self.search_jumps(at, captured, is_king, allowed));
        }
        if !self.scratch.work.add(1) {
            return Some(true);
        }
        let rules = &self.generator.rules;
        // Captured pieces that stay on the board prevent a king from turning back. If they are removed, the last
        // direction must.
        let direction_matters = is_king && rules.removal_at_once && !rules.reverse_captures;
        let state = self.state(at, captured, is_king, if direction_matters { direction } else { DIRECTIONS }, false);
        match self.paths {
            CapturePaths::Distinct => {
                self.insert_visited(state).then(|| self.search_jumps(at, captured, is_king, allowed))
            }
            CapturePaths::All if self.scratch.visited.has(&state) => None,
            CapturePaths::All => {
                let finished = self.finished;
                let has_jump = self.search_jumps(at, captured, is_king, allowed);
                // If every path counts, only a state without captures need not be searched again.
                if has_jump && self.finished == finished {
                    self.insert_visited(state);
                }
                Some(has_jump)
            }
        }
    }

    /// Insert a visited state, and return whether it is new. Cancel the search if an allocation fails.
    #[inline(always)]
    fn insert_visited(&mut self, state: SearchState<B>) -> bool {
        self.scratch.visited.insert(state).unwrap_or_else(|_| {
            self.scratch.work.fail_allocation();
            false
        })
    }

    fn state(&self, at: usize, captured: B, is_king: bool, direction: usize, finished: bool) -> SearchState<B> {
        let order = if self.generator.precedence.depends_on_order() {
            king_order(self.kings, &self.scratch.jumps)
        } else {
            B::EMPTY
        };
        SearchState { captured, order, at: at as u16, is_king, direction: direction as u8, finished }
    }

    #[inline(always)]
    fn far_row(&self) -> B {
        self.generator.geometry.far_rows[Self::SIDE.index()]
    }

    /// Return the pieces that block the king.
    #[inline(always)]
    pub(super) fn blockers(&self, captured: B) -> B {
        if self.generator.rules.removal_at_once { self.others & !captured } else { self.others }
    }

    /// Return the rank of the jumps so far.
    #[inline(always)]
    pub(super) fn rank(&self, captured: B) -> Rank<B> {
        self.generator.precedence.rank(captured, self.kings, self.starts_as_king, &self.scratch.jumps)
    }

    /// Add a capture that has no further jump, unless another one outranks it.
    #[inline(always)]
    pub(super) fn finish(&mut self, at: usize, captured: B, is_king: bool) {
        let rank = self.rank(captured);
        if rank < self.best {
            return;
        }
        if self.paths == CapturePaths::Distinct && self.scratch.jumps.len() >= MIN_TRANSPOSITION {
            let state = self.state(at, captured, is_king, DIRECTIONS, true);
            if !self.insert_visited(state) {
                return;
            }
        }
        self.admit(rank);
        self.finished += 1;
        if self.counts_only {
            self.counted += 1;
            return;
        }
        self.has_added = true;
        let crowns = !self.starts_as_king && (is_king || self.far_row().has(at));
        let played = Move { captured, from: self.from as u16, to: at as u16, crowns };
        self.sink.capture(played, &self.scratch.jumps);
    }
}
