//! Environments: many games under one rule set, stepped together, for reinforcement learning.
//!
//! - `batch`: the batch of games, for any family: actions, automatic resets, saved states and threads;
//! - `repetitions`: the positions of a game that can occur again.
//!
//! A family implements `BatchRules` for its games; see `draughts::batch` and `mancala::batch`. The arrays belong to the
//! caller, who passes them to each call as `Outputs`.

mod batch;
mod repetitions;

use std::any::Any;

use crate::actions::ActionError;
use crate::random::Random;
use crate::side::Side;
use crate::work::SharedMonitor;

pub(crate) use batch::GameBatch;
pub(crate) use repetitions::Repetitions;

/// The settings of a batch, besides the rules.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The number of games.
    pub games: usize,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The number of threads; the games do not depend on it.
    pub threads: usize,
    /// Whether a game that is over is replaced by a new one in the same step.
    pub auto_reset: bool,
    /// The number of moves after which a game is truncated.
    pub max_plies: Option<u32>,
}

/// The arrays that a batch writes, with one entry or row for each game.
#[derive(Debug)]
pub struct Outputs<'a> {
    /// The observation of the current position, from the view of the side to move.
    pub observation: &'a mut [u8],
    /// The same of the last position of a game that was replaced in this step.
    pub final_observation: &'a mut [u8],
    /// 1 for each legal action, 0 for the others.
    pub mask: &'a mut [u8],
    /// The reward of the side that moved: 1 for a win, -1 for a loss, otherwise 0.
    pub reward: &'a mut [f32],
    /// 1 if the game ended by a rule, otherwise 0.
    pub terminated: &'a mut [u8],
    /// 1 if the game has reached the maximum length, otherwise 0.
    pub truncated: &'a mut [u8],
    /// The side to move.
    pub turn: &'a mut [i8],
    /// The side that moved, or -1 if none did.
    pub mover: &'a mut [i8],
    /// The winner, or -1 if there is none.
    pub winner: &'a mut [i8],
    /// The number of moves played in the game.
    pub plies: &'a mut [i32],
}

/// Why a batch cannot be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartError {
    /// The game is over in the start position with this index.
    GameOver(usize),
    /// The actions or the observation of the start position with this index have no numbers.
    Action(usize, ActionError),
    /// The monitor cancelled the work.
    Cancelled,
}

/// Why a step was not made, or is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepError {
    /// An action is not legal. Nothing was changed.
    IllegalAction {
        /// The index of the game.
        game: usize,
        /// The action.
        action: i64,
    },
    /// A position has more legal moves than the encoding has numbers. The game cannot continue.
    Action {
        /// The index of the game.
        game: usize,
        /// The error of the encoding.
        error: ActionError,
    },
    /// The monitor cancelled the work: some games have been stepped, others not.
    Cancelled,
    /// An earlier step was cancelled.
    Incomplete,
}

/// A batch of games.
pub trait Batch: Send + Sync {
    /// Return the number of bytes in the observation of a game.
    fn observation_size(&self) -> usize;
    /// Return the number of actions.
    fn action_size(&self) -> usize;
    /// Begin new games. A seed starts the random streams again; without one, they continue.
    fn reset(&mut self, seed: Option<u64>, outputs: Outputs<'_>);
    /// Begin new games where `selected` is not 0.
    fn reset_games(&mut self, selected: &[u8], outputs: Outputs<'_>);
    /// Play an action in each game that is not over, or a random one if there are no actions.
    fn step(&mut self, actions: Option<&[i64]>, outputs: Outputs<'_>, monitor: &SharedMonitor)
    -> Result<(), StepError>;
    /// Choose a random legal action for each game; 0 for a game that is over.
    fn sample(&mut self, actions: &mut [i64]) -> Result<(), StepError>;
    /// Return copies of the states of games.
    fn states(&self, games: &[usize]) -> Result<Box<dyn States>, StepError>;
    /// Set the states of games; `states` has one state for each, of a batch of the same rules and encoding. With a seed,
    /// each game gets a random stream of its own, otherwise that of its state. Return whether the states have the type
    /// of this batch.
    fn set_states(&mut self, states: &dyn States, games: &[usize], seed: Option<u64>, outputs: Outputs<'_>) -> bool;
}

/// Saved states of games. They do not change.
pub trait States: Send + Sync {
    /// Return the number of states.
    fn len(&self) -> usize;
    /// Return whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Return the states with these indices.
    fn select(&self, indices: &[usize]) -> Box<dyn States>;
    /// Return the states as `Any`, for downcasts to their type.
    fn as_any(&self) -> &dyn Any;
}

/// How a game continues after an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The action is not the last one of the move.
    InMove,
    /// The move is complete, and the game is not over.
    Continues,
    /// The game is over, with this winner or drawn.
    Over(Option<Side>),
}

/// The games of a family under one rule set, with an action encoding.
pub(crate) trait BatchRules: Send + Sync + 'static {
    /// The state of a game: the position, its legal actions, and what the draw rules count.
    type State: Clone + Send + Sync + 'static;
    /// The memory of a thread.
    type Scratch;

    fn new_scratch(&self, monitor: Option<&SharedMonitor>) -> Self::Scratch;
    /// Return whether the monitor cancelled the work, so that the last state is incomplete.
    fn is_cancelled(&self, scratch: &Self::Scratch) -> bool;
    fn observation_size(&self) -> usize;
    fn action_size(&self) -> usize;
    fn turn(&self, state: &Self::State) -> Side;
    /// Copy a state into another one, whose memory is used again.
    fn copy(&self, from: &Self::State, to: &mut Self::State);
    /// Return the number of legal actions.
    fn count(&self, state: &Self::State) -> usize;
    /// Return the index of an action in the list of legal actions, or None if it is not legal.
    fn find(&self, state: &Self::State, action: u32) -> Option<usize>;
    /// Return the legal action with this index.
    fn action(&self, state: &Self::State, index: usize) -> u32;
    /// Return an error if the legal moves do not fit in the encoding. The list of legal actions is then empty.
    fn check(&self, state: &Self::State) -> Result<(), ActionError>;
    /// Play the legal action with this index.
    fn play(&self, state: &mut Self::State, index: usize, scratch: &mut Self::Scratch) -> Progress;
    fn write_observation(&self, state: &Self::State, observation: &mut [u8]);
    /// Write the mask of the legal actions. `marked` has the entries that are 1 so far, if the rules record them.
    fn write_mask(&self, state: &Self::State, mask: &mut [u8], marked: &mut Vec<u32>);
    /// Write an empty mask.
    fn clear_mask(&self, mask: &mut [u8], marked: &mut Vec<u32>);
}

/// Return the random stream of a game.
fn random_stream(seed: u64, game: usize, episode: u64) -> Random {
    Random::new(seed ^ crate::random::scramble(episode), game as u64)
}
