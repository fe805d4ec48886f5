//! What a position is worth, and each of its moves.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::memory::Memory;
use super::node::{Solvable, Stores};
use super::search::{Halt, Search, Signals};
use super::tables::View;
use super::{Failure, Progress, Solution, Watch};
use crate::mancala::mover::Mover;
use crate::mancala::position::Position;
use crate::platform;
use crate::side::Side;

/// Room for the deepest line of play.
const STACK: usize = 64 << 20;

/// How often the one who asks is told how far it has come.
const PAUSE: Duration = Duration::from_millis(20);

/// Answers questions about the positions of one game.
pub(super) struct Solver<'a, R: Solvable> {
    mover: &'a Mover<R>,
    tables: &'a View<'a>,
    memory: R::Memory,
    threads: usize,
    watch: Watch<'a>,
    progress: Progress,
}

impl<'a, R: Solvable> Solver<'a, R> {
    pub(super) fn new(
        mover: &'a Mover<R>,
        tables: &'a View<'a>,
        threads: usize,
        most_bytes: usize,
        watch: Watch<'a>,
    ) -> io::Result<Self> {
        let progress = Progress { nodes: 0, played: None, least: 0, most: 0 };
        Ok(Solver { mover, tables, memory: R::Memory::new(most_bytes)?, threads, watch, progress })
    }

    /// What the position is worth, and its best moves; what each of its moves is worth where that is asked.
    pub(super) fn solve(mut self, position: &Position<R>, each_move: bool) -> Result<Solution, Failure> {
        let value = self.value(position, 0)?;
        let mut moves = Vec::new();
        for played in self.mover.legal_moves(position) {
            self.progress.played = Some(played);
            let after = self.mover.after(position, played);
            let same_side = after.turn == position.turn;
            if each_move {
                let worth = self.value(&after, if same_side { value } else { -value })?;
                moves.push((played, if same_side { worth } else { -worth }));
            } else if self.reaches(&after, same_side, value)? {
                moves.push((played, value));
                break;
            }
        }
        Ok(Solution { value, moves, nodes: self.progress.nodes })
    }

    /// Whether a position is worth a value at least to the side that has moved there.
    fn reaches(&mut self, after: &Position<R>, same_side: bool, value: i32) -> Result<bool, Failure> {
        Ok(if same_side { self.bound(after, value)? >= value } else { self.bound(after, 1 - value)? < 1 - value })
    }

    /// The margin with which the side to move wins, or loses where it is negative.
    ///
    /// One question after the other whether it is as much as guessed; each answer is the next guess.
    fn value(&mut self, position: &Position<R>, mut guess: i32) -> Result<i32, Failure> {
        let all = i32::from(position.total);
        (self.progress.least, self.progress.most) = (-all, all);
        while self.progress.least < self.progress.most {
            let wanted = guess.max(self.progress.least + 1);
            guess = self.bound(position, wanted)?;
            if guess >= wanted {
                self.progress.least = guess;
            } else {
                self.progress.most = guess;
            }
        }
        Ok(self.progress.least)
    }

    /// A bound of the margin: from below where it is as much as is wanted, else from above.
    fn bound(&mut self, position: &Position<R>, wanted: i32) -> Result<i32, Failure> {
        if !position.swap_open || self.mover.legal_moves(position).is_empty() {
            return self.bound_without_swap(position, wanted);
        }
        let reached = match position.turn {
            // A swap changes the sign.
            Side::Black => {
                let plain = Position { swap_open: false, ..*position };
                wanted <= 0
                    || self.bound_without_swap(&plain, wanted)? >= wanted
                    || self.bound_without_swap(&plain, 1 - wanted)? < 1 - wanted
            }
            Side::White => {
                let mut reached = false;
                for played in self.mover.legal_moves(position) {
                    let after = self.mover.after(position, played);
                    if self.reaches(&after, after.turn == position.turn, wanted)? {
                        reached = true;
                        break;
                    }
                }
                reached
            }
        };
        Ok(if reached { wanted } else { wanted - 1 })
    }

    fn bound_without_swap(&mut self, position: &Position<R>, wanted: i32) -> Result<i32, Failure> {
        let lead = self.mover.lead(position);
        let stripped = Stores::new(self.mover).strip(self.mover, position);
        loop {
            match self.search(&stripped, wanted - lead) {
                Ok(bound) => return Ok(lead + bound),
                Err(Halt::Crowded) => self.memory.grow(),
                Err(Halt::TooDeep) => return Err(Failure::TooDeep),
                Err(_) => return Err(Failure::Stopped),
            }
        }
    }

    /// Searches with all threads until one has the answer.
    ///
    /// They share what they find out and try moves in different orders. The calling thread only watches; without threads,
    /// it searches itself.
    fn search(&mut self, position: &Position<R>, wanted: i32) -> Result<i32, Halt> {
        let signals = &Signals::default();
        let (mover, tables, memory) = (self.mover, self.tables, &self.memory);
        let houses = mover.rules.houses;
        let seeds = i32::from(position.own.sum(houses)) + i32::from(position.other.sum(houses));
        let (watch, progress) = (&mut *self.watch, &mut self.progress);
        let (before, mut stopped) = (progress.nodes, false);
        if !platform::HAS_THREADS {
            if !watch(progress) {
                return Err(Halt::Stopped);
            }
            let answer = Search::new(mover, tables, memory, signals, 0).test(position, seeds, wanted);
            progress.nodes = before + signals.nodes();
            return answer.ok_or_else(|| signals.reason());
        }
        let answer = thread::scope(|scope| {
            let (tell, told) = mpsc::channel();
            for whim in 0..self.threads as u64 {
                let tell = tell.clone();
                let run = move || {
                    let answer = Search::new(mover, tables, memory, signals, whim).test(position, seeds, wanted);
                    signals.halt(Halt::Stopped);
                    // Nobody listens any more where another thread was quicker.
                    let _ = tell.send(answer);
                };
                let named = thread::Builder::new().name("solver".to_owned()).stack_size(STACK);
                named.spawn_scoped(scope, run).expect("a thread can be started");
            }
            drop(tell);
            loop {
                match told.recv_timeout(PAUSE) {
                    Ok(Some(answer)) => return Some(answer),
                    Ok(None) => (),
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) => {
                        progress.nodes = before + signals.nodes();
                        // Whoever has said so once need not say it again.
                        stopped = stopped || !watch(progress);
                        if stopped {
                            signals.halt(Halt::Stopped);
                        }
                    }
                }
            }
        });
        progress.nodes = before + signals.nodes();
        answer.filter(|_| !stopped).ok_or_else(|| if stopped { Halt::Stopped } else { signals.reason() })
    }
}
