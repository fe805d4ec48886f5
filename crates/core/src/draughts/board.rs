//! Boards: positions bound to their move generator, behind traits without type parameters.
//!
//! The traits use square indices, which do not depend on the bitboard type: squares are numbered from 0, row by row
//! from the top left. `Board` has the state and the moves, `DrawCounting` the draw rules, `Analysis` perft, playouts,
//! replay and search.

use std::any::Any;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use super::actions::Arrays;
use super::bitboard::Bitboard;
use super::capture_generator::Scratch;
use super::captures::CapturePaths;
use super::draw_counters::{CountChange, DrawCounters, DrawRule};
use super::evaluation::{Accumulator, Evaluator};
use super::generator::{Ending, MoveGenerator};
use super::geometry::has_half_turn_symmetry;
use super::moves::{ContainsSink, Jump, Move, MoveWithPath, PathList, PathSink};
use super::notation::is_ambiguous;
use super::position::{KingRun, Position};
use super::replay::{Ambiguity, MoveText, ReplayError, Replayed, SetupChange};
use super::search_game::{DraughtsSearch, SearchEvaluation};
use super::self_play::SelfPlay;
use super::specialisation::RuleSource;
use super::tablebase::{SliceSet, Tablebase};
use crate::random_games::{Playout, RandomGames};
use crate::search::{self, RootPosition, SearchConfig, SearchInfo};
use crate::side::Side;
use crate::work::{SharedMonitor, unlimited};

/// A move with its path, in square indices.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SquareMove {
    /// The first square.
    pub from: u16,
    /// The last square.
    pub to: u16,
    /// Whether a man is crowned.
    pub crowns: bool,
    /// The jumps in order; empty for a quiet move.
    pub jumps: Box<[Jump]>,
}

/// A position in square indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The side to move.
    pub turn: Side,
    /// The men of White and of Black.
    pub men: [Vec<usize>; 2],
    /// The kings of White and of Black.
    pub kings: [Vec<usize>; 2],
    /// By side: the king that made the last quiet moves and their number, if the rules limit them.
    pub runs: [Option<(usize, u8)>; 2],
}

/// A position under its rules: the state and the legal moves.
///
/// This is the object type of a draughts position; `DrawCounting` has the methods for draw rules, `Analysis`
/// those for perft, playouts, replay and search, and `Arrays` those for arrays and numbers of moves. Positions in the
/// arguments must have the same rules, except that of `equals`.
///
/// Methods that take a monitor return None if it cancelled the work. Without a monitor they return None if the work is
/// longer than `work::POLL_INTERVAL`.
pub trait Board: DrawCounting + Analysis + Arrays + Send + Sync {
    /// Return the side to move.
    fn turn(&self) -> Side;
    /// Return the position in square indices.
    fn setup(&self) -> Setup;
    /// Return the side of the piece on a square and whether it is a king, or None if the square is empty.
    fn piece_at(&self, square: usize) -> Option<(Side, bool)>;
    /// Return the 64-bit hash key: equal positions have equal keys.
    fn hash_key(&self) -> u64;
    /// Return whether the other position is equal and has the same type of move generator.
    fn equals(&self, other: &dyn Board) -> bool;
    /// Return the legal moves. A capture is listed once, or once for each path if `every_path` is true.
    fn legal_moves(&self, every_path: bool, monitor: Option<&SharedMonitor>) -> Option<Vec<SquareMove>>;
    /// Return the indices in `legal`, the list of legal moves, of the moves that start on the first square, end on the
    /// last and match those between.
    fn match_moves(&self, legal: &[SquareMove], squares: &[u16]) -> Vec<usize>;
    /// Return whether a move is legal. The path is ignored: only the set of the captured pieces matters.
    fn is_legal(&self, played: &SquareMove, monitor: Option<&SharedMonitor>) -> Option<bool>;
    /// Return a legal move along the path with these landing squares, if that is one of its paths; otherwise, or if its
    /// paths take long to generate, return the move unchanged.
    fn with_path(&self, played: SquareMove, landings: &[u16]) -> SquareMove;
    /// Return the legal move that equals this one, and whether another legal move has the same first and last square.
    /// A path that is not legal is replaced by that of `legal_moves`. Return `Some(None)` if no legal move equals it.
    fn find_listed(&self, played: &SquareMove, monitor: Option<&SharedMonitor>) -> Option<Option<(SquareMove, bool)>>;
    /// Return the position after a legal move.
    fn after(&self, played: &SquareMove) -> Box<dyn Board>;
    /// Return the mirror image: the board turned by half a turn, with the colours of pieces and side to move swapped.
    /// None if the turned board has other squares.
    fn mirror(&self) -> Option<Box<dyn Board>>;
    /// Return the winner and the reason for the end, or None if the game is not over. Draw rules are ignored.
    fn ending(&self) -> Option<(Side, Ending)>;
    /// Return the position as `Any`, for downcasts to its concrete type.
    fn as_any(&self) -> &dyn Any;
}

/// The draw counters of a game, advanced move by move. See `DrawCounters`.
pub trait DrawCounting {
    /// Return the draw counters of a game that starts with this position.
    fn begin_counters(&self) -> DrawCounters;
    /// Return the draw counters after a legal move that leads to the position `after`.
    fn advance_counters(&self, counters: &DrawCounters, played: &SquareMove, after: &dyn Board) -> DrawCounters;
    /// Return whether a rule draws the game at these counts, or allows the players to claim a draw.
    fn is_drawn(&self, counters: &DrawCounters) -> bool;
    /// Return the count of one draw rule in a game that starts with this position, or None if the rule does not apply
    /// or has no count.
    fn begin_count(&self, rule: &DrawRule) -> Option<u16>;
    /// Return how a legal move that leads to the position `after` changes the count of one draw rule; `applied` is
    /// whether the rule applied before the move.
    fn count_change(&self, rule: &DrawRule, applied: bool, played: &SquareMove, after: &dyn Board) -> CountChange;
}

/// The analysis of a position: perft, random playouts, replay of recorded games, evaluation and search.
pub trait Analysis {
    /// Return the number of move sequences of a length, or None if the monitor cancelled the count. A capture counts
    /// once, or once for each path if `every_path` is true.
    fn perft(&self, depth: u32, every_path: bool, threads: usize, monitor: &SharedMonitor) -> Option<u64>;
    /// Play random games from this position and return their results, or None if the monitor cancelled them.
    fn playouts(&self, batch: &RandomGames, monitor: &SharedMonitor) -> Option<Vec<Playout>>;
    /// Play a recorded game from this position and return its last position, or None if that is unknown.
    ///
    /// `setups` has a change for each set-up of the text, and `ambiguity` is the treatment of ambiguous moves. The result
    /// of each step is appended to `results`. Without a monitor, a long replay is cancelled.
    fn replay(
        &self,
        text: &MoveText,
        setups: &[SetupChange<'_>],
        ambiguity: Ambiguity,
        results: Option<&mut Vec<Replayed>>,
        monitor: Option<&SharedMonitor>,
    ) -> Result<Option<Box<dyn Board>>, ReplayError>;
    /// Return the static evaluation for the side to move, in hundredths of a man; None if the evaluator was compiled
    /// for boards of another type, or is a function that has failed.
    fn evaluate(&self, evaluator: &dyn Evaluator) -> Option<i32>;
    /// Search the position after `moves` and return the best lines; see `search::search`. Only `root_moves` are searched
    /// at the root, or all legal moves if the list is empty. Positions with fewer pieces than the root are probed in
    /// the tablebase, if there is one; it must have the same rules. The result is empty if the evaluator was compiled
    /// for boards of another type.
    fn search(
        &self,
        moves: &[SquareMove],
        root_moves: &[SquareMove],
        evaluator: &dyn Evaluator,
        tablebase: Option<&dyn Tablebase>,
        config: &SearchConfig<'_>,
        on_info: &mut dyn FnMut(SearchInfo<SquareMove>),
    ) -> Vec<SearchInfo<SquareMove>>;
    /// Play games of the search against itself from this position, and return the records of their positions; see
    /// `self_play`. Return None if the monitor cancelled them. The evaluator must have been compiled for these rules.
    fn self_play(
        &self,
        settings: &SelfPlay,
        games: Range<u64>,
        threads: usize,
        evaluator: &dyn Evaluator,
        tablebase: Option<&dyn Tablebase>,
        monitor: &SharedMonitor,
    ) -> Option<Vec<u8>>;
}

/// A position bound to its move generator.
pub(super) struct BoundPosition<B, R> {
    pub(super) generator: Arc<MoveGenerator<B, R>>,
    pub(super) position: Position<B>,
}

impl<B: Bitboard, R: RuleSource> BoundPosition<B, R> {
    /// Create the position of a setup. Each square of the setup must be on the board and occur once.
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

    fn to_squares(&self, found: MoveWithPath<B>) -> SquareMove {
        let mut jumps = found.jumps;
        for jump in &mut jumps {
            *jump = Jump { captured: self.square(jump.captured), landing: self.square(jump.landing) };
        }
        let Move { from, to, crowns, .. } = found.played;
        SquareMove { from: self.square(from), to: self.square(to), crowns, jumps }
    }

    pub(super) fn to_bits(&self, played: &SquareMove) -> Move<B> {
        let bit = |square: u16| self.generator.geometry.bits[usize::from(square)];
        let captured = played.jumps.iter().fold(B::EMPTY, |set, jump| set | B::bit(bit(jump.captured)));
        Move { captured, from: bit(played.from) as u16, to: bit(played.to) as u16, crowns: played.crowns }
    }

    /// Return every legal move with its path, or None if the work was cancelled.
    #[inline(always)]
    fn list_paths(
        &self,
        position: &Position<B>,
        paths: CapturePaths,
        scratch: &mut Scratch<B>,
    ) -> Option<Vec<MoveWithPath<B>>> {
        let mut moves = PathList::default();
        self.generator.generate(position, paths, scratch, &mut moves);
        if moves.memory_exhausted {
            scratch.work.fail_allocation();
        }
        scratch.complete(moves.list)
    }

    /// Return the legal moves of this position, or None if the work was cancelled.
    pub(super) fn list_moves(&self, paths: CapturePaths, scratch: &mut Scratch<B>) -> Option<Vec<SquareMove>> {
        let moves = self.list_paths(&self.position, paths, scratch)?;
        Some(moves.into_iter().map(|found| self.to_squares(found)).collect())
    }

    /// Downcast another position with the same rules.
    fn sibling<'a>(&self, other: &'a dyn Board) -> &'a Self {
        other.as_any().downcast_ref().expect("the positions have the same rules")
    }

    /// Return the moves of a line from a position, with their paths; `legal` has those of the first move.
    ///
    /// The line ends early at a later position whose moves take long to generate.
    fn line(&self, mut position: Position<B>, legal: &[MoveWithPath<B>], line: &[Move<B>]) -> Vec<SquareMove> {
        let find =
            |legal: &[MoveWithPath<B>], played: &Move<B>| legal.iter().find(|found| found.played == *played).cloned();
        let mut squares = Vec::with_capacity(line.len());
        for (index, played) in line.iter().enumerate() {
            let found = if index == 0 {
                find(legal, played)
            } else {
                let later = self.list_paths(&position, CapturePaths::Distinct, &mut Scratch::default());
                later.and_then(|legal| find(&legal, played))
            };
            let Some(found) = found else { break };
            squares.push(self.to_squares(found));
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

    fn legal_moves(&self, every_path: bool, monitor: Option<&SharedMonitor>) -> Option<Vec<SquareMove>> {
        self.list_moves(CapturePaths::new(every_path), &mut Scratch::new(monitor))
    }

    fn match_moves(&self, legal: &[SquareMove], squares: &[u16]) -> Vec<usize> {
        self.generator.matching(&self.position, legal, squares)
    }

    fn is_legal(&self, played: &SquareMove, monitor: Option<&SharedMonitor>) -> Option<bool> {
        let target = self.to_bits(played);
        let mut sink = ContainsSink::new(target);
        if target.captured.is_empty() {
            self.generator.generate_quiet_from(&self.position, usize::from(target.from), &mut sink);
            return Some(sink.found);
        }
        let mut scratch = Scratch::new(monitor);
        self.generator.generate(&self.position, CapturePaths::Distinct, &mut scratch, &mut sink);
        scratch.complete(sink.found)
    }

    fn with_path(&self, played: SquareMove, landings: &[u16]) -> SquareMove {
        let has_path = played.jumps.iter().map(|jump| jump.landing).eq(landings.iter().copied());
        if has_path || played.jumps.len() != landings.len() {
            return played;
        }
        let bit = |square: &u16| self.generator.geometry.bits[usize::from(*square)] as u16;
        let mut sink = PathSink::new(self.to_bits(&played), landings.iter().map(bit).collect());
        let mut scratch = Scratch::default();
        self.generator.generate(&self.position, CapturePaths::All, &mut scratch, &mut sink);
        scratch.complete(sink.found).flatten().map_or(played, |found| self.to_squares(found))
    }

    fn find_listed(&self, played: &SquareMove, monitor: Option<&SharedMonitor>) -> Option<Option<(SquareMove, bool)>> {
        if played.jumps.is_empty() && self.generator.rules.capture_compulsory {
            // If captures are compulsory, quiet moves are never listed together with captures, and no other quiet move
            // has the same squares.
            return Some(self.is_legal(played, monitor)?.then(|| (played.clone(), false)));
        }
        let wanted = self.to_bits(played);
        let legal = self.legal_moves(false, monitor)?;
        let ambiguous = is_ambiguous(played, &legal);
        let landings: Vec<u16> = played.jumps.iter().map(|jump| jump.landing).collect();
        let listed = legal.into_iter().find(|other| self.to_bits(other) == wanted);
        Some(listed.map(|listed| (self.with_path(listed, &landings), ambiguous)))
    }

    fn after(&self, played: &SquareMove) -> Box<dyn Board> {
        let position = self.generator.after(&self.position, &self.to_bits(played));
        Box::new(BoundPosition { generator: Arc::clone(&self.generator), position })
    }

    fn mirror(&self) -> Option<Box<dyn Board>> {
        if !has_half_turn_symmetry(&self.generator.rules) {
            return None;
        }
        let Setup { turn, men, kings, runs } = self.setup();
        // Squares are numbered row by row, so half a turn reverses their order.
        let last = self.generator.geometry.bits.len() - 1;
        let turned = |squares: Vec<usize>| squares.into_iter().map(|square| last - square).collect();
        let swapped = |[white, black]: [Vec<usize>; 2]| [turned(black), turned(white)];
        let [white_run, black_run] = runs.map(|run| run.map(|(square, moves)| (last - square, moves)));
        let runs = [black_run, white_run];
        let setup = Setup { turn: turn.opponent(), men: swapped(men), kings: swapped(kings), runs };
        Some(Box::new(BoundPosition::new(&self.generator, &setup)))
    }

    fn ending(&self) -> Option<(Side, Ending)> {
        self.generator.ending(&self.position, &mut Scratch::default())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<B: Bitboard, R: RuleSource> DrawCounting for BoundPosition<B, R> {
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
}

impl<B: Bitboard, R: RuleSource> Analysis for BoundPosition<B, R> {
    fn perft(&self, depth: u32, every_path: bool, threads: usize, monitor: &SharedMonitor) -> Option<u64> {
        self.generator.perft(&self.position, depth, CapturePaths::new(every_path), threads, monitor)
    }

    fn playouts(&self, batch: &RandomGames, monitor: &SharedMonitor) -> Option<Vec<Playout>> {
        batch.play(&**monitor, |random| self.generator.playout(&self.position, random, batch.max_plies, monitor))
    }

    fn replay(
        &self,
        text: &MoveText,
        setups: &[SetupChange<'_>],
        ambiguity: Ambiguity,
        results: Option<&mut Vec<Replayed>>,
        monitor: Option<&SharedMonitor>,
    ) -> Result<Option<Box<dyn Board>>, ReplayError> {
        Ok(self.replay_text(text, setups, ambiguity, results, monitor)?.map(|end| Box::new(end) as Box<dyn Board>))
    }

    fn evaluate(&self, evaluator: &dyn Evaluator) -> Option<i32> {
        match SearchEvaluation::of(evaluator)? {
            SearchEvaluation::Compiled(evaluation) => {
                Some(self.generator.evaluate(evaluation, &self.position, &mut Accumulator::new()))
            }
            SearchEvaluation::Function(function) => function.value(self.position.hash_key(), || {
                Box::new(BoundPosition { generator: Arc::clone(&self.generator), position: self.position })
            }),
        }
    }

    fn search(
        &self,
        moves: &[SquareMove],
        root_moves: &[SquareMove],
        evaluator: &dyn Evaluator,
        tablebase: Option<&dyn Tablebase>,
        config: &SearchConfig<'_>,
        on_info: &mut dyn FnMut(SearchInfo<SquareMove>),
    ) -> Vec<SearchInfo<SquareMove>> {
        let Some(evaluation) = SearchEvaluation::of(evaluator) else { return Vec::new() };
        let mut game = DraughtsSearch { generator: &self.generator, evaluation, tablebase: None };
        let start = game.start(self.position);
        let root = RootPosition::new(&game, start, moves.iter().map(|played| self.to_bits(played)));
        let slices: Option<&SliceSet<B, R>> = tablebase.and_then(|tablebase| tablebase.as_any().downcast_ref());
        game.tablebase = slices.map(|slices| slices.search_prober(&root.node.position));
        let root_moves: Vec<_> = root_moves.iter().map(|played| self.to_bits(played)).collect();
        let root_position = root.node.position;
        let legal = OnceCell::new();
        let list_root = || {
            let scratch = &mut Scratch::new(Some(&unlimited()));
            self.list_paths(&root_position, CapturePaths::Distinct, scratch).unwrap_or_default()
        };
        let in_squares = |info: &SearchInfo<Move<B>>| {
            info.with_pv(self.line(root_position, legal.get_or_init(list_root), &info.pv).into_iter())
        };
        let lines = search::search(&game, &root, &root_moves, config, &mut |info| on_info(in_squares(info)));
        lines.iter().map(in_squares).collect()
    }

    fn self_play(
        &self,
        settings: &SelfPlay,
        games: Range<u64>,
        threads: usize,
        evaluator: &dyn Evaluator,
        tablebase: Option<&dyn Tablebase>,
        monitor: &SharedMonitor,
    ) -> Option<Vec<u8>> {
        let evaluation = evaluator.as_any().downcast_ref().expect("the evaluation is one of these rules");
        let slices = tablebase.and_then(|tablebase| tablebase.as_any().downcast_ref());
        self.play_against_itself(settings, games, threads, evaluation, slices, monitor)
    }
}
