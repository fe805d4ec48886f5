//! Self-play: games of the search against itself, as records of quiet positions for fitting an evaluation.
//!
//! A record is a packed position (see `evaluation::feature_rows`), with additional bits in its first byte: bit 0 is the
//! side to move, bits 1 and 2 are the result of the game for that side (0 loss, 1 draw, 2 win), and bit 3 marks the
//! first record of a game. Two bytes follow: the score of the search in hundredths of a man for the side to move, as a
//! little-endian number.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::bitboard::Bitboard;
use super::board::BoundPosition;
use super::captures::CapturePaths;
use super::evaluation::{Evaluation, packed_size};
use super::moves::Move;
use super::position::Position;
use super::search_game::{DraughtsSearch, Node, SearchEvaluation, SearchScratch};
use super::specialisation::RuleSource;
use super::tablebase::{self, SliceSet};
use crate::parallel;
use crate::random::Random;
use crate::search::{Limit, RootPosition, SearchConfig, SearchGame, TimeManager, TranspositionTable, search};
use crate::side::Side;
use crate::work::SharedMonitor;

/// The settings of self-play. A game depends only on them and on its number.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfPlay {
    /// The seed of the random openings; each game has its own stream of random numbers.
    pub seed: u64,
    /// The number of nodes for each move.
    pub nodes: u64,
    /// The size of the transposition table, which is empty at the start of each game.
    pub table_bytes: usize,
    /// The number of random moves at the start; games with odd numbers have one more.
    pub random_plies: u32,
    /// The maximum absolute score of the first search, in hundredths of a man; other openings are replaced.
    pub max_opening_score: i32,
    /// The length in plies at which a game is a draw.
    pub max_plies: u32,
    /// A game is won if the scores of both sides are at least this, in hundredths of a man …
    pub decided_score: i32,
    /// … for this number of plies.
    pub decided_plies: u32,
}

/// The bit offset of the result in the first byte of a record.
const RESULT: u32 = 1;
/// The bit in the first byte of the first record of a game.
const FIRST_OF_GAME: u8 = 1 << 3;

/// A quiet position of a game, with the score of the search.
struct ScoredPosition<B> {
    position: Position<B>,
    score: i32,
}

/// The choice of the search, and its score in hundredths of a man.
#[derive(Clone, Copy)]
struct Choice<B> {
    played: Move<B>,
    score: i32,
}

/// A game in progress.
struct SelfPlayGame<'a, B, R> {
    settings: &'a SelfPlay,
    board: &'a BoundPosition<B, R>,
    evaluation: &'a Evaluation<B>,
    tablebase: Option<&'a SliceSet<B, R>>,
    table: TranspositionTable,
    monitor: &'a SharedMonitor,
    scratch: SearchScratch<B>,
    moves: Vec<Move<B>>,
    root: RootPosition<Node<B>>,
}

impl<B: Bitboard, R: RuleSource> BoundPosition<B, R> {
    /// Play games from this position and return the records of all, or None if the monitor cancelled them.
    pub(super) fn play_against_itself(
        &self,
        settings: &SelfPlay,
        games: Range<u64>,
        threads: usize,
        evaluation: &Evaluation<B>,
        tablebase: Option<&SliceSet<B, R>>,
        monitor: &SharedMonitor,
    ) -> Option<Vec<u8>> {
        let numbers: Vec<u64> = games.collect();
        let play = |number: &u64| {
            let Ok(table) = TranspositionTable::new(settings.table_bytes) else {
                monitor.memory_exhausted();
                return None;
            };
            let search = DraughtsSearch {
                generator: &self.generator,
                evaluation: SearchEvaluation::Compiled(evaluation),
                tablebase: None,
            };
            let root = RootPosition::new(&search, search.start(self.position), std::iter::empty());
            let scratch = SearchScratch::new(Some(monitor));
            let mut game = SelfPlayGame {
                settings,
                board: self,
                evaluation,
                tablebase,
                table,
                monitor,
                scratch,
                moves: Vec::new(),
                root,
            };
            game.play(*number)
        };
        parallel::map(&numbers, threads, &**monitor, play).map(|records| records.concat())
    }
}

impl<B: Bitboard, R: RuleSource> SelfPlayGame<'_, B, R> {
    /// Play a game and return its records, or None if the monitor cancelled it.
    fn play(&mut self, number: u64) -> Option<Vec<u8>> {
        self.open(number)?;
        let (mut scored, mut seen) = (Vec::new(), HashSet::new());
        let (mut leader, mut leading_plies) = (None, 0);
        for _ in 0..self.settings.max_plies {
            let position = self.root.node.position;
            if let Some(value) = self.tablebase.and_then(|slices| slices.value(&position)) {
                return Some(self.records(&scored, winner_of(value, position.turn)));
            }
            let Some(Choice { played, score }) = self.search()? else {
                let winner =
                    self.board.generator.ending(&position, &mut self.scratch.captures).map(|(winner, _)| winner);
                return Some(self.records(&scored, winner));
            };
            let ahead = if score > 0 { position.turn } else { position.turn.opponent() };
            let side = (score.abs() >= self.settings.decided_score).then_some(ahead);
            leading_plies = if side == leader { leading_plies + 1 } else { 1 };
            leader = side;
            if leader.is_some() && leading_plies >= self.settings.decided_plies {
                return Some(self.records(&scored, leader));
            }
            let generator = &self.board.generator;
            let is_quiet = Side::both(|side| generator.could_capture(&position, side)) == [false; 2];
            if is_quiet && seen.insert(Position { runs: Default::default(), ..position }) {
                scored.push(ScoredPosition { position, score });
            }
            self.push(&played);
            if self.is_drawn() {
                break;
            }
        }
        Some(self.records(&scored, None))
    }

    /// Set the position after random moves, of which the search says that it is level; return None if the monitor
    /// cancelled the work.
    fn open(&mut self, number: u64) -> Option<()> {
        let mut random = Random::new(self.settings.seed, number);
        let start = self.root.clone();
        loop {
            self.root = start.clone();
            for _ in 0..u64::from(self.settings.random_plies) + number % 2 {
                self.moves.clear();
                let position = &self.root.node.position;
                let captures = &mut self.scratch.captures;
                self.board.generator.generate(position, CapturePaths::Distinct, captures, &mut self.moves);
                if !captures.work.add(1) {
                    return None;
                }
                if self.moves.is_empty() {
                    break;
                }
                let played = self.moves[random.below(self.moves.len())];
                self.push(&played);
            }
            self.table.clear();
            let choice = self.search()?;
            if choice.is_some_and(|choice| choice.score.abs() <= self.settings.max_opening_score) && !self.is_drawn() {
                return Some(());
            }
        }
    }

    /// Return the choice of the search, or None if the game is over; the outer None means that the monitor cancelled the
    /// work.
    fn search(&mut self) -> Option<Option<Choice<B>>> {
        if !self.monitor.add(1) {
            return None;
        }
        let SelfPlayGame { board, evaluation, tablebase, root, .. } = self;
        let prober = tablebase.map(|slices| slices.search_prober(&root.node.position));
        let game = DraughtsSearch {
            generator: &board.generator,
            evaluation: SearchEvaluation::Compiled(evaluation),
            tablebase: prober,
        };
        let limit = Limit { nodes: Some(self.settings.nodes), ..Limit::default() };
        let config = SearchConfig {
            table: &self.table,
            time: &Arc::new(TimeManager::new(limit, false)),
            multipv: 1,
            threads: 1,
            seed: self.settings.seed,
            key_salt: 0,
            full_width: false,
        };
        let lines = search(&game, root, &[], &config, &mut |_| {});
        Some(lines.first().map(|line| Choice { played: line.pv[0], score: line.value.score }))
    }

    fn push(&mut self, played: &Move<B>) {
        let SelfPlayGame { board, evaluation, root, scratch, .. } = self;
        let game = DraughtsSearch {
            generator: &board.generator,
            evaluation: SearchEvaluation::Compiled(evaluation),
            tablebase: None,
        };
        let is_irreversible = game.is_irreversible(&root.node, played);
        root.node = game.after(&root.node, played, scratch);
        root.game_history.push((game.hash_key(&root.node), is_irreversible));
    }

    /// Return whether a rule draws the game, or allows the players to claim a draw.
    fn is_drawn(&self) -> bool {
        let draws = &self.board.generator.draws;
        let mut left = draws.repetition.unwrap_or(u32::MAX);
        let (key, _) = *self.root.game_history.last().expect("the history has the current position");
        for &(other, is_irreversible) in self.root.game_history.iter().rev() {
            left -= u32::from(other == key);
            if is_irreversible || left == 0 {
                break;
            }
        }
        left == 0 || draws.is_drawn(&self.root.node.counters)
    }

    /// Return the records of the positions of a game with this winner; None is a draw.
    fn records(&self, scored: &[ScoredPosition<B>], winner: Option<Side>) -> Vec<u8> {
        let (mut records, size) = (Vec::new(), packed_size(self.board.generator.geometry.bits.len()));
        for each in scored {
            let result = winner.map_or(1, |winner| 2 * u8::from(winner == each.position.turn));
            let begin = records.len();
            records.resize(begin + size, 0);
            self.board.generator.pack(&each.position, &mut records[begin..]);
            records[begin] |= result << RESULT | if begin == 0 { FIRST_OF_GAME } else { 0 };
            let score = each.score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
            records.extend(score.to_le_bytes());
        }
        records
    }
}

fn winner_of(value: tablebase::Value, turn: Side) -> Option<Side> {
    match value {
        tablebase::Value::Draw => None,
        tablebase::Value::Win => Some(turn),
        tablebase::Value::Loss => Some(turn.opponent()),
    }
}
