//! Tests of the solver against an exhaustive search with the move generator.

use std::collections::HashMap;

use super::numbering::Numbering;
use super::transposition::{Bounds, PackedTable, SolverTable};
use super::{EndgameTables, Solution, SolveError, SolverOptions, solve, solve_all};
use crate::mancala::board::tests::kalah;
use crate::mancala::generator::MoveGenerator;
use crate::mancala::position::Position;
use crate::mancala::row::{Row, WideRow};
use crate::mancala::rules::{Capture, GrandSlam, Rules};
use crate::mancala::{Move, Setup};
use crate::random::Random;
use crate::side::Side;

/// Return rules by number: each bit is a choice.
fn rules(houses: usize, choices: usize) -> Rules {
    let chosen = |bit: usize| choices >> bit & 1 == 1;
    Rules {
        capture: Capture::Opposite { even_if_empty: chosen(0) },
        either_empty_ends: chosen(1) || chosen(4),
        majority_ends: chosen(4),
        counts_rest: !chosen(2),
        pie: chosen(3),
        ..kalah(houses)
    }
}

const CHOICES: usize = 32;

/// An oracle: exhaustive negamax with memoisation.
struct Oracle {
    generator: MoveGenerator<WideRow>,
    known: HashMap<(WideRow, WideRow, Side, bool), i32>,
}

impl Oracle {
    fn new(rules: Rules) -> Self {
        Oracle { generator: MoveGenerator::new(rules), known: HashMap::new() }
    }

    fn margin(&mut self, position: &Position<WideRow>) -> i32 {
        let key = (position.own, position.other, position.turn, position.swap_open);
        if let Some(margin) = self.known.get(&key) {
            return *margin;
        }
        let moves = self.moves(position).into_iter().map(|(_, margin)| margin);
        let margin = moves.max().unwrap_or_else(|| {
            let score = self.generator.score(position).map(i32::from);
            score[position.turn.index()] - score[position.turn.opponent().index()]
        });
        self.known.insert(key, margin);
        margin
    }

    fn moves(&mut self, position: &Position<WideRow>) -> Vec<(Move, i32)> {
        let mut moves = Vec::new();
        for played in self.generator.legal_moves(position) {
            let after = self.generator.after(position, played);
            let margin = self.margin(&after);
            moves.push((played, if after.turn == position.turn { margin } else { -margin }));
        }
        moves
    }
}

/// Return a board with a few seeds in random pits.
fn board(random: &mut Random, houses: usize, seeds: usize, pie: bool) -> Setup {
    let mut setup = Setup { houses: [vec![0; houses], vec![0; houses]], ..Setup::default() };
    for _ in 0..random.below(seeds + 1) {
        setup.houses[random.below(2)][random.below(houses)] += 1;
    }
    setup.stores = [random.below(5) as u16, random.below(5) as u16];
    setup.turn = Side::new(random.below(2) == 1);
    setup.swap_open = pie && random.below(2) == 1;
    setup
}

fn options(tables: Option<EndgameTables>) -> SolverOptions {
    SolverOptions { tables, threads: 1, max_bytes: 1 << 20, each_move: true }
}

fn tables(rules: Rules, layers: usize) -> Option<EndgameTables> {
    let mut tables = EndgameTables::new(rules)?;
    while tables.layers() < layers {
        tables.grow(1, &|_| true).unwrap();
    }
    Some(tables)
}

fn answer(rules: Rules, setup: &Setup, options: &SolverOptions) -> Solution {
    solve(rules, setup, options, &mut |_| true).unwrap()
}

#[test]
fn solutions_match_an_exhaustive_search() {
    let mut random = Random::new(6, 1);
    for (houses, seeds) in [(1, 12), (2, 9), (3, 9), (4, 8), (6, 7), (7, 6), (9, 6)] {
        for choices in 0..CHOICES {
            let rules = rules(houses, choices);
            let (mut oracle, tables) = (Oracle::new(rules), tables(rules, 5));
            assert_eq!(tables.is_none(), houses > 7 || rules.majority_ends);
            for _ in 0..if cfg!(debug_assertions) { 3 } else { 40 } {
                let setup = board(&mut random, houses, seeds, rules.pie);
                let position = Position::new(&setup);
                let (value, moves) = (oracle.margin(&position), oracle.moves(&position));
                let mut options = options(None);
                let found = answer(rules, &setup, &options);
                assert_eq!((found.value, &found.moves), (value, &moves), "{rules:?} {setup:?}");
                options.tables = tables.clone();
                options.threads = 2;
                let found = answer(rules, &setup, &options);
                assert_eq!((found.value, &found.moves), (value, &moves), "{rules:?} {setup:?} with tables");
                options.each_move = false;
                let found = answer(rules, &setup, &options);
                assert_eq!(found.value, value);
                assert_eq!(found.moves.is_empty(), moves.is_empty());
                assert!(found.moves.iter().all(|best| best.1 == value && moves.contains(best)));
            }
        }
    }
}

#[test]
fn a_batch_has_the_same_solutions() {
    let mut random = Random::new(7, 1);
    for choices in 0..CHOICES {
        let rules = rules(4, choices);
        let (tables, mut setups) = (tables(rules, 4), vec![]);
        for _ in 0..20 {
            setups.push(board(&mut random, 4, 8, rules.pie));
        }
        // These rows do not fit in words.
        setups.push(Setup { stores: [300, 100], ..setups[0].clone() });
        for threads in [1, 3] {
            let options = SolverOptions { threads, ..options(tables.clone()) };
            let found = solve_all(rules, &setups, &options, &mut |_| true).unwrap();
            for (setup, solution) in setups.iter().zip(&found) {
                let expected = answer(rules, setup, &options);
                assert_eq!((solution.value, &solution.moves), (expected.value, &expected.moves), "{rules:?} {setup:?}");
            }
        }
    }
}

#[test]
fn a_batch_can_be_stopped() {
    let (rules, setup) = (rules(7, 0), Setup { houses: [vec![12; 7], vec![12; 7]], ..Setup::default() });
    let options = SolverOptions { threads: 2, ..options(None) };
    let mut calls = 0;
    let mut stop = |solved| {
        calls += 1;
        assert_eq!(solved, 0);
        calls < 3
    };
    assert_eq!(solve_all(rules, &vec![setup; 5], &options, &mut stop), Err(SolveError::Stopped));
    assert_eq!(calls, 3);
}

#[test]
fn table_size_does_not_change_the_solution() {
    let rules = rules(4, 0);
    let setup = Setup { houses: [vec![3; 4], vec![3; 4]], ..Setup::default() };
    let values = [-6, 6, 2, -2];
    for max_bytes in [1, 1 << 12, 1 << 24] {
        let found = answer(rules, &setup, &SolverOptions { max_bytes, ..options(None) });
        let moves: Vec<i32> = found.moves.iter().map(|(_, value)| *value).collect();
        assert_eq!((found.value, moves), (6, values.to_vec()));
    }
}

#[test]
fn tables_match_an_exhaustive_search() {
    for (houses, seeds) in [(1, 20), (2, 9), (3, 6), (4, 4)] {
        for choices in 0..8 {
            let rules = rules(houses, choices);
            let (mut oracle, tables) = (Oracle::new(rules), tables(rules, seeds + 1).unwrap());
            let numbering = Numbering::new(houses);
            for (own, other) in (0..=seeds).flat_map(|own| (0..=seeds - own).map(move |other| (own, other))) {
                for (own, other) in numbering.list(own).into_iter().flat_map(|own| {
                    let others = numbering.list(other);
                    others.into_iter().map(move |other| (own, other))
                }) {
                    let [own, other] = [own, other].map(|row| (0..houses).map(|house| row.get(house)).collect());
                    let setup = Setup { houses: [own, other], ..Setup::default() };
                    let margin = oracle.margin(&Position::new(&setup));
                    let [own, other] = &setup.houses;
                    assert_eq!(tables.margin(own, other).map(i32::from), Some(margin), "{rules:?} {setup:?}");
                }
            }
        }
    }
    let tables = tables(rules(2, 0), 4).unwrap();
    assert_eq!(tables.margin(&[2, 1], &[1, 0]), None);
    assert!(tables.margin(&[2, 1], &[0, 0]).is_some());
}

#[test]
fn row_numbers_are_unique() {
    for houses in 1..=7 {
        let numbering = Numbering::new(houses);
        for seeds in 0..=8 {
            let rows = numbering.list(seeds);
            for (number, row) in rows.iter().enumerate() {
                let numbered = numbering.number(*row);
                assert_eq!((numbered.number as usize, numbered.seeds as usize), (number, seeds));
                // Sowing along a side's own houses leads to lower numbers: tables are filled in this order.
                for house in (0..houses).filter(|house| (1..houses - house).contains(&usize::from(row.get(*house)))) {
                    let sown = usize::from(row.get(house));
                    let after = (house + 1..=house + sown).fold(row.with(house, 0), |row, pit| row.add(pit, 1));
                    assert!(numbering.number(after).number < numbered.number);
                }
            }
        }
        let blocks =
            |seeds: usize| (0..=seeds).map(move |own| numbering.list(own).len() * numbering.list(seeds - own).len());
        assert_eq!(blocks(8).sum::<usize>() as u64, Numbering::new(houses).positions(8));
    }
}

#[test]
fn threads_build_the_same_layers() {
    let mut one = EndgameTables::new(rules(4, 1)).unwrap();
    let mut many = one.clone();
    for _ in 0..9 {
        one.grow(1, &|_| true).unwrap();
        many.grow(3, &|_| true).unwrap();
    }
    let mut random = Random::new(1, 1);
    for _ in 0..2000 {
        let [own, other] = board(&mut random, 4, 8, false).houses;
        assert_eq!(one.margin(&own, &other), many.margin(&own, &other));
    }
    assert!(one.grow(2, &|_| false).is_none());
    assert_eq!(one.layers(), 9);
}

#[test]
fn stored_bounds_are_returned() {
    let mut table = PackedTable::new(1 << 20).unwrap();
    let rows = |n: u64| (n % 251 + 1, (n / 251) << 16);
    for n in 0..2000 {
        let (own, other) = rows(n);
        table.store(own, other, Bounds { lower: n as i32 - 1000, ..Bounds::UNKNOWN });
        table.store(own, other, Bounds { upper: n as i32 - 900, ..Bounds::UNKNOWN });
    }
    table.grow();
    let mut found = 0;
    for n in 0..2000 {
        let (own, other) = rows(n);
        // A bound that does not fit in a byte is weakened, or not stored.
        let (lower, upper) = (n as i32 - 1000, n as i32 - 900);
        let lower = if lower <= -128 { i32::MIN } else { lower.min(127) };
        let upper = if upper >= 127 { i32::MAX } else { upper.max(-128) };
        if let Some(bounds) = table.probe(own, other) {
            assert_eq!(bounds, Bounds { lower, upper });
            found += 1;
        }
    }
    assert!(found > 1900, "{found} of 2000 were kept");
    assert_eq!(table.probe(77, 78), None);
}

#[test]
fn a_search_stops_when_the_callback_returns_false() {
    let setup = Setup { houses: [vec![6; 6], vec![6; 6]], ..Setup::default() };
    let mut calls = 0;
    let mut on_progress = |progress: &super::Progress| {
        calls += 1;
        assert!(progress.lower <= progress.upper);
        calls < 3
    };
    let options = SolverOptions { threads: 2, ..options(None) };
    assert_eq!(solve(rules(6, 0), &setup, &options, &mut on_progress), Err(SolveError::Stopped));
    assert_eq!(calls, 3);
}

#[test]
fn boards_too_large_to_search_fail_cleanly() {
    let setup = Setup { houses: [vec![1300; 24], vec![1300; 24]], ..Setup::default() };
    let mut calls = 0;
    let mut on_progress = |_: &super::Progress| {
        calls += 1;
        calls < 20
    };
    let failure = solve(rules(24, 0), &setup, &options(None), &mut on_progress).unwrap_err();
    assert!(matches!(failure, SolveError::Stopped | SolveError::TooDeep), "{failure:?}");
}

#[test]
fn rules_with_infinite_games_are_refused() {
    let oware = Rules { sows_store: false, capture: Capture::TwosAndThrees(GrandSlam::Captures), ..rules(3, 0) };
    let setup = Setup { houses: [vec![2; 3], vec![2; 3]], ..Setup::default() };
    assert_eq!(solve(oware, &setup, &options(None), &mut |_| true), Err(SolveError::Endless));
    assert!(EndgameTables::new(oware).is_none());
}

#[test]
fn saved_layers_are_accepted() {
    let full = tables(rules(3, 0), 6).unwrap();
    let mut again = tables(rules(3, 0), 5).unwrap();
    let layer = |seeds| Box::new(full.layer(seeds).unwrap().to_vec());
    assert!(!again.add(layer(4)), "it has as many bytes as the next layer");
    assert!(again.add(layer(5)));
    assert_eq!(again.margin(&[1, 2, 0], &[0, 1, 1]), full.margin(&[1, 2, 0], &[0, 1, 1]));
    assert_eq!((again.layers(), full.layer(6)), (6, None));
}

#[test]
fn layers_with_impossible_values_are_refused() {
    for damage in [6, -6, i8::MIN] {
        let mut again = tables(rules(3, 0), 5).unwrap();
        let mut layer = tables(rules(3, 0), 6).unwrap().layer(5).unwrap().to_vec();
        layer[7] = damage as u8;
        assert!(!again.add(Box::new(layer)));
        // Otherwise the values of the next layers could overflow.
        assert_eq!(again.layers(), 5);
    }
}
