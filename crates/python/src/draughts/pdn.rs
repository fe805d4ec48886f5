//! `PdnScanner` and `PdnScan`: PDN files as games, and games as moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use tablemen_core::draughts::{Ambiguity, Board, Replayed, SetupChange, SquareMove};
use tablemen_core::pdn::{GameError, ScannedGame, Scanner, Token, TokenKind};
use tablemen_core::work::{Monitor, SharedMonitor, unlimited};

use super::moves::Move;
use super::position::Position;
use crate::interrupt::{allow_interrupts, charge, detach_if_long};
use crate::python;

/// The number of bytes from which on a text is scanned without the GIL; for shorter texts, releasing it costs more than
/// it gains.
const LONG_TEXT: usize = 1 << 14;

/// The number of bytes that are scanned between two polls for signals.
const SLICE_SIZE: usize = 1 << 20;

/// The number of units of work after which `check_all` gives up on a game.
const MAX_GAME_WORK: u64 = 1 << 18;

/// Cancels the check of a game that is longer than `MAX_GAME_WORK`, or if the whole work is cancelled.
struct ShortWork {
    whole: SharedMonitor,
    units: AtomicU64,
}

impl ShortWork {
    fn shared(whole: &SharedMonitor) -> SharedMonitor {
        Arc::new(ShortWork { whole: Arc::clone(whole), units: AtomicU64::new(0) })
    }
}

impl Monitor for ShortWork {
    fn add(&self, units: u64) -> bool {
        let is_whole_cancelled = !self.whole.add(units);
        self.units.fetch_add(units, Ordering::Relaxed) + units < MAX_GAME_WORK && !is_whole_cancelled
    }
}

/// A scanner that splits a stream of bytes into games: call `feed` with pieces of any size, then `finish`.
#[pyclass(module = "tablemen._core")]
pub struct PdnScanner {
    scanner: Scanner,
    /// The number of bytes scanned so far.
    size: usize,
}

#[pymethods]
impl PdnScanner {
    #[new]
    fn new() -> Self {
        PdnScanner { scanner: Scanner::default(), size: 0 }
    }

    /// Return the games that are completed by the next bytes.
    fn feed(&mut self, py: Python<'_>, data: &[u8]) -> PyResult<Vec<PdnScan>> {
        self.size += data.len();
        let scanner = &mut self.scanner;
        let mut scan = |monitor: &dyn Monitor| {
            let mut games = Vec::new();
            for slice in data.chunks(SLICE_SIZE) {
                scanner.feed(slice, &mut games);
                if !monitor.add(1) {
                    return None;
                }
            }
            Some(wrap_games(games))
        };
        if data.len() < LONG_TEXT {
            Ok(scan(&*unlimited()).unwrap_or_default())
        } else {
            allow_interrupts(py, |monitor| scan(&**monitor))
        }
    }

    /// Return the games that are completed by the end of the bytes.
    fn finish(&mut self, py: Python<'_>) -> Vec<PdnScan> {
        let size = std::mem::take(&mut self.size);
        let mut finish = || {
            let mut games = Vec::new();
            self.scanner.finish(&mut games);
            wrap_games(games)
        };
        if size < LONG_TEXT { finish() } else { py.detach(finish) }
    }
}

fn wrap_games(games: Vec<ScannedGame>) -> Vec<PdnScan> {
    games.into_iter().map(|game| PdnScan { game }).collect()
}

/// The values of three tags.
type VariantTags = (Option<String>, Option<String>, Option<String>);

/// The byte of an ambiguous move, the move that was chosen, and all candidates.
type ResolvedMove<'py> = (usize, Bound<'py, Move>, Bound<'py, PyTuple>);

/// The text of one game of a file, and its tokens.
#[pyclass(frozen, module = "tablemen._core")]
pub struct PdnScan {
    game: ScannedGame,
}

#[pymethods]
impl PdnScan {
    /// The whole text of the game; bytes that are not UTF-8 are replaced.
    #[getter]
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.game.text).into_owned()
    }

    /// The message and the byte of the first syntax error, or None.
    #[getter]
    fn problem(&self) -> Option<(&'static str, usize)> {
        self.game.problem.map(|(problem, place)| (problem.message(), place))
    }

    /// The result at the end of the text, or None.
    #[getter]
    fn result(&self) -> Option<String> {
        self.game.result().map(|result| String::from_utf8_lossy(&result).into_owned())
    }

    /// Return the line and column in the file of a byte of the game.
    fn place(&self, byte: usize) -> (u64, u64) {
        self.game.place(byte)
    }

    /// Return the value of a tag, or None if the game does not have it.
    fn tag(&self, name: &str) -> Option<String> {
        self.game.tag(name.as_bytes()).map(unescape)
    }

    /// Return the name, value and place of every tag.
    fn tags(&self) -> Vec<(String, String, usize)> {
        let tags = self.game.tokens.windows(2).filter(|pair| pair[0].kind == TokenKind::TagName);
        tags.map(|pair| (self.token_text(&pair[0]), unescape(pair[1].bytes(&self.game.text)), pair[0].start as usize))
            .collect()
    }

    /// Return the values of the tags GameType, Variant and GuessedGameType. None if the game has a syntax error or set-ups.
    fn variant_tags(&self) -> Option<VariantTags> {
        if self.game.problem.is_some() || self.game.tokens.iter().any(|token| token.kind == TokenKind::Setup) {
            return None;
        }
        Some((self.tag("GameType"), self.tag("Variant"), self.tag("GuessedGameType")))
    }

    /// The byte at which the first move or variation starts; the length of the text if there is none.
    #[getter]
    fn moves_place(&self) -> usize {
        let first = self.game.tokens.iter().find(|token| token.kind.is_move() || token.kind == TokenKind::Open);
        first.map_or(self.game.text.len(), |token| token.start as usize)
    }

    /// Return the gaps between move numbers: the byte of the number after each gap, the number before it and the number
    /// after it. The number before the first move is 0.
    fn number_gaps(&self) -> Vec<(usize, u32, u32)> {
        self.game.number_gaps().into_iter().map(|gap| (gap.byte, gap.before, gap.after)).collect()
    }

    /// Return the FEN and the place of every set-up.
    fn setups(&self) -> Vec<(String, usize)> {
        let setups = self.game.tokens.iter().filter(|token| token.kind == TokenKind::Setup);
        setups.map(|token| (unescape(token.bytes(&self.game.text)), token.start as usize)).collect()
    }

    /// Return for each game its start position if all moves can be played from there, and None otherwise.
    ///
    /// The start position is that of the tag FEN, in the variant of the given start, or else the given start. The games
    /// must not have set-ups. They are checked in one call without the GIL. The result is also None for a game without a
    /// given start, for an invalid FEN, and for a game that takes very long: use `check` for these.
    #[staticmethod]
    fn check_all<'py>(
        py: Python<'py>,
        games: Vec<PyRef<'py, PdnScan>>,
        starts: Vec<Option<Bound<'py, Position>>>,
    ) -> PyResult<Vec<Option<Bound<'py, Position>>>> {
        let boards = starts.iter().map(|start| start.as_ref().map(Bound::get));
        let work: Vec<_> = games.iter().zip(boards).map(|(scan, start)| (&scan.game, start)).collect();
        let found = allow_interrupts(py, |monitor| {
            let check = |(game, start): &(&ScannedGame, Option<&Position>)| {
                let found = start.and_then(|start| find_start(game, start, monitor));
                monitor.add(game.tokens.len() as u64).then_some(found)
            };
            work.iter().map(check).collect::<Option<Vec<_>>>()
        })?;
        let wrap = |(found, start): (Option<FoundStart>, Option<Bound<'py, Position>>)| match (found, start) {
            (Some(FoundStart::Fen(board)), Some(start)) => {
                Bound::new(py, Position { mover: start.get().mover.clone_ref(py), board }).map(Some)
            }
            (Some(FoundStart::Given), start) => Ok(start),
            _ => Ok(None),
        };
        found.into_iter().zip(starts).map(wrap).collect()
    }

    /// Check that all moves can be played from a position.
    ///
    /// `setups` contains the position of each set-up, or the side to move if the set-up changes only that. Return the
    /// byte of the first unplayable move and the moves that it can mean, or None if all moves can be played. With
    /// `resolve`, an ambiguous move is the only one that lets the rest of its line be played, as in `events`.
    #[pyo3(
        signature = (start, setups = Vec::new(), *, resolve = false),
        text_signature = "($self, start, setups=(), *, resolve=False)"
    )]
    fn check<'py>(
        &self,
        start: &Bound<'py, Position>,
        setups: Vec<Bound<'py, PyAny>>,
        resolve: bool,
    ) -> PyResult<Option<(usize, Bound<'py, PyTuple>)>> {
        let ambiguity = if resolve { Ambiguity::Resolve } else { Ambiguity::Reject };
        let Err((byte, candidates)) = self.replay(start, &setups, ambiguity, false)? else { return Ok(None) };
        Ok(Some((byte, wrap_moves(start, candidates)?)))
    }

    /// Return the byte of each ambiguous move, the move that lets the rest of its line be played, and all candidates.
    #[pyo3(signature = (start, setups = Vec::new()), text_signature = "($self, start, setups=())")]
    fn resolved<'py>(
        &self,
        start: &Bound<'py, Position>,
        setups: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Vec<ResolvedMove<'py>>> {
        let Ok((_, results)) = self.replay(start, &setups, Ambiguity::Resolve, true)? else { return Ok(Vec::new()) };
        let steps = self.game.tokens.iter().filter(|token| token.kind.is_step());
        let mut resolved = Vec::new();
        for (token, result) in steps.zip(results) {
            if let Replayed::Resolved(played, candidates) = result {
                let played = wrap_move(start, played, true)?;
                resolved.push((token.start as usize, played, wrap_moves(start, candidates)?));
            }
        }
        Ok(resolved)
    }

    /// Return the last position of the main line; None if it is unknown or the game cannot be played.
    #[pyo3(signature = (start, setups = Vec::new()), text_signature = "($self, start, setups=())")]
    fn end(&self, start: &Bound<'_, Position>, setups: Vec<Bound<'_, PyAny>>) -> PyResult<Option<Position>> {
        let Ok((Some(board), _)) = self.replay(start, &setups, Ambiguity::Resolve, false)? else { return Ok(None) };
        Ok(Some(Position { mover: start.get().mover.clone_ref(start.py()), board }))
    }

    /// Return the moves and annotations in order, as pairs of a keyword and a value.
    ///
    /// The keywords are move (with the move, or None if it is unknown, and the text), strength, nag, comment, setup,
    /// open and close. Raises `TablemenError` if `check` finds an unplayable move.
    #[pyo3(signature = (start, setups = Vec::new()), text_signature = "($self, start, setups=())")]
    fn events<'py>(
        &self,
        start: &Bound<'py, Position>,
        setups: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let py = start.py();
        let results = match self.replay(start, &setups, Ambiguity::Resolve, true)? {
            Ok((_, results)) => results,
            Err((byte, _)) => {
                let problem = format!("the move at byte {byte} cannot be played");
                return Err(python::error(py, "TablemenError", (problem,)));
            }
        };
        let (mut results, mut setups) = (results.into_iter(), setups.into_iter());
        let events = PyList::empty(py);
        for token in &self.game.tokens {
            let replayed = if token.kind.is_step() { results.next() } else { None };
            let text = || PyString::new(py, &self.token_text(token)).into_any();
            let (word, value) = match token.kind {
                TokenKind::Move | TokenKind::Unknown | TokenKind::Placeholder => {
                    let r#move = match replayed {
                        Some(Replayed::Nothing) => continue,
                        Some(Replayed::Move(played, ambiguous)) => Some(wrap_move(start, played, ambiguous)?),
                        Some(Replayed::Resolved(played, _)) => Some(wrap_move(start, played, true)?),
                        _ => None,
                    };
                    (intern!(py, "move"), (r#move, text()).into_pyobject(py)?.into_any())
                }
                TokenKind::Strength => (intern!(py, "strength"), text()),
                TokenKind::Comment => (intern!(py, "comment"), text()),
                TokenKind::Nag => {
                    let number: u32 = self.token_text(token).parse().unwrap_or_default();
                    (intern!(py, "nag"), number.into_pyobject(py)?.into_any())
                }
                TokenKind::Setup => (intern!(py, "setup"), setups.next().into_pyobject(py)?.into_any()),
                TokenKind::Open => (intern!(py, "open"), py.None().into_bound(py)),
                TokenKind::Close => (intern!(py, "close"), py.None().into_bound(py)),
                TokenKind::TagName | TokenKind::TagValue | TokenKind::MoveNumber | TokenKind::Result => continue,
            };
            events.append((word, value))?;
        }
        Ok(events)
    }
}

/// The last position and the results of the steps, or the byte of an unplayable move and the moves that it can mean.
type ReplayResult = Result<(Option<Box<dyn Board>>, Vec<Replayed>), (usize, Vec<SquareMove>)>;

impl PdnScan {
    fn token_text(&self, token: &Token) -> String {
        String::from_utf8_lossy(token.bytes(&self.game.text)).into_owned()
    }

    /// Play the game from a position, without the GIL if it takes long.
    fn replay(
        &self,
        start: &Bound<'_, Position>,
        setups: &[Bound<'_, PyAny>],
        ambiguity: Ambiguity,
        wants_results: bool,
    ) -> PyResult<ReplayResult> {
        let position = start.get();
        let mover = position.mover.get();
        let setups = setups.iter().map(|setup| match setup.cast::<Position>() {
            Ok(setup) => Ok(SetupChange::Board(&*setup.get().board)),
            Err(_) => python::to_side(setup).map(SetupChange::Turn),
        });
        let setups = setups.collect::<PyResult<Vec<_>>>()?;
        charge(start.py(), self.game.tokens.len() as u64)?;
        detach_if_long(start.py(), |monitor| {
            let mut results = Vec::new();
            let kept = wants_results.then_some(&mut results);
            match self.game.replay(
                &*position.board,
                mover.notation.squares().lookup(),
                mover.first(),
                &setups,
                ambiguity,
                kept,
                monitor,
            ) {
                Ok(end) => Some(Ok((end, results))),
                Err(GameError::Unplayable { byte, candidates }) => Some(Err((byte, candidates))),
                Err(GameError::Stopped) => None,
            }
        })
    }
}

fn wrap_move<'py>(start: &Bound<'py, Position>, played: SquareMove, ambiguous: bool) -> PyResult<Bound<'py, Move>> {
    let py = start.py();
    Bound::new(py, Move { mover: start.get().mover.clone_ref(py), played, ambiguous, origin: None })
}

/// The start of a game whose moves can be played: the given position, or that of the tag FEN.
enum FoundStart {
    Given,
    Fen(Box<dyn Board>),
}

/// Return the start of a game if its moves can be played; None if they cannot, the FEN is invalid, or it takes long.
fn find_start(game: &ScannedGame, given: &Position, monitor: &SharedMonitor) -> Option<FoundStart> {
    let mover = given.mover.get();
    let fen = game.tag(b"FEN").filter(|fen| !matches!(*fen, b"" | b"?"));
    let start = match fen {
        None => FoundStart::Given,
        Some(fen) => FoundStart::Fen(mover.board(&mover.notation.parse_fen(&unescape(fen)).ok()?)),
    };
    let board = match &start {
        FoundStart::Given => &*given.board,
        FoundStart::Fen(board) => &**board,
    };
    let short_work = ShortWork::shared(monitor);
    let squares = mover.notation.squares().lookup();
    game.replay(board, squares, mover.first(), &[], Ambiguity::Reject, None, Some(&short_work)).ok()?;
    Some(start)
}

fn wrap_moves<'py>(start: &Bound<'py, Position>, moves: Vec<SquareMove>) -> PyResult<Bound<'py, PyTuple>> {
    let moves = moves.into_iter().map(|played| wrap_move(start, played, true));
    PyTuple::new(start.py(), moves.collect::<PyResult<Vec<_>>>()?)
}

/// Decode the escapes of a quoted text: a backslash before a quote or another backslash.
fn unescape(raw: &[u8]) -> String {
    let raw = String::from_utf8_lossy(raw);
    if !raw.contains('\\') {
        return raw.into_owned();
    }
    let (mut text, mut characters) = (String::new(), raw.chars().peekable());
    while let Some(character) = characters.next() {
        let escaped = characters.next_if(|next| character == '\\' && matches!(next, '"' | '\\'));
        text.push(escaped.unwrap_or(character));
    }
    text
}
