//! Tests that packed and wide rows give the same results, and that the number of seeds on the board never changes.

use super::super::rules::{Capture, GrandSlam};
use super::{Arc, Board, BoundPosition, Move, MoveGenerator, Row, Rules, Setup, Side, WideRow};
use crate::random::Random;
use crate::random_games::RandomGames;

pub(in crate::mancala) fn kalah(houses: usize) -> Rules {
    Rules {
        houses,
        sows_store: true,
        sows_origin: true,
        capture: Capture::Opposite { even_if_empty: false },
        must_feed: false,
        either_empty_ends: false,
        majority_ends: false,
        counts_rest: true,
        pie: false,
    }
}

/// Return rule sets that together contain every value of every field.
pub(in crate::mancala) fn rule_sets(houses: usize) -> Vec<Rules> {
    let base = kalah(houses);
    let oware = |slam| Rules {
        sows_store: false,
        sows_origin: false,
        capture: Capture::TwosAndThrees(slam),
        must_feed: true,
        majority_ends: true,
        ..base
    };
    let slams = [GrandSlam::NoCapture, GrandSlam::Captures, GrandSlam::Forbidden, GrandSlam::RestToOpponent];
    let mut sets = vec![
        base,
        Rules { capture: Capture::Opposite { even_if_empty: true }, either_empty_ends: true, ..base },
        Rules { either_empty_ends: true, majority_ends: true, counts_rest: false, pie: true, ..base },
    ];
    sets.extend(slams.map(oware));
    sets
}

pub(in crate::mancala) fn random_setup(random: &mut Random, rules: &Rules) -> Setup {
    // Few enough seeds for packed rows.
    let max_seeds = 240 / (2 * rules.houses + 2);
    let row = |random: &mut Random| -> Vec<u16> {
        let max_seeds = [1, 3, max_seeds][random.below(3)];
        (0..rules.houses).map(|_| random.below(max_seeds + 1) as u16).collect()
    };
    Setup {
        turn: Side::new(random.below(2) == 1),
        houses: [row(random), row(random)],
        stores: [random.below(max_seeds) as u16, random.below(max_seeds) as u16],
        swap_open: rules.pie && random.below(2) == 1,
    }
}

fn bind<R: Row>(rules: &Rules, setup: &Setup) -> BoundPosition<R> {
    BoundPosition::new(&Arc::new(MoveGenerator::new(*rules)), &Arc::default(), setup)
}

fn moves(board: &dyn Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.for_each_move(&mut |(played, _)| moves.push(played));
    moves
}

#[test]
fn packed_and_wide_rows_give_the_same_games() {
    let mut random = Random::new(3, 4);
    for houses in 1..u64::MAX_PITS {
        for rules in rule_sets(houses) {
            for _ in 0..40 {
                let setup = random_setup(&mut random, &rules);
                let (packed, wide) = (bind::<u64>(&rules, &setup), bind::<WideRow>(&rules, &setup));
                assert_eq!((packed.setup(), packed.setup()), (setup.clone(), wide.setup()));
                assert_eq!((packed.ending(), packed.score()), (wide.ending(), wide.score()));
                assert_eq!(moves(&packed), moves(&wide));
                for played in moves(&packed) {
                    assert!(packed.is_legal(played) && wide.is_legal(played));
                    assert_eq!(packed.after(played).setup(), wide.after(played).setup());
                    assert_eq!(packed.after(played).setup().total(), setup.total());
                }
                assert_eq!(packed.perft(4, 1, &|_| true), wide.perft(4, 2, &|_| true));
                let batch = RandomGames { games: 3, seed: 1, max_plies: 100, threads: 1 };
                assert_eq!(packed.playouts(&batch, &|_| true), wide.playouts(&batch, &|_| true));
            }
        }
    }
}

#[test]
fn work_stops_when_the_callback_returns_false() {
    let rules = kalah(6);
    let setup = Setup { houses: [vec![4; 6], vec![4; 6]], ..Setup::default() };
    let board = bind::<u64>(&rules, &setup);
    assert_eq!(board.perft(20, 2, &|_| false), None);
    assert_eq!(board.playouts(&RandomGames { games: 9, seed: 1, max_plies: 9, threads: 1 }, &|_| false), None);
}
