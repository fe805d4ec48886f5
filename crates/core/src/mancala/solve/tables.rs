//! Tables of what positions with few seeds are worth.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use memmap2::MmapMut;

use super::layer;
use super::numbering::{self, Numbering, RowNumber};
use crate::mancala::mover::Mover;
use crate::mancala::row::Row;
use crate::mancala::rules::{Capture, Rules};
use crate::mancala::setup::Setup;
use crate::parallel::GoOn;

/// What every position with few seeds in the houses is worth to its side to move: how many seeds more than the other it
/// still gets. What lies in the stores does not matter.
///
/// A layer holds all positions with as many seeds. Copies share their layers.
#[derive(Clone, Debug)]
pub struct Tables {
    mover: Arc<Mover<u64>>,
    numbering: Arc<Numbering>,
    layers: Vec<Arc<Layer>>,
}

/// Bytes that somebody else keeps, a mapped file for one.
pub type Kept = Box<dyn AsRef<[u8]> + Send + Sync>;

/// A signed byte a position.
enum Layer {
    Built(MmapMut),
    Kept(Kept),
}

impl Layer {
    fn bytes(&self) -> &[u8] {
        match self {
            Layer::Built(bytes) => bytes,
            Layer::Kept(kept) => (**kept).as_ref(),
        }
    }
}

impl fmt::Debug for Layer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Layer of {} positions", self.bytes().len())
    }
}

impl Tables {
    /// Tables without layers; None where there can be no tables for the rules.
    ///
    /// There are none for rows that fill more than a machine word, for games that a full store ends, since stores matter
    /// there, and for games that come back to the same position.
    pub fn new(rules: Rules) -> Option<Self> {
        let fits = rules.houses < u64::ROOM && !rules.majority_ends && is_solvable(&rules);
        let (mover, numbering) = (|| Arc::new(Mover::new(rules)), || Arc::new(Numbering::new(rules.houses)));
        fits.then(|| Tables { mover: mover(), numbering: numbering(), layers: vec![] })
    }

    /// How many layers there are: positions with fewer seeds in the houses are known.
    pub fn layers(&self) -> usize {
        self.layers.len()
    }

    /// How many positions the layer with so many seeds holds.
    pub fn positions(&self, seeds: usize) -> u64 {
        self.numbering.positions(seeds)
    }

    /// How many layers to have for a board with so many seeds in the houses: more would take longer to build than they save.
    pub fn wanted(&self, seeds: usize) -> usize {
        let houses = 2 * self.mover.rules.houses;
        // A choice with repetition: all positions with up to so many seeds.
        let fits = |layers: &usize| numbering::choose(layers - 1 + houses, houses) <= MOST_POSITIONS;
        (1..=(5 * seeds / 12).min(numbering::MOST + 1)).take_while(fits).last().unwrap_or(0)
    }

    /// The same for a whole board: none where its rows do not fit machine words.
    pub fn wanted_for(&self, setup: &Setup) -> usize {
        let in_houses = setup.houses.iter().flatten().map(|seeds| usize::from(*seeds)).sum();
        if setup.total() > u64::MAX_SEEDS { 0 } else { self.wanted(in_houses) }
    }

    /// Builds one more layer; None where `go_on` said to stop.
    pub fn grow(&mut self, threads: usize, go_on: GoOn<'_>) -> Option<()> {
        let layer = layer::build(&self.mover, &self.view(), self.layers.len(), threads, go_on)?;
        self.layers.push(Arc::new(Layer::Built(layer)));
        Some(())
    }

    /// Adds one more layer that was built before; false where it has not as many bytes as the layer has positions.
    pub fn add(&mut self, layer: Kept) -> bool {
        let fits = (*layer).as_ref().len() as u64 == self.positions(self.layers.len());
        if fits {
            self.layers.push(Arc::new(Layer::Kept(layer)));
        }
        fits
    }

    /// The layer with so many seeds, a signed byte a position; None where it is not there.
    pub fn layer(&self, seeds: usize) -> Option<&[u8]> {
        self.layers.get(seeds).map(|layer| layer.bytes())
    }

    /// What a position is worth to its side to move, given by the houses in the order in which their owners sow them;
    /// None where there are too many seeds in them.
    pub fn margin(&self, own: &[u16], other: &[u16]) -> Option<i8> {
        let seeds = own.iter().chain(other).map(|seeds| usize::from(*seeds)).sum();
        if seeds >= self.layers.len() {
            return None;
        }
        let [own, other] = [own, other]
            .map(|houses| houses.iter().enumerate().fold(0u64, |row, (house, seeds)| row.with(house, *seeds)));
        self.view().worth(own, other, seeds)
    }

    /// The same for the rows of a position, whatever lies in the stores.
    #[inline(always)]
    pub(in crate::mancala) fn margin_of<R: Row>(&self, own: R, other: R) -> Option<i8> {
        let houses = self.mover.rules.houses;
        let layer = self.layers.get(usize::from(own.sum(houses)) + usize::from(other.sum(houses)))?;
        let pack = |row: R| (0..houses).fold(0u64, |packed, house| packed.with(house, row.get(house)));
        let number = |row: R| self.numbering.number(pack(row));
        Some(layer.bytes()[self.numbering.position(number(own), number(other)) as usize] as i8)
    }

    /// Tables that are built in a moment; None where there can be none for the rules.
    pub(in crate::mancala) fn small(rules: Rules) -> Option<Self> {
        let mut tables = Self::new(rules)?;
        while tables.positions(tables.layers()) <= FEW_POSITIONS && tables.layers() <= numbering::MOST {
            tables.grow(1, &mut || true)?;
        }
        Some(tables)
    }

    /// The tables, ready to be asked often.
    pub(super) fn view(&self) -> View<'_> {
        View {
            numbering: Cow::Borrowed(&self.numbering),
            layers: self.layers.iter().map(|layer| layer.bytes()).collect(),
        }
    }
}

/// The most positions of a layer that is built in a moment: eight seeds with six houses a side.
const FEW_POSITIONS: u64 = 100_000;

/// The most positions that tables should hold: a byte each.
const MOST_POSITIONS: u64 = 150_000_000;

/// Whether all games come to an end by themselves: every move of the Kalah family brings seeds nearer to a store.
pub(super) fn is_solvable(rules: &Rules) -> bool {
    rules.sows_store && matches!(rules.capture, Capture::Opposite { .. })
}

/// Tables, ready to be asked often.
#[derive(Clone, Debug)]
pub(super) struct View<'a> {
    pub(super) numbering: Cow<'a, Numbering>,
    layers: Vec<&'a [u8]>,
}

impl View<'_> {
    /// Tables that know nothing.
    pub(super) fn empty() -> Self {
        View { numbering: Cow::Owned(Numbering::new(1)), layers: vec![] }
    }

    #[inline(always)]
    pub(super) fn layers(&self) -> usize {
        self.layers.len()
    }

    /// What a position with so many seeds in the houses is worth, where it is known; stores must be empty.
    #[inline(always)]
    pub(super) fn worth(&self, own: u64, other: u64, seeds: usize) -> Option<i8> {
        let layer = self.layers.get(seeds)?;
        let number = self.numbering.position(self.numbering.number(own), self.numbering.number(other));
        Some(layer[number as usize] as i8)
    }

    /// What a position is worth whose rows have these numbers; it must be known.
    #[inline(always)]
    pub(super) fn numbered(&self, own: RowNumber, other: RowNumber) -> i8 {
        self.layers[(own.seeds + other.seeds) as usize][self.numbering.position(own, other) as usize] as i8
    }
}
