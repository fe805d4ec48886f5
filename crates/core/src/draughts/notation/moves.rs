//! Move text, such as `32-28`, `32x23` and `c3:e5`.
//!
//! `format_move` writes a normal form. `parse_move` reads moves as people type them: any separator or none (`3228`,
//! `c3d4`, `0611`), leading zeros, capitals, numbers for algebraic squares, the whole path of a capture, a part of it
//! or only its ends, and a trailing strength sign.

use super::span::Span;
use super::{Notation, NotationError};
use crate::draughts::{Board, SquareMove};
use crate::text::{is_blank, quote};
use crate::work::SharedMonitor;

const QUIET_SEPARATOR: &str = "-";
/// The hyphen, and the characters used instead of it in printed texts.
const DASHES: [char; 7] = ['-', '‐', '‑', '‒', '–', '—', '−'];
const CROSSES: [char; 5] = ['x', 'X', '×', ':', '*'];
const STRENGTH_SIGNS: [char; 2] = ['!', '?'];

/// The reason why a text is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The text is not a move.
    Notation(NotationError),
    /// No legal move matches.
    Illegal,
    /// Several legal moves match.
    Ambiguous {
        /// The error message.
        problem: String,
        /// The matching moves, each with whether it is ambiguous by its start and end.
        candidates: Vec<(SquareMove, bool)>,
    },
    /// The work was cancelled.
    Stopped,
}

impl From<NotationError> for MoveError {
    fn from(error: NotationError) -> Self {
        MoveError::Notation(error)
    }
}

/// Return whether another legal move has the same start and end, so that the text of this one needs the whole path.
pub fn is_ambiguous(played: &SquareMove, legal: &[SquareMove]) -> bool {
    legal.iter().filter(|each| (each.from, each.to) == (played.from, played.to)).count() > 1
}

/// The squares of a text, and the kind of move that its separators indicate.
struct WrittenMove {
    /// The squares, for every possible reading of the text.
    readings: Vec<Vec<u16>>,
    /// Whether the separator is that of captures; None if it does not tell.
    captures: Option<bool>,
    /// The error to report if the text is the name of a single square and no reading matches.
    lone: Option<NotationError>,
}

impl Notation {
    /// Format a move: its start and end, or all squares of its path.
    pub fn format_move(&self, played: &SquareMove, full: bool) -> String {
        let separator = if played.jumps.is_empty() { QUIET_SEPARATOR } else { &self.capture_separator };
        let mut text = self.squares.name(played.from).to_owned();
        let mut push = |square: u16| {
            text += separator;
            text += self.squares.name(square);
        };
        match &*played.jumps {
            jumps if full && !jumps.is_empty() => jumps.iter().for_each(|jump| push(jump.landing)),
            _ => push(played.to),
        }
        text
    }

    /// Parse the text of a legal move, and return the move and whether it is ambiguous by its start and end.
    ///
    /// If more than one move matches, the separator decides between captures and other moves, and a whole path selects
    /// the move that takes it. The move has the path of the text if the text names all of it.
    pub fn parse_move(
        &self,
        text: &str,
        board: &dyn Board,
        monitor: Option<&SharedMonitor>,
    ) -> Result<(SquareMove, bool), MoveError> {
        let WrittenMove { readings, captures, lone } = self.parse_move_text(text)?;
        let legal = board.legal_moves(false, monitor).ok_or(MoveError::Stopped)?;
        // How well each legal move matches, and the matching moves in the order in which they were found.
        let mut fits: Vec<Option<u8>> = vec![None; legal.len()];
        let mut candidates = Vec::new();
        for squares in &readings {
            for index in board.match_moves(&legal, squares) {
                if fits[index].is_none() {
                    candidates.push(index);
                }
                fits[index] = fits[index].max(Some(fit(&legal[index], squares)));
            }
        }
        if let Some(captures) = captures {
            let agrees = |index: &usize| captures != legal[*index].jumps.is_empty();
            if candidates.iter().any(agrees) {
                candidates.retain(agrees);
            }
        }
        let best = candidates.iter().map(|index| fits[*index]).max().flatten();
        candidates.retain(|index| fits[*index] == best);
        let listed = |index: usize| (legal[index].clone(), is_ambiguous(&legal[index], &legal));
        match candidates.as_slice() {
            [] => Err(lone.map_or(MoveError::Illegal, MoveError::Notation)),
            [index] => {
                let (played, ambiguous) = listed(*index);
                // Keep the path of the text if it names every landing square.
                match readings.iter().find(|squares| fit(&played, squares) == 1) {
                    Some(squares) => Ok((board.with_path(played, &squares[1..]), ambiguous)),
                    None => Ok((played, ambiguous)),
                }
            }
            _ => {
                let meanings: Vec<String> =
                    candidates.iter().map(|index| self.format_move(&legal[*index], true)).collect();
                let problem = format!("{} could mean {}", quote(text), meanings.join(" or "));
                Err(MoveError::Ambiguous { problem, candidates: candidates.into_iter().map(listed).collect() })
            }
        }
    }

    /// Return the squares of a move text, for every possible reading, whether or not such a move exists.
    pub fn parse_squares(&self, text: &str) -> Result<Vec<Vec<u16>>, NotationError> {
        Ok(self.parse_move_text(text)?.readings)
    }

    fn parse_move_text(&self, text: &str) -> Result<WrittenMove, NotationError> {
        let span = without_strength(Span::new(text).strip());
        if span.is_empty() {
            return Err(span.error("the move is missing"));
        }
        let (words, separators) = self.split_words(span)?;
        if let [word] = words.as_slice() {
            return self.parse_run(*word);
        }
        let squares = words.into_iter().map(|word| self.parse_word(word)).collect::<Result<_, _>>()?;
        let captures = if separators.cross {
            Some(true)
        } else {
            // A dash is not conclusive if captures are also written with it.
            (separators.dash && self.capture_separator != QUIET_SEPARATOR).then_some(false)
        };
        Ok(WrittenMove { readings: vec![squares], captures, lone: None })
    }

    /// Split a text into words, each an optional letter and digits, and record the separators.
    fn split_words<'a>(&self, span: Span<'a>) -> Result<(Vec<Span<'a>>, Separators), NotationError> {
        let has_x = self.squares.has_x();
        let (mut words, mut separators, mut rest) = (Vec::new(), Separators::default(), span);
        loop {
            let length = word_length(rest.text(), has_x);
            if length == 0 {
                let missing = "a square is missing here".to_owned();
                let expected = || format!("expected a square, got {}", rest.quoted());
                return Err(rest.error(if rest.is_empty() { missing } else { expected() }));
            }
            words.push(rest.part(0, length));
            rest = rest.skip(length);
            if rest.is_empty() {
                return Ok((words, separators));
            }
            let behind = rest.text().trim_start_matches(is_blank);
            let next = behind.strip_prefix(|each| CROSSES.contains(&each) || DASHES.contains(&each));
            if next.is_some() {
                let is_cross = behind.starts_with(CROSSES);
                separators.cross |= is_cross;
                separators.dash |= !is_cross;
            }
            let behind = next.unwrap_or(behind).trim_start_matches(is_blank);
            rest = rest.skip(rest.text().len() - behind.len());
        }
    }

    /// Parse a word that names a square.
    fn parse_word(&self, word: Span<'_>) -> Result<u16, NotationError> {
        let name = word.text().to_ascii_lowercase();
        self.squares.find(name.trim_start_matches('0')).ok_or_else(|| self.unknown_square(word))
    }

    /// Parse a single word: digits without separators.
    fn parse_run(&self, word: Span<'_>) -> Result<WrittenMove, NotationError> {
        let find = |part: &str| self.squares.find(part.trim_start_matches('0'));
        let cuts = cut(word.text(), self.squares.number_width());
        let readings: Vec<Vec<u16>> =
            cuts.iter().filter_map(|parts| parts.iter().map(|part| find(part)).collect()).collect();
        let mut lone = None;
        if readings.is_empty() || self.squares.find(word.text()).is_some() {
            let name = self.squares.name(self.parse_word(word)?);
            lone = Some(word.error(format!("{name} is a single square: a move needs two")));
        }
        Ok(WrittenMove { readings, captures: None, lone })
    }
}

/// The kinds of separators in a move text.
#[derive(Default)]
struct Separators {
    cross: bool,
    dash: bool,
}

/// Return how well squares match a move: 2 if they are its path, 1 if they are another path of the same move, 0 if some
/// squares are omitted.
fn fit(played: &SquareMove, squares: &[u16]) -> u8 {
    let landings = squares.get(1..).unwrap_or_default();
    if played.jumps.is_empty() {
        // A quiet move matches only its start and its end.
        return 2;
    }
    let same_path = played.jumps.iter().map(|jump| jump.landing).eq(landings.iter().copied());
    u8::from(same_path) + u8::from(played.jumps.len() == landings.len())
}

/// Return the text without a strength sign at its end: `!?`, or the same in brackets.
fn without_strength(span: Span<'_>) -> Span<'_> {
    let text = span.text();
    let in_brackets = text.strip_suffix(')');
    let bare = in_brackets.unwrap_or(text).trim_end_matches(STRENGTH_SIGNS);
    let bare = match in_brackets {
        None => bare,
        // Brackets without a sign inside belong to the text.
        Some(inside) if inside.len() == bare.len() => return span,
        Some(_) => match bare.strip_suffix('(') {
            Some(bare) => bare,
            None => return span,
        },
    };
    span.part(0, bare.trim_end_matches(is_blank).len())
}

/// Return the length of the word at the start of a text, or 0. An x starts a word only on boards with a square x1.
fn word_length(text: &str, has_x: bool) -> usize {
    let bytes = text.as_bytes();
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() && (has_x || !byte.eq_ignore_ascii_case(&b'x'));
    let letter = usize::from(bytes.first().is_some_and(is_letter));
    let digits = bytes[letter..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 { 0 } else { letter + digits }
}

/// Split digits in two at any place, and into more parts of equal width. A part has at most `width` digits.
fn cut(digits: &str, width: usize) -> Vec<Vec<&str>> {
    let length = digits.len();
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    let firsts = length.saturating_sub(width).max(1)..=width.min(length - 1);
    let mut cuts: Vec<Vec<&str>> = firsts.map(|first| vec![&digits[..first], &digits[first..]]).collect();
    if length > 2 * width && length.is_multiple_of(width) {
        cuts.push((0..length).step_by(width).map(|start| &digits[start..start + width]).collect());
    }
    cuts
}
