//! Comments, and where they end.

use memchr::memchr;

use super::lexer::{Found, Lexer, Stop, is_blank};
use super::token::{Kind, Problem};

/// What was found when the end of a comment was looked for, so that no byte is looked at twice.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CommentEnds {
    /// The first `}` behind all places that were asked for.
    close: Option<usize>,
    /// No line begins with a tag before this place,
    clear: usize,
    /// except at this one.
    tag: Option<usize>,
    /// There is no `}` any more.
    none: bool,
}

impl Lexer<'_> {
    /// A comment to the end of the line. It is kept as if it stood in braces, so it cannot have one that closes.
    pub fn line_comment(&mut self) -> Result<Found, Stop> {
        let from = self.at;
        let line = self.line_end(from)?;
        let end = if self.bytes[..line].ends_with(b"\r") { line - 1 } else { line };
        if let Some(length) = memchr(b'}', &self.bytes[from..end]) {
            return Err(self.bad(Problem::Unexpected, from + length, line));
        }
        self.at = line;
        Ok(Found { kind: Kind::Comment, start: from + 1, end, from })
    }

    /// A comment in braces. One that a line with a tag stands in was never closed: a game could swallow the next.
    pub fn comment(&mut self) -> Result<Found, Stop> {
        let start = self.at;
        if self.comment_ends.none {
            return Err(self.bad(Problem::OpenComment, start, start + 1));
        }
        if self.comment_ends.close.is_none_or(|close| close <= start) {
            self.comment_ends.close = memchr(b'}', &self.bytes[start..]).map(|length| start + length);
        }
        let close = self.comment_ends.close;
        if self.has_tag_line(start, close.unwrap_or(self.bytes.len()))? {
            return Err(self.bad(Problem::OpenComment, start, start + 1));
        }
        match close {
            Some(close) => {
                self.at = close + 1;
                Ok(Found { kind: Kind::Comment, start: start + 1, end: close, from: start })
            }
            None if self.last => {
                self.comment_ends.none = true;
                Err(self.bad(Problem::OpenComment, start, start + 1))
            }
            None => Err(Stop::More),
        }
    }

    /// Whether a line between two places begins with a tag.
    fn has_tag_line(&mut self, from: usize, until: usize) -> Result<bool, Stop> {
        if self.comment_ends.tag.is_some_and(|tag| from < tag && tag < until) {
            return Ok(true);
        }
        let mut place = (from + 1).max(self.comment_ends.clear);
        while place < until
            && let Some(length) = memchr(b'[', &self.bytes[place..until])
        {
            let bracket = place + length;
            if self.bytes[bracket - 1] == b'\n' && self.is_tag(bracket)? {
                self.comment_ends.tag = Some(bracket);
                self.comment_ends.clear = bracket + 1;
                return Ok(true);
            }
            place = bracket + 1;
        }
        self.comment_ends.clear = self.comment_ends.clear.max(until);
        Ok(false)
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
