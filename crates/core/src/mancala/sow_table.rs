//! The sow table: precomputed additions to the pits for every house and number of seeds.
//!
//! The seeds that a move adds to the pits depend only on the house and its number of seeds. The table has an entry for
//! every house and every number up to a whole lap, so that sowing is one addition per row.

use super::row::Row;
use super::rules::Rules;

/// A pit as seen by the side that moves: its houses from 0, its store after them, the opponent's houses from `OTHER`.
///
/// It is a number instead of an enum, because the pit of the last seed is hard to predict and must not cost a branch.
pub(super) type Pit = u8;

/// The index of the opponent's first house.
pub(super) const OTHER: Pit = 32;

/// The effect of sowing a number of seeds.
#[derive(Clone, Copy, Debug)]
pub(super) struct SowEntry<R> {
    /// The seeds added to the row of the side that moves.
    pub(super) own: R,
    /// The seeds added to the opponent's row.
    pub(super) other: R,
    /// The pit of the last seed.
    pub(super) last: Pit,
}

/// The entries of every house.
#[derive(Clone, Debug)]
pub(super) struct SowTable<R> {
    /// The number of seeds in a lap.
    lap: u16,
    /// By house and number of seeds. Each house has `1 << shift` entries, so that the index needs no multiplication.
    entries: Vec<SowEntry<R>>,
    shift: u32,
}

impl<R: Row> SowTable<R> {
    pub(super) fn new(rules: &Rules) -> Self {
        let lap = lap_pits(rules, 0).len();
        let shift = (lap + 1).next_power_of_two().ilog2();
        let unused = SowEntry { own: R::default(), other: R::default(), last: 0 };
        let mut table = SowTable { lap: lap as u16, entries: vec![unused; rules.houses << shift], shift };
        for house in 0..rules.houses {
            for (seeds, entry) in (1..).zip(lap_entries(&lap_pits(rules, house))) {
                let index = table.index(house, seeds);
                table.entries[index] = entry;
            }
        }
        table
    }

    /// Return the entry for a number of seeds, at least 1, or None if it is more than a lap.
    #[inline(always)]
    pub(super) fn get(&self, house: usize, seeds: u16) -> Option<&SowEntry<R>> {
        (seeds <= self.lap).then(|| &self.entries[self.index(house, seeds)])
    }

    /// Return the effect of sowing any number of seeds, at least 1.
    pub(super) fn entry(&self, house: usize, seeds: u16) -> SowEntry<R> {
        self.get(house, seeds).copied().unwrap_or_else(|| self.long_entry(house, seeds))
    }

    /// Return the effect of sowing more seeds than a lap: whole laps and the entry of the remainder.
    #[cold]
    pub(super) fn long_entry(&self, house: usize, seeds: u16) -> SowEntry<R> {
        let laps = (seeds - 1) / self.lap;
        let lap = self.entries[self.index(house, self.lap)];
        let SowEntry { own, other, last } = self.entries[self.index(house, seeds - laps * self.lap)];
        SowEntry { own: own.plus(lap.own.times(laps)), other: other.plus(lap.other.times(laps)), last }
    }

    #[inline(always)]
    fn index(&self, house: usize, seeds: u16) -> usize {
        house << self.shift | usize::from(seeds)
    }
}

/// Return the pits of one lap from a house, in the order of sowing.
///
/// The opponent's store is never sown. The player's own store and the emptied house are sown if the rules say so.
fn lap_pits(rules: &Rules, house: usize) -> Vec<Pit> {
    let (house, houses) = (house as Pit, rules.houses as Pit);
    let store = rules.sows_store.then_some(houses);
    let origin = rules.sows_origin.then_some(house);
    (house + 1..houses).chain(store).chain(OTHER..OTHER + houses).chain(0..house).chain(origin).collect()
}

/// Return the entries for 1 seed, 2 seeds, and so on up to a lap.
fn lap_entries<R: Row>(pits: &[Pit]) -> Vec<SowEntry<R>> {
    let (mut own, mut other) = (R::default(), R::default());
    let step = |last: &Pit| {
        match last.checked_sub(OTHER) {
            None => own = own.with(usize::from(*last), 1),
            Some(pit) => other = other.with(usize::from(pit), 1),
        }
        SowEntry { own, other, last: *last }
    };
    pits.iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::{OTHER, Rules, lap_pits};
    use crate::mancala::board::tests::kalah;

    fn rules(houses: usize, sows_store: bool, sows_origin: bool) -> Rules {
        Rules { sows_store, sows_origin, ..kalah(houses) }
    }

    #[test]
    fn lap_ends_in_or_before_the_emptied_house() {
        assert_eq!(lap_pits(&rules(3, true, true), 1), [2, 3, OTHER, OTHER + 1, OTHER + 2, 0, 1]);
        assert_eq!(lap_pits(&rules(3, false, false), 0), [1, 2, OTHER, OTHER + 1, OTHER + 2]);
        assert_eq!(lap_pits(&rules(2, false, true), 1), [OTHER, OTHER + 1, 0, 1]);
        assert_eq!(lap_pits(&rules(1, false, false), 0), [OTHER]);
    }
}
