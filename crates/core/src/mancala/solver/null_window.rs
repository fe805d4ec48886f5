//! Null-window alpha-beta search: whether the value of a position is at least beta.
//!
//! The search is fail-soft negamax with a transposition table. Before any move is searched, all successors are looked up,
//! since one of them may already cause a cutoff (enhanced transposition cutoffs). Positions with few seeds are looked up
//! in endgame tables. Positions with slightly more seeds are searched without the transposition table, because an access
//! to a large table takes longer than such a search.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::endgame_tables::View;
use super::move_ordering::MoveOrdering;
use super::node::{Child, Solvable, Stores};
use super::transposition::{Bounds, SolverTable};
use crate::mancala::generator::MoveGenerator;
use crate::mancala::position::Position;

/// Positions with fewer seeds than this above the endgame tables do not use the transposition table.
const UNSTORED_SEEDS: i32 = 2;

/// The number of nodes between two updates of the shared signals.
const POLL_INTERVAL: u64 = 1 << 10;

/// The maximum depth, for which the stack of the threads is large enough.
const MAX_DEPTH: u32 = 10_000;

/// The reason why a search was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Halt {
    /// The search was not stopped.
    No,
    /// The search was cancelled, or another thread has found the result.
    Stopped,
    /// The transposition table should grow.
    TableFull,
    /// A line of play is deeper than `MAX_DEPTH`.
    TooDeep,
}

/// State that the threads of one search share.
#[derive(Debug, Default)]
pub(super) struct Signals {
    halt: AtomicU8,
    nodes: AtomicU64,
}

impl Signals {
    /// Stop all threads; only the first reason is recorded.
    pub(super) fn halt(&self, reason: Halt) {
        let _ = self.halt.compare_exchange(Halt::No as u8, reason as u8, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Prepare for another search.
    pub(super) fn reset(&self) {
        self.halt.store(Halt::No as u8, Ordering::Relaxed);
        self.nodes.store(0, Ordering::Relaxed);
    }

    pub(super) fn reason(&self) -> Halt {
        let reasons = [Halt::No, Halt::Stopped, Halt::TableFull, Halt::TooDeep];
        reasons[usize::from(self.halt.load(Ordering::Relaxed))]
    }

    /// Return the number of nodes searched.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}

/// The search of one thread.
pub(super) struct NullWindowSearch<'a, R: Solvable> {
    generator: &'a MoveGenerator<R>,
    stores: Stores,
    tables: &'a View<'a>,
    transpositions: &'a R::Table,
    signals: &'a Signals,
    ordering: MoveOrdering<'a, R>,
    /// Positions with fewer seeds do not use the transposition table.
    min_stored_seeds: i32,
    nodes: u64,
    depth: u32,
    /// A stack with the unsearched moves of all nodes on the current path.
    children: Vec<Child<R>>,
}

impl<'a, R: Solvable> NullWindowSearch<'a, R> {
    pub(super) fn new(
        generator: &'a MoveGenerator<R>,
        tables: &'a View<'a>,
        transpositions: &'a R::Table,
        signals: &'a Signals,
        noise_seed: u64,
    ) -> Self {
        NullWindowSearch {
            generator,
            stores: Stores::new(generator),
            tables,
            transpositions,
            signals,
            ordering: MoveOrdering::new(generator, noise_seed),
            min_stored_seeds: tables.layers() as i32 + UNSTORED_SEEDS,
            nodes: 0,
            depth: 0,
            children: Vec::new(),
        }
    }

    /// Search a position with the null window below beta: return a lower bound of its value if the bound is at least
    /// beta, and an upper bound otherwise. Return None if the search was stopped.
    pub(super) fn search(&mut self, position: &Position<R>, seeds: i32, beta: i32) -> Option<i32> {
        self.count_node()?;
        let mark = self.children.len();
        self.depth += 1;
        let found = match self.expand(position, beta) {
            (best, true) => Some(best),
            (best, false) => self.search_children(mark, best, beta),
        };
        self.depth -= 1;
        self.children.truncate(mark);
        let found = found?;
        if seeds >= self.min_stored_seeds {
            let (own, other) = self.stores.key(self.generator, position);
            let bounds = if found >= beta {
                Bounds { lower: found, ..Bounds::UNKNOWN }
            } else {
                Bounds { upper: found, ..Bounds::UNKNOWN }
            };
            self.transpositions.store(own, other, bounds);
        }
        Some(found)
    }

    /// Count a node; return None if the search must stop.
    #[inline(always)]
    fn count_node(&mut self) -> Option<()> {
        self.nodes += 1;
        if self.depth >= MAX_DEPTH {
            self.signals.halt(Halt::TooDeep);
            return None;
        }
        if self.nodes.is_multiple_of(POLL_INTERVAL) {
            self.signals.nodes.fetch_add(POLL_INTERVAL, Ordering::Relaxed);
            if self.transpositions.should_grow() {
                self.signals.halt(Halt::TableFull);
            }
        }
        (self.signals.halt.load(Ordering::Relaxed) == Halt::No as u8).then_some(())
    }

    /// Generate the moves of a position and look up their bounds.
    ///
    /// Return the best bound found without a search, and whether it is the result. Push the other moves to `children`.
    #[inline(always)]
    fn expand(&mut self, position: &Position<R>, beta: i32) -> (i32, bool) {
        let moves = self.generator.legal_moves(position);
        if moves.is_empty() {
            return (self.generator.rest(position), true);
        }
        // Prefetch all entries before the first is used, so that the cache misses overlap.
        let mark = self.children.len();
        for played in moves {
            self.children.push(self.stores.play(self.generator, position, played));
        }
        for at in mark..self.children.len() {
            self.children[at].fetched = self.fetch(&self.children[at]);
        }
        let (mut best, mut left) = (i32::MIN, mark);
        for at in mark..self.children.len() {
            let mut child = self.children[at];
            let bounds = self.bounds(&child);
            if bounds.lower >= beta {
                return (bounds.lower, true);
            }
            if bounds.upper < beta {
                best = best.max(bounds.upper);
            } else {
                child.order = self.ordering.score(&child);
                self.children[left] = child;
                left += 1;
            }
        }
        self.children.truncate(left);
        (best, false)
    }

    /// Return the value of a child from the endgame tables, or prefetch its transposition table entry.
    #[inline(always)]
    fn fetch(&self, child: &Child<R>) -> i32 {
        if let Some(value) = R::probe(self.tables, child.after.own, child.after.other, child.seeds as usize) {
            return value;
        }
        if child.seeds < self.min_stored_seeds {
            return 0;
        }
        let (own, other) = self.stores.key(self.generator, &child.after);
        self.transpositions.prefetch(own, other)
    }

    /// Return the known bounds of the value of a move.
    #[inline(always)]
    fn bounds(&self, child: &Child<R>) -> Bounds {
        if child.seeds < self.tables.layers() as i32 {
            let value = child.value(child.fetched);
            return Bounds { lower: value, upper: value };
        }
        let mut bounds = Bounds::of_seeds(child.seeds);
        if child.seeds >= self.min_stored_seeds {
            let (own, other) = self.stores.key(self.generator, &child.after);
            if let Some(known) = self.transpositions.probe(own, other) {
                bounds = bounds.and(known);
            }
        }
        let (one, two) = (child.value(bounds.lower), child.value(bounds.upper));
        Bounds { lower: one.min(two), upper: one.max(two) }
    }

    /// Search the children from an index on until one causes a cutoff; `best` is the best bound of the others.
    fn search_children(&mut self, mark: usize, mut best: i32, beta: i32) -> Option<i32> {
        let end = self.children.len();
        for at in mark..end {
            let first = (at..end).max_by_key(|each| self.children[*each].order)?;
            self.children.swap(at, first);
            let child = self.children[at];
            if at > mark {
                // The searches of other moves may have stored this position.
                let bounds = self.bounds(&child);
                if bounds.lower >= beta {
                    return Some(bounds.lower);
                }
                if bounds.upper < beta {
                    best = best.max(bounds.upper);
                    continue;
                }
            }
            let value = child.value(self.search(&child.after, child.seeds, child.child_beta(beta))?);
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        Some(best)
    }
}

impl<R: Solvable> Drop for NullWindowSearch<'_, R> {
    /// Add the nodes since the last update of the signals.
    fn drop(&mut self) {
        self.signals.nodes.fetch_add(self.nodes % POLL_INTERVAL, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{Halt, MAX_DEPTH, MoveGenerator, NullWindowSearch, Position, Signals, SolverTable, View};
    use crate::mancala::board::tests::kalah;
    use crate::mancala::row::WideRow;
    use crate::mancala::solver::transposition::MapTable;
    use crate::side::Side;

    #[test]
    fn excessive_depth_ends_the_search() {
        let (generator, tables, signals) = (MoveGenerator::<WideRow>::new(kalah(1)), View::empty(), Signals::default());
        let transpositions = MapTable::new(1 << 20).unwrap();
        let row = crate::mancala::row::Row::with(WideRow::default(), 0, 3);
        let position = Position { own: row, other: row, total: 6, turn: Side::White, swap_open: false };
        let mut search = NullWindowSearch::new(&generator, &tables, &transpositions, &signals, 0);
        assert!(search.search(&position, 6, 1).is_some());
        search.depth = MAX_DEPTH;
        assert_eq!((search.search(&position, 6, 1), signals.reason()), (None, Halt::TooDeep));
    }
}
