//! Positions with their rules, behind a trait object that hides the representation of rows.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use super::arrays::{ActionEncoding, ArrayFormat};
use super::batch::{self, MancalaBatch, RepetitionEnd};
use super::generator::{Ending, MoveGenerator};
use super::moves::{Move, SowResult};
use super::position::Position;
use super::row::{Row, WideRow};
use super::rules::Rules;
use super::search_game::MancalaSearch;
use super::setup::Setup;
use super::solver::EndgameTables;
use crate::actions::ActionError;
use crate::arrays::RowError;
use crate::envs::{Settings, StartError};
use crate::random_games::{Playout, RandomGames};
use crate::search::{self, FunctionEvaluation, RootPosition, SearchConfig, SearchGame, SearchInfo};
use crate::side::Side;
use crate::work::Monitor;

/// A position with its rules.
pub trait Board: Send + Sync {
    /// Return the side to move.
    fn turn(&self) -> Side;
    /// Return the position as numbers of seeds.
    fn setup(&self) -> Setup;
    /// Return a 64-bit hash key.
    fn hash_key(&self) -> u64;
    /// Return whether two positions under the same rules are equal.
    fn equals(&self, other: &dyn Board) -> bool;
    /// Call a function with every legal move and its result, houses in ascending order.
    fn for_each_move(&self, take: &mut dyn FnMut((Move, SowResult)));
    /// Return whether a move is legal.
    fn is_legal(&self, played: Move) -> bool;
    /// Return the position after a move, whose house must not be empty.
    fn after(&self, played: Move) -> Box<dyn Board>;
    /// Return the mirror image: each side has the seeds of the other, and the other side is to move. None if sides can
    /// still be swapped, because that is a right of North only.
    fn mirror(&self) -> Option<Box<dyn Board>>;
    /// Return the score of each side: its store, and its houses if the rules count them.
    fn score(&self) -> [u16; 2];
    /// Return the winner, or None for a draw, and why the game is over; None if it is not over.
    fn ending(&self) -> Option<(Option<Side>, Ending)>;
    /// Return the number of move sequences of a length, or None if the monitor cancelled the count.
    fn perft(&self, depth: u32, threads: usize, monitor: &dyn Monitor) -> Option<u64>;
    /// Play random games from here; return None if the monitor cancelled them.
    fn playouts(&self, batch: &RandomGames, monitor: &dyn Monitor) -> Option<Vec<Playout>>;
    /// Return the static evaluation for the side to move, in hundredths of a seed.
    fn evaluate(&self) -> i32;
    /// Search the position after `moves` and return the best lines; see `search::search`. Only `root_moves` are searched
    /// at the root, or all legal moves if the list is empty. Without a `function`, the evaluation is `evaluate`.
    fn search(
        &self,
        moves: &[Move],
        root_moves: &[Move],
        function: Option<&FunctionEvaluation<Box<dyn Board>>>,
        config: &SearchConfig<'_>,
        on_info: &mut dyn FnMut(SearchInfo<(Move, SowResult)>),
    ) -> Vec<SearchInfo<(Move, SowResult)>>;
    /// Write the observation: the numbers of seeds in the pits of the side to move, then of the opponent, each in sowing
    /// order with the store last. The error is the number of seeds on the board if it does not fit in a byte.
    ///
    /// # Panics
    /// If the length is not twice the number of pits of a side.
    fn write_pits(&self, pits: &mut [u8]) -> Result<(), ActionError>;
    /// Write the position as a row, which has the shape of the format. The error is a position that does not fit in it.
    fn write_row(&self, format: ArrayFormat, row: &mut [u8]) -> Result<(), RowError>;
    /// Set the entries of a mask at the numbers of the legal moves to 1, and all others to 0. The mask has as many
    /// entries as the encoding has actions.
    fn write_mask(&self, encoding: ActionEncoding, mask: &mut [u8]);
    /// Return the number of a legal move.
    fn encode(&self, encoding: ActionEncoding, played: Move) -> Result<u32, ActionError>;
    /// Return the legal move with this number.
    fn decode(&self, encoding: ActionEncoding, action: u32) -> Result<Move, ActionError>;
    /// Return the position for the downcast in `equals`.
    fn as_any(&self) -> &dyn Any;
}

/// The move generators of a rule set: for packed rows if the board fits in them, and for wide rows.
pub struct Game {
    packed: Option<Arc<MoveGenerator<u64>>>,
    wide: Arc<MoveGenerator<WideRow>>,
    tables: Arc<LazyTables>,
}

/// Small endgame tables for the searches of a game, built before the first search.
pub(super) type LazyTables = OnceLock<Option<EndgameTables>>;

impl Game {
    /// Compile rules.
    pub fn new(rules: Rules) -> Self {
        let fits = rules.houses < u64::MAX_PITS;
        Game {
            packed: fits.then(|| Arc::new(MoveGenerator::new(rules))),
            wide: Arc::new(MoveGenerator::new(rules)),
            tables: Arc::default(),
        }
    }

    /// Create a position. The setup must have the number of houses of the rules, and at most `MAX_SEEDS` seeds.
    pub fn board(&self, setup: &Setup) -> Box<dyn Board> {
        match &self.packed {
            Some(packed) if setup.total() <= u64::MAX_SEEDS => {
                Box::new(BoundPosition::new(packed, &self.tables, setup))
            }
            _ => Box::new(BoundPosition::new(&self.wide, &self.tables, setup)),
        }
    }

    /// Create a batch of games that begin with positions, in turn. They must have the number of houses of the rules.
    pub fn batch(
        &self,
        encoding: ActionEncoding,
        repetition: Option<RepetitionEnd>,
        starts: &[Setup],
        settings: Settings,
    ) -> Result<Box<dyn MancalaBatch>, StartError> {
        let tables = &self.tables;
        match &self.packed {
            Some(packed) if starts.iter().all(|setup| setup.total() <= u64::MAX_SEEDS) => {
                let starts: Vec<_> = starts.iter().map(Position::new).collect();
                batch::create(packed, tables, encoding, repetition, &starts, settings)
            }
            _ => {
                let starts: Vec<_> = starts.iter().map(Position::new).collect();
                batch::create(&self.wide, tables, encoding, repetition, &starts, settings)
            }
        }
    }
}

/// A position with its move generator.
pub(super) struct BoundPosition<R> {
    pub(super) generator: Arc<MoveGenerator<R>>,
    pub(super) tables: Arc<LazyTables>,
    pub(super) position: Position<R>,
}

impl<R: Row> BoundPosition<R> {
    fn new(generator: &Arc<MoveGenerator<R>>, tables: &Arc<LazyTables>, setup: &Setup) -> Self {
        BoundPosition { generator: Arc::clone(generator), tables: Arc::clone(tables), position: Position::new(setup) }
    }

    /// Return the game for a search.
    fn searched<'a>(
        &'a self,
        tables: Option<&'a EndgameTables>,
        function: Option<&'a FunctionEvaluation<Box<dyn Board>>>,
    ) -> MancalaSearch<'a, R> {
        MancalaSearch { generator: &self.generator, lazy_tables: &self.tables, tables, function }
    }

    /// Return the position after a move.
    fn next(&self, played: Move) -> Self {
        let (generator, tables) = (Arc::clone(&self.generator), Arc::clone(&self.tables));
        BoundPosition { position: generator.after(&self.position, played), generator, tables }
    }
}

impl<R: Row> Board for BoundPosition<R> {
    fn turn(&self) -> Side {
        self.position.turn
    }

    fn setup(&self) -> Setup {
        let houses = self.generator.rules.houses;
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

    fn for_each_move(&self, take: &mut dyn FnMut((Move, SowResult))) {
        for played in self.generator.legal_moves(&self.position) {
            take((played, self.generator.play(&mut self.position.clone(), played)));
        }
    }

    fn is_legal(&self, played: Move) -> bool {
        self.generator.legal_moves(&self.position).contains(played)
    }

    fn after(&self, played: Move) -> Box<dyn Board> {
        Box::new(self.next(played))
    }

    fn mirror(&self) -> Option<Box<dyn Board>> {
        // The rows are those of the side to move and of the opponent.
        let position = Position { turn: self.position.turn.opponent(), ..self.position };
        let (generator, tables) = (Arc::clone(&self.generator), Arc::clone(&self.tables));
        (!position.swap_open).then(|| Box::new(BoundPosition { generator, tables, position }) as Box<dyn Board>)
    }

    fn score(&self) -> [u16; 2] {
        self.generator.score(&self.position)
    }

    fn ending(&self) -> Option<(Option<Side>, Ending)> {
        self.generator.ending(&self.position)
    }

    fn perft(&self, depth: u32, threads: usize, monitor: &dyn Monitor) -> Option<u64> {
        self.generator.perft(&self.position, depth, threads, monitor)
    }

    fn playouts(&self, batch: &RandomGames, monitor: &dyn Monitor) -> Option<Vec<Playout>> {
        batch.play(monitor, |random| self.generator.playout(&self.position, random, batch.max_plies, monitor))
    }

    fn evaluate(&self) -> i32 {
        let value = self.searched(None, None).evaluate(&self.position, &mut ());
        value.expect("only a function can fail")
    }

    fn search(
        &self,
        moves: &[Move],
        root_moves: &[Move],
        function: Option<&FunctionEvaluation<Box<dyn Board>>>,
        config: &SearchConfig<'_>,
        on_info: &mut dyn FnMut(SearchInfo<(Move, SowResult)>),
    ) -> Vec<SearchInfo<(Move, SowResult)>> {
        // A full-width search uses only moves and final results, not tables.
        let tables = || self.tables.get_or_init(|| EndgameTables::small(self.generator.rules)).as_ref();
        let game = self.searched(if config.full_width { None } else { tables() }, function);
        let root = RootPosition::new(&game, self.position, moves.iter().copied());
        let with_results = |info: &SearchInfo<Move>| {
            let mut position = root.node;
            info.with_pv(info.pv.iter().map(|played| (*played, self.generator.play(&mut position, *played))))
        };
        let lines = search::search(&game, &root, root_moves, config, &mut |info| on_info(with_results(info)));
        lines.iter().map(with_results).collect()
    }

    fn write_pits(&self, pits: &mut [u8]) -> Result<(), ActionError> {
        self.generator.check_observable(&self.position)?;
        self.generator.write_pits(&self.position, pits);
        Ok(())
    }

    fn write_row(&self, format: ArrayFormat, row: &mut [u8]) -> Result<(), RowError> {
        self.generator.write_row(&self.position, format, row)
    }

    fn write_mask(&self, encoding: ActionEncoding, mask: &mut [u8]) {
        self.generator.write_mask(encoding, self.generator.legal_moves(&self.position), mask);
    }

    fn encode(&self, encoding: ActionEncoding, played: Move) -> Result<u32, ActionError> {
        self.generator.encode(encoding, &self.position, played).ok_or(ActionError::IllegalMove)
    }

    fn decode(&self, encoding: ActionEncoding, action: u32) -> Result<Move, ActionError> {
        self.generator.decode(encoding, &self.position, action)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
pub(super) mod tests;
