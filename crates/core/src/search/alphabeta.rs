//! Principal variation search: negamax alpha-beta in which all moves but the first are tried with a null window.
//!
//! A function that returns `Option<Value>` returns None if the search was stopped.

use std::sync::Arc;

use super::game::SearchGame;
use super::history::History;
use super::iterative::SearchConfig;
use super::move_ordering::MoveList;
use super::time_manager::TimeManager;
use super::transposition::{Bound, Entry, TranspositionTable};
use super::value::{INFINITE, Value, WIN, plies_to_end};
use super::window::Window;
use crate::side::Side;
use crate::work::SharedMonitor;

/// The maximum distance from the root; beyond it positions are evaluated statically.
pub(super) const MAX_PLY: usize = 200;
/// The number of nodes between two polls of the time manager, if the evaluation is fast.
const POLL_INTERVAL: u64 = 1024;
/// The number of nodes, for each of the best moves, that the first iteration may search beyond the limits. Only
/// positions with very many captures need more.
const MAX_UNLIMITED_NODES: u64 = 10_000;
/// The ordering score of the transposition table's move, above that of any other.
const TABLE_MOVE_SCORE: i32 = i32::MAX;
/// The weight of a static score in move ordering; history scores are below it.
const STATIC_SCORE_WEIGHT: i32 = 1 << 16;

/// A position of the game or of the current line, for repetition detection.
#[derive(Clone, Copy)]
pub(super) struct PathEntry {
    key: u64,
    /// The index in the path of the position after the last irreversible move. Earlier positions cannot be repeated.
    reversible_from: usize,
}

/// The state of one search thread.
pub(super) struct Worker<'a, G: SearchGame> {
    pub(super) game: &'a G,
    table: &'a TranspositionTable,
    time: &'a TimeManager,
    pub(super) full_width: bool,
    history: History,
    pub(super) scratch: G::Scratch,
    /// The move list of each ply.
    pub(super) move_lists: Vec<MoveList<G::Move>>,
    /// The positions of the game up to the root, then those of the current line.
    path: Vec<PathEntry>,
    /// The index of the root position in the path.
    root_index: usize,
    key_salt: u64,
    nodes: u64,
    /// The number of nodes already reported to the time manager.
    reported_nodes: u64,
    /// The node count at which to poll the time manager.
    next_poll: u64,
    /// The number of nodes before which only an explicit stop ends the search, so that the first iteration is complete.
    pub(super) unlimited_nodes: u64,
}

/// A node of the search tree.
#[derive(Clone, Copy)]
struct Frame<'a, N> {
    node: &'a N,
    key: u64,
    ply: usize,
}

impl<'a, G: SearchGame> Worker<'a, G> {
    /// Create a worker; `game_history` is that of `RootPosition`.
    pub(super) fn new(game: &'a G, config: &SearchConfig<'a>, game_history: &[(u64, bool)]) -> Self {
        let mut path: Vec<PathEntry> = Vec::new();
        for (key, is_irreversible) in game_history {
            let reversible_from =
                if *is_irreversible { path.len() } else { path.last().map_or(0, |entry| entry.reversible_from) };
            path.push(PathEntry { key: *key ^ config.key_salt, reversible_from });
        }
        Worker {
            game,
            table: config.table,
            time: config.time,
            full_width: config.full_width,
            history: History::new(),
            scratch: game.new_scratch(Some(&(Arc::clone(config.time) as SharedMonitor))),
            move_lists: (0..MAX_PLY + 2).map(|_| MoveList::default()).collect(),
            root_index: path.len().saturating_sub(1),
            path,
            key_salt: config.key_salt,
            nodes: 0,
            reported_nodes: 0,
            next_poll: poll_interval(game),
            unlimited_nodes: MAX_UNLIMITED_NODES * config.multipv.max(1) as u64,
        }
    }

    /// Count a node; return None if the search must stop.
    #[inline(always)]
    pub(super) fn count_node(&mut self) -> Option<()> {
        self.nodes += 1;
        if self.nodes >= self.next_poll { self.poll() } else { Some(()) }
    }

    /// Report the nodes to the time manager; return None if the search must stop.
    #[cold]
    fn poll(&mut self) -> Option<()> {
        let is_within_limits = self.time.add_nodes(self.nodes - self.reported_nodes);
        self.reported_nodes = self.nodes;
        let left = self.time.limit().nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.time.nodes()));
        self.next_poll = self.nodes + poll_interval(self.game).min(left.max(1));
        (is_within_limits || self.nodes < self.unlimited_nodes && !self.time.is_stopped()).then_some(())
    }

    /// Report the nodes since the last poll to the time manager.
    pub(super) fn report_nodes(&mut self) {
        self.next_poll = self.nodes;
        let _ = self.poll();
    }

    /// Return the value of the position after a move, for the side that moved.
    pub(super) fn search_child(
        &mut self,
        node: &G::Node,
        played: &G::Move,
        window: Window,
        ply: usize,
    ) -> Option<Value> {
        let child = self.game.after(node, played, &mut self.scratch);
        let turn_passed = self.game.side_to_move(&child) != self.game.side_to_move(node);
        let is_irreversible = self.game.is_irreversible(node, played);
        let value = self.enter(&child, is_irreversible, window.negated_if(turn_passed), ply + 1)?;
        Some(value.negated_if(turn_passed))
    }

    /// Return the value of a position: the known value, that of a repetition or of a leaf, or the result of a search.
    fn enter(&mut self, node: &G::Node, is_irreversible: bool, window: Window, ply: usize) -> Option<Value> {
        self.count_node()?;
        self.move_lists[ply].pv.clear();
        if let Some(known) = self.game.known_value(node, &mut self.scratch) {
            return Some(known.relative_to_root(ply));
        }
        if let Some(value) = self.game.tablebase_value(node) {
            return self.enter_decided(node, is_irreversible, value.relative_to_root(ply), window, ply);
        }
        self.enter_unknown(node, is_irreversible, window, ply)
    }

    /// Return the value of a position whose value by a tablebase is given.
    ///
    /// A win or a loss without a distance is a bound: if it does not cause a cutoff, search for the end of the game.
    #[cold]
    fn enter_decided(
        &mut self,
        node: &G::Node,
        is_irreversible: bool,
        decided: Value,
        window: Window,
        ply: usize,
    ) -> Option<Value> {
        if let Some(value) = tablebase_cutoff(decided, window) {
            return Some(value);
        }
        let value = self.enter_unknown(node, is_irreversible, window, ply)?;
        Some(at_least(decided, value))
    }

    /// Return the value of a position that is not known without a search.
    fn enter_unknown(&mut self, node: &G::Node, is_irreversible: bool, window: Window, ply: usize) -> Option<Value> {
        let reversible_from =
            if is_irreversible { self.path.len() } else { self.path.last().map_or(0, |entry| entry.reversible_from) };
        let is_leaf = window.depth <= 0 || ply >= MAX_PLY;
        // A repetition takes at least four plies.
        let may_repeat = self.path.len() - reversible_from >= 4;
        if is_leaf && !may_repeat {
            return self.leaf_value(node, window, ply);
        }
        let key = self.game.hash_key(node) ^ self.key_salt;
        if may_repeat && self.is_repetition(key, reversible_from) {
            return Some(Value::heuristic(self.game.repetition_score(node)));
        }
        if is_leaf {
            return self.leaf_value(node, window, ply);
        }
        self.path.push(PathEntry { key, reversible_from });
        let value = self.search(Frame { node, key, ply }, window, true);
        self.path.pop();
        value
    }

    /// Return whether a position counts as a repetition that ends the game.
    ///
    /// One earlier occurrence since the root is enough, because a side that can force the repetition once can force it
    /// again. Occurrences before the root must reach the repetition limit of the game.
    fn is_repetition(&self, key: u64, reversible_from: usize) -> bool {
        let Some(limit) = self.game.repetition_limit() else { return false };
        let occurrences = |path: &[PathEntry]| path.iter().filter(|entry| entry.key == key).count();
        let root = self.root_index.max(reversible_from);
        self.path[root..].iter().any(|entry| entry.key == key)
            || reversible_from < self.root_index
                && occurrences(&self.path[reversible_from..self.root_index]) + 1 >= limit
    }

    /// Search a position to a depth of at least one ply, and return its value.
    fn search(&mut self, frame: Frame<'_, G::Node>, mut window: Window, may_probcut: bool) -> Option<Value> {
        let Frame { node, key, ply } = frame;
        // Mate distance pruning: no win or loss below this node is nearer than one at this ply.
        window.alpha = window.alpha.max(ply as i32 - WIN);
        window.beta = window.beta.min(WIN - ply as i32);
        if window.alpha >= window.beta {
            return Some(Value::proven(window.alpha));
        }
        let stored = self.table.probe(key);
        if let Some(entry) = stored
            && !self.full_width
            && let Some(value) = table_cutoff(entry, window, ply)
            && self.ends_before_draw(node, entry)
        {
            return Some(value);
        }
        if may_probcut
            && !self.full_width
            && window.depth >= 3
            && !window.is_pv()
            && let Some(value) = self.probcut(frame, window)?
        {
            return Some(value);
        }
        let mut list = std::mem::take(&mut self.move_lists[ply]);
        list.moves.clear();
        self.game.generate_moves(node, &mut self.scratch, &mut list.moves);
        let value = if self.game.is_cancelled(&self.scratch) {
            None
        } else if list.moves.is_empty() {
            Some(self.game.end_value(node, &mut self.scratch).relative_to_root(ply))
        } else {
            let table_move = stored.map_or(0, |entry| entry.move_key);
            self.score_moves(node, &mut list, table_move);
            match self.prepare_frontier(node, window, &list) {
                Some(()) => self.search_moves(frame, window, &mut list),
                None => None,
            }
        };
        self.move_lists[ply] = list;
        value
    }

    /// Evaluate the positions after the moves of a frontier node in one call if the evaluation takes batches.
    ///
    /// A frontier node has leaves as children: all if one ply is left, and with pruning most if two plies are left,
    /// because of late move reductions.
    #[inline(always)]
    fn prepare_frontier(&mut self, node: &G::Node, window: Window, list: &MoveList<G::Move>) -> Option<()> {
        let max_depth = if self.full_width { 1 } else { 2 };
        if !self.game.evaluates_batches() || window.depth > max_depth || list.moves.len() == 1 {
            return Some(());
        }
        self.prepare_leaves(node, &list.moves, true)
    }

    /// Return whether a stored win or loss occurs before a draw counter ends the game.
    ///
    /// Hash keys do not include the draw counters, which may have advanced since the entry was stored.
    #[inline(always)]
    fn ends_before_draw(&self, node: &G::Node, entry: Entry) -> bool {
        plies_to_end(entry.value.score).is_none_or(|plies| plies <= self.game.plies_to_draw(node))
    }

    /// ProbCut: return the value of a shallow null-window search if it exceeds beta by a margin.
    ///
    /// The outer None means that the search was stopped.
    fn probcut(&mut self, frame: Frame<'_, G::Node>, window: Window) -> Option<Option<Value>> {
        let beta = window.beta + G::PROBCUT_MARGIN * window.depth;
        if beta.abs() >= WIN / 2 {
            return Some(None);
        }
        let shallow = Window { alpha: beta - 1, beta, depth: window.depth * 2 / 5 };
        let value = if shallow.depth > 0 {
            self.search(frame, shallow, false)?
        } else {
            self.leaf_value(frame.node, shallow, frame.ply)?
        };
        Some((value.score >= beta).then_some(value))
    }

    /// Score the moves for move ordering: the table move first, then by static score, then by history.
    pub(super) fn score_moves(&self, node: &G::Node, list: &mut MoveList<G::Move>, table_move: u16) {
        let side = self.game.side_to_move(node);
        list.score(|played| {
            let move_key = self.game.move_key(played);
            if move_key == table_move {
                TABLE_MOVE_SCORE
            } else {
                let static_score = self.game.static_score(node, played).min(TABLE_MOVE_SCORE / STATIC_SCORE_WEIGHT - 1);
                static_score * STATIC_SCORE_WEIGHT + self.history.score(side, move_key)
            }
        });
    }

    /// Return the value of the best move, and store it in the transposition table.
    fn search_moves(
        &mut self,
        frame: Frame<'_, G::Node>,
        mut window: Window,
        list: &mut MoveList<G::Move>,
    ) -> Option<Value> {
        let Frame { node, key, ply } = frame;
        let (side, alpha, is_pv) = (self.game.side_to_move(node), window.alpha, window.is_pv());
        let (mut best, mut best_move, mut all_proven) = (Value::proven(-INFINITE), 0, true);
        // Single-reply extension.
        if list.moves.len() == 1 && !self.full_width {
            window.depth += 1;
        }
        list.pv.clear();
        for index in 0..list.moves.len() {
            let played = list.pick(index);
            let value =
                self.search_move(node, &played, index, Window { alpha: window.alpha.max(alpha), ..window }, ply)?;
            all_proven &= value.proven;
            if value.score > best.score {
                best = value;
                if value.score > window.alpha {
                    (window.alpha, best_move) = (value.score, self.game.move_key(&played));
                    if is_pv {
                        list.pv.clear();
                        list.pv.push(played);
                        list.pv.extend_from_slice(&self.move_lists[ply + 1].pv);
                    }
                    if value.score >= window.beta {
                        self.update_history(side, list, index);
                        break;
                    }
                }
            }
        }
        let bound = match best.score {
            score if score >= window.beta => Bound::Lower,
            score if score > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        if bound != Bound::Lower {
            best.proven = all_proven;
        }
        let depth = window.depth.min(255) as u8;
        self.table.store(key, Entry { value: best.relative_to_node(ply), bound, depth, move_key: best_move });
        Some(best)
    }

    /// Return the value of the move at an index of the ordered list.
    ///
    /// The first move is searched with the full window. The others are searched with a null window and a late move
    /// reduction; those that exceed alpha are searched again to the full depth, then with the full window.
    #[inline(always)]
    fn search_move(
        &mut self,
        node: &G::Node,
        played: &G::Move,
        index: usize,
        window: Window,
        ply: usize,
    ) -> Option<Value> {
        let (is_pv, depth) = (window.is_pv(), window.depth - 1);
        if index == 0 {
            return self.search_child(node, played, Window { depth, ..window }, ply);
        }
        let reduction = match index {
            _ if self.full_width || window.depth < 2 || self.game.is_tactical(node, played) => 0,
            4.. if !is_pv => 2,
            3.. => 1,
            _ if !is_pv => 1,
            _ => 0,
        };
        let mut value = self.search_child(node, played, Window::null(window.alpha, depth - reduction), ply)?;
        if value.score > window.alpha && reduction > 0 {
            value = self.search_child(node, played, Window::null(window.alpha, depth), ply)?;
        }
        if value.score > window.alpha && value.score < window.beta && is_pv {
            value = self.search_child(node, played, Window { depth, ..window }, ply)?;
        }
        Some(value)
    }

    /// Update the history heuristic after the move at an index caused a beta cutoff and those before it did not.
    #[inline(always)]
    fn update_history(&mut self, side: Side, list: &MoveList<G::Move>, index: usize) {
        self.history.reward(side, self.game.move_key(&list.moves[index]));
        for played in &list.moves[..index] {
            self.history.penalise(side, self.game.move_key(played));
        }
    }
}

/// Return the number of nodes between two polls of the time manager.
#[inline(always)]
fn poll_interval(game: &impl SearchGame) -> u64 {
    if game.has_slow_evaluation() { 1 } else { POLL_INTERVAL }
}

/// Return the value by a tablebase if no search can improve it within the window.
#[inline(always)]
pub(super) fn tablebase_cutoff(decided: Value, window: Window) -> Option<Value> {
    let is_cutoff = match decided.score {
        1.. => decided.score >= window.beta,
        0 => true,
        _ => decided.score <= window.alpha,
    };
    is_cutoff.then_some(decided)
}

/// Return the value of a search, or the value by a tablebase if it is more decisive.
#[inline(always)]
pub(super) fn at_least(decided: Value, found: Value) -> Value {
    let is_farther = if decided.score > 0 { found.score > decided.score } else { found.score < decided.score };
    if is_farther { found } else { decided }
}

/// Return the stored value if it is deep enough or proven, and causes a cutoff.
///
/// PV nodes are cut off only by proven values, so that the principal variation is complete.
#[inline(always)]
fn table_cutoff(entry: Entry, window: Window, ply: usize) -> Option<Value> {
    let value = entry.value.relative_to_root(ply);
    let is_enough = i32::from(entry.depth) >= window.depth && !window.is_pv() || value.proven;
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value.score >= window.beta,
        Bound::Upper => value.score <= window.alpha,
    };
    (is_enough && decides).then_some(value)
}
