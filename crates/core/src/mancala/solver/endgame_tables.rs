//! Endgame tables: the values of all positions with few seeds in the houses.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::layer;
use super::numbering::{self, Numbering, RowNumber};
use crate::mancala::generator::MoveGenerator;
use crate::mancala::row::Row;
use crate::mancala::rules::{Capture, Rules};
use crate::mancala::setup::Setup;
use crate::memory::Bytes;
use crate::work::Monitor;

/// The values of all positions with few seeds in the houses: the margin that the side to move gains in the rest of the
/// game. Stores are ignored.
///
/// A layer has all positions with the same number of seeds. Clones share their layers.
#[derive(Clone, Debug)]
pub struct EndgameTables {
    generator: Arc<MoveGenerator<u64>>,
    numbering: Arc<Numbering>,
    layers: Vec<Arc<Layer>>,
}

/// Bytes that are owned elsewhere, for example by a Python object.
pub type SharedBytes = Box<dyn AsRef<[u8]> + Send + Sync>;

/// One signed byte per position.
enum Layer {
    Built(Bytes),
    Shared(SharedBytes),
}

impl Layer {
    fn bytes(&self) -> &[u8] {
        match self {
            Layer::Built(bytes) => bytes,
            Layer::Shared(bytes) => (**bytes).as_ref(),
        }
    }
}

impl fmt::Debug for Layer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Layer of {} positions", self.bytes().len())
    }
}

impl EndgameTables {
    /// Create tables without layers, or return None if the rules do not support tables.
    ///
    /// Rows must fit in a machine word, values must not depend on the stores (so a majority must not end the game), and
    /// all games must be finite.
    pub fn new(rules: Rules) -> Option<Self> {
        let fits = rules.houses < u64::MAX_PITS && !rules.majority_ends && is_solvable(&rules);
        let (generator, numbering) =
            (|| Arc::new(MoveGenerator::new(rules)), || Arc::new(Numbering::new(rules.houses)));
        fits.then(|| EndgameTables { generator: generator(), numbering: numbering(), layers: vec![] })
    }

    /// Return the number of layers, which is also the smallest number of seeds that the tables do not cover.
    pub fn layers(&self) -> usize {
        self.layers.len()
    }

    /// Return the number of positions in the layer with this number of seeds.
    pub fn positions(&self, seeds: usize) -> u64 {
        self.numbering.positions(seeds)
    }

    /// Return the number of layers for solving a board with this number of seeds in the houses. More layers would take
    /// longer to build than they save.
    pub fn useful_layers(&self, seeds: usize) -> usize {
        let houses = 2 * self.generator.rules.houses;
        // Combinations with repetition: the number of all positions in these layers.
        let fits = |layers: &usize| numbering::choose(layers - 1 + houses, houses) <= MAX_POSITIONS;
        (1..=(5 * seeds / 12).min(numbering::MAX_SEEDS + 1)).take_while(fits).last().unwrap_or(0)
    }

    /// Return the number of layers for solving a setup; 0 if its rows do not fit in machine words.
    pub fn useful_layers_for(&self, setup: &Setup) -> usize {
        let in_houses = setup.houses.iter().flatten().map(|seeds| usize::from(*seeds)).sum();
        if setup.total() > u64::MAX_SEEDS { 0 } else { self.useful_layers(in_houses) }
    }

    /// Build one more layer; return None if the monitor cancelled the work.
    pub fn grow(&mut self, threads: usize, monitor: &dyn Monitor) -> Option<()> {
        let layer = layer::build(&self.generator, &self.view(), self.layers.len(), threads, monitor)?;
        self.layers.push(Arc::new(Layer::Built(layer)));
        Some(())
    }

    /// Append a layer that was built earlier; return false if its size is wrong, or if a value exceeds the number of
    /// seeds.
    pub fn add(&mut self, layer: SharedBytes) -> bool {
        let (values, seeds) = ((*layer).as_ref(), self.layers.len());
        let max_margin = || values.iter().fold(0, |max, value| (*value as i8).unsigned_abs().max(max));
        let fits = values.len() as u64 == self.positions(seeds) && usize::from(max_margin()) <= seeds;
        if fits {
            self.layers.push(Arc::new(Layer::Shared(layer)));
        }
        fits
    }

    /// Return the layer with this number of seeds, one signed byte per position; None if it has not been built.
    pub fn layer(&self, seeds: usize) -> Option<&[u8]> {
        self.layers.get(seeds).map(|layer| layer.bytes())
    }

    /// Return the value of a position, given by its houses in the owner's sowing order; None if they contain too many
    /// seeds.
    pub fn margin(&self, own: &[u16], other: &[u16]) -> Option<i8> {
        let seeds = own.iter().chain(other).map(|seeds| usize::from(*seeds)).sum();
        if seeds >= self.layers.len() {
            return None;
        }
        let [own, other] = [own, other]
            .map(|houses| houses.iter().enumerate().fold(0u64, |row, (house, seeds)| row.with(house, *seeds)));
        self.view().probe(own, other, seeds)
    }

    /// Return the value of a position, given by its rows; stores are ignored.
    #[inline(always)]
    pub(in crate::mancala) fn margin_of<R: Row>(&self, own: R, other: R) -> Option<i8> {
        let houses = self.generator.rules.houses;
        let layer = self.layers.get(usize::from(own.sum(houses)) + usize::from(other.sum(houses)))?;
        let pack = |row: R| (0..houses).fold(0u64, |packed, house| packed.with(house, row.get(house)));
        let number = |row: R| self.numbering.number(pack(row));
        Some(layer.bytes()[self.numbering.position(number(own), number(other)) as usize] as i8)
    }

    /// Build tables that take only a moment, or return None if the rules do not support tables.
    pub(in crate::mancala) fn small(rules: Rules) -> Option<Self> {
        let mut tables = Self::new(rules)?;
        while tables.positions(tables.layers()) <= MAX_SMALL_LAYER && tables.layers() <= numbering::MAX_SEEDS {
            tables.grow(1, &|_| true)?;
        }
        Some(tables)
    }

    /// Borrow the tables for fast lookups.
    pub(super) fn view(&self) -> View<'_> {
        View {
            numbering: Cow::Borrowed(&self.numbering),
            layers: self.layers.iter().map(|layer| layer.bytes()).collect(),
        }
    }
}

/// The maximum number of positions in a layer of small tables: eight seeds with six houses per side.
const MAX_SMALL_LAYER: u64 = 100_000;

/// The maximum number of positions in tables, with one byte per position.
const MAX_POSITIONS: u64 = 150_000_000;

/// Return whether all games are finite: every move of the Kalah family moves seeds nearer to a store, so games are
/// acyclic.
pub(super) fn is_solvable(rules: &Rules) -> bool {
    rules.sows_store && matches!(rules.capture, Capture::Opposite { .. })
}

/// Borrowed endgame tables for fast lookups.
#[derive(Clone, Debug)]
pub(super) struct View<'a> {
    pub(super) numbering: Cow<'a, Numbering>,
    layers: Vec<&'a [u8]>,
}

impl View<'_> {
    /// Return tables without layers.
    pub(super) fn empty() -> Self {
        View { numbering: Cow::Owned(Numbering::new(1)), layers: vec![] }
    }

    #[inline(always)]
    pub(super) fn layers(&self) -> usize {
        self.layers.len()
    }

    /// Look up the value of a position with this number of seeds in the houses; stores must be empty.
    #[inline(always)]
    pub(super) fn probe(&self, own: u64, other: u64, seeds: usize) -> Option<i8> {
        let layer = self.layers.get(seeds)?;
        let number = self.numbering.position(self.numbering.number(own), self.numbering.number(other));
        Some(layer[number as usize] as i8)
    }

    /// Return the value of the position with these rows, which must be in the tables.
    #[inline(always)]
    pub(super) fn get(&self, own: RowNumber, other: RowNumber) -> i8 {
        self.layers[(own.seeds + other.seeds) as usize][self.numbering.position(own, other) as usize] as i8
    }
}
