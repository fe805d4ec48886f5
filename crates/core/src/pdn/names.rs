//! Square names: parse the squares of a move.

use super::lexer::{is_blank, is_separator};

/// The squares of a board by number and by letter.
#[derive(Debug)]
pub struct SquareNames {
    numbers: Vec<u16>,
    letters: Vec<u16>,
}

const NONE: u16 = u16::MAX;
/// The number of rows per letter, including row 0.
const ROWS: usize = 33;
const LETTERS: usize = 26;

impl SquareNames {
    /// Create the table from the squares in the order of their indices, each with its number and its name.
    pub fn new<'a>(squares: impl Iterator<Item = (i64, &'a str)>) -> Self {
        let mut names = SquareNames { numbers: Vec::new(), letters: vec![NONE; LETTERS * ROWS] };
        for (index, (number, name)) in squares.enumerate() {
            let number = number.max(0) as usize;
            if names.numbers.len() <= number {
                names.numbers.resize(number + 1, NONE);
            }
            names.numbers[number] = index as u16;
            if let [letter @ b'a'..=b'z', digits @ ..] = name.as_bytes()
                && let Some(row) = parse_number(digits).filter(|row| *row < ROWS)
            {
                names.letters[usize::from(letter - b'a') * ROWS + row] = index as u16;
            }
        }
        names
    }

    /// Return the square with a number, or with a letter and a number.
    pub fn find(&self, name: &[u8]) -> Option<u16> {
        let found = match name {
            [letter, digits @ ..] if letter.is_ascii_alphabetic() => {
                let row = parse_number(digits).filter(|row| *row < ROWS)?;
                self.letters[usize::from(letter.to_ascii_lowercase() - b'a') * ROWS + row]
            }
            digits => *self.numbers.get(parse_number(digits)?)?,
        };
        (found != NONE).then_some(found)
    }

    /// Parse the squares of a move and append them to `squares`. The error is the place of an unknown name.
    pub fn parse(&self, text: &[u8], squares: &mut Vec<u16>) -> Result<(), usize> {
        let mut at = 0;
        while at < text.len() {
            // Read a square, then a separator. An x can be either.
            let start = at;
            at += usize::from(text[at].is_ascii_alphabetic());
            at += text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            // Four digits in a row are two squares.
            let middle = if at - start == 4 && text[start].is_ascii_digit() { start + 2 } else { at };
            squares.push(self.find(&text[start..middle]).ok_or(start)?);
            if middle < at {
                squares.push(self.find(&text[middle..at]).ok_or(middle)?);
            }
            at += text[at..].iter().take_while(|byte| is_blank(**byte)).count();
            at += usize::from(text.get(at).is_some_and(|byte| is_separator(*byte)));
            at += text[at..].iter().take_while(|byte| is_blank(**byte)).count();
        }
        Ok(())
    }
}

fn parse_number(digits: &[u8]) -> Option<usize> {
    if digits.is_empty() || digits.len() > 4 {
        return None;
    }
    let digit = |number: usize, byte: &u8| byte.is_ascii_digit().then(|| number * 10 + usize::from(byte - b'0'));
    digits.iter().try_fold(0, digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(names: &SquareNames, text: &str) -> Result<Vec<u16>, usize> {
        let mut squares = Vec::new();
        names.parse(text.as_bytes(), &mut squares).map(|()| squares)
    }

    #[test]
    fn numbers() {
        let names: Vec<String> = (1..=50).map(|number| number.to_string()).collect();
        let board = SquareNames::new((1..=50).zip(names.iter().map(String::as_str)));
        assert_eq!(parse(&board, "32-28"), Ok(vec![31, 27]));
        assert_eq!(parse(&board, "01x7:12"), Ok(vec![0, 6, 11]));
        assert_eq!(parse(&board, "3228"), Ok(vec![31, 27]));
        assert_eq!(parse(&board, "32 x 28"), Ok(vec![31, 27]));
        assert_eq!(parse(&board, "32-51"), Err(3));
        assert_eq!(parse(&board, "0-1"), Err(0));
        assert_eq!(parse(&board, "99999-1"), Err(0));
        assert_eq!(parse(&board, "c3-d4"), Err(0));
    }

    #[test]
    fn letters() {
        let board = SquareNames::new([(1, "b8"), (2, "a7"), (3, "j10")].into_iter());
        assert_eq!(parse(&board, "b8a7"), Ok(vec![0, 1]));
        assert_eq!(parse(&board, "B8:J10"), Ok(vec![0, 2]));
        assert_eq!(parse(&board, "1x2"), Ok(vec![0, 1]));
        assert_eq!(parse(&board, "b8-b7"), Err(3));
        assert_eq!(parse(&board, "b8-x9"), Err(3));
    }
}
