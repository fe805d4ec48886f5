//! `SearchEngine`: a transposition table and the searches that share it.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{process, thread};

use pyo3::PyClass;
use pyo3::PyTraverseError;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use tablemen_core::draughts::Evaluator;
use tablemen_core::random::scramble;
use tablemen_core::search::{Clock, Limit, SearchConfig, TimeManager, TranspositionTable, ValueCache};

use super::function::{Failure, PositionFunction};
use super::handle::{BusyGuard, SearchHandle, Task};
use super::info::{Info, Root};
use crate::draughts::{Evaluation, Move, Mover, Position, Tablebase};
use crate::int_arg::{IntArg, MAX_TABLE_MB};
use crate::mancala::{MancalaMove, MancalaPosition};
use crate::python;

/// The maximum of `multipv`.
const MAX_MULTIPV: u32 = 1 << 16;
/// The interval at which the end of a stopped search is checked.
const POLL_INTERVAL: Duration = Duration::from_micros(100);
/// The maximum time, about a year; multiples of it do not overflow.
const MAX_TIME: Duration = Duration::from_secs(1 << 25);

/// A transposition table with the settings of its searches, for `tablemen.search.Searcher`.
#[pyclass(frozen, module = "tablemen._core")]
pub struct SearchEngine {
    table: Arc<TranspositionTable>,
    /// The values by the Python function of the last search.
    values: Arc<ValueCache>,
    threads: usize,
    seed: u64,
    /// The number of calls of `change_history`: the salt of the hash keys.
    histories: AtomicU64,
    full_width: bool,
    is_busy: Arc<AtomicBool>,
    /// The process that started the last search. A forked process has a copy of `is_busy`, but not the search.
    process: AtomicU32,
    /// The time manager of the last search.
    time: Mutex<Option<Arc<TimeManager>>>,
    /// The rules, the evaluation and the tablebase that the entries of the table belong to.
    table_subject: Mutex<Vec<Py<PyAny>>>,
}

#[pymethods]
impl SearchEngine {
    #[new]
    #[pyo3(signature = (*, table_mb, threads, seed, pruning))]
    fn new(py: Python<'_>, table_mb: IntArg, threads: IntArg, seed: IntArg, pruning: bool) -> PyResult<Self> {
        let bytes = (table_mb.within(py, "table_mb", 1, MAX_TABLE_MB)? as usize) << 20;
        let threads = threads.threads(py)?;
        let Ok(table) = TranspositionTable::new(bytes) else {
            let expected = "a size for which there is enough memory";
            return Err(python::error(py, "ArgumentError", ("table_mb", table_mb.0, expected)));
        };
        Ok(SearchEngine {
            table: Arc::new(table),
            values: Arc::default(),
            threads,
            seed: seed.0 as u64,
            histories: AtomicU64::new(0),
            full_width: !pruning,
            is_busy: Arc::new(AtomicBool::new(false)),
            process: AtomicU32::new(process::id()),
            time: Mutex::default(),
            table_subject: Mutex::default(),
        })
    }

    /// Start a search of the last position of a game, given by its start and moves. Only `root_moves` are searched at the
    /// root, or all legal moves if there are none. The evaluation is `evaluation`, or a Python function and whether it
    /// expects a list of positions.
    ///
    /// If the previous search was stopped, wait for its end; raise `TablemenError` if it is still running.
    #[pyo3(signature = (game, limit, *, root_moves, evaluation, function, tablebase, multipv, pondering))]
    #[expect(clippy::too_many_arguments, reason = "all but the game and the limit are options")]
    fn search(
        &self,
        game: (Bound<'_, PyAny>, Bound<'_, PyAny>),
        limit: &Bound<'_, PyAny>,
        root_moves: &Bound<'_, PyAny>,
        evaluation: Option<&Bound<'_, Evaluation>>,
        function: Option<(Bound<'_, PyAny>, bool)>,
        tablebase: Option<&Bound<'_, Tablebase>>,
        multipv: IntArg,
        pondering: bool,
    ) -> PyResult<SearchHandle> {
        let py = limit.py();
        let limit = to_limit(limit)?;
        let multipv = multipv.within(py, "multipv", 1, MAX_MULTIPV)? as usize;
        let guard = self.acquire(py)?;
        let failure = Failure::default();
        let calls_python = function.is_some();
        let function = function.map(|(function, is_batch)| PositionFunction {
            function: function.unbind(),
            is_batch,
            cache: Arc::clone(&self.values),
            failure: failure.clone(),
        });
        let (root, task) = self.prepare(&game.0, &game.1, root_moves, (evaluation, function), tablebase)?;
        let time = Arc::new(TimeManager::new(limit, pondering));
        *self.time.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&time));
        let (table, seed, threads, full_width) = (Arc::clone(&self.table), self.seed, self.threads, self.full_width);
        let key_salt = scramble(self.histories.load(Ordering::Relaxed));
        let search_time = Arc::clone(&time);
        SearchHandle::start(root, time, guard, failure, calls_python, move |on_info| {
            task(
                &SearchConfig { table: &table, time: &search_time, multipv, threads, seed, key_salt, full_width },
                on_info,
            )
        })
    }

    /// Invalidate the entries of the table, because they depend on the repetitions and draw counters of another game.
    fn change_history(&self) {
        self.histories.fetch_add(1, Ordering::Relaxed);
    }

    /// Clear the transposition table.
    fn clear(&self, py: Python<'_>) {
        self.values.clear();
        py.detach(|| self.table.clear());
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // Another thread may hold the lock; the collection after this one will visit the objects.
        let Ok(subject) = self.table_subject.try_lock() else { return Ok(()) };
        subject.iter().try_for_each(|object| visit.call(object))
    }
}

impl SearchEngine {
    /// Mark the engine as busy after the previous search has ended.
    fn acquire(&self, py: Python<'_>) -> PyResult<BusyGuard> {
        let process = process::id();
        while self.is_busy.swap(true, Ordering::AcqRel) {
            if self.process.swap(process, Ordering::AcqRel) != process {
                // This process was forked during the search, which continues only in the other process.
                break;
            }
            let last = self.time.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if !last.is_some_and(|time| time.is_stopped()) {
                let problem = "this searcher is already searching: stop that search first, or use another searcher";
                return Err(python::error(py, "TablemenError", (problem,)));
            }
            py.detach(|| thread::sleep(POLL_INTERVAL));
            py.check_signals()?;
        }
        self.process.store(process, Ordering::Release);
        Ok(BusyGuard(Arc::clone(&self.is_busy)))
    }

    /// Prepare the root position and its search.
    fn prepare(
        &self,
        start: &Bound<'_, PyAny>,
        moves: &Bound<'_, PyAny>,
        root_moves: &Bound<'_, PyAny>,
        (evaluation, function): (Option<&Bound<'_, Evaluation>>, Option<PositionFunction>),
        tablebase: Option<&Bound<'_, Tablebase>>,
    ) -> PyResult<(Root, Task)> {
        let py = start.py();
        if let Ok(start) = start.cast::<Position>() {
            let evaluation = match (evaluation, function) {
                (_, Some(function)) => SearchEvaluation::Function(function),
                (Some(evaluation), None) => SearchEvaluation::Compiled(
                    evaluation.get().evaluator(start.get(), py)?,
                    evaluation.clone().unbind(),
                ),
                (None, None) => return Err(PyTypeError::new_err("draughts need an evaluation")),
            };
            if let Some(tablebase) = tablebase
                && !Mover::same(&tablebase.get().mover, &start.get().mover, py)?
            {
                return Err(PyTypeError::new_err("the tablebase has other rules than the position"));
            }
            self.use_table_for(
                py,
                [
                    start.get().mover.clone_ref(py).into_any(),
                    evaluation.object(py),
                    tablebase.map_or_else(|| py.None(), |tablebase| tablebase.clone().into_any().unbind()),
                ],
            );
            let tablebase = tablebase.map(|tablebase| Arc::clone(&tablebase.get().tables));
            let convert = |played: &Bound<'_, Move>| played.get().played.clone();
            let (played, root_moves) = (to_moves(moves, convert)?, to_moves(root_moves, convert)?);
            let mut root = start.clone().unbind();
            for each in &played {
                root = Py::new(py, root.get().after(py, each))?;
            }
            let (start, mover) = (start.clone().unbind(), start.get().mover.clone_ref(py));
            let task: Task = Box::new(move |config, on_info| {
                let evaluator = evaluation.evaluator(config.time, mover);
                let on_info = &mut |info| on_info(Info::Draughts(info));
                start
                    .get()
                    .board
                    .search(&played, &root_moves, &*evaluator, tablebase.as_deref(), config, on_info)
                    .into_iter()
                    .map(Info::Draughts)
                    .collect()
            });
            Ok((Root::Draughts(root), task))
        } else if let Ok(start) = start.cast::<MancalaPosition>() {
            let function_object =
                function.as_ref().map_or_else(|| py.None(), |function| function.function.clone_ref(py));
            self.use_table_for(py, [start.get().mover.clone_ref(py).into_any(), function_object]);
            let convert = |played: &Bound<'_, MancalaMove>| played.get().played;
            let (played, root_moves) = (to_moves(moves, convert)?, to_moves(root_moves, convert)?);
            let mut root = start.clone().unbind();
            for each in &played {
                root = Py::new(py, root.get().after(py, *each))?;
            }
            let (start, mover) = (start.clone().unbind(), start.get().mover.clone_ref(py));
            let task: Task = Box::new(move |config, on_info| {
                let on_info = &mut |info| on_info(Info::Mancala(info));
                let function = function.map(|function| {
                    function.evaluation(config.time, move |py, board| {
                        Ok(Py::new(py, MancalaPosition { mover: mover.clone_ref(py), board })?.into_any())
                    })
                });
                start
                    .get()
                    .board
                    .search(&played, &root_moves, function.as_ref(), config, on_info)
                    .into_iter()
                    .map(Info::Mancala)
                    .collect()
            });
            Ok((Root::Mancala(root), task))
        } else {
            Err(PyTypeError::new_err(format!("expected a position of draughts or mancala, not {start:?}")))
        }
    }

    /// Clear the table if its entries belong to other rules or to another evaluation.
    fn use_table_for<const N: usize>(&self, py: Python<'_>, subject: [Py<PyAny>; N]) {
        // Release the lock before the GIL: a fork by another thread in between would leave it locked in the child.
        let current = || self.table_subject.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same =
            |current: &[Py<PyAny>]| current.len() == N && current.iter().zip(&subject).all(|(old, new)| old.is(new));
        if !is_same(&current()) {
            self.values.clear();
            py.detach(|| self.table.clear());
            // Drop the old objects after the lock is released: their finalizers can run any code.
            let old = std::mem::replace(&mut *current(), subject.into());
            drop(old);
        }
    }
}

/// The evaluation of a search in draughts.
enum SearchEvaluation {
    Compiled(Arc<dyn Evaluator>, Py<Evaluation>),
    Function(PositionFunction),
}

impl SearchEvaluation {
    /// Return the Python object that identifies the evaluation.
    fn object(&self, py: Python<'_>) -> Py<PyAny> {
        match self {
            SearchEvaluation::Compiled(_, evaluation) => evaluation.clone_ref(py).into_any(),
            SearchEvaluation::Function(function) => function.function.clone_ref(py),
        }
    }

    /// Return the core's evaluator.
    fn evaluator(self, time: &Arc<TimeManager>, mover: Py<Mover>) -> Arc<dyn Evaluator> {
        match self {
            SearchEvaluation::Compiled(evaluator, _) => evaluator,
            SearchEvaluation::Function(function) => Arc::new(function.evaluation(time, move |py, board| {
                Ok(Py::new(py, Position { mover: mover.clone_ref(py), board })?.into_any())
            })),
        }
    }
}

/// Convert an iterable of moves of one class.
fn to_moves<T: PyClass, R>(moves: &Bound<'_, PyAny>, convert: impl Fn(&Bound<'_, T>) -> R) -> PyResult<Vec<R>> {
    moves.try_iter()?.map(|played| Ok(convert(played?.cast::<T>()?))).collect()
}

/// Convert a `tablemen.search.Limit`, which has already validated its numbers.
fn to_limit(limit: &Bound<'_, PyAny>) -> PyResult<Limit> {
    let clock = limit.getattr("clock")?;
    Ok(Limit {
        depth: limit
            .getattr("depth")?
            .extract::<Option<IntArg>>()?
            .map(|depth| depth.0.clamp(1, u32::MAX.into()) as u32),
        nodes: limit.getattr("nodes")?.extract::<Option<IntArg>>()?.map(|nodes| nodes.0.max(1) as u64),
        time: limit.getattr("time")?.extract::<Option<f64>>()?.map(seconds),
        clock: if clock.is_none() { None } else { Some(to_clock(&clock)?) },
    })
}

fn to_clock(clock: &Bound<'_, PyAny>) -> PyResult<Clock> {
    let moves = clock.getattr("moves")?.extract::<Option<IntArg>>()?;
    Ok(Clock {
        left: seconds(clock.getattr("left")?.extract()?),
        increment: seconds(clock.getattr("increment")?.extract()?),
        moves: moves.map(|moves| moves.0.clamp(1, u32::MAX.into()) as u32),
    })
}

/// Convert a number of seconds, clamped to 0 and `MAX_TIME`.
fn seconds(time: f64) -> Duration {
    Duration::try_from_secs_f64(time.max(0.0)).map_or(MAX_TIME, |time| time.min(MAX_TIME))
}
