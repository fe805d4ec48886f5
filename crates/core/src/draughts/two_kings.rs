//! The endgame of one king against one king, solved by retrograde analysis.
//!
//! With two pieces on the board, the moves of a king follow from the rays of its square. The solver therefore does not
//! use the move generator, which would take seconds on the largest boards.

use super::bitboard::Bitboard;
use super::directions::{DIRECTIONS, Directions};
use super::generator::MoveGenerator;
use super::geometry::Geometry;
use super::position::Position;
use super::rules::Rules;
use super::specialisation::RuleSource;
use crate::side::Side;

/// The value of a position for the side to move. It counts as a draw until a win or a loss is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Draw,
    Win,
    Loss,
}

/// A position: the squares of the white and the black king, and the side to move.
#[derive(Clone, Copy, Debug)]
struct Kings {
    squares: [usize; 2],
    turn: Side,
}

/// The endgame table of all positions with one king per side. Draw rules are ignored.
#[derive(Debug)]
pub(super) struct TwoKings {
    squares: usize,
    values: Vec<Value>,
}

impl TwoKings {
    fn index(&self, kings: Kings) -> usize {
        (kings.squares[0] * self.squares + kings.squares[1]) * 2 + kings.turn.index()
    }

    fn get(&self, kings: Kings) -> Value {
        self.values[self.index(kings)]
    }
}

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    /// Return whether one side wins by force in a position with one king per side; false in any other position. The
    /// table is computed on first use.
    #[inline(never)]
    pub(super) fn is_two_kings_decided(&self, position: &Position<B>) -> bool {
        if position.pieces.iter().any(|pieces| pieces.count() != 1) {
            return false;
        }
        let squares = position.pieces.map(|king| self.geometry.squares[king.lowest()]);
        let solve = || Solver::new(&self.geometry, &self.rules).solve();
        let values = self.draws.two_kings.get_or_init(solve);
        self.is_over_immediately(position) || values.get(Kings { squares, turn: position.turn }) != Value::Draw
    }
}

/// The squares of a ray in order, from the nearest one to the edge.
type Line = Vec<usize>;

/// The retrograde analysis.
struct Solver {
    /// By side and square: the rays in which a king moves, and those in which it captures.
    moves: [Vec<Vec<Line>>; 2],
    captures: [Vec<Vec<Line>>; 2],
    flying: bool,
    /// Whether captures are compulsory.
    compulsory: bool,
    /// The value for the side to move if it captures, which ends the game, and if it cannot move.
    capturing: Value,
    stuck: Value,
    table: TwoKings,
}

impl Solver {
    fn new<B: Bitboard>(geometry: &Geometry<B>, rules: &Rules) -> Self {
        let lines =
            |directions: Directions| [Side::White, Side::Black].map(|side| lines(geometry, directions.of(side)));
        let squares = geometry.bits.len();
        Solver {
            moves: lines(rules.king_moves),
            captures: lines(rules.king_captures),
            flying: rules.flying_kings,
            compulsory: rules.capture_compulsory,
            capturing: if rules.losing { Value::Loss } else { Value::Win },
            stuck: if rules.losing { Value::Win } else { Value::Loss },
            table: TwoKings { squares, values: vec![Value::Draw; squares * squares * 2] },
        }
    }

    fn solve(mut self) -> TwoKings {
        let squares = self.table.squares;
        let pairs = (0..squares).flat_map(|white| (0..squares).map(move |black| [white, black]));
        let all: Vec<Kings> = pairs
            .filter(|[white, black]| white != black)
            .flat_map(|squares| [Side::White, Side::Black].map(|turn| Kings { squares, turn }))
            .collect();
        // The first pass decides the positions with a capture or without a move. The second pass re-evaluates all
        // others. After that, only predecessors of positions decided in the second pass can change.
        for kings in &all {
            self.decide(*kings);
        }
        let mut decided: Vec<Kings> = all.into_iter().filter(|kings| self.decide(*kings)).collect();
        // A decided position can decide its predecessors, in which the king that moved was on another square.
        while let Some(after) = decided.pop() {
            let moved = after.turn.opponent();
            for from in (0..squares).filter(|from| !after.squares.contains(from)) {
                let mut before = Kings { turn: moved, ..after };
                before.squares[moved.index()] = from;
                if self.decide(before) {
                    decided.push(before);
                }
            }
        }
        self.table
    }

    /// Re-evaluate a position that is a draw so far, and return whether it is now a win or a loss.
    fn decide(&mut self, kings: Kings) -> bool {
        let index = self.table.index(kings);
        if self.table.values[index] == Value::Draw {
            self.table.values[index] = self.value(kings);
            return self.table.values[index] != Value::Draw;
        }
        false
    }

    /// Return the value of a position by one step of negamax.
    fn value(&self, kings: Kings) -> Value {
        let side = kings.turn.index();
        let (own, other) = (kings.squares[side], kings.squares[1 - side]);
        let mut best = None;
        if self.captures[side][own].iter().any(|line| self.can_capture(line, other)) {
            if self.compulsory || self.capturing == Value::Win {
                return self.capturing;
            }
            best = Some(self.capturing);
        }
        for line in &self.moves[side][own] {
            let reach = if self.flying { line.len() } else { line.len().min(1) };
            for &to in line[..reach].iter().take_while(|to| **to != other) {
                let mut after = Kings { turn: kings.turn.opponent(), ..kings };
                after.squares[side] = to;
                match self.table.get(after) {
                    Value::Loss => return Value::Win,
                    Value::Draw => best = Some(Value::Draw),
                    Value::Win => best = best.or(Some(Value::Loss)),
                }
            }
        }
        best.unwrap_or(self.stuck)
    }

    /// Return whether a king can capture the other one on a line: the square behind it must be empty.
    fn can_capture(&self, line: &Line, other: usize) -> bool {
        let place = line.iter().position(|square| *square == other);
        place.is_some_and(|place| (self.flying || place == 0) && place + 1 < line.len())
    }
}

/// Return the rays of each square in the given directions.
fn lines<B: Bitboard>(geometry: &Geometry<B>, directions: Directions) -> Vec<Vec<Line>> {
    let line = |bit: usize, direction: usize| {
        let mut line: Line = geometry.squares_of(geometry.rays[bit][direction]).collect();
        if geometry.deltas[direction] < 0 {
            line.reverse();
        }
        line
    };
    let from = |bit: &usize| (0..DIRECTIONS).filter(|it| directions.has(*it)).map(|it| line(*bit, it)).collect();
    geometry.bits.iter().map(from).collect()
}
