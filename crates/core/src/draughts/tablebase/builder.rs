//! Retrograde analysis of a slice: wins, draws and losses of all its positions.
//!
//! Quiet moves lead from a slice to its twin, the same pieces with the other side to move; captures and promotions lead
//! to slices that are built before. A first pass decides the positions with a capture or without a move, and counts the
//! quiet moves of the others. Every decided position then decides or counts down its predecessors, which follow from
//! taking back quiet moves.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::index::Slice;
use super::{Table, Tables, Value};
use crate::draughts::bitboard::Bitboard;
use crate::draughts::capture_generator::Scratch;
use crate::draughts::captures::CapturePaths;
use crate::draughts::directions::{back, each_direction};
use crate::draughts::moves::Move;
use crate::draughts::position::Position;
use crate::draughts::specialisation::RuleSource;
use crate::parallel;
use crate::side::Side;
use crate::work::SharedMonitor;

/// The states of positions. A lower number is the number of quiet moves of an undecided position that are not yet
/// known to lose.
const MAX_QUIET: u8 = 0xf0;
/// An undecided position that cannot be lost, because a capture or promotion draws.
const NOT_LOST: u8 = 0xfb;
const UNUSED: u8 = 0xfc;
const DRAW: u8 = 0xfd;
const LOSS: u8 = 0xfe;
const WIN: u8 = 0xff;

/// The number of positions that a thread processes at a time.
const CHUNK: u64 = 1 << 16;

/// A slice under construction.
struct Side1<'a, B, R> {
    tables: &'a Tables<B, R>,
    slice: Slice,
    sizes: [u64; 4],
    states: Vec<AtomicU8>,
}

impl<'a, B: Bitboard, R: RuleSource> Side1<'a, B, R> {
    fn new(tables: &'a Tables<B, R>, slice: Slice) -> Self {
        let sizes = tables.numbering.sizes(slice);
        let size = tables.numbering.size(slice) as usize;
        Side1 { tables, slice, sizes, states: (0..size).map(|_| AtomicU8::new(UNUSED)).collect() }
    }

    /// Decide the positions in a range that are decided without other positions of the slice; return their indices.
    fn begin(&self, first: u64, monitor: &SharedMonitor) -> Option<Vec<u32>> {
        let generator = &*self.tables.generator;
        let mut scratch = Scratch::new(Some(monitor));
        let mut moves: Vec<Move<B>> = Vec::new();
        let mut decided = Vec::new();
        for index in first..(first + CHUNK).min(self.states.len() as u64) {
            let Some(position) = self.tables.numbering.position(self.slice, &self.sizes, index) else { continue };
            moves.clear();
            generator.generate(&position, CapturePaths::Distinct, &mut scratch, &mut moves);
            let state = if moves.is_empty() {
                let ending = generator.ending(&position, &mut scratch);
                if ending.is_some_and(|(winner, _)| winner == Side::White) { WIN } else { LOSS }
            } else {
                self.first_state(&position, &moves)
            };
            if state == WIN || state == LOSS {
                decided.push(index as u32);
            }
            self.states[index as usize].store(state, Relaxed);
        }
        scratch.complete(decided)
    }

    /// Return the state of a position by its captures and promotions alone.
    #[inline(always)]
    fn first_state(&self, position: &Position<B>, moves: &[Move<B>]) -> u8 {
        let (mut quiet, mut draws) = (0, false);
        for played in moves {
            if played.captured.is_empty() && !played.crowns {
                quiet += 1;
                continue;
            }
            let after = self.tables.generator.after(position, played);
            match self.tables.value(&after) {
                Value::Loss => return WIN,
                Value::Draw => draws = true,
                Value::Win => {}
            }
        }
        match (quiet, draws) {
            (0, false) => LOSS,
            (0, true) => DRAW,
            (_, true) => NOT_LOST,
            (quiet, false) => quiet,
        }
    }

    /// Update the predecessors, in the twin, of decided positions; return the indices of those that are now decided.
    fn spread(&self, twin: &Self, decided: &[u32]) -> Vec<u32> {
        let (numbering, generator) = (&self.tables.numbering, &*self.tables.generator);
        let (rules, geometry) = (&generator.rules, &generator.geometry);
        let mut found = Vec::new();
        for &index in decided {
            let is_loss = self.states[index as usize].load(Relaxed) == LOSS;
            let Some(position) = numbering.position(self.slice, &self.sizes, index.into()) else { continue };
            let occupied = position.occupied();
            let empty = geometry.board & !occupied;
            let mut before = position;
            before.turn = Side::Black;
            let mut visit = |before: &Position<B>| {
                let place = numbering.index_for::<true>(before, &twin.sizes) as usize;
                if twin.take(place, is_loss) {
                    found.push(place as u32);
                }
            };
            let pieces = position.pieces[1];
            for to in (pieces & !position.kings).bits() {
                each_direction!(R, R::man_moves(rules).of(Side::Black), direction => {
                    let from = B::bit(to).shifted(-R::delta(geometry, direction)) & empty;
                    if !from.is_empty() {
                        before.pieces[1] = pieces ^ B::bit(to) | from;
                        visit(&before);
                    }
                });
            }
            for to in (pieces & position.kings).bits() {
                let mut sources = B::EMPTY;
                each_direction!(R, R::king_moves(rules).of(Side::Black), direction => {
                    sources |= if R::flying_kings(rules) {
                        generator.free_run(to, back(direction), occupied)
                    } else {
                        B::bit(to).shifted(-R::delta(geometry, direction)) & empty
                    };
                });
                for from in sources.bits() {
                    before.pieces[1] = pieces ^ B::bit(to) | B::bit(from);
                    before.kings = position.kings ^ B::bit(to) | B::bit(from);
                    visit(&before);
                }
                before.kings = position.kings;
            }
        }
        found
    }

    /// Update a position that has a move to a decided one; return whether it is now decided.
    #[inline(always)]
    fn take(&self, place: usize, is_loss: bool) -> bool {
        let state = &self.states[place];
        let mut current = state.load(Relaxed);
        loop {
            let next = match current {
                UNUSED.. => return false,
                _ if is_loss => WIN,
                NOT_LOST => return false,
                1 => LOSS,
                quiet => quiet - 1,
            };
            match state.compare_exchange_weak(current, next, Relaxed, Relaxed) {
                Ok(_) => return next >= LOSS,
                Err(changed) => current = changed,
            }
        }
    }

    fn finish(self) -> Table {
        let mut table = Table::new(self.sizes, self.states.len());
        for (index, state) in self.states.into_iter().enumerate() {
            match state.into_inner() {
                UNUSED => {}
                WIN => table.set(index, Value::Win),
                LOSS => table.set(index, Value::Loss),
                _ => table.set(index, Value::Draw),
            }
        }
        table
    }
}

impl<B: Bitboard, R: RuleSource> Tables<B, R> {
    /// Build a slice and its twin. All slices that captures and promotions lead to must be present.
    pub(super) fn build_pair(&self, slice: Slice, threads: usize, monitor: &SharedMonitor) -> Option<Vec<(Slice, Table)>> {
        let mut sides = vec![Side1::new(self, slice)];
        if slice.swapped() != slice {
            sides.push(Side1::new(self, slice.swapped()));
        }
        let mut decided: Vec<Vec<u32>> = Vec::new();
        for side in &sides {
            let starts: Vec<u64> = (0..side.states.len() as u64).step_by(CHUNK as usize).collect();
            let parts = parallel::map(&starts, threads, &**monitor, |first| side.begin(*first, monitor))?;
            decided.push(parts.concat());
        }
        while decided.iter().any(|list| !list.is_empty()) {
            let mut next = vec![Vec::new(); sides.len()];
            for (number, side) in sides.iter().enumerate() {
                let twin = sides.len() - 1 - number;
                let chunks: Vec<&[u32]> = decided[number].chunks(CHUNK as usize / 4).collect();
                let parts =
                    parallel::map(&chunks, threads, &**monitor, |chunk| Some(side.spread(&sides[twin], chunk)))?;
                next[twin] = parts.concat();
            }
            decided = next;
        }
        Some(sides.into_iter().map(|side| (side.slice, side.finish())).collect())
    }
}

const _: () = assert!(MAX_QUIET < NOT_LOST);
