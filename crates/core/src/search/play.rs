//! What a family tells the search of its game.

use super::value::Value;
use crate::side::Side;

/// A game as the search sees it: positions, moves between them, and what they seem to be worth.
pub trait Play: Sync {
    /// A position, with what the draw rules have counted.
    type Node: Copy + Send + Sync;
    /// A move.
    type Move: Copy + PartialEq + Send + Sync;
    /// Memory that a searching thread keeps for making moves.
    type Scratch: Default + Send;

    /// Half of the first window around the score of the iteration before.
    const WINDOW: i32;
    /// By how much, for every ply of depth, a shallow search must exceed the bound to be believed.
    const DOUBT: i32;

    /// The side to move.
    fn side(&self, node: &Self::Node) -> Side;
    /// A number that equal positions share and others hardly ever do.
    fn key(&self, node: &Self::Node) -> u64;
    /// Every legal move, into an empty list; none when the game is over.
    fn moves(&self, node: &Self::Node, scratch: &mut Self::Scratch, list: &mut Vec<Self::Move>);
    /// The position after a legal move.
    fn after(&self, node: &Self::Node, played: &Self::Move, scratch: &mut Self::Scratch) -> Self::Node;
    /// What a game without a legal move left is worth to the side to move.
    fn end(&self, node: &Self::Node, scratch: &mut Self::Scratch) -> Value;
    /// What is known of a position without looking at its moves: a draw by a rule, or what a table has.
    fn known(&self, node: &Self::Node, scratch: &mut Self::Scratch) -> Option<Value>;
    /// How many plies the game can go on, at least, before something that was counted draws it.
    fn plies_left(&self, node: &Self::Node) -> i32;
    /// How often a position stands on the board when the game ends for that; None where it does not matter.
    fn repetition(&self) -> Option<usize>;
    /// What a position is worth where a game ends because it stands on the board again.
    fn repeated(&self, node: &Self::Node) -> i32;
    /// What the position seems to be worth to the side to move.
    fn evaluate(&self, node: &Self::Node) -> i32;
    /// What has to be looked at before a position can be evaluated; `first` where the search proper has just ended.
    ///
    /// The list, empty before, gets the moves.
    fn leaf(&self, node: &Self::Node, first: bool, scratch: &mut Self::Scratch, list: &mut Vec<Self::Move>) -> Leaf;

    /// A number for a move that few others of the position share; never 0.
    fn tag(&self, played: &Self::Move) -> u16;
    /// How good a move looks before anything is known of it; 0 for an ordinary one, and at most 30,000.
    fn promise(&self, node: &Self::Node, played: &Self::Move) -> i32;
    /// Whether the move is so far from ordinary that it is never looked at less deeply than others.
    fn is_loud(&self, node: &Self::Node, played: &Self::Move) -> bool;
    /// Whether no position from before the move can come again.
    fn is_final(&self, node: &Self::Node, played: &Self::Move) -> bool;
}

/// What has to be looked at before a position can be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// Nothing.
    Calm,
    /// All moves, which the list has: one of them must be played.
    Forced,
    /// The moves of the list; the side to move may also do without them.
    Choice,
    /// The game is over.
    Over,
}
