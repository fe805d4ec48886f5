//! Series of random games, of any family.

use crate::parallel::{self, GoOn};
use crate::random::Random;
use crate::side::Side;

/// A series of random games.
#[derive(Clone, Copy, Debug)]
pub struct Series {
    /// How many.
    pub games: u64,
    /// What the random numbers come from.
    pub seed: u64,
    /// After how many plies a game is given up.
    pub longest: u32,
    /// On how many threads; the games do not depend on it.
    pub threads: usize,
}

/// What a random game came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// The winner, or None where there was none by the longest length.
    pub winner: Option<Side>,
    /// The length in plies.
    pub plies: u32,
}

/// How many games are one piece of work: a game can take less time than asking for the next one.
const BATCH: u64 = 16;

impl Series {
    /// What each game came to, in order, or None where `go_on` said to stop; `play` plays one with its own numbers.
    pub fn play(
        &self,
        go_on: GoOn<'_>,
        play: impl Fn(&mut Random, GoOn<'_>) -> Option<Playout> + Sync,
    ) -> Option<Vec<Playout>> {
        let batches: Vec<u64> = (0..self.games.div_ceil(BATCH)).collect();
        let played = parallel::map(&batches, self.threads, go_on, |batch, go_on| {
            let games = batch * BATCH..self.games.min((batch + 1) * BATCH);
            games.map(|game| play(&mut Random::new(self.seed, game), go_on)).collect::<Option<Vec<_>>>()
        })?;
        Some(played.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::{Playout, Series};

    #[test]
    fn every_game_has_its_own_numbers_whatever_the_threads() {
        for games in [0, 1, 15, 16, 17, 100] {
            let series = Series { games, seed: 7, longest: 10, threads: 1 };
            let play = |series: Series| {
                series.play(&mut || true, |random, _| Some(Playout { winner: None, plies: random.below(1000) as u32 }))
            };
            let alone = play(series).unwrap();
            assert_eq!(alone.len() as u64, games);
            assert_eq!(Some(alone), play(Series { threads: 3, ..series }));
        }
    }

    #[test]
    fn a_stopped_series_has_no_result() {
        let series = Series { games: 100, seed: 1, longest: 10, threads: 2 };
        assert_eq!(series.play(&mut || false, |_, _| Some(Playout { winner: None, plies: 0 })), None);
    }
}
