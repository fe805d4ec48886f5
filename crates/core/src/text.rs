//! Helpers for parsing: errors with a location, quoted texts in messages, and conversion of character indices to line
//! and column.

/// A text that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// The error message.
    pub problem: String,
    /// The index of the character at which the error occurs.
    pub at: usize,
}

impl NotationError {
    pub(crate) fn new(problem: impl Into<String>, at: usize) -> Self {
        NotationError { problem: problem.into(), at }
    }
}

/// The maximum length of a quoted text, including the quotation marks.
const MAX_QUOTED: usize = 30;
/// The number of characters before and after the dots of a shortened text.
const HEAD: usize = 13;
const TAIL: usize = 14;

/// Quote a text for a message, shortened in the middle if it is long.
///
/// The result is the same as that of Python's `reprlib.repr`, so that messages of the core and of the package look
/// alike.
pub fn quote(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let whole = repr(&chars[..chars.len().min(MAX_QUOTED)]);
    if whole.len() <= MAX_QUOTED {
        return whole.into_iter().collect();
    }
    // A short text with many escapes: Python counts a negative index from the end.
    let tail = chars.len().checked_sub(TAIL).unwrap_or((2 * chars.len()).saturating_sub(TAIL));
    let ends = repr(&[&chars[..chars.len().min(HEAD)], &chars[tail..]].concat());
    ends[..HEAD].iter().chain(&['.'; 3]).chain(&ends[ends.len() - TAIL..]).collect()
}

/// Return the line and the column, both counted from 1, of the character with this index.
pub fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    text.chars().take(at).fold((1, 1), |(line, column), c| if c == '\n' { (line + 1, 1) } else { (line, column + 1) })
}

/// Return whether Python treats a character as white space. It adds four separators to those of Unicode.
pub(crate) fn is_blank(character: char) -> bool {
    character.is_whitespace() || ('\x1c'..='\x1f').contains(&character)
}

/// Return the characters of the Python string literal for a text, like Python's `repr`.
fn repr(text: &[char]) -> Vec<char> {
    let quote = if text.contains(&'\'') && !text.contains(&'"') { '"' } else { '\'' };
    let mut literal = vec![quote];
    for &c in text {
        match c {
            '\n' => literal.extend(['\\', 'n']),
            '\r' => literal.extend(['\\', 'r']),
            '\t' => literal.extend(['\\', 't']),
            _ if c == '\\' || c == quote => literal.extend(['\\', c]),
            _ if is_printable(c) => literal.push(c),
            '\0'..='\u{ff}' => literal.extend(format!("\\x{:02x}", c as u32).chars()),
            '\u{100}'..='\u{ffff}' => literal.extend(format!("\\u{:04x}", c as u32).chars()),
            _ => literal.extend(format!("\\U{:08x}", c as u32).chars()),
        }
    }
    literal.push(quote);
    literal
}

fn is_printable(c: char) -> bool {
    // The standard library escapes the same categories as Python, but also a combining mark at the start of a text. The
    // letter before the character prevents that.
    matches!(c, ' '..='~') || format!("a{c}").escape_debug().count() == 2
}

#[cfg(test)]
mod tests {
    use super::{line_and_column, quote};

    /// The expected texts are the output of Python 3.11.
    #[test]
    fn texts_are_quoted_like_python() {
        for (text, quoted) in [
            ("", "''"),
            ("it's", "\"it's\""),
            ("'\"", "'\\'\"'"),
            ("a\\b\n\r\t\0", "'a\\\\b\\n\\r\\t\\x00'"),
            ("½ \u{a0}\u{2028}\u{e000}\u{10ffff}", "'½ \\xa0\\u2028\\ue000\\U0010ffff'"),
            ("😀\u{e0001}\u{200b}", "'😀\\U000e0001\\u200b'"),
            ("\u{301}é", "'\u{301}é'"),
            ("1234567890123456789012345678", "'1234567890123456789012345678'"),
            ("12345678901234567890123456789", "'123456789012...7890123456789'"),
            ("\0\0\0\0\0\0\0\0", "'\\x00\\x00\\x00...0\\x00\\x00\\x00'"),
        ] {
            assert_eq!(quote(text), quoted);
        }
    }

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let text = "½b\n\nc";
        assert_eq!([0, 2, 3, 4, 5].map(|at| line_and_column(text, at)), [(1, 1), (1, 3), (2, 1), (3, 1), (3, 2)]);
    }
}
