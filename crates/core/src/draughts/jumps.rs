//! The search for captures, jump by jump.
//!
//! What can follow depends only on where the piece stands, what it has captured and whether it has been crowned: a state.
//! A state that was searched before gives nothing new, so each is searched once; without that the number of ways explodes
//! on positions that look harmless. Two ways can meet in a state after three jumps at the earliest (before, two crossing
//! pairs of straight lines would be needed), so states are kept from there on.

use super::captures::{ShortJumps, Ways};
use super::directions::{DIRECTIONS, Directions, back, each_direction};
use super::features::Features;
use super::mover::Mover;
use super::moves::{Jump, Move, Sink};
use super::position::Position;
use super::precedence::{Rank, king_order};
use super::rules::Promotion;
use super::squares::SquareSet;
use super::states::{State, States};
use crate::side::Side;

/// The number of jumps before which two ways cannot meet.
const FIRST_MEETING: usize = 3;

/// Memory that searches share, so that counting allocates nothing.
pub struct Scratch<S> {
    pub(super) jumps: Vec<Jump>,
    /// The states searched for one start.
    states: States<S>,
}

impl<S> Default for Scratch<S> {
    fn default() -> Self {
        Scratch { jumps: Vec::new(), states: States::default() }
    }
}

/// The search for the captures of one side.
pub(super) struct Search<'a, S, F, K> {
    pub(super) mover: &'a Mover<S, F>,
    pub(super) ways: Ways,
    /// Pieces that men may capture, and pieces that kings may.
    pub(super) victims: [S; 2],
    pub(super) kings: S,
    /// Every piece but the one that captures: its own square counts as empty.
    pub(super) others: S,
    pub(super) from: usize,
    starts_as_king: bool,
    /// Squares from which men or short kings have at least one jump, and those from which they have two.
    one: S,
    two: S,
    pub(super) best: Rank<S>,
    pub(super) found: bool,
    pub(super) finished: u64,
    pub(super) scratch: &'a mut Scratch<S>,
    pub(super) sink: &'a mut K,
}

impl<'a, S: SquareSet, F: Features, K: Sink<S>> Search<'a, S, F, K> {
    /// A search that takes captures of rank `best` or more.
    #[inline(always)]
    pub(super) fn new<const BLACK: bool>(
        mover: &'a Mover<S, F>,
        position: &Position<S>,
        ways: Ways,
        best: Rank<S>,
        scratch: &'a mut Scratch<S>,
        sink: &'a mut K,
    ) -> Self {
        let side = Side::new(BLACK);
        Search {
            mover,
            ways,
            victims: [mover.man_victims(position, side), position.of(side.opponent())],
            kings: position.kings,
            others: position.occupied(),
            from: 0,
            starts_as_king: false,
            one: S::EMPTY,
            two: S::EMPTY,
            best,
            found: false,
            finished: 0,
            scratch,
            sink,
        }
    }

    /// Searches from every piece that may capture.
    #[inline(always)]
    pub(super) fn run<const BLACK: bool>(&mut self, position: &Position<S>, by_men: &ShortJumps<S>, kings: S) {
        let side = Side::new(BLACK);
        self.run_longer::<BLACK>(by_men, false);
        if F::flying_kings(&self.mover.rules) {
            self.run_from::<BLACK>(kings, true);
        } else if !kings.is_empty() {
            let directions = self.mover.king_captures(side);
            let by_kings = self.mover.short_jumps::<BLACK>(position, kings, true, directions);
            self.run_longer::<BLACK>(&by_kings, true);
            self.add_singles::<BLACK>(position, &by_kings, true, directions);
        }
        self.add_singles::<BLACK>(position, by_men, false, self.mover.man_captures(side));
    }

    /// Adds single jumps, unless longer captures have precedence.
    #[inline(always)]
    fn add_singles<const BLACK: bool>(
        &mut self,
        position: &Position<S>,
        jumps: &ShortJumps<S>,
        is_king: bool,
        directions: Directions,
    ) {
        if jumps.single.is_empty() {
            return;
        }
        self.found = true;
        if !self.mover.singles_rank_alike(position) {
            self.starts_as_king = is_king;
            for direction in (0..DIRECTIONS).filter(|direction| directions.has(*direction)) {
                self.rank_singles::<BLACK>(jumps.jumpers[direction] & jumps.single, is_king, direction);
            }
        } else if self.admit(self.mover.precedence.rank_of_one_man(is_king)) {
            let far_row = if is_king { S::EMPTY } else { self.mover.geometry.far_rows[usize::from(BLACK)] };
            jumps.add_singles(self.mover, directions, far_row, self.sink);
        }
    }

    /// Whether a capture of this rank counts; captures of lower rank are forgotten.
    #[inline(always)]
    fn admit(&mut self, rank: Rank<S>) -> bool {
        if rank > self.best {
            self.best = rank;
            self.sink.clear();
        }
        rank >= self.best
    }

    /// Adds those single jumps in a direction that have precedence.
    fn rank_singles<const BLACK: bool>(&mut self, jumpers: S, is_king: bool, direction: usize) {
        let delta = F::delta(&self.mover.geometry, direction);
        for from in jumpers.bits() {
            let (victim, to) = ((from as i32 + delta) as usize, (from as i32 + 2 * delta) as usize);
            self.from = from;
            self.scratch.jumps.push(Jump { captured: victim as u16, landing: to as u16 });
            self.finish::<BLACK>(to, S::bit(victim), is_king);
            self.scratch.jumps.pop();
        }
    }

    /// Searches the captures of men or short kings that may take more than one piece.
    #[inline(always)]
    fn run_longer<const BLACK: bool>(&mut self, jumps: &ShortJumps<S>, is_king: bool) {
        (self.one, self.two) = (jumps.one, jumps.two);
        self.run_from::<BLACK>(jumps.longer, is_king);
    }

    /// Searches jump by jump from every one of the pieces.
    fn run_from<const BLACK: bool>(&mut self, pieces: S, is_king: bool) {
        let occupied = self.others;
        self.starts_as_king = is_king;
        for from in pieces.bits() {
            self.from = from;
            self.others = occupied & !S::bit(from);
            self.scratch.states.clear();
            self.found |= match self.chart::<BLACK>(is_king) {
                Some(chart) => self.follow_chart::<BLACK>(chart),
                None => self.go_on::<BLACK>(from, S::EMPTY, is_king, Directions::ALL),
            };
        }
        self.others = occupied;
    }

    /// Follows every jump from a square in the directions that are not forbidden, and tells whether there was one.
    fn go_on<const BLACK: bool>(&mut self, at: usize, captured: S, is_king: bool, allowed: Directions) -> bool {
        let side = Side::new(BLACK);
        if !is_king {
            self.leap::<BLACK>(at, captured, false, self.mover.man_captures(side))
        } else if F::flying_kings(&self.mover.rules) {
            self.fly::<BLACK>(at, captured, allowed)
        } else {
            self.leap::<BLACK>(at, captured, true, self.mover.king_captures(side))
        }
    }

    /// The jumps of a man or a short king.
    #[inline(always)]
    fn leap<const BLACK: bool>(&mut self, at: usize, captured: S, is_king: bool, directions: Directions) -> bool {
        let victims = self.victims[usize::from(is_king)] & !captured;
        let open = self.mover.geometry.board & !self.blockers(captured);
        let mut went_on = false;
        each_direction!(directions, DIRECTION => {
            let delta = F::delta(&self.mover.geometry, DIRECTION);
            let victim = S::bit(at).shifted(delta) & victims;
            let landing = victim.shifted(delta) & open;
            if !landing.is_empty() {
                went_on = true;
                let landing = landing.lowest();
                self.scratch.jumps.push(Jump { captured: victim.lowest() as u16, landing: landing as u16 });
                self.land::<BLACK>(landing, DIRECTION, captured | victim, is_king);
                self.scratch.jumps.pop();
            }
        });
        went_on
    }

    /// What follows a jump of a man or a short king.
    #[inline(always)]
    fn land<const BLACK: bool>(&mut self, at: usize, direction: usize, captured: S, is_king: bool) {
        let mut is_king = is_king;
        if !is_king && self.mover.geometry.far_rows[usize::from(BLACK)].has(at) {
            match self.mover.rules.promotion {
                Promotion::AtEnd => {}
                Promotion::Stops => return self.finish::<BLACK>(at, captured, is_king),
                Promotion::InFlight => is_king = true,
            }
        }
        let went_on = if is_king && F::flying_kings(&self.mover.rules) {
            let ahead = self.ahead(direction);
            let searched = self.go_on_once::<BLACK>(at, captured, true, direction, ahead);
            // A king just crowned may end where another way had to fly on.
            searched.unwrap_or_else(|| self.can_fly_on::<BLACK>(at, captured, ahead))
        } else {
            !self.is_stuck::<BLACK>(at, direction, is_king)
                && self.go_on_once::<BLACK>(at, captured, is_king, direction, Directions::ALL).unwrap_or(true)
        };
        if !went_on {
            self.finish::<BLACK>(at, captured, is_king);
        }
    }

    /// Whether a man or a short king that has come in a direction certainly has no jump: see `ShortJumps`.
    #[inline(always)]
    fn is_stuck<const BLACK: bool>(&self, at: usize, direction: usize, is_king: bool) -> bool {
        let side = Side::new(BLACK);
        let directions = if is_king { self.mover.king_captures(side) } else { self.mover.man_captures(side) };
        let jumps = if directions.has(back(direction)) { self.two } else { self.one };
        is_king == self.starts_as_king && !jumps.has(at)
    }

    /// `go_on`, but a state that was searched before is not searched again: None then.
    #[inline(always)]
    pub(super) fn go_on_once<const BLACK: bool>(
        &mut self,
        at: usize,
        captured: S,
        is_king: bool,
        direction: usize,
        allowed: Directions,
    ) -> Option<bool> {
        if self.scratch.jumps.len() < FIRST_MEETING {
            return Some(self.go_on::<BLACK>(at, captured, is_king, allowed));
        }
        if !self.sink.goes_on() {
            return Some(true);
        }
        let rules = &self.mover.rules;
        // Captured pieces that stay on the board stop a king from turning back; without them the last direction must.
        let direction_matters = is_king && rules.removal_at_once && !rules.reverse_captures;
        let state = self.state(at, captured, is_king, if direction_matters { direction } else { DIRECTIONS }, false);
        match self.ways {
            Ways::Distinct => {
                self.scratch.states.insert(state).then(|| self.go_on::<BLACK>(at, captured, is_king, allowed))
            }
            Ways::All if self.scratch.states.has(&state) => None,
            Ways::All => {
                let finished = self.finished;
                let went_on = self.go_on::<BLACK>(at, captured, is_king, allowed);
                // When every way counts, only a state that leads to nothing is not worth a second search.
                if went_on && self.finished == finished {
                    self.scratch.states.insert(state);
                }
                Some(went_on)
            }
        }
    }

    fn state(&self, at: usize, captured: S, is_king: bool, direction: usize, finished: bool) -> State<S> {
        let order =
            if self.mover.precedence.looks_at_order() { king_order(self.kings, &self.scratch.jumps) } else { S::EMPTY };
        State { captured, order, at: at as u16, is_king, direction: direction as u8, finished }
    }

    /// The pieces in the way.
    #[inline(always)]
    pub(super) fn blockers(&self, captured: S) -> S {
        if self.mover.rules.removal_at_once { self.others & !captured } else { self.others }
    }

    /// How high the jumps so far rank.
    #[inline(always)]
    pub(super) fn rank(&self, captured: S) -> Rank<S> {
        self.mover.precedence.rank(captured, self.kings, self.starts_as_king, &self.scratch.jumps)
    }

    /// A capture that cannot go on: it counts if none found so far ranks above it.
    #[inline(always)]
    pub(super) fn finish<const BLACK: bool>(&mut self, at: usize, captured: S, is_king: bool) {
        let rank = self.rank(captured);
        if rank < self.best {
            return;
        }
        if self.ways == Ways::Distinct && self.scratch.jumps.len() >= FIRST_MEETING {
            let state = self.state(at, captured, is_king, DIRECTIONS, true);
            if !self.scratch.states.insert(state) {
                return;
            }
        }
        self.admit(rank);
        self.finished += 1;
        let on_far_row = self.mover.geometry.far_rows[usize::from(BLACK)].has(at);
        let crowns = !self.starts_as_king && (is_king || on_far_row);
        let played = Move { captured, from: self.from as u16, to: at as u16, crowns };
        self.sink.capture(played, &self.scratch.jumps);
    }
}
