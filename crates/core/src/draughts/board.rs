//! A position with its mover, behind an interface of plain square indices.
//!
//! Squares are counted from 0, row by row from the top left, whatever the layout of the bits.

use std::any::Any;
use std::sync::Arc;

use super::captures::Ways;
use super::draw_counters::{CountChange, DrawCounters, DrawRule};
use super::evaluation::Judge;
use super::features::Features;
use super::jumps::Scratch;
use super::mover::{Ending, Mover};
use super::moves::{Jump, Move, Trail, Trails, Wanted};
use super::position::{KingRun, Position};
use super::replay::{Failure, Replayed, Scene, Script};
use super::squares::SquareSet;
use super::tree::Tree;
use crate::parallel::GoOn;
use crate::search::{self, Order, Question, Report};
use crate::series::{Playout, Series};
use crate::side::Side;

/// A move in square indices, with the way it goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SquareMove {
    /// Where the piece starts.
    pub from: u16,
    /// Where it ends.
    pub to: u16,
    /// Whether a man becomes a king.
    pub crowns: bool,
    /// Its jumps in order, none for a quiet move.
    pub jumps: Box<[Jump]>,
}

/// Everything on the board, in square indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The side to move.
    pub turn: Side,
    /// The men of White and those of Black.
    pub men: [Vec<usize>; 2],
    /// The kings of White and those of Black.
    pub kings: [Vec<usize>; 2],
    /// The king of each side that has moved quietly, and how often in a row.
    pub runs: [Option<(usize, u8)>; 2],
}

/// A position of any game. The answers are those of the rules that it was made with.
pub trait Board: Send + Sync {
    /// The side to move.
    fn turn(&self) -> Side;
    /// Everything on the board.
    fn setup(&self) -> Setup;
    /// The piece on a square: its side, and whether it is a king.
    fn piece_at(&self, square: usize) -> Option<(Side, bool)>;
    /// A number that equal positions share and others hardly ever do.
    fn hash_key(&self) -> u64;
    /// Whether the other is the same position of the same mover type.
    fn equals(&self, other: &dyn Board) -> bool;
    /// Every legal move; captures once, or once for every way they can go. None where `go_on` said to stop.
    fn legal_moves(&self, every_path: bool, go_on: GoOn<'_>) -> Option<Vec<SquareMove>>;
    /// The legal moves that begin on the first square, end on the last, and go over those between.
    fn find_moves(&self, squares: &[u16]) -> Vec<SquareMove>;
    /// Whether the move is legal; the way it goes does not matter.
    fn is_legal(&self, played: &SquareMove) -> bool;
    /// The legal move that equals this one, with the path that `legal_moves` gives it, and whether another legal move
    /// has the same start and end.
    fn find_listed(&self, played: &SquareMove) -> Option<(SquareMove, bool)>;
    /// The position after a move, which must be a legal one.
    fn after(&self, played: &SquareMove) -> Box<dyn Board>;
    /// Who won and how, or None while the game goes on.
    fn ending(&self) -> Option<(Side, Ending)>;
    /// The draw counters of a game that begins here.
    fn begin_counters(&self) -> DrawCounters;
    /// The draw counters after a legal move that leads to `after`, a position of the same rules.
    fn advance_counters(&self, counters: &DrawCounters, played: &SquareMove, after: &dyn Board) -> DrawCounters;
    /// Whether a rule draws the game at these counts, or allows players to claim a draw.
    fn is_drawn(&self, counters: &DrawCounters) -> bool;
    /// The count of one draw rule in a game that begins here; None if the rule does not apply or has no count.
    fn begin_count(&self, rule: &DrawRule) -> Option<u16>;
    /// How a legal move that leads to `after` changes the count of one draw rule that applied before it or did not.
    fn count_change(&self, rule: &DrawRule, applied: bool, played: &SquareMove, after: &dyn Board) -> CountChange;
    /// The number of move sequences of a length, captures once or once for every way they can go; None where `go_on`
    /// said to stop.
    fn perft(&self, depth: u32, every_path: bool, threads: usize, go_on: GoOn<'_>) -> Option<u64>;
    /// Random games from here, or None where `go_on` said to stop.
    fn playouts(&self, series: &Series, go_on: GoOn<'_>) -> Option<Vec<Playout>>;
    /// Where a written game leads from here, or None where that is not known. There is a scene for each set-up in it;
    /// `told` is given what every step came to.
    fn replay(
        &self,
        script: &Script,
        scenes: &[Scene<'_>],
        told: Option<&mut Vec<Replayed>>,
    ) -> Result<Option<Box<dyn Board>>, Failure>;
    /// What the position is worth to the side to move, in hundredths of a man; None where the evaluation was made for
    /// boards of another type.
    fn evaluate(&self, judge: &dyn Judge) -> Option<i32>;
    /// Thinks about the position that moves lead to from here; see `search::think`. Nothing is found where the
    /// evaluation was made for boards of another type.
    fn think(
        &self,
        moves: &[SquareMove],
        judge: &dyn Judge,
        order: &Order<'_>,
        told: &mut dyn FnMut(Report<SquareMove>),
    ) -> Vec<Report<SquareMove>>;
    /// For `equals` and `replay`.
    fn as_any(&self) -> &dyn Any;
}

/// A position and its mover.
pub(super) struct Seat<S, F> {
    pub(super) mover: Arc<Mover<S, F>>,
    pub(super) position: Position<S>,
}

impl<S: SquareSet, F: Features> Seat<S, F> {
    /// The position that the setup describes; squares are on the board and named once.
    pub(super) fn new(mover: &Arc<Mover<S, F>>, setup: &Setup) -> Self {
        let bits = &mover.geometry.bits;
        let set = |squares: &[usize]| squares.iter().fold(S::EMPTY, |set, square| set | S::bit(bits[*square]));
        let mut position = Position::empty(setup.turn);
        for side in [0, 1] {
            let kings = set(&setup.kings[side]);
            position.pieces[side] = set(&setup.men[side]) | kings;
            position.kings |= kings;
            if let Some((square, moves)) = setup.runs[side]
                && mover.rules.king_move_limit > 0
            {
                position.runs[side] = KingRun { bit: bits[square] as u16, moves };
            }
        }
        position.drop_idle_runs();
        Seat { mover: Arc::clone(mover), position }
    }

    fn square(&self, bit: u16) -> u16 {
        self.mover.geometry.squares[usize::from(bit)] as u16
    }

    fn to_squares(&self, trail: Trail<S>) -> SquareMove {
        let mut jumps = trail.jumps;
        for jump in &mut jumps {
            *jump = Jump { captured: self.square(jump.captured), landing: self.square(jump.landing) };
        }
        let Move { from, to, crowns, .. } = trail.played;
        SquareMove { from: self.square(from), to: self.square(to), crowns, jumps }
    }

    pub(super) fn to_bits(&self, played: &SquareMove) -> Move<S> {
        let bit = |square: u16| self.mover.geometry.bits[usize::from(square)];
        let captured = played.jumps.iter().fold(S::EMPTY, |set, jump| set | S::bit(bit(jump.captured)));
        Move { captured, from: bit(played.from) as u16, to: bit(played.to) as u16, crowns: played.crowns }
    }

    /// Another position of the same rules.
    fn sibling<'a>(&self, other: &'a dyn Board) -> &'a Self {
        other.as_any().downcast_ref().expect("the positions have the same rules")
    }

    /// The moves of a line from a position, with the ways they go.
    fn line(&self, mut position: Position<S>, line: &[Move<S>]) -> Vec<SquareMove> {
        let mut squares = Vec::with_capacity(line.len());
        for played in line {
            let mut go_on = || true;
            let mut trails = Trails::new(&mut go_on);
            self.mover.generate(&position, Ways::Distinct, &mut Scratch::default(), &mut trails);
            let trail = trails.list.into_iter().find(|trail| trail.played == *played);
            squares.extend(trail.map(|trail| self.to_squares(trail)));
            position = self.mover.after(&position, played);
        }
        squares
    }
}

impl<S: SquareSet, F: Features> Board for Seat<S, F> {
    fn turn(&self) -> Side {
        self.position.turn
    }

    fn setup(&self) -> Setup {
        let squares = |set: S| self.mover.geometry.squares_of(set).collect::<Vec<_>>();
        let sides = [Side::White, Side::Black];
        Setup {
            turn: self.position.turn,
            men: sides.map(|side| squares(self.position.men(side))),
            kings: sides.map(|side| squares(self.position.of(side) & self.position.kings)),
            runs: self.position.runs.map(|run| (run.moves > 0).then(|| (self.square(run.bit).into(), run.moves))),
        }
    }

    fn piece_at(&self, square: usize) -> Option<(Side, bool)> {
        let bit = self.mover.geometry.bits[square];
        let side = [Side::White, Side::Black].into_iter().find(|side| self.position.of(*side).has(bit))?;
        Some((side, self.position.kings.has(bit)))
    }

    fn hash_key(&self) -> u64 {
        self.position.hash_key()
    }

    fn equals(&self, other: &dyn Board) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| other.position == self.position)
    }

    fn legal_moves(&self, every_path: bool, go_on: GoOn<'_>) -> Option<Vec<SquareMove>> {
        let mut trails = Trails::new(go_on);
        self.mover.generate(&self.position, Ways::new(every_path), &mut Scratch::default(), &mut trails);
        trails.complete.then(|| trails.list.into_iter().map(|trail| self.to_squares(trail)).collect())
    }

    fn find_moves(&self, squares: &[u16]) -> Vec<SquareMove> {
        let legal = self.legal_moves(false, &mut || true).unwrap_or_default();
        self.mover.named(&self.position, legal, squares)
    }

    fn is_legal(&self, played: &SquareMove) -> bool {
        let mut wanted = Wanted::new(self.to_bits(played));
        self.mover.generate(&self.position, Ways::Distinct, &mut Scratch::default(), &mut wanted);
        wanted.found
    }

    fn find_listed(&self, played: &SquareMove) -> Option<(SquareMove, bool)> {
        if played.jumps.is_empty() && self.mover.rules.capture_compulsory {
            // Quiet moves are listed without captures then, and no two of them share both squares.
            return self.is_legal(played).then(|| (played.clone(), false));
        }
        let wanted = self.to_bits(played);
        let legal = self.legal_moves(false, &mut || true).unwrap_or_default();
        let twins = legal.iter().filter(|other| (other.from, other.to) == (played.from, played.to)).count();
        legal.into_iter().find(|other| self.to_bits(other) == wanted).map(|listed| (listed, twins > 1))
    }

    fn after(&self, played: &SquareMove) -> Box<dyn Board> {
        let position = self.mover.after(&self.position, &self.to_bits(played));
        Box::new(Seat { mover: Arc::clone(&self.mover), position })
    }

    fn ending(&self) -> Option<(Side, Ending)> {
        self.mover.ending(&self.position, &mut Scratch::default())
    }

    fn begin_counters(&self) -> DrawCounters {
        self.mover.begin_counters(&self.position)
    }

    fn advance_counters(&self, counters: &DrawCounters, played: &SquareMove, after: &dyn Board) -> DrawCounters {
        let (played, after) = (self.to_bits(played), &self.sibling(after).position);
        self.mover.advance_counters(*counters, &self.position, &played, after)
    }

    fn is_drawn(&self, counters: &DrawCounters) -> bool {
        self.mover.draws.is_drawn(counters)
    }

    fn begin_count(&self, rule: &DrawRule) -> Option<u16> {
        self.mover.begin_count(rule, &self.position)
    }

    fn count_change(&self, rule: &DrawRule, applied: bool, played: &SquareMove, after: &dyn Board) -> CountChange {
        let (played, after) = (self.to_bits(played), &self.sibling(after).position);
        self.mover.count_change(rule, applied, &self.position, &played, after)
    }

    fn perft(&self, depth: u32, every_path: bool, threads: usize, go_on: GoOn<'_>) -> Option<u64> {
        self.mover.perft(&self.position, depth, Ways::new(every_path), threads, go_on)
    }

    fn playouts(&self, series: &Series, go_on: GoOn<'_>) -> Option<Vec<Playout>> {
        series.play(go_on, |random, go_on| self.mover.playout(&self.position, random, series.longest, go_on))
    }

    fn replay(
        &self,
        script: &Script,
        scenes: &[Scene<'_>],
        told: Option<&mut Vec<Replayed>>,
    ) -> Result<Option<Box<dyn Board>>, Failure> {
        Ok(self.follow(script, scenes, told)?.map(|end| Box::new(end) as Box<dyn Board>))
    }

    fn evaluate(&self, judge: &dyn Judge) -> Option<i32> {
        let evaluation = judge.as_any().downcast_ref()?;
        Some(self.mover.evaluate(evaluation, &self.position))
    }

    fn think(
        &self,
        moves: &[SquareMove],
        judge: &dyn Judge,
        order: &Order<'_>,
        told: &mut dyn FnMut(Report<SquareMove>),
    ) -> Vec<Report<SquareMove>> {
        let Some(evaluation) = judge.as_any().downcast_ref() else { return Vec::new() };
        let tree = Tree { mover: &self.mover, evaluation };
        let start = tree.begin(self.position);
        let question = Question::new(&tree, start, moves.iter().map(|played| self.to_bits(played)));
        let in_squares =
            |report: &Report<Move<S>>| report.with_line(self.line(question.node.position, &report.line).into_iter());
        let lines = search::think(&tree, &question, order, &mut |report| told(in_squares(report)));
        lines.iter().map(in_squares).collect()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
