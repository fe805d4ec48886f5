//! A part of a text with its place in it, so that errors point at the exact item.

use super::NotationError;

/// The longest quotation of a text in a message, in characters.
const MAX_QUOTED: usize = 30;
const ELLIPSIS: &str = "...";

/// The bytes of `whole` from `start` up to `end`.
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

    /// Return the part from one byte of the span up to another.
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

    /// Return the span without blanks around it; a blank span shrinks to its start.
    pub fn strip(self) -> Self {
        let text = self.text();
        let end = text.trim_end_matches(is_blank).len();
        let text = &text[..end];
        self.part(end - text.trim_start_matches(is_blank).len(), end)
    }

    /// Return the spans between separators, without blanks around them.
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
        let before = &self.whole[..self.start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        NotationError {
            problem: problem.into(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// Return whether a character is white space, as Python has it: four control characters more than Unicode.
pub(super) fn is_blank(character: char) -> bool {
    character.is_whitespace() || ('\x1c'..='\x1f').contains(&character)
}

/// Quote a text on one line as Python's `reprlib.repr` does; of a long one the middle is left out.
pub(super) fn quote(text: &str) -> String {
    let quoted = represent(text.chars().take(MAX_QUOTED));
    if quoted.chars().count() <= MAX_QUOTED {
        return quoted;
    }
    let first = (MAX_QUOTED - ELLIPSIS.len()) / 2;
    let last = MAX_QUOTED - ELLIPSIS.len() - first;
    let skipped = text.chars().count().saturating_sub(last);
    let quoted: Vec<char> = represent(text.chars().take(first).chain(text.chars().skip(skipped))).chars().collect();
    quoted[..first]
        .iter()
        .copied()
        .chain(ELLIPSIS.chars())
        .chain(quoted[quoted.len() - last..].iter().copied())
        .collect()
}

/// Quote a text as Python's `repr` does.
fn represent(text: impl Iterator<Item = char> + Clone) -> String {
    let has = |quote: char| text.clone().any(|each| each == quote);
    let quote = if has('\'') && !has('"') { '"' } else { '\'' };
    let mut quoted = String::from(quote);
    for character in text.clone() {
        match character {
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\'' | '"' if character != quote => quoted.push(character),
            '\'' | '"' => quoted.extend(['\\', quote]),
            _ if is_printable(character) => quoted.push(character),
            '\0'..='\u{ff}' => quoted += &format!("\\x{:02x}", u32::from(character)),
            '\u{100}'..='\u{ffff}' => quoted += &format!("\\u{:04x}", u32::from(character)),
            _ => quoted += &format!("\\U{:08x}", u32::from(character)),
        }
    }
    quoted.push(quote);
    quoted
}

/// Return whether a character, which is not a quote or a backslash, can be shown as it is.
fn is_printable(character: char) -> bool {
    // Rust escapes what Python escapes, and combining marks too unless a letter precedes them.
    String::from_iter(['a', character]).escape_debug().nth(2).is_none()
}
