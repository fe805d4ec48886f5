//! Endgame tablebases: the value of every position with few pieces.
//!
//! - `index`: slices, and the numbering of their positions;
//! - `builder`: retrograde analysis of a slice in memory;
//! - `format`: the file of a slice;
//! - this module: `Tablebase`, a set of slices to build and to probe, behind a trait without type parameters.
//!
//! A value is that of the game without draw rules. Distances are plies to the end of the game if the winner plays for
//! the fastest win and the loser for the slowest loss.

mod builder;
mod format;
mod index;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use builder::{Builder, Table};
use format::{ANY, BLOCK, Header, SliceFile};
pub use format::{Counts, FileBytes, FileError, RULES_ID};
use index::{Layout, Numbering, Order, RANKED};
pub use index::{MAX_PIECES, Slice};

use super::bitboard::Bitboard;
use super::board::{Board, BoundPosition};
use super::capture_generator::Scratch;
use super::captures::CapturePaths;
use super::generator::MoveGenerator;
use super::moves::Move;
use super::position::Position;
use super::specialisation::RuleSource;
use crate::parallel;
use crate::side::Side;
use crate::work::SharedMonitor;

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A draw.
    Draw,
    /// A win.
    Win,
    /// A loss.
    Loss,
}

impl Value {
    /// Return the value with this code in a file, or None if there is no such code.
    #[inline(always)]
    fn from_code(code: u8) -> Option<Value> {
        [Value::Draw, Value::Win, Value::Loss].get(usize::from(code)).copied()
    }

    /// Return the value for the other side.
    pub fn negated(self) -> Value {
        match self {
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
            Value::Loss => Value::Win,
        }
    }
}

/// The result of a probe: the value, and the distance if the tablebase has it. The distance of a draw is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The value for the side to move.
    pub value: Value,
    /// The number of plies to the end of the game.
    pub distance: Option<u16>,
}

impl Probe {
    /// Create a result; a distance of a draw is replaced by 0.
    fn new(value: Value, distance: Option<u16>) -> Self {
        Probe { value, distance: if value == Value::Draw { distance.map(|_| 0) } else { distance } }
    }
}

/// A slice that was built: its file and its statistics.
pub struct BuiltSlice {
    /// The slice.
    pub slice: Slice,
    /// The content of its file.
    pub file: Vec<u8>,
    /// The number of positions by value.
    pub counts: Counts,
}

/// The slices of a tablebase of one rule set.
pub trait Tablebase: Send + Sync {
    /// Return the number of indices of a slice, which is slightly more than the number of its positions.
    fn size(&self, slice: Slice) -> u64;
    /// Add a slice from its file; the error says why the file cannot be used.
    fn add(&self, file: FileBytes) -> Result<Slice, FileError>;
    /// Return the statistics of a slice and whether it has distances, or None if it is not present.
    fn counts(&self, slice: Slice) -> Option<(Counts, bool)>;
    /// Check the checksum of a slice.
    fn check(&self, slice: Slice) -> Result<(), FileError>;
    /// Build a slice and its twin. Return None if the monitor cancelled the work. The error is `Missing` if a slice that
    /// captures or promotions lead to is not present, or has no distances although `distances` is true; and `TooLarge`.
    fn build(
        &self,
        slice: Slice,
        distances: bool,
        threads: usize,
        monitor: &SharedMonitor,
    ) -> Result<Option<Vec<BuiltSlice>>, FileError>;
    /// Compare the files of a slice and its twin with the legal moves of all their positions, and return the first
    /// position whose value or distance does not follow from those after its moves, if there is one. The outer None means
    /// that the monitor cancelled the work. The error is `Missing` if the slice, its twin or one that captures and
    /// promotions lead to is not present, and `Statistics` if those in a header differ from the values.
    ///
    /// If all slices have distances and pass, all values are proven.
    fn verify(
        &self,
        slice: Slice,
        threads: usize,
        monitor: &SharedMonitor,
    ) -> Result<Option<Option<Box<dyn Board>>>, FileError>;
    /// Return the value of a position, or None if its slice is not present, if it has more than `MAX_PIECES` pieces or a
    /// man on its promotion row.
    fn probe(&self, board: &dyn Board, with_distance: bool) -> Result<Option<Probe>, FileError>;
    /// Return the results of `probe` for the positions after all legal moves, in the order of `Board::legal_moves`; None
    /// if one of them is not present. The outer None means that the monitor cancelled the work.
    fn probe_moves(
        &self,
        board: &dyn Board,
        with_distance: bool,
        monitor: &SharedMonitor,
    ) -> Result<Option<Option<Vec<Probe>>>, FileError> {
        let Some(moves) = board.legal_moves(false, Some(monitor)) else { return Ok(None) };
        let probes = moves.iter().map(|played| self.probe(&*board.after(played), with_distance));
        Ok(Some(probes.collect::<Result<_, _>>()?))
    }
    /// Return the tablebase as `Any`, for downcasts to its concrete type.
    fn as_any(&self) -> &dyn Any;
}

/// The maximum number of squares of a board.
const MAX_SQUARES: usize = 200;

/// The tablebase of the rules of a move generator.
pub(super) struct SliceSet<B, R> {
    generator: Arc<MoveGenerator<B, R>>,
    numbering: Arc<Numbering<B>>,
    rules: [u8; RULES_ID],
    files: RwLock<SliceFiles>,
    /// The tables that were decoded or built, for the next slices.
    tables: Mutex<HashMap<Slice, Arc<Table>>>,
}

/// A file and the layout of its indices.
struct Entry {
    file: SliceFile,
    layout: Layout,
}

/// The files of all slices that are present, for fast look-ups by slice.
#[derive(Clone)]
struct SliceFiles {
    /// By the code of a slice.
    entries: Vec<Option<Arc<Entry>>>,
    /// The largest number of pieces of a slice that is present.
    max_pieces: usize,
}

impl SliceFiles {
    fn new() -> Self {
        SliceFiles { entries: vec![None; Slice::CODES], max_pieces: 0 }
    }

    #[inline(always)]
    fn get(&self, slice: Slice) -> Option<&Arc<Entry>> {
        self.entries[slice.code()].as_ref()
    }

    fn insert(&mut self, slice: Slice, entry: Entry) {
        self.entries[slice.code()] = Some(Arc::new(entry));
        self.max_pieces = self.max_pieces.max(slice.pieces());
    }
}

/// A tablebase as the search probes it: a copy of the list of files, so that no probe needs a lock.
pub(super) struct SearchProber<'a, B, R> {
    tables: &'a SliceSet<B, R>,
    files: SliceFiles,
    max_pieces: usize,
}

impl<B: Bitboard, R: RuleSource> SearchProber<'_, B, R> {
    /// Return the value of a position without compulsory captures, or None if the search must find it. A damaged file
    /// counts as missing.
    #[inline(always)]
    pub(super) fn probe(&self, position: &Position<B>) -> Option<Value> {
        if position.occupied().count() > self.max_pieces { None } else { self.probe_stored(position) }
    }

    #[inline(never)]
    fn probe_stored(&self, position: &Position<B>) -> Option<Value> {
        if !self.tables.is_stored(position) {
            return None;
        }
        let (entry, index) = self.tables.find(&self.files, position)?;
        entry.file.check().ok()?;
        entry.file.value(index).ok()
    }
}

impl<B: Bitboard, R: RuleSource> SliceSet<B, R> {
    /// Create an empty tablebase; the error says why the rules are not supported.
    pub(super) fn new(generator: &Arc<MoveGenerator<B, R>>, id: [u8; RULES_ID]) -> Result<Self, &'static str> {
        let rules = &generator.rules;
        if rules.king_move_limit > 0 {
            return Err("the rules limit the consecutive moves of a king, so a position has a history");
        }
        if !rules.all_squares && !(rules.columns + rules.rows).is_multiple_of(2) {
            return Err(
                "the board is not symmetric: it has an even number of rows and an odd number of columns, or vice versa",
            );
        }
        let reach = |bit: &usize| generator.geometry.rays[*bit].iter().map(|ray| ray.count()).sum::<usize>();
        let reach = generator.geometry.bits.iter().map(reach).max().unwrap_or(0);
        if generator.geometry.bits.len() > MAX_SQUARES || (MAX_PIECES - 1) * reach > usize::from(builder::MAX_QUIET) {
            return Err("the board is too large");
        }
        Ok(SliceSet {
            numbering: Arc::new(Numbering::new(&generator.geometry)),
            generator: Arc::clone(generator),
            rules: id,
            files: RwLock::new(SliceFiles::new()),
            tables: Mutex::default(),
        })
    }

    fn files(&self) -> RwLockReadGuard<'_, SliceFiles> {
        self.files.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn tables(&self) -> MutexGuard<'_, HashMap<Slice, Arc<Table>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entry(&self, slice: Slice) -> Option<Arc<Entry>> {
        self.files().get(slice).cloned()
    }

    /// Return the prober of a search that starts from a position.
    ///
    /// Only positions with fewer pieces than the first one are probed, so that the search finds the way to the next
    /// capture, and the side that wins makes progress.
    pub(super) fn search_prober(&self, root: &Position<B>) -> SearchProber<'_, B, R> {
        let files = self.files().clone();
        let max_pieces = files.max_pieces.min(root.occupied().count().saturating_sub(1));
        SearchProber { tables: self, files, max_pieces }
    }

    /// Return the value of a position, or None if it is not known. A damaged file counts as missing.
    pub(super) fn value(&self, position: &Position<B>) -> Option<Value> {
        if position.occupied().count() > MAX_PIECES {
            return None;
        }
        let probe = self.probe_position(&self.files(), position, false, &mut Scratch::default());
        probe.ok().flatten().map(|probe| probe.value)
    }

    /// Return whether the value of a position is in the file of its slice. Otherwise it follows from smaller slices.
    #[inline(always)]
    fn is_stored(&self, position: &Position<B>) -> bool {
        builder::is_stored(&self.generator, position)
    }

    /// Return the slice of a position and the index in it, or None if the slice is not present or does not have the
    /// position: a man on its promotion row does not occur in play.
    #[inline(always)]
    fn find<'a>(&self, files: &'a SliceFiles, position: &Position<B>) -> Option<(&'a Entry, usize)> {
        let slice = Slice::of(position);
        let far_rows = &self.generator.geometry.far_rows;
        let uncrowned = position.men(Side::White) & far_rows[0] | position.men(Side::Black) & far_rows[1];
        if !slice.is_valid() || !uncrowned.is_empty() {
            return None;
        }
        let entry = files.get(slice)?;
        Some((entry, entry.layout.index(self.numbering.ranks(position)) as usize))
    }

    /// Return the value of a position, or None if a slice is not present.
    fn probe_position(
        &self,
        files: &SliceFiles,
        position: &Position<B>,
        with_distance: bool,
        scratch: &mut Scratch<B>,
    ) -> Result<Option<Probe>, FileError> {
        let (own, other) = (position.of(position.turn), position.of(position.turn.opponent()));
        if own.is_empty() || other.is_empty() || self.generator.is_over_immediately(position) {
            let winner = self.generator.ending(position, scratch).map(|(winner, _)| winner);
            let value = |winner: Side| if winner == position.turn { Value::Win } else { Value::Loss };
            return Ok(winner.map(|winner| Probe::new(value(winner), Some(0))));
        }
        // Captures among more pieces could take very long to list.
        if position.occupied().count() > MAX_PIECES {
            return Ok(None);
        }
        if !self.is_stored(position) {
            return self.probe_captures(files, position, with_distance, scratch);
        }
        let Some((entry, index)) = self.find(files, position) else { return Ok(None) };
        entry.file.check()?;
        let value = entry.file.value(index)?;
        let distance = if with_distance { entry.file.distance(index)? } else { None };
        Ok(Some(Probe::new(value, distance)))
    }

    /// Return the value of a position with compulsory captures by the positions after them.
    fn probe_captures(
        &self,
        files: &SliceFiles,
        position: &Position<B>,
        with_distance: bool,
        scratch: &mut Scratch<B>,
    ) -> Result<Option<Probe>, FileError> {
        let mut moves: Vec<Move<B>> = Vec::new();
        self.generator.generate(position, CapturePaths::Distinct, scratch, &mut moves);
        let mut best: Option<Probe> = None;
        for played in &moves {
            let after = self.generator.after(position, played);
            let Some(probe) = self.probe_position(files, &after, with_distance, scratch)? else { return Ok(None) };
            let found = Probe::new(probe.value.negated(), probe.distance.map(|plies| plies.saturating_add(1)));
            if best.is_none_or(|best| is_better(found, best)) {
                best = Some(found);
            }
        }
        Ok(scratch.complete(best).flatten())
    }

    /// Decode the slices that a builder needs and does not have. For complete tables, those with few pieces must come
    /// first. Return None if the monitor cancelled the work.
    fn load(
        &self,
        needed: &[Slice],
        complete: bool,
        builder: &mut Builder<B, R>,
        threads: usize,
        monitor: &SharedMonitor,
    ) -> Result<Option<()>, FileError> {
        for &slice in needed {
            if builder.tables.contains_key(&slice) {
                continue;
            }
            let Some(table) = self.decode(slice, complete, builder, threads, monitor)? else { return Ok(None) };
            builder.tables.insert(slice, Arc::new(table));
        }
        Ok(Some(()))
    }

    /// Return the table of a slice from its file, or None if the monitor cancelled the work.
    fn decode(
        &self,
        slice: Slice,
        complete: bool,
        builder: &Builder<B, R>,
        threads: usize,
        monitor: &SharedMonitor,
    ) -> Result<Option<Table>, FileError> {
        let is_usable = |entry: &Arc<Entry>| entry.file.header.width > 0 || !builder.distances;
        let entry = self.entry(slice).filter(is_usable).ok_or(FileError::Missing(slice))?;
        entry.file.check()?;
        let size = entry.layout.size as usize;
        let mut table = Table::new(entry.layout.clone(), builder.distances.then(|| vec![0; size]));
        table.is_complete = complete;
        let blocks: Vec<usize> = (0..size.div_ceil(BLOCK)).collect();
        for batch in blocks.chunks(BATCH) {
            let decode = |block: &usize| Some(self.decode_block(&entry, *block, complete, builder));
            let Some(decoded) = parallel::map(batch, threads, &**monitor, decode) else { return Ok(None) };
            for (block, values) in batch.iter().zip(decoded) {
                for (index, value) in (block * BLOCK..).zip(values?) {
                    let Some((value, distance)) = value else { continue };
                    table.set(index, value);
                    if let Some(distances) = &mut table.distances {
                        distances[index] = distance;
                    }
                }
            }
        }
        Ok(Some(table))
    }

    /// Return the value and the distance at each index of a block of a file, or None at unused indices. If the block is
    /// not to be complete, those that are not stored are arbitrary. Otherwise, the builder must have the slices that
    /// captures lead to.
    fn decode_block(
        &self,
        entry: &Entry,
        block: usize,
        complete: bool,
        builder: &Builder<B, R>,
    ) -> Result<Vec<Option<(Value, u16)>>, FileError> {
        let indices = block * BLOCK..((block + 1) * BLOCK).min(entry.layout.size as usize);
        let values = entry.file.values(block, indices.len())?;
        let distances = if builder.distances { entry.file.distances(block)? } else { vec![0; BLOCK] };
        let (mut scratch, mut moves) = (Scratch::default(), Vec::new());
        let decode = |(offset, index): (usize, usize)| {
            if complete {
                let Some(position) = self.numbering.position(&entry.layout, index as u64) else { return Ok(None) };
                if !self.is_stored(&position) {
                    return Ok(Some(builder.value_by_moves(&position, &mut moves, &mut scratch)));
                }
            }
            let distance = *distances.get(offset).ok_or(FileError::Checksum)?;
            let is_draw = values[offset] == Value::Draw;
            Ok(Some((values[offset], if is_draw { 0 } else { distance })))
        };
        indices.enumerate().map(decode).collect()
    }

    /// Return the file of a table.
    fn encode(&self, table: &Table) -> BuiltSlice {
        let slice = table.layout.slice;
        let counts = table.counts();
        // The value of each index, and `ANY` if the value is not stored.
        let mut values = vec![ANY; table.layout.size as usize];
        for (index, entry) in values.iter_mut().enumerate() {
            let Some(position) = self.numbering.position(&table.layout, index as u64) else { continue };
            let value = table.get(index).expect("the index of a position is used");
            if self.is_stored(&position) {
                *entry = value as u8;
            }
        }
        let layout = self.best_layout(&table.layout, &values);
        let source = |index: usize| table.layout.index(layout.ranks(index as u64)) as usize;
        let width = match counts.longest {
            _ if table.distances.is_none() => 0,
            0..=255 => 1,
            _ => 2,
        };
        let header =
            Header { slice, order: layout.order, width, rules: self.rules, size: layout.size, counts, lengths: [0; 2] };
        let mut last = 0;
        let file = format::encode(
            header,
            |range, entries| entries.extend(range.map(|index| values[source(index)])),
            |range, entries| {
                for index in range.map(source) {
                    let is_decided = values[index] != ANY && values[index] != Value::Draw as u8;
                    if is_decided {
                        last = table.distance(index);
                    }
                    entries.push(last);
                }
            },
        );
        BuiltSlice { slice, file, counts }
    }

    /// Return the layout with the order of groups that compresses a sample of the values best.
    fn best_layout(&self, layout: &Layout, values: &[u8]) -> Layout {
        let size = layout.size as usize;
        let blocks = size.div_ceil(BLOCK);
        let step = blocks.div_ceil(MAX_SAMPLE).max(1);
        let mut codes = Vec::new();
        let sample = |order: &Order| {
            let candidate = self.numbering.layout(layout.slice, *order);
            codes.clear();
            for block in (0..blocks).step_by(step) {
                let range = block * BLOCK..((block + 1) * BLOCK).min(size);
                let entries: Vec<u8> =
                    range.map(|index| values[layout.index(candidate.ranks(index as u64)) as usize]).collect();
                format::encode_values(&entries, &mut codes);
            }
            codes.len()
        };
        let order = orders(layout).into_iter().min_by_key(sample).unwrap_or(RANKED);
        self.numbering.layout(layout.slice, order)
    }
}

/// The number of bytes of tables above which those that the next slice does not need are dropped.
const MAX_TABLES: usize = if cfg!(test) { 1 << 10 } else { 1 << 29 };

/// The number of blocks that are decoded at a time.
const BATCH: usize = 1 << 10;

/// The maximum number of blocks that are compressed to compare the orders of groups.
const MAX_SAMPLE: usize = 64;

/// Return the orders of the groups of a layout. Groups without pieces come first.
fn orders(layout: &Layout) -> Vec<Order> {
    let mut found = Vec::new();
    let groups: Vec<usize> = (0..4).filter(|group| layout.ranks[*group] > 1).collect();
    let empty: Vec<usize> = (0..4).filter(|group| layout.ranks[*group] <= 1).collect();
    let mut extend = vec![empty];
    while let Some(order) = extend.pop() {
        if order.len() == 4 {
            found.push([order[0], order[1], order[2], order[3]]);
            continue;
        }
        for group in groups.iter().filter(|group| !order.contains(group)) {
            extend.push(order.iter().chain([group]).copied().collect());
        }
    }
    found
}

/// Return whether a result is better for the side to move than another one.
fn is_better(one: Probe, other: Probe) -> bool {
    let rank = |probe: Probe| {
        let plies = i32::from(probe.distance.unwrap_or(0));
        match probe.value {
            Value::Win => (2, -plies),
            Value::Draw => (1, 0),
            Value::Loss => (0, plies),
        }
    };
    rank(one) > rank(other)
}

impl<B: Bitboard, R: RuleSource> Tablebase for SliceSet<B, R> {
    fn size(&self, slice: Slice) -> u64 {
        self.numbering.layout(slice, RANKED).size
    }

    fn add(&self, file: FileBytes) -> Result<Slice, FileError> {
        let file = SliceFile::new(file, &self.rules)?;
        let slice = file.header.slice;
        let layout = self.numbering.layout(slice, file.header.order);
        if layout.size != file.header.size {
            return Err(FileError::Header);
        }
        self.files.write().unwrap_or_else(PoisonError::into_inner).insert(slice, Entry { file, layout });
        Ok(slice)
    }

    fn counts(&self, slice: Slice) -> Option<(Counts, bool)> {
        self.entry(slice).map(|entry| (entry.file.header.counts, entry.file.header.width > 0))
    }

    fn check(&self, slice: Slice) -> Result<(), FileError> {
        self.entry(slice).map_or(Ok(()), |entry| entry.file.check())
    }

    fn build(
        &self,
        slice: Slice,
        distances: bool,
        threads: usize,
        monitor: &SharedMonitor,
    ) -> Result<Option<Vec<BuiltSlice>>, FileError> {
        if self.size(slice) > format::MAX_SIZE {
            return Err(FileError::TooLarge(slice));
        }
        let needed = slice.dependencies();
        let mut builder = Builder {
            generator: Arc::clone(&self.generator),
            numbering: Arc::clone(&self.numbering),
            distances,
            tables: HashMap::new(),
        };
        {
            // Other threads build at the same time, but do not decode the same slices.
            let mut tables = self.tables();
            tables.retain(|_, table| table.distances.is_some() == distances);
            if tables.values().map(|table| table.bytes()).sum::<usize>() > MAX_TABLES {
                tables.retain(|slice, _| needed.contains(slice));
            }
            let present = |slice: &Slice| Some((*slice, Arc::clone(tables.get(slice)?)));
            builder.tables = needed.iter().filter_map(present).collect();
            let loaded = self.load(&needed, false, &mut builder, threads, monitor);
            tables.extend(builder.tables.iter().map(|(slice, table)| (*slice, Arc::clone(table))));
            if loaded?.is_none() {
                return Ok(None);
            }
        }
        let Some(built) = builder.build(slice, threads, monitor) else { return Ok(None) };
        let files = parallel::map(&built, threads, &**monitor, |table| Some(self.encode(table)));
        self.tables().extend(built.into_iter().map(|table| (table.layout.slice, Arc::new(table))));
        Ok(files)
    }

    fn verify(
        &self,
        slice: Slice,
        threads: usize,
        monitor: &SharedMonitor,
    ) -> Result<Option<Option<Box<dyn Board>>>, FileError> {
        let mut pair = vec![slice, slice.swapped()];
        pair.dedup();
        let needed: Vec<Slice> = slice.dependencies().into_iter().chain(pair.iter().copied()).collect();
        let has_distances = |slice: &Slice| self.entry(*slice).is_some_and(|entry| entry.file.header.width > 0);
        let mut builder = Builder {
            generator: Arc::clone(&self.generator),
            numbering: Arc::clone(&self.numbering),
            distances: needed.iter().all(has_distances),
            tables: HashMap::new(),
        };
        if self.load(&needed, true, &mut builder, threads, monitor)?.is_none() {
            return Ok(None);
        }
        for slice in pair {
            let Some(found) = builder.find_inconsistency(slice, threads, monitor) else { return Ok(None) };
            if let Some(position) = found {
                return Ok(Some(Some(Box::new(BoundPosition { generator: Arc::clone(&self.generator), position }))));
            }
            let (mut found, (mut expected, _)) =
                (builder.tables[&slice].counts(), self.counts(slice).unwrap_or_default());
            if !builder.distances {
                (found.longest, expected.longest) = (0, 0);
            }
            if found != expected {
                return Err(FileError::Statistics(slice));
            }
        }
        Ok(Some(None))
    }

    fn probe(&self, board: &dyn Board, with_distance: bool) -> Result<Option<Probe>, FileError> {
        let bound: &BoundPosition<B, R> = board.as_any().downcast_ref().expect("the position has the same rules");
        self.probe_position(&self.files(), &bound.position, with_distance, &mut Scratch::default())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
