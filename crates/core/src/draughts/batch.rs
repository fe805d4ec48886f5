//! Batches of games of draughts, for environments.

use std::sync::Arc;

use super::actions::{ActionEncoding, number_from_to};
use super::bitboard::Bitboard;
use super::board::{Board, BoundPosition};
use super::capture_generator::Scratch;
use super::captures::CapturePaths;
use super::directions::Directions;
use super::draw_counters::{CountLimits, DrawCounters};
use super::generator::MoveGenerator;
use super::geometry::{places, relative_square_count};
use super::moves::{Jump, Move, MoveSink};
use super::planes::{CAPTURE_PLANES, PLANES};
use super::position::Position;
use super::rules::Promotion;
use super::specialisation::RuleSource;
use super::steps::{StepCursor, StepPaths};
use crate::actions::ActionError;
use crate::envs::{Batch, BatchRules, GameBatch, Progress, Repetitions, Settings, StartError};
use crate::side::Side;
use crate::work::SharedMonitor;

/// The draw rules that end the games of a batch.
#[derive(Clone, Debug, Default)]
pub struct DrawEnds {
    /// The number of occurrences of a position; None if no rule ends the game by repetition.
    pub repetition: Option<u32>,
    /// Whether each rule with a counter ends the game, in the order of the rule set.
    pub counted: Vec<bool>,
}

/// A batch of games of draughts.
pub trait DraughtsBatch: Batch {
    /// Return the position of a game. During a capture that takes several actions it is that before the capture.
    fn board(&self, game: usize) -> Box<dyn Board>;
}

/// The directions in which men of White move towards their own side.
const BACKWARD: Directions = Directions(0b0011_1000);

/// The rules of a batch: those of the move generator, and the encoding of the actions.
pub(super) struct DraughtsEnv<B, R> {
    generator: Arc<MoveGenerator<B, R>>,
    encoding: ActionEncoding,
    squares: usize,
    actions: usize,
    /// The counts that end the game; None if no rule with a counter does.
    limits: Option<CountLimits>,
    repetition: Option<u32>,
    /// By bit: the row of the square, if moves of men to another row cannot be undone; otherwise 0.
    rows: Vec<u16>,
}

/// The state of a game.
#[derive(Clone)]
pub(super) struct State<B> {
    position: Position<B>,
    counters: DrawCounters,
    /// The legal moves in the order of the move generator; none if they do not fit in the encoding.
    legal: Vec<Move<B>>,
    /// The legal actions; empty in the encoding `Slot`, whose actions are the indices of the moves.
    actions: Vec<u32>,
    /// Why the legal moves do not fit in the encoding.
    misfit: Option<ActionError>,
    repetitions: Repetitions,
    /// The paths of the legal moves, in the encoding `Step`.
    steps: Steps,
}

/// The paths of the legal moves, and the steps of the move in progress.
#[derive(Clone, Default)]
struct Steps {
    paths: StepPaths,
    cursor: StepCursor,
    /// The jumps of all moves.
    jumps: Vec<Jump>,
    /// By move: the end of its jumps.
    ends: Vec<u32>,
}

impl Steps {
    fn copy_from(&mut self, other: &Self) {
        self.paths.copy_from(&other.paths);
        self.cursor.copy_from(&other.cursor);
        self.jumps.clone_from(&other.jumps);
        self.ends.clone_from(&other.ends);
    }

    fn jumps(&self, index: usize) -> &[Jump] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.jumps[start as usize..self.ends[index] as usize]
    }
}

/// A sink that lists moves with their jumps, without an allocation for each.
struct StepSink<'a, B> {
    legal: &'a mut Vec<Move<B>>,
    steps: &'a mut Steps,
}

impl<B: Bitboard> MoveSink<B> for StepSink<'_, B> {
    fn capture(&mut self, played: Move<B>, jumps: &[Jump]) {
        self.legal.push(played);
        self.steps.jumps.extend_from_slice(jumps);
        self.steps.ends.push(self.steps.jumps.len() as u32);
    }
    fn clear(&mut self) {
        self.legal.clear();
        self.steps.jumps.clear();
        self.steps.ends.clear();
    }
    fn quiet(&mut self, played: Move<B>) {
        self.capture(played, &[]);
    }
}

/// Create a batch of games that begin with the positions `starts`, in turn.
pub(super) fn create<B: Bitboard, R: RuleSource>(
    generator: &Arc<MoveGenerator<B, R>>,
    encoding: ActionEncoding,
    ends: &DrawEnds,
    starts: &[&dyn Board],
    settings: Settings,
    monitor: &SharedMonitor,
) -> Result<Box<dyn DraughtsBatch>, StartError> {
    let env = DraughtsEnv::new(generator, encoding, ends);
    let mut scratch = env.new_scratch(Some(monitor));
    let mut states = Vec::with_capacity(starts.len());
    for (index, start) in starts.iter().enumerate() {
        let board: &BoundPosition<B, R> = start.as_any().downcast_ref().expect("the positions have these rules");
        states.push(env.start(board.position, index, &mut scratch)?);
    }
    Ok(Box::new(GameBatch::new(env, settings, states)))
}

impl<B: Bitboard, R: RuleSource> DraughtsEnv<B, R> {
    fn new(generator: &Arc<MoveGenerator<B, R>>, encoding: ActionEncoding, ends: &DrawEnds) -> Self {
        let rules = &generator.rules;
        let mut rows = vec![0; B::BITS];
        if rules.man_moves.0 & BACKWARD.0 == 0 {
            for ((row, _), bit) in places(rules).into_iter().zip(&generator.geometry.bits) {
                rows[*bit] = row as u16;
            }
        }
        DraughtsEnv {
            encoding,
            squares: relative_square_count(rules),
            actions: encoding.size(rules),
            limits: generator.draws.limits_of(|index| ends.counted.get(index).copied().unwrap_or(false)),
            repetition: ends.repetition,
            rows,
            generator: Arc::clone(generator),
        }
    }

    /// Return the state of a game that starts with a position; `index` is that of the position, for errors.
    fn start(&self, position: Position<B>, index: usize, scratch: &mut Scratch<B>) -> Result<State<B>, StartError> {
        let counters = self.generator.begin_counters(&position);
        let mut state = State {
            position,
            counters,
            legal: Vec::new(),
            actions: Vec::new(),
            misfit: None,
            repetitions: Repetitions::default(),
            steps: Steps::default(),
        };
        let has_moves = self.list(&mut state, scratch);
        if scratch.work.is_cancelled() {
            Err(StartError::Cancelled)
        } else if !has_moves || self.limits.is_some_and(|limits| limits.are_reached(&counters)) {
            Err(StartError::GameOver(index))
        } else if let Some(error) = state.misfit {
            Err(StartError::Action(index, error))
        } else {
            Ok(state)
        }
    }

    /// List the legal moves of the position and their actions, and return whether there are any.
    #[inline(always)]
    fn list(&self, state: &mut State<B>, scratch: &mut Scratch<B>) -> bool {
        scratch.work.reset();
        state.legal.clear();
        match self.encoding {
            ActionEncoding::Slot { size } => {
                self.generator.generate(&state.position, CapturePaths::Distinct, scratch, &mut state.legal);
                let moves = state.legal.len();
                if moves > size {
                    state.misfit = Some(ActionError::TooManyMoves { moves, max: size });
                    state.legal.clear();
                }
                moves > 0
            }
            ActionEncoding::FromTo { ties } => {
                self.generator.list_moves(&state.position, CapturePaths::Distinct, scratch, &mut state.legal);
                self.number_pairs(state, ties)
            }
            ActionEncoding::Step => self.list_steps(state, scratch),
        }
    }

    #[inline(never)]
    fn number_pairs(&self, state: &mut State<B>, ties: usize) -> bool {
        let State { position, legal, actions, misfit, .. } = state;
        let relative = &self.generator.relative_bits[position.turn.index()];
        let pairs = legal.iter().map(|it| (relative[usize::from(it.from)], relative[usize::from(it.to)]));
        let has_moves = !legal.is_empty();
        actions.clear();
        if let Err(error) = number_from_to(pairs, self.squares, ties, actions) {
            *misfit = Some(error);
            actions.clear();
            legal.clear();
        }
        has_moves
    }

    #[inline(never)]
    fn list_steps(&self, state: &mut State<B>, scratch: &mut Scratch<B>) -> bool {
        let State { position, legal, steps, .. } = state;
        steps.jumps.clear();
        steps.ends.clear();
        self.generator.generate(position, CapturePaths::Distinct, scratch, &mut StepSink { legal, steps });
        let relative = &self.generator.relative_bits[position.turn.index()];
        let relative = |bit: u16| relative[usize::from(bit)];
        let mut paths = std::mem::take(&mut steps.paths);
        paths.clear();
        for (index, played) in legal.iter().enumerate() {
            let jumps = steps.jumps(index);
            let last = jumps.is_empty().then_some(played.to);
            paths.push(relative(played.from), jumps.iter().map(|jump| jump.landing).chain(last).map(relative));
        }
        steps.paths = paths;
        steps.cursor.begin(&steps.paths);
        self.number_steps(state);
        !state.legal.is_empty()
    }

    /// List the actions of the next step, each once.
    fn number_steps(&self, state: &mut State<B>) {
        let State { actions, steps: Steps { paths, cursor, .. }, .. } = state;
        actions.clear();
        for index in cursor.candidates() {
            let action = cursor.action(paths, index, self.squares);
            if !actions.contains(&action) {
                actions.push(action);
            }
        }
    }

    /// Play a move, and return how the game continues.
    #[inline(always)]
    fn play_move(&self, state: &mut State<B>, index: usize, scratch: &mut Scratch<B>) -> Progress {
        let (generator, before, played) = (&*self.generator, state.position, state.legal[index]);
        let after = generator.after(&before, &played);
        state.position = after;
        let is_drawn = self.limits.is_some_and(|limits| {
            state.counters = generator.advance_counters(state.counters, &before, &played, &after);
            limits.are_reached(&state.counters)
        });
        if !self.list(state, scratch) {
            return Progress::Over(generator.ending(&after, scratch).map(|(winner, _)| winner));
        }
        let mut repeats = || {
            self.repetition.is_some_and(|times| {
                if self.is_irreversible(&before, &played) {
                    state.repetitions.clear();
                    return false;
                }
                state.repetitions.push(|| before.hash_key(), after.hash_key()) >= times
            })
        };
        if is_drawn || repeats() { Progress::Over(None) } else { Progress::Continues }
    }

    /// Return whether no position before the move can occur after it.
    #[inline(always)]
    fn is_irreversible(&self, before: &Position<B>, played: &Move<B>) -> bool {
        let (from, to) = (usize::from(played.from), usize::from(played.to));
        !played.captured.is_empty() || played.crowns || !before.kings.has(from) && self.rows[from] != self.rows[to]
    }

    /// Return the position after the steps taken, and the pieces jumped over that are still on the board.
    fn in_capture(&self, state: &State<B>) -> Option<(Position<B>, B, B)> {
        let Steps { cursor, .. } = &state.steps;
        let taken = cursor.depth();
        let index = cursor.first().filter(|_| taken > 0)?;
        let (rules, geometry) = (&self.generator.rules, &self.generator.geometry);
        let (mut position, own) = (state.position, state.position.turn);
        let from = B::bit(usize::from(state.legal[index].from));
        let jumps = &state.steps.jumps(index)[..taken];
        let captured = jumps.iter().fold(B::EMPTY, |set, jump| set | B::bit(usize::from(jump.captured)));
        let landings = jumps.iter().fold(B::EMPTY, |set, jump| set | B::bit(usize::from(jump.landing)));
        let at = B::bit(usize::from(jumps[taken - 1].landing));
        let is_crowned =
            rules.promotion == Promotion::InFlight && !(landings & geometry.far_rows[own.index()]).is_empty();
        let is_king = is_crowned || !(position.kings & from).is_empty();
        position.pieces[own.index()] = position.pieces[own.index()] & !from | at;
        position.kings &= !from;
        if is_king {
            position.kings |= at;
        }
        if !rules.removal_at_once {
            return Some((position, at, captured));
        }
        position.pieces[own.opponent().index()] &= !captured;
        position.kings &= !captured;
        Some((position, at, B::EMPTY))
    }
}

impl<B: Bitboard, R: RuleSource> BatchRules for DraughtsEnv<B, R> {
    type State = State<B>;
    type Scratch = Scratch<B>;

    fn new_scratch(&self, monitor: Option<&SharedMonitor>) -> Scratch<B> {
        Scratch::new(monitor)
    }

    #[inline(always)]
    fn is_cancelled(&self, scratch: &Scratch<B>) -> bool {
        scratch.work.is_cancelled()
    }

    fn observation_size(&self) -> usize {
        let further = if self.encoding == ActionEncoding::Step { CAPTURE_PLANES } else { 0 };
        (PLANES + further) * self.generator.planes.size()
    }

    fn action_size(&self) -> usize {
        self.actions
    }

    #[inline(always)]
    fn turn(&self, state: &State<B>) -> Side {
        state.position.turn
    }

    fn copy(&self, from: &State<B>, to: &mut State<B>) {
        to.position = from.position;
        to.counters = from.counters;
        to.legal.clone_from(&from.legal);
        to.actions.clone_from(&from.actions);
        to.misfit = from.misfit;
        to.repetitions.copy_from(&from.repetitions);
        if self.encoding == ActionEncoding::Step {
            to.steps.copy_from(&from.steps);
        }
    }

    #[inline(always)]
    fn count(&self, state: &State<B>) -> usize {
        match self.encoding {
            ActionEncoding::Slot { .. } => state.legal.len(),
            _ => state.actions.len(),
        }
    }

    #[inline(always)]
    fn find(&self, state: &State<B>, action: u32) -> Option<usize> {
        match self.encoding {
            ActionEncoding::Slot { .. } => Some(action as usize).filter(|index| *index < state.legal.len()),
            _ => state.actions.iter().position(|other| *other == action),
        }
    }

    #[inline(always)]
    fn action(&self, state: &State<B>, index: usize) -> u32 {
        match self.encoding {
            ActionEncoding::Slot { .. } => index as u32,
            _ => state.actions[index],
        }
    }

    #[inline(always)]
    fn check(&self, state: &State<B>) -> Result<(), ActionError> {
        state.misfit.map_or(Ok(()), Err)
    }

    #[inline(always)]
    fn play(&self, state: &mut State<B>, index: usize, scratch: &mut Scratch<B>) -> Progress {
        if self.encoding != ActionEncoding::Step {
            return self.play_move(state, index, scratch);
        }
        let Steps { paths, cursor, .. } = &mut state.steps;
        cursor.take(paths, self.squares, state.actions[index]);
        match cursor.only() {
            Some(index) => self.play_move(state, index, scratch),
            None => {
                self.number_steps(state);
                Progress::InMove
            }
        }
    }

    #[inline(always)]
    fn write_observation(&self, state: &State<B>, observation: &mut [u8]) {
        let planes = &self.generator.planes;
        let Some((position, at, captured)) = self.in_capture(state) else {
            return planes.write(&state.position, observation);
        };
        planes.write(&position, observation);
        let further = observation[PLANES * planes.size()..].chunks_exact_mut(planes.size());
        for (set, plane) in [at, captured].into_iter().zip(further) {
            planes.mark(set, position.turn, plane);
        }
    }

    #[inline(always)]
    fn write_mask(&self, state: &State<B>, mask: &mut [u8], marked: &mut Vec<u32>) {
        if let ActionEncoding::Slot { .. } = self.encoding {
            let (legal, others) = mask.split_at_mut(state.legal.len());
            legal.fill(1);
            others.fill(0);
        } else {
            self.clear_mask(mask, marked);
            for action in &state.actions {
                mask[*action as usize] = 1;
            }
            marked.extend_from_slice(&state.actions);
        }
    }

    /// These masks are large and have few entries: only those that are 1 are cleared.
    fn clear_mask(&self, mask: &mut [u8], marked: &mut Vec<u32>) {
        if let ActionEncoding::Slot { .. } = self.encoding {
            mask.fill(0);
        } else {
            for action in marked.drain(..) {
                mask[action as usize] = 0;
            }
        }
    }
}

impl<B: Bitboard, R: RuleSource> DraughtsBatch for GameBatch<DraughtsEnv<B, R>> {
    fn board(&self, game: usize) -> Box<dyn Board> {
        let generator = Arc::clone(&self.rules().generator);
        Box::new(BoundPosition { generator, position: self.state(game).position })
    }
}
