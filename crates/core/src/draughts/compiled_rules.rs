//! Compiled rules: a rule set with the move generator that fits it, behind a trait without type parameters.

use std::sync::Arc;

use super::actions::ActionEncoding;
use super::arrays::ArrayFormat;
use super::batch::{self, DraughtsBatch, DrawEnds};
use super::bitboard::{Bitboard, WideBitboard};
use super::board::{Board, BoundPosition, Setup};
use super::evaluation::{Evaluation, Evaluator, FeatureRows, LinearEvaluation, Network, NetworkWeights, Weights};
use super::generator::MoveGenerator;
use super::geometry::width;
use super::rules::Rules;
use super::specialisation::{
    BackwardCaptures, Dynamic, EightDirections, ForwardCaptures, Orthogonal, RuleSource, ShortKings,
};
use super::tablebase::{RULES_ID, SliceSet, Tablebase};
use crate::arrays::RowError;
use crate::envs::{Settings, StartError};
use crate::side::Side;
use crate::work::SharedMonitor;

/// A rule set that is ready to play.
pub trait CompiledRules: Send + Sync {
    /// Return the rules that were compiled.
    fn rules(&self) -> &Rules;
    /// Create a position under these rules. Each square of the setup must be on the board and occur once.
    fn board(&self, setup: &Setup) -> Box<dyn Board>;
    /// Create the position of a row of an array, which has the shape of the format. `turn` is the side to move if the
    /// format does not have it.
    fn read_row(&self, format: &ArrayFormat, row: &[u8], turn: Side) -> Result<Box<dyn Board>, RowError>;
    /// Compile an evaluation with these weights; the error says why they do not fit the board.
    fn evaluation(&self, weights: &Weights) -> Result<Arc<dyn Evaluator>, String>;
    /// Compile an evaluation by a network; the error says why the weights do not fit the board.
    fn network(&self, weights: &NetworkWeights) -> Result<Arc<dyn Evaluator>, String>;
    /// Return the feature rows of packed positions for a linear evaluation of these rules; the error is the index of the first
    /// entry that is not a position.
    fn feature_rows(&self, evaluator: &dyn Evaluator, packed: &[u8]) -> Result<FeatureRows, usize>;
    /// Create a batch of games that begin with positions under these rules, in turn.
    fn batch(
        &self,
        encoding: ActionEncoding,
        ends: &DrawEnds,
        starts: &[&dyn Board],
        settings: Settings,
        monitor: &SharedMonitor,
    ) -> Result<Box<dyn DraughtsBatch>, StartError>;
    /// Return an empty tablebase; `id` identifies the rules in files. The error says why the rules are not supported.
    fn tablebase(&self, id: [u8; RULES_ID]) -> Result<Arc<dyn Tablebase>, &'static str>;
}

impl<B: Bitboard, R: RuleSource> CompiledRules for Arc<MoveGenerator<B, R>> {
    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn board(&self, setup: &Setup) -> Box<dyn Board> {
        Box::new(BoundPosition::new(self, setup))
    }

    fn read_row(&self, format: &ArrayFormat, row: &[u8], turn: Side) -> Result<Box<dyn Board>, RowError> {
        let position = MoveGenerator::read_row(self, format, row, turn)?;
        Ok(Box::new(BoundPosition { generator: Arc::clone(self), position }))
    }

    fn evaluation(&self, weights: &Weights) -> Result<Arc<dyn Evaluator>, String> {
        let linear = LinearEvaluation::new(&self.rules, &self.geometry, weights)?;
        Ok(Arc::new(Evaluation::Linear(Box::new(linear))))
    }

    fn network(&self, weights: &NetworkWeights) -> Result<Arc<dyn Evaluator>, String> {
        let network = Network::new(&self.rules, &self.geometry, weights)?;
        Ok(Arc::new(Evaluation::<B>::Network(Box::new(network))))
    }

    fn feature_rows(&self, evaluator: &dyn Evaluator, packed: &[u8]) -> Result<FeatureRows, usize> {
        let evaluation = evaluator.as_any().downcast_ref().expect("the evaluation is one of these rules");
        let Evaluation::Linear(linear) = evaluation else { panic!("a network has no feature rows") };
        MoveGenerator::feature_rows(self, linear, packed)
    }

    fn batch(
        &self,
        encoding: ActionEncoding,
        ends: &DrawEnds,
        starts: &[&dyn Board],
        settings: Settings,
        monitor: &SharedMonitor,
    ) -> Result<Box<dyn DraughtsBatch>, StartError> {
        batch::create(self, encoding, ends, starts, settings, monitor)
    }

    fn tablebase(&self, id: [u8; RULES_ID]) -> Result<Arc<dyn Tablebase>, &'static str> {
        Ok(Arc::new(SliceSet::new(self, id)?))
    }
}

fn bind<B: Bitboard, R: RuleSource>(rules: Rules) -> Box<dyn CompiledRules> {
    Box::new(Arc::new(MoveGenerator::<B, R>::new(rules)))
}

/// Compile a rule set: with the first static rule source that fits it, or with rules read at run time.
pub fn compile(rules: Rules) -> Box<dyn CompiledRules> {
    macro_rules! first_that_fits {
        ($bits:expr, $($bitboard:ty: $source:ty),* $(,)?) => {
            $(if $bits <= <$bitboard>::BITS as usize && <$source>::FACTS.is_some_and(|facts| facts.fit(&rules)) {
                return bind::<$bitboard, $source>(rules);
            })*
        };
    }
    let bits = width(rules.columns, rules.rows, rules.all_squares);
    first_that_fits!(
        bits,
        u64: BackwardCaptures<8>,
        u64: ForwardCaptures<8>,
        u64: ShortKings<8>,
        u64: BackwardCaptures<10>,
        u64: EightDirections<10>,
        u128: BackwardCaptures<12>,
        u128: Orthogonal<8>,
    );
    match bits {
        0..=64 => bind::<u64, Dynamic>(rules),
        65..=128 => bind::<u128, Dynamic>(rules),
        129..=256 => bind::<WideBitboard<4>, Dynamic>(rules),
        _ => bind::<WideBitboard<17>, Dynamic>(rules),
    }
}

#[cfg(test)]
pub(super) mod tests;
