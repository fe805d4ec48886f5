//! Moves and positions as text.
//!
//! A move is the number of its house, counted from 1, or `swap`. A position is the board of the Kalah Game Protocol and
//! the side to move: `<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south` has six houses per side, the stores of South and North,
//! and the houses of South and of North, each in the owner's sowing order. A final `swap` means that North can still
//! swap sides.

use super::moves::Move;
use super::rules::Rules;
use super::setup::{Setup, SetupBuilder, side_name};
use crate::side::Side;
use crate::text::{NotationError, is_blank, quote};

const SWAP: &str = "swap";

/// The maximum number of digits that are parsed. No valid number has that many.
const MAX_DIGITS: usize = 20;

/// Format a move: the number of the house, or `swap`.
pub fn format_move(played: Move) -> String {
    match played {
        Move::Sow(house) => (house + 1).to_string(),
        Move::Swap => SWAP.to_owned(),
    }
}

/// Parse a move on a board with this number of houses per side. The move need not be legal.
pub fn parse_move(text: &str, houses: usize) -> Result<Move, NotationError> {
    let (word, at) = trim(text);
    if is_word(word, SWAP) {
        return Ok(Move::Swap);
    }
    let Some(house) = parse_number(word) else {
        return Err(NotationError::new(format!("{} is not the number of a house", quote(text)), at));
    };
    if !(1..=houses as i64).contains(&house) {
        let problem = format!("there is no house {}: expected 1 to {houses}", shorten(word));
        return Err(NotationError::new(problem, at));
    }
    Ok(Move::Sow(house as u8 - 1))
}

/// Format a position.
pub fn format_position(setup: &Setup) -> String {
    let houses = setup.houses[0].len();
    let pits = setup.stores.iter().chain(setup.houses.iter().flatten());
    let pits: String = pits.map(|seeds| format!(",{seeds}")).collect();
    let swap = if setup.swap_open { " swap" } else { "" };
    format!("<{houses}{pits}> {}{swap}", side_name(setup.turn))
}

/// Parse a position. South is to move if the text does not name a side. `variant` is the name of the rules for
/// messages.
pub fn parse_position(text: &str, rules: &Rules, variant: &str) -> Result<Setup, NotationError> {
    let (board, start) = trim(text);
    let Some((numbers, words)) = board.strip_prefix('<').and_then(|board| board.split_once('>')) else {
        return Err(malformed());
    };
    if numbers.contains('<') || words.contains(['<', '>']) {
        return Err(malformed());
    }
    let pits = parse_pits(numbers, start + 1, rules, variant)?;
    let (turn, swap_open) = parse_words(words, start + 2 + numbers.chars().count())?;
    let mut builder = SetupBuilder::new(rules, turn, swap_open);
    let (stores, houses) = pits.split_at(2);
    for (side, row) in [Side::White, Side::Black].into_iter().zip(houses.chunks(rules.houses)) {
        builder.set_houses(side, row);
    }
    for (side, seeds) in [Side::White, Side::Black].into_iter().zip(stores) {
        builder.set_store(side, *seeds);
    }
    builder.build().map_err(|problems| NotationError::new(problems.join("; "), 0))
}

fn malformed() -> NotationError {
    NotationError::new("expected a board <houses,store,store,seeds,…> and a side", 0)
}

/// Parse the numbers of a board; the first is the number of houses per side. Return the others.
fn parse_pits(numbers: &str, mut at: usize, rules: &Rules, variant: &str) -> Result<Vec<i64>, NotationError> {
    let mut pits = Vec::new();
    for (index, text) in numbers.split(',').enumerate() {
        let (digits, _) = trim(text);
        let Some(number) = parse_number(digits) else {
            return Err(NotationError::new(format!("{} is not a number of seeds", quote(digits)), at));
        };
        if index > 0 {
            pits.push(number);
        } else if number != rules.houses as i64 {
            let houses = if number == 1 { "1 house".to_owned() } else { format!("{} houses", shorten(digits)) };
            let problem = format!("the board has {houses} a side, {variant} has {}", rules.houses);
            return Err(NotationError::new(problem, at));
        }
        at += text.chars().count() + 1;
    }
    let (given, expected) = (pits.len(), 2 * rules.houses + 2);
    if given != expected {
        let s = if given == 1 { "" } else { "s" };
        return Err(NotationError::new(format!("the board has {given} pit{s}, not {expected}"), 0));
    }
    Ok(pits)
}

/// Parse the text after the board: the side to move, and whether the second player can still swap sides.
fn parse_words(text: &str, start: usize) -> Result<(Side, bool), NotationError> {
    let (mut turn, mut swap_open) = (Side::White, false);
    let (mut left, mut at, mut is_first) = (text, start, true);
    loop {
        let (trimmed, skipped) = trim(left);
        if trimmed.is_empty() {
            return Ok((turn, swap_open));
        }
        at += skipped;
        let word = trimmed.split(is_blank).next().unwrap_or_default();
        if let Some(side) = parse_side(word).filter(|_| is_first) {
            turn = side;
        } else if is_word(word, SWAP) && !swap_open {
            swap_open = true;
        } else {
            return Err(NotationError::new(format!("{} is not a side to move", quote(word)), at));
        }
        at += word.chars().count();
        (left, is_first) = (&trimmed[word.len()..], false);
    }
}

/// Parse the name of a side or its first letter.
fn parse_side(word: &str) -> Option<Side> {
    let names = |side: &Side| is_word(word, side_name(*side)) || is_word(word, &side_name(*side)[..1]);
    [Side::White, Side::Black].into_iter().find(names)
}

/// Parse decimal digits; a number that is too large becomes the maximum.
fn parse_number(digits: &str) -> Option<i64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| if digits.len() > MAX_DIGITS { i64::MAX } else { digits.parse().unwrap_or(i64::MAX) })
}

/// Shorten digits for a message.
fn shorten(digits: &str) -> String {
    if digits.len() > MAX_DIGITS { format!("{}…", &digits[..MAX_DIGITS]) } else { digits.to_owned() }
}

/// Return the text without surrounding white space, and the number of characters before it.
fn trim(text: &str) -> (&str, usize) {
    let trimmed = text.trim_start_matches(is_blank);
    (trimmed.trim_end_matches(is_blank), text[..text.len() - trimmed.len()].chars().count())
}

/// Compare with a lower-case word after case folding, which turns the long s into an s.
fn is_word(text: &str, word: &str) -> bool {
    text.chars().map(|c| if c == 'ſ' { 's' } else { c.to_ascii_lowercase() }).eq(word.chars())
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::{kalah, random_setup, rule_sets};
    use super::{Move, NotationError, Rules, Setup, Side};
    use super::{format_move, format_position, parse_move, parse_position};
    use crate::random::Random;

    #[test]
    fn positions_round_trip() {
        let mut random = Random::new(7, 7);
        for houses in 1..=24 {
            for rules in rule_sets(houses) {
                let setup = random_setup(&mut random, &rules);
                assert_eq!(parse_position(&format_position(&setup), &rules, "kalah"), Ok(setup));
            }
        }
    }

    #[test]
    fn moves_round_trip() {
        for played in (0..24).map(Move::Sow).chain([Move::Swap]) {
            assert_eq!(parse_move(&format_move(played), 24), Ok(played));
        }
        assert_eq!(parse_move(" \x1c0003\n", 6), Ok(Move::Sow(2)));
        assert_eq!(parse_move("ſWaP", 6), Ok(Move::Swap));
    }

    #[test]
    fn side_and_swap_are_parsed_after_the_board() {
        let rules = Rules { pie: true, ..kalah(1) };
        let setup = Setup { houses: [vec![3], vec![4]], stores: [1, 2], ..Setup::default() };
        for (text, turn, swap_open) in [
            (" < 1 ,1,2, 3,04 > ", Side::White, false),
            ("<1,1,2,3,4>N", Side::Black, false),
            ("<1,1,2,3,4> North\nswap", Side::Black, true),
            ("<1,1,2,3,4> swap", Side::White, true),
        ] {
            assert_eq!(parse_position(text, &rules, "one"), Ok(Setup { turn, swap_open, ..setup.clone() }));
        }
    }

    #[test]
    fn errors_have_a_message_and_a_location() {
        for (text, problem, at) in [
            ("1,0,0,0,0", "expected a board <houses,store,store,seeds,…> and a side", 0),
            ("<1,0,0,0,0>>", "expected a board <houses,store,store,seeds,…> and a side", 0),
            (" <2,x>", "the board has 2 houses a side, one has 1", 2),
            ("<1,½, x ,0>", "'½' is not a number of seeds", 3),
            ("<1,0, x ,0>", "'x' is not a number of seeds", 5),
            ("<1,0>", "the board has 1 pit, not 4", 0),
            ("<1,0,0,0,0> ½ n", "'½' is not a side to move", 12),
            ("<1,0,0,0,0> n s", "'s' is not a side to move", 14),
            (
                "<1,0,70000,70000,0> swap",
                concat!(
                    "the rules do not let the second player swap sides; house 1 of south has 70000 seeds, not 0 to 65535; ",
                    "the store of north has 70000 seeds, not 0 to 65535"
                ),
                0,
            ),
            ("<1,0,0,65535,1>", "there are 65536 seeds on the board, more than 65535", 0),
        ] {
            let error = NotationError { problem: problem.to_owned(), at };
            assert_eq!(parse_position(text, &kalah(1), "one"), Err(error), "{text}");
        }
        let digits = "9".repeat(21);
        for (text, problem, at) in [
            (" +1", "' +1' is not the number of a house", 1),
            ("0", "there is no house 0: expected 1 to 6", 0),
            (&digits, "there is no house 99999999999999999999…: expected 1 to 6", 0),
        ] {
            assert_eq!(parse_move(text, 6), Err(NotationError { problem: problem.to_owned(), at }), "{text}");
        }
    }
}
