//! Comments, and where they end.

use memchr::memchr;

use super::lexer::{Found, Lexer, Stop, is_blank};
use super::token::{Kind, Problem};

/// What was found when the end of a comment was looked for, so that no byte is looked at twice.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CommentEnds {
    /// The first `}` behind all places that were asked for; the end of the bytes where there is none.
    close: Option<usize>,
    /// No line begins with a tag before this place,
    clear: usize,
    /// except at this one.
    tag: Option<TagLine>,
}

/// A line that begins with a tag.
#[derive(Clone, Copy, Debug)]
struct TagLine {
    place: usize,
    /// The first `{` or empty line behind it, or the end of the bytes: a comment that goes on until there was never
    /// closed, as the tag is that of another game.
    game: usize,
}

impl Lexer<'_> {
    /// A comment to the end of the line.
    pub fn line_comment(&mut self) -> Result<Found, Stop> {
        let from = self.at;
        let line = self.line_end(from)?;
        let end = if self.bytes[..line].ends_with(b"\r") { line - 1 } else { line };
        self.at = line;
        Ok(Found { kind: Kind::Comment, start: from + 1, end, from })
    }

    /// A comment in braces. One that is still open where another game begins was never closed: a game could swallow
    /// the next.
    pub fn comment(&mut self) -> Result<Found, Stop> {
        let start = self.at;
        let close = self.next_close(start);
        let game = self.tag_line(start, close)?.map_or(self.bytes.len(), |tag| tag.game);
        if close < game {
            self.at = close + 1;
            Ok(Found { kind: Kind::Comment, start: start + 1, end: close, from: start })
        } else if game < self.bytes.len() || self.last {
            Err(self.bad(Problem::OpenComment, start, start + 1))
        } else {
            Err(Stop::More)
        }
    }

    /// The first `}` behind a place, or the end of the bytes.
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

    /// The first line between two places that begins with a tag.
    fn tag_line(&mut self, from: usize, until: usize) -> Result<Option<TagLine>, Stop> {
        if let Some(tag) = self.comment_ends.tag
            && from < tag.place
            && tag.place < until
        {
            return Ok(Some(tag));
        }
        let mut place = (from + 1).max(self.comment_ends.clear);
        while place < until
            && let Some(length) = memchr(b'[', &self.bytes[place..until])
        {
            let bracket = place + length;
            if self.bytes[bracket - 1] == b'\n' && self.is_tag(bracket)? {
                self.comment_ends.tag = Some(TagLine { place: bracket, game: self.next_game(bracket) });
                self.comment_ends.clear = bracket + 1;
                return Ok(self.comment_ends.tag);
            }
            place = bracket + 1;
        }
        self.comment_ends.clear = self.comment_ends.clear.max(until);
        Ok(None)
    }

    /// The first `{` or empty line behind a place, or the end of the bytes.
    fn next_game(&self, place: usize) -> usize {
        let mut is_empty = false; // the line, so far
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

    /// Whether `[Name "` stands at a place.
    fn is_tag(&self, place: usize) -> Result<bool, Stop> {
        let name = place + 1;
        if !self.byte(name)?.is_ascii_alphabetic() {
            return Ok(false);
        }
        let end = self.name_end(name)?;
        Ok(is_blank(self.byte(end)?) && self.byte(self.skip_blanks(end)?)? == b'"')
    }
}
