//! The file format of a slice.
//!
//! All numbers are little-endian. A file has a header of 128 bytes (see `Header`), then a section of values, then an
//! optional section of distances. A section has an entry for each index, in blocks of `BLOCK` entries: a table of
//! offsets with one 32-bit number per block and one for the end, and the compressed blocks. The last number of the file
//! is the CRC-32 of everything before it.
//!
//! A block of values is a sequence of codes of one byte each. A code below 243 has five values: its digits to the base
//! 3, the lowest digit first. A code from 243 on is a run: 243 + 4 · value + class, with the lengths `RUNS`. The values
//! are 0 for a draw, 1 for a win and 2 for a loss of the side to move. A block of distances is compressed by deflate and
//! has one or two bytes for each index. Entries of positions whose value follows from other slices (compulsory captures
//! and games that are over) and of unused indices are arbitrary.

use std::fmt;
use std::sync::OnceLock;

use super::Value;
use super::index::{Order, Slice};

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"tablemen";
/// The version of the format.
const VERSION: u16 = 1;
/// The number of bytes of the header.
const HEADER: usize = 128;
/// The number of bytes of the checksum.
const CHECKSUM: usize = 4;
/// The number of indices in a block.
pub(super) const BLOCK: usize = 2048;
/// The maximum number of indices of a slice.
pub(super) const MAX_SIZE: u64 = u32::MAX as u64;
/// The lengths of the four classes of runs.
const RUNS: [usize; 4] = [10, 24, 64, 256];
/// The first code of a run.
const FIRST_RUN: u8 = 243;
/// The number of values in a code that is not a run.
const LITERAL: usize = 5;
/// An entry that can have any value.
pub(super) const ANY: u8 = 3;
/// The number of bytes that identify a rule set.
pub const RULES_ID: usize = 16;
/// The level of the compression of distances.
const DEFLATE_LEVEL: u8 = 7;

/// The reason why a file cannot be used, or a slice cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// The file does not begin as a tablebase file does.
    NotATablebase,
    /// The file has another version of the format.
    Version(u16),
    /// The file was built for other rules.
    OtherRules,
    /// The file has another length than its header implies.
    Length {
        /// The length by the header.
        expected: u64,
        /// The length of the file.
        found: u64,
    },
    /// A field of the header is invalid.
    Header,
    /// The checksum is wrong.
    Checksum,
    /// The numbers of wins, draws and losses, or the longest distance, in the header of a slice are wrong.
    Statistics(Slice),
    /// A slice has too many positions to be built.
    TooLarge(Slice),
    /// A slice that another one depends on is not present, or has no distances.
    Missing(Slice),
}

impl fmt::Display for FileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::NotATablebase => write!(out, "not a tablebase file"),
            FileError::Version(version) => {
                write!(out, "format version {version} is not supported; this version of tablemen reads {VERSION}")
            }
            FileError::OtherRules => write!(out, "the file was built for other rules"),
            FileError::Length { expected, found } => {
                write!(out, "the file is damaged: its length must be {expected} bytes, but is {found}")
            }
            FileError::Header => write!(out, "the file is damaged: its header is invalid"),
            FileError::Checksum => write!(out, "the file is damaged: its checksum is wrong"),
            FileError::Statistics(slice) => write!(out, "the file of {slice} is damaged: its statistics are wrong"),
            FileError::TooLarge(slice) => write!(out, "the slice {slice} has too many positions"),
            FileError::Missing(slice) => write!(out, "the slice {slice} is missing, or has no distances"),
        }
    }
}

/// The number of positions of a slice by value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The wins of the side to move.
    pub wins: u64,
    /// The draws.
    pub draws: u64,
    /// The losses of the side to move.
    pub losses: u64,
    /// The longest distance; 0 without distances.
    pub longest: u16,
}

/// The header of a file.
///
/// | offset | bytes | field |
/// | --- | --- | --- |
/// | 0 | 8 | `tablemen` |
/// | 8 | 2 | version of the format |
/// | 10 | 4 | own men, own kings, the opponent's men, the opponent's kings |
/// | 14 | 4 | order of the groups in an index, the most significant first |
/// | 18 | 2 | bytes of a distance, 0 without distances |
/// | 20 | 4 | indices in a block |
/// | 24 | 16 | identifier of the rules |
/// | 40 | 8 | number of indices |
/// | 48 | 24 | wins, draws, losses |
/// | 72 | 2 | longest distance |
/// | 74 | 6 | zero |
/// | 80 | 16 | bytes of the compressed values, and of the compressed distances |
/// | 96 | 32 | zero |
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) slice: Slice,
    pub(super) order: Order,
    pub(super) width: u16,
    pub(super) rules: [u8; RULES_ID],
    pub(super) size: u64,
    pub(super) counts: Counts,
    pub(super) lengths: [u64; 2],
}

impl Header {
    fn to_bytes(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        put(0, MAGIC);
        put(8, &VERSION.to_le_bytes());
        let Slice { own_men, own_kings, other_men, other_kings } = self.slice;
        put(10, &[own_men, own_kings, other_men, other_kings]);
        put(14, &self.order.map(|group| group as u8));
        put(18, &self.width.to_le_bytes());
        put(20, &(BLOCK as u32).to_le_bytes());
        put(24, &self.rules);
        let Counts { wins, draws, losses, longest } = self.counts;
        for (place, number) in [self.size, wins, draws, losses].into_iter().enumerate() {
            put(40 + 8 * place, &number.to_le_bytes());
        }
        put(72, &longest.to_le_bytes());
        put(80, &self.lengths[0].to_le_bytes());
        put(88, &self.lengths[1].to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        if !bytes.starts_with(MAGIC) {
            return Err(FileError::NotATablebase);
        }
        if bytes.len() < HEADER + CHECKSUM {
            return Err(FileError::Length { expected: (HEADER + CHECKSUM) as u64, found: bytes.len() as u64 });
        }
        let u16_at = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let u64_at = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        if u16_at(8) != VERSION {
            return Err(FileError::Version(u16_at(8)));
        }
        let header = Header {
            slice: Slice { own_men: bytes[10], own_kings: bytes[11], other_men: bytes[12], other_kings: bytes[13] },
            order: std::array::from_fn(|place| usize::from(bytes[14 + place])),
            width: u16_at(18),
            rules: std::array::from_fn(|byte| bytes[24 + byte]),
            size: u64_at(40),
            counts: Counts { wins: u64_at(48), draws: u64_at(56), losses: u64_at(64), longest: u16_at(72) },
            lengths: [u64_at(80), u64_at(88)],
        };
        let mut groups = header.order;
        groups.sort_unstable();
        let is_valid = header.slice.is_valid()
            && groups == [0, 1, 2, 3]
            && header.width <= 2
            && bytes[20..24] == (BLOCK as u32).to_le_bytes()
            && header.size <= MAX_SIZE
            && header.lengths.iter().all(|length| *length <= u64::from(u32::MAX));
        if is_valid { Ok(header) } else { Err(FileError::Header) }
    }

    /// Return the number of blocks in a section.
    fn blocks(&self) -> usize {
        (self.size as usize).div_ceil(BLOCK)
    }

    /// Return the length of the file.
    fn file_length(&self) -> u64 {
        let offsets = 4 * (self.blocks() as u64 + 1);
        let sections = if self.width > 0 { 2 } else { 1 };
        HEADER as u64 + sections * offsets + self.lengths.iter().sum::<u64>() + CHECKSUM as u64
    }
}

/// Return the file of a slice. `values` returns the values of a range of indices, or `ANY`; `distances` their distances.
pub(super) fn encode(
    mut header: Header,
    mut values: impl FnMut(std::ops::Range<usize>, &mut Vec<u8>),
    mut distances: impl FnMut(std::ops::Range<usize>, &mut Vec<u16>),
) -> Vec<u8> {
    let size = header.size as usize;
    let ranges = || (0..size).step_by(BLOCK).map(|first| first..(first + BLOCK).min(size));
    let (mut entries, mut wide_entries) = (Vec::new(), Vec::new());
    let mut sections = Vec::new();
    let section = |blocks: &mut dyn FnMut(std::ops::Range<usize>, &mut Vec<u8>)| {
        let (mut offsets, mut data) = (vec![], Vec::new());
        for range in ranges() {
            offsets.extend((data.len() as u32).to_le_bytes());
            blocks(range, &mut data);
        }
        offsets.extend((data.len() as u32).to_le_bytes());
        let length = data.len() as u64;
        offsets.extend(data);
        (offsets, length)
    };
    let (bytes, length) = section(&mut |range, data| {
        entries.clear();
        values(range, &mut entries);
        encode_values(&entries, data);
    });
    sections.extend(bytes);
    header.lengths = [length, 0];
    if header.width > 0 {
        let (bytes, length) = section(&mut |range, data| {
            wide_entries.clear();
            distances(range, &mut wide_entries);
            let width = usize::from(header.width);
            let bytes: Vec<u8> =
                wide_entries.iter().flat_map(|each| each.to_le_bytes().into_iter().take(width)).collect();
            data.extend(miniz_oxide::deflate::compress_to_vec(&bytes, DEFLATE_LEVEL));
        });
        sections.extend(bytes);
        header.lengths[1] = length;
    }
    let mut file = header.to_bytes().to_vec();
    file.extend(sections);
    let checksum = crc32fast::hash(&file);
    file.extend(checksum.to_le_bytes());
    file
}

/// Encode a block of values, some of which can be `ANY`.
pub(super) fn encode_values(values: &[u8], codes: &mut Vec<u8>) {
    let mut at = 0;
    while at < values.len() {
        let rest = &values[at..];
        let value = rest.iter().copied().find(|value| *value != ANY).unwrap_or(0);
        let length = rest.iter().take_while(|each| **each == value || **each == ANY).count();
        // The last run of a block can be longer than the block.
        let class = if length == rest.len() && length > LITERAL {
            Some(RUNS.iter().position(|run| *run >= length).unwrap_or(RUNS.len() - 1))
        } else {
            RUNS.iter().rposition(|run| *run <= length)
        };
        if let Some(class) = class {
            codes.push(FIRST_RUN + 4 * value + class as u8);
            at += RUNS[class];
        } else {
            let digits = rest[..LITERAL.min(rest.len())].iter().rev();
            codes.push(digits.fold(0, |code, digit| code * 3 + if *digit == ANY { value } else { *digit }));
            at += LITERAL;
        }
    }
}

/// Return the entry of a block of values, or None if the block is damaged.
#[inline(always)]
fn decode_value(codes: &[u8], entry: usize) -> Option<u8> {
    const LENGTHS: [u16; 256] = {
        let mut lengths = [LITERAL as u16; 256];
        let mut code = FIRST_RUN as usize;
        while code < 255 {
            lengths[code] = RUNS[(code - FIRST_RUN as usize) % 4] as u16;
            code += 1;
        }
        lengths
    };
    const POWERS: [u8; LITERAL] = [1, 3, 9, 27, 81];
    let mut start = 0;
    for &code in codes {
        let next = start + usize::from(LENGTHS[usize::from(code)]);
        if entry < next {
            let run = || (code - FIRST_RUN) / 4;
            return Some(if code < FIRST_RUN { code / POWERS[entry - start] % 3 } else { run() });
        }
        start = next;
    }
    None
}

/// The bytes of a file: mapped, or in memory.
pub type FileBytes = Box<dyn AsRef<[u8]> + Send + Sync>;

/// A file of a slice, for look-ups.
pub(super) struct SliceFile {
    bytes: FileBytes,
    pub(super) header: Header,
    is_intact: OnceLock<bool>,
}

impl SliceFile {
    /// Read the header of a file, and check the length. The checksum is checked on the first look-up.
    pub(super) fn new(bytes: FileBytes, rules: &[u8; RULES_ID]) -> Result<Self, FileError> {
        let header = Header::from_bytes((*bytes).as_ref())?;
        if header.rules != *rules {
            return Err(FileError::OtherRules);
        }
        let (expected, found) = (header.file_length(), (*bytes).as_ref().len() as u64);
        if expected != found {
            return Err(FileError::Length { expected, found });
        }
        Ok(SliceFile { bytes, header, is_intact: OnceLock::new() })
    }

    /// Return an error if the checksum is wrong.
    #[inline(always)]
    pub(super) fn check(&self) -> Result<(), FileError> {
        let is_intact = self.is_intact.get_or_init(|| {
            let (content, checksum) = self.bytes().split_at(self.bytes().len() - CHECKSUM);
            crc32fast::hash(content).to_le_bytes() == checksum
        });
        if *is_intact { Ok(()) } else { Err(FileError::Checksum) }
    }

    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// Return a block of a section: 0 for the values, 1 for the distances.
    #[inline(always)]
    fn block(&self, section: usize, block: usize) -> Option<&[u8]> {
        let table = 4 * (self.header.blocks() + 1);
        let start = HEADER + section * (table + self.header.lengths[0] as usize);
        let offset = |block: usize| {
            let at = start + 4 * block;
            let bytes = self.bytes().get(at..at + 4)?;
            Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
        };
        let data = start + table;
        self.bytes().get(data + offset(block)?..data + offset(block + 1)?)
    }

    /// Return the value at an index. The file must be intact.
    #[inline(always)]
    pub(super) fn value(&self, index: usize) -> Result<Value, FileError> {
        let code = self.block(0, index / BLOCK).and_then(|codes| decode_value(codes, index % BLOCK));
        code.and_then(Value::from_code).ok_or(FileError::Checksum)
    }

    /// Return the first `count` values of a block. The file must be intact.
    pub(super) fn values(&self, block: usize, count: usize) -> Result<Vec<Value>, FileError> {
        let codes = self.block(0, block).ok_or(FileError::Checksum)?;
        let mut values = Vec::with_capacity(BLOCK + RUNS[RUNS.len() - 1]);
        for &code in codes {
            if code < FIRST_RUN {
                values.extend((0..LITERAL as u32).map(|digit| code / 3u8.pow(digit) % 3));
            } else {
                let run = RUNS[usize::from(code - FIRST_RUN) % 4];
                values.resize(values.len() + run, (code - FIRST_RUN) / 4);
            }
            if values.len() >= count {
                break;
            }
        }
        let values = values.get(..count).ok_or(FileError::Checksum)?;
        values.iter().map(|value| Value::from_code(*value).ok_or(FileError::Checksum)).collect()
    }

    /// Return the distance at an index, or None if the file has no distances.
    pub(super) fn distance(&self, index: usize) -> Result<Option<u16>, FileError> {
        if self.header.width == 0 {
            return Ok(None);
        }
        let entries = self.distances(index / BLOCK)?;
        Ok(Some(*entries.get(index % BLOCK).ok_or(FileError::Checksum)?))
    }

    /// Return the distances of a block.
    pub(super) fn distances(&self, block: usize) -> Result<Vec<u16>, FileError> {
        let width = usize::from(self.header.width);
        let compressed = self.block(1, block).ok_or(FileError::Checksum)?;
        let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(compressed, BLOCK * width)
            .map_err(|_| FileError::Checksum)?;
        let entry = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, byte| number << 8 | u16::from(*byte));
        Ok(bytes.chunks_exact(width).map(entry).collect())
    }
}
