//! Endgame tablebases.

mod builder;
mod format;
mod index;

use std::collections::HashMap;
use std::sync::Arc;

pub use index::Slice;
use index::Numbering;

use super::bitboard::Bitboard;
use super::generator::MoveGenerator;
use super::position::Position;
use super::specialisation::RuleSource;
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

/// The values of a slice, with two bits per position.
pub struct Table {
    sizes: [u64; 4],
    bytes: Vec<u8>,
}

impl Table {
    fn new(sizes: [u64; 4], size: usize) -> Self {
        Table { sizes, bytes: vec![0; size.div_ceil(4)] }
    }
    fn set(&mut self, index: usize, value: Value) {
        self.bytes[index / 4] |= (value as u8 + 1) << (index % 4 * 2);
    }
    #[inline(always)]
    fn get(&self, index: usize) -> Option<Value> {
        match self.bytes[index / 4] >> (index % 4 * 2) & 3 {
            0 => None,
            1 => Some(Value::Draw),
            2 => Some(Value::Win),
            _ => Some(Value::Loss),
        }
    }
    /// Count.
    pub fn counts(&self) -> [u64; 3] {
        let mut counts = [0; 3];
        for byte in &self.bytes {
            for shift in [0, 2, 4, 6] {
                let code = byte >> shift & 3;
                if code > 0 {
                    counts[usize::from(code) - 1] += 1;
                }
            }
        }
        counts
    }
}

/// Tables.
pub struct Tables<B, R> {
    generator: Arc<MoveGenerator<B, R>>,
    numbering: Numbering<B>,
    tables: HashMap<Slice, Table>,
}

/// A builder.
pub trait TableBuilder {
    /// Build.
    fn build(&mut self, slice: Slice, threads: usize, monitor: &SharedMonitor) -> Option<Vec<(Slice, [u64; 3])>>;
}

impl<B: Bitboard, R: RuleSource> Tables<B, R> {
    pub(super) fn new(generator: &Arc<MoveGenerator<B, R>>, pieces: usize) -> Self {
        Tables {
            numbering: Numbering::new(&generator.geometry, pieces),
            generator: Arc::clone(generator),
            tables: HashMap::new(),
        }
    }

    /// Return the value of a position for its side to move. Its slice must be present.
    #[inline(always)]
    fn value(&self, position: &Position<B>) -> Value {
        let own = position.of(position.turn);
        let other = position.of(position.turn.opponent());
        if own.is_empty() || other.is_empty() {
            let loses = own.is_empty() != self.generator.rules.losing;
            return if loses { Value::Loss } else { Value::Win };
        }
        let table = &self.tables[&Slice::of(position)];
        let index = self.numbering.index(position, &table.sizes);
        table.get(index as usize).expect("the position is in the slice")
    }
}

impl<B: Bitboard, R: RuleSource> TableBuilder for Tables<B, R> {
    fn build(&mut self, slice: Slice, threads: usize, monitor: &SharedMonitor) -> Option<Vec<(Slice, [u64; 3])>> {
        let built = self.build_pair(slice, threads, monitor)?;
        let counts = built.iter().map(|(slice, table)| (*slice, table.counts())).collect();
        for (slice, table) in &built {
            let size = self.numbering.size(*slice) as usize;
            let mut values = vec![3u8; size];
            for (index, value) in values.iter_mut().enumerate() {
                let Some(position) = self.numbering.position(*slice, &table.sizes, index as u64) else { continue };
                if self.generator.could_capture(&position, position.turn) { continue }
                *value = table.get(index).unwrap() as u8;
            }
            let used: u64 = table.counts().iter().sum();
            print!("{slice:?} used {used} waste {:.3}", size as f64 / used as f64 - 1.0);
            let sizes = table.sizes;
            for order in [[0usize, 1, 2, 3], [0, 1, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0], [1,0,3,2], [0,2,1,3], [3,1,2,0], [2,0,3,1],[1,3,0,2]] {
                // order lists groups from most to least significant
                let mut strides = [0usize; 4];
                let mut stride = 1;
                for group in [3, 2, 1, 0] { strides[group] = stride; stride *= sizes[group] as usize; }
                let mut permuted = Vec::with_capacity(size);
                let s = |g: usize| sizes[order[g]] as usize;
                for a in 0..s(0) { for b in 0..s(1) { for c in 0..s(2) { for d in 0..s(3) {
                    permuted.push(values[a * strides[order[0]] + b * strides[order[1]] + c * strides[order[2]] + d * strides[order[3]]]);
                }}}}
                let mut bytes = 0;
                let mut out = Vec::new();
                for block in permuted.chunks(2048) { out.clear(); format::encode(block, &mut out); bytes += out.len() + 4; }
                print!(" {order:?} {:.1}", used as f64 / bytes as f64);
            }
            println!();
        }
        self.tables.extend(built);
        Some(counts)
    }
}
#[allow(unused)]
fn unused(_: Side) {}
