//! That the short ways of counting say what each rule says; the Python tests hold the rules to their Python twins.

use super::*;
use crate::draughts::board::Setup;
use crate::draughts::draws::{DrawRule, Draws};
use crate::draughts::features::Open;
use crate::draughts::game::tests::international;
use crate::draughts::material::{Force, Range};
use crate::draughts::rules::Rules;
use crate::draughts::squares::Wide;
use crate::random::Random;
use std::sync::Arc;

const fn exactly(number: u16) -> Range {
    Range { least: number, most: number }
}

const SOME: Range = Range { least: 1, most: u16::MAX };
const LONE_KING: Force = Force { pieces: exactly(1), kings: exactly(1), ..Force::ANY };
const ON_ROAD: Force = Force { on_long_diagonal: true, ..LONE_KING };
const FEW: Force = Force { pieces: Range { least: 1, most: 3 }, kings: SOME, ..Force::ANY };
const SOME_KING: Force = Force { kings: SOME, ..Force::ANY };

fn moves(plies: u16, resets: u8, within: Option<Material>, outside: Option<Material>) -> DrawRule {
    DrawRule::MoveCount(MoveCount { plies, resets: Progress(resets), within, outside })
}

fn material(one: Force, other: Force, total: Range) -> Material {
    Material { one, other, total }
}

/// Rules of every kind.
fn draws() -> Vec<DrawRule> {
    let few = material(SOME_KING, SOME_KING, Range { least: 4, most: 7 });
    vec![
        DrawRule::Repetition(5),
        moves(30, Progress::CAPTURE.0 | Progress::MAN_MOVE.0, None, Some(few)),
        moves(60, Progress::CAPTURE.0 | Progress::CROWNING.0, Some(few), None),
        moves(10, 0, Some(material(ON_ROAD, FEW, Range::ANY)), None),
        moves(8, 0, Some(material(LONE_KING, FEW, Range::ANY)), None),
        DrawRule::Unknown,
        moves(20, Progress::CROWNING.0, None, None),
        DrawRule::DrawnMaterial(DrawnMaterial {
            material: material(LONE_KING, LONE_KING, Range::ANY),
            unless: Threat::Loss,
        }),
        DrawRule::Repetition(3),
    ]
}

fn rules(columns: usize, rows: usize) -> Rules {
    Rules { precedence: vec![], draws: draws(), ..international(columns, rows) }
}

/// Plays random games with few pieces, and gives every count that was seen of each rule.
fn play<S: SquareSet>(columns: usize, rows: usize) -> Vec<Vec<Option<u16>>> {
    let mover = Arc::new(Mover::<S, Open>::new(self::rules(columns, rows)));
    let squares = mover.geometry.bits.len();
    let (mut random, mut scratch) = (Random::new(1, 0), Scratch::default());
    let mut seen = vec![Vec::new(); mover.draws.counted.len()];
    for game in 0..200 {
        let mut setup = Setup::default();
        for square in 0..squares {
            if random.below(squares) >= 2 + game % 8 {
                continue;
            }
            let places = if random.below(4) > 0 { &mut setup.kings } else { &mut setup.men };
            places[random.below(2)].push(square);
        }
        let mut position = Seat::new(&mover, &setup).position;
        let mut counts = mover.begin_counts(&position, &mut scratch);
        for _ in 0..100 {
            let mut moves = Vec::new();
            mover.generate(&position, Ways::Distinct, &mut scratch, &mut moves);
            if moves.is_empty() {
                break;
            }
            let played = moves[random.below(moves.len())];
            let after = mover.after(&position, &played);
            let next = mover.advance_counts(counts, &position, &played, &after, &mut scratch);
            assert_eq!(next, mover.ask_each_rule(counts, &position, &played, &after, &mut scratch));
            // What applies is seen in the position alone.
            let afresh = mover.begin_counts(&after, &mut scratch);
            for (rule, seen) in seen.iter_mut().enumerate() {
                assert_eq!(next.get(rule).is_some(), afresh.get(rule).is_some(), "rule {rule} in {after:?}");
                seen.push(next.get(rule));
            }
            (position, counts) = (after, next);
        }
    }
    seen
}

fn sees_all_there_is(seen: &[Vec<Option<u16>>]) {
    assert_eq!(seen.len(), 6);
    for (rule, counts) in seen.iter().enumerate() {
        let always = rule == 4;
        assert_eq!(counts.contains(&None), !always, "rule {rule} applies, and does not");
        assert!(counts.contains(&Some(0)) && counts.contains(&Some(1)), "rule {rule} counts");
    }
}

#[test]
fn short_ways_say_what_each_rule_says() {
    sees_all_there_is(&play::<u64>(8, 8));
    sees_all_there_is(&play::<u64>(10, 10));
    sees_all_there_is(&play::<u128>(12, 12));
    sees_all_there_is(&play::<Wide<4>>(16, 16));
}

#[test]
fn a_count_that_is_full_stays_so() {
    let counts = Counts([0, 1, LARGEST - 1, LARGEST, NOT_APPLYING, 0, 7, NOT_APPLYING]);
    let kept = [u16::MAX, u16::MAX, u16::MAX, u16::MAX, u16::MAX, 0, 0, 0];
    let more = [1, 2, LARGEST, LARGEST, NOT_APPLYING, 0, 0, NOT_APPLYING];
    assert_eq!(counts.one_more(&kept), Counts(more));
}

#[test]
fn a_limit_is_reached_by_counts_that_apply() {
    let draws = Draws::new(&draws());
    assert_eq!(draws.repetition, Some(3));
    let at = |index: usize, count: u16| {
        let mut counts = Counts([NOT_APPLYING; MOST]);
        counts.0[index] = count;
        (draws.is_drawn(&counts), draws.is_drawn_at_once(&counts))
    };
    assert_eq!(at(0, NOT_APPLYING), (false, false));
    assert_eq!([at(0, 29), at(0, 30), at(0, LARGEST)], [(false, false), (true, false), (true, false)]);
    assert_eq!([at(5, 0), at(5, 1)], [(false, false), (true, true)]);
    let never = Draws::new(&[]);
    assert!(!never.is_drawn(&Counts([LARGEST; MOST])) && never.repetition.is_none());
}

#[test]
#[should_panic(expected = "9 draw rules have counts, of 8 at most")]
fn more_rules_than_there_are_counts_are_refused() {
    Draws::new(&[moves(1, 0, None, None); 9]);
}

#[test]
fn the_long_diagonals_end_in_corners() {
    let diagonals = |rules: Rules| {
        let mover = Mover::<Wide<17>, Open>::new(rules);
        mover.geometry.squares_of(mover.geometry.long_diagonals).collect::<Vec<_>>()
    };
    assert_eq!(diagonals(rules(8, 8)), [3, 7, 10, 14, 17, 21, 24, 28]);
    assert_eq!(diagonals(rules(4, 4)), [1, 3, 4, 6]);
    assert_eq!(diagonals(Rules { all_squares: true, ..rules(4, 4) }), [0, 3, 5, 6, 9, 10, 12, 15]);
    let mover = Arc::new(Mover::<u64, Open>::new(rules(8, 8)));
    let held = |king: usize| {
        let setup = Setup { kings: [vec![king], vec![31]], ..Setup::default() };
        let held = mover.holdings(&Seat::new(&mover, &setup).position);
        material(ON_ROAD, LONE_KING, Range::ANY).is_placed(&held)
    };
    assert_eq!([held(3), held(28), held(4)], [true, true, false]);
}
