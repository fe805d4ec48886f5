//! The lexer: bytes to tokens, one at a time.

use memchr::{memchr, memchr2};

use super::comments::CommentEnds;
use super::token::{Problem, TokenKind};

/// Return whether a byte is white space.
#[inline(always)]
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// Return whether a byte can separate the squares of a move.
#[inline(always)]
pub(super) fn is_separator(byte: u8) -> bool {
    matches!(byte, b'-' | b'x' | b'X' | b':')
}

/// The results of the standard, the longest first.
pub(super) const RESULTS: [&[u8]; 8] = [b"1/2-1/2", b"1-0", b"0-1", b"2-0", b"0-2", b"1-1", b"0-0", b"*"];
/// Return whether a text is a result of the standard, with blanks or without.
#[cold]
#[inline(never)]
pub(super) fn is_result(text: &[u8]) -> bool {
    let bytes = || text.iter().filter(|byte| !is_blank(**byte));
    RESULTS.iter().any(|result| bytes().eq(result.iter()))
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const MAX_NAG: u32 = 65_535;

/// The reason why the lexer has no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The token can continue in bytes that have not been read yet.
    More,
    /// The input has ended.
    End,
    /// A syntax error at this byte; the lexer has skipped it.
    Bad(Problem, usize),
}

/// A token with its place in the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lexeme {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
    /// The start of the token including its delimiters, such as braces.
    pub from: usize,
}

/// A lexer for `bytes`. More bytes can follow unless these are the `last`.
pub(super) struct Lexer<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
    pub last: bool,
    pub comment_ends: CommentEnds,
}

impl Lexer<'_> {
    /// Return the byte at a place; 0 after the end of the input.
    #[inline(always)]
    pub fn byte(&self, place: usize) -> Result<u8, Stop> {
        match self.bytes.get(place) {
            Some(byte) => Ok(*byte),
            None if self.last => Ok(0),
            None => Err(Stop::More),
        }
    }

    /// Return whether the expected bytes are at a place.
    pub fn follows(&self, place: usize, expected: &[u8]) -> Result<bool, Stop> {
        let there = &self.bytes[place.min(self.bytes.len())..];
        match there.len() < expected.len() && expected.starts_with(there) && !self.last {
            true => Err(Stop::More),
            false => Ok(there.starts_with(expected)),
        }
    }

    /// Return the first place without white space, starting at a place.
    #[inline(always)]
    pub fn skip_blanks(&self, mut place: usize) -> Result<usize, Stop> {
        while is_blank(self.byte(place)?) {
            place += 1;
        }
        Ok(place)
    }

    /// Return the first place without a digit, starting at a place.
    #[inline(always)]
    pub fn skip_digits(&self, mut place: usize) -> Result<usize, Stop> {
        while self.byte(place)?.is_ascii_digit() {
            place += 1;
        }
        Ok(place)
    }

    /// Return the end of the line that contains a place.
    pub fn line_end(&self, place: usize) -> Result<usize, Stop> {
        match memchr(b'\n', &self.bytes[place..]) {
            Some(length) => Ok(place + length),
            None if self.last => Ok(self.bytes.len()),
            None => Err(Stop::More),
        }
    }

    /// Skip white space, escaped lines (`%`) and byte order marks.
    #[inline(always)]
    pub fn skip_ignored(&mut self) -> Result<(), Stop> {
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

    /// Read the next token. For a tag, this is its name; `tag_value` reads the rest.
    #[inline(always)]
    pub fn next(&mut self) -> Result<Lexeme, Stop> {
        let start = self.at;
        match self.bytes[start] {
            b'0'..=b'9' => self.number(),
            b'a'..=b'z' | b'A'..=b'Z' => self.letter(),
            b'{' => self.comment(),
            b'[' => self.tag_name(),
            b'(' => self.parenthesis(),
            b')' => Ok(self.lexeme(TokenKind::Close, start, start + 1)),
            b'!' | b'?' => self.strength(),
            b'$' => self.nag(),
            b'/' => self.setup(),
            b'*' => Ok(self.lexeme(TokenKind::Result, start, start + 1)),
            b'.' if self.follows(start, b"...")? => Ok(self.lexeme(TokenKind::Unknown, start, start + 3)),
            b'-' if self.ends_word(start + 1)? => Ok(self.lexeme(TokenKind::Unknown, start, start + 1)),
            b';' => self.line_comment(),
            _ => Err(self.unexpected()),
        }
    }

    #[inline(always)]
    fn lexeme(&mut self, kind: TokenKind, start: usize, end: usize) -> Lexeme {
        self.at = end;
        Lexeme { kind, start, end, from: start }
    }

    /// Report a syntax error and resume at another place.
    pub fn bad(&mut self, problem: Problem, place: usize, resume_at: usize) -> Stop {
        self.at = resume_at;
        Stop::Bad(problem, place)
    }

    /// Return whether a word ends at a place: white space, a delimiter or the end of the input is there.
    pub fn ends_word(&self, place: usize) -> Result<bool, Stop> {
        let byte = self.byte(place)?;
        Ok(byte == 0 || is_blank(byte) || b"{}()[];$*%".contains(&byte))
    }

    /// Report a word that is not a token and skip it.
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

    /// Read a token that starts with a digit: a move number, a move or a result.
    #[inline(always)]
    fn number(&mut self) -> Result<Lexeme, Stop> {
        let start = self.at;
        let mut end = self.skip_digits(start)?;
        match self.byte(end)? {
            b'.' => {
                while end < self.bytes.len() && self.bytes[end] == b'.' {
                    end += 1;
                }
                // A dot can follow.
                self.byte(end)?;
                Ok(self.lexeme(TokenKind::MoveNumber, start, end))
            }
            b'-' | b'x' | b'X' | b':' => self.squares(start, end),
            b'/' => match find_half_point(self.bytes, self.last, start)? {
                Some(end) => Ok(self.lexeme(TokenKind::Result, start, end)),
                None => Err(self.bad(Problem::BareNumber, start, end)),
            },
            _ if end - start == 4 && self.ends_move(end)? => Ok(self.lexeme(TokenKind::Move, start, end)),
            byte if is_blank(byte) && is_separator(self.byte(self.skip_blanks(end)?)?) => {
                let separator = self.skip_blanks(end)?;
                self.squares(start, separator)
            }
            _ => Err(self.bad(Problem::BareNumber, start, end)),
        }
    }

    /// Return whether a move ends at a place.
    fn ends_move(&self, place: usize) -> Result<bool, Stop> {
        Ok(self.ends_word(place)? || matches!(self.byte(place)?, b'!' | b'?'))
    }

    /// Read a token that starts with a letter: a move in algebraic notation.
    fn letter(&mut self) -> Result<Lexeme, Stop> {
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

    /// Read the rest of a move after its first square, or of a result that looks like a move.
    #[inline(always)]
    fn squares(&mut self, start: usize, first_separator: usize) -> Result<Lexeme, Stop> {
        let mut end = first_separator;
        loop {
            // The next byte is a separator, or the letter of the next square.
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
                // A capture can continue after white space; a dash after white space is an unknown move.
                let further = self.skip_blanks(end)?;
                let sign = self.byte(further)?;
                // If squares have letters, an x before a digit is the column x and starts another move.
                let is_column = sign != b':'
                    && self.bytes[square].is_ascii_alphabetic()
                    && self.byte(further + 1)?.is_ascii_digit();
                if matches!(sign, b'x' | b'X' | b':') && !is_column && self.is_square(further + 1)? {
                    end = further;
                    continue;
                }
            }
            break;
        }
        let text = &self.bytes[start..end];
        // A result has one of these digits, and a dash or a blank after it.
        let is_result = text[0] <= b'2' && text[1] <= b'-' && is_result(text);
        let kind = if is_result { TokenKind::Result } else { TokenKind::Move };
        Ok(self.lexeme(kind, start, end))
    }

    /// Return whether a square starts at a place, after white space.
    fn is_square(&self, place: usize) -> Result<bool, Stop> {
        let place = self.skip_blanks(place)?;
        let byte = self.byte(place)?;
        Ok(byte.is_ascii_digit() || byte.is_ascii_alphabetic() && self.byte(place + 1)?.is_ascii_digit())
    }

    /// Read `(`, which starts a variation, or a strength sign such as `(!)`.
    fn parenthesis(&mut self) -> Result<Lexeme, Stop> {
        let start = self.at;
        let mut end = start + 1;
        while matches!(self.byte(end)?, b'!' | b'?') {
            end += 1;
        }
        if end > start + 1 && self.byte(end)? == b')' {
            return Ok(self.lexeme(TokenKind::Strength, start, end + 1));
        }
        Ok(self.lexeme(TokenKind::Open, start, start + 1))
    }

    fn strength(&mut self) -> Result<Lexeme, Stop> {
        let (start, mut end) = (self.at, self.at);
        while matches!(self.byte(end)?, b'!' | b'?') {
            end += 1;
        }
        Ok(self.lexeme(TokenKind::Strength, start, end))
    }

    fn nag(&mut self) -> Result<Lexeme, Stop> {
        let from = self.at;
        let end = self.skip_digits(from + 1)?;
        let digits = std::str::from_utf8(&self.bytes[from + 1..end]).unwrap_or_default();
        if !digits.parse().is_ok_and(|number: u32| number <= MAX_NAG) {
            return Err(self.bad(Problem::Nag, from, end));
        }
        self.at = end;
        Ok(Lexeme { kind: TokenKind::Nag, start: from + 1, end, from })
    }

    /// Return the end of the tag name that starts at a place.
    pub fn name_end(&self, mut place: usize) -> Result<usize, Stop> {
        while matches!(self.byte(place)?, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_') {
            place += 1;
        }
        Ok(place)
    }

    /// Read the name of a tag. `at` stays before the tag until its value is read.
    fn tag_name(&mut self) -> Result<Lexeme, Stop> {
        let from = self.at;
        let start = self.skip_blanks(from + 1)?;
        if !self.byte(start)?.is_ascii_alphabetic() {
            return Err(self.bad(Problem::TagName, from, from + 1));
        }
        let end = self.name_end(start)?;
        Ok(Lexeme { kind: TokenKind::TagName, start, end, from })
    }

    /// Read the value of a tag whose name ends here, and its `]`.
    pub fn tag_value(&mut self, name_end: usize) -> Result<Lexeme, Stop> {
        let quote = self.skip_blanks(name_end)?;
        if self.byte(quote)? != b'"' {
            return Err(self.bad(Problem::TagValue, self.at, quote));
        }
        let start = quote + 1;
        let Some(end) = self.closing_quote(start)? else {
            let line_end = self.line_end(quote)?;
            return Err(self.bad(Problem::OpenValue, self.at, line_end));
        };
        let close = self.skip_blanks(end + 1)?;
        if self.byte(close)? != b']' {
            return Err(self.bad(Problem::OpenTag, self.at, close));
        }
        self.at = close + 1;
        Ok(Lexeme { kind: TokenKind::TagValue, start, end, from: start })
    }

    /// Return the place of the closing quote on the same line, or None.
    fn closing_quote(&self, start: usize) -> Result<Option<usize>, Stop> {
        let mut place = start;
        loop {
            match memchr2(b'"', b'\n', self.bytes.get(place..).unwrap_or_default()) {
                Some(length) => place += length,
                None if self.last => return Ok(None),
                None => return Err(Stop::More),
            }
            if self.bytes[place] == b'\n' {
                return Ok(None);
            }
            // An odd number of backslashes escapes the quote.
            let backslashes = self.bytes[start..place].iter().rev().take_while(|byte| **byte == b'\\').count();
            if backslashes % 2 == 0 {
                return Ok(Some(place));
            }
            place += 1;
        }
    }

    /// Read a set-up, `/FEN "…"/`.
    fn setup(&mut self) -> Result<Lexeme, Stop> {
        let from = self.at;
        let word = self.skip_blanks(from + 1)?;
        if !self.follows(word, b"FEN")? {
            return Err(self.bad(Problem::Setup, from, from + 1));
        }
        let quote = self.skip_blanks(word + 3)?;
        if self.byte(quote)? != b'"' {
            return Err(self.bad(Problem::Setup, from, quote));
        }
        let Some(end) = self.closing_quote(quote + 1)? else {
            let line_end = self.line_end(quote)?;
            return Err(self.bad(Problem::Setup, from, line_end));
        };
        let slash = self.skip_blanks(end + 1)?;
        if self.byte(slash)? != b'/' {
            return Err(self.bad(Problem::Setup, from, slash));
        }
        self.at = slash + 1;
        Ok(Lexeme { kind: TokenKind::Setup, start: quote + 1, end, from })
    }
}

/// Return the end of the result `1/2-1/2` that starts at a place, with blanks or without, or None.
#[cold]
#[inline(never)]
fn find_half_point(bytes: &[u8], last: bool, start: usize) -> Result<Option<usize>, Stop> {
    let lexer = Lexer { bytes, at: start, last, comment_ends: CommentEnds::default() };
    if !lexer.follows(start, b"1/2")? {
        return Ok(None);
    }
    let dash = lexer.skip_blanks(start + 3)?;
    if lexer.byte(dash)? != b'-' {
        return Ok(None);
    }
    let second = lexer.skip_blanks(dash + 1)?;
    Ok(lexer.follows(second, b"1/2")?.then_some(second + 3))
}
