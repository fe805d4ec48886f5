//! Deterministic workloads, which execute the same instructions in every run: `benchmarks/instructions.py` counts them.
//!
//! `instructions` without an argument lists the names of the workloads. With a name it runs that workload, inside the
//! function `counted`, and prints its result.

mod games;

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;

use tablemen_core::draughts;
use tablemen_core::draughts::tablebase::{RULES_ID, Slice, Tablebase, Value};
use tablemen_core::mancala;
use tablemen_core::mancala::solver::{EndgameTables, SolverOptions, solve};
use tablemen_core::pdn::Scanner;
use tablemen_core::random::Random;
use tablemen_core::random_games::{Playout, RandomGames};
use tablemen_core::search::{Limit, SearchConfig, TimeManager, TranspositionTable};
use tablemen_core::side::Side;
use tablemen_core::work::unlimited;

use games::{
    crowded, english, facing, frisian, international, kalah, random_endgame, seeded, turkish, turkish_start, weights,
    wide,
};

const SEED: u64 = 20;

/// A workload. Its result is a checksum, which shows that the work was done.
type Work = fn() -> u64;

/// The workloads by name.
const WORK: &[(&str, Work)] = &[
    ("perft international", || perft(international(), &facing(50, 20), 7)),
    ("perft english", || perft(english(), &facing(32, 12), 7)),
    ("perft frisian", || perft(frisian(), &facing(50, 20), 6)),
    ("perft turkish", || perft(turkish(), &turkish_start(), 5)),
    ("perft kalah", perft_kalah),
    ("legal moves international", || legal_moves(international(), &facing(50, 20))),
    ("legal moves english", || legal_moves(english(), &facing(32, 12))),
    ("crowded captures", crowded_captures),
    ("random games international", || random_games(international(), &facing(50, 20))),
    ("random games kalah", random_games_kalah),
    ("scan game file", scan_game_file),
    ("replay games", replay_games),
    ("search international", search_international),
    ("search kalah", search_kalah),
    ("build tablebase", build_tablebase),
    ("probe tablebase", probe_tablebase),
    ("tables kalah", tables_kalah),
    ("solve kalah", solve_kalah),
];

fn main() -> ExitCode {
    let Some(selected) = std::env::args().nth(1) else {
        WORK.iter().for_each(|(name, _)| println!("{name}"));
        return ExitCode::SUCCESS;
    };
    let Some((_, work)) = WORK.iter().find(|(name, _)| *name == selected) else {
        eprintln!("unknown workload: {selected}");
        return ExitCode::FAILURE;
    };
    println!("{}", work());
    ExitCode::SUCCESS
}

/// Run the counted part of a workload. Valgrind selects it by the name of this function, so it must not be inlined.
#[inline(never)]
fn counted(work: &mut dyn FnMut() -> u64) -> u64 {
    black_box(work())
}

fn batch(games: u64) -> RandomGames {
    RandomGames { games, seed: SEED, max_plies: 200, threads: 1 }
}

fn perft(rules: draughts::Rules, setup: &draughts::Setup, depth: u32) -> u64 {
    let board = draughts::compile(rules).board(setup);
    counted(&mut || board.perft(depth, false, 1, &unlimited()).expect("the work is not cancelled"))
}

fn perft_kalah() -> u64 {
    let board = mancala::Game::new(kalah(6)).board(&seeded(6, 4));
    counted(&mut || board.perft(8, 1, &|_| true).expect("the work is not cancelled"))
}

/// The positions of a random game, and the moves between them.
type Played = (Vec<Box<dyn draughts::Board>>, Vec<draughts::SquareMove>);

fn random_game(game: &dyn draughts::CompiledRules, setup: &draughts::Setup, stream: u64) -> Played {
    let (mut random, mut moves) = (Random::new(SEED, stream), Vec::new());
    let mut positions = vec![game.board(setup)];
    for _ in 0..90 {
        let last = positions.last().expect("the list has the start position");
        let mut legal = last.legal_moves(false, None).expect("the work is not cancelled");
        if legal.is_empty() {
            break;
        }
        let played = legal.swap_remove(random.below(legal.len()));
        positions.push(last.after(&played));
        moves.push(played);
    }
    (positions, moves)
}

fn legal_moves(rules: draughts::Rules, setup: &draughts::Setup) -> u64 {
    let game = draughts::compile(rules);
    let positions: Vec<_> = (0..20).flat_map(|stream| random_game(&*game, setup, stream).0).collect();
    let listed = |board: &dyn draughts::Board| board.legal_moves(false, None).map_or(0, |list| list.len());
    counted(&mut || positions.iter().map(|board| listed(&**board) as u64).sum())
}

/// Count the captures of a flying king among many men, which have a very large number of paths.
fn crowded_captures() -> u64 {
    let game = draughts::compile(wide());
    let positions: Vec<_> = (0..10).map(|stream| game.board(&crowded(&mut Random::new(SEED, stream)))).collect();
    let monitor = unlimited();
    let listed = |board: &dyn draughts::Board| board.legal_moves(false, Some(&monitor)).map_or(0, |list| list.len());
    counted(&mut || positions.iter().map(|board| listed(&**board) as u64).sum())
}

fn plies(games: &[Playout]) -> u64 {
    games.iter().map(|game| u64::from(game.plies)).sum()
}

fn random_games(rules: draughts::Rules, setup: &draughts::Setup) -> u64 {
    let board = draughts::compile(rules).board(setup);
    counted(&mut || board.playouts(&batch(500), &unlimited()).map_or(0, |games| plies(&games)))
}

fn random_games_kalah() -> u64 {
    let board = mancala::Game::new(kalah(6)).board(&seeded(6, 4));
    counted(&mut || board.playouts(&batch(5000), &|_| true).map_or(0, |games| plies(&games)))
}

fn scan_game_file() -> u64 {
    let game = draughts::compile(international());
    let file: String = (0..50).map(|stream| game_text(&random_game(&*game, &facing(50, 20), stream).1)).collect();
    counted(&mut || {
        let (mut scanner, mut games) = (Scanner::default(), Vec::new());
        scanner.feed(file.as_bytes(), &mut games);
        scanner.finish(&mut games);
        games.iter().map(|scan| scan.tokens.len() as u64).sum()
    })
}

fn game_text(moves: &[draughts::SquareMove]) -> String {
    let mut text = "[Event \"Counted\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"*\"]\n\n".to_owned();
    for (ply, played) in moves.iter().enumerate() {
        if ply % 2 == 0 {
            text += &format!("{}. ", ply / 2 + 1);
        }
        let sign = if played.jumps.is_empty() { '-' } else { 'x' };
        text += &format!("{}{sign}{}{}", played.from + 1, played.to + 1, if ply % 12 == 11 { '\n' } else { ' ' });
    }
    text + "*\n\n"
}

/// Replay games in which the first and the last square identify every move.
fn replay_games() -> u64 {
    let game = draughts::compile(international());
    let texts: Vec<_> = (0..200)
        .map(|stream| {
            let (positions, moves) = random_game(&*game, &facing(50, 20), stream);
            let clear = |(board, played): &(&dyn draughts::Board, &draughts::SquareMove)| {
                let legal = board.legal_moves(false, None).unwrap_or_default();
                board.match_moves(&legal, &[played.from, played.to]).len() == 1
            };
            let step = |(_, played): (_, &draughts::SquareMove)| draughts::Step::Move {
                from: played.from,
                to: played.to,
                between: (0, 0),
                captures: !played.jumps.is_empty(),
            };
            let boards = positions.iter().map(|board| &**board);
            let steps = boards.zip(&moves).take_while(clear).map(step).collect();
            draughts::MoveText { steps, between: vec![], first: Side::White }
        })
        .collect();
    let start = game.board(&facing(50, 20));
    let replayed = |text: &draughts::MoveText| match start.replay(
        text,
        &[],
        draughts::Ambiguity::Reject,
        None,
        Some(&unlimited()),
    ) {
        Ok(Some(_)) => text.steps.len() as u64,
        _ => panic!("a game of legal moves cannot be replayed"),
    };
    counted(&mut || texts.iter().map(replayed).sum())
}

fn search_international() -> u64 {
    let game = draughts::compile(international());
    let evaluator = game.evaluation(&weights(&international())).expect("the weights fit the board");
    let board = game.board(&facing(50, 20));
    searched(
        |config| board.search(&[], &[], &*evaluator, None, config, &mut |_| ()).first().map_or(0, |info| info.nodes),
        9,
    )
}

fn search_kalah() -> u64 {
    let board = mancala::Game::new(kalah(6)).board(&seeded(6, 4));
    searched(|config| board.search(&[], &[], None, config, &mut |_| ()).first().map_or(0, |info| info.nodes), 14)
}

/// Return the number of nodes of a search to a depth.
fn searched(search: impl Fn(&SearchConfig<'_>) -> u64, depth: u32) -> u64 {
    let table = TranspositionTable::new(1 << 20).expect("a small table can be allocated");
    let time = Arc::new(TimeManager::new(Limit { depth: Some(depth), ..Limit::default() }, false));
    let (multipv, threads, key_salt, full_width) = (1, 1, 0, false);
    let config = SearchConfig { table: &table, time: &time, multipv, threads, seed: SEED, key_salt, full_width };
    counted(&mut || search(&config))
}

/// Build the tablebase of English draughts with two and three pieces, with distances.
fn built_tablebase() -> Arc<dyn Tablebase> {
    let tables = draughts::compile(english()).tablebase([0; RULES_ID]).expect("English draughts is supported");
    for slice in (2..=3).flat_map(Slice::list) {
        if tables.counts(slice).is_none() {
            let built =
                tables.build(slice, true, 1, &unlimited()).ok().flatten().expect("the slices are built in order");
            for slice in built {
                tables.add(Box::new(slice.file)).expect("the file is intact");
            }
        }
    }
    tables
}

fn build_tablebase() -> u64 {
    counted(&mut || {
        let tables = built_tablebase();
        Slice::list(3).into_iter().filter_map(|slice| tables.counts(slice)).map(|(counts, _)| counts.wins).sum()
    })
}

fn probe_tablebase() -> u64 {
    let (tables, game, mut random) = (built_tablebase(), draughts::compile(english()), Random::new(SEED, 0));
    let boards: Vec<_> = (0..20_000).map(|_| game.board(&random_endgame(&english(), 3, &mut random))).collect();
    let is_won = |board: &dyn draughts::Board| {
        let found = tables.probe(board, false).expect("the files are intact");
        found.is_some_and(|found| found.value == Value::Win)
    };
    counted(&mut || boards.iter().filter(|board| is_won(&***board)).count() as u64)
}

fn grown(houses: usize, layers: usize) -> EndgameTables {
    let mut tables = EndgameTables::new(kalah(houses)).expect("Kalah has endgame tables");
    (0..layers).for_each(|_| tables.grow(1, &|_| true).expect("the work is not cancelled"));
    tables
}

fn tables_kalah() -> u64 {
    counted(&mut || {
        let tables = grown(6, 7);
        (0..7).map(|seeds| tables.positions(seeds)).sum()
    })
}

/// Solve a small Kalah. The solver runs in its own thread; the polling of the calling thread is not counted.
fn solve_kalah() -> u64 {
    let options = SolverOptions { tables: Some(grown(4, 8)), threads: 1, max_bytes: 1 << 24, each_move: false };
    counted(&mut || solve(kalah(4), &seeded(4, 4), &options, &mut |_| true).expect("the position can be solved").nodes)
}
