//! Mancala as the search sees it.

use super::mover::Mover;
use super::moves::Move;
use super::position::Position;
use super::row::Row;
use super::solver::EndgameTables;
use crate::search::{HUNDREDTHS, Leaf, Play, Value};
use crate::side::Side;

/// A seed in an own house is likely, but not sure, to be one's own in the end.
const IN_HOUSE: i32 = HUNDREDTHS / 3;
/// What it is worth to be the one who moves.
const TO_MOVE: i32 = HUNDREDTHS / 2;
/// What an extra turn promises, in captured seeds.
const EXTRA_TURN: i32 = 20;

/// A mover, as the search sees it.
pub(super) struct Tree<'a, R> {
    pub(super) mover: &'a Mover<R>,
    /// What positions with few seeds are worth.
    pub(super) tables: Option<&'a EndgameTables>,
}

impl<R: Row> Tree<'_, R> {
    /// By how much the side to move is ahead, if the game were over.
    #[inline(always)]
    fn margin(&self, position: &Position<R>) -> i32 {
        (self.mover.lead(position) + self.mover.rest(position)) * HUNDREDTHS
    }
}

impl<R: Row> Play for Tree<'_, R> {
    type Node = Position<R>;
    type Move = Move;
    type Scratch = ();

    const WINDOW: i32 = HUNDREDTHS;
    const DOUBT: i32 = HUNDREDTHS / 2;

    #[inline(always)]
    fn side(&self, node: &Position<R>) -> Side {
        node.turn
    }

    #[inline(always)]
    fn key(&self, node: &Position<R>) -> u64 {
        node.hash_key()
    }

    #[inline(always)]
    fn moves(&self, node: &Position<R>, (): &mut (), list: &mut Vec<Move>) {
        list.extend(self.mover.legal_moves(node));
    }

    #[inline(always)]
    fn after(&self, node: &Position<R>, played: &Move, (): &mut ()) -> Position<R> {
        self.mover.after(node, *played)
    }

    fn end(&self, node: &Position<R>, (): &mut ()) -> Value {
        Value::proven(self.margin(node))
    }

    #[inline(always)]
    fn known(&self, node: &Position<R>, (): &mut ()) -> Option<Value> {
        // Tables know of no swap, and of what is still to come alone.
        let tables = self.tables.filter(|_| !node.swap_open)?;
        let to_come = i32::from(tables.margin_of(node.own, node.other)?);
        Some(Value::proven((self.mover.lead(node) + to_come) * HUNDREDTHS))
    }

    fn plies_left(&self, _: &Position<R>) -> i32 {
        i32::MAX
    }

    /// A game that goes round in a circle once goes on so: no time is lost with a second round.
    #[inline(always)]
    fn repetition(&self) -> Option<usize> {
        Some(2)
    }

    /// Each side keeps what it has.
    #[inline(always)]
    fn repeated(&self, node: &Position<R>) -> i32 {
        self.margin(node)
    }

    #[inline(always)]
    fn evaluate(&self, node: &Position<R>) -> i32 {
        self.mover.lead(node) * HUNDREDTHS + self.mover.rest(node) * IN_HOUSE + TO_MOVE
    }

    /// Extra turns and captures are followed; the side to move may do without them.
    #[inline(always)]
    fn leaf(&self, node: &Position<R>, _: bool, (): &mut (), list: &mut Vec<Move>) -> Leaf {
        let moves = self.mover.legal_moves(node);
        if moves.is_empty() {
            return Leaf::Over;
        }
        list.extend(moves.filter(|played| self.is_loud(node, &played)));
        if list.is_empty() { Leaf::Calm } else { Leaf::Choice }
    }

    #[inline(always)]
    fn tag(&self, played: &Move) -> u16 {
        match played {
            Move::Sow(house) => u16::from(*house) + 1,
            Move::Swap => u16::from(u8::MAX),
        }
    }

    /// Extra turns first, those of the last houses before others, then what captures most.
    #[inline(always)]
    fn promise(&self, node: &Position<R>, played: &Move) -> i32 {
        let mut after = *node;
        let result = self.mover.play(&mut after, *played);
        match played {
            Move::Sow(house) if result.extra_turn => EXTRA_TURN + i32::from(*house),
            _ => i32::from(result.captured).min(10_000),
        }
    }

    #[inline(always)]
    fn is_loud(&self, node: &Position<R>, played: &Move) -> bool {
        let mut after = *node;
        let result = self.mover.play(&mut after, *played);
        result.extra_turn || result.captured > 0
    }

    /// Seeds in a store never leave it.
    #[inline(always)]
    fn is_final(&self, node: &Position<R>, played: &Move) -> bool {
        let houses = self.mover.rules.houses;
        let after = self.mover.after(node, *played);
        let stores = |position: &Position<R>| position.own.get(houses) + position.other.get(houses);
        matches!(played, Move::Swap) || stores(&after) > stores(node)
    }
}
