//! Where the seeds of each house go.
//!
//! What a move adds to the pits depends on the house and on the number of seeds alone. It is written down once, for every
//! house and every number up to a whole lap, so that sowing is an addition.

use super::row::Row;
use super::rules::Rules;

/// A pit as the mover sees it: the own houses from 0, the own store behind them, the opponent's houses from `OTHER`.
///
/// A number, and not a choice of two: where a last seed falls is hard to foresee, for a processor too.
pub(super) type Pit = u8;

/// The opponent's first house.
pub(super) const OTHER: Pit = 32;

/// What a number of seeds brings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route<R> {
    /// What is added to the mover's row.
    pub(super) own: R,
    /// What is added to the opponent's row.
    pub(super) other: R,
    /// Where the last seed falls.
    pub(super) last: Pit,
}

/// The routes from every house.
#[derive(Clone, Debug)]
pub(super) struct Routes<R> {
    /// How many seeds go once around.
    lap: u16,
    /// By house and number of seeds; a house has two to the power of `shift` of them, for the sake of a quick index.
    routes: Vec<Route<R>>,
    shift: u32,
}

impl<R: Row> Routes<R> {
    pub(super) fn new(rules: &Rules) -> Self {
        let lap = way(rules, 0).len();
        let shift = (lap + 1).next_power_of_two().ilog2();
        let unused = Route { own: R::default(), other: R::default(), last: 0 };
        let mut routes = Routes { lap: lap as u16, routes: vec![unused; rules.houses << shift], shift };
        for house in 0..rules.houses {
            for (seeds, route) in (1..).zip(prefixes(&way(rules, house))) {
                let index = routes.index(house, seeds);
                routes.routes[index] = route;
            }
        }
        routes
    }

    /// The route of so many seeds, one at least, from a house; None where it is longer than a lap.
    #[inline(always)]
    pub(super) fn find(&self, house: usize, seeds: u16) -> Option<&Route<R>> {
        (seeds <= self.lap).then(|| &self.routes[self.index(house, seeds)])
    }

    /// The route of so many seeds, one at least, from a house.
    pub(super) fn of(&self, house: usize, seeds: u16) -> Route<R> {
        self.find(house, seeds).copied().unwrap_or_else(|| self.find_long(house, seeds))
    }

    /// Whole laps, and what is left over: the last seed falls where the last of these does.
    #[cold]
    pub(super) fn find_long(&self, house: usize, seeds: u16) -> Route<R> {
        let laps = (seeds - 1) / self.lap;
        let lap = self.routes[self.index(house, self.lap)];
        let Route { own, other, last } = self.routes[self.index(house, seeds - laps * self.lap)];
        Route { own: own.plus(lap.own.times(laps)), other: other.plus(lap.other.times(laps)), last }
    }

    #[inline(always)]
    fn index(&self, house: usize, seeds: u16) -> usize {
        house << self.shift | usize::from(seeds)
    }
}

/// The pits that a house's seeds fall into, one after the other, once around.
///
/// The opponent's store is never sown; the own store and the emptied house are where the rules say so.
fn way(rules: &Rules, house: usize) -> Vec<Pit> {
    let (house, houses) = (house as Pit, rules.houses as Pit);
    let store = rules.sows_store.then_some(houses);
    let origin = rules.sows_origin.then_some(house);
    (house + 1..houses).chain(store).chain(OTHER..OTHER + houses).chain(0..house).chain(origin).collect()
}

/// What the first seed brings, the first two, and so on.
fn prefixes<R: Row>(way: &[Pit]) -> Vec<Route<R>> {
    let (mut own, mut other) = (R::default(), R::default());
    let step = |last: &Pit| {
        match last.checked_sub(OTHER) {
            None => own = own.with(usize::from(*last), 1),
            Some(pit) => other = other.with(usize::from(pit), 1),
        }
        Route { own, other, last: *last }
    };
    way.iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::{OTHER, Rules, way};
    use crate::mancala::board::tests::kalah;

    fn rules(houses: usize, sows_store: bool, sows_origin: bool) -> Rules {
        Rules { sows_store, sows_origin, ..kalah(houses) }
    }

    #[test]
    fn a_lap_ends_in_the_emptied_house_or_right_before_it() {
        assert_eq!(way(&rules(3, true, true), 1), [2, 3, OTHER, OTHER + 1, OTHER + 2, 0, 1]);
        assert_eq!(way(&rules(3, false, false), 0), [1, 2, OTHER, OTHER + 1, OTHER + 2]);
        assert_eq!(way(&rules(2, false, true), 1), [OTHER, OTHER + 1, 0, 1]);
        assert_eq!(way(&rules(1, false, false), 0), [OTHER]);
    }
}
