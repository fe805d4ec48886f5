//! Tests that the evaluation is symmetric, equals the sum of features times weights, and is the same for every bitboard
//! type.

use std::sync::Arc;

use super::compiled::MAX_VALUE;
use super::*;
use crate::draughts::bitboard::{Bitboard, WideBitboard};
use crate::draughts::board::{Analysis, BoundPosition, Setup};
use crate::draughts::compiled_rules::tests::{english, facing, frisian, international, turkish};
use crate::draughts::compiled_rules::{CompiledRules, compile};
use crate::draughts::directions::Directions;
use crate::draughts::generator::MoveGenerator;
use crate::draughts::geometry::relative_square_count;
use crate::draughts::rules::Rules;
use crate::draughts::specialisation::{Dynamic, RuleSource};
use crate::random::Random;
use crate::side::Side;
use crate::work::unlimited;

/// Return random weights, some of them 0.
fn random_weights(rules: &Rules, squares: usize, seed: u64) -> Weights {
    let mut random = Random::new(seed, 7);
    let mut pair = || [0, 1].map(|_| if random.below(5) == 0 { 0 } else { random.below(2001) as i16 - 1000 });
    let mut weights = Weights::zero(rules, 24);
    for weight in weights.counts.iter_mut().chain(&mut weights.men).chain(&mut weights.kings) {
        *weight = pair();
    }
    if (rules.columns + rules.rows).is_multiple_of(2) {
        for begin in [0, 5, 3, squares - 4, 2] {
            let squares: Vec<usize> = (begin..begin + 4).collect();
            weights.patterns.push(Pattern { table: (0..81).map(|_| pair()).collect(), squares });
        }
    }
    weights
}

/// Return positions of random games.
fn positions(game: &dyn CompiledRules, start: &Setup, games: u64) -> Vec<Setup> {
    let mut setups = Vec::new();
    for stream in 0..games {
        let mut random = Random::new(1, stream);
        let mut board = game.board(start);
        for _ in 0..150 {
            let moves = board.legal_moves(false, Some(&unlimited())).expect("it is not stopped");
            if moves.is_empty() {
                break;
            }
            board = board.after(&moves[random.below(moves.len())]);
            setups.push(board.setup());
        }
    }
    setups
}

/// Rotate the board and exchange the colours.
fn rotate(setup: &Setup, squares: usize) -> Setup {
    let turn = |side: &Vec<usize>| side.iter().map(|square| squares - 1 - square).collect::<Vec<_>>();
    Setup {
        turn: setup.turn.opponent(),
        men: [turn(&setup.men[1]), turn(&setup.men[0])],
        kings: [turn(&setup.kings[1]), turn(&setup.kings[0])],
        runs: [None; 2],
    }
}

fn pack(setup: &Setup, squares: usize) -> Vec<u8> {
    let mut packed = vec![0; packed_size(squares)];
    packed[0] = setup.turn.index() as u8;
    let bytes = squares.div_ceil(8);
    for side in [0, 1] {
        for (squares, is_king) in [(&setup.men[side], false), (&setup.kings[side], true)] {
            for square in squares {
                packed[1 + side * bytes + square / 8] |= 1 << (square % 8);
                if is_king {
                    packed[1 + 2 * bytes + square / 8] |= 1 << (square % 8);
                }
            }
        }
    }
    packed
}

/// Return the value of the features by straightforward multiplication.
fn dot(rows: &FeatureRows, weights: &Weights) -> i64 {
    let plain: Vec<TaperedWeight> = weights.counts.iter().chain(&weights.men).chain(&weights.kings).copied().collect();
    let tables: Vec<TaperedWeight> = weights.patterns.iter().flat_map(|pattern| pattern.table.clone()).collect();
    let sum = |stage: usize| -> i64 {
        let counted = rows.counts.iter().zip(&plain).map(|(count, pair)| i64::from(*count) * i64::from(pair[stage]));
        let looked = rows.pattern_indices.iter().enumerate().map(|(index, entry)| {
            let weight = i64::from(tables[*entry as usize][stage]);
            if index % 2 == 0 { weight } else { -weight }
        });
        counted.chain(looked).sum()
    };
    let phase = i64::from(rows.phases[0]);
    (sum(0) * phase + sum(1) * (256 - phase)) / 2560
}

fn boards() -> Vec<(Rules, Setup, usize)> {
    let forward = Directions(Directions::FORWARD.0 | Directions::FORWARD_DIAGONALS.0 | Directions::SIDEWAYS.0);
    let armenian = Rules { man_moves: forward, king_moves: Directions::ALL, ..turkish() };
    vec![
        (international(10, 10), facing(50, 0..20, Side::White), 50),
        (english(), facing(32, 0..12, Side::Black), 32),
        (frisian(), facing(50, 0..20, Side::White), 50),
        (turkish(), facing(64, 8..24, Side::White), 64),
        (armenian, facing(64, 8..24, Side::White), 64),
        (international(12, 12), facing(72, 0..30, Side::White), 72),
        (Rules { corner_playable: false, ..international(10, 8) }, facing(40, 0..15, Side::White), 40),
        (international(18, 6), facing(54, 0..18, Side::White), 54),
        (Rules { men_capture_kings: false, ..english() }, facing(32, 0..8, Side::White), 32),
        (international(26, 6), facing(78, 0..26, Side::White), 78),
    ]
}

#[test]
fn value_is_symmetric_and_equals_features_times_weights() {
    for (number, (rules, start, squares)) in boards().into_iter().enumerate() {
        let game = compile(rules.clone());
        let weights = random_weights(&rules, squares, number as u64);
        let evaluator = game.evaluation(&weights).expect("the weights fit");
        let setups = positions(&*game, &start, 6);
        assert!(setups.iter().any(|setup| setup.kings.iter().any(|kings| !kings.is_empty())), "board {number}");
        let mut values = Vec::new();
        for setup in setups {
            let value = game.board(&setup).evaluate(&*evaluator).expect("the types are the same");
            let other = game.board(&rotate(&setup, squares)).evaluate(&*evaluator);
            assert_eq!(other, Some(value), "board {number}, {setup:?}");
            let rows = game.feature_rows(&*evaluator, &pack(&setup, squares)).expect("it is a position");
            assert_eq!(dot(&rows, &weights), i64::from(value), "board {number}, {setup:?}");
            values.push(value);
        }
        values.dedup();
        assert!(values.len() > 50, "board {number}: the values differ from position to position");
    }
}

fn values_in<B: Bitboard, R: RuleSource>(rules: &Rules, weights: &Weights, setups: &[Setup]) -> Vec<i32> {
    let generator = Arc::new(MoveGenerator::<B, R>::new(rules.clone()));
    let evaluator = generator.evaluation(weights).expect("the weights fit");
    values_of(&generator, &*evaluator, setups)
}

fn values_of<B: Bitboard, R: RuleSource>(
    generator: &Arc<MoveGenerator<B, R>>,
    evaluator: &dyn Evaluator,
    setups: &[Setup],
) -> Vec<i32> {
    setups
        .iter()
        .map(|setup| BoundPosition::new(generator, setup).evaluate(evaluator).expect("the same types"))
        .collect()
}

#[test]
fn every_bitboard_type_gives_the_same_values() {
    for (number, (rules, start, squares)) in boards().into_iter().enumerate().take(7) {
        let game = compile(rules.clone());
        let weights = random_weights(&rules, squares, number as u64);
        let evaluator = game.evaluation(&weights).expect("the weights fit");
        let setups = positions(&*game, &start, 3);
        let known: Vec<i32> =
            setups.iter().map(|setup| game.board(setup).evaluate(&*evaluator).expect("the same types")).collect();
        assert_eq!(values_in::<u128, Dynamic>(&rules, &weights, &setups), known, "board {number}");
        assert_eq!(values_in::<WideBitboard<4>, Dynamic>(&rules, &weights, &setups), known, "board {number}");
        assert_eq!(values_in::<WideBitboard<17>, Dynamic>(&rules, &weights, &setups), known, "board {number}");
    }
}

#[test]
fn asymmetric_board_is_evaluated() {
    let rules = international(9, 8);
    let squares = crate::draughts::geometry::places(&rules).len();
    assert_eq!((squares, relative_square_count(&rules)), (36, 72));
    let game = compile(rules.clone());
    let weights = random_weights(&rules, squares, 3);
    let evaluator = game.evaluation(&weights).expect("the weights fit");
    for setup in positions(&*game, &facing(squares, 0..12, Side::White), 3) {
        let rows = game.feature_rows(&*evaluator, &pack(&setup, squares)).expect("it is a position");
        assert_eq!(Some(dot(&rows, &weights) as i32), game.board(&setup).evaluate(&*evaluator));
    }
}

/// Return the counts of a position on an English board, by feature.
fn english_counts(setup: &Setup) -> impl Fn(Feature) -> i16 {
    let game = compile(english());
    let evaluator = game.evaluation(&Weights::zero(&english(), 24)).expect("the weights fit");
    let rows = game.feature_rows(&*evaluator, &pack(setup, 32)).expect("it is a position");
    move |feature| rows.counts[feature as usize]
}

#[test]
fn features_of_men_are_counted() {
    // White on 22 (supported by 25), 25 and 12; Black on 18 and 1. Indices are the usual square numbers minus one.
    let setup = Setup { turn: Side::White, men: [vec![21, 24, 11], vec![17, 0]], ..Setup::default() };
    let count = english_counts(&setup);
    assert_eq!(count(Feature::Man), 1);
    assert_eq!(count(Feature::Support), 1);
    assert_eq!(count(Feature::Turn), 1);
    assert_eq!(count(Feature::Opposition), 0);
    // 22 steps to 17; 25 to 21; 12 to 8. 18 steps to 23; 1 to 5 and 6.
    assert_eq!(count(Feature::Step), 0);
    assert_eq!(count(Feature::Stuck), 0);
    // Both black men are to the left of all squares that 12 can reach; every other man has an enemy somewhere ahead.
    assert_eq!(count(Feature::Runner), 1);
    // 22 could be captured from 18 if 25 were not behind it; 18 can be captured from 22, since 15 is empty.
    assert_eq!(count(Feature::Hanging), -1);
}

#[test]
fn features_of_kings_are_counted() {
    // White has a man on 21 and kings on 1 and 32, Black a king on 15.
    let setup =
        Setup { turn: Side::Black, men: [vec![20], vec![]], kings: [vec![0, 31], vec![14]], ..Setup::default() };
    let count = english_counts(&setup);
    assert_eq!(count(Feature::Man), -1);
    assert_eq!(count(Feature::ManAgainstKing), -1);
    assert_eq!(count(Feature::King), 0);
    assert_eq!(count(Feature::FurtherKing), -1);
    assert_eq!(count(Feature::FurtherKingAgainstKing), -1);
    // 15 moves to 10, 11, 18 and 19; 1 to 5 and 6; 32 to 27 and 28.
    assert_eq!(count(Feature::KingReach), 0);
    assert_eq!(count(Feature::KingDenied), 0);
    assert_eq!(count(Feature::KingTrapped), 0);
}

#[test]
fn squares_guarded_by_men_are_denied_to_kings() {
    let setup = Setup { turn: Side::White, men: [vec![], vec![18]], kings: [vec![26], vec![]], ..Setup::default() };
    let count = english_counts(&setup);
    // 27 moves to 23, 24, 31 and 32. The man on 19 captures on 23 (26 is empty) and on 24 (28 is empty).
    assert_eq!(count(Feature::KingReach), 2);
    assert_eq!(count(Feature::KingDenied), 2);
}

#[test]
fn squares_of_men_are_folded_into_patterns_that_cover_them() {
    let rules = international(10, 10);
    let mut weights = random_weights(&rules, 50, 1);
    weights.patterns.truncate(1); // squares 0 to 3, and for Black 46 to 49
    let folded = super::patterns::fold_men_into_patterns(&weights);
    assert_eq!(folded.men[..4], [[0; 2]; 4]);
    assert_eq!(folded.men[46..], [[0; 2]; 4]);
    assert_eq!(folded.men[4..46], weights.men[4..46]);
    // An own man on square 2 and an enemy man on 3, which is square 46 for the opponent.
    let way = 9 + 2 * 27;
    let [before, after] = [&weights, &folded].map(|weights| weights.patterns[0].table[way][0]);
    assert_eq!(after, before + weights.men[2][0] - weights.men[46][0]);
}

#[test]
fn values_stay_within_bounds() {
    let rules = international(10, 10);
    let mut weights = Weights::zero(&rules, 40);
    weights.counts[Feature::Man as usize] = [i16::MAX; 2];
    weights.men.fill([i16::MAX; 2]);
    let game = compile(rules);
    let evaluator = game.evaluation(&weights).expect("the weights fit");
    let setup = Setup { turn: Side::Black, men: [(0..50).collect(), vec![]], ..Setup::default() };
    assert_eq!(game.board(&setup).evaluate(&*evaluator), Some(-MAX_VALUE));
}

#[test]
fn weights_that_do_not_fit_are_refused() {
    let rules = international(10, 10);
    let game = compile(rules.clone());
    let problem_of = |change: &dyn Fn(&mut Weights)| {
        let mut weights = Weights::zero(&rules, 40);
        change(&mut weights);
        game.evaluation(&weights).err().unwrap_or_default()
    };
    let pattern = |squares: Vec<usize>, entries: usize| Pattern { squares, table: vec![[0; 2]; entries] };
    assert!(
        problem_of(&|weights| weights.men.truncate(32))
            .contains("expected 50 weights for men, one for each square, got 32")
    );
    assert!(problem_of(&|weights| weights.full = 0).contains("at least one piece"));
    for (wrong, expected) in [
        (pattern(vec![], 1), "squares, not 0"),
        (pattern((0..13).collect(), 1), "squares, not 13"),
        (pattern(vec![50], 3), "square 50"),
        (pattern(vec![1, 2, 1], 27), "twice"),
        (pattern(vec![1, 2], 8), "9 weights, not 8"),
    ] {
        let problem = problem_of(&|weights| weights.patterns.push(wrong.clone()));
        assert!(problem.contains(expected), "{problem}");
    }
    let odd = Weights { patterns: vec![pattern(vec![1], 3)], ..Weights::zero(&international(9, 8), 24) };
    assert!(
        compile(international(9, 8)).evaluation(&odd).err().is_some_and(|problem| problem.contains("turned around"))
    );
    let evaluator = game.evaluation(&Weights::zero(&rules, 40)).expect("the weights fit");
    assert_eq!(compile(turkish()).board(&Setup::default()).evaluate(&*evaluator), None);
    let whole = pack(&facing(50, 0..20, Side::White), 50);
    let mut shared = whole.clone();
    shared[1] |= 1; // a white piece and a black piece on the same square
    assert_eq!(game.feature_rows(&*evaluator, &[whole.clone(), shared].concat()), Err(1));
    assert_eq!(game.feature_rows(&*evaluator, &whole[..5]), Err(0));
}

/// Return a random network, with weights about as large as those of fitted networks.
fn random_network(rules: &Rules, hidden: usize, buckets: usize, seed: u64) -> NetworkWeights {
    let mut random = Random::new(seed, 11);
    let mut numbers = |count: usize, limit: i32| -> Vec<i16> {
        (0..count).map(|_| (random.below(2 * limit as usize + 1) as i32 - limit) as i16).collect()
    };
    NetworkWeights {
        full: relative_square_count(rules) * 3 / 4,
        hidden,
        input: numbers(4 * relative_square_count(rules) * hidden, 150),
        input_bias: numbers(hidden, 200),
        output: numbers(2 * buckets * hidden, 100),
        output_bias: numbers(buckets, 30_000).into_iter().map(i32::from).collect(),
        scale: 100 * (1 << 32) / (255 * 255 * 64),
    }
}

/// Return the value of a network in hundredths of a man, computed from the definition with floating-point numbers.
fn float_value(network: &NetworkWeights, rules: &Rules, setup: &Setup) -> f64 {
    let squares = crate::draughts::geometry::relative_squares(rules);
    let count = relative_square_count(rules);
    let mut output = 0.0;
    let pieces: usize = setup.men.iter().chain(&setup.kings).map(Vec::len).sum();
    let bucket = (pieces * network.buckets() / (network.full + 1)).min(network.buckets() - 1);
    for (half, viewer) in [setup.turn.index(), 1 - setup.turn.index()].into_iter().enumerate() {
        let mut inputs = Vec::new();
        for owner in [0, 1] {
            for (is_king, pieces) in [(0, &setup.men[owner]), (1, &setup.kings[owner])] {
                let plane = 2 * usize::from(owner != viewer) + is_king;
                inputs.extend(pieces.iter().map(|square| plane * count + squares[viewer][*square]));
            }
        }
        for unit in 0..network.hidden {
            let weights = inputs.iter().map(|input| f64::from(network.input[input * network.hidden + unit]));
            let sum = f64::from(network.input_bias[unit]) + weights.sum::<f64>();
            let clipped = (sum / 255.0).clamp(0.0, 1.0);
            let weight = network.output[(2 * bucket + half) * network.hidden + unit];
            output += f64::from(weight) * 255.0 * 255.0 * clipped * clipped;
        }
    }
    (output + f64::from(network.output_bias[bucket])) * network.scale as f64 / f64::from(1u32 << 16).powi(2)
}

#[test]
fn network_equals_its_definition_in_floating_point() {
    let mut total = 0;
    for (number, (rules, start, squares)) in boards().into_iter().enumerate() {
        let game = compile(rules.clone());
        let network = random_network(&rules, 128 + 128 * (number % 2), 1 + number % 8, number as u64);
        let evaluator = game.network(&network).expect("the network fits");
        assert!(!evaluator.is_linear());
        let setups = positions(&*game, &start, 12);
        total += setups.len();
        for (index, setup) in setups.iter().enumerate() {
            let value = game.board(setup).evaluate(&*evaluator).expect("the types are the same");
            let expected = float_value(&network, &rules, setup);
            assert!((f64::from(value) - expected).abs() < 0.51, "board {number}, {setup:?}: {value}, {expected}");
            if index % 10 == 0 {
                let other = game.board(&rotate(setup, squares)).evaluate(&*evaluator);
                assert_eq!(other, Some(value), "board {number}, {setup:?}");
            }
        }
    }
    assert!(total > 10_000, "{total} positions");
}

#[test]
fn network_has_the_same_value_with_any_accumulator() {
    for (number, (rules, start, _)) in boards().into_iter().enumerate() {
        let generator = Arc::new(MoveGenerator::<u128, Dynamic>::new(rules.clone()));
        let weights = random_network(&rules, 128, 4, number as u64);
        let mut network = Network::new(&rules, &generator.geometry, &weights).expect("the network fits");
        let setups = positions(&*compile(rules), &start, 2);
        let positions: Vec<_> = setups.iter().map(|setup| BoundPosition::new(&generator, setup).position).collect();
        let fresh: Vec<i32> =
            positions.iter().map(|position| network.evaluate(position, &mut Accumulator::new())).collect();
        let mut random = Random::new(number as u64, 2);
        for is_portable in [false, true] {
            let mut accumulator = Accumulator::new();
            for step in 0..600 {
                // Along the games, and sometimes to any position.
                let index = if step % 7 == 0 { random.below(positions.len()) } else { step % positions.len() };
                let value = network.evaluate(&positions[index], &mut accumulator);
                assert_eq!(value, fresh[index], "board {number}, position {index}, portable: {is_portable}");
            }
            network.use_portable_code();
        }
    }
}

#[test]
fn every_bitboard_type_gives_the_same_values_of_a_network() {
    let rules = international(10, 10);
    let setups = positions(&*compile(rules.clone()), &facing(50, 0..20, Side::White), 2);
    let weights = random_network(&rules, 128, 2, 1);
    fn values<B: Bitboard>(rules: &Rules, weights: &NetworkWeights, setups: &[Setup]) -> Vec<i32> {
        let generator = Arc::new(MoveGenerator::<B, Dynamic>::new(rules.clone()));
        let evaluator = generator.network(weights).expect("the network fits");
        values_of(&generator, &*evaluator, setups)
    }
    let known = values::<u64>(&rules, &weights, &setups);
    assert_eq!(values::<u128>(&rules, &weights, &setups), known);
    assert_eq!(values::<WideBitboard<4>>(&rules, &weights, &setups), known);
}

#[test]
fn networks_that_do_not_fit_are_refused() {
    let rules = international(10, 10);
    let game = compile(rules.clone());
    let problem_of = |change: &dyn Fn(&mut NetworkWeights)| {
        let mut network = random_network(&rules, 128, 2, 1);
        change(&mut network);
        game.network(&network).err().unwrap_or_default()
    };
    assert_eq!(problem_of(&|_| ()), "");
    assert!(problem_of(&|network| network.hidden = 65).contains("multiple of 128"));
    assert!(problem_of(&|network| network.full = 0).contains("at least one output bucket"));
    assert!(problem_of(&|network| network.output_bias.clear()).contains("at least one output bucket"));
    assert!(problem_of(&|network| network.input.truncate(7)).contains("expected 25600 input weights, got 7"));
    assert!(problem_of(&|network| network.input_bias.push(0)).contains("expected 128 input biases, got 129"));
    assert!(problem_of(&|network| network.output_bias.push(0)).contains("expected 768 output weights, got 512"));
    assert!(problem_of(&|network| network.output[3] = -129).contains("output weight -129"));
    assert!(problem_of(&|network| network.scale = 0).contains("expected a scale"));
    assert!(problem_of(&|network| network.output_bias[0] = i32::MIN).contains("32 bits"));
    assert!(problem_of(&|network| network.input.fill(700)).contains("hidden unit 0"));
    assert!(problem_of(&|network| network.input_bias[5] = i16::MIN).contains("hidden unit 5"));
}
