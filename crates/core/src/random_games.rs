//! Random playouts: a batch of games of random moves, of any family.

use crate::parallel;
use crate::random::Random;
use crate::side::Side;
use crate::work::Monitor;

/// The parameters of a batch of random games.
#[derive(Clone, Copy, Debug)]
pub struct RandomGames {
    /// The number of games.
    pub games: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The maximum length of a game in plies; longer games are abandoned.
    pub max_plies: u32,
    /// The number of threads; the games do not depend on it.
    pub threads: usize,
}

/// The result of a random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// The winner, or None after a draw and when the game was abandoned.
    pub winner: Option<Side>,
    /// The length in plies.
    pub plies: u32,
}

/// The number of games per item of work. A single game can take less time than claiming an item.
const BATCH_SIZE: u64 = 16;

impl RandomGames {
    /// Return the result of each game in order, or None if the monitor cancelled them.
    ///
    /// `play` plays one game with its own random stream.
    pub fn play(
        &self,
        monitor: &dyn Monitor,
        play: impl Fn(&mut Random) -> Option<Playout> + Sync,
    ) -> Option<Vec<Playout>> {
        let batches: Vec<u64> = (0..self.games.div_ceil(BATCH_SIZE)).collect();
        let played = parallel::map(&batches, self.threads, monitor, |batch| {
            let games = batch * BATCH_SIZE..self.games.min((batch + 1) * BATCH_SIZE);
            games.map(|game| play(&mut Random::new(self.seed, game))).collect::<Option<Vec<_>>>()
        })?;
        Some(played.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::{Playout, RandomGames};

    #[test]
    fn games_do_not_depend_on_the_number_of_threads() {
        for games in [0, 1, 15, 16, 17, 100] {
            let one_thread = RandomGames { games, seed: 7, max_plies: 10, threads: 1 };
            let play = |batch: RandomGames| {
                batch.play(&|_| true, |random| Some(Playout { winner: None, plies: random.below(1000) as u32 }))
            };
            let alone = play(one_thread).unwrap();
            assert_eq!(alone.len() as u64, games);
            assert_eq!(Some(alone), play(RandomGames { threads: 3, ..one_thread }));
        }
    }

    #[test]
    fn a_cancelled_batch_has_no_result() {
        let batch = RandomGames { games: 100, seed: 1, max_plies: 10, threads: 2 };
        assert_eq!(batch.play(&|_| false, |_| Some(Playout { winner: None, plies: 0 })), None);
    }
}
