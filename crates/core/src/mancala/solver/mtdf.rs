//! MTD(f): the value of a position, found by a sequence of null-window searches, and the values of its moves.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::endgame_tables::View;
use super::node::{Solvable, Stores};
use super::null_window::{Halt, NullWindowSearch, Signals};
use super::transposition::SolverTable;
use super::{OnProgress, Progress, Solution, SolveError};
use crate::mancala::generator::MoveGenerator;
use crate::mancala::position::Position;
use crate::platform;
use crate::side::Side;

/// The stack size of the threads, enough for the maximum depth of the search.
pub(super) const STACK_SIZE: usize = 64 << 20;

/// The time between two calls of the progress callback.
pub(super) const PROGRESS_INTERVAL: Duration = Duration::from_millis(20);

/// The solver for positions of one rule set, which share a transposition table.
pub(super) struct Solver<'a, R: Solvable> {
    generator: &'a MoveGenerator<R>,
    tables: &'a View<'a>,
    transpositions: R::Table,
    threads: usize,
    max_bytes: usize,
    /// The number of seeds on the board, on which bounds depend if a majority ends the game.
    total: u16,
    /// If present, searches run on the calling thread, which must have a stack of `STACK_SIZE`.
    inline: Option<&'a Signals>,
    on_progress: OnProgress<'a>,
    progress: Progress,
}

impl<'a, R: Solvable> Solver<'a, R> {
    pub(super) fn new(
        generator: &'a MoveGenerator<R>,
        tables: &'a View<'a>,
        threads: usize,
        max_bytes: usize,
        on_progress: OnProgress<'a>,
    ) -> io::Result<Self> {
        let progress = Progress { nodes: 0, played: None, lower: 0, upper: 0 };
        let transpositions = R::Table::new(max_bytes)?;
        let (total, inline) = (0, None);
        Ok(Solver { generator, tables, transpositions, threads, max_bytes, total, inline, on_progress, progress })
    }

    /// Return the solver for searches on the calling thread, which other threads can halt by the signals.
    pub(super) fn inline(self, signals: &'a Signals) -> Self {
        Solver { inline: Some(signals), ..self }
    }

    /// Find the value of a position, and the values of all its moves or one best move.
    pub(super) fn solve(&mut self, position: &Position<R>, each_move: bool) -> Result<Solution, SolveError> {
        if self.generator.rules.majority_ends && self.total != position.total {
            self.transpositions = R::Table::new(self.max_bytes).map_err(|_| SolveError::NoMemory)?;
            self.total = position.total;
        }
        (self.progress.nodes, self.progress.played) = (0, None);
        let value = self.value(position, 0)?;
        let mut moves = Vec::new();
        for played in self.generator.legal_moves(position) {
            self.progress.played = Some(played);
            let after = self.generator.after(position, played);
            let same_side = after.turn == position.turn;
            if each_move {
                let move_value = self.value(&after, if same_side { value } else { -value })?;
                moves.push((played, if same_side { move_value } else { -move_value }));
            } else if self.reaches(&after, same_side, value)? {
                moves.push((played, value));
                break;
            }
        }
        Ok(Solution { value, moves, nodes: self.progress.nodes })
    }

    /// Return whether the value of a position, for the side that made the last move, is at least `value`.
    fn reaches(&mut self, after: &Position<R>, same_side: bool, value: i32) -> Result<bool, SolveError> {
        Ok(if same_side { self.bound(after, value)? >= value } else { self.bound(after, 1 - value)? < 1 - value })
    }

    /// Find the value of a position by MTD(f): each null-window search narrows the bounds and provides the next guess.
    fn value(&mut self, position: &Position<R>, mut guess: i32) -> Result<i32, SolveError> {
        let all = i32::from(position.total);
        (self.progress.lower, self.progress.upper) = (-all, all);
        while self.progress.lower < self.progress.upper {
            let beta = guess.max(self.progress.lower + 1);
            guess = self.bound(position, beta)?;
            if guess >= beta {
                self.progress.lower = guess;
            } else {
                self.progress.upper = guess;
            }
        }
        Ok(self.progress.lower)
    }

    /// Return a lower bound of the value if it is at least beta, and an upper bound otherwise.
    fn bound(&mut self, position: &Position<R>, beta: i32) -> Result<i32, SolveError> {
        if !position.swap_open || self.generator.legal_moves(position).is_empty() {
            return self.bound_without_swap(position, beta);
        }
        let reached = match position.turn {
            // A swap negates the value.
            Side::Black => {
                let plain = Position { swap_open: false, ..*position };
                beta <= 0
                    || self.bound_without_swap(&plain, beta)? >= beta
                    || self.bound_without_swap(&plain, 1 - beta)? < 1 - beta
            }
            Side::White => {
                let mut reached = false;
                for played in self.generator.legal_moves(position) {
                    let after = self.generator.after(position, played);
                    if self.reaches(&after, after.turn == position.turn, beta)? {
                        reached = true;
                        break;
                    }
                }
                reached
            }
        };
        Ok(if reached { beta } else { beta - 1 })
    }

    fn bound_without_swap(&mut self, position: &Position<R>, beta: i32) -> Result<i32, SolveError> {
        let lead = self.generator.lead(position);
        let stripped = Stores::new(self.generator).strip(self.generator, position);
        loop {
            match self.search(&stripped, beta - lead) {
                Ok(bound) => return Ok(lead + bound),
                Err(Halt::TableFull) => self.transpositions.grow(),
                Err(Halt::TooDeep) => return Err(SolveError::TooDeep),
                Err(_) => return Err(SolveError::Stopped),
            }
        }
    }

    /// Search with all threads until one has the result (lazy SMP).
    ///
    /// Threads share the transposition table and order moves differently. The calling thread reports progress; without
    /// helper threads, it also searches.
    fn search(&mut self, position: &Position<R>, beta: i32) -> Result<i32, Halt> {
        let new_signals = Signals::default();
        let signals = self.inline.unwrap_or(&new_signals);
        signals.reset();
        let (generator, tables, transpositions) = (self.generator, self.tables, &self.transpositions);
        let houses = generator.rules.houses;
        let seeds = i32::from(position.own.sum(houses)) + i32::from(position.other.sum(houses));
        let (on_progress, progress) = (&mut *self.on_progress, &mut self.progress);
        let (before, mut stopped) = (progress.nodes, false);
        if self.inline.is_some() || !platform::HAS_THREADS {
            if !on_progress(progress) {
                return Err(Halt::Stopped);
            }
            let result =
                NullWindowSearch::new(generator, tables, transpositions, signals, 0).search(position, seeds, beta);
            progress.nodes = before + signals.nodes();
            return result.ok_or_else(|| signals.reason());
        }
        let result = thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for noise_seed in 0..self.threads as u64 {
                let sender = sender.clone();
                let run = move || {
                    // The search is dropped here, so its nodes are counted before the result is sent.
                    let result = NullWindowSearch::new(generator, tables, transpositions, signals, noise_seed)
                        .search(position, seeds, beta);
                    signals.halt(Halt::Stopped);
                    // Sending fails if another thread was faster.
                    let _ = sender.send(result);
                };
                let named = thread::Builder::new().name("solver".to_owned()).stack_size(STACK_SIZE);
                named.spawn_scoped(scope, run).expect("a thread can be started");
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(PROGRESS_INTERVAL) {
                    Ok(Some(result)) => return Some(result),
                    Ok(None) => (),
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) => {
                        progress.nodes = before + signals.nodes();
                        // The callback is not called again after it returned false.
                        stopped = stopped || !on_progress(progress);
                        if stopped {
                            signals.halt(Halt::Stopped);
                        }
                    }
                }
            }
        });
        progress.nodes = before + signals.nodes();
        result.filter(|_| !stopped).ok_or_else(|| if stopped { Halt::Stopped } else { signals.reason() })
    }
}
