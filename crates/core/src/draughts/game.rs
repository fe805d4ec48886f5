//! A rule set made ready to play: the mover that fits it.

use std::sync::Arc;

use super::board::{Board, Seat, Setup};
use super::directions::Directions;
use super::evaluation::{Evaluation, Evaluator, FeatureRows, Weights};
use super::features::{Features, Fixed, Open};
use super::geometry::width;
use super::mover::Mover;
use super::rules::Rules;
use super::squares::{SquareSet, Wide};

/// A rule set ready to play.
pub trait Game: Send + Sync {
    /// A position under these rules; squares are on the board and named once.
    fn board(&self, setup: &Setup) -> Box<dyn Board>;
    /// Compile the weights, or return why they do not fit the board.
    fn evaluation(&self, weights: &Weights) -> Result<Arc<dyn Evaluator>, String>;
    /// Return the features of packed positions, or the index of the first one that is invalid. The evaluator is
    /// compiled for these rules.
    fn feature_rows(&self, evaluator: &dyn Evaluator, packed: &[u8]) -> Result<FeatureRows, usize>;
}

impl<S: SquareSet, F: Features> Game for Arc<Mover<S, F>> {
    fn board(&self, setup: &Setup) -> Box<dyn Board> {
        Box::new(Seat::new(self, setup))
    }

    fn evaluation(&self, weights: &Weights) -> Result<Arc<dyn Evaluator>, String> {
        Ok(Arc::new(Evaluation::new(&self.rules, &self.geometry, weights)?))
    }

    fn feature_rows(&self, evaluator: &dyn Evaluator, packed: &[u8]) -> Result<FeatureRows, usize> {
        let evaluation = evaluator.as_any().downcast_ref().expect("the evaluator is compiled for these rules");
        Mover::feature_rows(self, evaluation, packed)
    }
}

fn ready<S: SquareSet, F: Features>(rules: Rules) -> Box<dyn Game> {
    Box::new(Arc::new(Mover::<S, F>::new(rules)))
}

const AHEAD: u8 = Directions::FORWARD_DIAGONALS.0;
const DIAGONALS: u8 = Directions::DIAGONALS.0;
const ORTHOGONALS: u8 = Directions::ORTHOGONALS.0;
const AHEAD_OR_ASIDE: u8 = Directions::FORWARD.0 | Directions::SIDEWAYS.0;
const ALL: u8 = Directions::ALL.0;

/// Men that capture in all diagonal directions, and flying kings.
type Backward<const COLUMNS: usize> = Fixed<COLUMNS, false, AHEAD, DIAGONALS, DIAGONALS, DIAGONALS, true>;
/// Men that capture forward only, and flying kings.
type Forward<const COLUMNS: usize> = Fixed<COLUMNS, false, AHEAD, AHEAD, DIAGONALS, DIAGONALS, true>;
/// Men that capture forward only, and short kings.
type Short<const COLUMNS: usize> = Fixed<COLUMNS, false, AHEAD, AHEAD, DIAGONALS, DIAGONALS, false>;
/// Captures in all eight directions, and flying kings.
type Eightfold<const COLUMNS: usize> = Fixed<COLUMNS, false, AHEAD, ALL, DIAGONALS, ALL, true>;
/// Rows and columns of a board of all squares, and flying kings.
type Straight<const COLUMNS: usize> =
    Fixed<COLUMNS, true, AHEAD_OR_ASIDE, AHEAD_OR_ASIDE, ORTHOGONALS, ORTHOGONALS, true>;

/// Makes a rule set ready: the first mover whose board and directions the compiler knows, or one that reads them.
pub fn prepare(rules: Rules) -> Box<dyn Game> {
    macro_rules! first_that_fits {
        ($bits:expr, $($set:ty: $features:ty),* $(,)?) => {
            $(if $bits <= <$set>::BITS as usize && <$features>::fits(&rules) {
                return ready::<$set, $features>(rules);
            })*
        };
    }
    let bits = width(rules.columns, rules.rows, rules.all_squares);
    first_that_fits!(
        bits,
        u64: Backward<8>,
        u64: Forward<8>,
        u64: Short<8>,
        u64: Backward<10>,
        u64: Eightfold<10>,
        u128: Backward<12>,
        u128: Straight<8>,
    );
    match bits {
        0..=64 => ready::<u64, Open>(rules),
        65..=128 => ready::<u128, Open>(rules),
        129..=256 => ready::<Wide<4>, Open>(rules),
        _ => ready::<Wide<17>, Open>(rules),
    }
}

#[cfg(test)]
pub(super) mod tests;
