//! Typographic signs in moves, such as an en dash or a multiplication sign, and their replacement by ASCII.
//!
//! A replacement has as many bytes as the sign, so that places stay valid: blanks fill it up. The scanner replaces signs
//! only after a syntax error, so text without them is scanned at full speed, and comments and tags stay as they are.

/// The signs and their replacements.
const SIGNS: [(&str, &str); 8] = [
    ("×", "x"),
    ("х", "x"), // the Cyrillic letter
    ("Х", "x"),
    ("…", "..."),
    ("½", "1"), // ½-½ is read as 1-1
    ("‼", "!!"),
    ("⁇", "??"),
    ("：", ":"),
];
/// The bytes at which a run of move text ends: what follows can be a comment, a tag or the FEN of a set-up.
const ENDS: &[u8] = b"{;[%\"";

/// Return the replacement of a character, without the blanks that fill it up.
fn replacement(sign: char) -> Option<&'static str> {
    match sign {
        '‐'..='―' | '−' => Some("-"),
        '⁈' => Some("?!"),
        '⁉' => Some("!?"),
        '\u{a0}' | '\u{2000}'..='\u{200b}' | '\u{202f}' | '\u{3000}' => Some(""),
        _ => SIGNS.iter().find(|(known, _)| known.starts_with(sign)).map(|(_, ascii)| *ascii),
    }
}

/// Replaces the signs in a buffer to which bytes are added.
///
/// It works on runs of move text: a run starts at a syntax error and ends before the next comment, tag or set-up, also if
/// these bytes have not been read yet. So the replacements do not depend on the pieces in which the bytes are read.
#[derive(Debug, Default)]
pub(super) struct SignReplacer {
    /// The end of the bytes that have been searched.
    searched: usize,
    /// Whether the current run has no end yet.
    is_run_open: bool,
    /// The places of the bytes that are not characters of the original text, in ascending order.
    pub fillers: Vec<usize>,
}

impl SignReplacer {
    /// Start a run at a place of the move text, unless it is part of one, and return whether signs were replaced. More
    /// bytes can follow unless these are the `last`.
    pub fn start_run(&mut self, bytes: &mut [u8], place: usize, last: bool) -> bool {
        self.searched = self.searched.max(place);
        self.is_run_open = true;
        self.continue_run(bytes, last)
    }

    /// Continue an open run in bytes that were added, and return whether signs were replaced.
    pub fn continue_run(&mut self, bytes: &mut [u8], last: bool) -> bool {
        let fillers = self.fillers.len();
        while self.is_run_open && self.searched < bytes.len() {
            let at = self.searched;
            let length = match bytes[at] {
                0xc0..=0xdf => 2,
                0xe0..=0xef => 3,
                _ => 1,
            };
            if at + length > bytes.len() && !last {
                break;
            }
            if ENDS.contains(&bytes[at]) {
                self.is_run_open = false;
                break;
            }
            let text = bytes.get(at..at + length).and_then(|text| std::str::from_utf8(text).ok());
            let sign = text.and_then(|text| text.chars().next());
            if let Some(ascii) = sign.and_then(replacement) {
                let target = &mut bytes[at..at + length];
                target.fill(b' ');
                target[..ascii.len()].copy_from_slice(ascii.as_bytes());
                self.fillers.extend(at + 1..at + length);
            }
            self.searched += if sign.is_some() { length } else { 1 };
        }
        self.fillers.len() > fillers
    }

    /// Return the number of bytes that can be scanned: all, unless a sign can continue in bytes that are not read yet.
    pub fn scannable(&self, bytes: &[u8]) -> usize {
        if self.is_run_open { self.searched } else { bytes.len() }
    }

    /// Drop the first bytes of the buffer.
    pub fn discard(&mut self, bytes: usize) {
        self.searched = self.searched.saturating_sub(bytes);
        self.fillers.drain(..self.fillers.partition_point(|filler| *filler < bytes));
        self.fillers.iter_mut().for_each(|filler| *filler -= bytes);
    }
}
