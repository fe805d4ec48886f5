//! `probe VARIANT PIECES FILE…`: print the nanoseconds of a probe in the files of a tablebase.
//!
//! The first number is for random positions without compulsory captures, the second one for those with captures; it is 0
//! if no capture is compulsory. `benchmarks/tablebase.py` runs this program.

#[path = "../instructions/games.rs"]
#[expect(dead_code, reason = "most of the inputs are for the other example")]
mod games;

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use games::{english, international, random_endgame, turkish};
use tablemen_core::draughts::tablebase::{RULES_ID, Tablebase};
use tablemen_core::draughts::{Board, Promotion, Rules, compile};
use tablemen_core::memory::map_file;
use tablemen_core::random::Random;

/// The number of positions of each kind.
const POSITIONS: usize = 100_000;

/// The number of rounds, of which the fastest counts.
const ROUNDS: usize = 5;

/// The offset of the identifier of the rules in a file.
const ID: usize = 24;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [variant, pieces, files @ ..] = &arguments[..] else {
        return Err("usage: probe VARIANT PIECES FILE…".into());
    };
    let brazilian = Rules { columns: 8, rows: 8, ..international() };
    let rules = match &variant[..] {
        "english" => english(),
        "international" => international(),
        "brazilian" => brazilian,
        "russian" => Rules { promotion: Promotion::InFlight, precedence: vec![], ..brazilian },
        "turkish" => turkish(),
        _ => return Err(format!("unknown variant: {variant}").into()),
    };
    let first = std::fs::read(files.first().ok_or("no files")?)?;
    let id: [u8; RULES_ID] = first.get(ID..ID + RULES_ID).ok_or("not a tablebase")?.try_into()?;
    let compiled = compile(rules.clone());
    let tables = compiled.tablebase(id)?;
    for file in files {
        tables.add(Box::new(map_file(file.as_ref())?)).map_err(|error| format!("{file}: {error}"))?;
    }
    let (mut random, pieces) = (Random::new(1, 0), pieces.parse()?);
    let (mut quiet, mut captures) = (Vec::new(), Vec::new());
    for _ in 0..2 * POSITIONS {
        let board = compiled.board(&random_endgame(&rules, pieces, &mut random));
        match board.legal_moves(false, None).unwrap_or_default().first() {
            Some(played) if rules.capture_compulsory && !played.jumps.is_empty() => captures.push(board),
            Some(_) => quiet.push(board),
            None => {}
        }
    }
    println!("{} {}", time(&*tables, &quiet), time(&*tables, &captures));
    Ok(())
}

/// Return the nanoseconds of a probe, in the fastest round.
fn time(tables: &dyn Tablebase, boards: &[Box<dyn Board>]) -> f64 {
    let round = |_| {
        let begin = Instant::now();
        for board in boards {
            black_box(tables.probe(&**board, false).expect("the files are intact").expect("the slice is present"));
        }
        begin.elapsed().as_nanos() as f64 / boards.len().max(1) as f64
    };
    (0..=ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}
