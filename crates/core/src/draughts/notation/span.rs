//! A part of a text with its location, so that errors point at the exact item.

use crate::text::{NotationError, is_blank, quote};

/// The bytes of `whole` from `start` to `end`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span<'a> {
    whole: &'a str,
    start: usize,
    end: usize,
}

impl<'a> Span<'a> {
    pub fn new(whole: &'a str) -> Self {
        Span { whole, start: 0, end: whole.len() }
    }

    pub fn text(self) -> &'a str {
        &self.whole[self.start..self.end]
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Return the part between two bytes of the span.
    pub fn part(self, start: usize, end: usize) -> Self {
        Span { start: self.start + start, end: self.start + end, ..self }
    }

    /// Return the span without its first bytes.
    pub fn skip(self, bytes: usize) -> Self {
        Span { start: self.start + bytes, ..self }
    }

    /// Return the empty span at the end.
    pub fn at_end(self) -> Self {
        Span { start: self.end, ..self }
    }

    /// Return the span without surrounding blanks; a blank span shrinks to its start.
    pub fn strip(self) -> Self {
        let text = self.text();
        let end = text.trim_end_matches(is_blank).len();
        let text = &text[..end];
        self.part(end - text.trim_start_matches(is_blank).len(), end)
    }

    /// Return the spans between separators, without surrounding blanks.
    pub fn split(self, separator: char) -> impl Iterator<Item = Span<'a>> {
        let mut start = 0;
        self.text().split(separator).map(move |piece| {
            let span = self.part(start, start + piece.len()).strip();
            start += piece.len() + separator.len_utf8();
            span
        })
    }

    /// Return the text in quotes on one line, shortened if it is long.
    pub fn quoted(self) -> String {
        quote(self.text())
    }

    /// Create an error that points at the first character of the span.
    pub fn error(self, problem: impl Into<String>) -> NotationError {
        NotationError::new(problem, self.whole[..self.start].chars().count())
    }
}
