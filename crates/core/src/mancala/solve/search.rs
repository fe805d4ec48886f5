//! Whether a position is worth so much: the search for a proof.
//!
//! The question has two answers, so half of the tree needs one good move a position, and the other half all of them. What
//! was found out once is remembered, and all that is known of the positions a move away is looked at before any of them
//! is searched. Positions with few seeds are looked up in tables, and the last few seeds above these are searched without
//! remembering: a look into a large memory takes longer.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::memory::{Bounds, Memory};
use super::node::{Child, Solvable, Stores};
use super::order::Order;
use super::tables::View;
use crate::mancala::mover::Mover;
use crate::mancala::position::Position;

/// How many seeds above the tables positions are remembered from.
const UNREMEMBERED: i32 = 2;

/// How many positions are looked at between two looks at what others say.
const PATIENCE: u64 = 1 << 10;

/// The deepest line of play: the stack has room for it.
const DEEPEST: u32 = 10_000;

/// Why a search goes no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Halt {
    /// It does go on.
    No,
    /// It was told to stop, or another thread has found the answer.
    Stopped,
    /// The memory should grow.
    Crowded,
    /// A line of play is deeper than the stack.
    TooDeep,
}

/// What threads that look for the same answer say to each other.
#[derive(Debug, Default)]
pub(super) struct Signals {
    halt: AtomicU8,
    nodes: AtomicU64,
}

impl Signals {
    /// Says that all should stop; only the first reason counts.
    pub(super) fn halt(&self, reason: Halt) {
        let _ = self.halt.compare_exchange(Halt::No as u8, reason as u8, Ordering::Relaxed, Ordering::Relaxed);
    }

    pub(super) fn reason(&self) -> Halt {
        let reasons = [Halt::No, Halt::Stopped, Halt::Crowded, Halt::TooDeep];
        reasons[usize::from(self.halt.load(Ordering::Relaxed))]
    }

    /// How many positions were searched.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}

/// A search by one thread.
pub(super) struct Search<'a, R: Solvable> {
    mover: &'a Mover<R>,
    stores: Stores,
    tables: &'a View<'a>,
    memory: &'a R::Memory,
    signals: &'a Signals,
    order: Order<'a, R>,
    /// Positions with fewer seeds are not remembered.
    remembered_from: i32,
    nodes: u64,
    depth: u32,
    /// What is left to search in the positions on the way here.
    children: Vec<Child<R>>,
}

impl<'a, R: Solvable> Search<'a, R> {
    pub(super) fn new(
        mover: &'a Mover<R>,
        tables: &'a View<'a>,
        memory: &'a R::Memory,
        signals: &'a Signals,
        whim: u64,
    ) -> Self {
        Search {
            mover,
            stores: Stores::new(mover),
            tables,
            memory,
            signals,
            order: Order::new(mover, whim),
            remembered_from: tables.layers() as i32 + UNREMEMBERED,
            nodes: 0,
            depth: 0,
            children: Vec::new(),
        }
    }

    /// A bound of what a position is worth to its side to move: one from below where it is `wanted` or more, else one
    /// from above. None where the search was told to stop.
    pub(super) fn test(&mut self, position: &Position<R>, seeds: i32, wanted: i32) -> Option<i32> {
        self.count()?;
        let mark = self.children.len();
        self.depth += 1;
        let found = match self.look(position, wanted) {
            (best, true) => Some(best),
            (best, false) => self.search(mark, best, wanted),
        };
        self.depth -= 1;
        self.children.truncate(mark);
        let found = found?;
        if seeds >= self.remembered_from {
            let unknown = Bounds { least: i32::MIN, most: i32::MAX };
            let (own, other) = self.stores.key(self.mover, position);
            let bounds =
                if found >= wanted { Bounds { least: found, ..unknown } } else { Bounds { most: found, ..unknown } };
            self.memory.put(own, other, bounds);
        }
        Some(found)
    }

    /// Counts a position, and gives None where the search is to stop.
    #[inline(always)]
    fn count(&mut self) -> Option<()> {
        self.nodes += 1;
        if self.depth >= DEEPEST {
            self.signals.halt(Halt::TooDeep);
            return None;
        }
        if self.nodes.is_multiple_of(PATIENCE) {
            self.signals.nodes.fetch_add(PATIENCE, Ordering::Relaxed);
            if self.memory.is_crowded() {
                self.signals.halt(Halt::Crowded);
            }
        }
        (self.signals.halt.load(Ordering::Relaxed) == Halt::No as u8).then_some(())
    }

    /// The best that is known of the position without a search, and whether that is the answer; the moves that it is not
    /// known of are put with the other children.
    #[inline(always)]
    fn look(&mut self, position: &Position<R>, wanted: i32) -> (i32, bool) {
        let moves = self.mover.legal_moves(position);
        if moves.is_empty() {
            return (self.mover.rest(position), true);
        }
        // Everything is fetched before anything is looked at: the memory brings several things in the time of one.
        let mark = self.children.len();
        for played in moves {
            self.children.push(self.stores.play(self.mover, position, played));
        }
        for at in mark..self.children.len() {
            self.children[at].fetched = self.fetch(&self.children[at]);
        }
        let (mut best, mut left) = (i32::MIN, mark);
        for at in mark..self.children.len() {
            let mut child = self.children[at];
            let bounds = self.bounds(&child);
            if bounds.least >= wanted {
                return (bounds.least, true);
            }
            if bounds.most < wanted {
                best = best.max(bounds.most);
            } else {
                child.order = self.order.at_a_glance(&child);
                self.children[left] = child;
                left += 1;
            }
        }
        self.children.truncate(left);
        (best, false)
    }

    /// What a table says of a child, or anything from where the memory has it.
    #[inline(always)]
    fn fetch(&self, child: &Child<R>) -> i32 {
        if let Some(worth) = R::known(self.tables, child.after.own, child.after.other, child.seeds as usize) {
            return worth;
        }
        if child.seeds < self.remembered_from {
            return 0;
        }
        let (own, other) = self.stores.key(self.mover, &child.after);
        self.memory.touch(own, other)
    }

    /// What is known of a move's worth to the mover.
    #[inline(always)]
    fn bounds(&self, child: &Child<R>) -> Bounds {
        if child.seeds < self.tables.layers() as i32 {
            let worth = child.worth(child.fetched);
            return Bounds { least: worth, most: worth };
        }
        let mut bounds = Bounds::of_seeds(child.seeds);
        if child.seeds >= self.remembered_from {
            let (own, other) = self.stores.key(self.mover, &child.after);
            if let Some(known) = self.memory.get(own, other) {
                bounds = bounds.and(known);
            }
        }
        let (one, two) = (child.worth(bounds.least), child.worth(bounds.most));
        Bounds { least: one.min(two), most: one.max(two) }
    }

    /// Searches the children from a mark on until one is worth what is wanted; `best` is what the others are worth.
    fn search(&mut self, mark: usize, mut best: i32, wanted: i32) -> Option<i32> {
        let end = self.children.len();
        for at in mark..end {
            let first = (at..end).max_by_key(|each| self.children[*each].order)?;
            self.children.swap(at, first);
            let child = self.children[at];
            if at > mark {
                // What was searched before may have met this position too.
                let bounds = self.bounds(&child);
                if bounds.least >= wanted {
                    return Some(bounds.least);
                }
                if bounds.most < wanted {
                    best = best.max(bounds.most);
                    continue;
                }
            }
            let worth = child.worth(self.test(&child.after, child.seeds, child.goal(wanted))?);
            best = best.max(worth);
            if best >= wanted {
                break;
            }
        }
        Some(best)
    }
}

impl<R: Solvable> Drop for Search<'_, R> {
    /// Adds what was not yet counted.
    fn drop(&mut self) {
        self.signals.nodes.fetch_add(self.nodes % PATIENCE, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{DEEPEST, Halt, Memory, Mover, Position, Search, Signals, View};
    use crate::mancala::board::tests::kalah;
    use crate::mancala::row::Wide;
    use crate::mancala::solve::memory::Spacious;
    use crate::side::Side;

    #[test]
    fn a_line_of_play_that_is_too_deep_ends_the_search() {
        let (mover, tables, signals) = (Mover::<Wide>::new(kalah(1)), View::empty(), Signals::default());
        let memory = Spacious::new(1 << 20).unwrap();
        let row = crate::mancala::row::Row::with(Wide::default(), 0, 3);
        let position = Position { own: row, other: row, total: 6, turn: Side::White, swap_open: false };
        let mut search = Search::new(&mover, &tables, &memory, &signals, 0);
        assert!(search.test(&position, 6, 1).is_some());
        search.depth = DEEPEST;
        assert_eq!((search.test(&position, 6, 1), signals.reason()), (None, Halt::TooDeep));
    }
}
