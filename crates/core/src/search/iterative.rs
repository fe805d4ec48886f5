//! Iterative deepening, on one thread or on several (Lazy SMP), until a limit is reached.

use std::sync::Arc;
use std::time::Duration;

use super::alphabeta::{MAX_PLY, Worker};
use super::game::SearchGame;
use super::root::RootMove;
use super::time_manager::TimeManager;
use super::transposition::TranspositionTable;
use super::value::{Value, plies_to_end};
use crate::platform;
use crate::random::Random;
use crate::work::SharedMonitor;

/// The maximum depth of an iteration.
const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;

/// The configuration of a search.
#[derive(Clone, Copy)]
pub struct SearchConfig<'a> {
    /// The transposition table.
    pub table: &'a TranspositionTable,
    /// The limits, and the way to stop the search.
    pub time: &'a Arc<TimeManager>,
    /// The number of best moves to find, each with its principal variation (MultiPV).
    pub multipv: usize,
    /// The number of threads.
    pub threads: usize,
    /// The seed that decides between moves of equal value.
    pub seed: u64,
    /// A number that is mixed into all hash keys, so that entries with another salt are not found.
    pub key_salt: u64,
    /// Whether to search all moves to the full depth and not beyond, like minimax.
    pub full_width: bool,
}

/// The position to search, with the history of its game.
#[derive(Clone, Debug)]
pub struct RootPosition<N> {
    /// The position.
    pub node: N,
    /// The hash key of each position of the game up to this one, and whether the move that led to it was irreversible.
    pub game_history: Vec<(u64, bool)>,
}

impl<N> RootPosition<N> {
    /// Return the position after the moves of a game.
    pub fn new<G: SearchGame<Node = N>>(game: &G, start: N, moves: impl Iterator<Item = G::Move>) -> Self {
        let mut root = RootPosition { game_history: vec![(game.hash_key(&start), true)], node: start };
        let mut scratch = game.new_scratch(None);
        for played in moves {
            let is_irreversible = game.is_irreversible(&root.node, &played);
            root.node = game.after(&root.node, &played, &mut scratch);
            root.game_history.push((game.hash_key(&root.node), is_irreversible));
        }
        root
    }
}

/// The result of an iteration for one of the best moves.
#[derive(Clone, Debug)]
pub struct SearchInfo<M> {
    /// The depth of the iteration.
    pub depth: u32,
    /// The rank among the best moves, from 0.
    pub rank: usize,
    /// The value for the side to move.
    pub value: Value,
    /// The principal variation.
    pub pv: Vec<M>,
    /// The number of nodes that all threads have searched.
    pub nodes: u64,
    /// The time since the search started.
    pub time: Duration,
}

impl<M> SearchInfo<M> {
    /// Return the same result with a converted principal variation.
    pub fn with_pv<T>(&self, pv: impl Iterator<Item = T>) -> SearchInfo<T> {
        let SearchInfo { depth, rank, value, nodes, time, .. } = *self;
        SearchInfo { depth, rank, value, pv: pv.collect(), nodes, time }
    }
}

/// Search a position and return the best moves with their principal variations, the best first.
///
/// Only `root_moves` are searched at the root, or all legal moves if the list is empty. The transposition table never
/// has an entry of the root from this search, so a restricted search leaves no wrong value in it. `on_info` is called with the results of each iteration. The result is empty if the game is over. All threads run the
/// same search (Lazy SMP): helpers only fill the transposition table for the main thread.
///
/// The result is also empty if the search is stopped, or its time is up, before the root moves are generated. This
/// happens only on very crowded boards.
pub fn search<G: SearchGame>(
    game: &G,
    root: &RootPosition<G::Node>,
    root_moves: &[G::Move],
    config: &SearchConfig<'_>,
    on_info: &mut dyn FnMut(&SearchInfo<G::Move>),
) -> Vec<SearchInfo<G::Move>> {
    let mut moves = Vec::new();
    let mut scratch = game.new_scratch(Some(&(Arc::clone(config.time) as SharedMonitor)));
    game.generate_moves(&root.node, &mut scratch, &mut moves);
    if game.is_cancelled(&scratch) {
        return Vec::new();
    }
    if !root_moves.is_empty() {
        moves.retain(|played| root_moves.contains(played));
    }
    if moves.is_empty() {
        return Vec::new();
    }
    shuffle(&mut moves, config.seed);
    config.table.new_search();
    let mut lines = Vec::new();
    let mut main = || {
        lines = IterativeDeepening::new(game, root, config, &moves).run_main(on_info);
        config.time.stop();
    };
    let helper = |index| IterativeDeepening::new(game, root, config, &moves).run_helper(index);
    platform::run_with_helpers(config.threads, &mut main, &helper);
    lines
}

fn shuffle<M>(moves: &mut [M], seed: u64) {
    let mut random = Random::new(seed, 0);
    for last in (1..moves.len()).rev() {
        moves.swap(last, random.below(last + 1));
    }
}

/// The iterative deepening of one thread.
struct IterativeDeepening<'a, G: SearchGame> {
    root: &'a RootPosition<G::Node>,
    config: &'a SearchConfig<'a>,
    worker: Worker<'a, G>,
    root_moves: Vec<RootMove<G::Move>>,
}

impl<'a, G: SearchGame> IterativeDeepening<'a, G> {
    fn new(game: &'a G, root: &'a RootPosition<G::Node>, config: &'a SearchConfig<'a>, moves: &[G::Move]) -> Self {
        let root_moves = moves.iter().copied().map(RootMove::new).collect();
        IterativeDeepening { root, config, worker: Worker::new(game, config, &root.game_history), root_moves }
    }

    fn max_depth(&self) -> u32 {
        self.config.time.limit().depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
    }

    /// Run the iterations of the main thread, and return the final lines.
    fn run_main(&mut self, on_info: &mut dyn FnMut(&SearchInfo<G::Move>)) -> Vec<SearchInfo<G::Move>> {
        let multipv = self.config.multipv.clamp(1, self.root_moves.len());
        let (mut best, mut stable) = (None, 0);
        let mut lines = Vec::new();
        for depth in 1..=self.max_depth() {
            let Some(found) = self.iterate(depth, multipv, on_info) else {
                if multipv == 1 {
                    self.adopt_better_move(&mut lines);
                }
                break;
            };
            lines = found;
            self.worker.unlimited_nodes = 0;
            let choice = Some(self.root_moves[0].played);
            stable = if choice == best { stable + 1 } else { 0 };
            best = choice;
            let only_move = self.root_moves.len() == 1;
            if self.is_decided(depth, &lines) || !self.config.time.has_time_for_iteration(stable, only_move) {
                break;
            }
        }
        self.worker.report_nodes();
        if lines.is_empty() {
            // Stopped in the first iteration.
            let score = self.worker.game.evaluate(&self.root.node, &mut self.worker.scratch).unwrap_or(0);
            self.root_moves[0].value = Value::heuristic(score);
            lines.push(self.info(0, 0));
        }
        for line in &mut lines {
            (line.nodes, line.time) = (self.config.time.nodes(), self.config.time.elapsed());
        }
        lines
    }

    /// Return the lines of one iteration, or None if the search was stopped before all were found.
    fn iterate(
        &mut self,
        depth: u32,
        multipv: usize,
        on_info: &mut dyn FnMut(&SearchInfo<G::Move>),
    ) -> Option<Vec<SearchInfo<G::Move>>> {
        for rank in 0..multipv {
            self.worker.search_root(&self.root.node, &mut self.root_moves, rank, depth as i32)?;
        }
        // A later line can score higher than an earlier one, because the table has changed in between. A simple
        // insertion sort is enough for a few lines; the standard library's sort would be compiled for every type of
        // move.
        for last in 1..multipv {
            let rank = |index: usize| self.root_moves[index].value.score;
            let place = (0..last).rev().find(|index| rank(*index) >= rank(last)).map_or(0, |index| index + 1);
            self.root_moves[place..=last].rotate_right(1);
        }
        self.worker.report_nodes();
        let lines: Vec<_> = (0..multipv).map(|rank| self.info(depth, rank)).collect();
        lines.iter().for_each(on_info);
        Some(lines)
    }

    /// After a stop, use a move that the unfinished iteration found to be better than the previous best move.
    fn adopt_better_move(&mut self, lines: &mut [SearchInfo<G::Move>]) {
        let Some(first) = lines.first_mut() else { return };
        if first.pv.first() != self.root_moves[0].pv.first() {
            *first = self.info(first.depth + 1, 0);
            // The remaining moves were not searched, so the value is only a lower bound.
            first.value.proven &= plies_to_end(first.value.score).is_some() && first.value.score > 0;
        }
    }

    /// Run the iterations of a helper thread; every other helper searches one ply deeper.
    fn run_helper(&mut self, index: usize) {
        self.worker.unlimited_nodes = 0;
        for depth in 1..=self.max_depth() {
            let depth = (depth + index as u32 % 2).min(MAX_DEPTH);
            if self.worker.search_root(&self.root.node, &mut self.root_moves, 0, depth as i32).is_none() {
                break;
            }
        }
        self.worker.report_nodes();
    }

    /// Return whether deeper iterations cannot change the result.
    fn is_decided(&self, depth: u32, lines: &[SearchInfo<G::Move>]) -> bool {
        lines.iter().all(|line| {
            let is_shortest = plies_to_end(line.value.score).is_none_or(|plies| plies <= depth as i32);
            line.value.proven && is_shortest
        }) || lines.len() == 1 && plies_to_end(lines[0].value.score).is_some_and(|plies| plies <= depth as i32)
    }

    fn info(&self, depth: u32, rank: usize) -> SearchInfo<G::Move> {
        let RootMove { value, pv, .. } = &self.root_moves[rank];
        let (nodes, time) = (self.config.time.nodes(), self.config.time.elapsed());
        SearchInfo { depth, rank, value: *value, pv: pv.clone(), nodes, time }
    }
}
