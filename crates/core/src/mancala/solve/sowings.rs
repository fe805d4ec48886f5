//! What comes of sowing the houses of rows, as far as it does not depend on the other side.

use super::numbering::{Numbering, RowNumber};
use crate::mancala::mover::Mover;
use crate::mancala::row::Row;
use crate::mancala::rules::Capture;

/// What comes of sowing a house.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sowing {
    /// What is added to the other side's row.
    pub(super) added: u64,
    /// The own row afterwards, without the store, and what it is where the last seed captures.
    pub(super) own: RowNumber,
    pub(super) own_captured: RowNumber,
    /// What is sown into the own store.
    pub(super) gain: i8,
    pub(super) extra_turn: bool,
    /// The house opposite the last seed, where that may capture.
    opposite: u8,
    may_capture: bool,
    even_if_empty: bool,
}

impl Sowing {
    /// The house of the other side that is emptied by a capture, if there is one.
    #[inline(always)]
    pub(super) fn captures(&self, other: u64) -> Option<usize> {
        let opposite = usize::from(self.opposite);
        (self.may_capture && (self.even_if_empty || other.get(opposite) > 0)).then_some(opposite)
    }
}

/// What comes of sowing each house of each row of a list.
#[derive(Debug)]
pub(super) struct Sowings {
    all: Vec<Sowing>,
    /// Where those of each row begin, and where the last end.
    starts: Vec<u32>,
}

impl Sowings {
    pub(super) fn new(mover: &Mover<u64>, numbering: &Numbering, rows: &[u64]) -> Self {
        let (mut all, mut starts) = (Vec::new(), vec![0]);
        for row in rows {
            let houses = (0..mover.rules.houses).filter(|house| row.get(*house) > 0);
            all.extend(houses.map(|house| sow(mover, numbering, *row, house)));
            starts.push(all.len() as u32);
        }
        Sowings { all, starts }
    }

    /// Those of a row, given by its place in the list.
    #[inline(always)]
    pub(super) fn of(&self, row: usize) -> &[Sowing] {
        &self.all[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

fn sow(mover: &Mover<u64>, numbering: &Numbering, row: u64, house: usize) -> Sowing {
    let houses = mover.rules.houses;
    let route = mover.routes.of(house, row.get(house));
    let sown = row.with(house, 0).plus(route.own);
    let (own, last) = (sown.with(houses, 0), usize::from(route.last));
    let Capture::Opposite { even_if_empty } = mover.rules.capture else { unreachable!("there are no such tables") };
    let may_capture = last < houses && own.get(last) == 1;
    Sowing {
        added: route.other,
        own: numbering.number(own),
        own_captured: numbering.number(if may_capture { own.with(last, 0) } else { own }),
        gain: sown.get(houses) as i8,
        extra_turn: last == houses,
        opposite: if may_capture { (houses - 1 - last) as u8 } else { 0 },
        may_capture,
        even_if_empty,
    }
}
