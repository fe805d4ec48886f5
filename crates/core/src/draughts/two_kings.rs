//! The ending of one king against one king, solved by retrograde analysis.

use super::captures::Ways;
use super::features::Features;
use super::jumps::Scratch;
use super::mover::Mover;
use super::moves::Move;
use super::position::Position;
use super::squares::SquareSet;
use crate::side::Side;

/// The value of a position to the side to move, as far as it is known: a draw until a win or a loss is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Draw,
    Win,
    Loss,
}

/// The values of all positions with one king a side. Draw rules are ignored.
#[derive(Debug)]
pub(super) struct TwoKings(Vec<Value>);

impl<S: SquareSet, F: Features> Mover<S, F> {
    /// Whether one side wins by force in a position with one king a side; false in any other. The table is computed on
    /// first use.
    #[inline(never)]
    pub(super) fn is_two_kings_decided(&self, position: &Position<S>, scratch: &mut Scratch<S>) -> bool {
        if position.pieces.iter().any(|pieces| pieces.count() != 1) {
            return false;
        }
        let table = self.draws.two_kings.get_or_init(|| self.solve_two_kings(scratch));
        table.0[self.two_kings_index(position)] != Value::Draw
    }

    fn solve_two_kings(&self, scratch: &mut Scratch<S>) -> TwoKings {
        let bits = &self.geometry.bits;
        let mut table = TwoKings(vec![Value::Draw; bits.len() * bits.len() * 2]);
        let pairs = || bits.iter().flat_map(|white| bits.iter().map(move |black| (*white, *black)));
        let all = || pairs().filter(|(white, black)| white != black).flat_map(|(white, black)| two_kings(white, black));
        // The positions in which the next move wins are known first: most of the others depend on them alone.
        for position in all().filter(|position| self.could_capture(position, position.turn)) {
            table.0[self.two_kings_index(&position)] = self.two_kings_value(&table, &position, scratch);
        }
        let mut decided = Vec::new();
        for position in all() {
            self.decide(&mut table, position, &mut decided, scratch);
        }
        // A position that is decided can decide those before it: the king of the side that moved came from any square.
        while let Some(position) = decided.pop() {
            let moved = position.turn.opponent();
            for from in bits.iter().map(|bit| S::bit(*bit)).filter(|from| (*from & position.kings).is_empty()) {
                let mut before = Position::empty(moved);
                before.pieces[moved.index()] = from;
                before.pieces[position.turn.index()] = position.of(position.turn);
                before.kings = before.occupied();
                self.decide(&mut table, before, &mut decided, scratch);
            }
        }
        table
    }

    /// Set the value of a position that is a draw so far; add the position to `decided` if it is not a draw any more.
    fn decide(
        &self,
        table: &mut TwoKings,
        position: Position<S>,
        decided: &mut Vec<Position<S>>,
        scratch: &mut Scratch<S>,
    ) {
        let index = self.two_kings_index(&position);
        if table.0[index] == Value::Draw {
            table.0[index] = self.two_kings_value(table, &position, scratch);
            if table.0[index] != Value::Draw {
                decided.push(position);
            }
        }
    }

    /// The value that follows from the values after each move.
    fn two_kings_value(&self, table: &TwoKings, position: &Position<S>, scratch: &mut Scratch<S>) -> Value {
        let ended = |position: &Position<S>, scratch: &mut Scratch<S>| match self.ending(position, scratch) {
            None => Value::Draw,
            Some((winner, _)) if winner == position.turn => Value::Win,
            Some(_) => Value::Loss,
        };
        let mut moves: Vec<Move<S>> = Vec::new();
        self.generate(position, Ways::Distinct, scratch, &mut moves);
        if moves.is_empty() {
            return ended(position, scratch);
        }
        let mut best = Value::Loss;
        for played in moves {
            let after = self.after(position, &played);
            let is_captured = !played.captured.is_empty();
            match if is_captured { ended(&after, scratch) } else { table.0[self.two_kings_index(&after)] } {
                Value::Loss => return Value::Win,
                Value::Draw => best = Value::Draw,
                Value::Win => (),
            }
        }
        best
    }

    fn two_kings_index(&self, position: &Position<S>) -> usize {
        let [white, black] = position.pieces.map(|king| self.geometry.squares[king.lowest()]);
        (white * self.geometry.bits.len() + black) * 2 + position.turn.index()
    }
}

/// The two positions with kings on these bits.
fn two_kings<S: SquareSet>(white: usize, black: usize) -> [Position<S>; 2] {
    let kings = [S::bit(white), S::bit(black)];
    let position = |turn| Position { pieces: kings, kings: kings[0] | kings[1], ..Position::empty(turn) };
    [Side::White, Side::Black].map(position)
}
