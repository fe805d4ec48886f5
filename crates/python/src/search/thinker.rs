//! `Thinker`: a table, and searches that share it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::PyClass;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tablemen_core::random::scramble;
use tablemen_core::search::{Clock, Limit, Order, Table, Watch};

use super::found::{Found, Subject};
use super::thought::{Freed, Task, Thought};
use crate::draughts::{Evaluation, Move, Position};
use crate::mancala::{MancalaMove, MancalaPosition};
use crate::python;
use crate::whole::{MOST_MB, Whole};

const MOST_LINES: u32 = 1 << 16;
/// How often a search that was stopped is looked at.
const PAUSE: Duration = Duration::from_micros(100);
/// The longest time that can be given.
const LONGEST: Duration = Duration::from_secs(1 << 25);

/// What was found out about positions, and how searches go about it: `tablemen.search.Searcher` has one.
#[pyclass(frozen, module = "tablemen._core")]
pub struct Thinker {
    table: Arc<Table>,
    threads: usize,
    seed: u64,
    /// How often the past of the game has become another.
    salt: AtomicU64,
    plain: bool,
    is_busy: Arc<AtomicBool>,
    /// The watch of the last search.
    watch: Mutex<Option<Arc<Watch>>>,
    /// What the table is about: rules, and an evaluation.
    about: Mutex<Vec<Py<PyAny>>>,
}

#[pymethods]
impl Thinker {
    #[new]
    #[pyo3(signature = (*, table_mb, threads, seed, pruning))]
    fn new(py: Python<'_>, table_mb: Whole, threads: Whole, seed: Whole, pruning: bool) -> PyResult<Self> {
        let bytes = (table_mb.within(py, "table_mb", 1, MOST_MB)? as usize) << 20;
        let threads = threads.threads(py)?;
        let Ok(table) = Table::new(bytes) else {
            let expected = "as much memory as the system can give";
            return Err(python::error(py, "ArgumentError", ("table_mb", table_mb.0, expected)));
        };
        let is_busy = Arc::new(AtomicBool::new(false));
        let (watch, about) = (Mutex::default(), Mutex::default());
        let (table, seed, salt) = (Arc::new(table), seed.0 as u64, AtomicU64::new(0));
        Ok(Thinker { table, threads, seed, salt, plain: !pruning, is_busy, watch, about })
    }

    /// Begins to think about the position that moves lead to from `start`. A search before that was stopped is waited
    /// for; one that goes on is an error.
    #[pyo3(signature = (start, moves, limit, *, evaluation, lines, pondering))]
    fn think(
        &self,
        start: &Bound<'_, PyAny>,
        moves: &Bound<'_, PyAny>,
        limit: &Bound<'_, PyAny>,
        evaluation: Option<&Bound<'_, Evaluation>>,
        lines: Whole,
        pondering: bool,
    ) -> PyResult<Thought> {
        let py = start.py();
        let limit = read_limit(limit)?;
        let lines = lines.within(py, "multipv", 1, MOST_LINES)? as usize;
        self.take_turn(py)?;
        let freed = Freed(Arc::clone(&self.is_busy));
        let (subject, task) = self.prepare(start, moves, evaluation)?;
        let watch = Arc::new(Watch::new(limit, pondering));
        *self.watch.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&watch));
        let (table, seed, threads, plain) = (Arc::clone(&self.table), self.seed, self.threads, self.plain);
        let salt = scramble(self.salt.load(Ordering::Relaxed));
        let on_watch = Arc::clone(&watch);
        Thought::start(subject, watch, freed, move |told| {
            task(&Order { table: &table, watch: &on_watch, lines, threads, seed, salt, plain }, told)
        })
    }

    /// What was found with the past that games had so far is not used any more.
    fn change_past(&self) {
        self.salt.fetch_add(1, Ordering::Relaxed);
    }

    /// Forgets what was found out.
    fn clear(&self, py: Python<'_>) {
        py.detach(|| self.table.clear());
    }
}

impl Thinker {
    /// Makes the searcher busy with one search, once the last one is over.
    fn take_turn(&self, py: Python<'_>) -> PyResult<()> {
        while self.is_busy.swap(true, Ordering::AcqRel) {
            let last = self.watch.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if !last.is_some_and(|watch| watch.is_stopped()) {
                let problem = "this searcher is thinking already: stop that first, or use another";
                return Err(python::error(py, "TablemenError", (problem,)));
            }
            py.detach(|| thread::sleep(PAUSE));
            py.check_signals()?;
        }
        Ok(())
    }

    /// The position that is asked about, and how to search it.
    fn prepare(
        &self,
        start: &Bound<'_, PyAny>,
        moves: &Bound<'_, PyAny>,
        evaluation: Option<&Bound<'_, Evaluation>>,
    ) -> PyResult<(Subject, Task)> {
        let py = start.py();
        if let Ok(start) = start.cast::<Position>() {
            let evaluation = evaluation.ok_or_else(|| PyTypeError::new_err("draughts need an evaluation"))?;
            let evaluator = evaluation.get().evaluator(start.get(), py)?;
            self.turn_to(py, [start.get().mover.clone_ref(py).into_any(), evaluation.clone().into_any().unbind()]);
            let played = list(moves, |played: &Bound<'_, Move>| played.get().played.clone())?;
            let mut root = start.clone().unbind();
            for each in &played {
                root = Py::new(py, root.get().after(py, each))?;
            }
            let start = start.clone().unbind();
            let task: Task = Box::new(move |order, told| {
                let told = &mut |report| told(Found::Draughts(report));
                start.get().board.think(&played, &*evaluator, order, told).into_iter().map(Found::Draughts).collect()
            });
            Ok((Subject::Draughts(root), task))
        } else if let Ok(start) = start.cast::<MancalaPosition>() {
            self.turn_to(py, [start.get().mover.clone_ref(py).into_any()]);
            let played = list(moves, |played: &Bound<'_, MancalaMove>| played.get().played)?;
            let mut root = start.clone().unbind();
            for each in &played {
                root = Py::new(py, root.get().after(py, *each))?;
            }
            let start = start.clone().unbind();
            let task: Task = Box::new(move |order, told| {
                let told = &mut |report| told(Found::Mancala(report));
                start.get().board.think(&played, order, told).into_iter().map(Found::Mancala).collect()
            });
            Ok((Subject::Mancala(root), task))
        } else {
            Err(PyTypeError::new_err(format!("expected a position of draughts or mancala, not {start:?}")))
        }
    }

    /// Forgets what the table has of other rules, or by another evaluation.
    fn turn_to<const N: usize>(&self, py: Python<'_>, subject: [Py<PyAny>; N]) {
        let mut about = self.about.lock().unwrap_or_else(PoisonError::into_inner);
        let same = about.len() == N && about.iter().zip(&subject).all(|(old, new)| old.is(new));
        if !same {
            py.detach(|| self.table.clear());
            *about = subject.into();
        }
    }
}

/// The moves of an iterable, all of one kind.
fn list<T: PyClass, R>(moves: &Bound<'_, PyAny>, read: impl Fn(&Bound<'_, T>) -> R) -> PyResult<Vec<R>> {
    moves.try_iter()?.map(|played| Ok(read(played?.cast::<T>()?))).collect()
}

/// What a `tablemen.search.Limit` says; it has checked its numbers.
fn read_limit(limit: &Bound<'_, PyAny>) -> PyResult<Limit> {
    let clock = limit.getattr("clock")?;
    Ok(Limit {
        depth: limit
            .getattr("depth")?
            .extract::<Option<Whole>>()?
            .map(|depth| depth.0.clamp(1, u32::MAX.into()) as u32),
        nodes: limit.getattr("nodes")?.extract::<Option<Whole>>()?.map(|nodes| nodes.0.max(1) as u64),
        time: limit.getattr("time")?.extract::<Option<f64>>()?.map(seconds),
        clock: if clock.is_none() { None } else { Some(read_clock(&clock)?) },
    })
}

fn read_clock(clock: &Bound<'_, PyAny>) -> PyResult<Clock> {
    let moves = clock.getattr("moves")?.extract::<Option<Whole>>()?;
    Ok(Clock {
        left: seconds(clock.getattr("left")?.extract()?),
        increment: seconds(clock.getattr("increment")?.extract()?),
        moves: moves.map(|moves| moves.0.clamp(1, u32::MAX.into()) as u32),
    })
}

/// A time; more than a year is a year, which can be multiplied without overflow.
fn seconds(time: f64) -> Duration {
    Duration::try_from_secs_f64(time.max(0.0)).map_or(LONGEST, |time| time.min(LONGEST))
}
