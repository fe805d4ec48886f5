//! The capture graph: captures of a flying king among many pieces.
//!
//! If captured pieces stay on the board, the pieces that a flying king meets from a square do not change during a
//! capture; no piece can be jumped twice. A capture is therefore a path in a fixed graph: a node is a jump over a piece
//! in a direction, and its edges are the jumps that can follow. The capture generator would scan the same lines again
//! at every jump.
//!
//! The graph also allows branch and bound: a path is cut off if it cannot reach the best rank so far, even if it
//! captured every reachable piece. This matters on a crowded board, where hundreds of thousands of paths connect few
//! jumps: the workload "crowded captures" of `benchmarks/instructions.py` (ten 14×14 boards with a king and about 29
//! men) takes 7.6 times as long without the graph, and the difference grows with the board.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::bitboard::Bitboard;
use super::capture_generator::CaptureGenerator;
use super::captures::CapturePaths;
use super::directions::{DIRECTIONS, Directions};
use super::moves::Jump;
use super::specialisation::RuleSource;
use super::visited::StateHasher;
use crate::side::Side;

/// The number of capturable pieces from which on a graph is worth building.
const MIN_PIECES: usize = 10;

/// The maximum size of a graph, in pieces and in nodes: a set of pieces and the number of a node fit in one word.
const MAX_PIECES: usize = 52;
const MAX_NODES: usize = 128;

/// A jump over a piece in a direction.
struct Node<B> {
    victim: usize,
    direction: usize,
    /// The index of the victim in `CaptureGraph::pieces`.
    piece: usize,
    behind: B,
    landings: B,
    edges: Vec<Edge>,
    /// The nodes at the ends of the edges, and the pieces that they jump over.
    next_nodes: u128,
    next_pieces: u64,
}

/// A jump that can follow from a landing square.
#[derive(Clone, Copy)]
struct Edge {
    landing: usize,
    node: usize,
}

/// The captured pieces of a path: their squares, their indices, and every node that jumps over one of them.
#[derive(Clone, Copy)]
struct Captured<B> {
    squares: B,
    pieces: u64,
    nodes: u128,
}

/// The graph of one king's jumps.
pub(super) struct CaptureGraph<B> {
    first: Vec<Edge>,
    nodes: Vec<Node<B>>,
    /// The squares of the capturable pieces, in ascending order.
    pieces: Vec<usize>,
    /// The nodes that jump over each piece.
    nodes_over: Vec<u128>,
    /// The kings among the pieces.
    kings: u64,
    /// The visited states that need not be searched again: a node and the captured pieces.
    visited: HashSet<u64, BuildHasherDefault<StateHasher>>,
}

impl<B: Bitboard> CaptureGraph<B> {
    /// Return the index of the node for a jump, and add the node if it is new.
    fn node(&mut self, victim: usize, direction: usize, behind: B, landings: B) -> usize {
        let same = |node: &Node<B>| node.victim == victim && node.direction == direction;
        self.nodes.iter().position(same).unwrap_or_else(|| {
            let piece = self.pieces.binary_search(&victim).expect("a capturable piece is in the graph");
            let (edges, next_nodes, next_pieces) = (Vec::new(), 0, 0);
            self.nodes.push(Node { victim, direction, piece, behind, landings, edges, next_nodes, next_pieces });
            self.nodes.len() - 1
        })
    }
}

impl<B: Bitboard, R: RuleSource, const BLACK: bool> CaptureGenerator<'_, B, R, BLACK> {
    /// Return the graph of the capturing piece, or None if a graph is impossible or not worth building.
    #[inline(always)]
    pub(super) fn graph(&self, is_king: bool) -> Option<CaptureGraph<B>> {
        let is_fixed = is_king && R::flying_kings(&self.generator.rules) && !self.generator.rules.removal_at_once;
        if !is_fixed || self.victims[1].count() < MIN_PIECES || self.generator.precedence.depends_on_order() {
            return None;
        }
        self.build_graph()
    }

    #[cold]
    fn build_graph(&self) -> Option<CaptureGraph<B>> {
        let open = self.generator.geometry.board & !self.others;
        let mut capturable = B::EMPTY;
        for direction in 0..DIRECTIONS / 2 {
            let delta = R::delta(&self.generator.geometry, direction);
            capturable |= self.victims[1] & open.shifted(delta) & open.shifted(-delta);
        }
        if !(MIN_PIECES..=MAX_PIECES).contains(&capturable.count()) {
            return None;
        }
        let pieces: Vec<usize> = capturable.bits().collect();
        let kings = pieces.iter().rev().fold(0, |kings, piece| kings << 1 | u64::from(self.kings.has(*piece)));
        let nodes_over = vec![0; pieces.len()];
        let (first, nodes, visited) = (Vec::new(), Vec::new(), HashSet::default());
        let mut graph = CaptureGraph { first, nodes, pieces, nodes_over, kings, visited };
        let from = B::bit(self.from);
        graph.first = self.edges(&mut graph, from, from, Directions::ALL);
        let mut built = 0;
        while built < graph.nodes.len() {
            let Node { behind, landings, direction, piece, .. } = graph.nodes[built];
            let stops = self.stops(behind, landings);
            let edges = self.edges(&mut graph, behind, stops, self.directions_after(direction));
            if graph.nodes.len() > MAX_NODES {
                return None;
            }
            let pieces = edges.iter().fold(0, |pieces, edge| pieces | 1 << graph.nodes[edge.node].piece);
            graph.nodes_over[piece] |= 1 << built;
            let node = &mut graph.nodes[built];
            node.next_nodes = edges.iter().fold(0, |nodes, edge| nodes | 1 << edge.node);
            node.next_pieces = pieces & !(1 << piece);
            node.edges = edges;
            built += 1;
        }
        Some(graph)
    }

    /// Return the jumps from the squares where a king can stop, nearest square first.
    fn edges(&self, graph: &mut CaptureGraph<B>, behind: B, stops: B, allowed: Directions) -> Vec<Edge> {
        let directions = self.generator.king_captures(Side::new(BLACK));
        let mut edges: Vec<Edge> = Vec::new();
        for landing in behind.bits().chain((stops & !behind).bits()) {
            for direction in (0..DIRECTIONS).filter(|direction| directions.has(*direction) && allowed.has(*direction)) {
                let Some((victim, landings)) = self.flying_jump(landing, direction, B::EMPTY) else { continue };
                let near = self.generator.nearest(landings, direction).expect("a jump has a landing square");
                let node = graph.node(victim, direction, B::bit(near), landings);
                if self.paths == CapturePaths::All || edges.iter().all(|edge| edge.node != node) {
                    edges.push(Edge { landing, node });
                }
            }
        }
        edges
    }

    /// Find every capture in the graph, and return whether there is one.
    pub(super) fn search_graph(&mut self, mut graph: CaptureGraph<B>) -> bool {
        let first = std::mem::take(&mut graph.first);
        for edge in &first {
            self.visit(&mut graph, edge.node, Captured { squares: B::EMPTY, pieces: 0, nodes: 0 });
        }
        !first.is_empty()
    }

    /// Make the jump of a node, and continue or finish.
    fn visit(&mut self, graph: &mut CaptureGraph<B>, index: usize, captured: Captured<B>) {
        let Node { victim, piece, behind, landings, next_pieces, .. } = graph.nodes[index];
        let captured = Captured {
            squares: captured.squares | B::bit(victim),
            pieces: captured.pieces | 1 << piece,
            nodes: captured.nodes | graph.nodes_over[piece],
        };
        self.scratch.jumps.push(Jump { captured: victim as u16, landing: 0 });
        if next_pieces & !captured.pieces == 0 {
            self.finish_flying(victim, behind, landings, captured.squares);
        } else {
            self.expand(graph, index, captured);
        }
        self.scratch.jumps.pop();
    }

    /// Follow the edges of a node, unless that was done before or the best rank cannot be reached.
    fn expand(&mut self, graph: &mut CaptureGraph<B>, index: usize, captured: Captured<B>) {
        let state = captured.pieces | (index as u64) << MAX_PIECES;
        if !self.scratch.work.add(1) {
            return;
        }
        if graph.visited.try_reserve(1).is_err() {
            return self.scratch.work.fail_allocation();
        }
        let is_visited = match self.paths {
            CapturePaths::Distinct => !graph.visited.insert(state),
            CapturePaths::All => graph.visited.contains(&state),
        };
        if is_visited || self.cannot_reach_best(graph, index, &captured) {
            return;
        }
        let finished = self.finished;
        for edge in 0..graph.nodes[index].edges.len() {
            let Edge { landing, node } = graph.nodes[index].edges[edge];
            if captured.nodes >> node & 1 == 0 {
                self.set_landing(landing);
                self.visit(graph, node, captured);
            }
        }
        // If every path counts, only a state without captures need not be searched again.
        if self.paths == CapturePaths::All && self.finished == finished {
            graph.visited.insert(state);
        }
    }

    /// Return whether no capture from here can reach the best rank. The upper bound assumes that a path captures every
    /// reachable piece; of the pieces without a successor, it can capture only one, as the last.
    fn cannot_reach_best(&self, graph: &CaptureGraph<B>, index: usize, captured: &Captured<B>) -> bool {
        let (mut seen, mut ahead) = (0, graph.nodes[index].next_nodes & !captured.nodes);
        let (mut reached, mut after) = (0, [0; MAX_PIECES]);
        while ahead != 0 {
            let node = &graph.nodes[ahead.trailing_zeros() as usize];
            seen |= ahead & ahead.wrapping_neg();
            reached |= 1 << node.piece;
            after[node.piece] |= node.next_pieces & !captured.pieces;
            ahead = (ahead | node.next_nodes) & !(seen | captured.nodes);
        }
        let (mut last, mut only) = (0u32, 0u64);
        for piece in reached.bits() {
            // The piece has no successor, or its only successor is also the only successor of another piece.
            if after[piece] == 0 || after[piece].is_power_of_two() && only & after[piece] != 0 {
                last += 1;
            } else if after[piece].is_power_of_two() {
                only |= after[piece];
            }
        }
        let pieces = (reached | captured.pieces).count_ones() - last.saturating_sub(1);
        let kings = |among: u64| (among & graph.kings).count_ones() as usize;
        let kings = kings(captured.pieces)..=kings(reached | captured.pieces);
        self.generator.precedence.all_rank_lower(pieces as usize, kings, &self.best)
    }
}
