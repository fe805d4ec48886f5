//! `PdnScanner` and `PdnScan`: game files as games, and games as moves.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use tablemen_core::draughts::{Board, Failure, Replayed, Scene, Script, SquareMove, Step};
use tablemen_core::pdn::{Kind, Scan, Scanner, Token};

use super::mover::Mover;
use super::moves::Move;
use super::position::Position;
use crate::python;

/// Cuts a stream of bytes into games: `feed` it pieces of any size, then `finish`.
#[pyclass(module = "tablemen._core")]
pub struct PdnScanner {
    scanner: Scanner,
}

#[pymethods]
impl PdnScanner {
    #[new]
    fn new() -> Self {
        PdnScanner { scanner: Scanner::default() }
    }

    /// The games that the next bytes complete.
    fn feed(&mut self, data: &[u8]) -> Vec<PdnScan> {
        let mut games = Vec::new();
        self.scanner.feed(data, &mut games);
        games.into_iter().map(|scan| PdnScan { scan }).collect()
    }

    /// The games that the end of the bytes completes.
    fn finish(&mut self) -> Vec<PdnScan> {
        let mut games = Vec::new();
        self.scanner.finish(&mut games);
        games.into_iter().map(|scan| PdnScan { scan }).collect()
    }
}

/// A game as it stands in a file: its bytes and where its parts are.
#[pyclass(frozen, module = "tablemen._core")]
pub struct PdnScan {
    scan: Scan,
}

#[pymethods]
impl PdnScan {
    /// The whole text of the game; bytes that are not UTF-8 are replaced.
    #[getter]
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.scan.text).into_owned()
    }

    /// The first thing wrong with the text and at which byte, or None.
    #[getter]
    fn problem(&self) -> Option<(&'static str, usize)> {
        self.scan.problem.map(|(problem, place)| (problem.words(), place))
    }

    /// The result that ends the text, or None.
    #[getter]
    fn result(&self) -> Option<String> {
        self.scan.tokens.last().filter(|token| token.kind == Kind::Result).map(|token| self.written(token))
    }

    /// Line and column in the file of a byte of the game.
    fn place(&self, byte: usize) -> (u64, u64) {
        self.scan.place(byte)
    }

    /// The value of a tag, or None where there is none of this name.
    fn tag(&self, name: &str) -> Option<String> {
        self.scan.tag(name.as_bytes()).map(unescape)
    }

    /// Name, value and place of every tag.
    fn tags(&self) -> Vec<(String, String, usize)> {
        let named = self.scan.tokens.windows(2).filter(|pair| pair[0].kind == Kind::Name);
        named
            .map(|pair| (self.written(&pair[0]), unescape(pair[1].of(&self.scan.text)), pair[0].start as usize))
            .collect()
    }

    /// At which byte the first move or variation begins; the length of the text where there is none.
    #[getter]
    fn moves_place(&self) -> usize {
        let first = self.scan.tokens.iter().find(|token| token.kind.is_move() || token.kind == Kind::Open);
        first.map_or(self.scan.text.len(), |token| token.start as usize)
    }

    /// The FEN and the place of every set-up.
    fn setups(&self) -> Vec<(String, usize)> {
        let setups = self.scan.tokens.iter().filter(|token| token.kind == Kind::Setup);
        setups.map(|token| (unescape(token.of(&self.scan.text)), token.start as usize)).collect()
    }

    /// What keeps the moves from being played from a position on: at which byte, and what the move there could mean.
    ///
    /// `scenes` has the position of each set-up, or the side to move where only that changes. None if all can be played.
    #[pyo3(signature = (start, scenes = Vec::new()), text_signature = "($self, start, scenes=())")]
    fn check<'py>(
        &self,
        start: &Bound<'py, Position>,
        scenes: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Option<(usize, Bound<'py, PyTuple>)>> {
        let replayed = self.replay(start, &scenes, None)?;
        replayed.map_or_else(|trouble| trouble.told(start).map(Some), |_| Ok(None))
    }

    /// The position that the game leads to, or None where that is not known; None too where it cannot be played.
    #[pyo3(signature = (start, scenes = Vec::new()), text_signature = "($self, start, scenes=())")]
    fn end(&self, start: &Bound<'_, Position>, scenes: Vec<Bound<'_, PyAny>>) -> PyResult<Option<Position>> {
        let board = self.replay(start, &scenes, None)?.unwrap_or(None);
        Ok(board.map(|board| Position { mover: start.get().mover.clone_ref(start.py()), board }))
    }

    /// The moves and all that stands between them, in order: pairs of a word and a value.
    ///
    /// The words are move (with the move, or None where it is not known, and the text), strength, nag, comment, setup,
    /// open and close. To be called where `check` has nothing to say.
    #[pyo3(signature = (start, scenes = Vec::new()), text_signature = "($self, start, scenes=())")]
    fn events<'py>(
        &self,
        start: &Bound<'py, Position>,
        scenes: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let py = start.py();
        let mut told = Vec::new();
        if let Err(trouble) = self.replay(start, &scenes, Some(&mut told))? {
            let problem = format!("the move at byte {} cannot be played", trouble.place);
            return Err(python::error(py, "TablemenError", (problem,)));
        }
        let (mut told, mut scenes) = (told.into_iter(), scenes.into_iter());
        let events = PyList::empty(py);
        for token in &self.scan.tokens {
            let replayed = if is_step(token.kind) { told.next() } else { None };
            let text = || PyString::new(py, &self.written(token)).into_any();
            let (word, value) = match token.kind {
                Kind::Move | Kind::Unknown | Kind::Placeholder => {
                    let r#move = match replayed {
                        Some(Replayed::Nothing) => continue,
                        Some(Replayed::Move(played, ambiguous)) => Some(wrap(start, played, ambiguous)?),
                        _ => None,
                    };
                    (intern!(py, "move"), (r#move, text()).into_pyobject(py)?.into_any())
                }
                Kind::Strength => (intern!(py, "strength"), text()),
                Kind::Comment => (intern!(py, "comment"), text()),
                Kind::Nag => {
                    let number: u32 = self.written(token).parse().unwrap_or_default();
                    (intern!(py, "nag"), number.into_pyobject(py)?.into_any())
                }
                Kind::Setup => (intern!(py, "setup"), scenes.next().into_pyobject(py)?.into_any()),
                Kind::Open => (intern!(py, "open"), py.None().into_bound(py)),
                Kind::Close => (intern!(py, "close"), py.None().into_bound(py)),
                Kind::Name | Kind::Value | Kind::Number | Kind::Result => continue,
            };
            events.append((word, value))?;
        }
        Ok(events)
    }
}

/// What keeps a game from being played, and where.
struct Trouble {
    place: usize,
    candidates: Vec<SquareMove>,
}

impl Trouble {
    fn told<'py>(self, start: &Bound<'py, Position>) -> PyResult<(usize, Bound<'py, PyTuple>)> {
        let candidates = self.candidates.into_iter().map(|played| wrap(start, played, true));
        Ok((self.place, PyTuple::new(start.py(), candidates.collect::<PyResult<Vec<_>>>()?)?))
    }
}

impl PdnScan {
    fn written(&self, token: &Token) -> String {
        String::from_utf8_lossy(token.of(&self.scan.text)).into_owned()
    }

    /// Plays the game from a position on.
    fn replay(
        &self,
        start: &Bound<'_, Position>,
        scenes: &[Bound<'_, PyAny>],
        told: Option<&mut Vec<Replayed>>,
    ) -> PyResult<Result<Option<Box<dyn Board>>, Trouble>> {
        let position = start.get();
        let scenes = scenes.iter().map(|scene| match scene.cast::<Position>() {
            Ok(setup) => Ok(Scene::Board(&*setup.get().board)),
            Err(_) => python::to_side(scene).map(Scene::Turn),
        });
        let scenes = scenes.collect::<PyResult<Vec<_>>>()?;
        let script = match self.script(position.mover.get()) {
            Ok(script) => script,
            Err(trouble) => return Ok(Err(trouble)),
        };
        Ok(position.board.replay(&script, &scenes, told).map_err(|Failure { step, candidates }| {
            let mut steps = self.scan.tokens.iter().filter(|token| is_step(token.kind));
            Trouble { place: steps.nth(step).map_or(0, |token| token.start as usize), candidates }
        }))
    }

    /// What matters for the moves. A square that the board does not have is trouble.
    fn script(&self, mover: &Mover) -> Result<Script, Trouble> {
        let mut script = Script { first: mover.first(), ..Script::default() };
        let mut squares = Vec::new();
        for token in &self.scan.tokens {
            script.steps.push(match token.kind {
                Kind::Move => {
                    squares.clear();
                    let text = token.of(&self.scan.text);
                    let read = mover.file_names.read(text, &mut squares);
                    read.map_err(|_| Trouble { place: token.start as usize, candidates: Vec::new() })?;
                    let &[from, ref between @ .., to] = squares.as_slice() else { continue };
                    let begin = script.between.len() as u32;
                    script.between.extend_from_slice(between);
                    let captures = !text.contains(&b'-');
                    Step::Move { from, to, between: (begin, script.between.len() as u32), captures }
                }
                Kind::Unknown => Step::Unknown,
                Kind::Placeholder => Step::Placeholder,
                Kind::Open => Step::Open,
                Kind::Close => Step::Close,
                Kind::Setup => Step::Setup,
                _ => continue,
            });
        }
        Ok(script)
    }
}

/// Whether a token matters for the moves.
fn is_step(kind: Kind) -> bool {
    kind.is_move() || matches!(kind, Kind::Open | Kind::Close | Kind::Setup)
}

fn wrap<'py>(start: &Bound<'py, Position>, played: SquareMove, ambiguous: bool) -> PyResult<Bound<'py, Move>> {
    let py = start.py();
    Bound::new(py, Move { mover: start.get().mover.clone_ref(py), played, ambiguous, origin: None })
}

/// A text without the backslashes that hide quotes and one another.
fn unescape(raw: &[u8]) -> String {
    let raw = String::from_utf8_lossy(raw);
    if !raw.contains('\\') {
        return raw.into_owned();
    }
    let (mut text, mut characters) = (String::new(), raw.chars().peekable());
    while let Some(character) = characters.next() {
        let hidden = characters.next_if(|next| character == '\\' && matches!(next, '"' | '\\'));
        text.push(hidden.unwrap_or(character));
    }
    text
}
