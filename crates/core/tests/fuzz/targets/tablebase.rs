//! Fuzz target for the files of endgame tablebases.

use std::sync::Arc;

use super::Input;
use super::allocation::measure;
use super::draughts::BASE_MEMORY;
use super::rules::{decode_rules, decode_setup, places};
use tablemen_core::draughts::tablebase::{FileError, RULES_ID, Slice, Tablebase, Value};
use tablemen_core::draughts::{Board, CompiledRules, Rules, Setup, Weights, compile};
use tablemen_core::search::{Limit, SearchConfig, TimeManager, TranspositionTable};
use tablemen_core::side::Side;
use tablemen_core::work::unlimited;

const ID: [u8; RULES_ID] = [7; RULES_ID];

/// The columns and rows of the boards, and the number of pieces of the tablebases.
const BOARDS: [(usize, usize, usize); 5] = [(4, 4, 3), (4, 4, 2), (5, 5, 2), (4, 6, 2), (6, 6, 2)];

/// The length of the header of a file, and the offsets of its fields of 64 bits.
const HEADER: usize = 128;
const FIELDS: [usize; 6] = [40, 48, 56, 64, 80, 88];

/// The memory that a slice may need in addition to `BASE_MEMORY`, by the number of its indices.
const MEMORY_PER_INDEX: usize = 16;

/// Check that a damaged file causes an error or wrong values at most: no panic, no endless work and no large memory.
pub fn files(bytes: &[u8]) {
    let mut input = Input(bytes);
    let (rules, pieces) = decode_small_rules(&mut input);
    let compiled = compile(rules.clone());
    let Ok(built) = compiled.tablebase(ID) else { return };
    let has_distances = input.flag();
    let files = build(&*built, pieces, has_distances);
    let damaged = compiled.tablebase(ID).expect("the rules are supported");
    let mut slices: Vec<Slice> = files.iter().map(|(slice, _)| *slice).collect();
    let mut is_intact = true;
    for (slice, file) in &files {
        let mut changed = file.clone();
        let has_checksum = damage(&mut changed, &mut input);
        is_intact &= changed == *file;
        let has_error = !has_checksum && changed != *file;
        let (added, memory) = measure(|| damaged.add(Box::new(changed.clone())));
        assert!(memory <= BASE_MEMORY, "{memory} bytes");
        match added {
            Err(error) => {
                assert!(changed != *file && !error.to_string().is_empty());
                damaged.add(Box::new(file.clone())).expect("the file is intact");
            }
            Ok(added) => {
                assert!(damaged.check(added).is_err() == has_error, "the checksum of {slice} is not checked");
                slices.push(added);
            }
        }
    }
    if input.flag() {
        let added = damaged.add(Box::new(input.0.to_vec())).ok();
        is_intact &= added.is_none();
        slices.extend(added);
    }
    slices.sort_unstable();
    slices.dedup();
    for slice in &slices {
        let found = verify(&*damaged, *slice);
        assert!(!is_intact || found.is_ok_and(|has_error| !has_error), "{slice} of {rules:?} is wrong");
    }
    for _ in 0..8 {
        let setup = if input.below(4) == 0 { decode_setup(&mut input, &rules) } else { decode_few(&mut input, &rules) };
        let board = compiled.board(&setup);
        check_probe(&*built, &*damaged, &*board, is_intact);
    }
    build_from(&*damaged, &mut input);
    search(&*compiled, &*damaged, &rules, &mut input);
}

/// Decode rules on a board with at most 18 squares, and the number of pieces of a tablebase.
fn decode_small_rules(input: &mut Input<'_>) -> (Rules, usize) {
    let rules = decode_rules(input, 12);
    let (columns, rows, pieces) = BOARDS[input.below(BOARDS.len())];
    let all_squares = rules.all_squares && columns * rows == 16;
    (Rules { columns, rows, all_squares, king_move_limit: 0, ..rules }, if all_squares { 2 } else { pieces })
}

/// Build all slices, add them to the tablebase, and return their files.
fn build(tables: &dyn Tablebase, pieces: usize, distances: bool) -> Vec<(Slice, Vec<u8>)> {
    let mut files = Vec::new();
    for slice in (2..=pieces).flat_map(Slice::list) {
        if tables.counts(slice).is_some() {
            continue;
        }
        let built = tables.build(slice, distances, 1, &unlimited()).expect("the files are intact");
        for built in built.expect("the work is not cancelled") {
            tables.add(Box::new(built.file.clone())).expect("the file is intact");
            files.push((built.slice, built.file));
        }
    }
    files
}

/// Change a file, and return whether its checksum is correct.
fn damage(file: &mut Vec<u8>, input: &mut Input<'_>) -> bool {
    for _ in 0..input.below(4) {
        let at = input.below(file.len());
        match input.below(8) {
            0 => file.truncate(at.max(1)),
            1 => file.insert(at, input.byte()),
            2 => file[at.min(HEADER - 1)] = input.byte(),
            3 => {
                let field = FIELDS[input.below(FIELDS.len())];
                let number = u64::from(input.byte()) << (8 * input.below(8));
                file.iter_mut().skip(field).zip(number.to_le_bytes()).for_each(|(byte, new)| *byte = new);
            }
            _ => file[at] = input.byte(),
        }
    }
    let is_correct = input.below(4) > 0 && file.len() > 4;
    if is_correct {
        let end = file.len() - 4;
        let checksum = crc32fast::hash(&file[..end]).to_le_bytes();
        file[end..].copy_from_slice(&checksum);
    }
    is_correct
}

/// Return whether a slice has a wrong value, or the error.
fn verify(tables: &dyn Tablebase, slice: Slice) -> Result<bool, FileError> {
    let (found, memory) = measure(|| tables.verify(slice, 1, &unlimited()));
    let indices = (2..=slice.pieces()).flat_map(Slice::list).map(|slice| tables.size(slice) as usize).sum::<usize>();
    assert!(memory <= BASE_MEMORY + MEMORY_PER_INDEX * indices, "{memory} bytes for {indices} indices of {slice}");
    found.map(|found| found.expect("the work is not cancelled").is_some())
}

/// Decode a position with two to five pieces; men can be on any square.
fn decode_few(input: &mut Input<'_>, rules: &Rules) -> Setup {
    let mut setup = Setup { turn: Side::new(input.flag()), ..Setup::default() };
    let mut free: Vec<usize> = (0..places(rules).len()).collect();
    for number in 0..2 + input.below(4) {
        let square = free.remove(input.below(free.len()));
        let kind = input.byte();
        let side = if number < 2 { number } else { usize::from(kind & 1) };
        let pieces = if kind & 2 == 0 { &mut setup.men } else { &mut setup.kings };
        pieces[side].push(square);
    }
    setup
}

/// Check that a position has a value or an error, and the correct value if the files are intact.
fn check_probe(built: &dyn Tablebase, damaged: &dyn Tablebase, board: &dyn Board, is_intact: bool) {
    let expected = built.probe(board, true).expect("the files are intact");
    let (found, memory) = measure(|| damaged.probe(board, true));
    assert!(memory <= BASE_MEMORY, "{memory} bytes");
    if let Ok(Some(found)) = found {
        assert!(found.value != Value::Draw || found.distance.is_none_or(|plies| plies == 0));
    }
    assert!(!is_intact || found == Ok(expected), "{found:?} and {expected:?} of {:?}", board.setup());
}

/// Build a slice from damaged ones.
fn build_from(tables: &dyn Tablebase, input: &mut Input<'_>) {
    let slices = Slice::list(2 + input.below(2));
    let slice = slices[input.below(slices.len())];
    if let Ok(built) = tables.build(slice, input.flag(), 1, &unlimited()) {
        for built in built.expect("the work is not cancelled") {
            let added = tables.add(Box::new(built.file));
            assert_eq!((added, tables.check(built.slice)), (Ok(built.slice), Ok(())));
        }
    }
}

/// Search with a damaged tablebase.
fn search(compiled: &dyn CompiledRules, tables: &dyn Tablebase, rules: &Rules, input: &mut Input<'_>) {
    let board = compiled.board(&decode_few(input, rules));
    let evaluator = compiled.evaluation(&Weights::zero(rules, 24)).expect("the weights fit the board");
    let table = TranspositionTable::new(1 << 12).expect("there is memory for a small table");
    let limit = Limit { depth: Some(6), nodes: Some(500), ..Limit::default() };
    let time = Arc::new(TimeManager::new(limit, false));
    let (multipv, threads, seed, key_salt, full_width) = (1, 1, 0, 0, false);
    let config = SearchConfig { table: &table, time: &time, multipv, threads, seed, key_salt, full_width };
    let lines = board.search(&[], &[], &*evaluator, Some(tables), &config, &mut |_| ());
    assert_eq!(lines.is_empty(), board.ending().is_some());
}
