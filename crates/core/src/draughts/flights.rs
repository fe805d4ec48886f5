//! The jumps of flying kings.

use super::captures::Ways;
use super::directions::{DIRECTIONS, Directions, back, each_direction};
use super::features::Features;
use super::jumps::Search;
use super::moves::{Jump, Sink};
use super::rules::KingLanding;
use super::squares::SquareSet;
use crate::side::Side;

impl<S: SquareSet, F: Features, K: Sink<S>> Search<'_, S, F, K> {
    /// The directions that a flying king may take after a jump.
    #[inline(always)]
    pub(super) fn ahead(&self, direction: usize) -> Directions {
        if self.mover.rules.reverse_captures { Directions::ALL } else { Directions(!(1 << back(direction))) }
    }

    /// The jumps of a flying king.
    pub(super) fn fly<const BLACK: bool>(&mut self, at: usize, captured: S, allowed: Directions) -> bool {
        let directions = self.mover.king_captures(Side::new(BLACK));
        let mut went_on = false;
        each_direction!(directions, DIRECTION => {
            if allowed.has(DIRECTION)
                && let Some((victim, landings)) = self.fly_over(at, DIRECTION, captured)
            {
                went_on = true;
                self.alight::<BLACK>(victim, DIRECTION, landings, captured | S::bit(victim));
            }
        });
        went_on
    }

    /// The first piece on the way, if it can be captured, and the squares behind it.
    #[inline(always)]
    pub(super) fn fly_over(&self, at: usize, direction: usize, captured: S) -> Option<(usize, S)> {
        let blockers = self.blockers(captured);
        let victim = self.mover.nearest(self.mover.geometry.rays[at][direction] & blockers, direction)?;
        if !(self.victims[1] & !captured).has(victim) {
            return None;
        }
        let landings = self.mover.free_run(victim, direction, blockers);
        if landings.is_empty() { None } else { Some((victim, landings)) }
    }

    /// What follows a flying king's jump over `victim`: on from wherever that is possible, or the end.
    fn alight<const BLACK: bool>(&mut self, victim: usize, direction: usize, landings: S, captured: S) {
        let near = self.mover.nearest(landings, direction).expect("a jump has a landing square");
        let behind = S::bit(near);
        // Straight on and straight back the same pieces are met from every landing square: the nearest will do,
        // unless every way counts.
        let ahead = self.ahead(direction);
        let aside = match self.ways {
            Ways::All => ahead,
            Ways::Distinct => Directions(ahead.0 & !(1 << direction | 1 << back(direction))),
        };
        let stops = self.stops(behind, landings);
        self.scratch.jumps.push(Jump { captured: victim as u16, landing: near as u16 });
        let mut went_on = false;
        for (squares, allowed) in [(behind, ahead), (stops & !behind, aside)] {
            for landing in squares.bits() {
                self.set_landing(landing);
                let searched = self.go_on_once::<BLACK>(landing, captured, true, direction, allowed);
                went_on |= searched.unwrap_or_else(|| self.can_fly_on::<BLACK>(landing, captured, allowed));
            }
        }
        if !went_on {
            self.end_flight::<BLACK>(victim, behind, landings, captured);
        }
        self.scratch.jumps.pop();
    }

    /// The squares where a flying king may stop to go on.
    #[inline(always)]
    pub(super) fn stops(&self, behind: S, landings: S) -> S {
        if self.mover.rules.king_landing == KingLanding::BehindEach { behind } else { landings }
    }

    /// The captures that end behind `victim`: on the square just behind it or on any of its landing squares.
    pub(super) fn end_flight<const BLACK: bool>(&mut self, victim: usize, behind: S, landings: S, captured: S) {
        let ends = match self.mover.rules.king_landing {
            KingLanding::Any => landings,
            KingLanding::BehindLastKing if !self.kings.has(victim) => landings,
            _ => behind,
        };
        if self.rank(captured) < self.best {
            return;
        }
        for landing in ends.bits() {
            self.set_landing(landing);
            self.finish::<BLACK>(landing, captured, true);
        }
    }

    /// Changes where the last jump lands.
    #[inline(always)]
    pub(super) fn set_landing(&mut self, landing: usize) {
        self.scratch.jumps.last_mut().expect("there was a jump").landing = landing as u16;
    }

    /// Whether a flying king would find a jump.
    pub(super) fn can_fly_on<const BLACK: bool>(&self, at: usize, captured: S, allowed: Directions) -> bool {
        let directions = self.mover.king_captures(Side::new(BLACK));
        (0..DIRECTIONS)
            .filter(|direction| directions.has(*direction) && allowed.has(*direction))
            .any(|direction| self.fly_over(at, direction, captured).is_some())
    }
}
