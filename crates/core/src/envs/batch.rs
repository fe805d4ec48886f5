//! The batch of games of any family.

use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::{Batch, BatchRules, Outputs, Progress, Settings, States, StepError, random_stream};
use crate::platform;
use crate::random::Random;
use crate::side::Side;
use crate::work::SharedMonitor;

/// The minimum number of games in an item of work of a thread.
const MIN_CHUNK: usize = 64;
/// The number of items of work for each thread, so that a thread that is delayed does fewer.
const CHUNKS_PER_THREAD: usize = 4;

/// The entry of an array for "no side".
const NO_SIDE: i8 = -1;

/// A game of a batch.
#[derive(Clone, Debug)]
struct GameState<S> {
    state: S,
    random: Random,
    /// The number of games played before this one in the same place.
    episode: u64,
    plies: u32,
    end: Option<End>,
}

/// The end of a game that has not been replaced.
#[derive(Clone, Copy, Debug)]
struct End {
    winner: Option<Side>,
    is_truncated: bool,
}

/// A place of the batch: a game, and what concerns its row of the arrays.
struct Place<S> {
    game: GameState<S>,
    /// The index of the chosen action in the list of legal actions.
    choice: usize,
    /// The entries of the mask that are 1, if the rules record them.
    marked: Vec<u32>,
}

/// Many games under one rule set.
pub(crate) struct GameBatch<G: BatchRules> {
    rules: G,
    settings: Settings,
    /// The states of the start positions.
    starts: Vec<G::State>,
    places: Vec<Place<G::State>>,
    /// Whether a step was cancelled.
    is_incomplete: bool,
    /// Whether the legal moves of a game do not fit in the encoding.
    has_misfit: bool,
}

/// The states of games of the same type.
struct SavedStates<S>(Vec<Arc<GameState<S>>>);

impl<S: Send + Sync + 'static> States for SavedStates<S> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn select(&self, indices: &[usize]) -> Box<dyn States> {
        Box::new(SavedStates(indices.iter().map(|index| Arc::clone(&self.0[*index])).collect()))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<G: BatchRules> GameBatch<G> {
    /// Create a batch whose games begin with the states `starts`, in turn. The arrays are written by `reset`.
    pub(crate) fn new(rules: G, settings: Settings, starts: Vec<G::State>) -> Self {
        let place = |game: usize| Place {
            game: GameState {
                state: starts[game % starts.len()].clone(),
                random: random_stream(settings.seed, game, 0),
                episode: 0,
                plies: 0,
                end: None,
            },
            choice: 0,
            marked: Vec::new(),
        };
        let places = (0..settings.games).map(place).collect();
        GameBatch { rules, settings, starts, places, is_incomplete: false, has_misfit: false }
    }

    /// Return the rules.
    pub(crate) fn rules(&self) -> &G {
        &self.rules
    }

    /// Return the state of a game.
    pub(crate) fn state(&self, game: usize) -> &G::State {
        &self.places[game].game.state
    }

    /// Return an error if an earlier step was not completed, or if a game cannot continue.
    fn check(&self) -> Result<(), StepError> {
        if self.is_incomplete {
            return Err(StepError::Incomplete);
        }
        if self.has_misfit {
            for (game, place) in self.places.iter().enumerate() {
                self.rules.check(&place.game.state).map_err(|error| StepError::Action { game, error })?;
            }
        }
        Ok(())
    }

    /// Return the index of each action in the list of legal actions of its game.
    fn find_choices(&mut self, actions: &[i64]) -> Result<(), StepError> {
        for ((game, place), action) in self.places.iter_mut().enumerate().zip(actions) {
            if place.game.end.is_none() {
                let found = u32::try_from(*action).ok().and_then(|action| self.rules.find(&place.game.state, action));
                place.choice = found.ok_or(StepError::IllegalAction { game, action: *action })?;
            }
        }
        Ok(())
    }

    /// Step all games, on several threads if the settings say so. Return whether the work was completed.
    fn step_all(&mut self, is_random: bool, outputs: Outputs<'_>, monitor: &SharedMonitor) -> bool {
        let sizes = [self.rules.observation_size(), self.rules.action_size()];
        let stepper = Stepper { rules: &self.rules, settings: &self.settings, starts: &self.starts, is_random, sizes };
        let threads = self.settings.threads.min(self.places.len().div_ceil(MIN_CHUNK));
        if threads <= 1 {
            let mut scratch = self.rules.new_scratch(Some(monitor));
            let (is_complete, has_misfit) = stepper.step(0, &mut self.places, outputs, &mut scratch);
            self.has_misfit = has_misfit;
            return is_complete;
        }
        let size = self.places.len().div_ceil(threads * CHUNKS_PER_THREAD).max(MIN_CHUNK);
        let (mut rest, mut chunks) = (outputs, Vec::new());
        for (index, places) in self.places.chunks_mut(size).enumerate() {
            let (first, others) = rest.split(places.len(), sizes);
            chunks.push(Mutex::new(Some((index * size, places, first))));
            rest = others;
        }
        let next = AtomicUsize::new(0);
        let [is_cancelled, has_misfit] = [const { AtomicBool::new(false) }; 2];
        let run = || {
            let mut scratch = stepper.rules.new_scratch(Some(monitor));
            while let Some(chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let taken = chunk.lock().expect("a thread panicked").take();
                let Some((first, places, outputs)) = taken else { continue };
                let (is_complete, misfit) = stepper.step(first, places, outputs, &mut scratch);
                is_cancelled.fetch_or(!is_complete, Ordering::Relaxed);
                has_misfit.fetch_or(misfit, Ordering::Relaxed);
            }
        };
        platform::run_with_helpers(threads, &mut || run(), &|_| run());
        self.has_misfit = has_misfit.into_inner();
        !is_cancelled.into_inner()
    }

    /// Write the entries of a game that has not just been stepped.
    fn write(rules: &G, place: &mut Place<G::State>, index: usize, outputs: &mut Outputs<'_>) {
        let sizes = [rules.observation_size(), rules.action_size()];
        let Place { game, marked, .. } = place;
        outputs.write_position(rules, game, index, sizes, marked);
        let (winner, is_over, is_truncated) =
            game.end.map_or((None, false, false), |end| (end.winner, !end.is_truncated, end.is_truncated));
        outputs.reward[index] = 0.0;
        outputs.terminated[index] = is_over.into();
        outputs.truncated[index] = is_truncated.into();
        outputs.mover[index] = NO_SIDE;
        outputs.winner[index] = winner.map_or(NO_SIDE, side_number);
        outputs.plies[index] = game.plies as i32;
    }
}

fn side_number(side: Side) -> i8 {
    side.index() as i8
}

/// Begin the next game in a place.
#[inline(always)]
fn begin_next<G: BatchRules>(
    rules: &G,
    settings: &Settings,
    starts: &[G::State],
    index: usize,
    game: &mut GameState<G::State>,
    episode: u64,
) {
    let start = (index as u64).wrapping_add(episode.wrapping_mul(settings.games as u64)) % starts.len() as u64;
    rules.copy(&starts[start as usize], &mut game.state);
    game.random = random_stream(settings.seed, index, episode);
    game.episode = episode;
    game.plies = 0;
    game.end = None;
}

impl Outputs<'_> {
    /// Split the arrays after a number of games.
    fn split(self, games: usize, [observation_size, action_size]: [usize; 2]) -> (Self, Self) {
        macro_rules! split {
            ($($field:ident: $size:expr),* $(,)?) => {{
                $(let $field = self.$field.split_at_mut(games * $size);)*
                (Outputs { $($field: $field.0),* }, Outputs { $($field: $field.1),* })
            }};
        }
        split!(
            observation: observation_size,
            final_observation: observation_size,
            mask: action_size,
            reward: 1,
            terminated: 1,
            truncated: 1,
            turn: 1,
            mover: 1,
            winner: 1,
            plies: 1,
        )
    }

    /// Write the observation, the mask and the side to move of a game.
    #[inline(always)]
    fn write_position<G: BatchRules>(
        &mut self,
        rules: &G,
        game: &GameState<G::State>,
        index: usize,
        [observation, actions]: [usize; 2],
        marked: &mut Vec<u32>,
    ) {
        rules.write_observation(&game.state, &mut self.observation[index * observation..][..observation]);
        let mask = &mut self.mask[index * actions..][..actions];
        match game.end {
            None => rules.write_mask(&game.state, mask, marked),
            Some(_) => rules.clear_mask(mask, marked),
        }
        self.turn[index] = side_number(rules.turn(&game.state));
    }
}

/// What all threads of a step share.
struct Stepper<'a, G: BatchRules> {
    rules: &'a G,
    settings: &'a Settings,
    starts: &'a [G::State],
    /// Whether the actions are random, and not the chosen ones.
    is_random: bool,
    /// The sizes of an observation and of a mask.
    sizes: [usize; 2],
}

impl<G: BatchRules> Stepper<'_, G> {
    /// Step the games of a part of the batch that begins with the place `first`. Return whether the work was completed,
    /// and whether the legal moves of a game do not fit in the encoding.
    fn step(
        &self,
        first: usize,
        places: &mut [Place<G::State>],
        mut outputs: Outputs<'_>,
        scratch: &mut G::Scratch,
    ) -> (bool, bool) {
        let mut has_misfit = false;
        for (index, place) in places.iter_mut().enumerate() {
            if !self.step_game(first, index, place, &mut outputs, scratch) {
                return (false, has_misfit);
            }
            has_misfit |= self.rules.check(&place.game.state).is_err();
        }
        (true, has_misfit)
    }

    #[inline(always)]
    fn step_game(
        &self,
        first: usize,
        index: usize,
        place: &mut Place<G::State>,
        outputs: &mut Outputs<'_>,
        scratch: &mut G::Scratch,
    ) -> bool {
        let Place { game, choice, marked } = place;
        if game.end.is_some() {
            // The other entries stay as they are.
            outputs.reward[index] = 0.0;
            outputs.mover[index] = NO_SIDE;
            return true;
        }
        let (rules, mover) = (self.rules, self.rules.turn(&game.state));
        let choice = if self.is_random { game.random.below(rules.count(&game.state)) } else { *choice };
        let progress = rules.play(&mut game.state, choice, scratch);
        if rules.is_cancelled(scratch) {
            return false;
        }
        game.plies += u32::from(progress != Progress::InMove);
        let is_long = self.settings.max_plies.is_some_and(|max| game.plies >= max && progress != Progress::InMove);
        let (winner, is_over) = match progress {
            Progress::Over(winner) => (winner, true),
            Progress::InMove | Progress::Continues => (None, false),
        };
        let is_truncated = !is_over && is_long;
        outputs.reward[index] = winner.map_or(0.0, |winner| if winner == mover { 1.0 } else { -1.0 });
        outputs.terminated[index] = is_over.into();
        outputs.truncated[index] = is_truncated.into();
        outputs.mover[index] = side_number(mover);
        outputs.winner[index] = winner.map_or(NO_SIDE, side_number);
        outputs.plies[index] = game.plies as i32;
        if is_over || is_truncated {
            game.end = Some(End { winner, is_truncated });
            if self.settings.auto_reset {
                let size = self.sizes[0];
                rules.write_observation(&game.state, &mut outputs.final_observation[index * size..][..size]);
                begin_next(rules, self.settings, self.starts, first + index, game, game.episode + 1);
            }
        }
        outputs.write_position(rules, game, index, self.sizes, marked);
        true
    }
}

impl<G: BatchRules> Batch for GameBatch<G> {
    fn observation_size(&self) -> usize {
        self.rules.observation_size()
    }

    fn action_size(&self) -> usize {
        self.rules.action_size()
    }

    fn reset(&mut self, seed: Option<u64>, mut outputs: Outputs<'_>) {
        self.settings.seed = seed.unwrap_or(self.settings.seed);
        for (index, place) in self.places.iter_mut().enumerate() {
            let episode = if seed.is_some() { 0 } else { place.game.episode + 1 };
            begin_next(&self.rules, &self.settings, &self.starts, index, &mut place.game, episode);
            Self::write(&self.rules, place, index, &mut outputs);
        }
        (self.is_incomplete, self.has_misfit) = (false, false);
    }

    fn reset_games(&mut self, selected: &[u8], mut outputs: Outputs<'_>) {
        for (index, place) in self.places.iter_mut().enumerate() {
            if selected[index] != 0 {
                let episode = place.game.episode + 1;
                begin_next(&self.rules, &self.settings, &self.starts, index, &mut place.game, episode);
                Self::write(&self.rules, place, index, &mut outputs);
            }
        }
    }

    fn step(
        &mut self,
        actions: Option<&[i64]>,
        outputs: Outputs<'_>,
        monitor: &SharedMonitor,
    ) -> Result<(), StepError> {
        self.check()?;
        if let Some(actions) = actions {
            self.find_choices(actions)?;
        }
        if !self.step_all(actions.is_none(), outputs, monitor) {
            self.is_incomplete = true;
            return Err(StepError::Cancelled);
        }
        self.check()
    }

    fn sample(&mut self, actions: &mut [i64]) -> Result<(), StepError> {
        self.check()?;
        for (place, action) in self.places.iter_mut().zip(actions) {
            let game = &mut place.game;
            *action = 0;
            if game.end.is_none() {
                let choice = game.random.below(self.rules.count(&game.state));
                *action = self.rules.action(&game.state, choice).into();
            }
        }
        Ok(())
    }

    fn states(&self, games: &[usize]) -> Result<Box<dyn States>, StepError> {
        if self.is_incomplete {
            return Err(StepError::Incomplete);
        }
        Ok(Box::new(SavedStates(games.iter().map(|game| Arc::new(self.places[*game].game.clone())).collect())))
    }

    fn set_states(
        &mut self,
        states: &dyn States,
        games: &[usize],
        seed: Option<u64>,
        mut outputs: Outputs<'_>,
    ) -> bool {
        let Some(SavedStates(states)) = states.as_any().downcast_ref::<SavedStates<G::State>>() else { return false };
        for (saved, index) in states.iter().zip(games) {
            let place = &mut self.places[*index];
            let GameState { state, random, episode, plies, end } = &**saved;
            self.rules.copy(state, &mut place.game.state);
            place.game.random = seed.map_or_else(|| random.clone(), |seed| random_stream(seed, *index, 0));
            (place.game.episode, place.game.plies, place.game.end) = (*episode, *plies, *end);
            Self::write(&self.rules, place, *index, &mut outputs);
            self.has_misfit |= self.rules.check(&place.game.state).is_err();
        }
        true
    }
}
