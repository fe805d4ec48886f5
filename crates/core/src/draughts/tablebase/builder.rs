//! The tablebase builder: retrograde analysis of slices.
//!
//! Quiet moves lead from a slice to its twin, the same pieces with the other side to move; captures and promotions lead
//! to slices that were built before. A first pass decides the positions that have a capture or no move, and counts the
//! quiet moves of the others. Every decided position then decides its predecessors or decrements their counters; the
//! predecessors follow from taking back quiet moves.
//!
//! With distances, the positions are decided in the order of their distances. A position that wins by a promotion
//! waits for the distance of that win, because a quiet move can win faster.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering::Relaxed};

use super::index::{Layout, Numbering, RANKED, Slice};
use super::{Counts, Value};
use crate::draughts::bitboard::Bitboard;
use crate::draughts::capture_generator::Scratch;
use crate::draughts::captures::CapturePaths;
use crate::draughts::directions::{back, each_direction};
use crate::draughts::generator::MoveGenerator;
use crate::draughts::moves::Move;
use crate::draughts::position::Position;
use crate::draughts::specialisation::RuleSource;
use crate::parallel;
use crate::side::Side;
use crate::work::SharedMonitor;

// The states of positions. A number below `MIN_STATE` is the counter of an undecided position: the number of its quiet
// moves that are not known to lose.
const MIN_STATE: u8 = 0xf9;
/// The maximum number of quiet moves of a position.
pub(super) const MAX_QUIET: u8 = MIN_STATE - 1;
/// An undecided position that wins by a promotion, but possibly faster by a quiet move.
const WINS_LATER: u8 = 0xf9;
/// An undecided position that is not lost, because a promotion or an optional capture draws.
const NOT_LOST: u8 = 0xfa;
const UNUSED: u8 = 0xfc;
const DRAW: u8 = 0xfd;
const LOSS: u8 = 0xfe;
const WIN: u8 = 0xff;

/// The number of positions in a unit of parallel work.
const CHUNK: usize = 1 << 15;

/// The values of all positions of a slice, in memory: two bits each, and optionally the distances.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) layout: Layout,
    /// Whether the table has the values that files do not store. They are arbitrary otherwise.
    pub(super) is_complete: bool,
    codes: Vec<u8>,
    pub(super) distances: Option<Vec<u16>>,
}

impl Table {
    /// Create a table whose indices are all unused.
    pub(super) fn new(layout: Layout, distances: Option<Vec<u16>>) -> Self {
        let codes = vec![0; (layout.size as usize).div_ceil(4)];
        Table { layout, is_complete: true, codes, distances }
    }

    /// Return the number of bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        self.codes.len() + 2 * self.distances.as_ref().map_or(0, Vec::len)
    }

    /// Set the value of an unused index.
    pub(super) fn set(&mut self, index: usize, value: Value) {
        self.codes[index / 4] |= (value as u8 + 1) << (index % 4 * 2);
    }

    /// Return the value at an index, or None if the index is unused.
    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> Option<Value> {
        Value::from_code((self.codes[index / 4] >> (index % 4 * 2) & 3).wrapping_sub(1))
    }

    /// Return the number of positions by value.
    pub(super) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for index in 0..self.layout.size as usize {
            match self.get(index) {
                Some(Value::Win) => counts.wins += 1,
                Some(Value::Draw) => counts.draws += 1,
                Some(Value::Loss) => counts.losses += 1,
                None => {}
            }
        }
        counts.longest = self.distances.iter().flatten().copied().max().unwrap_or(0);
        counts
    }

    /// Return the distance at an index; 0 without distances.
    #[inline(always)]
    pub(super) fn distance(&self, index: usize) -> u16 {
        self.distances.as_ref().map_or(0, |distances| distances[index])
    }
}

/// Return whether files store the value of a position. Otherwise it follows from smaller slices.
#[inline(always)]
pub(super) fn is_stored<B: Bitboard, R: RuleSource>(generator: &MoveGenerator<B, R>, position: &Position<B>) -> bool {
    let must_capture = generator.rules.capture_compulsory && generator.could_capture(position, position.turn);
    !must_capture && !generator.is_over_immediately(position)
}

/// Builds the slices of a tablebase in memory.
pub(super) struct Builder<B, R> {
    pub(super) generator: Arc<MoveGenerator<B, R>>,
    pub(super) numbering: Arc<Numbering<B>>,
    pub(super) distances: bool,
    pub(super) tables: HashMap<Slice, Arc<Table>>,
}

impl<B: Bitboard, R: RuleSource> Builder<B, R> {
    /// Return the value of a position for its side to move, and its distance. Its slice must be present.
    #[inline(always)]
    pub(super) fn value(&self, position: &Position<B>) -> (Value, u16) {
        let (own, other) = (position.of(position.turn), position.of(position.turn.opponent()));
        if own.is_empty() || other.is_empty() {
            let is_loss = own.is_empty() != self.generator.rules.losing;
            return (if is_loss { Value::Loss } else { Value::Win }, 0);
        }
        let table = &self.tables[&Slice::of(position)];
        if !table.is_complete && !is_stored(&self.generator, position) {
            return self.value_by_captures(position);
        }
        let index = table.layout.index(self.numbering.ranks(position)) as usize;
        (table.get(index).expect("the index of a position is used"), table.distance(index))
    }

    /// Return the value and the distance of a position that is not stored.
    #[inline(never)]
    fn value_by_captures(&self, position: &Position<B>) -> (Value, u16) {
        self.value_by_moves(position, &mut Vec::new(), &mut Scratch::default())
    }

    /// Build a slice and its twin, which is missing if a slice is its own twin. The slices that captures and promotions
    /// lead to must be present. Return None if the monitor cancelled the work.
    pub(super) fn build(&self, slice: Slice, threads: usize, monitor: &SharedMonitor) -> Option<Vec<Table>> {
        let mut halves = vec![Half::new(self, slice)];
        if slice.swapped() != slice {
            halves.push(Half::new(self, slice.swapped()));
        }
        let mut levels: Vec<Levels> = Vec::new();
        for half in &halves {
            let starts: Vec<usize> = (0..half.states.len()).step_by(CHUNK).collect();
            let parts = parallel::map(&starts, threads, &**monitor, |first| half.begin(*first, monitor))?;
            levels.push(parts.into_iter().fold(Levels::default(), Levels::merge));
        }
        let mut level = 0;
        while levels.iter().any(|levels| level < levels.decided.len().max(levels.waiting.len())) {
            for (half, levels) in halves.iter().zip(&mut levels) {
                half.resolve_waiting(level, levels);
            }
            let lists: Vec<Vec<u32>> = levels.iter_mut().map(|levels| levels.take(level)).collect();
            for (number, (half, list)) in halves.iter().zip(&lists).enumerate() {
                let twin = halves.len() - 1 - number;
                let chunks: Vec<&[u32]> = list.chunks(CHUNK).collect();
                let spread = |chunk: &&[u32]| Some(half.spread(&halves[twin], chunk, level as u16));
                for part in parallel::map(&chunks, threads, &**monitor, spread)? {
                    levels[twin] = std::mem::take(&mut levels[twin]).merge(part);
                }
            }
            level += 1;
        }
        Some(halves.into_iter().map(Half::finish).collect())
    }
}

/// Positions by their distances.
#[derive(Default)]
struct Levels {
    /// The decided positions whose predecessors are not updated yet.
    decided: Vec<Vec<u32>>,
    /// The positions that win by a promotion unless they win faster.
    waiting: Vec<Vec<u32>>,
}

impl Levels {
    fn add(lists: &mut Vec<Vec<u32>>, level: usize, index: u32) {
        if lists.len() <= level {
            lists.resize_with(level + 1, Vec::new);
        }
        lists[level].push(index);
    }

    fn take(&mut self, level: usize) -> Vec<u32> {
        self.decided.get_mut(level).map(std::mem::take).unwrap_or_default()
    }

    fn merge(mut self, other: Levels) -> Levels {
        for (mine, theirs) in [(&mut self.decided, other.decided), (&mut self.waiting, other.waiting)] {
            for (level, list) in theirs.into_iter().enumerate() {
                if mine.len() <= level {
                    mine.resize_with(level + 1, Vec::new);
                }
                mine[level].extend(list);
            }
        }
        self
    }
}

/// A slice under construction, one of a pair of twins.
struct Half<'a, B, R> {
    builder: &'a Builder<B, R>,
    layout: Layout,
    states: Vec<AtomicU8>,
    /// The distances of decided positions. For an undecided position: the distance of the longest loss by a promotion.
    distances: Vec<AtomicU16>,
}

impl<'a, B: Bitboard, R: RuleSource> Half<'a, B, R> {
    fn new(builder: &'a Builder<B, R>, slice: Slice) -> Self {
        let layout = builder.numbering.layout(slice, RANKED);
        let size = layout.size as usize;
        let states = (0..size).map(|_| AtomicU8::new(UNUSED)).collect();
        let distances = (0..if builder.distances { size } else { 0 }).map(|_| AtomicU16::new(0)).collect();
        Half { builder, layout, states, distances }
    }

    /// Decide the positions of a chunk that do not depend on other positions of the slice, and return them by distance.
    fn begin(&self, first: usize, monitor: &SharedMonitor) -> Option<Levels> {
        let Builder { generator, numbering, distances: has_distances, .. } = self.builder;
        let mut scratch = Scratch::new(Some(monitor));
        let mut moves: Vec<Move<B>> = Vec::new();
        let mut levels = Levels::default();
        let end = (first + CHUNK).min(self.states.len());
        for index in first..end {
            let Some(position) = numbering.position(&self.layout, index as u64) else { continue };
            moves.clear();
            generator.generate(&position, CapturePaths::Distinct, &mut scratch, &mut moves);
            let (state, distance) = if moves.is_empty() {
                let ending = generator.ending(&position, &mut scratch);
                (if ending.is_some_and(|(winner, _)| winner == Side::White) { WIN } else { LOSS }, 0)
            } else {
                self.builder.first_state(&position, &moves)
            };
            self.states[index].store(state, Relaxed);
            let level = if *has_distances { usize::from(distance) } else { 0 };
            if *has_distances {
                self.distances[index].store(distance, Relaxed);
            }
            match state {
                WIN | LOSS => Levels::add(&mut levels.decided, level, index as u32),
                WINS_LATER => Levels::add(&mut levels.waiting, level, index as u32),
                _ => {}
            }
        }
        monitor.add((end - first) as u64).then_some(scratch.complete(levels)?)
    }

    /// Decide the positions that have waited for this level, unless they were decided before.
    fn resolve_waiting(&self, level: usize, levels: &mut Levels) {
        for index in levels.waiting.get_mut(level).map(std::mem::take).unwrap_or_default() {
            let state = &self.states[index as usize];
            if state.load(Relaxed) == WINS_LATER {
                state.store(WIN, Relaxed);
                self.distances[index as usize].store(level as u16, Relaxed);
                Levels::add(&mut levels.decided, level, index);
            }
        }
    }

    /// Update the predecessors, in the twin, of positions decided at a level; return those that are now decided.
    fn spread(&self, twin: &Self, decided: &[u32], level: u16) -> Levels {
        let Builder { generator, numbering, .. } = self.builder;
        let (rules, geometry) = (&generator.rules, &generator.geometry);
        let mut levels = Levels::default();
        for &index in decided {
            let is_loss = self.states[index as usize].load(Relaxed) == LOSS;
            let position = numbering.position(&self.layout, index.into()).expect("a decided position is used");
            let occupied = position.occupied();
            let empty = geometry.board & !occupied;
            // A man on its promotion row does not occur, even if men can move backwards.
            let empty_for_men = empty & !geometry.far_rows[1];
            let mut before = Position { turn: Side::Black, ..position };
            let mut visit = |before: &Position<B>| {
                let place = twin.layout.index(numbering.ranks_for::<true>(before)) as usize;
                if let Some(distance) = twin.update(place, is_loss, level) {
                    Levels::add(&mut levels.decided, distance.into(), place as u32);
                }
            };
            // Black has made the last move: take back each quiet move that it can have been.
            let pieces = position.of(Side::Black);
            for to in position.men(Side::Black).bits() {
                each_direction!(R, R::man_moves(rules).of(Side::Black), direction => {
                    let from = B::bit(to).shifted(-R::delta(geometry, direction)) & empty_for_men;
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
        levels
    }

    /// Update a position that has a quiet move to a position decided at a level. If this decides the position, return
    /// its level.
    #[inline(always)]
    fn update(&self, place: usize, is_loss: bool, level: u16) -> Option<u16> {
        let state = &self.states[place];
        let mut current = state.load(Relaxed);
        let next = loop {
            let next = match current {
                UNUSED.. => return None,
                _ if is_loss => WIN,
                MIN_STATE.. => return None,
                1 => LOSS,
                quiet => quiet - 1,
            };
            match state.compare_exchange_weak(current, next, Relaxed, Relaxed) {
                Ok(_) => break next,
                Err(changed) => current = changed,
            }
        };
        let mut decided_at = level.saturating_add(1);
        if !self.builder.distances {
            return (next >= LOSS).then_some(decided_at);
        }
        let distance = &self.distances[place];
        if next == LOSS {
            decided_at = decided_at.max(distance.load(Relaxed));
        }
        (next >= LOSS).then(|| {
            distance.store(decided_at, Relaxed);
            decided_at
        })
    }

    fn finish(self) -> Table {
        let distances = self.distances.iter().map(|distance| distance.load(Relaxed)).collect();
        let mut table = Table::new(self.layout, self.builder.distances.then_some(distances));
        for (index, state) in self.states.into_iter().enumerate() {
            let value = match state.into_inner() {
                UNUSED => continue,
                WIN => Value::Win,
                LOSS => Value::Loss,
                _ => Value::Draw,
            };
            table.set(index, value);
            if value == Value::Draw
                && let Some(distances) = &mut table.distances
            {
                distances[index] = 0;
            }
        }
        table
    }
}

impl<B: Bitboard, R: RuleSource> Builder<B, R> {
    /// Return the state of a position by its captures and promotions alone, and the distance of the best of these.
    #[inline(always)]
    fn first_state(&self, position: &Position<B>, moves: &[Move<B>]) -> (u8, u16) {
        let (mut quiet, mut draws, mut win, mut loss) = (0u8, false, None, 0);
        for played in moves {
            if played.captured.is_empty() && !played.crowns {
                quiet += 1;
                continue;
            }
            let (value, distance) = self.value(&self.generator.after(position, played));
            match value {
                Value::Loss if !self.distances => return (WIN, 0),
                Value::Loss => win = Some(win.unwrap_or(u16::MAX).min(distance.saturating_add(1))),
                Value::Draw => draws = true,
                Value::Win => loss = loss.max(distance.saturating_add(1)),
            }
        }
        match (win, quiet, draws) {
            (Some(distance), 0, _) => (WIN, distance),
            (Some(distance), ..) => (WINS_LATER, distance),
            (None, 0, false) => (LOSS, loss),
            (None, 0, true) => (DRAW, 0),
            (None, _, true) => (NOT_LOST, 0),
            (None, quiet, false) => (quiet, loss),
        }
    }

    /// Return the first position of a slice whose value or distance does not follow from those after its moves, if there
    /// is one; the outer None means that the monitor cancelled the work. All slices that moves lead to must be present.
    pub(super) fn find_inconsistency(
        &self,
        slice: Slice,
        threads: usize,
        monitor: &SharedMonitor,
    ) -> Option<Option<Position<B>>> {
        let size = self.tables[&slice].layout.size as usize;
        let starts: Vec<usize> = (0..size).step_by(CHUNK).collect();
        let check = |first: &usize| self.check_chunk(slice, *first..(first + CHUNK).min(size), monitor);
        Some(parallel::map(&starts, threads, &**monitor, check)?.into_iter().flatten().next())
    }

    fn check_chunk(
        &self,
        slice: Slice,
        indices: std::ops::Range<usize>,
        monitor: &SharedMonitor,
    ) -> Option<Option<Position<B>>> {
        let table = &self.tables[&slice];
        let mut scratch = Scratch::new(Some(monitor));
        let mut moves: Vec<Move<B>> = Vec::new();
        let mut found = None;
        for index in indices.clone() {
            let Some(position) = self.numbering.position(&table.layout, index as u64) else { continue };
            let expected = self.value_by_moves(&position, &mut moves, &mut scratch);
            // The maximum number is one that overflowed, and proves nothing.
            if self.value(&position) != expected || expected.1 == u16::MAX {
                found = Some(position);
                break;
            }
        }
        monitor.add(indices.len() as u64).then_some(scratch.complete(found)?)
    }

    /// Return the value and the distance of a position by those after its moves; the distance of a draw is 0.
    pub(super) fn value_by_moves(
        &self,
        position: &Position<B>,
        moves: &mut Vec<Move<B>>,
        scratch: &mut Scratch<B>,
    ) -> (Value, u16) {
        moves.clear();
        self.generator.generate(position, CapturePaths::Distinct, scratch, moves);
        if moves.is_empty() {
            let ending = self.generator.ending(position, scratch);
            let is_won = ending.is_some_and(|(winner, _)| winner == position.turn);
            return (if is_won { Value::Win } else { Value::Loss }, 0);
        }
        let (mut win, mut draws, mut loss) = (None, false, 0);
        for played in moves {
            let (value, distance) = self.value(&self.generator.after(position, played));
            match value {
                Value::Loss => win = Some(win.unwrap_or(u16::MAX).min(distance.saturating_add(1))),
                Value::Draw => draws = true,
                Value::Win => loss = loss.max(distance.saturating_add(1)),
            }
        }
        let (value, distance) = match win {
            Some(distance) => (Value::Win, distance),
            None if draws => (Value::Draw, 0),
            None => (Value::Loss, loss),
        };
        (value, if self.distances { distance } else { 0 })
    }
}
