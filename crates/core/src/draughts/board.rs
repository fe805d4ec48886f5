//! A position with its generator, behind an interface of plain square indices.
//!
//! Squares are counted from 0, row by row from the top left, whatever the layout of the bits.

use std::any::Any;
use std::sync::Arc;

use super::bitboard::Bitboard;
use super::capture_generator::Scratch;
use super::captures::CapturePaths;
use super::draw_counters::{CountChange, DrawCounters, DrawRule};
use super::evaluation::Evaluator;
use super::generator::{Ending, MoveGenerator};
use super::moves::{ContainsSink, Jump, Move, MoveWithPath, PathList};
use super::position::{KingRun, Position};
use super::replay::{MoveText, ReplayError, Replayed, SetupChange};
use super::search_game::DraughtsSearch;
use super::specialisation::RuleSource;
use crate::parallel::KeepGoing;
use crate::random_games::{Playout, RandomGames};
use crate::search::{self, RootPosition, SearchConfig, SearchInfo};
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
    /// Every legal move; captures once, or once for every way they can go. None if `keep_going` returned false.
    fn legal_moves(&self, every_path: bool, keep_going: KeepGoing<'_>) -> Option<Vec<SquareMove>>;
    /// The legal moves that begin on the first square, end on the last, and go over those between.
    fn find_moves(&self, squares: &[u16]) -> Vec<SquareMove>;
    /// The indices in `legal`, the legal moves, of those that `find_moves` gives.
    fn match_moves(&self, legal: &[SquareMove], squares: &[u16]) -> Vec<usize>;
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
    /// The number of move sequences of a length, captures once or once for every way they can go; None if `keep_going`
    /// returned false.
    fn perft(&self, depth: u32, every_path: bool, threads: usize, keep_going: KeepGoing<'_>) -> Option<u64>;
    /// Random games from here, or None if `keep_going` returned false.
    fn playouts(&self, batch: &RandomGames, keep_going: KeepGoing<'_>) -> Option<Vec<Playout>>;
    /// Play a recorded game from this position and return its last position, or None if that is unknown.
    ///
    /// `setups` has a change for each set-up of the text. The result of every step is added to `results`. `keep_going` is
    /// polled between moves and during long capture searches.
    fn replay(
        &self,
        text: &MoveText,
        setups: &[SetupChange<'_>],
        results: Option<&mut Vec<Replayed>>,
        keep_going: KeepGoing<'_>,
    ) -> Result<Option<Box<dyn Board>>, ReplayError>;
    /// Return the static evaluation for the side to move, in hundredths of a man; None if the evaluator was compiled
    /// for boards of another type.
    fn evaluate(&self, evaluator: &dyn Evaluator) -> Option<i32>;
    /// Search the position after `moves` and return the best lines; see `search::search`. The result is empty if the
    /// evaluation was made for boards of another type.
    fn search(
        &self,
        moves: &[SquareMove],
        evaluator: &dyn Evaluator,
        config: &SearchConfig<'_>,
        on_info: &mut dyn FnMut(SearchInfo<SquareMove>),
    ) -> Vec<SearchInfo<SquareMove>>;
    /// For `equals` and `replay`.
    fn as_any(&self) -> &dyn Any;
}

/// A position and its generator.
pub(super) struct BoundPosition<B, R> {
    pub(super) generator: Arc<MoveGenerator<B, R>>,
    pub(super) position: Position<B>,
}

impl<B: Bitboard, R: RuleSource> BoundPosition<B, R> {
    /// The position that the setup describes; squares are on the board and named once.
    pub(super) fn new(generator: &Arc<MoveGenerator<B, R>>, setup: &Setup) -> Self {
        let bits = &generator.geometry.bits;
        let set = |squares: &[usize]| squares.iter().fold(B::EMPTY, |set, square| set | B::bit(bits[*square]));
        let mut position = Position::empty(setup.turn);
        for side in [0, 1] {
            let kings = set(&setup.kings[side]);
            position.pieces[side] = set(&setup.men[side]) | kings;
            position.kings |= kings;
            if let Some((square, moves)) = setup.runs[side]
                && generator.rules.king_move_limit > 0
            {
                position.runs[side] = KingRun { bit: bits[square] as u16, moves };
            }
        }
        position.drop_idle_runs();
        BoundPosition { generator: Arc::clone(generator), position }
    }

    fn square(&self, bit: u16) -> u16 {
        self.generator.geometry.squares[usize::from(bit)] as u16
    }

    fn to_squares(&self, trail: MoveWithPath<B>) -> SquareMove {
        let mut jumps = trail.jumps;
        for jump in &mut jumps {
            *jump = Jump { captured: self.square(jump.captured), landing: self.square(jump.landing) };
        }
        let Move { from, to, crowns, .. } = trail.played;
        SquareMove { from: self.square(from), to: self.square(to), crowns, jumps }
    }

    pub(super) fn to_bits(&self, played: &SquareMove) -> Move<B> {
        let bit = |square: u16| self.generator.geometry.bits[usize::from(square)];
        let captured = played.jumps.iter().fold(B::EMPTY, |set, jump| set | B::bit(bit(jump.captured)));
        Move { captured, from: bit(played.from) as u16, to: bit(played.to) as u16, crowns: played.crowns }
    }

    /// Return every legal move with its path, or None if `keep_going` returned false.
    #[inline(always)]
    fn list_paths(
        &self,
        position: &Position<B>,
        paths: CapturePaths,
        keep_going: KeepGoing<'_>,
    ) -> Option<Vec<MoveWithPath<B>>> {
        let mut trails = PathList::new(keep_going);
        self.generator.generate(position, paths, &mut Scratch::default(), &mut trails);
        trails.complete.then_some(trails.list)
    }

    /// Another position of the same rules.
    fn sibling<'a>(&self, other: &'a dyn Board) -> &'a Self {
        other.as_any().downcast_ref().expect("the positions have the same rules")
    }

    /// The moves of a line from a position, with the ways they go.
    fn line(&self, mut position: Position<B>, line: &[Move<B>]) -> Vec<SquareMove> {
        let mut squares = Vec::with_capacity(line.len());
        for played in line {
            let trails = self.list_paths(&position, CapturePaths::Distinct, &mut || true).unwrap_or_default();
            let trail = trails.into_iter().find(|trail| trail.played == *played);
            squares.extend(trail.map(|trail| self.to_squares(trail)));
            position = self.generator.after(&position, played);
        }
        squares
    }
}

impl<B: Bitboard, R: RuleSource> Board for BoundPosition<B, R> {
    fn turn(&self) -> Side {
        self.position.turn
    }

    fn setup(&self) -> Setup {
        let squares = |set: B| self.generator.geometry.squares_of(set).collect::<Vec<_>>();
        Setup {
            turn: self.position.turn,
            men: Side::both(|side| squares(self.position.men(side))),
            kings: Side::both(|side| squares(self.position.of(side) & self.position.kings)),
            runs: Side::both(|side| {
                let run = self.position.runs[side.index()];
                (run.moves > 0).then(|| (self.square(run.bit).into(), run.moves))
            }),
        }
    }

    fn piece_at(&self, square: usize) -> Option<(Side, bool)> {
        let bit = self.generator.geometry.bits[square];
        let side = [Side::White, Side::Black].into_iter().find(|side| self.position.of(*side).has(bit))?;
        Some((side, self.position.kings.has(bit)))
    }

    fn hash_key(&self) -> u64 {
        self.position.hash_key()
    }

    fn equals(&self, other: &dyn Board) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| other.position == self.position)
    }

    fn legal_moves(&self, every_path: bool, keep_going: KeepGoing<'_>) -> Option<Vec<SquareMove>> {
        let trails = self.list_paths(&self.position, CapturePaths::new(every_path), keep_going)?;
        Some(trails.into_iter().map(|trail| self.to_squares(trail)).collect())
    }

    fn find_moves(&self, squares: &[u16]) -> Vec<SquareMove> {
        let legal = self.legal_moves(false, &mut || true).unwrap_or_default();
        self.match_moves(&legal, squares).into_iter().map(|index| legal[index].clone()).collect()
    }

    fn match_moves(&self, legal: &[SquareMove], squares: &[u16]) -> Vec<usize> {
        self.generator.matching(&self.position, legal, squares)
    }

    fn is_legal(&self, played: &SquareMove) -> bool {
        let mut wanted = ContainsSink::new(self.to_bits(played));
        self.generator.generate(&self.position, CapturePaths::Distinct, &mut Scratch::default(), &mut wanted);
        wanted.found
    }

    fn find_listed(&self, played: &SquareMove) -> Option<(SquareMove, bool)> {
        if played.jumps.is_empty() && self.generator.rules.capture_compulsory {
            // Quiet moves are listed without captures then, and no two of them share both squares.
            return self.is_legal(played).then(|| (played.clone(), false));
        }
        let wanted = self.to_bits(played);
        let legal = self.legal_moves(false, &mut || true).unwrap_or_default();
        let twins = legal.iter().filter(|other| (other.from, other.to) == (played.from, played.to)).count();
        legal.into_iter().find(|other| self.to_bits(other) == wanted).map(|listed| (listed, twins > 1))
    }

    fn after(&self, played: &SquareMove) -> Box<dyn Board> {
        let position = self.generator.after(&self.position, &self.to_bits(played));
        Box::new(BoundPosition { generator: Arc::clone(&self.generator), position })
    }

    fn ending(&self) -> Option<(Side, Ending)> {
        self.generator.ending(&self.position, &mut Scratch::default())
    }

    fn begin_counters(&self) -> DrawCounters {
        self.generator.begin_counters(&self.position)
    }

    fn advance_counters(&self, counters: &DrawCounters, played: &SquareMove, after: &dyn Board) -> DrawCounters {
        let (played, after) = (self.to_bits(played), &self.sibling(after).position);
        self.generator.advance_counters(*counters, &self.position, &played, after)
    }

    fn is_drawn(&self, counters: &DrawCounters) -> bool {
        self.generator.draws.is_drawn(counters)
    }

    fn begin_count(&self, rule: &DrawRule) -> Option<u16> {
        self.generator.begin_count(rule, &self.position)
    }

    fn count_change(&self, rule: &DrawRule, applied: bool, played: &SquareMove, after: &dyn Board) -> CountChange {
        let (played, after) = (self.to_bits(played), &self.sibling(after).position);
        self.generator.count_change(rule, applied, &self.position, &played, after)
    }

    fn perft(&self, depth: u32, every_path: bool, threads: usize, keep_going: KeepGoing<'_>) -> Option<u64> {
        self.generator.perft(&self.position, depth, CapturePaths::new(every_path), threads, keep_going)
    }

    fn playouts(&self, batch: &RandomGames, keep_going: KeepGoing<'_>) -> Option<Vec<Playout>> {
        batch.play(keep_going, |random, keep_going| {
            self.generator.playout(&self.position, random, batch.max_plies, keep_going)
        })
    }

    fn replay(
        &self,
        text: &MoveText,
        setups: &[SetupChange<'_>],
        results: Option<&mut Vec<Replayed>>,
        keep_going: KeepGoing<'_>,
    ) -> Result<Option<Box<dyn Board>>, ReplayError> {
        Ok(self.replay_text(text, setups, results, keep_going)?.map(|end| Box::new(end) as Box<dyn Board>))
    }

    fn evaluate(&self, evaluator: &dyn Evaluator) -> Option<i32> {
        let evaluation = evaluator.as_any().downcast_ref()?;
        Some(self.generator.evaluate(evaluation, &self.position))
    }

    fn search(
        &self,
        moves: &[SquareMove],
        evaluator: &dyn Evaluator,
        config: &SearchConfig<'_>,
        on_info: &mut dyn FnMut(SearchInfo<SquareMove>),
    ) -> Vec<SearchInfo<SquareMove>> {
        let Some(evaluation) = evaluator.as_any().downcast_ref() else { return Vec::new() };
        let game = DraughtsSearch { generator: &self.generator, evaluation };
        let start = game.start(self.position);
        let root = RootPosition::new(&game, start, moves.iter().map(|played| self.to_bits(played)));
        let in_squares = |info: &SearchInfo<Move<B>>| info.with_pv(self.line(root.node.position, &info.pv).into_iter());
        let lines = search::search(&game, &root, config, &mut |info| on_info(in_squares(info)));
        lines.iter().map(in_squares).collect()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
