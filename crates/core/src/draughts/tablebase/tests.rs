//! Tests against an oracle that knows nothing of slices, indices or retrograde analysis.

use super::*;
use crate::draughts::compiled_rules::tests::{english, international, turkish};
use crate::draughts::{Criterion, Directions, KingLanding, Promotion, Rules, Setup, compile};
use crate::random::Random;
use crate::side::Side;
use crate::work::unlimited;

/// The number of random rule sets that are compared with the oracle.
const RANDOM_RULES: u64 = 20;

const ID: [u8; RULES_ID] = *b"rules of a test.";

/// The rule sets of the tests: small boards, with each rule that changes the values.
fn rule_sets() -> Vec<(&'static str, Rules, usize)> {
    let small = |rules: Rules| Rules { columns: 6, rows: 6, ..rules };
    vec![
        ("english", small(english()), 3),
        ("international", small(international(6, 6)), 3),
        ("wide", Rules { columns: 4, rows: 8, ..international(4, 8) }, 3),
        ("odd", Rules { columns: 5, rows: 5, ..international(5, 5) }, 3),
        ("russian", small(Rules { promotion: Promotion::InFlight, precedence: vec![], ..international(6, 6) }), 3),
        ("losing", small(Rules { losing: true, ..international(6, 6) }), 3),
        ("breakthrough", small(Rules { breakthrough: true, ..international(6, 6) }), 3),
        ("optional captures", small(Rules { capture_compulsory: false, ..english() }), 3),
        ("lone piece", small(Rules { lone_piece_loses: true, ..english() }), 3),
        ("lone man", small(Rules { lone_man_loses_to_king: true, ..international(6, 6) }), 3),
        ("turkish", Rules { columns: 4, rows: 4, ..turkish() }, 3),
        (
            "frisian without a limit",
            small(Rules {
                man_captures: Directions::ALL,
                king_captures: Directions::ALL,
                precedence: vec![Criterion::MostPieces],
                ..international(6, 6)
            }),
            3,
        ),
        ("four pieces", Rules { columns: 4, rows: 4, ..english() }, 4),
    ]
}

/// Return random rules on a small board: any combination of the fields that the package accepts.
fn random_rules(random: &mut Random) -> Rules {
    let mut pick = |bound: usize| random.below(bound);
    let (columns, rows) = [(4, 4), (4, 6), (6, 4), (5, 5)][pick(4)];
    let forward = [Directions::FORWARD.0, Directions::FORWARD_DIAGONALS.0, 2][pick(3)];
    let mut directions = || {
        let common = [Directions::FORWARD_DIAGONALS, Directions::DIAGONALS, Directions::ORTHOGONALS, Directions::ALL];
        if pick(2) == 0 { common[pick(4)] } else { Directions(1 + pick(255) as u8) }
    };
    let [man_moves, man_captures, king_moves, king_captures] = [0; 4].map(|_| directions());
    let mut criteria = vec![
        Criterion::MostPieces,
        Criterion::MostKings,
        Criterion::MostValue { man: 1 + pick(3) as u32, king: 1 + pick(3) as u32 },
        Criterion::WithKing,
    ];
    let mut precedence: Vec<Criterion> = (0..pick(3)).map(|_| criteria.remove(pick(criteria.len()))).collect();
    precedence.extend((pick(4) == 0).then_some(Criterion::KingsFirst));
    let (flying_kings, removal_at_once, losing) = (pick(3) > 0, pick(2) == 0, pick(4) == 0);
    let landings = [KingLanding::Any, KingLanding::BehindEach, KingLanding::BehindLast, KingLanding::BehindLastKing];
    Rules {
        all_squares: (columns, rows) == (4, 4),
        corner_playable: pick(2) == 0,
        man_moves: Directions(man_moves.0 | forward),
        man_captures,
        men_capture_kings: pick(3) > 0,
        promotion: [Promotion::AtEnd, Promotion::Stops, Promotion::InFlight][pick(3)],
        flying_kings,
        king_moves,
        king_captures,
        king_landing: if flying_kings { landings[pick(4)] } else { KingLanding::Any },
        capture_compulsory: pick(4) > 0,
        precedence,
        removal_at_once,
        reverse_captures: flying_kings && removal_at_once && pick(2) == 0,
        losing,
        breakthrough: !losing && pick(4) == 0,
        lone_piece_loses: pick(4) == 0,
        lone_man_loses_to_king: pick(4) == 0,
        ..international(columns, rows)
    }
}

/// Build all slices, from files if `from_files`, and return the tablebase and its files.
fn build(rules: &Rules, pieces: usize, threads: usize, from_files: bool) -> (Arc<dyn Tablebase>, Vec<Vec<u8>>) {
    let compiled = compile(rules.clone());
    let create = || compiled.tablebase(ID).expect("the rules are supported");
    let (mut tables, mut files) = (create(), Vec::new());
    for slice in (2..=pieces).flat_map(Slice::list) {
        if tables.counts(slice).is_some() || tables.size(slice) == 0 {
            continue;
        }
        if from_files {
            tables = create();
            for file in &files {
                tables.add(Box::new(Vec::clone(file))).expect("the file is intact");
            }
        }
        let built =
            tables.build(slice, true, threads, &unlimited()).expect("all files are intact").expect("not cancelled");
        for slice in built {
            tables.add(Box::new(slice.file.clone())).expect("the file is intact");
            files.push(slice.file);
        }
    }
    (tables, files)
}

/// A value with its distance; None for a draw.
type Solved = Option<(Value, u16)>;

/// Return the values of all positions, by repeated forward sweeps.
fn solve(rules: &Rules, pieces: usize) -> Vec<(Box<dyn Board>, Solved)> {
    let compiled = compile(rules.clone());
    let squares = crate::draughts::geometry::places(rules);
    let mut boards = Vec::new();
    // Each square is empty or has one of four pieces.
    let mut partial = vec![(Setup::default(), 0, 0)];
    while let Some((setup, square, count)) = partial.pop() {
        if square == squares.len() {
            let sides = [0, 1].map(|side| setup.men[side].len() + setup.kings[side].len());
            if sides[0] > 0 && sides[1] > 0 {
                for turn in [Side::White, Side::Black] {
                    boards.push(compiled.board(&Setup { turn, ..setup.clone() }));
                }
            }
            continue;
        }
        partial.push((setup.clone(), square + 1, count));
        if count == pieces {
            continue;
        }
        for side in [0, 1] {
            let far = if side == 0 { 0 } else { rules.rows - 1 };
            if squares[square].0 != far {
                let mut with_man = setup.clone();
                with_man.men[side].push(square);
                partial.push((with_man, square + 1, count + 1));
            }
            let mut with_king = setup.clone();
            with_king.kings[side].push(square);
            partial.push((with_king, square + 1, count + 1));
        }
    }
    let places: HashMap<u64, Vec<usize>> = boards.iter().enumerate().fold(HashMap::new(), |mut map, (index, board)| {
        map.entry(board.hash_key()).or_insert_with(Vec::new).push(index);
        map
    });
    let find = |board: &dyn Board| {
        places.get(&board.hash_key()).and_then(|list| list.iter().copied().find(|index| boards[*index].equals(board)))
    };
    // The successors of each position: an index, or the winner and distance if a side has no pieces left.
    let successors: Vec<Vec<Result<usize, (Value, u16)>>> = boards
        .iter()
        .map(|board| {
            let moves = board.legal_moves(false, Some(&unlimited())).expect("not cancelled");
            moves
                .iter()
                .map(|played| {
                    let after = board.after(played);
                    find(&*after).ok_or_else(|| {
                        let (winner, _) = after.ending().expect("a side has no pieces");
                        (if winner == after.turn() { Value::Win } else { Value::Loss }, 0)
                    })
                })
                .collect()
        })
        .collect();
    let mut values: Vec<Solved> = boards
        .iter()
        .map(|board| {
            board.ending().map(|(winner, _)| (if winner == board.turn() { Value::Win } else { Value::Loss }, 0))
        })
        .collect();
    for plies in 1.. {
        let mut decided = Vec::new();
        for (index, after) in successors.iter().enumerate() {
            if values[index].is_some() {
                continue;
            }
            let results: Vec<Solved> = after.iter().map(|next| next.map_or_else(Some, |index| values[index])).collect();
            if results.iter().any(|result| matches!(result, Some((Value::Loss, _)))) {
                decided.push((index, (Value::Win, plies)));
            } else if results.iter().all(|result| matches!(result, Some((Value::Win, _)))) {
                decided.push((index, (Value::Loss, plies)));
            }
        }
        // A result with a longer distance than `plies` cannot occur: every sweep decides by the one before it.
        if decided.is_empty() {
            break;
        }
        for (index, value) in decided {
            values[index] = Some(value);
        }
    }
    boards.into_iter().zip(values).collect()
}

#[test]
fn values_and_distances_are_those_of_forward_sweeps() {
    let random = (0..RANDOM_RULES).map(|stream| ("random", random_rules(&mut Random::new(1, stream)), 3));
    for (name, rules, pieces) in rule_sets().into_iter().chain(random) {
        let (tables, _) = build(&rules, pieces, 2, false);
        for (board, expected) in solve(&rules, pieces) {
            let probe = tables.probe(&*board, true).expect("the files are intact").expect("all slices are present");
            let expected = expected.unwrap_or((Value::Draw, 0));
            assert_eq!(
                (probe.value, probe.distance),
                (expected.0, Some(expected.1)),
                "{name}: {:?} {rules:?}",
                board.setup()
            );
        }
    }
}

#[test]
fn files_do_not_depend_on_threads_or_on_earlier_files() {
    for (_, rules, pieces) in rule_sets() {
        let (_, files) = build(&rules, pieces, 1, false);
        assert!(files == build(&rules, pieces, 2, false).1);
        assert!(files == build(&rules, pieces, 1, true).1);
    }
}

#[test]
fn the_numbers_of_positions_are_those_published() {
    // English draughts with 2 and 3 pieces: wins, losses and draws of the side to move.
    let (tables, _) = build(&english(), 3, 2, false);
    let total = |pieces: usize| {
        let counts = Slice::list(pieces).into_iter().map(|slice| tables.counts(slice).expect("the slice is built").0);
        counts.fold([0; 3], |[wins, losses, draws], counts| {
            [wins + counts.wins, losses + counts.losses, draws + counts.draws]
        })
    };
    assert_eq!(total(2), [716, 402, 2370]);
    assert_eq!(total(3), [100_250, 87_305, 8_477]);
}

#[test]
fn damaged_files_are_refused() {
    let (_, files) = build(&Rules { columns: 4, rows: 4, ..english() }, 3, 1, false);
    let tables = compile(Rules { columns: 4, rows: 4, ..english() }).tablebase(ID).expect("supported");
    let file = files.last().expect("there are files");
    let board = |file: &[u8]| tables.add(Box::new(file.to_vec())).and_then(|slice| tables.check(slice));
    assert_eq!(board(file), Ok(()));
    for length in 0..file.len() {
        assert!(board(&file[..length]).is_err());
    }
    for byte in 0..file.len() {
        let mut damaged = file.clone();
        damaged[byte] ^= 0x10;
        assert!(board(&damaged).is_err(), "byte {byte}");
    }
}

#[test]
fn every_value_follows_from_those_after_the_moves() {
    for (name, rules, pieces) in rule_sets() {
        let (tables, _) = build(&rules, pieces, 2, false);
        for slice in (2..=pieces).flat_map(Slice::list).filter(|slice| tables.size(*slice) > 0) {
            let found = tables.verify(slice, 2, &unlimited()).expect("all slices are present").expect("not cancelled");
            assert!(found.is_none(), "{name}, {slice}: {:?}", found.map(|board| board.setup()));
        }
    }
}

/// Return a file with a change, and the correct checksum.
fn damage(file: &[u8], change: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let mut file = file.to_vec();
    let end = file.len() - 4;
    change(&mut file[..end]);
    let checksum = crc32fast::hash(&file[..end]).to_le_bytes();
    file[end..].copy_from_slice(&checksum);
    file
}

#[test]
fn wrong_values_and_statistics_are_found() {
    let compiled = compile(Rules { columns: 6, rows: 6, ..english() });
    let (_, files) = build(&Rules { columns: 6, rows: 6, ..english() }, 2, 1, false);
    // Return whether a slice has a wrong value, or the error.
    let verify = |files: &[Vec<u8>]| {
        let tables = compiled.tablebase(ID).expect("supported");
        for file in files {
            tables.add(Box::new(file.clone())).expect("the header is valid");
        }
        let verify = |slice| tables.verify(slice, 1, &unlimited()).map(|found| found.expect("not cancelled").is_some());
        Slice::list(2).into_iter().map(verify).find(|found| *found != Ok(false)).unwrap_or(Ok(false))
    };
    assert_eq!(verify(&files), Ok(false));
    let mut found = 0;
    for number in 0..files.len() {
        let mut changed = files.clone();
        changed[number] = damage(&files[number], |file| file[48] ^= 1);
        assert!(matches!(verify(&changed), Err(FileError::Statistics(_))));
        // The first code of the first block: there is one block, so the codes follow two offsets.
        changed[number] = damage(&files[number], |file| file[128 + 8] = u8::from(file[128 + 8] == 0));
        found += usize::from(verify(&changed) == Ok(true));
    }
    // The first values of a file may all be arbitrary.
    assert!(found > 0);
}

#[test]
fn a_man_on_its_promotion_row_and_many_pieces_have_no_value() {
    let (tables, _) = build(&english(), 3, 2, false);
    let compiled = compile(english());
    let probe = |men: [Vec<usize>; 2], kings: [Vec<usize>; 2], turn: Side| {
        tables.probe(&*compiled.board(&Setup { turn, men, kings, ..Setup::default() }), true).expect("intact")
    };
    for turn in [Side::White, Side::Black] {
        assert!(probe([vec![4], vec![27]], [vec![], vec![]], turn).is_some());
        assert_eq!(probe([vec![0], vec![27]], [vec![], vec![]], turn), None);
        assert_eq!(probe([vec![4], vec![31]], [vec![], vec![]], turn), None);
        assert_eq!(probe([vec![], vec![31]], [vec![4], vec![]], turn), None);
        assert_eq!(probe([(20..28).collect(), (4..12).collect()], [vec![], vec![]], turn), None);
    }
}
