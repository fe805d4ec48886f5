//! Rules and positions of draughts, decoded from an input.

use super::Input;
use tablemen_core::draughts::notation::{Notation, Squares};
use tablemen_core::draughts::{Criterion, Directions, KingLanding, Promotion, Rules, Setup};
use tablemen_core::side::Side;

/// The rules of international draughts on a board of this size.
fn international(columns: usize, rows: usize) -> Rules {
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

/// Return one rule set for each specialised move generator, and some with unusual rules.
fn known() -> Vec<Rules> {
    let forward = Directions::FORWARD_DIAGONALS;
    let sideways = Directions(Directions::FORWARD.0 | Directions::SIDEWAYS.0);
    let english = Rules {
        man_captures: forward,
        flying_kings: false,
        precedence: vec![],
        promotion: Promotion::Stops,
        ..international(8, 8)
    };
    vec![
        international(10, 10),
        Rules { promotion: Promotion::InFlight, precedence: vec![], ..international(8, 8) }, // Russian
        english.clone(),
        Rules { king_landing: KingLanding::BehindEach, flying_kings: true, ..english.clone() }, // Thai
        Rules {
            precedence: vec![Criterion::MostPieces, Criterion::MostKings],
            man_captures: forward,
            ..international(8, 8)
        }, // Spanish
        Rules {
            men_capture_kings: false,
            corner_playable: false,
            precedence: vec![Criterion::MostPieces, Criterion::WithKing, Criterion::MostKings, Criterion::KingsFirst],
            ..english
        }, // Italian
        Rules {
            man_captures: Directions::ALL,
            king_captures: Directions::ALL,
            precedence: vec![Criterion::MostValue { man: 100, king: 199 }, Criterion::WithKing],
            king_move_limit: 3,
            ..international(10, 10)
        }, // Frisian
        Rules {
            all_squares: true,
            man_moves: sideways,
            man_captures: sideways,
            king_moves: Directions::ORTHOGONALS,
            king_captures: Directions::ORTHOGONALS,
            removal_at_once: true,
            ..international(8, 8)
        }, // Turkish
        international(12, 12),
        Rules { breakthrough: true, ..international(10, 10) },
        Rules { king_landing: KingLanding::BehindLastKing, losing: true, ..international(10, 10) },
    ]
}

/// Decode directions, one of which must be in `any_of`.
fn directions(input: &mut Input<'_>, any_of: Directions) -> Directions {
    let set = input.byte();
    Directions(if set & any_of.0 == 0 { set | any_of.0 } else { set })
}

/// Decode rules that the package accepts, for a board of at most `max_size` rows and columns.
pub fn decode_rules(input: &mut Input<'_>, max_size: usize) -> Rules {
    let mut known = known();
    known.retain(|rules| rules.columns.max(rules.rows) <= max_size);
    let index = input.below(2 * known.len());
    if index < known.len() {
        return known.swap_remove(index);
    }
    let (columns, rows) = (4 + input.below(max_size - 3), 4 + input.below(max_size - 3));
    let mut rules = international(columns, rows);
    (rules.all_squares, rules.corner_playable) = (input.flag(), input.flag());
    rules.man_moves = directions(input, Directions(Directions::FORWARD.0 | Directions::FORWARD_DIAGONALS.0));
    rules.man_captures = directions(input, Directions::ALL);
    rules.king_moves = directions(input, Directions::ALL);
    rules.king_captures = directions(input, Directions::ALL);
    rules.promotion = [Promotion::AtEnd, Promotion::Stops, Promotion::InFlight][input.below(3)];
    let flags = input.byte();
    let flag = |bit: u8| flags >> bit & 1 == 1;
    rules.men_capture_kings = !flag(0);
    rules.capture_compulsory = !flag(1);
    rules.removal_at_once = flag(2);
    (rules.losing, rules.breakthrough) = (flag(3), flag(4) && !flag(3));
    (rules.lone_piece_loses, rules.lone_man_loses_to_king) = (flag(5), flag(6));
    rules.flying_kings = !flag(7);
    if rules.flying_kings {
        let landings =
            [KingLanding::Any, KingLanding::BehindEach, KingLanding::BehindLast, KingLanding::BehindLastKing];
        rules.king_landing = landings[input.below(4)];
        rules.reverse_captures = rules.removal_at_once && input.flag();
    }
    rules.king_move_limit = [0, 0, 0, 1, 3, 255][input.below(6)];
    rules.precedence = decode_precedence(input);
    rules
}

fn decode_precedence(input: &mut Input<'_>) -> Vec<Criterion> {
    let value = Criterion::MostValue { man: 1 + input.below(65_535) as u32, king: 1 + input.below(65_535) as u32 };
    let mut rest = vec![Criterion::MostPieces, Criterion::MostKings, value, Criterion::WithKing];
    let mut criteria: Vec<Criterion> = (0..input.below(4)).map(|_| rest.remove(input.below(rest.len()))).collect();
    if input.flag() {
        criteria.push(Criterion::KingsFirst);
    }
    criteria
}

/// Return the row and the column of each square, in the order of their indices.
pub fn places(rules: &Rules) -> Vec<(usize, usize)> {
    let parity = (rules.rows - 1 + usize::from(!rules.corner_playable)) % 2;
    (0..rules.rows)
        .flat_map(|row| (0..rules.columns).map(move |column| (row, column)))
        .filter(|(row, column)| rules.all_squares || (row + column) % 2 == parity)
        .collect()
}

/// Return the number of squares of the board.
pub fn square_count(rules: &Rules) -> usize {
    places(rules).len()
}

/// Return whether a board that is turned by half a turn has the same squares.
pub fn has_half_turn_symmetry(rules: &Rules) -> bool {
    rules.all_squares || (rules.columns + rules.rows).is_multiple_of(2)
}

/// Decode a position: half a byte per square. A man on its far row is a king.
pub fn decode_setup(input: &mut Input<'_>, rules: &Rules) -> Setup {
    let mut setup = Setup { turn: Side::new(input.flag()), ..Setup::default() };
    let mut kings = [Vec::new(), Vec::new()];
    let places = places(rules);
    for (pair, squares) in places.chunks(2).enumerate() {
        let byte = input.byte();
        for (half, (row, _)) in squares.iter().enumerate() {
            let (square, piece) = (2 * pair + half, byte >> (4 * half) & 7);
            let side = Side::new(piece & 1 == 1);
            let far_row = if side == Side::White { 0 } else { rules.rows - 1 };
            match piece {
                0..=3 => {}
                4 | 5 if *row != far_row => setup.men[side.index()].push(square),
                _ => kings[side.index()].push(square),
            }
        }
    }
    for side in [0, 1] {
        if rules.king_move_limit > 0 && !kings[side].is_empty() && !setup.men[side].is_empty() {
            let moves = input.below(usize::from(rules.king_move_limit) + 1) as u8;
            setup.runs[side] = (moves > 0).then(|| (kings[side][input.below(kings[side].len())], moves));
        }
    }
    Setup { kings, ..setup }
}

/// Return the notation of the rules: numbers, or letters and numbers if there are enough letters.
pub fn notation(rules: &Rules, algebraic: bool) -> Notation {
    let name = |(number, (row, column)): (u16, &(usize, usize))| {
        let letter = char::from(b'a' + *column as u8);
        let named = algebraic && rules.columns <= 26;
        (number, if named { format!("{letter}{}", rules.rows - row) } else { number.to_string() })
    };
    let squares = Squares::new((1..).zip(&places(rules)).map(name));
    let separator = if algebraic { ":" } else { "x" };
    Notation::new("fuzzed".to_owned(), squares, separator.to_owned(), rules.king_move_limit)
}
