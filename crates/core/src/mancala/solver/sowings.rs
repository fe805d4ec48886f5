//! Precomputed sowings of rows: the part of a move that does not depend on the other side.

use super::numbering::{Numbering, RowNumber};
use crate::mancala::generator::MoveGenerator;
use crate::mancala::row::Row;
use crate::mancala::rules::Capture;

/// The sowing of a house of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sowing {
    /// The seeds added to the other side's row.
    pub(super) added: u64,
    /// The own row afterwards, without the store.
    pub(super) own: RowNumber,
    /// The same if the last seed captures.
    pub(super) own_captured: RowNumber,
    /// The number of seeds sown into the own store.
    pub(super) gain: i8,
    pub(super) extra_turn: bool,
    /// The house opposite the last seed, if a capture is possible there.
    opposite: u8,
    may_capture: bool,
    even_if_empty: bool,
}

impl Sowing {
    /// Return the house of the other side that a capture empties, if there is a capture.
    #[inline(always)]
    pub(super) fn captures(&self, other: u64) -> Option<usize> {
        let opposite = usize::from(self.opposite);
        (self.may_capture && (self.even_if_empty || other.get(opposite) > 0)).then_some(opposite)
    }
}

/// The sowings of each house of each row of a list.
#[derive(Debug)]
pub(super) struct Sowings {
    all: Vec<Sowing>,
    /// By row: the index of its first sowing; the last entry is the number of all sowings.
    starts: Vec<u32>,
}

impl Sowings {
    pub(super) fn new(generator: &MoveGenerator<u64>, numbering: &Numbering, rows: &[u64]) -> Self {
        let (mut all, mut starts) = (Vec::new(), vec![0]);
        for row in rows {
            let houses = (0..generator.rules.houses).filter(|house| row.get(*house) > 0);
            all.extend(houses.map(|house| sow(generator, numbering, *row, house)));
            starts.push(all.len() as u32);
        }
        Sowings { all, starts }
    }

    /// Return the sowings of a row, given by its index in the list.
    #[inline(always)]
    pub(super) fn of(&self, row: usize) -> &[Sowing] {
        &self.all[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

fn sow(generator: &MoveGenerator<u64>, numbering: &Numbering, row: u64, house: usize) -> Sowing {
    let houses = generator.rules.houses;
    let entry = generator.sow_table.entry(house, row.get(house));
    let sown = row.with(house, 0).plus(entry.own);
    let (own, last) = (sown.with(houses, 0), usize::from(entry.last));
    let Capture::Opposite { even_if_empty } = generator.rules.capture else {
        unreachable!("these rules have no tables")
    };
    let may_capture = last < houses && own.get(last) == 1;
    Sowing {
        added: entry.other,
        own: numbering.number(own),
        own_captured: numbering.number(if may_capture { own.with(last, 0) } else { own }),
        gain: sown.get(houses) as i8,
        extra_turn: last == houses,
        opposite: if may_capture { (houses - 1 - last) as u8 } else { 0 },
        may_capture,
        even_if_empty,
    }
}
