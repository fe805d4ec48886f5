//! The inputs of the workloads: rules, start positions and evaluation weights.

use tablemen_core::draughts::{self, Criterion, Directions, Feature, KingLanding, Pattern, Promotion, Weights};
use tablemen_core::mancala::{self, Capture};
use tablemen_core::random::Random;
use tablemen_core::side::Side;

pub fn international() -> draughts::Rules {
    draughts::Rules {
        columns: 10,
        rows: 10,
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

/// Return the rules of international draughts on a board of 14×14 squares.
pub fn wide() -> draughts::Rules {
    draughts::Rules { columns: 14, rows: 14, ..international() }
}

/// Return a position on a 14×14 board with a white king on the bottom row and black men on the inner squares of every
/// second row. Each man is missing with a probability of one in five.
pub fn crowded(random: &mut Random) -> draughts::Setup {
    let rows = [1, 3, 5, 7, 9, 11];
    let squares = rows.into_iter().flat_map(|row| (1..7).map(move |column| 7 * row + column));
    let men = squares.filter(|_| random.below(5) > 0).collect();
    draughts::Setup {
        turn: Side::White,
        men: [vec![], men],
        kings: [vec![91 + random.below(7)], vec![]],
        ..draughts::Setup::default()
    }
}

pub fn english() -> draughts::Rules {
    draughts::Rules {
        columns: 8,
        rows: 8,
        man_captures: Directions::FORWARD_DIAGONALS,
        flying_kings: false,
        precedence: vec![],
        promotion: Promotion::Stops,
        ..international()
    }
}

pub fn frisian() -> draughts::Rules {
    draughts::Rules {
        man_captures: Directions::ALL,
        king_captures: Directions::ALL,
        precedence: vec![Criterion::MostValue { man: 100, king: 199 }, Criterion::WithKing],
        king_move_limit: 3,
        ..international()
    }
}

pub fn turkish() -> draughts::Rules {
    let men = Directions(Directions::FORWARD.0 | Directions::SIDEWAYS.0);
    draughts::Rules {
        columns: 8,
        rows: 8,
        all_squares: true,
        man_moves: men,
        man_captures: men,
        king_moves: Directions::ORTHOGONALS,
        king_captures: Directions::ORTHOGONALS,
        removal_at_once: true,
        ..international()
    }
}

pub fn kalah(houses: usize) -> mancala::Rules {
    mancala::Rules {
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

/// Return the start position with `men` men per side, White to move.
pub fn facing(squares: usize, men: usize) -> draughts::Setup {
    let sides = [(squares - men..squares).collect(), (0..men).collect()];
    draughts::Setup { turn: Side::White, men: sides, ..draughts::Setup::default() }
}

/// Return a random position with 2 to `pieces` pieces, some of each side. No man is on its promotion row.
pub fn random_endgame(rules: &draughts::Rules, pieces: usize, random: &mut Random) -> draughts::Setup {
    let row = if rules.all_squares { rules.columns } else { rules.columns / 2 };
    let mut free: Vec<usize> = (0..row * rules.rows).collect();
    let far_rows = [0, rules.rows - 1];
    let mut setup = draughts::Setup { turn: Side::new(random.below(2) == 1), ..draughts::Setup::default() };
    for number in 0..2 + random.below(pieces - 1) {
        let side = if number < 2 { number } else { random.below(2) };
        let square = free.swap_remove(random.below(free.len()));
        let is_king = square / row == far_rows[side] || random.below(2) == 1;
        (if is_king { &mut setup.kings } else { &mut setup.men })[side].push(square);
    }
    setup
}

/// Return the start position of Turkish draughts: two full rows of men per side, with an empty row behind them.
pub fn turkish_start() -> draughts::Setup {
    draughts::Setup { turn: Side::White, men: [(40..56).collect(), (8..24).collect()], ..draughts::Setup::default() }
}

pub fn seeded(houses: usize, seeds: u16) -> mancala::Setup {
    mancala::Setup { houses: [vec![seeds; houses], vec![seeds; houses]], ..mancala::Setup::default() }
}

/// Return weights with a value for every feature of the evaluation.
pub fn weights(rules: &draughts::Rules) -> Weights {
    let mut weights = Weights::zero(rules, 40);
    for (index, pair) in weights.counts.iter_mut().enumerate() {
        *pair = [10 + index as i16, 20 - index as i16];
    }
    weights.counts[Feature::Man as usize] = [1000, 1000];
    weights.counts[Feature::King as usize] = [3000, 2800];
    weights.counts[Feature::FurtherKing as usize] = [3000, 2800];
    for (square, pair) in weights.men.iter_mut().enumerate() {
        *pair = [square as i16 % 7, 50 - square as i16];
    }
    weights.patterns = [0, 15, 30]
        .map(|first| {
            let entry = |index: usize| [(index * 37 % 101) as i16 - 50, (index * 53 % 101) as i16 - 50];
            Pattern { squares: (first..first + 8).collect(), table: (0..3_usize.pow(8)).map(entry).collect() }
        })
        .to_vec();
    weights
}
