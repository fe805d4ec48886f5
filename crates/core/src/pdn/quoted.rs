//! What has quotes: tags and set-ups.

use memchr::memchr2;

use super::lexer::{Found, Lexer, Stop};
use super::token::{Kind, Problem};

impl Lexer<'_> {
    /// The end of the name that a tag can have, from a place on.
    pub fn name_end(&self, mut place: usize) -> Result<usize, Stop> {
        while matches!(self.byte(place)?, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_') {
            place += 1;
        }
        Ok(place)
    }

    /// The name of a tag. `at` stays before the whole tag until its value is read.
    pub fn tag_name(&mut self) -> Result<Found, Stop> {
        let from = self.at;
        let start = self.skip_blanks(from + 1)?;
        if !self.byte(start)?.is_ascii_alphabetic() {
            return Err(self.bad(Problem::TagName, from, from + 1));
        }
        let end = self.name_end(start)?;
        Ok(Found { kind: Kind::Name, start, end, from })
    }

    /// The value of a tag whose name ends here, and its `]`.
    pub fn value(&mut self, name_end: usize) -> Result<Found, Stop> {
        let quote = self.skip_blanks(name_end)?;
        if self.byte(quote)? != b'"' {
            return Err(self.bad(Problem::TagValue, self.at, quote));
        }
        let start = quote + 1;
        let Some(end) = self.closing_quote(start)? else {
            let go_on = self.line_end(quote)?;
            return Err(self.bad(Problem::OpenValue, self.at, go_on));
        };
        let close = self.skip_blanks(end + 1)?;
        if self.byte(close)? != b']' {
            return Err(self.bad(Problem::OpenTag, self.at, close));
        }
        self.at = close + 1;
        Ok(Found { kind: Kind::Value, start, end, from: start })
    }

    /// The quote that ends what begins here, on the same line.
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
            // A backslash hides the quote, and another backslash hides that one.
            let hiding = self.bytes[start..place].iter().rev().take_while(|byte| **byte == b'\\').count();
            if hiding % 2 == 0 {
                return Ok(Some(place));
            }
            place += 1;
        }
    }

    /// `/FEN "…"/`.
    pub fn setup(&mut self) -> Result<Found, Stop> {
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
            let go_on = self.line_end(quote)?;
            return Err(self.bad(Problem::Setup, from, go_on));
        };
        let slash = self.skip_blanks(end + 1)?;
        if self.byte(slash)? != b'/' {
            return Err(self.bad(Problem::Setup, from, slash));
        }
        self.at = slash + 1;
        Ok(Found { kind: Kind::Setup, start: quote + 1, end, from })
    }
}
