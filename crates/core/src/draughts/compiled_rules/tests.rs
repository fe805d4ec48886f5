//! Perft tests of each compiled move generator and each bitboard type. The Python tests have many more.

use super::*;
use crate::draughts::Directions;
use crate::draughts::{Criterion, KingLanding, Promotion};
use crate::side::Side;
use crate::work::{SharedMonitor, unlimited};
use std::sync::Arc;

pub(in crate::draughts) fn international(columns: usize, rows: usize) -> Rules {
    Rules {
        columns,
        rows,
        all_squares: false,
        corner_playable: true,
        man_moves: Directions::FORWARD_DIAGONALS,
        man_captures: Directions::DIAGONALS,
        men_capture_kings: true,
        promotion: Promotion::AtEnd,
        flying_kings: true,
        king_moves: Directions::DIAGONALS,
        king_captures: Directions::DIAGONALS,
        king_landing: KingLanding::Any,
        king_move_limit: 0,
        capture_compulsory: true,
        precedence: vec![Criterion::MostPieces],
        removal_at_once: false,
        reverse_captures: false,
        losing: false,
        breakthrough: false,
        lone_piece_loses: false,
        lone_man_loses_to_king: false,
        draws: vec![],
    }
}

pub(in crate::draughts) fn english() -> Rules {
    Rules {
        man_captures: Directions::FORWARD_DIAGONALS,
        flying_kings: false,
        precedence: vec![],
        promotion: Promotion::Stops,
        ..international(8, 8)
    }
}

pub(in crate::draughts) fn frisian() -> Rules {
    Rules {
        man_captures: Directions::ALL,
        king_captures: Directions::ALL,
        precedence: vec![Criterion::MostValue { man: 100, king: 199 }, Criterion::WithKing],
        king_move_limit: 3,
        ..international(10, 10)
    }
}

pub(in crate::draughts) fn turkish() -> Rules {
    let men = Directions(Directions::FORWARD.0 | Directions::SIDEWAYS.0);
    Rules {
        all_squares: true,
        man_moves: men,
        man_captures: men,
        king_moves: Directions::ORTHOGONALS,
        king_captures: Directions::ORTHOGONALS,
        removal_at_once: true,
        ..international(8, 8)
    }
}

/// Return the setup with Black's men on the given squares, and White's on the same squares counted from the end.
pub(in crate::draughts) fn facing(squares: usize, men: std::ops::Range<usize>, turn: Side) -> Setup {
    let white = men.clone().map(|square| squares - 1 - square).collect();
    Setup { turn, men: [white, men.collect()], ..Setup::default() }
}

fn counts(rules: Rules, setup: &Setup, depths: std::ops::RangeInclusive<u32>) -> Vec<u64> {
    let board = compile(rules).board(setup);
    depths.map(|depth| board.perft(depth, false, 2, &unlimited()).expect("the count is not cancelled")).collect()
}

#[test]
fn perft_matches_published_counts() {
    let start = facing(50, 0..20, Side::White);
    assert_eq!(counts(international(10, 10), &start, 0..=7), [1, 9, 81, 658, 4265, 27117, 167140, 1049442]);
    assert_eq!(counts(frisian(), &start, 1..=7), [9, 81, 658, 3874, 21265, 102431, 540126]);
    let start = facing(32, 0..12, Side::Black);
    assert_eq!(counts(english(), &start, 1..=8), [7, 49, 302, 1469, 7361, 36768, 179740, 845931]);
    let start = facing(72, 0..30, Side::White);
    assert_eq!(counts(international(12, 12), &start, 1..=6), [11, 121, 1222, 10053, 79049, 584100]);
    let start = facing(64, 8..24, Side::White);
    assert_eq!(counts(turkish(), &start, 1..=6), [8, 64, 708, 7538, 85090, 931312]);
    // At this depth there are captures that differ only in the landing square between two jumps.
    let board = compile(turkish()).board(&start);
    let count = |every_path| board.perft(7, every_path, 2, &unlimited());
    assert_eq!([count(false), count(true)], [Some(10_782_308), Some(10_782_382)]);
}

#[test]
fn every_bitboard_type_gives_the_same_moves() {
    let start = |columns: usize, rows: usize| {
        let row = columns / 2;
        facing(row * rows, 0..(rows / 2 - 1) * row, Side::White)
    };
    let ten_by_eight = counts(international(10, 8), &start(10, 8), 1..=6);
    assert_eq!(ten_by_eight, [9, 81, 658, 4265, 27117, 167140]);
    // On large boards the first moves are those of the front row: two per man, but only one for the man at the edge.
    for (columns, rows) in [(14, 14), (16, 16), (20, 20), (24, 10), (32, 32)] {
        let front = columns as u64 - 1;
        assert_eq!(counts(international(columns, rows), &start(columns, rows), 1..=2), [front, front * front]);
    }
}

#[test]
fn a_position_with_very_many_paths_has_one_move() {
    let men = [3, 7, 10, 12, 13, 14, 17, 20, 21, 23, 25, 30, 32, 36, 38, 39, 41, 43];
    let setup = Setup {
        turn: Side::White,
        men: [vec![], men.map(|square| square - 1).to_vec()],
        kings: [vec![49], vec![46]],
        ..Setup::default()
    };
    let moves = compile(frisian()).board(&setup).legal_moves(false, Some(&unlimited())).unwrap();
    assert_eq!(moves.len(), 1);
    assert_eq!(moves[0].jumps.len(), 19);
}

#[test]
fn cancelled_perft_returns_none() {
    let board = compile(english()).board(&facing(32, 0..12, Side::Black));
    assert_eq!(board.perft(8, false, 1, &(Arc::new(|_| false) as SharedMonitor)), None);
}
