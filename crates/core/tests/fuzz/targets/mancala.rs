//! Fuzz targets for mancala: notation, sowing, the solver and endgame tables.

use std::collections::HashMap;

use super::allocation::measure;
use super::{Input, LimitedWork, check_location};
use tablemen_core::mancala::solver::{EndgameTables, SolverOptions, solve};
use tablemen_core::mancala::{
    Board, Capture, Game, GrandSlam, MAX_SEEDS, Move, Rules, Setup, SowResult, format_move, format_position,
    parse_move, parse_position,
};
use tablemen_core::random_games::RandomGames;
use tablemen_core::side::Side;

/// The memory that a parser may allocate, and the additional memory for each byte of its text.
const BASE_MEMORY: usize = 1 << 20;
const MEMORY_PER_BYTE: usize = 128;

/// The maximum number of seeds that force a board into wide rows.
const WIDE: u16 = 256;

/// The maximum number of houses per side, and of seeds in the houses, of a position that is solved.
const MAX_SOLVED_HOUSES: usize = 3;
const MAX_SOLVED_SEEDS: usize = 10;

/// The size of the solver's transposition table.
const SOLVER_BYTES: usize = 1 << 16;

fn decode_rules(input: &mut Input<'_>, max_houses: usize) -> Rules {
    let houses = 1 + input.below(max_houses);
    let flags = input.byte();
    let flag = |bit: u8| flags >> bit & 1 == 1;
    let slams = [GrandSlam::NoCapture, GrandSlam::Captures, GrandSlam::Forbidden, GrandSlam::RestToOpponent];
    let kalah = input.below(3) > 0;
    Rules {
        houses,
        sows_store: kalah,
        sows_origin: kalah,
        capture: if kalah {
            Capture::Opposite { even_if_empty: flag(0) }
        } else {
            Capture::TwosAndThrees(slams[input.below(4)])
        },
        must_feed: !kalah && flag(1),
        either_empty_ends: flag(2),
        majority_ends: flag(3),
        counts_rest: flag(4),
        pie: flag(5),
    }
}

fn decode_setup(input: &mut Input<'_>, rules: &Rules) -> Setup {
    let turn = Side::new(input.flag());
    let swap_open = rules.pie && input.flag();
    // Large numbers only if the first one is, so that most boards fit in packed rows.
    let scale = if input.byte() == 255 { u16::from(input.byte()) } else { 1 };
    let mut left = MAX_SEEDS as u16;
    let mut pit = |bound: u8| {
        let seeds = (u16::from(input.byte() % bound) * scale).min(left);
        left -= seeds;
        seeds
    };
    let houses = [0; 2].map(|_| (0..rules.houses).map(|_| pit(30)).collect());
    Setup { turn, houses, stores: [pit(60), pit(60)], swap_open }
}

fn total(setup: &Setup) -> u32 {
    setup.houses.iter().flatten().chain(&setup.stores).map(|seeds| u32::from(*seeds)).sum()
}

fn list(board: &dyn Board) -> Vec<(Move, SowResult)> {
    let mut moves = Vec::new();
    board.for_each_move(&mut |each| moves.push(each));
    moves
}

/// Check the notation, move generation and sowing.
pub fn positions(bytes: &[u8]) {
    let mut input = Input(bytes);
    let rules = decode_rules(&mut input, 24);
    let setup = decode_setup(&mut input, &rules);
    let game = Game::new(rules);
    let board = game.board(&setup);
    assert_eq!(board.setup(), setup);
    assert_eq!(parse_position(&format_position(&setup), &rules, "fuzzed"), Ok(setup.clone()));
    check_board(&game, &*board);
    check_wide(&rules, &game, &setup);
    let text = input.text();
    let (parsed, memory) = measure(|| parse_position(&text, &rules, "fuzzed"));
    assert!(memory <= BASE_MEMORY + MEMORY_PER_BYTE * text.len(), "{memory} bytes");
    match parsed {
        Err(error) => check_location(&error, &text),
        Ok(parsed) => {
            assert!(total(&parsed) <= MAX_SEEDS);
            assert_eq!(parse_position(&format_position(&parsed), &rules, "fuzzed"), Ok(parsed.clone()));
            check_board(&game, &*game.board(&parsed));
        }
    }
    match parse_move(&text, rules.houses) {
        Err(error) => check_location(&error, &text),
        Ok(played) => assert_eq!(parse_move(&format_move(played), rules.houses), Ok(played)),
    }
}

/// Check every move of a position.
fn check_board(game: &Game, board: &dyn Board) {
    let (setup, legal) = (board.setup(), list(board));
    let houses = setup.houses[0].len();
    assert_eq!(board.ending().is_some(), legal.is_empty());
    for played in (0..houses as u8).map(Move::Sow).chain([Move::Swap]) {
        assert_eq!(board.is_legal(played), legal.iter().any(|(each, _)| *each == played));
    }
    let mut replies = 0;
    for (played, result) in &legal {
        let after = board.after(*played);
        assert_eq!(total(&after.setup()), total(&setup), "{played:?} changes the number of seeds");
        assert!(after.equals(&*game.board(&after.setup())));
        assert_eq!(after.hash_key(), game.board(&after.setup()).hash_key());
        if let Move::Sow(house) = played {
            assert_eq!(result.sown, setup.houses[setup.turn.index()][usize::from(*house)]);
            assert_eq!(after.turn() == setup.turn, result.extra_turn);
            assert!(after.setup().stores[setup.turn.index()] >= setup.stores[setup.turn.index()] + result.captured);
        }
        replies += list(&*after).len() as u64;
    }
    assert_eq!(board.perft(1, 1, &|_| true), Some(legal.len() as u64));
    assert_eq!(board.perft(2, 1, &|_| true), Some(replies));
    let work = LimitedWork::new(100);
    let batch = RandomGames { games: 2, seed: 1, max_plies: 60, threads: 1 };
    if let Some(games) = board.playouts(&batch, &*work.monitor) {
        assert!(games.iter().all(|game| game.plies <= batch.max_plies));
    }
    work.check();
}

/// Check that a board in wide rows has the same moves as one in packed rows.
fn check_wide(rules: &Rules, game: &Game, setup: &Setup) {
    if rules.majority_ends || total(setup) >= u32::from(WIDE) {
        return;
    }
    let add_to_stores = |setup: &Setup| Setup { stores: setup.stores.map(|seeds| seeds + WIDE), ..setup.clone() };
    let (packed, wide) = (game.board(setup), game.board(&add_to_stores(setup)));
    assert_eq!(list(&*packed), list(&*wide));
    assert_eq!(packed.ending(), wide.ending());
    for (played, _) in list(&*packed) {
        assert_eq!(add_to_stores(&packed.after(played).setup()), wide.after(played).setup());
    }
    assert_eq!(packed.perft(3, 1, &|_| true), wide.perft(3, 1, &|_| true));
}

/// Decode rules without infinite games, and a position with few seeds in its houses.
fn decode_solvable(input: &mut Input<'_>) -> (Rules, Setup) {
    let mut rules = decode_rules(input, MAX_SOLVED_HOUSES);
    (rules.sows_store, rules.sows_origin, rules.must_feed) = (true, true, false);
    if let Capture::TwosAndThrees(_) = rules.capture {
        rules.capture = Capture::Opposite { even_if_empty: false };
    }
    let mut setup = decode_setup(input, &rules);
    let mut left = MAX_SOLVED_SEEDS as u16;
    for seeds in setup.houses.iter_mut().flatten() {
        *seeds = (*seeds % 5).min(left);
        left -= *seeds;
    }
    setup.stores = setup.stores.map(|seeds| seeds % 8);
    (rules, setup)
}

fn solver_options(tables: Option<EndgameTables>) -> SolverOptions {
    SolverOptions { tables, threads: 1, max_bytes: SOLVER_BYTES, each_move: true }
}

/// Check the solver against plain minimax, with and without endgame tables.
pub fn solver(bytes: &[u8]) {
    let mut input = Input(bytes);
    let (rules, setup) = decode_solvable(&mut input);
    let layers = input.below(MAX_SOLVED_SEEDS);
    let game = Game::new(rules);
    let (board, mut values) = (game.board(&setup), HashMap::new());
    let expected = minimax(&*board, &mut values);
    let tables = EndgameTables::new(rules).map(|mut tables| {
        (0..layers).for_each(|_| tables.grow(1, &|_| true).expect("the work is not cancelled"));
        tables
    });
    if let Some(tables) = &tables {
        let [own, other] = [setup.turn, setup.turn.opponent()].map(|side| &setup.houses[side.index()]);
        let lead = i32::from(setup.stores[setup.turn.index()]) - i32::from(setup.stores[1 - setup.turn.index()]);
        let margin = tables.margin(own, other).map(|margin| lead + i32::from(margin));
        assert!(setup.swap_open || margin.is_none_or(|margin| margin == expected));
    }
    for tables in [None, tables] {
        let solution = solve(rules, &setup, &solver_options(tables), &mut |_| true).expect("a small board is solved");
        assert_eq!(solution.value, expected, "{rules:?} {setup:?}");
        let moves: Vec<Move> = list(&*board).iter().map(|(played, _)| *played).collect();
        assert_eq!(solution.moves.iter().map(|(played, _)| *played).collect::<Vec<_>>(), moves);
        for (played, value) in solution.moves {
            let after = board.after(played);
            let sign = if after.turn() == setup.turn { 1 } else { -1 };
            assert_eq!(value, sign * minimax(&*after, &mut values), "{played:?} in {rules:?} {setup:?}");
        }
    }
}

/// Return the final margin of the side to move under perfect play.
fn minimax(board: &dyn Board, values: &mut HashMap<String, i32>) -> i32 {
    let setup = board.setup();
    let turn = setup.turn.index();
    let key = format_position(&setup);
    if let Some(value) = values.get(&key) {
        return *value;
    }
    let child = |(played, _): (Move, SowResult)| {
        let after = board.after(played);
        let value = minimax(&*after, values);
        if after.turn() == setup.turn { value } else { -value }
    };
    let best = list(board).into_iter().map(child).max();
    let score = board.score().map(i32::from);
    let value = best.unwrap_or(score[turn] - score[1 - turn]);
    values.insert(key, value);
    value
}

/// Check that damaged endgame tables cause wrong values at most: no panic, and no endless search.
pub fn tables(bytes: &[u8]) {
    let mut input = Input(bytes);
    let (mut rules, setup) = decode_solvable(&mut input);
    rules.majority_ends = false;
    let mut built = EndgameTables::new(rules).expect("the rules support tables");
    for _ in 0..1 + input.below(MAX_SOLVED_SEEDS) {
        built.grow(1, &|_| true).expect("the work is not cancelled");
    }
    let mut damaged = EndgameTables::new(rules).expect("the rules support tables");
    for seeds in 0..built.layers() {
        let mut layer = built.layer(seeds).expect("the layer is built").to_vec();
        for _ in 0..input.below(4) {
            let at = input.below(layer.len());
            layer[at] = input.byte();
        }
        match input.below(16) {
            0 => layer.truncate(input.below(layer.len())),
            1 => layer.push(input.byte()),
            _ => {}
        }
        let fits = layer.len() as u64 == damaged.positions(seeds);
        let added = damaged.add(Box::new(layer));
        assert!(fits || !added, "a layer of the wrong size is accepted");
        if !added {
            break;
        }
    }
    let [own, other] = &setup.houses;
    let seeds: usize = own.iter().chain(other).map(|seeds| usize::from(*seeds)).sum();
    assert_eq!(damaged.margin(own, other).is_some(), seeds < damaged.layers());
    let solution = solve(rules, &setup, &solver_options(Some(damaged.clone())), &mut |_| true);
    assert!(solution.is_ok(), "{solution:?}");
    if damaged.layers() <= MAX_SOLVED_SEEDS {
        damaged.grow(1, &|_| true).expect("the work is not cancelled");
    }
}
