//! Layers of tables as files.
//!
//! A header says what the table is for and has a checksum of its own; the bytes of the layer follow. A file gets its name
//! when it is whole, so that nobody ever finds half of one.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use memmap2::Mmap;

use super::pages;
use crate::mancala::rules::{Capture, Rules};
use crate::random::scramble;

const MAGIC: &[u8; 16] = b"tablemen table\r\n";
/// What the bytes mean; a change of their order or meaning is a new number.
const VERSION: u32 = 1;

const HEADER: usize = 64;
const FACTS: Range<usize> = 16..40;
const CONTENT: Range<usize> = 40..48;
const CHECK: Range<usize> = 48..56;

/// Why a file is no table that could be used.
#[derive(Debug)]
pub enum FileProblem {
    /// It cannot be read.
    Unreadable(io::Error),
    /// It is no table, or one for other rules, another number of seeds or another version.
    Foreign,
    /// It is one, and not as it was written.
    Damaged,
}

impl fmt::Display for FileProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileProblem::Unreadable(error) => write!(formatter, "cannot be read: {error}"),
            FileProblem::Foreign => write!(formatter, "is not the table that its name says"),
            FileProblem::Damaged => write!(formatter, "is damaged"),
        }
    }
}

/// A layer whose bytes are those of a file.
#[derive(Debug)]
pub(super) struct MappedLayer(Mmap);

impl MappedLayer {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0[HEADER..]
    }
}

/// The layer with so many seeds, from a file.
pub(super) fn read(path: &Path, rules: &Rules, seeds: usize, positions: u64) -> Result<MappedLayer, FileProblem> {
    let map = File::open(path).and_then(|file| pages::map_file(&file)).map_err(FileProblem::Unreadable)?;
    let Some((header, bytes)) = map.split_at_checked(HEADER) else {
        return Err(FileProblem::Foreign);
    };
    if header[..MAGIC.len()] != *MAGIC {
        return Err(FileProblem::Foreign);
    }
    if header[CHECK] != checksum(&header[..CHECK.start]).to_le_bytes() {
        return Err(FileProblem::Damaged);
    }
    if header[FACTS] != facts(rules, seeds, positions) {
        return Err(FileProblem::Foreign);
    }
    if bytes.len() as u64 != positions || header[CONTENT] != checksum(bytes).to_le_bytes() {
        return Err(FileProblem::Damaged);
    }
    Ok(MappedLayer(map))
}

/// Writes a layer to a file: beside it first, and what was there is replaced in one step.
pub(super) fn write(path: &Path, rules: &Rules, seeds: usize, bytes: &[u8]) -> io::Result<()> {
    let mut header = [0; HEADER];
    header[..MAGIC.len()].copy_from_slice(MAGIC);
    header[FACTS].copy_from_slice(&facts(rules, seeds, bytes.len() as u64));
    header[CONTENT].copy_from_slice(&checksum(bytes).to_le_bytes());
    let check = checksum(&header[..CHECK.start]);
    header[CHECK].copy_from_slice(&check.to_le_bytes());
    let beside = beside(path);
    let written = File::create_new(&beside).and_then(|mut file| {
        file.write_all(&header)?;
        file.write_all(bytes)
    });
    written.and_then(|()| fs::rename(&beside, path)).inspect_err(|_| {
        // What could not be written whole is of no use; where even this fails there is nothing more to do.
        let _ = fs::remove_file(&beside);
    })
}

/// A name in the same folder that no other process or thread takes.
fn beside(path: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}-{}.part", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    name.into()
}

/// What the table is for.
fn facts(rules: &Rules, seeds: usize, positions: u64) -> [u8; FACTS.end - FACTS.start] {
    let even_if_empty = rules.capture == Capture::Opposite { even_if_empty: true };
    let mut facts = [0; FACTS.end - FACTS.start];
    facts[..4].copy_from_slice(&VERSION.to_le_bytes());
    facts[4] = rules.houses as u8;
    facts[5] = even_if_empty.into();
    facts[6] = rules.either_empty_ends.into();
    facts[7] = rules.counts_rest.into();
    facts[8] = seeds as u8;
    facts[16..].copy_from_slice(&positions.to_le_bytes());
    facts
}

/// A number that a change of any byte changes: four sums side by side, for speed.
fn checksum(bytes: &[u8]) -> u64 {
    let (blocks, rest) = bytes.as_chunks::<32>();
    let mut sums = [1, 2, 3, 4].map(scramble);
    let mut add = |block: &[u8; 32]| {
        for (sum, word) in sums.iter_mut().zip(block.as_chunks::<8>().0) {
            *sum = (*sum ^ u64::from_le_bytes(*word)).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(29);
        }
    };
    blocks.iter().for_each(&mut add);
    let mut last = [0; 32];
    last[..rest.len()].copy_from_slice(rest);
    add(&last);
    sums.into_iter().fold(bytes.len() as u64, |all, sum| scramble(all ^ sum))
}
