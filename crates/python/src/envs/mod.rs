//! `GameBatch`: many games that are stepped together, for `tablemen.envs`.

mod memory;

use std::sync::{Mutex, PoisonError};

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};
use tablemen_core::draughts::{self, DraughtsBatch, Rules};
use tablemen_core::envs::{Batch, Settings, StartError, States, StepError};
use tablemen_core::mancala::{self, MancalaBatch};

use crate::actions::action_error;
use crate::draughts::{Mover, Position};
use crate::int_arg::IntArg;
use crate::interrupt::{allow_interrupts, charge};
use crate::mancala::{MancalaMover, MancalaPosition};
use crate::python;
use memory::Arrays;
pub use memory::SharedArray;

/// The maximum number of games in a batch.
const MAX_GAMES: u32 = 1 << 24;

/// The games of a batch, with the rules and the encoding of their family.
pub enum Games {
    Draughts(Py<Mover>, draughts::ActionEncoding, Box<dyn DraughtsBatch>),
    Mancala(Py<MancalaMover>, mancala::ActionEncoding, Box<dyn MancalaBatch>),
}

impl Games {
    fn batch(&self) -> &dyn Batch {
        match self {
            Games::Draughts(_, _, batch) => &**batch,
            Games::Mancala(_, _, batch) => &**batch,
        }
    }

    fn batch_mut(&mut self) -> &mut dyn Batch {
        match self {
            Games::Draughts(_, _, batch) => &mut **batch,
            Games::Mancala(_, _, batch) => &mut **batch,
        }
    }

    fn board(&self, game: usize) -> AnyBoard {
        match self {
            Games::Draughts(_, _, batch) => AnyBoard::Draughts(batch.board(game)),
            Games::Mancala(_, _, batch) => AnyBoard::Mancala(batch.board(game)),
        }
    }
}

/// The rules and the encoding of a batch.
enum Kind {
    Draughts(Py<Mover>, draughts::ActionEncoding),
    Mancala(Py<MancalaMover>, mancala::ActionEncoding),
}

impl Kind {
    fn of(games: &Games, py: Python<'_>) -> Self {
        match games {
            Games::Draughts(mover, encoding, _) => Kind::Draughts(mover.clone_ref(py), *encoding),
            Games::Mancala(mover, encoding, _) => Kind::Mancala(mover.clone_ref(py), *encoding),
        }
    }

    fn clone_ref(&self, py: Python<'_>) -> Self {
        match self {
            Kind::Draughts(mover, encoding) => Kind::Draughts(mover.clone_ref(py), *encoding),
            Kind::Mancala(mover, encoding) => Kind::Mancala(mover.clone_ref(py), *encoding),
        }
    }

    fn same(&self, other: &Kind, py: Python<'_>) -> PyResult<bool> {
        match (self, other) {
            (Kind::Draughts(mover, encoding), Kind::Draughts(others, its_encoding)) => {
                Ok(encoding == its_encoding && Mover::same(mover, others, py)?)
            }
            (Kind::Mancala(mover, encoding), Kind::Mancala(others, its_encoding)) => {
                Ok(encoding == its_encoding && MancalaMover::same(mover, others, py)?)
            }
            _ => Ok(false),
        }
    }

    fn position<'py>(&self, py: Python<'py>, board: AnyBoard) -> PyResult<Bound<'py, PyAny>> {
        match (self, board) {
            (Kind::Draughts(mover, _), AnyBoard::Draughts(board)) => {
                Ok(Bound::new(py, Position { mover: mover.clone_ref(py), board })?.into_any())
            }
            (Kind::Mancala(mover, _), AnyBoard::Mancala(board)) => {
                Ok(Bound::new(py, MancalaPosition { mover: mover.clone_ref(py), board })?.into_any())
            }
            _ => unreachable!("the boards of a batch are of its family"),
        }
    }
}

enum AnyBoard {
    Draughts(Box<dyn draughts::Board>),
    Mancala(Box<dyn mancala::Board>),
}

/// The arguments of a batch, besides the positions.
#[derive(FromPyObject)]
pub struct BatchOptions {
    #[pyo3(item)]
    games: IntArg,
    #[pyo3(item)]
    seed: u64,
    #[pyo3(item)]
    threads: IntArg,
    #[pyo3(item)]
    auto_reset: bool,
    #[pyo3(item)]
    max_plies: Option<IntArg>,
    #[pyo3(item)]
    pub claim_draws: bool,
}

impl BatchOptions {
    /// Check the arguments.
    pub fn settings(&self, py: Python<'_>) -> PyResult<Settings> {
        let max_plies = self.max_plies.map(|plies| plies.within(py, "max_plies", 1, i32::MAX as u32)).transpose()?;
        Ok(Settings {
            games: self.games.within(py, "games", 1, MAX_GAMES)? as usize,
            seed: self.seed,
            threads: self.threads.threads(py)?,
            auto_reset: self.auto_reset,
            max_plies,
        })
    }
}

/// Convert the error of a start position.
pub fn start_error(error: StartError, starts: &Bound<'_, PyList>) -> PyErr {
    let py = starts.py();
    let position = |index: usize| starts.get_item(index).expect("the error has the index of a start position");
    match error {
        StartError::GameOver(index) => {
            let expected = "a position in which the game is not over";
            python::error(py, "ArgumentError", (format!("start[{index}]"), position(index), expected))
        }
        StartError::Action(index, error) => action_error(error, &position(index), &position(index)),
        StartError::Cancelled => unreachable!("cancelled work raises another error"),
    }
}

/// What a call needs exclusively.
struct Inner {
    games: Games,
    arrays: Arrays,
}

/// Many games of one rule set, and the arrays that describe their current positions.
#[pyclass(frozen, module = "tablemen._core")]
pub struct GameBatch {
    // Locked only while the interpreter is detached, because the work of another thread can attach to check signals.
    inner: Mutex<Inner>,
    kind: Kind,
    number: usize,
    /// The number of bytes in an observation.
    observation_size: usize,
}

#[pymethods]
impl GameBatch {
    /// The shape of an observation: planes, rows and columns of draughts, sides and pits of mancala.
    #[getter]
    fn observation_shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        match &self.kind {
            Kind::Draughts(mover, _) => {
                let Rules { rows, columns, .. } = *mover.get().core_rules();
                PyTuple::new(py, [self.observation_size / (rows * columns), rows, columns])
            }
            Kind::Mancala(..) => PyTuple::new(py, [2, self.observation_size / 2]),
        }
    }

    /// Return an array by the name of a field of `tablemen.envs.Batch`.
    fn array(&self, py: Python<'_>, name: &str) -> PyResult<SharedArray> {
        let array = self.with(py, |inner| inner.arrays.get(name));
        let unknown = || python::error(py, "ArgumentError", ("name", name, "the name of an array"));
        array.ok_or_else(unknown)
    }

    /// Begin new games; a seed starts the random streams again.
    #[pyo3(signature = (seed = None))]
    fn reset(&self, py: Python<'_>, seed: Option<u64>) {
        self.with(py, |Inner { games, arrays }| games.batch_mut().reset(seed, arrays.outputs()));
    }

    /// Begin new games where the bytes are not 0, one for each game.
    fn reset_games(&self, py: Python<'_>, selected: PyBuffer<u8>) -> PyResult<()> {
        let selected = selected.to_vec(py)?;
        self.check_length(py, "selected", selected.len())?;
        self.with(py, |Inner { games, arrays }| games.batch_mut().reset_games(&selected, arrays.outputs()));
        Ok(())
    }

    /// Play an action in each game; None for random actions.
    #[pyo3(signature = (actions = None))]
    fn step(&self, py: Python<'_>, actions: Option<PyBuffer<i64>>) -> PyResult<()> {
        let actions = actions.map(|actions| actions.to_vec(py)).transpose()?;
        if let Some(actions) = &actions {
            self.check_length(py, "actions", actions.len())?;
        }
        charge(py, self.number as u64)?;
        let stepped = allow_interrupts(py, |monitor| {
            let Inner { games, arrays } = &mut *lock(&self.inner);
            match games.batch_mut().step(actions.as_deref(), arrays.outputs(), monitor) {
                Err(StepError::Cancelled) => None,
                stepped => Some(stepped),
            }
        })?;
        stepped.map_err(|error| self.step_error(py, error))
    }

    /// Return random legal actions, as bytes of signed 64-bit numbers.
    fn sample<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut actions = vec![0; self.number];
        let sampled = self.with(py, |inner| inner.games.batch_mut().sample(&mut actions));
        sampled.map_err(|error| self.step_error(py, error))?;
        let bytes: Vec<u8> = actions.into_iter().flat_map(i64::to_ne_bytes).collect();
        Ok(PyBytes::new(py, &bytes))
    }

    /// Return the positions of games.
    fn positions<'py>(&self, py: Python<'py>, games: PyBuffer<i64>) -> PyResult<Bound<'py, PyList>> {
        let games = self.check_games(py, "games", &games.to_vec(py)?)?;
        let boards = self.with(py, |inner| games.iter().map(|game| inner.games.board(*game)).collect::<Vec<_>>());
        let positions = boards.into_iter().map(|board| self.kind.position(py, board));
        PyList::new(py, positions.collect::<PyResult<Vec<_>>>()?)
    }

    /// Return copies of the states of games.
    fn states(&self, py: Python<'_>, games: PyBuffer<i64>) -> PyResult<GameStates> {
        let games = self.check_games(py, "games", &games.to_vec(py)?)?;
        let states = self.with(py, |inner| inner.games.batch().states(&games));
        let states = states.map_err(|error| self.step_error(py, error))?;
        Ok(GameStates { states, kind: self.kind.clone_ref(py) })
    }

    /// Set the states of games; a seed gives each of them a random stream of its own.
    #[pyo3(signature = (states, games, seed = None))]
    fn set_states(
        &self,
        py: Python<'_>,
        states: &Bound<'_, GameStates>,
        games: PyBuffer<i64>,
        seed: Option<u64>,
    ) -> PyResult<()> {
        let (games, saved) = (self.check_games(py, "games", &games.to_vec(py)?)?, states.get());
        let is_same = self.kind.same(&saved.kind, py)?;
        if saved.states.len() != games.len() {
            let expected = format!("{} states, one for each game", games.len());
            return Err(python::error(py, "ArgumentError", ("states", saved.states.len(), expected)));
        }
        let is_set = is_same
            && self.with(py, |Inner { games: batch, arrays }| {
                batch.batch_mut().set_states(&*saved.states, &games, seed, arrays.outputs())
            });
        if is_set {
            return Ok(());
        }
        Err(python::error(py, "ArgumentError", ("states", states, "states of the same rules and action encoding")))
    }
}

impl GameBatch {
    /// Create a batch, and write its arrays.
    pub fn new(py: Python<'_>, mut games: Games, settings: Settings) -> PyResult<Self> {
        let (kind, number) = (Kind::of(&games, py), settings.games);
        let observation_size = games.batch().observation_size();
        let mut arrays = Arrays::new(number, games.batch())?;
        games.batch_mut().reset(Some(settings.seed), arrays.outputs());
        Ok(GameBatch { inner: Mutex::new(Inner { games, arrays }), kind, number, observation_size })
    }

    /// Do work without the GIL.
    fn with<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Inner) -> R + Send) -> R {
        py.detach(|| work(&mut lock(&self.inner)))
    }

    fn check_length(&self, py: Python<'_>, name: &str, length: usize) -> PyResult<()> {
        if length == self.number {
            return Ok(());
        }
        let expected = format!("{} entries, one for each game", self.number);
        Err(python::error(py, "ArgumentError", (name, length, expected)))
    }

    fn check_games(&self, py: Python<'_>, name: &str, games: &[i64]) -> PyResult<Vec<usize>> {
        check_indices(py, name, games, self.number)
    }

    fn position<'py>(&self, py: Python<'py>, game: usize) -> PyResult<Bound<'py, PyAny>> {
        let board = self.with(py, |inner| inner.games.board(game));
        self.kind.position(py, board)
    }

    fn step_error(&self, py: Python<'_>, error: StepError) -> PyErr {
        let create = || match error {
            StepError::IllegalAction { game, action } => {
                let position = self.position(py, game)?;
                Ok(python::error(py, "IllegalActionError", (game, action, position)))
            }
            StepError::Action { game, error } => {
                let position = self.position(py, game)?;
                Ok(action_error(error, &position, &position))
            }
            StepError::Incomplete | StepError::Cancelled => {
                let problem = "an earlier step was interrupted, and some games are one move behind: call reset";
                Ok(python::error(py, "TablemenError", (problem,)))
            }
        };
        create().unwrap_or_else(|failure: PyErr| failure)
    }
}

/// Copies of states of games, which do not change.
#[pyclass(frozen, module = "tablemen._core")]
pub struct GameStates {
    states: Box<dyn States>,
    kind: Kind,
}

#[pymethods]
impl GameStates {
    fn __len__(&self) -> usize {
        self.states.len()
    }

    /// Return the states with these indices.
    fn select(&self, py: Python<'_>, indices: PyBuffer<i64>) -> PyResult<GameStates> {
        let indices = check_indices(py, "indices", &indices.to_vec(py)?, self.states.len())?;
        Ok(GameStates { states: self.states.select(&indices), kind: self.kind.clone_ref(py) })
    }
}

/// Return indices below a number. Raises `ArgumentError` for others.
fn check_indices(py: Python<'_>, name: &str, indices: &[i64], number: usize) -> PyResult<Vec<usize>> {
    let check = |(index, value): (usize, &i64)| {
        usize::try_from(*value).ok().filter(|value| *value < number).ok_or_else(|| {
            let expected = format!("a whole number from 0 to {}", number as i64 - 1);
            python::error(py, "ArgumentError", (format!("{name}[{index}]"), *value, expected))
        })
    };
    indices.iter().enumerate().map(check).collect()
}

fn lock(inner: &Mutex<Inner>) -> std::sync::MutexGuard<'_, Inner> {
    inner.lock().unwrap_or_else(PoisonError::into_inner)
}
