//! FEN (`W:W31,32,K40:B1,2`) and square lists (`31,32,K40`).
//!
//! A FEN contains the side to move, White's squares and Black's; kings have a K. `format_fen` writes a normal form.
//! `parse_fen` also accepts the output of other programs: ranges, either case, either colour first, several lists of a
//! colour or none, blanks, a trailing dot, surrounding quotes, a PDN tag or set-up, numbers for algebraic squares, and the
//! counters of Lidraughts.
//!
//! If the rules limit a king's quiet moves and a king has made some, they follow in a last part, Black's king first, as
//! in Lidraughts: in `:+0+328` White's king on 28 has made 3. A count of two digits, which no known variant needs, is
//! separated from the square: `+12/28`.

use super::span::Span;
use super::{Notation, NotationError};
use crate::draughts::Setup;
use crate::side::Side;
use crate::text::is_blank;

const SIDES: [(char, Side); 2] = [('W', Side::White), ('B', Side::Black)];

impl Notation {
    /// Format a position in the normal form: White first, squares in the order of their names.
    pub fn format_fen(&self, setup: &Setup) -> String {
        let mut fen = String::from(if setup.turn == Side::White { "W" } else { "B" });
        for (letter, side) in SIDES {
            fen.extend([':', letter]);
            fen += &self.format_square_list(setup, side);
        }
        if setup.runs.iter().any(Option::is_some) {
            fen.push(':');
            for side in [Side::Black, Side::White] {
                fen += &match setup.runs[side.index()] {
                    None => "+0".to_owned(),
                    Some((square, count)) => {
                        let name = self.squares.name(square as u16);
                        if count > 9 { format!("+{count}/{name}") } else { format!("+{count}{name}") }
                    }
                };
            }
        }
        fen
    }

    /// Format the squares of a side as in a FEN.
    pub fn format_square_list(&self, setup: &Setup, side: Side) -> String {
        let kings = &setup.kings[side.index()];
        let mut squares: Vec<usize> = setup.men[side.index()].iter().chain(kings).copied().collect();
        self.squares.sort(&mut squares);
        let mut list = String::new();
        for square in squares {
            if !list.is_empty() {
                list.push(',');
            }
            if kings.contains(&square) {
                list.push('K');
            }
            list += self.squares.name(square as u16);
        }
        list
    }

    /// Parse a FEN.
    pub fn parse_fen(&self, text: &str) -> Result<Setup, NotationError> {
        let body = unwrap(Span::new(text));
        if body.is_empty() {
            return Err(body.error("the FEN is empty"));
        }
        let mut parts = body.split(':');
        let turn = parse_turn(parts.next().unwrap_or(body))?;
        let parts = Parts::sort(parts, body)?;
        for counter in parts.counters.into_iter().flatten() {
            check_counter(counter)?;
        }
        let mut reader = PieceReader::new(self, turn);
        for (_, side) in SIDES {
            for part in &parts.pieces[side.index()] {
                reader.read_pieces(part.skip(1), side)?;
            }
        }
        if let Some(part) = parts.king_runs {
            reader.read_king_runs(part)?;
        }
        Ok(reader.setup)
    }

    /// Parse Black's and White's squares, each listed as in a FEN. An error includes the side whose list is wrong.
    pub fn parse_square_lists(&self, black: &str, white: &str, turn: Side) -> Result<Setup, (Side, NotationError)> {
        let mut reader = PieceReader::new(self, turn);
        for (list, side) in [(black, Side::Black), (white, Side::White)] {
            reader.read_pieces(Span::new(list), side).map_err(|error| (side, error))?;
        }
        Ok(reader.setup)
    }
}

/// Return the text inside a PDN tag or set-up, quotes and blanks, without a trailing dot.
fn unwrap(span: Span<'_>) -> Span<'_> {
    let mut span = span.strip();
    let wrappers: [fn(Span<'_>) -> Option<Span<'_>>; 4] =
        [|span| in_tag(span, '[', ']'), |span| in_tag(span, '/', '/'), in_double_quotes, in_single_quotes];
    for inside in wrappers {
        span = inside(span).map_or(span, Span::strip);
    }
    if span.text().ends_with('.') { span.part(0, span.text().len() - 1).strip() } else { span }
}

/// Return the value of a FEN tag, with its quotes.
fn in_tag(span: Span<'_>, open: char, close: char) -> Option<Span<'_>> {
    let inside = span.text().strip_prefix(open)?.strip_suffix(close)?;
    let tag = span.part(1, 1 + inside.len()).strip();
    let is_fen = tag.text().get(..3)?.eq_ignore_ascii_case("FEN");
    let value = if is_fen { tag.skip(3).strip() } else { return None };
    in_double_quotes(value).map(|_| value)
}

/// Return the text between double quotes, which may be escaped as in source code or JSON.
fn in_double_quotes(span: Span<'_>) -> Option<Span<'_>> {
    let text = span.text();
    let inside = text.strip_prefix('\\').unwrap_or(text).strip_prefix('"')?;
    let start = text.len() - inside.len();
    let inside = inside.strip_suffix('"')?;
    let inside = inside.strip_suffix('\\').unwrap_or(inside);
    (!inside.contains(['"', '\\'])).then(|| span.part(start, start + inside.len()))
}

fn in_single_quotes(span: Span<'_>) -> Option<Span<'_>> {
    let inside = span.text().strip_prefix('\'')?.strip_suffix('\'')?;
    (!inside.contains('\'')).then(|| span.part(1, 1 + inside.len()))
}

/// Parse the side to move.
fn parse_turn(part: Span<'_>) -> Result<Side, NotationError> {
    let letter = part.text().to_uppercase();
    Err(part.error(match letter.as_str() {
        "W" => return Ok(Side::White),
        "B" => return Ok(Side::Black),
        "?" => "the side to move is unknown: expected W or B, got '?'".to_owned(),
        _ if letter.is_empty() || is_piece_list(&letter) => {
            "the side to move is missing: a FEN begins with W: or B:".to_owned()
        }
        _ => format!("unknown side to move: expected W or B, got {}", part.quoted()),
    }))
}

/// Return whether a text looks like the pieces of a side: its letter, and a digit on the same line.
fn is_piece_list(upper: &str) -> bool {
    let line = upper.split('\n').next().unwrap_or_default();
    upper.starts_with(['W', 'B']) && line.contains(|each: char| each.is_ascii_digit())
}

/// The parts of a FEN after the side to move, by their first letter.
#[derive(Default)]
struct Parts<'a> {
    /// White's lists and Black's.
    pieces: [Vec<Span<'a>>; 2],
    /// The counters H and F of Lidraughts: plies without progress, and the move number. They belong to the game, not to
    /// the position.
    counters: [Option<Span<'a>>; 2],
    /// The kings' quiet moves.
    king_runs: Option<Span<'a>>,
}

impl<'a> Parts<'a> {
    /// Sort the parts. At least one side must have a part, and no other part can occur twice.
    fn sort(parts: impl Iterator<Item = Span<'a>>, body: Span<'a>) -> Result<Self, NotationError> {
        let mut sorted = Parts::default();
        for part in parts {
            let Some(letter) = part.text().chars().next() else {
                return Err(part.error("empty part: expected the pieces of W or B"));
            };
            let (single, name) = match letter.to_ascii_uppercase() {
                'W' => {
                    sorted.pieces[0].push(part);
                    continue;
                }
                'B' => {
                    sorted.pieces[1].push(part);
                    continue;
                }
                'H' => (&mut sorted.counters[0], "the counter H is"),
                'F' => (&mut sorted.counters[1], "the counter F is"),
                '+' => (&mut sorted.king_runs, "the quiet king moves are"),
                _ => {
                    return Err(
                        part.error(format!("expected the pieces of W or B, or a counter, got {}", part.quoted()))
                    );
                }
            };
            if single.replace(part).is_some() {
                return Err(part.error(format!("{name} given twice")));
            }
        }
        if sorted.pieces.iter().all(Vec::is_empty) {
            return Err(body.at_end().error("the pieces are missing: expected :W and :B with their squares"));
        }
        Ok(sorted)
    }
}

/// Check a counter. Its value is not used.
fn check_counter(part: Span<'_>) -> Result<(), NotationError> {
    let (letter, number) = part.text().split_at(1);
    if !is_number(number.trim_matches(is_blank)) {
        let name = letter.to_ascii_uppercase();
        return Err(part.error(format!("expected the counter {name} with a number, got {}", part.quoted())));
    }
    Ok(())
}

/// The pieces read so far.
struct PieceReader<'a> {
    notation: &'a Notation,
    setup: Setup,
    /// The side on each square, and whether the piece is a king.
    pieces: Vec<Option<(Side, bool)>>,
}

impl<'a> PieceReader<'a> {
    fn new(notation: &'a Notation, turn: Side) -> Self {
        let pieces = vec![None; notation.squares.count()];
        PieceReader { notation, setup: Setup { turn, ..Setup::default() }, pieces }
    }

    /// Add the pieces of a side, separated by commas.
    fn read_pieces(&mut self, part: Span<'_>, side: Side) -> Result<(), NotationError> {
        if part.strip().is_empty() {
            return Ok(());
        }
        for item in part.split(',') {
            // The common case: a number without leading zeros is a man.
            let text = item.text();
            if text.bytes().all(|byte| byte.is_ascii_digit())
                && let Some(square) = self.notation.squares.find(text)
            {
                self.add_piece(item, side, false, square)?;
                continue;
            }
            let (is_king, named) = self.parse_kind(item)?;
            for square in self.parse_squares(named)? {
                self.add_piece(item, side, is_king, square)?;
            }
        }
        Ok(())
    }

    /// Add a piece of an item.
    fn add_piece(&mut self, item: Span<'_>, side: Side, is_king: bool, square: u16) -> Result<(), NotationError> {
        if let Some((side, is_king)) = self.pieces[usize::from(square)] {
            let (name, piece) = (self.notation.squares.name(square), describe(side, is_king));
            return Err(item.error(format!("square {name} is named twice, first for a {piece}")));
        }
        self.pieces[usize::from(square)] = Some((side, is_king));
        let pieces = if is_king { &mut self.setup.kings } else { &mut self.setup.men };
        pieces[side.index()].push(usize::from(square));
        Ok(())
    }

    /// Return whether an item is a king, and the part with its squares.
    fn parse_kind<'b>(&self, item: Span<'b>) -> Result<(bool, Span<'b>), NotationError> {
        let squares = &self.notation.squares;
        let text = item.text();
        let name = || text.to_lowercase();
        let mut characters = text.chars();
        let letter = characters.next().map(|letter| letter.to_ascii_uppercase());
        let number = characters.as_str();
        // Lidraughts marks pieces that are removed when the capture ends.
        let captured = match letter {
            Some('G') => Some("man"),
            Some('P') => Some("king"),
            _ => None,
        };
        if let Some(kind) = captured {
            let square = number.trim_matches(is_blank);
            if squares.find(&name()).is_none() && squares.find(square).is_some() {
                let problem = format!(
                    "{} is a captured {kind} on {square}: a position cannot be in the middle of a capture",
                    item.quoted()
                );
                return Err(item.error(problem));
            }
        }
        // On a board with eleven columns, K could also be the column of a square such as k1.
        if letter != Some('K') || squares.find(text).is_some() {
            return Ok((false, item));
        }
        let name = name();
        if squares.find(&name).is_some()
            && let Some(square) = squares.find(number)
        {
            let king = format!("K{}", squares.name(square));
            let problem = format!("{text} is ambiguous: write {name} for the square or {king} for a king on {number}");
            return Err(item.error(problem));
        }
        Ok((true, item.skip(1).strip()))
    }

    /// Parse the name of a square, or a range of numbers.
    fn parse_squares(&self, named: Span<'_>) -> Result<Vec<u16>, NotationError> {
        let squares = &self.notation.squares;
        let mut ends = named.split('-');
        let first = ends.next().unwrap_or(named);
        let start = self.parse_square(first)?;
        let Some(last) = ends.next() else { return Ok(vec![start]) };
        let not_a_range = || named.error(format!("a range needs two numbers, got {}", named.quoted()));
        if ends.next().is_some() {
            return Err(not_a_range());
        }
        let end = self.parse_square(last)?;
        if !is_number(first.text()) || !is_number(last.text()) {
            return Err(not_a_range());
        }
        let (start, end) = (squares.number(start), squares.number(end));
        if end < start {
            return Err(named.error(format!("the range {} runs backwards", named.quoted())));
        }
        Ok((start..=end).filter_map(|number| squares.find_number(number)).collect())
    }

    /// Parse the name or the number of a square.
    fn parse_square(&self, named: Span<'_>) -> Result<u16, NotationError> {
        if named.is_empty() {
            return Err(named.error("a square is missing here"));
        }
        let name = named.text().to_lowercase();
        let name = if is_number(&name) { name.trim_start_matches('0') } else { &name };
        self.notation.squares.find(name).ok_or_else(|| self.notation.unknown_square(named))
    }

    /// Read the quiet king moves of both sides; those of a side without men are dropped, because they are not limited.
    fn read_king_runs(&mut self, part: Span<'_>) -> Result<(), NotationError> {
        let groups: Vec<Span<'_>> = part.skip(1).split('+').collect();
        let &[black, white] = groups.as_slice() else {
            let problem =
                format!("expected the quiet king moves of Black and White, such as +0+328, got {}", part.quoted());
            return Err(part.error(problem));
        };
        for (side, group) in [(Side::Black, black), (Side::White, white)] {
            if group.text() == "0" {
                continue;
            }
            let (square, count) = self.parse_king_run(group)?;
            if self.pieces[usize::from(square)] != Some((side, true)) {
                let (king, name) = (describe(side, true), self.notation.squares.name(square));
                return Err(group.error(format!("there is no {king} on {name}")));
            }
            if !self.setup.men[side.index()].is_empty() {
                self.setup.runs[side.index()] = Some((usize::from(square), count));
            }
        }
        Ok(())
    }

    /// Parse the number of a king's quiet moves and its square: one digit, or up to three digits and a slash, then the
    /// square.
    fn parse_king_run(&self, group: Span<'_>) -> Result<(u16, u8), NotationError> {
        let text = group.text();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (counted, at) = match text.find('/') {
            Some(slash) => (digits == slash && slash <= 3, slash + 1),
            None => (digits > 0, 1),
        };
        let name = text.get(at..).unwrap_or_default();
        let count = text[..digits.min(at)].parse::<u16>();
        let (true, Ok(count), true) = (counted, count, is_alphanumeric(name)) else {
            let problem =
                format!("expected a number of quiet moves and the king's square, such as 328, got {}", group.quoted());
            return Err(group.error(problem));
        };
        let limit = self.notation.king_move_limit;
        if !(1..=u16::from(limit)).contains(&count) {
            let variant = &self.notation.variant;
            let problem = if limit > 0 {
                format!("expected 1 to {limit} quiet moves of a king, got {count}")
            } else {
                format!("{variant} does not count the quiet moves of kings")
            };
            return Err(group.error(problem));
        }
        Ok((self.parse_square(group.skip(at))?, count as u8))
    }
}

/// Return whether a text consists of ASCII digits, and has at least one.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Return whether a text consists of ASCII letters and digits, and has at least one.
fn is_alphanumeric(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn describe(side: Side, is_king: bool) -> String {
    let side = if side == Side::White { "white" } else { "black" };
    format!("{side} {}", if is_king { "king" } else { "man" })
}
