//! Comments in the lexer, and recovery from comments that are never closed.

use memchr::memchr;

use super::lexer::{Lexeme, Lexer, Stop, is_blank};
use super::token::{Problem, TokenKind};

/// A cache of search results for the ends of comments, so that no byte is searched twice.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CommentEnds {
    /// The first `}` after the start of the last comment; the end of the bytes if there is none.
    close: Option<usize>,
    /// The end of the bytes searched so far for lines that start with a tag.
    searched: usize,
    /// The last line that starts with a tag.
    tag: Option<TagLine>,
}

/// A line that starts with a tag.
#[derive(Clone, Copy, Debug)]
struct TagLine {
    place: usize,
    /// The first `{` or empty line after the tag, or the end of the bytes. A comment that reaches this place was never
    /// closed, because the tag belongs to the next game.
    game: usize,
}

impl Lexer<'_> {
    /// Read a comment up to the end of the line (`;`).
    pub fn line_comment(&mut self) -> Result<Lexeme, Stop> {
        let from = self.at;
        let line = self.line_end(from)?;
        let end = if self.bytes[..line].ends_with(b"\r") { line - 1 } else { line };
        self.at = line;
        Ok(Lexeme { kind: TokenKind::Comment, start: from + 1, end, from })
    }

    /// Read a comment in braces. A comment that is still open when another game starts is an error, so that it does not
    /// swallow the rest of the file.
    pub fn comment(&mut self) -> Result<Lexeme, Stop> {
        let start = self.at;
        let close = self.next_close(start);
        let game = self.tag_line(start, close)?.map_or(self.bytes.len(), |tag| tag.game);
        if close < game {
            self.at = close + 1;
            Ok(Lexeme { kind: TokenKind::Comment, start: start + 1, end: close, from: start })
        } else if game < self.bytes.len() || self.last {
            Err(self.bad(Problem::OpenComment, start, start + 1))
        } else {
            Err(Stop::More)
        }
    }

    /// Return the place of the first `}` after a place, or the end of the bytes.
    fn next_close(&mut self, place: usize) -> usize {
        match self.comment_ends.close {
            Some(close) if close > place => close,
            _ => {
                let close = memchr(b'}', &self.bytes[place..]).map_or(self.bytes.len(), |length| place + length);
                self.comment_ends.close = Some(close);
                close
            }
        }
    }

    /// Return the first line between two places that starts with a tag.
    fn tag_line(&mut self, from: usize, until: usize) -> Result<Option<TagLine>, Stop> {
        if let Some(tag) = self.comment_ends.tag
            && from < tag.place
            && tag.place < until
        {
            return Ok(Some(tag));
        }
        let mut place = (from + 1).max(self.comment_ends.searched);
        while place < until
            && let Some(length) = memchr(b'[', &self.bytes[place..until])
        {
            let bracket = place + length;
            if self.bytes[bracket - 1] == b'\n' && self.is_tag(bracket)? {
                self.comment_ends.tag = Some(TagLine { place: bracket, game: self.next_game(bracket) });
                self.comment_ends.searched = bracket + 1;
                return Ok(self.comment_ends.tag);
            }
            place = bracket + 1;
        }
        self.comment_ends.searched = self.comment_ends.searched.max(until);
        Ok(None)
    }

    /// Return the first `{` or empty line after a place, or the end of the bytes.
    fn next_game(&self, place: usize) -> usize {
        let mut is_empty = false; // whether the line is empty so far
        for (place, byte) in self.bytes.iter().enumerate().skip(place) {
            match byte {
                b'{' => return place,
                b'\n' if is_empty => return place,
                b'\n' => is_empty = true,
                b' ' | b'\t' | b'\r' => {}
                _ => is_empty = false,
            }
        }
        self.bytes.len()
    }

    /// Return whether `[Name "` is at a place.
    fn is_tag(&self, place: usize) -> Result<bool, Stop> {
        let name = place + 1;
        if !self.byte(name)?.is_ascii_alphabetic() {
            return Ok(false);
        }
        let end = self.name_end(name)?;
        Ok(is_blank(self.byte(end)?) && self.byte(self.skip_blanks(end)?)? == b'"')
    }
}
