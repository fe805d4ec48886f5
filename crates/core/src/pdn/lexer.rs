//! Bytes to tokens, one at a time.

use memchr::memchr;

use super::comments::CommentEnds;
use super::token::{Kind, Problem};

/// Whether a byte is a blank or ends a line.
#[inline(always)]
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// Whether a byte can stand between the squares of a move.
#[inline(always)]
pub(super) fn is_separator(byte: u8) -> bool {
    matches!(byte, b'-' | b'x' | b'X' | b':')
}

/// What a result can look like, the longest first.
pub(super) const RESULTS: [&[u8]; 8] = [b"1/2-1/2", b"1-0", b"0-1", b"2-0", b"0-2", b"1-1", b"0-0", b"*"];
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const LARGEST_NAG: u32 = 65_535;

/// Why there is no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It depends on bytes that are not there yet.
    More,
    /// There are no more.
    End,
    /// The text is wrong at this place; the lexer has gone on behind it.
    Bad(Problem, usize),
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
    /// Where it begins with all that belongs to it, braces for example.
    pub from: usize,
}

/// Reads tokens from `bytes`, which go on later unless they are the `last`.
pub(super) struct Lexer<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
    pub last: bool,
    pub comment_ends: CommentEnds,
}

impl Lexer<'_> {
    /// The byte at a place; 0 behind the end.
    #[inline(always)]
    pub fn byte(&self, place: usize) -> Result<u8, Stop> {
        match self.bytes.get(place) {
            Some(byte) => Ok(*byte),
            None if self.last => Ok(0),
            None => Err(Stop::More),
        }
    }

    /// Whether the text goes on like this.
    pub fn follows(&self, place: usize, expected: &[u8]) -> Result<bool, Stop> {
        let there = &self.bytes[place.min(self.bytes.len())..];
        match there.len() < expected.len() && expected.starts_with(there) && !self.last {
            true => Err(Stop::More),
            false => Ok(there.starts_with(expected)),
        }
    }

    /// The end of the blanks from a place on.
    #[inline(always)]
    pub fn skip_blanks(&self, mut place: usize) -> Result<usize, Stop> {
        while is_blank(self.byte(place)?) {
            place += 1;
        }
        Ok(place)
    }

    /// The end of the digits from a place on.
    #[inline(always)]
    pub fn skip_digits(&self, mut place: usize) -> Result<usize, Stop> {
        while self.byte(place)?.is_ascii_digit() {
            place += 1;
        }
        Ok(place)
    }

    /// The end of the line that a place is in.
    pub fn line_end(&self, place: usize) -> Result<usize, Stop> {
        match memchr(b'\n', &self.bytes[place..]) {
            Some(length) => Ok(place + length),
            None if self.last => Ok(self.bytes.len()),
            None => Err(Stop::More),
        }
    }

    /// Goes on behind blanks and line comments.
    #[inline(always)]
    pub fn skip_nothing(&mut self) -> Result<(), Stop> {
        loop {
            while self.at < self.bytes.len() && is_blank(self.bytes[self.at]) {
                self.at += 1;
            }
            match self.bytes.get(self.at) {
                None => return Err(if self.last { Stop::End } else { Stop::More }),
                Some(b'%') => self.at = self.line_end(self.at)?,
                Some(0xef) if self.follows(self.at, BYTE_ORDER_MARK)? => self.at += BYTE_ORDER_MARK.len(),
                Some(_) => return Ok(()),
            }
        }
    }

    /// The token that begins here, behind all blanks. Of a tag it is the name; `value` gives the rest.
    #[inline(always)]
    pub fn next(&mut self) -> Result<Found, Stop> {
        let start = self.at;
        match self.bytes[start] {
            b'0'..=b'9' => self.number(),
            b'a'..=b'z' | b'A'..=b'Z' => self.letter(),
            b'{' => self.comment(),
            b'[' => self.tag_name(),
            b'(' => self.parenthesis(),
            b')' => Ok(self.found(Kind::Close, start, start + 1)),
            b'!' | b'?' => self.strength(),
            b'$' => self.nag(),
            b'/' => self.setup(),
            b'*' => Ok(self.found(Kind::Result, start, start + 1)),
            b'.' if self.follows(start, b"...")? => Ok(self.found(Kind::Unknown, start, start + 3)),
            b'-' if self.ends_word(start + 1)? => Ok(self.found(Kind::Unknown, start, start + 1)),
            b';' => self.line_comment(),
            _ => Err(self.unexpected()),
        }
    }

    #[inline(always)]
    fn found(&mut self, kind: Kind, start: usize, end: usize) -> Found {
        self.at = end;
        Found { kind, start, end, from: start }
    }

    pub fn bad(&mut self, problem: Problem, place: usize, go_on: usize) -> Stop {
        self.at = go_on;
        Stop::Bad(problem, place)
    }

    /// Whether a place is behind a word: at a blank, the end, or where something else begins.
    pub fn ends_word(&self, place: usize) -> Result<bool, Stop> {
        let byte = self.byte(place)?;
        Ok(byte == 0 || is_blank(byte) || b"{}()[];$*%".contains(&byte))
    }

    /// Goes on behind a word that is no token.
    fn unexpected(&mut self) -> Stop {
        let start = self.at;
        let mut end = start + 1;
        loop {
            match self.byte(end) {
                Ok(byte) if end < self.bytes.len() && !is_blank(byte) && !b"{}()[];$*%/".contains(&byte) => end += 1,
                Ok(_) => return self.bad(Problem::Unexpected, start, end),
                Err(stop) => return stop,
            }
        }
    }

    /// What begins with a digit: the number of a move, a move or a result.
    #[inline(always)]
    fn number(&mut self) -> Result<Found, Stop> {
        let start = self.at;
        let mut end = self.skip_digits(start)?;
        match self.byte(end)? {
            b'.' => {
                while end < self.bytes.len() && self.bytes[end] == b'.' {
                    end += 1;
                }
                // A dot may follow.
                self.byte(end)?;
                Ok(self.found(Kind::Number, start, end))
            }
            b'-' | b'x' | b'X' | b':' => self.squares(start, end),
            b'/' if self.follows(start, RESULTS[0])? => Ok(self.found(Kind::Result, start, start + RESULTS[0].len())),
            _ if end - start == 4 && self.ends_move(end)? => Ok(self.found(Kind::Move, start, end)),
            byte if is_blank(byte) && is_separator(self.byte(self.skip_blanks(end)?)?) => {
                let separator = self.skip_blanks(end)?;
                self.squares(start, separator)
            }
            _ => Err(self.bad(Problem::BareNumber, start, end)),
        }
    }

    /// Whether nothing more of a move can be at a place.
    fn ends_move(&self, place: usize) -> Result<bool, Stop> {
        Ok(self.ends_word(place)? || matches!(self.byte(place)?, b'!' | b'?'))
    }

    /// What begins with a letter: a move.
    fn letter(&mut self) -> Result<Found, Stop> {
        let start = self.at;
        let end = self.skip_digits(start + 1)?;
        if end == start + 1 {
            return Err(self.unexpected());
        }
        let separator = self.skip_blanks(end)?;
        let next = self.byte(separator)?;
        if is_separator(next) || separator == end && next.is_ascii_alphabetic() {
            return self.squares(start, separator);
        }
        Err(self.bad(Problem::MissingSquare, start, end))
    }

    /// A move whose first square has been read, or a result that looks like one.
    #[inline(always)]
    fn squares(&mut self, start: usize, first_separator: usize) -> Result<Found, Stop> {
        let mut end = first_separator;
        loop {
            // Here is a separator, or the letter of the next square.
            let byte = self.byte(end)?;
            if is_separator(byte) {
                end = self.skip_blanks(end + 1)?;
            }
            let square = end;
            if self.byte(end)?.is_ascii_alphabetic() {
                end += 1;
            }
            let digits = end;
            end = self.skip_digits(end)?;
            if end == digits {
                return Err(self.bad(Problem::MissingSquare, start, end));
            }
            let next = self.byte(end)?;
            if is_separator(next) {
                continue;
            }
            if next.is_ascii_alphabetic() && self.bytes[square].is_ascii_alphabetic() {
                continue;
            }
            if is_blank(next) {
                // A capture may go on behind blanks; a dash there stands for another move.
                let further = self.skip_blanks(end)?;
                let sign = self.byte(further)?;
                // So does an x with a digit where squares have letters: that is the column x.
                let is_square = sign != b':'
                    && self.bytes[square].is_ascii_alphabetic()
                    && self.byte(further + 1)?.is_ascii_digit();
                if matches!(sign, b'x' | b'X' | b':') && !is_square && self.goes_on(further + 1)? {
                    end = further;
                    continue;
                }
            }
            break;
        }
        let text = &self.bytes[start..end];
        let kind = if text.len() == 3 && RESULTS.contains(&text) { Kind::Result } else { Kind::Move };
        Ok(self.found(kind, start, end))
    }

    /// Whether a digit, or a letter with one, comes next but for blanks.
    fn goes_on(&self, place: usize) -> Result<bool, Stop> {
        let place = self.skip_blanks(place)?;
        let byte = self.byte(place)?;
        Ok(byte.is_ascii_digit() || byte.is_ascii_alphabetic() && self.byte(place + 1)?.is_ascii_digit())
    }

    /// `(` begins a variation, `(!)` is a strength sign.
    fn parenthesis(&mut self) -> Result<Found, Stop> {
        let start = self.at;
        let mut end = start + 1;
        while matches!(self.byte(end)?, b'!' | b'?') {
            end += 1;
        }
        if end > start + 1 && self.byte(end)? == b')' {
            return Ok(self.found(Kind::Strength, start, end + 1));
        }
        Ok(self.found(Kind::Open, start, start + 1))
    }

    fn strength(&mut self) -> Result<Found, Stop> {
        let (start, mut end) = (self.at, self.at);
        while matches!(self.byte(end)?, b'!' | b'?') {
            end += 1;
        }
        Ok(self.found(Kind::Strength, start, end))
    }

    fn nag(&mut self) -> Result<Found, Stop> {
        let from = self.at;
        let end = self.skip_digits(from + 1)?;
        let digits = std::str::from_utf8(&self.bytes[from + 1..end]).unwrap_or_default();
        if !digits.parse().is_ok_and(|number: u32| number <= LARGEST_NAG) {
            return Err(self.bad(Problem::Nag, from, end));
        }
        self.at = end;
        Ok(Found { kind: Kind::Nag, start: from + 1, end, from })
    }
}
