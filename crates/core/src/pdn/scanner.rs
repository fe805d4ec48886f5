//! A stream of bytes to games.

use super::comments::CommentEnds;
use super::lexer::{Found, Lexer, RESULTS, Stop, is_blank};
use super::token::{Kind, Problem, Token};

/// How deep variations can stand in one another.
const DEEPEST: usize = 100;
/// How many bytes a game can have.
const LONGEST: usize = 1 << 30;

/// A game as it stands in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// Its bytes, which are UTF-8 unless that is the problem.
    pub text: Box<[u8]>,
    /// What they say. Move numbers are left out.
    pub tokens: Box<[Token]>,
    /// How many lines of the file stand before it.
    pub lines: u64,
    /// How many characters of its first line stand before it.
    pub columns: u64,
    /// The first thing that is wrong with it, and at which byte.
    pub problem: Option<(Problem, usize)>,
}

impl Scan {
    /// Line and column in the file of a byte of the game, both counted from 1.
    pub fn place(&self, byte: usize) -> (u64, u64) {
        let before = &self.text[..byte.min(self.text.len())];
        let (lines, columns) = advance((self.lines, self.columns), before);
        (lines + 1, columns + 1)
    }

    /// The bytes of a tag's value, escapes as they stand.
    pub fn tag(&self, name: &[u8]) -> Option<&[u8]> {
        let mut pairs = self.tokens.windows(2).take_while(|pair| matches!(pair[0].kind, Kind::Name | Kind::Value));
        let pair = pairs.find(|pair| pair[0].kind == Kind::Name && pair[0].of(&self.text) == name)?;
        Some(pair[1].of(&self.text))
    }
}

/// Lines and characters of the last line, after some bytes more.
fn advance((lines, columns): (u64, u64), bytes: &[u8]) -> (u64, u64) {
    // Bytes that go on with a character are not counted.
    let characters = |bytes: &[u8]| bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count() as u64;
    match memchr::memrchr(b'\n', bytes) {
        None => (lines, columns + characters(bytes)),
        Some(last) => (lines + memchr::memchr_iter(b'\n', bytes).count() as u64, characters(&bytes[last + 1..])),
    }
}

/// Where a tag stands that has another value before.
fn tag_twice(text: &[u8], tokens: &[Token]) -> Option<usize> {
    let tags = tokens.iter().position(|token| !matches!(token.kind, Kind::Name | Kind::Value)).unwrap_or(tokens.len());
    let mut tags: Vec<_> =
        tokens[..tags].chunks_exact(2).map(|pair| (pair[0].of(text), pair[0].start, pair[1])).collect();
    tags.sort_unstable_by_key(|(name, start, _)| (*name, *start));
    let twice = tags.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[0].2.of(text) != pair[1].2.of(text))?;
    Some(twice[1].1 as usize)
}

/// The game that is being read. Places in it are counted from its begin.
#[derive(Debug, Default)]
struct Draft {
    /// Where it begins in the buffer; None before its first token.
    start: Option<usize>,
    tokens: Vec<Token>,
    problem: Option<(Problem, usize)>,
    /// Where the variations begin that are still open.
    open: Vec<usize>,
    /// Whether it has more than tags.
    has_body: bool,
    /// Whether the last thing was a move number.
    after_number: bool,
    /// The value of a tag Result that is none of the usual ones.
    own_result: Option<Token>,
}

impl Draft {
    /// Notes what is wrong at a place of the buffer, unless something was before.
    fn blame(&mut self, problem: Problem, place: usize) {
        let start = *self.start.get_or_insert(place);
        self.problem.get_or_insert((problem, place.saturating_sub(start)));
    }

    #[inline(always)]
    fn push(&mut self, kind: Kind, found: &Found) {
        let start = *self.start.get_or_insert(found.from);
        match (u32::try_from(found.start - start), u32::try_from(found.end - start)) {
            (Ok(start), Ok(end)) => self.tokens.push(Token { kind, start, end }),
            _ => self.blame(Problem::TooLong, start),
        }
    }

    /// Takes what stands between the tags and the result.
    #[inline(always)]
    fn body(&mut self, found: &Found) {
        self.has_body = true;
        let after_number = std::mem::replace(&mut self.after_number, found.kind == Kind::Number);
        match found.kind {
            Kind::Number => {
                self.start.get_or_insert(found.from);
                return;
            }
            Kind::Unknown if after_number => return self.push(Kind::Placeholder, found),
            Kind::Strength if !self.tokens.last().is_some_and(|token| token.kind.is_move()) => {
                return self.blame(Problem::StrayStrength, found.start);
            }
            Kind::Open if self.open.len() >= DEEPEST => self.blame(Problem::TooDeep, found.start),
            Kind::Open => {
                let start = *self.start.get_or_insert(found.from);
                self.open.push(found.start - start);
            }
            Kind::Close if self.open.pop().is_none() => return self.blame(Problem::StrayClose, found.start),
            _ => {}
        }
        self.push(found.kind, found);
    }
}

/// Cuts a stream of bytes, given in pieces of any size, into games.
#[derive(Debug, Default)]
pub struct Scanner {
    buffer: Vec<u8>,
    /// Where the next token begins.
    at: usize,
    /// How long the buffer has to be before it is worth looking again: a token longer than the pieces is not to be
    /// read once for every piece.
    enough: usize,
    draft: Draft,
    /// Lines and columns before a place of the buffer, and the place.
    place: (u64, u64),
    placed: usize,
    comment_ends: CommentEnds,
}

impl Scanner {
    /// Adds the games that the next bytes complete.
    pub fn feed(&mut self, bytes: &[u8], games: &mut Vec<Scan>) {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= self.enough {
            self.scan(false, games);
            if self.draft.start.is_some_and(|start| self.buffer.len() - start > LONGEST) {
                self.draft.blame(Problem::TooLong, self.draft.start.unwrap_or_default());
                self.at = self.buffer.len();
                let bytes = std::mem::take(&mut self.buffer);
                self.end_game(&bytes, self.at, games);
                self.buffer = bytes;
            }
            self.forget();
        }
    }

    /// Adds the games that the end of the bytes completes, and begins anew.
    pub fn finish(&mut self, games: &mut Vec<Scan>) {
        self.scan(true, games);
        let bytes = std::mem::take(&mut self.buffer);
        self.end_game(&bytes, bytes.len(), games);
        *self = Scanner::default();
    }

    /// Drops what belongs to no game any more.
    fn forget(&mut self) {
        let rest = self.draft.start.unwrap_or(self.at);
        self.place = advance(self.place, &self.buffer[self.placed..rest]);
        self.placed = 0;
        self.buffer.drain(..rest);
        self.at -= rest;
        self.enough = self.buffer.len() + (self.buffer.len() - self.at);
        self.draft.start = self.draft.start.map(|_| 0);
        self.comment_ends = CommentEnds::default();
    }

    fn scan(&mut self, last: bool, games: &mut Vec<Scan>) {
        let bytes = std::mem::take(&mut self.buffer);
        let mut lexer = Lexer { bytes: &bytes, at: self.at, last, comment_ends: self.comment_ends };
        loop {
            let begun = lexer.skip_nothing();
            self.at = lexer.at;
            match begun.and_then(|()| self.step(&mut lexer, games)) {
                Ok(()) => {}
                Err(Stop::Bad(problem, place)) => {
                    self.draft.has_body = true;
                    self.draft.blame(problem, place);
                }
                Err(Stop::More | Stop::End) => break,
            }
        }
        self.comment_ends = lexer.comment_ends;
        self.buffer = bytes;
    }

    /// Takes the next token.
    #[inline(always)]
    fn step(&mut self, lexer: &mut Lexer<'_>, games: &mut Vec<Scan>) -> Result<(), Stop> {
        if self.draft.own_result.is_some()
            && let Some(end) = self.own_result(lexer)?
        {
            let start = std::mem::replace(&mut lexer.at, end);
            return self.result(&Found { kind: Kind::Result, start, end, from: start }, lexer, games);
        }
        let found = lexer.next()?;
        match found.kind {
            Kind::Name => self.tag(&found, lexer, games),
            Kind::Result => self.result(&found, lexer, games),
            _ => {
                self.draft.body(&found);
                Ok(())
            }
        }
    }

    /// A tag; behind moves it begins the next game.
    fn tag(&mut self, name: &Found, lexer: &mut Lexer<'_>, games: &mut Vec<Scan>) -> Result<(), Stop> {
        let value = match lexer.value(name.end) {
            Err(Stop::More) => return Err(Stop::More),
            other => other,
        };
        if self.draft.has_body {
            self.end_game(lexer.bytes, name.from, games);
        }
        let value = match value {
            Err(Stop::Bad(problem, place)) => {
                self.draft.start.get_or_insert(name.from);
                self.draft.blame(problem, place);
                return Ok(());
            }
            other => other?,
        };
        self.draft.push(Kind::Name, name);
        self.draft.push(Kind::Value, &value);
        let written = &lexer.bytes[value.start..value.end];
        if &lexer.bytes[name.start..name.end] == b"Result" && !written.is_empty() && !RESULTS.contains(&written) {
            self.draft.own_result = self.draft.tokens.last().copied();
        }
        Ok(())
    }

    /// The end of what the tag Result has, where it stands here and ends the game.
    fn own_result(&self, lexer: &Lexer<'_>) -> Result<Option<usize>, Stop> {
        let (Some(token), Some(start)) = (self.draft.own_result, self.draft.start) else { return Ok(None) };
        let value = token.of(&lexer.bytes[start..]);
        let end = lexer.at + value.len();
        if !lexer.follows(lexer.at, value)? || !lexer.ends_word(end)? {
            return Ok(None);
        }
        let next = lexer.skip_blanks(end)?;
        Ok((next >= lexer.bytes.len() || lexer.byte(next)? == b'[').then_some(end))
    }

    /// A result, which ends the game unless it stands in a variation.
    fn result(&mut self, found: &Found, lexer: &Lexer<'_>, games: &mut Vec<Scan>) -> Result<(), Stop> {
        if !self.draft.open.is_empty() && lexer.byte(lexer.skip_blanks(found.end)?)? == b')' {
            return Err(Stop::Bad(Problem::ResultInside, found.start));
        }
        self.draft.push(Kind::Result, found);
        self.end_game(lexer.bytes, found.end, games);
        Ok(())
    }

    /// Hands the game over that ends at a place, unless there is nothing to it.
    fn end_game(&mut self, bytes: &[u8], end: usize, games: &mut Vec<Scan>) {
        let draft = std::mem::take(&mut self.draft);
        let Some(start) = draft.start else { return };
        // Blanks at the end are no part of it, unless a comment ends with them.
        let blanks = bytes[start..end].iter().rev().take_while(|byte| is_blank(**byte)).count();
        let last = draft.tokens.last().map_or(start, |token| start + token.end as usize);
        let text = &bytes[start..last.max(end - blanks)];
        self.place = advance(self.place, &bytes[self.placed..start]);
        self.placed = start;
        if text == b"*" && draft.problem.is_none() {
            return;
        }
        let open = draft.open.last().map(|place| (Problem::OpenVariation, *place));
        let twice = tag_twice(text, &draft.tokens).map(|place| (Problem::TagTwice, place));
        let not_utf8 = std::str::from_utf8(text).err().map(|error| (Problem::NotUtf8, error.valid_up_to()));
        games.push(Scan {
            text: text.into(),
            tokens: draft.tokens.as_slice().into(),
            lines: self.place.0,
            columns: self.place.1,
            problem: draft.problem.or(open).or(not_utf8).or(twice),
        });
        // The next game gets the room of this one.
        self.draft.tokens = draft.tokens;
        self.draft.tokens.clear();
    }
}
