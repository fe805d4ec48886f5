//! Captures of a flying king among many pieces, on a chart of its flights.
//!
//! While captured pieces stay on the board, what a king meets from a square never changes during a capture; only, no
//! piece is jumped twice. So a capture is a way through a fixed chart: its points are the flights over a piece in a
//! direction, each with the flights that can follow. On a crowded board there are hundreds of thousands of ways between
//! few flights, and following them on the chart is many times quicker than looking along the lines again and again.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::captures::Ways;
use super::directions::{DIRECTIONS, Directions};
use super::features::Features;
use super::capture_generator::CaptureGenerator;
use super::moves::Jump;
use super::squares::SquareSet;
use super::visited::StateHasher;
use crate::side::Side;

/// How many pieces must be open to capture before a chart is worth drawing.
const CROWD: usize = 10;

/// How many pieces a chart can hold, and how many flights: a set of pieces and the number of a flight fit in one word.
const ROOM: usize = 52;
const FLIGHTS: usize = 128;

/// A flight over a piece in a direction.
struct Flight<S> {
    victim: usize,
    direction: usize,
    /// The number of the piece on the chart.
    piece: usize,
    behind: S,
    landings: S,
    next: Vec<Leg>,
    /// The same flights as a set, and the pieces that they go over.
    next_flights: u128,
    next_pieces: u64,
}

/// A flight that can follow, from one of the landing squares.
#[derive(Clone, Copy)]
struct Leg {
    landing: usize,
    flight: usize,
}

/// What a capture has taken so far: the squares, the pieces on the chart, and the flights over them.
#[derive(Clone, Copy)]
struct Taken<S> {
    set: S,
    pieces: u64,
    flights: u128,
}

/// The flights of one king.
pub(super) struct Chart<S> {
    first: Vec<Leg>,
    flights: Vec<Flight<S>>,
    /// The pieces on the chart, in ascending order.
    pieces: Vec<usize>,
    /// The flights over each of them.
    over: Vec<u128>,
    /// The kings among the pieces.
    kings: u64,
    /// The states that need not be followed again: a flight and the pieces captured.
    done: HashSet<u64, BuildHasherDefault<StateHasher>>,
}

impl<S: SquareSet> Chart<S> {
    /// The number of a flight, which is put on the chart where it is new.
    fn number(&mut self, victim: usize, direction: usize, behind: S, landings: S) -> usize {
        let same = |flight: &Flight<S>| flight.victim == victim && flight.direction == direction;
        self.flights.iter().position(same).unwrap_or_else(|| {
            let piece = self.pieces.binary_search(&victim).expect("a piece that can be captured is on the chart");
            let (next, next_flights, next_pieces) = (Vec::new(), 0, 0);
            self.flights.push(Flight { victim, direction, piece, behind, landings, next, next_flights, next_pieces });
            self.flights.len() - 1
        })
    }
}

impl<S: SquareSet, F: Features, const BLACK: bool> CaptureGenerator<'_, S, F, BLACK> {
    /// The chart of the piece that captures, where one is of use.
    #[inline(always)]
    pub(super) fn graph(&self, is_king: bool) -> Option<Chart<S>> {
        let fixed = is_king && F::flying_kings(&self.mover.rules) && !self.mover.rules.removal_at_once;
        if !fixed || self.victims[1].count() < CROWD || self.mover.precedence.looks_at_order() {
            return None;
        }
        self.draw_chart()
    }

    #[cold]
    fn draw_chart(&self) -> Option<Chart<S>> {
        let open = self.mover.geometry.board & !self.others;
        let mut crowd = S::EMPTY;
        for direction in 0..DIRECTIONS / 2 {
            let delta = F::delta(&self.mover.geometry, direction);
            crowd |= self.victims[1] & open.shifted(delta) & open.shifted(-delta);
        }
        if !(CROWD..=ROOM).contains(&crowd.count()) {
            return None;
        }
        let pieces: Vec<usize> = crowd.bits().collect();
        let kings = pieces.iter().rev().fold(0, |kings, piece| kings << 1 | u64::from(self.kings.has(*piece)));
        let over = vec![0; pieces.len()];
        let (first, flights, done) = (Vec::new(), Vec::new(), HashSet::default());
        let mut chart = Chart { first, flights, pieces, over, kings, done };
        let from = S::bit(self.from);
        chart.first = self.legs(&mut chart, from, from, Directions::ALL);
        let mut drawn = 0;
        while drawn < chart.flights.len() {
            let Flight { behind, landings, direction, piece, .. } = chart.flights[drawn];
            let next = self.legs(&mut chart, behind, self.stops(behind, landings), self.directions_after(direction));
            if chart.flights.len() > FLIGHTS {
                return None;
            }
            let pieces = next.iter().fold(0, |pieces, leg| pieces | 1 << chart.flights[leg.flight].piece);
            chart.over[piece] |= 1 << drawn;
            let flight = &mut chart.flights[drawn];
            flight.next_flights = next.iter().fold(0, |flights, leg| flights | 1 << leg.flight);
            flight.next_pieces = pieces & !(1 << piece);
            flight.next = next;
            drawn += 1;
        }
        Some(chart)
    }

    /// The flights from the squares where a king may stop, the nearest square first.
    fn legs(&self, chart: &mut Chart<S>, behind: S, stops: S, allowed: Directions) -> Vec<Leg> {
        let directions = self.mover.king_captures(Side::new(BLACK));
        let mut legs: Vec<Leg> = Vec::new();
        for landing in behind.bits().chain((stops & !behind).bits()) {
            for direction in (0..DIRECTIONS).filter(|direction| directions.has(*direction) && allowed.has(*direction)) {
                let Some((victim, landings)) = self.flying_jump(landing, direction, S::EMPTY) else { continue };
                let near = self.mover.nearest(landings, direction).expect("a flight has a landing square");
                let flight = chart.number(victim, direction, S::bit(near), landings);
                if self.ways == Ways::All || legs.iter().all(|leg| leg.flight != flight) {
                    legs.push(Leg { landing, flight });
                }
            }
        }
        legs
    }

    /// Finds every capture on the chart, and tells whether there is one.
    pub(super) fn search_graph(&mut self, mut chart: Chart<S>) -> bool {
        let first = std::mem::take(&mut chart.first);
        for leg in &first {
            self.follow(&mut chart, leg.flight, Taken { set: S::EMPTY, pieces: 0, flights: 0 });
        }
        !first.is_empty()
    }

    /// Makes a flight and goes on with those that can follow.
    fn follow(&mut self, chart: &mut Chart<S>, number: usize, taken: Taken<S>) {
        let Flight { victim, piece, behind, landings, next_pieces, .. } = chart.flights[number];
        let taken = Taken {
            set: taken.set | S::bit(victim),
            pieces: taken.pieces | 1 << piece,
            flights: taken.flights | chart.over[piece],
        };
        self.scratch.jumps.push(Jump { captured: victim as u16, landing: 0 });
        if next_pieces & !taken.pieces == 0 {
            self.finish_flying(victim, behind, landings, taken.set);
        } else {
            self.follow_on(chart, number, taken);
        }
        self.scratch.jumps.pop();
    }

    /// Goes on after a flight, unless that was done before or leads to nothing.
    fn follow_on(&mut self, chart: &mut Chart<S>, number: usize, taken: Taken<S>) {
        let state = taken.pieces | (number as u64) << ROOM;
        let known = match self.ways {
            Ways::Distinct => !chart.done.insert(state),
            Ways::All => chart.done.contains(&state),
        };
        if known || self.is_hopeless(chart, number, &taken) || !self.sink.goes_on() {
            return;
        }
        let finished = self.finished;
        for leg in 0..chart.flights[number].next.len() {
            let Leg { landing, flight } = chart.flights[number].next[leg];
            if taken.flights >> flight & 1 == 0 {
                self.set_landing(landing);
                self.follow(chart, flight, taken);
            }
        }
        // When every way counts, only a state that leads to nothing is not worth following again.
        if self.ways == Ways::All && self.finished == finished {
            chart.done.insert(state);
        }
    }

    /// Whether no capture that goes on from here can rank as high as the best so far, even if it took every piece that
    /// can be reached, but for those that can only come last: a capture has one last piece.
    fn is_hopeless(&self, chart: &Chart<S>, number: usize, taken: &Taken<S>) -> bool {
        let (mut seen, mut ahead) = (0, chart.flights[number].next_flights & !taken.flights);
        let (mut reached, mut after) = (0, [0; ROOM]);
        while ahead != 0 {
            let flight = &chart.flights[ahead.trailing_zeros() as usize];
            seen |= ahead & ahead.wrapping_neg();
            reached |= 1 << flight.piece;
            after[flight.piece] |= flight.next_pieces & !taken.pieces;
            ahead = (ahead | flight.next_flights) & !(seen | taken.flights);
        }
        let (mut last, mut only) = (0u32, 0u64);
        for piece in reached.bits() {
            // Nothing can follow it, or just one piece that follows another one already.
            if after[piece] == 0 || after[piece].is_power_of_two() && only & after[piece] != 0 {
                last += 1;
            } else if after[piece].is_power_of_two() {
                only |= after[piece];
            }
        }
        let pieces = (reached | taken.pieces).count_ones() - last.saturating_sub(1);
        let kings = |among: u64| (among & chart.kings).count_ones() as usize;
        let kings = kings(taken.pieces)..=kings(reached | taken.pieces);
        self.mover.precedence.all_rank_lower(pieces as usize, kings, &self.best)
    }
}
