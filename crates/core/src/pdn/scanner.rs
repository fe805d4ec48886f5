//! The scanner: splits a stream of bytes into games of tokens.

use super::comments::CommentEnds;
use super::lexer::{Lexeme, Lexer, RESULTS, Stop, is_blank, is_result};
use super::signs::SignReplacer;
use super::token::{Problem, Token, TokenKind};

/// The maximum nesting depth of variations.
const MAX_DEPTH: usize = 100;
/// The maximum length of a game in bytes.
const MAX_GAME_SIZE: usize = 1 << 30;

/// The text of one game of a file, and its tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScannedGame {
    /// The bytes. They are UTF-8 unless `problem` says otherwise. Typographic signs in moves are replaced by ASCII.
    pub text: Box<[u8]>,
    /// The tokens, without move numbers.
    pub tokens: Box<[Token]>,
    /// The number of lines of the file before the game.
    pub lines: u64,
    /// The number of characters before the game on its first line.
    pub columns: u64,
    /// The first syntax error and its byte.
    pub problem: Option<(Problem, usize)>,
    /// The bytes that replaced signs are filled up with: they are not characters of the file.
    pub(super) fillers: Box<[usize]>,
}

impl ScannedGame {
    /// Return the line and column in the file of a byte of the game, both counted from 1.
    pub fn place(&self, byte: usize) -> (u64, u64) {
        let before = &self.text[..byte.min(self.text.len())];
        let (lines, columns) = advance((self.lines, self.columns), before, 0, &self.fillers);
        (lines + 1, columns + 1)
    }

    /// Return the value of a tag as bytes, without decoding escapes.
    pub fn tag(&self, name: &[u8]) -> Option<&[u8]> {
        let mut pairs =
            self.tokens.windows(2).take_while(|pair| matches!(pair[0].kind, TokenKind::TagName | TokenKind::TagValue));
        let pair = pairs.find(|pair| pair[0].kind == TokenKind::TagName && pair[0].bytes(&self.text) == name)?;
        Some(pair[1].bytes(&self.text))
    }

    /// Return the result at the end of the text, without blanks if it is one of the standard, or None.
    pub fn result(&self) -> Option<Vec<u8>> {
        let token = self.tokens.last().filter(|token| token.kind == TokenKind::Result)?;
        let text = token.bytes(&self.text);
        let has_no_blanks = is_result(text);
        Some(text.iter().copied().filter(|byte| !(has_no_blanks && is_blank(*byte))).collect())
    }
}

/// Add the lines and columns of more bytes, the first of which is at `offset` of the text that has the fillers.
fn advance((lines, columns): (u64, u64), bytes: &[u8], offset: usize, fillers: &[usize]) -> (u64, u64) {
    let characters = |from: usize| {
        // UTF-8 continuation bytes and fillers are not characters.
        let count = bytes[from..].iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        (count - fillers_between(fillers, offset + from, offset + bytes.len()).len()) as u64
    };
    match memchr::memrchr(b'\n', bytes) {
        None => (lines, columns + characters(0)),
        Some(last) => (lines + memchr::memchr_iter(b'\n', bytes).count() as u64, characters(last + 1)),
    }
}

/// Return whether the value of a Result tag is neither empty nor a result of the standard.
fn is_custom_result(value: &[u8]) -> bool {
    if value.is_empty() || RESULTS.contains(&value) {
        return false;
    }
    let mut ascii = value.to_vec();
    let are_signs_replaced = SignReplacer::default().start_run(&mut ascii, 0, true);
    !(are_signs_replaced && is_result(&ascii))
}

/// Return the fillers between two places.
fn fillers_between(fillers: &[usize], start: usize, end: usize) -> &[usize] {
    let before = |place: usize| fillers.partition_point(|filler| *filler < place);
    &fillers[before(start)..before(end)]
}

/// Return the place of a second tag with the same name and a different value.
fn find_duplicate_tag(text: &[u8], tokens: &[Token]) -> Option<usize> {
    let tags = tokens
        .iter()
        .position(|token| !matches!(token.kind, TokenKind::TagName | TokenKind::TagValue))
        .unwrap_or(tokens.len());
    let mut tags: Vec<_> =
        tokens[..tags].chunks_exact(2).map(|pair| (pair[0].bytes(text), pair[0].start, pair[1])).collect();
    tags.sort_unstable_by_key(|(name, start, _)| (*name, *start));
    let twice =
        tags.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[0].2.bytes(text) != pair[1].2.bytes(text))?;
    Some(twice[1].1 as usize)
}

/// The game that is being read. Its places are relative to its start.
#[derive(Debug, Default)]
struct GameBuilder {
    /// The start of the game in the buffer; None before its first token.
    start: Option<usize>,
    tokens: Vec<Token>,
    problem: Option<(Problem, usize)>,
    /// The starts of the open variations.
    open: Vec<usize>,
    /// Whether the game contains more than tags.
    has_body: bool,
    /// Whether the last token is a move number.
    after_number: bool,
    /// The value of the Result tag if it is not one of `RESULTS`.
    custom_result: Option<Token>,
}

impl GameBuilder {
    /// Record a syntax error at a place of the buffer, unless the game already has an error before it.
    fn report(&mut self, problem: Problem, place: usize) {
        let start = *self.start.get_or_insert(place);
        self.problem.get_or_insert((problem, place.saturating_sub(start)));
    }

    #[inline(always)]
    fn push(&mut self, kind: TokenKind, lexeme: &Lexeme) {
        let start = *self.start.get_or_insert(lexeme.from);
        match (u32::try_from(lexeme.start - start), u32::try_from(lexeme.end - start)) {
            (Ok(start), Ok(end)) => self.tokens.push(Token { kind, start, end }),
            _ => self.report(Problem::TooLong, start),
        }
    }

    /// Add a token of the move text.
    #[inline(always)]
    fn body(&mut self, lexeme: &Lexeme) {
        self.has_body = true;
        let after_number = std::mem::replace(&mut self.after_number, lexeme.kind == TokenKind::MoveNumber);
        match lexeme.kind {
            TokenKind::MoveNumber => {
                self.start.get_or_insert(lexeme.from);
                return;
            }
            TokenKind::Unknown if after_number => return self.push(TokenKind::Placeholder, lexeme),
            TokenKind::Strength if !self.tokens.last().is_some_and(|token| token.kind.is_move()) => {
                return self.report(Problem::StrayStrength, lexeme.start);
            }
            TokenKind::Open if self.open.len() >= MAX_DEPTH => self.report(Problem::TooDeep, lexeme.start),
            TokenKind::Open => {
                let start = *self.start.get_or_insert(lexeme.from);
                self.open.push(lexeme.start - start);
            }
            TokenKind::Close if self.open.pop().is_none() => return self.report(Problem::StrayClose, lexeme.start),
            _ => {}
        }
        self.push(lexeme.kind, lexeme);
    }
}

/// A scanner that splits a stream of bytes, given in pieces of any size, into games.
#[derive(Debug, Default)]
pub struct Scanner {
    buffer: Vec<u8>,
    /// The start of the next token.
    at: usize,
    /// The buffer length at which to scan again. It doubles the unread part, so that a token longer than the pieces is
    /// not scanned again for every piece.
    scan_at: usize,
    builder: GameBuilder,
    /// The lines and columns before the place `placed` of the buffer.
    place: (u64, u64),
    placed: usize,
    comment_ends: CommentEnds,
    signs: SignReplacer,
}

impl Scanner {
    /// Append the games that are completed by the next bytes.
    pub fn feed(&mut self, bytes: &[u8], games: &mut Vec<ScannedGame>) {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= self.scan_at {
            self.scan(false, games);
            if self.builder.start.is_some_and(|start| self.buffer.len() - start > MAX_GAME_SIZE) {
                self.builder.report(Problem::TooLong, self.builder.start.unwrap_or_default());
                self.at = self.buffer.len();
                let bytes = std::mem::take(&mut self.buffer);
                self.end_game(&bytes, self.at, games);
                self.buffer = bytes;
            }
            self.discard_finished();
        }
    }

    /// Append the games that are completed by the end of the bytes, and reset the scanner.
    pub fn finish(&mut self, games: &mut Vec<ScannedGame>) {
        self.scan(true, games);
        let bytes = std::mem::take(&mut self.buffer);
        self.end_game(&bytes, bytes.len(), games);
        *self = Scanner::default();
    }

    /// Drop the bytes of finished games from the buffer.
    fn discard_finished(&mut self) {
        let rest = self.builder.start.unwrap_or(self.at);
        self.place = advance(self.place, &self.buffer[self.placed..rest], self.placed, &self.signs.fillers);
        self.placed = 0;
        self.buffer.drain(..rest);
        self.signs.discard(rest);
        self.at -= rest;
        self.scan_at = self.buffer.len() + (self.buffer.len() - self.at);
        self.builder.start = self.builder.start.map(|_| 0);
        self.comment_ends = CommentEnds::default();
    }

    fn scan(&mut self, last: bool, games: &mut Vec<ScannedGame>) {
        let mut bytes = std::mem::take(&mut self.buffer);
        self.signs.continue_run(&mut bytes, last);
        loop {
            let scannable = self.signs.scannable(&bytes);
            let error = self.scan_to_error(&bytes[..scannable], last && scannable == bytes.len(), games);
            let Some((problem, place, resume_at)) = error else { break };
            let are_signs_replaced = self.signs.start_run(&mut bytes, self.at, last);
            if are_signs_replaced {
                continue;
            }
            if self.signs.scannable(&bytes) < bytes.len() {
                break;
            }
            self.builder.has_body = true;
            self.builder.report(problem, place);
            self.at = resume_at;
        }
        self.buffer = bytes;
    }

    /// Read tokens up to the next syntax error. Return the error, its place, and the place at which to resume.
    fn scan_to_error(
        &mut self,
        bytes: &[u8],
        last: bool,
        games: &mut Vec<ScannedGame>,
    ) -> Option<(Problem, usize, usize)> {
        let mut lexer = Lexer { bytes, at: self.at, last, comment_ends: self.comment_ends };
        let error = loop {
            let ignored = lexer.skip_ignored();
            self.at = lexer.at;
            match ignored.and_then(|()| self.step(&mut lexer, games)) {
                Ok(()) => {}
                Err(Stop::Bad(problem, place)) => break Some((problem, place, lexer.at)),
                Err(Stop::More | Stop::End) => break None,
            }
        };
        self.comment_ends = lexer.comment_ends;
        error
    }

    /// Read the next token.
    #[inline(always)]
    fn step(&mut self, lexer: &mut Lexer<'_>, games: &mut Vec<ScannedGame>) -> Result<(), Stop> {
        if self.builder.custom_result.is_some()
            && let Some(end) = self.custom_result(lexer)?
        {
            let start = std::mem::replace(&mut lexer.at, end);
            return self.result(&Lexeme { kind: TokenKind::Result, start, end, from: start }, lexer, games);
        }
        let lexeme = lexer.next()?;
        match lexeme.kind {
            TokenKind::TagName => self.tag(&lexeme, lexer, games),
            TokenKind::Result => self.result(&lexeme, lexer, games),
            _ => {
                self.builder.body(&lexeme);
                Ok(())
            }
        }
    }

    /// Add a tag; after moves it starts the next game.
    fn tag(&mut self, name: &Lexeme, lexer: &mut Lexer<'_>, games: &mut Vec<ScannedGame>) -> Result<(), Stop> {
        let value = match lexer.tag_value(name.end) {
            Err(Stop::More) => return Err(Stop::More),
            other => other,
        };
        if self.builder.has_body {
            self.end_game(lexer.bytes, name.from, games);
        }
        let value = match value {
            Err(Stop::Bad(problem, place)) => {
                self.builder.start.get_or_insert(name.from);
                self.builder.report(problem, place);
                return Ok(());
            }
            other => other?,
        };
        self.builder.push(TokenKind::TagName, name);
        self.builder.push(TokenKind::TagValue, &value);
        if &lexer.bytes[name.start..name.end] == b"Result" && is_custom_result(&lexer.bytes[value.start..value.end]) {
            self.builder.custom_result = self.builder.tokens.last().copied();
        }
        Ok(())
    }

    /// Return the end of the Result tag's value if it is here and ends the game.
    fn custom_result(&self, lexer: &Lexer<'_>) -> Result<Option<usize>, Stop> {
        let (Some(token), Some(start)) = (self.builder.custom_result, self.builder.start) else { return Ok(None) };
        let value = token.bytes(&lexer.bytes[start..]);
        let end = lexer.at + value.len();
        if !lexer.follows(lexer.at, value)? || !lexer.ends_word(end)? {
            return Ok(None);
        }
        let next = lexer.skip_blanks(end)?;
        Ok((next >= lexer.bytes.len() || lexer.byte(next)? == b'[').then_some(end))
    }

    /// Add a result, which ends the game unless it is inside a variation.
    fn result(&mut self, lexeme: &Lexeme, lexer: &Lexer<'_>, games: &mut Vec<ScannedGame>) -> Result<(), Stop> {
        if !self.builder.open.is_empty() && lexer.byte(lexer.skip_blanks(lexeme.end)?)? == b')' {
            return Err(Stop::Bad(Problem::ResultInside, lexeme.start));
        }
        self.builder.push(TokenKind::Result, lexeme);
        self.end_game(lexer.bytes, lexeme.end, games);
        Ok(())
    }

    /// Finish the game that ends at a place, unless it is empty.
    fn end_game(&mut self, bytes: &[u8], end: usize, games: &mut Vec<ScannedGame>) {
        let builder = std::mem::take(&mut self.builder);
        let Some(start) = builder.start else { return };
        // White space at the end is not part of the game, unless a comment ends with it.
        let blanks = bytes[start..end].iter().rev().take_while(|byte| is_blank(**byte)).count();
        let last = builder.tokens.last().map_or(start, |token| start + token.end as usize);
        let text = &bytes[start..last.max(end - blanks)];
        let fillers = &self.signs.fillers;
        self.place = advance(self.place, &bytes[self.placed..start], self.placed, fillers);
        self.placed = start;
        if text == b"*" && builder.problem.is_none() {
            return;
        }
        let open = builder.open.last().map(|place| (Problem::OpenVariation, *place));
        let twice = find_duplicate_tag(text, &builder.tokens).map(|place| (Problem::TagTwice, place));
        let not_utf8 = std::str::from_utf8(text).err().map(|error| (Problem::NotUtf8, error.valid_up_to()));
        games.push(ScannedGame {
            text: text.into(),
            tokens: builder.tokens.as_slice().into(),
            lines: self.place.0,
            columns: self.place.1,
            problem: builder.problem.or(open).or(not_utf8).or(twice),
            fillers: fillers_between(fillers, start, end).iter().map(|place| place - start).collect(),
        });
        // The next game reuses the allocation.
        self.builder.tokens = builder.tokens;
        self.builder.tokens.clear();
    }
}
