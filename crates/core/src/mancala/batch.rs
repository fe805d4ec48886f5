//! Batches of games of mancala, for environments.

use std::sync::Arc;

use super::arrays::ActionEncoding;
use super::board::{Board, BoundPosition, LazyTables};
use super::generator::MoveGenerator;
use super::moves::{Move, MoveSet};
use super::position::Position;
use super::row::Row;
use crate::actions::ActionError;
use crate::envs::{Batch, BatchRules, GameBatch, Progress, Repetitions, Settings, StartError};
use crate::side::Side;
use crate::work::SharedMonitor;

/// The rule that ends the games of a batch when a position occurs again.
#[derive(Clone, Copy, Debug)]
pub struct RepetitionEnd {
    /// The number of occurrences of the position.
    pub times: u32,
    /// Whether the side with the higher score wins; otherwise the game is drawn.
    pub by_score: bool,
}

/// A batch of games of mancala.
pub trait MancalaBatch: Batch {
    /// Return the position of a game.
    fn board(&self, game: usize) -> Box<dyn Board>;
}

/// The rules of a batch: those of the move generator, and the encoding of the actions.
pub(super) struct MancalaEnv<R> {
    generator: Arc<MoveGenerator<R>>,
    tables: Arc<LazyTables>,
    encoding: ActionEncoding,
    repetition: Option<RepetitionEnd>,
}

/// The state of a game.
#[derive(Clone)]
pub(super) struct State<R> {
    position: Position<R>,
    moves: MoveSet,
    repetitions: Repetitions,
}

/// Create a batch of games that begin with positions, in turn.
pub(super) fn create<R: Row>(
    generator: &Arc<MoveGenerator<R>>,
    tables: &Arc<LazyTables>,
    encoding: ActionEncoding,
    repetition: Option<RepetitionEnd>,
    starts: &[Position<R>],
    settings: Settings,
) -> Result<Box<dyn MancalaBatch>, StartError> {
    let (generator, tables) = (Arc::clone(generator), Arc::clone(tables));
    let mut states = Vec::with_capacity(starts.len());
    for (index, position) in starts.iter().enumerate() {
        generator.check_observable(position).map_err(|error| StartError::Action(index, error))?;
        let moves = generator.legal_moves(position);
        if moves.is_empty() {
            return Err(StartError::GameOver(index));
        }
        states.push(State { position: *position, moves, repetitions: Repetitions::default() });
    }
    Ok(Box::new(GameBatch::new(MancalaEnv { generator, tables, encoding, repetition }, settings, states)))
}

impl<R: Row> MancalaEnv<R> {
    /// Return how the game ends by the repetition rule, if it does.
    #[inline(always)]
    fn end_by_repetition(&self, before: &Position<R>, played: Move, state: &mut State<R>) -> Option<Progress> {
        let RepetitionEnd { times, by_score } = self.repetition?;
        let (houses, after) = (self.generator.rules.houses, &state.position);
        let stored = |position: &Position<R>| position.own.get(houses) + position.other.get(houses);
        if stored(before) != stored(after) || played == Move::Swap {
            // Seeds never leave a store, and sides are swapped once.
            state.repetitions.clear();
            return None;
        }
        let is_over = state.repetitions.push(|| before.hash_key(), after.hash_key()) >= times;
        is_over.then(|| Progress::Over(self.generator.leader(after).filter(|_| by_score)))
    }
}

impl<R: Row> BatchRules for MancalaEnv<R> {
    type State = State<R>;
    type Scratch = ();

    fn new_scratch(&self, _: Option<&SharedMonitor>) {}

    #[inline(always)]
    fn is_cancelled(&self, (): &()) -> bool {
        false
    }

    fn observation_size(&self) -> usize {
        2 * (self.generator.rules.houses + 1)
    }

    fn action_size(&self) -> usize {
        self.encoding.size(&self.generator.rules)
    }

    #[inline(always)]
    fn turn(&self, state: &State<R>) -> Side {
        state.position.turn
    }

    #[inline(always)]
    fn copy(&self, from: &State<R>, to: &mut State<R>) {
        (to.position, to.moves) = (from.position, from.moves);
        to.repetitions.copy_from(&from.repetitions);
    }

    #[inline(always)]
    fn count(&self, state: &State<R>) -> usize {
        state.moves.len()
    }

    #[inline(always)]
    fn find(&self, state: &State<R>, action: u32) -> Option<usize> {
        match self.encoding {
            ActionEncoding::Slot => Some(action as usize).filter(|index| *index < state.moves.len()),
            ActionEncoding::House => {
                state.moves.into_iter().position(|played| self.generator.house_action(played) == action)
            }
        }
    }

    #[inline(always)]
    fn action(&self, state: &State<R>, index: usize) -> u32 {
        match self.encoding {
            ActionEncoding::Slot => index as u32,
            ActionEncoding::House => self.generator.house_action(state.moves.nth(index)),
        }
    }

    /// The encodings have a number for each house and the swap.
    #[inline(always)]
    fn check(&self, _: &State<R>) -> Result<(), ActionError> {
        Ok(())
    }

    #[inline(always)]
    fn play(&self, state: &mut State<R>, index: usize, (): &mut ()) -> Progress {
        let (before, played) = (state.position, state.moves.nth(index));
        self.generator.play(&mut state.position, played);
        state.moves = self.generator.legal_moves(&state.position);
        if state.moves.is_empty() {
            return Progress::Over(self.generator.leader(&state.position));
        }
        self.end_by_repetition(&before, played, state).unwrap_or(Progress::Continues)
    }

    #[inline(always)]
    fn write_observation(&self, state: &State<R>, observation: &mut [u8]) {
        self.generator.write_pits(&state.position, observation);
    }

    #[inline(always)]
    fn write_mask(&self, state: &State<R>, mask: &mut [u8], _: &mut Vec<u32>) {
        self.generator.write_mask(self.encoding, state.moves, mask);
    }

    fn clear_mask(&self, mask: &mut [u8], _: &mut Vec<u32>) {
        mask.fill(0);
    }
}

impl<R: Row> MancalaBatch for GameBatch<MancalaEnv<R>> {
    fn board(&self, game: usize) -> Box<dyn Board> {
        let MancalaEnv { generator, tables, .. } = self.rules();
        Box::new(BoundPosition {
            generator: Arc::clone(generator),
            tables: Arc::clone(tables),
            position: self.state(game).position,
        })
    }
}
