//! How far each draw rule has got, and how a move takes the counts on.
//!
//! A search counts at every node, so the common case is a few machine instructions for all rules together: a move adds
//! one to every count that applies, or begins it anew where its progress does that. Material changes by captures and
//! crowning alone. Where it may then fit a rule, or a rule looks at more than the move, each rule is asked.

use super::board::{Seat, SquareMove};
use super::capture_generator::Scratch;
use super::captures::Ways;
use super::draws::{Counted, DrawnMaterial, MoveCount, Progress, Threat};
use super::features::Features;
use super::material::{Holdings, Material};
use super::mover::Mover;
use super::moves::Move;
use super::position::Position;
use super::squares::SquareSet;

/// How many rules with a count a rule set can have.
pub const MOST: usize = 8;

/// The largest count there is; more moves than that are counted as so many.
pub const LARGEST: u16 = u16::MAX - 1;

/// What no count reaches.
pub(super) const NEVER: u16 = u16::MAX;

/// In the place of a count: the rule does not apply.
const NOT_APPLYING: u16 = u16::MAX;

/// How far each rule has got that has a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counts([u16; MOST]);

impl Counts {
    /// The count of a rule; None where the rule does not apply.
    pub fn get(&self, rule: usize) -> Option<u16> {
        Some(self.0[rule]).filter(|count| *count != NOT_APPLYING)
    }

    /// Whether a count that applies has reached its limit.
    #[inline(always)]
    pub(super) fn reach(&self, limits: &[u16; MOST]) -> bool {
        // All are looked at, whatever the first is: that is one comparison of vectors.
        let reached = |(count, limit): (&u16, &u16)| *count != NOT_APPLYING && count >= limit;
        self.0.iter().zip(limits).map(reached).fold(false, |any, reached| any | reached)
    }

    /// Whether one of the rules applies whose bits are set.
    #[inline(always)]
    pub(super) fn apply_among(&self, rules: &[u16; MOST]) -> bool {
        self.0.iter().zip(rules).fold(0, |any, (count, rule)| any | (!count & rule)) != 0
    }

    /// One more for every rule that applies, of which the bits given are kept.
    #[inline(always)]
    pub(super) fn one_more(self, kept: &[u16; MOST]) -> Self {
        let mut counts = self.0;
        for (count, kept) in counts.iter_mut().zip(kept) {
            *count = if *count == NOT_APPLYING { NOT_APPLYING } else { add_one(*count) & kept };
        }
        Counts(counts)
    }

    /// The same, but rules begin to apply, or do so no more where their bits are set in `bound`.
    #[inline(always)]
    pub(super) fn one_more_or_none(self, kept: &[u16; MOST], bound: &[u16; MOST]) -> Self {
        let mut counts = self.0;
        for ((count, kept), bound) in counts.iter_mut().zip(kept).zip(bound) {
            *count = if *count == NOT_APPLYING { 0 } else { add_one(*count) & kept } | bound;
        }
        Counts(counts)
    }
}

#[inline(always)]
fn add_one(count: u16) -> u16 {
    count + u16::from(count < LARGEST)
}

impl<S: SquareSet, F: Features> Mover<S, F> {
    /// The counts in a position that a game begins with.
    pub(super) fn begin_counts(&self, position: &Position<S>, scratch: &mut Scratch<S>) -> Counts {
        let held = self.holdings(position);
        let mut counts = Counts([NOT_APPLYING; MOST]);
        for (count, rule) in counts.0.iter_mut().zip(&self.draws.counted) {
            *count = match rule {
                Counted::Moves(rule) if applies(rule, |material| material.fits(&held)) => 0,
                Counted::AtOnce(rule) if rule.material.fits(&held) => self.count_at_once(rule, position, scratch),
                _ => NOT_APPLYING,
            };
        }
        counts
    }

    /// The counts after a move, given those before it and the positions before and after.
    #[inline(always)]
    pub(super) fn advance_counts(
        &self,
        counts: Counts,
        before: &Position<S>,
        played: &Move<S>,
        after: &Position<S>,
        scratch: &mut Scratch<S>,
    ) -> Counts {
        let (draws, progress) = (&self.draws, progress(before, played));
        match changes_material(played) {
            false if !draws.must_look(&counts) => draws.after_quiet(counts, progress),
            true if !draws.may_fit(after) => draws.after_change(counts, progress),
            _ => self.ask_each_rule(counts, before, played, after, scratch),
        }
    }

    #[inline(never)]
    fn ask_each_rule(
        &self,
        mut counts: Counts,
        before: &Position<S>,
        played: &Move<S>,
        after: &Position<S>,
        scratch: &mut Scratch<S>,
    ) -> Counts {
        let changed = changes_material(played);
        let progress = progress(before, played);
        let held = self.holdings(after);
        let fits = |material: &Material| material.fits(&held);
        for (count, rule) in counts.0.iter_mut().zip(&self.draws.counted) {
            let applied = *count != NOT_APPLYING;
            *count = match rule {
                Counted::Moves(rule) if if changed { applies(rule, fits) } else { applied } => {
                    let begins = !applied || rule.resets.meets(progress) || !self.stay_placed(rule, before, &held);
                    if begins { 0 } else { add_one(*count) }
                }
                Counted::AtOnce(rule) if if changed { fits(&rule.material) } else { applied } => {
                    self.count_at_once(rule, after, scratch)
                }
                _ => NOT_APPLYING,
            };
        }
        counts
    }

    fn holdings(&self, position: &Position<S>) -> Holdings {
        Holdings::of(position, self.geometry.long_diagonals)
    }

    /// Whether the long diagonal was held before a move and is so after it, where that is asked for.
    fn stay_placed(&self, rule: &MoveCount, before: &Position<S>, after: &Holdings) -> bool {
        let placed = |within: Material| within.is_placed(&self.holdings(before)) && within.is_placed(after);
        rule.within.filter(Material::has_place).is_none_or(placed)
    }

    /// The count of a rule whose material is on the board: 1 where it is drawn, 0 where a threat hangs.
    fn count_at_once(&self, rule: &DrawnMaterial, position: &Position<S>, scratch: &mut Scratch<S>) -> u16 {
        let placed = rule.material.is_placed(&self.holdings(position));
        u16::from(placed && !self.is_threatened(rule.unless, position, scratch))
    }

    fn is_threatened(&self, unless: Threat, position: &Position<S>, scratch: &mut Scratch<S>) -> bool {
        if unless == Threat::None {
            return false;
        }
        if self.can_capture(position) {
            return true;
        }
        let mut moves: Vec<Move<S>> = Vec::new();
        if unless == Threat::Loss {
            self.list_moves(position, Ways::Distinct, scratch, &mut moves);
        }
        unless == Threat::Loss && moves.iter().all(|played| self.can_capture(&self.after(position, played)))
    }

    /// Whether a capture is among the legal moves; there are none when the game is over.
    fn can_capture(&self, position: &Position<S>) -> bool {
        !self.is_over_early(position) && self.could_capture(position, position.turn)
    }
}

impl<S: SquareSet, F: Features> Seat<S, F> {
    /// The positions of a game that begins here, with the counts in each; the moves must be legal.
    pub(super) fn count_along(&self, moves: &[SquareMove]) -> Vec<(Position<S>, Counts)> {
        let (mover, mut scratch) = (&self.mover, Scratch::default());
        let (mut position, mut counts) = (self.position, mover.begin_counts(&self.position, &mut scratch));
        let mut along = vec![(position, counts)];
        for played in moves {
            let played = self.to_bits(played);
            let after = mover.after(&position, &played);
            counts = mover.advance_counts(counts, &position, &played, &after, &mut scratch);
            position = after;
            along.push((position, counts));
        }
        along
    }
}

/// Whether a rule counts with material of which is known what fits.
fn applies(rule: &MoveCount, fits: impl Fn(&Material) -> bool) -> bool {
    rule.within.as_ref().is_none_or(&fits) && !rule.outside.as_ref().is_some_and(&fits)
}

#[inline(always)]
fn changes_material<S: SquareSet>(played: &Move<S>) -> bool {
    played.crowns || !played.captured.is_empty()
}

/// Which progress a move makes.
#[inline(always)]
fn progress<S: SquareSet>(before: &Position<S>, played: &Move<S>) -> Progress {
    let captures = u8::from(!played.captured.is_empty()) * Progress::CAPTURE.0;
    let by_man = u8::from(!before.kings.has(usize::from(played.from))) * Progress::MAN_MOVE.0;
    let crowns = u8::from(played.crowns) * Progress::CROWNING.0;
    Progress(captures | by_man | crowns)
}

#[cfg(test)]
mod tests;
