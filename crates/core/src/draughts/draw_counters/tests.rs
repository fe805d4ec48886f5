//! Tests that the masks give the same counts as evaluating the rules one by one. The Python tests compare the counts
//! with a reference implementation.

use super::*;
use crate::draughts::bitboard::WideBitboard;
use crate::draughts::board::{BoundPosition, Setup};
use crate::draughts::capture_generator::Scratch;
use crate::draughts::captures::CapturePaths;
use crate::draughts::compiled_rules::tests::international;
use crate::draughts::material::{Force, Range};
use crate::draughts::rules::Rules;
use crate::draughts::specialisation::Dynamic;
use crate::random::Random;
use std::sync::Arc;

const fn exactly(number: u16) -> Range {
    Range { min: number, max: number }
}

const SOME: Range = Range { min: 1, max: u16::MAX };
const LONE_KING: Force = Force { pieces: exactly(1), kings: exactly(1), ..Force::ANY };
const KING_ON_DIAGONAL: Force = Force { on_long_diagonal: true, ..LONE_KING };
const FEW: Force = Force { pieces: Range { min: 1, max: 3 }, kings: SOME, ..Force::ANY };
const SOME_KING: Force = Force { kings: SOME, ..Force::ANY };

fn moves(plies: u16, resets: u8, within: Option<Material>, outside: Option<Material>) -> DrawRule {
    DrawRule::MoveCount(MoveCount { plies, resets: Progress(resets), within, outside })
}

fn material(one: Force, other: Force, total: Range) -> Material {
    Material { one, other, total }
}

/// Return rules of every kind.
fn draws() -> Vec<DrawRule> {
    let few = material(SOME_KING, SOME_KING, Range { min: 4, max: 7 });
    vec![
        DrawRule::Repetition(5),
        moves(30, Progress::CAPTURE.0 | Progress::MAN_MOVE.0, None, Some(few)),
        moves(60, Progress::CAPTURE.0 | Progress::CROWNING.0, Some(few), None),
        moves(10, 0, Some(material(KING_ON_DIAGONAL, FEW, Range::ANY)), None),
        moves(8, 0, Some(material(LONE_KING, FEW, Range::ANY)), None),
        DrawRule::Unknown,
        moves(20, Progress::CROWNING.0, None, None),
        DrawRule::DrawnMaterial(DrawnMaterial {
            material: material(LONE_KING, LONE_KING, Range::ANY),
            unless: Threat::ForcedWin,
        }),
        DrawRule::Repetition(3),
    ]
}

fn rules(columns: usize, rows: usize) -> Rules {
    Rules { precedence: vec![], draws: draws(), ..international(columns, rows) }
}

/// Play random games with few pieces, and return every count of each rule.
fn play<B: Bitboard>(columns: usize, rows: usize) -> Vec<Vec<Option<u16>>> {
    let generator = Arc::new(MoveGenerator::<B, Dynamic>::new(self::rules(columns, rows)));
    let squares = generator.geometry.bits.len();
    let (mut random, mut scratch) = (Random::new(1, 0), Scratch::default());
    let mut seen = vec![Vec::new(); generator.draws.rules.len()];
    for game in 0..200 {
        let mut setup = Setup::default();
        for square in 0..squares {
            if random.below(squares) >= 2 + game % 8 {
                continue;
            }
            let places = if random.below(4) > 0 { &mut setup.kings } else { &mut setup.men };
            places[random.below(2)].push(square);
        }
        let mut position = BoundPosition::new(&generator, &setup).position;
        let mut counters = generator.begin_counters(&position);
        for _ in 0..100 {
            let mut moves = Vec::new();
            generator.generate(&position, CapturePaths::Distinct, &mut scratch, &mut moves);
            if moves.is_empty() {
                break;
            }
            let played = moves[random.below(moves.len())];
            let after = generator.after(&position, &played);
            let next = generator.advance_counters(counters, &position, &played, &after);
            assert_eq!(next, generator.advance_each(counters, &position, &played, &after));
            // Whether a rule applies depends on the position only, not on the moves before.
            let afresh = generator.begin_counters(&after);
            for (rule, (seen, (count, begun))) in seen.iter_mut().zip(next.counts().zip(afresh.counts())).enumerate() {
                assert_eq!(count.is_some(), begun.is_some(), "rule {rule} in {after:?}");
                seen.push(count);
            }
            (position, counters) = (after, next);
        }
    }
    seen
}

fn check_coverage(seen: &[Vec<Option<u16>>]) {
    assert_eq!(seen.len(), 6);
    for (rule, counts) in seen.iter().enumerate() {
        let always = rule == 4;
        assert_eq!(counts.contains(&None), !always, "rule {rule} applies, and does not");
        assert!(counts.contains(&Some(0)) && counts.contains(&Some(1)), "rule {rule} counts");
    }
}

#[test]
fn masks_agree_with_the_rules_one_by_one() {
    check_coverage(&play::<u64>(8, 8));
    check_coverage(&play::<u64>(10, 10));
    check_coverage(&play::<u128>(12, 12));
    check_coverage(&play::<WideBitboard<4>>(16, 16));
}

#[test]
fn a_counter_stops_at_its_maximum() {
    let counters = DrawCounters([0, 1, MAX_COUNT - 1, MAX_COUNT, NOT_APPLYING, 0, 7, NOT_APPLYING]);
    let reset_mask = [u16::MAX, u16::MAX, u16::MAX, u16::MAX, u16::MAX, 0, 0, 0];
    let more = [1, 2, MAX_COUNT, MAX_COUNT, NOT_APPLYING, 0, 0, NOT_APPLYING];
    assert_eq!(counters.advance(&reset_mask), DrawCounters(more));
}

#[test]
fn a_limit_is_reached_by_counts_that_apply() {
    let draws = Draws::new(&draws());
    assert_eq!(draws.repetition, Some(3));
    let at = |index: usize, count: u16| {
        let mut counters = DrawCounters([NOT_APPLYING; MAX_COUNTERS]);
        counters.0[index] = count;
        (draws.is_drawn(&counters), draws.is_drawn_at_once(&counters))
    };
    assert_eq!(at(0, NOT_APPLYING), (false, false));
    assert_eq!([at(0, 29), at(0, 30), at(0, MAX_COUNT)], [(false, false), (true, false), (true, false)]);
    assert_eq!([at(5, 0), at(5, 1)], [(false, false), (true, true)]);
    let never = Draws::new(&[]);
    assert!(!never.is_drawn(&DrawCounters([MAX_COUNT; MAX_COUNTERS])) && never.repetition.is_none());
}

#[test]
#[should_panic(expected = "9 draw rules have counters, of 8 at most")]
fn too_many_rules_panic() {
    Draws::new(&[moves(1, 0, None, None); 9]);
}

#[test]
fn the_long_diagonals_end_in_corners() {
    let diagonals = |rules: Rules| {
        let generator = MoveGenerator::<WideBitboard<17>, Dynamic>::new(rules);
        generator.geometry.squares_of(generator.geometry.long_diagonals).collect::<Vec<_>>()
    };
    assert_eq!(diagonals(rules(8, 8)), [3, 7, 10, 14, 17, 21, 24, 28]);
    assert_eq!(diagonals(rules(4, 4)), [1, 3, 4, 6]);
    assert_eq!(diagonals(Rules { all_squares: true, ..rules(4, 4) }), [0, 3, 5, 6, 9, 10, 12, 15]);
    let generator = Arc::new(MoveGenerator::<u64, Dynamic>::new(rules(8, 8)));
    let is_on_diagonal = |king: usize| {
        let setup = Setup { kings: [vec![king], vec![31]], ..Setup::default() };
        let count = generator.material_count(&BoundPosition::new(&generator, &setup).position);
        material(KING_ON_DIAGONAL, LONE_KING, Range::ANY).is_placed(&count)
    };
    assert_eq!([is_on_diagonal(3), is_on_diagonal(28), is_on_diagonal(4)], [true, true, false]);
}

/// The masks of the example in the module documentation.
#[test]
fn the_masks_of_international_draughts() {
    let lone_against =
        |pieces: Range| Some(material(LONE_KING, Force { pieces, kings: SOME, ..Force::ANY }, Range::ANY));
    let kings_alone = Progress::CAPTURE.0 | Progress::MAN_MOVE.0;
    let draws = Draws::new(&[
        DrawRule::Repetition(3),
        DrawRule::DrawnMaterial(DrawnMaterial {
            material: material(LONE_KING, LONE_KING, Range::ANY),
            unless: Threat::ForcedWin,
        }),
        moves(50, kings_alone, None, None),
        moves(32, 0, lone_against(exactly(3)), None),
        moves(10, 0, lone_against(Range { min: 1, max: 2 }), None),
    ]);
    let (all, none) = (u16::MAX, 0);
    let by_kings = [all; MAX_COUNTERS];
    let by_others = [all, none, all, all, all, all, all, all];
    assert_eq!(
        draws.reset_mask,
        [0, 1, 2, 3, 4, 5, 6, 7].map(|it| if it & kings_alone == 0 { by_kings } else { by_others })
    );
    assert_eq!(draws.material_mask, [all, none, all, all, all, all, all, all]);
    assert_eq!(draws.board_mask, [all, none, none, none, none, none, none, none]);
    assert_eq!((draws.max_pieces, draws.min_kings), (4, 2));
    let counters = |first: [u16; 4]| {
        let mut counts = [NOT_APPLYING; MAX_COUNTERS];
        counts[..4].copy_from_slice(&first);
        DrawCounters(counts)
    };
    let seven = counters([NOT_APPLYING, 7, 7, NOT_APPLYING]);
    assert!(!seven.apply_in(&draws.board_mask));
    assert_eq!(seven.advance(&draws.reset_mask[0]), counters([NOT_APPLYING, 8, 8, NOT_APPLYING]));
    let middle = counters([NOT_APPLYING, 4, NOT_APPLYING, NOT_APPLYING]);
    let after =
        middle.advance_to_other_material(&draws.reset_mask[usize::from(Progress::CAPTURE.0)], &draws.material_mask);
    assert_eq!(after, counters([NOT_APPLYING, 0, NOT_APPLYING, NOT_APPLYING]));
}

#[test]
#[should_panic(expected = "a forced win is known for one king against one king only")]
fn a_forced_win_needs_two_lone_kings() {
    let unless = Threat::ForcedWin;
    Draws::new(&[DrawRule::DrawnMaterial(DrawnMaterial { material: material(LONE_KING, FEW, Range::ANY), unless })]);
}
