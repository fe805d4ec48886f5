//! Solving many positions: each thread solves one position after another, with a transposition table of its own.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use super::endgame_tables::{EndgameTables, View, is_solvable};
use super::mtdf::{PROGRESS_INTERVAL, STACK_SIZE, Solver};
use super::node::Solvable;
use super::null_window::{Halt, Signals};
use super::{Progress, Solution, SolveError, SolverOptions, fits_in_words, solve};
use crate::mancala::generator::MoveGenerator;
use crate::mancala::position::Position;
use crate::mancala::row::WideRow;
use crate::mancala::rules::Rules;
use crate::mancala::setup::Setup;
use crate::platform::{self, Instant};

/// A callback that is called at intervals with the number of positions that are solved. If it returns false, the work
/// stops.
pub type OnSolved<'a> = &'a mut dyn FnMut(usize) -> bool;

/// Solve positions of one rule set, and return the solutions in the order of the setups.
///
/// The threads share the endgame tables, and each has its part of `max_bytes`. A transposition table keeps what was found
/// in earlier positions.
pub fn solve_all(
    rules: Rules,
    setups: &[Setup],
    options: &SolverOptions,
    on_solved: OnSolved<'_>,
) -> Result<Vec<Solution>, SolveError> {
    if !is_solvable(&rules) {
        return Err(SolveError::Endless);
    }
    if !platform::HAS_THREADS {
        let solve_one = |(index, setup)| solve(rules, setup, options, &mut |_| on_solved(index));
        return setups.iter().enumerate().map(solve_one).collect();
    }
    let mut order: Vec<usize> = (0..setups.len()).collect();
    // If a majority ends the game, only positions with the same number of seeds share a table. Those with many seeds in
    // the houses take longest, and come first.
    order.sort_by_cached_key(|index| {
        let setup = &setups[*index];
        let in_houses: u32 = setup.houses.iter().flatten().map(|seeds| u32::from(*seeds)).sum();
        Reverse((if rules.majority_ends { setup.total() } else { 0 }, in_houses))
    });
    let (packed, wide): (Vec<_>, Vec<_>) = order.into_iter().partition(|index| fits_in_words(&rules, &setups[*index]));
    let mut solutions = vec![None; setups.len()];
    Batch { rules, setups, options, indices: &packed }.solve::<u64>(&mut solutions, on_solved)?;
    Batch { rules, setups, options, indices: &wide }.solve::<WideRow>(&mut solutions, on_solved)?;
    Ok(solutions.into_iter().flatten().collect())
}

/// The positions with rows of one type.
struct Batch<'a> {
    rules: Rules,
    setups: &'a [Setup],
    options: &'a SolverOptions,
    /// The indices of these positions, in the order in which they are solved.
    indices: &'a [usize],
}

/// The solution of the position with an index.
type Solved = Result<(usize, Solution), SolveError>;

impl Batch<'_> {
    fn solve<R: Solvable>(
        &self,
        solutions: &mut [Option<Solution>],
        on_solved: OnSolved<'_>,
    ) -> Result<(), SolveError> {
        let generator = &MoveGenerator::<R>::new(self.rules);
        let view = &self.options.tables.as_ref().map_or_else(View::empty, EndgameTables::view);
        let signals: &Vec<_> = &(0..self.options.threads.min(self.indices.len())).map(|_| Signals::default()).collect();
        let (next, is_stopped) = (&AtomicUsize::new(0), &AtomicBool::new(false));
        let mut solved = solutions.iter().flatten().count();
        let (mut failure, mut last_call) = (None, Instant::now());
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for own in signals {
                let sender = sender.clone();
                let max_bytes = self.options.max_bytes / signals.len();
                let run = move || {
                    let mut go_on = |_: &Progress| !is_stopped.load(Ordering::Relaxed);
                    let solver =
                        Solver::new(generator, view, 1, max_bytes, &mut go_on).map(|solver| solver.inline(own));
                    // Sending never fails: the receiver is dropped last.
                    let Ok(mut solver) = solver else {
                        let _ = sender.send(Err(SolveError::NoMemory));
                        return;
                    };
                    while let Some(index) = self.indices.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let found = solver.solve(&Position::new(&self.setups[*index]), self.options.each_move);
                        let is_last = found.is_err();
                        let _ = sender.send(found.map(|solution| (*index, solution)));
                        if is_last {
                            break;
                        }
                    }
                };
                let named = thread::Builder::new().name("solver".to_owned()).stack_size(STACK_SIZE);
                named.spawn_scoped(scope, run).expect("a thread can be started");
            }
            drop(sender);
            loop {
                let received: Result<Solved, _> = receiver.recv_timeout(PROGRESS_INTERVAL);
                match received {
                    Ok(Ok((index, solution))) => {
                        solutions[index] = Some(solution);
                        solved += 1;
                    }
                    // The first error stops the other threads, so theirs are not the reason.
                    Ok(Err(error)) => failure = failure.or(Some(error)),
                    Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) => (),
                }
                if failure.is_none() && last_call.elapsed() >= PROGRESS_INTERVAL {
                    failure = if on_solved(solved) { None } else { Some(SolveError::Stopped) };
                    last_call = Instant::now();
                }
                if failure.is_some() {
                    is_stopped.store(true, Ordering::Relaxed);
                    // This is repeated, because a thread resets its signals before each search.
                    signals.iter().for_each(|signals| signals.halt(Halt::Stopped));
                }
            }
        });
        failure.map_or(Ok(()), Err)
    }
}
