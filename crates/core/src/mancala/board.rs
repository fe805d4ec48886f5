//! A position with its mover, behind an interface that does not say how pits are kept.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use super::mover::{Ending, Mover};
use super::moves::{Move, Yield};
use super::position::Position;
use super::row::{Row, Wide};
use super::rules::Rules;
use super::setup::Setup;
use super::solve::Tables;
use super::tree::Tree;
use crate::parallel::GoOn;
use crate::search::{self, Order, Play, Question, Report};
use crate::series::{Playout, Series};
use crate::side::Side;

/// A position with its mover.
pub trait Board: Send + Sync {
    /// The side to move.
    fn turn(&self) -> Side;
    /// Everything on the board.
    fn setup(&self) -> Setup;
    /// A number that equal positions share and others hardly ever do.
    fn hash_key(&self) -> u64;
    /// Whether the other is the same position; the rules must be the same.
    fn equals(&self, other: &dyn Board) -> bool;
    /// Gives every legal move, houses in ascending order, and what it comes to.
    fn each_move(&self, take: &mut dyn FnMut((Move, Yield)));
    /// Whether a move is legal.
    fn is_legal(&self, played: Move) -> bool;
    /// The position after a move, which must not be of an empty house.
    fn after(&self, played: Move) -> Box<dyn Board>;
    /// What each side has: its store, and its houses where they count.
    fn score(&self) -> [u16; 2];
    /// Who won, if anybody did, and why the game is over; None while it goes on.
    fn ending(&self) -> Option<(Option<Side>, Ending)>;
    /// The number of move sequences of a length, or None where `go_on` said to stop.
    fn perft(&self, depth: u32, threads: usize, go_on: GoOn<'_>) -> Option<u64>;
    /// Random games from here, or None where `go_on` said to stop.
    fn playouts(&self, series: &Series, go_on: GoOn<'_>) -> Option<Vec<Playout>>;
    /// What the position seems to be worth to the side to move, in hundredths of a seed.
    fn evaluate(&self) -> i32;
    /// Thinks about the position that moves lead to from here; see `search::think`.
    fn think(
        &self,
        moves: &[Move],
        order: &Order<'_>,
        told: &mut dyn FnMut(Report<(Move, Yield)>),
    ) -> Vec<Report<(Move, Yield)>>;
    /// For `equals`.
    fn as_any(&self) -> &dyn Any;
}

/// Rules made ready: packed rows where a board fits them, wide ones else.
pub struct Game {
    packed: Option<Arc<Mover<u64>>>,
    wide: Arc<Mover<Wide>>,
    tables: Arc<SmallTables>,
}

/// Tables for the searches of a game, built before the first of them.
type SmallTables = OnceLock<Option<Tables>>;

impl Game {
    /// A game by these rules.
    pub fn new(rules: Rules) -> Self {
        let fits = rules.houses < u64::ROOM;
        Game {
            packed: fits.then(|| Arc::new(Mover::new(rules))),
            wide: Arc::new(Mover::new(rules)),
            tables: Arc::default(),
        }
    }

    /// The position that the setup describes: as many houses as the rules have, `MAX_SEEDS` at most.
    pub fn board(&self, setup: &Setup) -> Box<dyn Board> {
        match &self.packed {
            Some(packed) if setup.total() <= u64::MAX_SEEDS => Box::new(Seat::new(packed, &self.tables, setup)),
            _ => Box::new(Seat::new(&self.wide, &self.tables, setup)),
        }
    }
}

struct Seat<R> {
    mover: Arc<Mover<R>>,
    tables: Arc<SmallTables>,
    position: Position<R>,
}

impl<R: Row> Seat<R> {
    fn new(mover: &Arc<Mover<R>>, tables: &Arc<SmallTables>, setup: &Setup) -> Self {
        Seat { mover: Arc::clone(mover), tables: Arc::clone(tables), position: Position::new(setup) }
    }

    /// The position after a move.
    fn next(&self, played: Move) -> Self {
        let (mover, tables) = (Arc::clone(&self.mover), Arc::clone(&self.tables));
        Seat { position: mover.after(&self.position, played), mover, tables }
    }
}

impl<R: Row> Board for Seat<R> {
    fn turn(&self) -> Side {
        self.position.turn
    }

    fn setup(&self) -> Setup {
        let houses = self.mover.rules.houses;
        Setup {
            turn: self.position.turn,
            houses: self.position.rows().map(|row| (0..houses).map(|house| row.get(house)).collect()),
            stores: self.position.rows().map(|row| row.get(houses)),
            swap_open: self.position.swap_open,
        }
    }

    fn hash_key(&self) -> u64 {
        self.position.hash_key()
    }

    fn equals(&self, other: &dyn Board) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| other.position == self.position)
    }

    fn each_move(&self, take: &mut dyn FnMut((Move, Yield))) {
        for played in self.mover.legal_moves(&self.position) {
            take((played, self.mover.play(&mut self.position.clone(), played)));
        }
    }

    fn is_legal(&self, played: Move) -> bool {
        self.mover.legal_moves(&self.position).has(played)
    }

    fn after(&self, played: Move) -> Box<dyn Board> {
        Box::new(self.next(played))
    }

    fn score(&self) -> [u16; 2] {
        self.mover.score(&self.position)
    }

    fn ending(&self) -> Option<(Option<Side>, Ending)> {
        self.mover.ending(&self.position)
    }

    fn perft(&self, depth: u32, threads: usize, go_on: GoOn<'_>) -> Option<u64> {
        self.mover.perft(&self.position, depth, threads, go_on)
    }

    fn playouts(&self, series: &Series, go_on: GoOn<'_>) -> Option<Vec<Playout>> {
        series.play(go_on, |random, go_on| self.mover.playout(&self.position, random, series.longest, go_on))
    }

    fn evaluate(&self) -> i32 {
        Tree { mover: &self.mover, tables: None }.evaluate(&self.position)
    }

    fn think(
        &self,
        moves: &[Move],
        order: &Order<'_>,
        told: &mut dyn FnMut(Report<(Move, Yield)>),
    ) -> Vec<Report<(Move, Yield)>> {
        // A plain search looks at moves and ends alone.
        let tables = || self.tables.get_or_init(|| Tables::small(self.mover.rules)).as_ref();
        let tree = Tree { mover: &self.mover, tables: if order.plain { None } else { tables() } };
        let question = Question::new(&tree, self.position, moves.iter().copied());
        let with_yields = |report: &Report<Move>| {
            let mut position = question.node;
            report.with_line(report.line.iter().map(|played| (*played, self.mover.play(&mut position, *played))))
        };
        let lines = search::think(&tree, &question, order, &mut |report| told(with_yields(report)));
        lines.iter().map(with_yields).collect()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
pub(super) mod tests;
