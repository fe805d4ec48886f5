//! Thinking about a position: deeper and deeper, on one thread or several, until a limit is reached.

use std::thread;
use std::time::Duration;

use super::play::Play;
use super::root::Candidate;
use super::table::Table;
use super::value::{Value, plies_to_end};
use super::watch::Watch;
use super::worker::{LONGEST, Worker};
use crate::random::Random;

/// The deepest that is searched: no line goes further.
const DEEPEST: u32 = LONGEST as u32 - 1;
/// The threads that help need less stack than what they could use in a line of the greatest length.
const STACK: usize = 16 << 20;

/// How to think, whatever about.
#[derive(Clone, Copy)]
pub struct Order<'a> {
    /// What was found out before.
    pub table: &'a Table,
    /// When to stop.
    pub watch: &'a Watch,
    /// How many of the best moves are wanted.
    pub lines: usize,
    /// On how many threads.
    pub threads: usize,
    /// What decides between moves that look alike.
    pub seed: u64,
    /// Another number finds nothing in the table of what was stored with this one.
    pub salt: u64,
    /// Whether to look at every move to the full depth and at nothing beyond it, as a plain minimax does.
    pub plain: bool,
}

/// A position in the course of a game.
#[derive(Clone, Debug)]
pub struct Question<N> {
    /// The position.
    pub node: N,
    /// The positions of the game so far, this one last: the key of each, and whether none from before it can come again.
    pub past: Vec<(u64, bool)>,
}

impl<N> Question<N> {
    /// The position that moves lead to from the first one of a game.
    pub fn new<P: Play<Node = N>>(play: &P, start: N, moves: impl Iterator<Item = P::Move>) -> Self {
        let mut question = Question { past: vec![(play.key(&start), true)], node: start };
        let mut scratch = P::Scratch::default();
        for played in moves {
            let is_final = play.is_final(&question.node, &played);
            question.node = play.after(&question.node, &played, &mut scratch);
            question.past.push((play.key(&question.node), is_final));
        }
        question
    }
}

/// What was found at a depth.
#[derive(Clone, Debug)]
pub struct Report<M> {
    /// How deep the search was.
    pub depth: u32,
    /// Which of the best moves it is about, from 0.
    pub rank: usize,
    /// What it is worth to the side to move.
    pub value: Value,
    /// The line that it begins.
    pub line: Vec<M>,
    /// How many positions were searched, by all threads.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

impl<M> Report<M> {
    /// The same with the line in other words.
    pub fn with_line<T>(&self, line: impl Iterator<Item = T>) -> Report<T> {
        let Report { depth, rank, value, nodes, time, .. } = *self;
        Report { depth, rank, value, line: line.collect(), nodes, time }
    }
}

/// Thinks, tells what it finds as it finds it, and gives the lines that it ended with, the best first.
///
/// The lines are none where the game is over.
pub fn think<P: Play>(
    play: &P,
    question: &Question<P::Node>,
    order: &Order<'_>,
    told: &mut dyn FnMut(&Report<P::Move>),
) -> Vec<Report<P::Move>> {
    let mut moves = Vec::new();
    play.moves(&question.node, &mut P::Scratch::default(), &mut moves);
    if moves.is_empty() {
        return Vec::new();
    }
    shuffle(&mut moves, order.seed);
    order.table.grow_older();
    thread::scope(|scope| {
        for helper in 1..order.threads {
            let candidates = moves.iter().copied().map(Candidate::new).collect();
            let help = move || {
                let mut search = Iterations::new(play, question, order, candidates);
                search.help(helper as u32);
            };
            // A machine that gives no more threads is searched with those that it gives.
            let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, help);
        }
        let candidates = moves.iter().copied().map(Candidate::new).collect();
        let mut search = Iterations::new(play, question, order, candidates);
        let lines = search.lead(told);
        order.watch.stop();
        lines
    })
}

fn shuffle<M>(moves: &mut [M], seed: u64) {
    let mut random = Random::new(seed, 0);
    for last in (1..moves.len()).rev() {
        moves.swap(last, random.below(last + 1));
    }
}

/// The iterations of one thread.
struct Iterations<'a, P: Play> {
    question: &'a Question<P::Node>,
    order: &'a Order<'a>,
    worker: Worker<'a, P>,
    candidates: Vec<Candidate<P::Move>>,
}

impl<'a, P: Play> Iterations<'a, P> {
    fn new(
        play: &'a P,
        question: &'a Question<P::Node>,
        order: &'a Order<'a>,
        candidates: Vec<Candidate<P::Move>>,
    ) -> Self {
        Iterations { question, order, worker: Worker::new(play, order, &question.past), candidates }
    }

    fn deepest(&self) -> u32 {
        self.order.watch.limit().depth.unwrap_or(DEEPEST).clamp(1, DEEPEST)
    }

    /// The iterations of the thread that answers.
    fn lead(&mut self, told: &mut dyn FnMut(&Report<P::Move>)) -> Vec<Report<P::Move>> {
        let wanted = self.order.lines.clamp(1, self.candidates.len());
        let (mut best, mut stable) = (None, 0);
        let mut lines = Vec::new();
        for depth in 1..=self.deepest() {
            let Some(found) = self.iterate(depth, wanted, told) else {
                if wanted == 1 {
                    self.keep_better(&mut lines);
                }
                break;
            };
            lines = found;
            self.worker.is_bound = true;
            let choice = Some(self.candidates[0].played);
            stable = if choice == best { stable + 1 } else { 0 };
            best = choice;
            if self.is_settled(depth, &lines) || !self.order.watch.has_time(stable, self.candidates.len() == 1) {
                break;
            }
        }
        self.worker.tell_watch();
        if lines.is_empty() {
            // Stopped before anything was found.
            let value = Value::guess(self.worker.play.evaluate(&self.question.node));
            self.candidates[0].value = value;
            lines.push(self.report(0, 0));
        }
        for line in &mut lines {
            (line.nodes, line.time) = (self.order.watch.nodes(), self.order.watch.elapsed());
        }
        lines
    }

    /// The best moves at a depth; None where the search was stopped before all were found.
    fn iterate(
        &mut self,
        depth: u32,
        wanted: usize,
        told: &mut dyn FnMut(&Report<P::Move>),
    ) -> Option<Vec<Report<P::Move>>> {
        for rank in 0..wanted {
            self.worker.search_root(&self.question.node, &mut self.candidates, rank, depth as i32)?;
        }
        // A later line can turn out better than an earlier one: the table has learnt in between.
        self.candidates[..wanted].sort_by_key(|candidate| std::cmp::Reverse(candidate.value.score));
        self.worker.tell_watch();
        let lines: Vec<_> = (0..wanted).map(|rank| self.report(depth, rank)).collect();
        lines.iter().for_each(told);
        Some(lines)
    }

    /// After a stop: a move that had already proved better than the last iteration's best takes its place.
    fn keep_better(&mut self, lines: &mut [Report<P::Move>]) {
        let Some(first) = lines.first_mut() else { return };
        if first.line.first() != self.candidates[0].line.first() {
            *first = self.report(first.depth + 1, 0);
            // The moves behind it were not looked at: it may be worth more than that.
            first.value.proven &= plies_to_end(first.value.score).is_some() && first.value.score > 0;
        }
    }

    /// The iterations of a thread that only fills the table: half of them are a ply ahead.
    fn help(&mut self, helper: u32) {
        self.worker.is_bound = true;
        for depth in 1..=self.deepest() {
            let ahead = (depth + helper % 2).min(DEEPEST);
            if self.worker.search_root(&self.question.node, &mut self.candidates, 0, ahead as i32).is_none() {
                break;
            }
        }
        self.worker.tell_watch();
    }

    /// Whether deeper searches can find nothing new.
    fn is_settled(&self, depth: u32, lines: &[Report<P::Move>]) -> bool {
        lines.iter().all(|line| {
            let is_shortest = plies_to_end(line.value.score).is_none_or(|plies| plies <= depth as i32);
            line.value.proven && is_shortest
        }) || lines.len() == 1 && plies_to_end(lines[0].value.score).is_some_and(|plies| plies <= depth as i32)
    }

    fn report(&self, depth: u32, rank: usize) -> Report<P::Move> {
        let Candidate { value, line, .. } = &self.candidates[rank];
        let (nodes, time) = (self.order.watch.nodes(), self.order.watch.elapsed());
        Report { depth, rank, value: *value, line: line.clone(), nodes, time }
    }
}
