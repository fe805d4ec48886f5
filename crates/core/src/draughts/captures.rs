//! Captures: every jump of every piece to its end, precedence, and no move twice.
//!
//! A capture is searched jump by jump. What can follow depends only on where the piece stands, what it has captured and
//! whether it has been crowned: a state. A state that was searched before gives nothing new, so each is searched once;
//! without that the number of ways explodes on positions that look harmless. Two ways can meet in a state after three
//! jumps at the earliest (two crossing pairs of straight lines would be needed before), so states are kept from there on.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use super::features::Features;
use super::moves::{Count, Jump, Move, Sink};
use super::mover::Mover;
use super::position::Position;
use super::precedence::{Rank, king_order};
use super::rules::{DIRECTIONS, Directions, KingLanding, Promotion};
use super::squares::SquareSet;
use crate::random::scramble;
use crate::side::Side;

/// Which captures to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// One for all ways with the same start, end, captured pieces and crowning.
    Distinct,
    /// Every way, with every landing square told apart.
    All,
}

/// The number of jumps before which two ways cannot meet.
const FIRST_MEETING: usize = 3;

/// A point of the search from which everything that follows is the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State<S> {
    captured: S,
    /// The order in which kings were taken, where it matters.
    order: S,
    at: u16,
    is_king: bool,
    /// The last direction, where it forbids one.
    direction: u8,
    /// Whether this is a finished capture rather than a point to go on from.
    finished: bool,
}

/// Memory that searches share, so that counting allocates nothing.
pub struct Scratch<S> {
    jumps: Vec<Jump>,
    /// The states searched for one start.
    states: HashSet<State<S>, BuildHasherDefault<StateHasher>>,
}

impl<S> Default for Scratch<S> {
    fn default() -> Self {
        Scratch { jumps: Vec::new(), states: HashSet::default() }
    }
}

/// A quick hasher: states are made of whole words.
#[derive(Default)]
pub struct StateHasher(u64);

impl Hasher for StateHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u8(&mut self, word: u8) {
        self.write_u64(u64::from(word));
    }
    fn write_u16(&mut self, word: u16) {
        self.write_u64(u64::from(word));
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = scramble(self.0.rotate_left(5) ^ word);
    }
}

/// The opposite direction.
const fn back(direction: usize) -> usize {
    (direction + DIRECTIONS / 2) % DIRECTIONS
}

/// The search for the captures of one side.
struct Search<'a, S, F, K> {
    mover: &'a Mover<S, F>,
    ways: Ways,
    /// Pieces that men may capture, and pieces that kings may.
    victims: [S; 2],
    kings: S,
    /// Every piece but the one that captures: its own square counts as empty.
    others: S,
    from: usize,
    starts_as_king: bool,
    best: Rank<S>,
    found: bool,
    finished: u64,
    scratch: &'a mut Scratch<S>,
    sink: &'a mut K,
}

impl<S: SquareSet, F: Features> Mover<S, F> {
    /// Puts the captures that the rules allow into `sink`, and tells whether there are any.
    #[inline(always)]
    pub(super) fn captures<const BLACK: bool, K: Sink<S>>(
        &self,
        position: &Position<S>,
        ways: Ways,
        scratch: &mut Scratch<S>,
        sink: &mut K,
    ) -> bool {
        let side = if BLACK { Side::Black } else { Side::White };
        let other = position.of(side.opponent());
        let king_victims = other;
        let man_victims = if self.rules.men_capture_kings { other } else { other & !position.kings };
        let empty = self.geometry.board & !position.occupied();
        let men = self.jumpers(position.men(side), man_victims, empty, F::man_captures(&self.rules).of(side));
        let mut kings = position.of(side) & position.kings;
        if !F::flying_kings(&self.rules) && !kings.is_empty() {
            kings = self.jumpers(kings, king_victims, empty, F::king_captures(&self.rules).of(side));
        }
        if (men | kings).is_empty() {
            return false;
        }
        self.search_captures::<BLACK, K>(position, [man_victims, king_victims], [men, kings], ways, scratch, sink)
    }

    /// Those of the pieces that stand before a victim with an empty square behind it.
    #[inline(always)]
    fn jumpers(&self, pieces: S, victims: S, empty: S, directions: Directions) -> S {
        let mut jumpers = S::EMPTY;
        for direction in 0..DIRECTIONS {
            if directions.has(direction) {
                let delta = F::delta(&self.geometry, direction);
                jumpers |= pieces & (victims & empty.shifted(-delta)).shifted(-delta);
            }
        }
        jumpers
    }

    fn search_captures<const BLACK: bool, K: Sink<S>>(
        &self,
        position: &Position<S>,
        victims: [S; 2],
        starts: [S; 2],
        ways: Ways,
        scratch: &mut Scratch<S>,
        sink: &mut K,
    ) -> bool {
        let mut best = Rank::LOWEST;
        if ways == Ways::All {
            // The best rank first, so that no way is followed that cannot reach it.
            let mut count = Count::default();
            let mut search = self.search(position, victims, Ways::Distinct, best, scratch, &mut count);
            search.run::<BLACK>(starts);
            best = search.best;
        }
        let mut search = self.search(position, victims, ways, best, scratch, sink);
        search.run::<BLACK>(starts);
        search.found
    }

    fn search<'a, K>(
        &'a self,
        position: &Position<S>,
        victims: [S; 2],
        ways: Ways,
        best: Rank<S>,
        scratch: &'a mut Scratch<S>,
        sink: &'a mut K,
    ) -> Search<'a, S, F, K> {
        Search {
            mover: self,
            ways,
            victims,
            kings: position.kings,
            others: position.occupied(),
            from: 0,
            starts_as_king: false,
            best,
            found: false,
            finished: 0,
            scratch,
            sink,
        }
    }
}

impl<S: SquareSet, F: Features, K: Sink<S>> Search<'_, S, F, K> {
    /// Searches from every man and every king that may capture.
    fn run<const BLACK: bool>(&mut self, [men, kings]: [S; 2]) {
        let occupied = self.others;
        for (starts, is_king) in [(men, false), (kings, true)] {
            for from in starts.bits() {
                self.from = from;
                self.others = occupied & !S::bit(from);
                self.starts_as_king = is_king;
                if !self.scratch.states.is_empty() {
                    self.scratch.states.clear();
                }
                self.go_on::<BLACK>(from, S::EMPTY, is_king, Directions::ALL);
            }
        }
    }

    /// Follows every jump from a square in the directions that are not forbidden, and tells whether there was one.
    fn go_on<const BLACK: bool>(&mut self, at: usize, captured: S, is_king: bool, allowed: Directions) -> bool {
        let directions = self.directions::<BLACK>(is_king);
        if is_king && F::flying_kings(&self.mover.rules) {
            self.fly::<BLACK>(at, captured, Directions(directions.0 & allowed.0))
        } else {
            self.leap::<BLACK>(at, captured, is_king, directions)
        }
    }

    /// Where the piece captures.
    #[inline(always)]
    fn directions<const BLACK: bool>(&self, is_king: bool) -> Directions {
        let side = if BLACK { Side::Black } else { Side::White };
        let rules = &self.mover.rules;
        if is_king { F::king_captures(rules).of(side) } else { F::man_captures(rules).of(side) }
    }

    /// The jumps of a man or a short king.
    #[inline(always)]
    fn leap<const BLACK: bool>(&mut self, at: usize, captured: S, is_king: bool, directions: Directions) -> bool {
        let mut went_on = false;
        for direction in 0..DIRECTIONS {
            if directions.has(direction)
                && let Some((victim, landing)) = self.leap_over(at, direction, captured, is_king)
            {
                went_on = true;
                self.scratch.jumps.push(Jump { captured: victim as u16, landing: landing as u16 });
                self.land::<BLACK>(landing, direction, captured | S::bit(victim), is_king);
                self.scratch.jumps.pop();
            }
        }
        went_on
    }

    /// The neighbour to jump over and the square behind it.
    #[inline(always)]
    fn leap_over(&self, at: usize, direction: usize, captured: S, is_king: bool) -> Option<(usize, usize)> {
        let delta = F::delta(&self.mover.geometry, direction);
        let victim = S::bit(at).shifted(delta) & self.victims[usize::from(is_king)] & !captured;
        let landing = victim.shifted(delta) & self.mover.geometry.board & !self.blockers(captured);
        if landing.is_empty() { None } else { Some((victim.lowest(), landing.lowest())) }
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
        if !self.go_on_once::<BLACK>(at, captured, is_king, direction, self.ahead(direction)) {
            self.finish::<BLACK>(at, captured, is_king);
        }
    }

    /// The directions that a flying king may take after a jump.
    #[inline(always)]
    fn ahead(&self, direction: usize) -> Directions {
        if self.mover.rules.reverse_captures { Directions::ALL } else { Directions(!(1 << back(direction))) }
    }

    /// The jumps of a flying king.
    fn fly<const BLACK: bool>(&mut self, at: usize, captured: S, directions: Directions) -> bool {
        let mut went_on = false;
        for direction in 0..DIRECTIONS {
            if directions.has(direction)
                && let Some((victim, landings)) = self.fly_over(at, direction, captured)
            {
                went_on = true;
                self.alight::<BLACK>(victim, direction, landings, captured | S::bit(victim));
            }
        }
        went_on
    }

    /// The first piece on the way, if it can be captured, and the squares behind it.
    #[inline(always)]
    fn fly_over(&self, at: usize, direction: usize, captured: S) -> Option<(usize, S)> {
        let blockers = self.blockers(captured);
        let victim = self.mover.nearest(self.mover.geometry.rays[at][direction] & blockers, direction)?;
        if !(self.victims[1] & !captured).has(victim) {
            return None;
        }
        let landings = self.mover.free_run(victim, direction, blockers);
        if landings.is_empty() { None } else { Some((victim, landings)) }
    }

    /// What follows a flying king's jump over `victim`: on from wherever that is possible, or the end.
    fn alight<const BLACK: bool>(&mut self, victim: usize, direction: usize, landings: S, captured: S) {
        let landing_rule = self.mover.rules.king_landing;
        let near = self.mover.nearest(landings, direction).expect("a jump has a landing square");
        let behind = S::bit(near);
        // Straight on and straight back the same pieces are met from every landing square: the nearest will do,
        // unless every way counts.
        let ahead = self.ahead(direction);
        let aside = match self.ways {
            Ways::All => ahead,
            Ways::Distinct => Directions(ahead.0 & !(1 << direction | 1 << back(direction))),
        };
        let stops = if landing_rule == KingLanding::BehindEach { behind } else { landings };
        let depth = self.scratch.jumps.len();
        self.scratch.jumps.push(Jump { captured: victim as u16, landing: near as u16 });
        let mut went_on = self.go_on_once::<BLACK>(near, captured, true, direction, ahead);
        for landing in (stops & !behind).bits() {
            self.scratch.jumps[depth].landing = landing as u16;
            went_on |= self.go_on_once::<BLACK>(landing, captured, true, direction, aside);
        }
        if !went_on {
            let ends = match landing_rule {
                KingLanding::Any => landings,
                KingLanding::BehindLastKing if !self.kings.has(victim) => landings,
                _ => behind,
            };
            for landing in ends.bits() {
                self.scratch.jumps[depth].landing = landing as u16;
                self.finish::<BLACK>(landing, captured, true);
            }
        }
        self.scratch.jumps.pop();
    }

    /// `go_on`, but a state that was searched before is not searched again.
    #[inline(always)]
    fn go_on_once<const BLACK: bool>(
        &mut self,
        at: usize,
        captured: S,
        is_king: bool,
        direction: usize,
        allowed: Directions,
    ) -> bool {
        if self.scratch.jumps.len() < FIRST_MEETING {
            return self.go_on::<BLACK>(at, captured, is_king, allowed);
        }
        let rules = &self.mover.rules;
        // Captured pieces that stay on the board stop a king from turning back; without them the last direction must.
        let direction_matters = is_king && rules.removal_at_once && !rules.reverse_captures;
        let state = self.state(at, captured, is_king, if direction_matters { direction } else { DIRECTIONS }, false);
        if self.scratch.states.contains(&state) {
            return self.can_go_on::<BLACK>(at, captured, is_king, allowed);
        }
        let finished = self.finished;
        let went_on = self.go_on::<BLACK>(at, captured, is_king, allowed);
        // When every way counts, only a state from which nothing was found is not worth a second search.
        if self.ways == Ways::Distinct || went_on && self.finished == finished {
            self.scratch.states.insert(state);
        }
        went_on
    }

    /// Whether `go_on` would find a jump.
    fn can_go_on<const BLACK: bool>(&self, at: usize, captured: S, is_king: bool, allowed: Directions) -> bool {
        let directions = self.directions::<BLACK>(is_king);
        (0..DIRECTIONS).filter(|direction| directions.has(*direction)).any(|direction| {
            if is_king && F::flying_kings(&self.mover.rules) {
                allowed.has(direction) && self.fly_over(at, direction, captured).is_some()
            } else {
                self.leap_over(at, direction, captured, is_king).is_some()
            }
        })
    }

    fn state(&self, at: usize, captured: S, is_king: bool, direction: usize, finished: bool) -> State<S> {
        let order = if self.mover.precedence.looks_at_order() {
            king_order(self.kings, &self.scratch.jumps)
        } else {
            S::EMPTY
        };
        State { captured, order, at: at as u16, is_king, direction: direction as u8, finished }
    }

    /// The pieces in the way.
    #[inline(always)]
    fn blockers(&self, captured: S) -> S {
        if self.mover.rules.removal_at_once { self.others & !captured } else { self.others }
    }

    /// A capture that cannot go on: it counts if none found so far ranks above it.
    #[inline(always)]
    fn finish<const BLACK: bool>(&mut self, at: usize, captured: S, is_king: bool) {
        self.found = true;
        let jumps = &self.scratch.jumps;
        let rank = self.mover.precedence.rank(captured, self.kings, self.starts_as_king, jumps);
        if rank < self.best {
            return;
        }
        if self.ways == Ways::Distinct && jumps.len() >= FIRST_MEETING {
            let state = self.state(at, captured, is_king, DIRECTIONS, true);
            if !self.scratch.states.insert(state) {
                return;
            }
        }
        if rank > self.best {
            self.best = rank;
            self.sink.clear();
        }
        self.finished += 1;
        let on_far_row = self.mover.geometry.far_rows[usize::from(BLACK)].has(at);
        let crowns = !self.starts_as_king && (is_king || on_far_row);
        let played = Move { captured, from: self.from as u16, to: at as u16, crowns };
        self.sink.capture(played, &self.scratch.jumps);
    }
}
