//! The fuzz targets without a fuzzer: replay the kept inputs, then random mutations of them.
//!
//! The targets are in `targets`. `fuzz/core` runs the same ones with libFuzzer, which finds new inputs by coverage.
//! `fuzz/corpus` has the inputs that are kept.

mod targets;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};

use tablemen_core::random::Random;
use targets::{TARGETS, check};

/// The number of mutations per target. More belong to the fuzzer, which chooses them by coverage.
const MUTATIONS: u64 = 100;

/// The maximum size of an input in bytes.
const MAX_SIZE: usize = 4096;

fn read_corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    files.sort();
    files.iter().map(|path| fs::read(path).expect("the file can be read")).collect()
}

/// Run a target; print the input if the target panics.
fn run(target: &str, input: &[u8]) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(target, input))) {
        eprintln!("the target {target} panics with the input b\"{}\"", input.escape_ascii());
        resume_unwind(panic);
    }
}

/// Return a mutation of an input: a few bytes changed, inserted, removed, copied, or taken from another input.
fn mutate(input: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        let end = bytes.len().min(at + 1 + random.below(8));
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            2 => bytes.insert(at, random.below(256) as u8),
            3 => drop(bytes.drain(at..end)),
            4 => bytes.extend_from_within(at..end),
            _ => bytes.splice(at.., other[random.below(other.len() + 1)..].iter().copied()).for_each(drop),
        }
    }
    bytes.truncate(MAX_SIZE);
    bytes
}

/// Replay the inputs of a target, and mutations of them that are the same in every run.
fn replay(target: &str) {
    let corpus = read_corpus(target);
    assert!(!corpus.is_empty(), "the corpus has no input for {target}");
    corpus.iter().for_each(|input| run(target, input));
    for stream in 0..MUTATIONS {
        let mut random = Random::new(20, stream);
        let [input, other] = [0; 2].map(|_| &corpus[random.below(corpus.len())]);
        run(target, &mutate(input, other, &mut random));
    }
}

macro_rules! replay_tests {
    ($($name:ident),*) => {
        $(#[test]
        fn $name() {
            replay(stringify!($name));
        })*

        #[test]
        fn every_target_is_replayed() {
            assert_eq!(TARGETS.map(|(name, _)| name), [$(stringify!($name)),*]);
        }
    };
}

replay_tests!(fen, moves, pdn, positions, search, tablebase, mancala, solver, tables);
