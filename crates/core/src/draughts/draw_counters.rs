//! Draw rules and their counters: one counter for each rule except repetition, advanced move by move.
//!
//! The search advances the counters at every node, so the common case handles all rules together with a few vector
//! instructions on arrays of `u16`. A counter has the value `NOT_APPLYING` (all bits set) while the material on the
//! board does not fit its rule. Material changes only by captures and crowning, therefore:
//!
//! - a move that leaves the material as it is adds one to each counter that applies; `reset_mask`, chosen by the
//!   progress that the move makes, then clears the counters that start again;
//! - a move that changes the material to something that fits no rule does the same, starts the counters of the rules
//!   without `within`, and `material_mask` sets the others to `NOT_APPLYING`;
//! - in all other cases `advance_each` evaluates the rules one by one. `board_mask` says which rules need that after a
//!   move that leaves the material as it is, because they depend on the squares of the kings.
//!
//! # Example
//!
//! International draughts has four rules with a counter (repetition has none):
//!
//! | counter | rule | limit | `reset_mask` for a capture or a man's move | `material_mask` | `board_mask` |
//! | --- | --- | --- | --- | --- | --- |
//! | 0 | one king against one king: drawn at once | 1 | `ffff` | `ffff` | `ffff` |
//! | 1 | 50 plies without a capture or a man's move | 50 | `0000` | `0000` | `0000` |
//! | 2 | 32 plies with three pieces against one king | 32 | `ffff` | `ffff` | `0000` |
//! | 3 | 10 plies with one or two pieces against one king | 10 | `ffff` | `ffff` | `0000` |
//!
//! In `W:WK47,K48,K49:BK3` the counters are `[-, 7, 7, -]` seven king moves after the capture that led there (`-` is
//! `NOT_APPLYING`). No rule that applies is in `board_mask`. The quiet move 47-36 of a king makes no progress: its
//! `reset_mask` is `ffff` for all rules and the counters become `[-, 8, 8, -]`. A capture that leaves two white kings
//! changes the material. With no more than four pieces and no fewer than two kings on the board a rule may fit, so
//! `advance_each` evaluates the rules: `[-, 0, -, 0]`. In the middle of a game, with twenty pieces on the board, the
//! counters are `[-, 4, -, -]`, and a capture needs the masks alone: `(4 + 1) & 0000 | 0000` for counter 1 and
//! `0 | ffff` for the others.

use std::sync::OnceLock;

use super::bitboard::Bitboard;
use super::generator::MoveGenerator;
use super::material::{Material, MaterialCount};
use super::moves::Move;
use super::position::Position;
use super::specialisation::RuleSource;
use super::two_kings::TwoKings;

/// The maximum number of rules with a counter in a rule set.
pub const MAX_COUNTERS: usize = 8;

/// The maximum value of a counter; it is not incremented further.
pub const MAX_COUNT: u16 = u16::MAX - 1;

/// The limit of a counter that does not exist: no count reaches it.
const NO_LIMIT: u16 = u16::MAX;

/// The value of a counter whose rule does not apply.
const NOT_APPLYING: u16 = u16::MAX;

/// A draw rule. It does not matter here whether players must claim the draw: the search treats both cases alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawRule {
    /// The same position this many times in a game.
    Repetition(u32),
    /// A number of moves without progress, or without a change of the material.
    MoveCount(MoveCount),
    /// Material that is a draw at once.
    DrawnMaterial(DrawnMaterial),
    /// A rule that is implemented in Python only; it is ignored here.
    Unknown,
}

/// A number of moves, of both sides together, without progress or without a change of the material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveCount {
    /// The count at which the game is drawn: from 1 to `MAX_COUNT`.
    pub plies: u16,
    /// The progress that resets the count.
    pub resets: Progress,
    /// The material with which moves are counted; None for any material.
    pub within: Option<Material>,
    /// The material with which moves are not counted.
    pub outside: Option<Material>,
}

/// Material that is a draw at once. The count is 1 if the game is drawn, and 0 while the exception `unless` holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnMaterial {
    /// The material.
    pub material: Material,
    /// The exception.
    pub unless: Threat,
}

/// A set of the kinds of progress that reset a count of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress(pub u8);

impl Progress {
    /// A capture.
    pub const CAPTURE: Progress = Progress(1);
    /// A man's move.
    pub const MAN_MOVE: Progress = Progress(2);
    /// The crowning of a man.
    pub const CROWNING: Progress = Progress(4);

    /// The number of such sets.
    const SETS: usize = 8;

    /// Return whether the sets have an element in common.
    fn intersects(self, other: Progress) -> bool {
        self.0 & other.0 != 0
    }

    /// Return the progress made by a move.
    #[inline(always)]
    fn of<B: Bitboard>(before: &Position<B>, played: &Move<B>) -> Self {
        let captures = u8::from(!played.captured.is_empty()) * Progress::CAPTURE.0;
        let by_man = u8::from(!before.kings.has(usize::from(played.from))) * Progress::MAN_MOVE.0;
        let crowns = u8::from(played.crowns) * Progress::CROWNING.0;
        Progress(captures | by_man | crowns)
    }
}

/// The exception that lets a game with drawn material continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threat {
    /// No exception.
    None,
    /// The side to move can capture.
    Capture,
    /// One side wins by force; for one king against one king only.
    ForcedWin,
}

/// A rule with a counter.
#[derive(Clone, Copy, Debug)]
enum CountedRule {
    Moves(MoveCount),
    AtOnce(DrawnMaterial),
}

impl CountedRule {
    fn new(rule: &DrawRule) -> Option<Self> {
        match *rule {
            DrawRule::MoveCount(rule) => Some(CountedRule::Moves(rule)),
            DrawRule::DrawnMaterial(rule) => Some(CountedRule::AtOnce(rule)),
            DrawRule::Repetition(_) | DrawRule::Unknown => None,
        }
    }

    fn materials(&self) -> impl Iterator<Item = Material> {
        match *self {
            CountedRule::Moves(rule) => rule.within.into_iter().chain(rule.outside),
            CountedRule::AtOnce(rule) => Some(rule.material).into_iter().chain(None),
        }
    }

    /// Return whether the rule applies to the material.
    fn applies(&self, count: &MaterialCount) -> bool {
        match self {
            CountedRule::Moves(rule) => {
                rule.within.is_none_or(|within| within.fits(count)) && !rule.outside.is_some_and(|it| it.fits(count))
            }
            CountedRule::AtOnce(rule) => rule.material.fits(count),
        }
    }

    /// Return whether the count after a move that does not change the material depends on the squares of the pieces.
    fn depends_on_board(&self) -> bool {
        match self {
            CountedRule::Moves(rule) => rule.within.is_some_and(|within| within.depends_on_squares()),
            CountedRule::AtOnce(_) => true,
        }
    }
}

/// How a move changes a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountChange {
    /// The rule does not apply after the move.
    NotApplying,
    /// The count has this value, independent of the count before.
    Set(u16),
    /// The count is one more than it was.
    Increment,
}

/// The draw rules of a rule set, compiled: limits and masks for the counters.
#[derive(Debug)]
pub struct Draws {
    /// The number of occurrences of a position at which the game is drawn; None without such a rule.
    pub repetition: Option<u32>,
    /// The rules with a counter, in the order of the rule set.
    rules: Vec<CountedRule>,
    /// By rule: the count at which the game is drawn.
    limits: [u16; MAX_COUNTERS],
    /// The same for the rules that depend on the position alone; `NO_LIMIT` for the others.
    limits_at_once: [u16; MAX_COUNTERS],
    /// By progress of a move: no bits for the counters that it resets, all bits for the others.
    reset_mask: [[u16; MAX_COUNTERS]; Progress::SETS],
    /// No bits for the rules that apply to material that fits no rule, all bits for the others.
    material_mask: [u16; MAX_COUNTERS],
    /// All bits for the rules that depend on the squares of the pieces, no bits for the others.
    board_mask: [u16; MAX_COUNTERS],
    /// With more pieces or fewer kings on the board, no rule fits the material.
    max_pieces: usize,
    min_kings: usize,
    /// The endgame table of one king against one king, computed on first use.
    pub(super) two_kings: OnceLock<TwoKings>,
}

impl Draws {
    /// Compile the rules.
    ///
    /// # Panics
    /// If more than `MAX_COUNTERS` of them have a counter, or if one has the exception `ForcedWin` with other material
    /// than one king against one king.
    pub(super) fn new(rules: &[DrawRule]) -> Self {
        let rules_with_counter: Vec<CountedRule> = rules.iter().filter_map(CountedRule::new).collect();
        let count = rules_with_counter.len();
        assert!(count <= MAX_COUNTERS, "{count} draw rules have counters, of {MAX_COUNTERS} at most");
        let materials = || rules_with_counter.iter().flat_map(CountedRule::materials);
        let times =
            rules.iter().filter_map(|rule| if let DrawRule::Repetition(times) = rule { Some(*times) } else { None });
        let mut draws = Draws {
            repetition: times.min(),
            limits: [NO_LIMIT; MAX_COUNTERS],
            limits_at_once: [NO_LIMIT; MAX_COUNTERS],
            reset_mask: [[u16::MAX; MAX_COUNTERS]; Progress::SETS],
            material_mask: [u16::MAX; MAX_COUNTERS],
            board_mask: [0; MAX_COUNTERS],
            max_pieces: materials().map(|material| material.max_pieces()).max().unwrap_or(0),
            min_kings: materials().map(|material| material.min_kings()).min().unwrap_or(0),
            rules: Vec::new(),
            two_kings: OnceLock::new(),
        };
        for (index, rule) in rules_with_counter.iter().enumerate() {
            match rule {
                CountedRule::Moves(rule) => {
                    draws.limits[index] = rule.plies;
                    for (progress, mask) in draws.reset_mask.iter_mut().enumerate() {
                        mask[index] = if rule.resets.intersects(Progress(progress as u8)) { 0 } else { u16::MAX };
                    }
                    if rule.within.is_none() {
                        draws.material_mask[index] = 0;
                    }
                }
                CountedRule::AtOnce(rule) => {
                    check_threat(rule);
                    draws.limits[index] = 1;
                    draws.limits_at_once[index] = 1;
                }
            }
            if rule.depends_on_board() {
                draws.board_mask[index] = u16::MAX;
            }
        }
        Draws { rules: rules_with_counter, ..draws }
    }

    /// Return whether a rule draws the game at these counts, or allows the players to claim a draw. The caller must
    /// check for a win, which takes precedence.
    #[inline(always)]
    pub fn is_drawn(&self, counters: &DrawCounters) -> bool {
        counters.reach(&self.limits)
    }

    /// Return the limits of a part of the rules, given by the index of each rule with a counter; None if no rule is
    /// included.
    pub(super) fn limits_of(&self, is_included: impl Fn(usize) -> bool) -> Option<CountLimits> {
        let mut limits = self.limits;
        for (index, limit) in limits.iter_mut().enumerate() {
            if !is_included(index) {
                *limit = NO_LIMIT;
            }
        }
        limits.iter().any(|limit| *limit != NO_LIMIT).then_some(CountLimits(limits))
    }

    /// Return whether a rule that depends on the position alone draws the game.
    #[inline(always)]
    pub fn is_drawn_at_once(&self, counters: &DrawCounters) -> bool {
        counters.reach(&self.limits_at_once)
    }

    /// Return the minimum number of plies before a count of moves draws the game, or None if no count applies.
    pub(super) fn plies_left(&self, counters: &DrawCounters) -> Option<u16> {
        let left = |(rule, count): (&CountedRule, Option<u16>)| match rule {
            CountedRule::Moves(rule) => count.map(|count| rule.plies.saturating_sub(count)),
            CountedRule::AtOnce(_) => None,
        };
        self.rules.iter().zip(counters.counts()).filter_map(left).min()
    }

    /// Return whether a rule might fit the material.
    #[inline(always)]
    fn may_fit<B: Bitboard>(&self, position: &Position<B>) -> bool {
        position.occupied().count() <= self.max_pieces && position.kings.count() >= self.min_kings
    }
}

/// The counts at which a part of the rules draws the game.
#[derive(Clone, Copy, Debug)]
pub(super) struct CountLimits([u16; MAX_COUNTERS]);

impl CountLimits {
    /// Return whether a count has reached its limit.
    #[inline(always)]
    pub(super) fn are_reached(&self, counters: &DrawCounters) -> bool {
        counters.reach(&self.0)
    }
}

fn check_threat(rule: &DrawnMaterial) {
    let Material { one, other, .. } = rule.material;
    let is_possible = rule.unless != Threat::ForcedWin || (one.is_lone_king() && other.is_lone_king());
    assert!(is_possible, "a forced win is known for one king against one king only");
}

/// The counters of all rules that have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DrawCounters([u16; MAX_COUNTERS]);

impl DrawCounters {
    /// Return the counts in the order of the rules; None if a rule does not apply or does not exist.
    pub fn counts(&self) -> impl Iterator<Item = Option<u16>> {
        self.0.into_iter().map(|count| Some(count).filter(|count| *count != NOT_APPLYING))
    }

    /// Return whether a count of a rule that applies has reached its limit.
    #[inline(always)]
    fn reach(&self, limits: &[u16; MAX_COUNTERS]) -> bool {
        // No early exit: this compiles to one comparison of vectors.
        let reached = |(count, limit): (&u16, &u16)| *count != NOT_APPLYING && count >= limit;
        self.0.iter().zip(limits).map(reached).fold(false, |any, reached| any | reached)
    }

    /// Return whether a rule in the mask applies.
    #[inline(always)]
    fn apply_in(&self, mask: &[u16; MAX_COUNTERS]) -> bool {
        self.0.iter().zip(mask).fold(0, |any, (count, mask)| any | (!count & mask)) != 0
    }

    /// Return the counters after a move that does not change the material.
    #[inline(always)]
    fn advance(self, reset_mask: &[u16; MAX_COUNTERS]) -> Self {
        let mut counts = self.0;
        for (count, reset) in counts.iter_mut().zip(reset_mask) {
            *count = if *count == NOT_APPLYING { NOT_APPLYING } else { increment(*count) & reset };
        }
        DrawCounters(counts)
    }

    /// Return the counters after a move that changes the material to one that fits no rule.
    #[inline(always)]
    fn advance_to_other_material(self, reset_mask: &[u16; MAX_COUNTERS], material_mask: &[u16; MAX_COUNTERS]) -> Self {
        let mut counts = self.0;
        for ((count, reset), material) in counts.iter_mut().zip(reset_mask).zip(material_mask) {
            *count = if *count == NOT_APPLYING { 0 } else { increment(*count) & reset } | material;
        }
        DrawCounters(counts)
    }
}

#[inline(always)]
fn increment(count: u16) -> u16 {
    count + u16::from(count < MAX_COUNT)
}

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    /// Return the counters of a game that starts with the position.
    pub(super) fn begin_counters(&self, position: &Position<B>) -> DrawCounters {
        let mut counters = DrawCounters([NOT_APPLYING; MAX_COUNTERS]);
        for (count, rule) in counters.0.iter_mut().zip(&self.draws.rules) {
            *count = self.begin_counted(rule, position).unwrap_or(NOT_APPLYING);
        }
        counters
    }

    /// Return the counters after a move, given those before it and both positions.
    #[inline(always)]
    pub(super) fn advance_counters(
        &self,
        counters: DrawCounters,
        before: &Position<B>,
        played: &Move<B>,
        after: &Position<B>,
    ) -> DrawCounters {
        let draws = &self.draws;
        let reset_mask = &draws.reset_mask[usize::from(Progress::of(before, played).0)];
        match changes_material(played) {
            false if !counters.apply_in(&draws.board_mask) => counters.advance(reset_mask),
            true if !draws.may_fit(after) => counters.advance_to_other_material(reset_mask, &draws.material_mask),
            _ => self.advance_each(counters, before, played, after),
        }
    }

    #[inline(never)]
    fn advance_each(
        &self,
        mut counters: DrawCounters,
        before: &Position<B>,
        played: &Move<B>,
        after: &Position<B>,
    ) -> DrawCounters {
        for (count, rule) in counters.0.iter_mut().zip(&self.draws.rules) {
            *count = match self.change_counted(rule, *count != NOT_APPLYING, before, played, after) {
                CountChange::NotApplying => NOT_APPLYING,
                CountChange::Set(count) => count,
                CountChange::Increment => increment(*count),
            };
        }
        counters
    }

    /// Return the count of one rule in a game that starts with the position, or None if the rule does not apply or has
    /// no count.
    pub(super) fn begin_count(&self, rule: &DrawRule, position: &Position<B>) -> Option<u16> {
        self.begin_counted(&CountedRule::new(rule)?, position)
    }

    /// Return how a move changes the count of one rule; `applied` is whether the rule applied before the move.
    pub(super) fn count_change(
        &self,
        rule: &DrawRule,
        applied: bool,
        before: &Position<B>,
        played: &Move<B>,
        after: &Position<B>,
    ) -> CountChange {
        CountedRule::new(rule)
            .map_or(CountChange::NotApplying, |rule| self.change_counted(&rule, applied, before, played, after))
    }

    fn begin_counted(&self, rule: &CountedRule, position: &Position<B>) -> Option<u16> {
        rule.applies(&self.material_count(position)).then(|| match rule {
            CountedRule::Moves(_) => 0,
            CountedRule::AtOnce(rule) => self.count_at_once(rule, position),
        })
    }

    fn change_counted(
        &self,
        rule: &CountedRule,
        applied: bool,
        before: &Position<B>,
        played: &Move<B>,
        after: &Position<B>,
    ) -> CountChange {
        let count = self.material_count(after);
        let applies = if changes_material(played) { rule.applies(&count) } else { applied };
        match rule {
            _ if !applies => CountChange::NotApplying,
            CountedRule::AtOnce(rule) => CountChange::Set(self.count_at_once(rule, after)),
            CountedRule::Moves(rule)
                if !applied
                    || rule.resets.intersects(Progress::of(before, played))
                    || !self.stays_placed(rule, before, &count) =>
            {
                CountChange::Set(0)
            }
            CountedRule::Moves(_) => CountChange::Increment,
        }
    }

    fn material_count(&self, position: &Position<B>) -> MaterialCount {
        MaterialCount::of(position, self.geometry.long_diagonals)
    }

    /// Return whether the required kings are on the long diagonal both before and after a move; true for a rule that
    /// requires none.
    fn stays_placed(&self, rule: &MoveCount, before: &Position<B>, after: &MaterialCount) -> bool {
        let placed = |within: Material| within.is_placed(&self.material_count(before)) && within.is_placed(after);
        rule.within.filter(Material::depends_on_squares).is_none_or(placed)
    }

    /// Return the count of a rule whose material is on the board: 1 if the game is drawn, 0 if the exception holds.
    fn count_at_once(&self, rule: &DrawnMaterial, position: &Position<B>) -> u16 {
        let excepted = || match rule.unless {
            Threat::None => false,
            Threat::Capture => !self.is_over_immediately(position) && self.could_capture(position, position.turn),
            Threat::ForcedWin => self.is_two_kings_decided(position),
        };
        u16::from(rule.material.is_placed(&self.material_count(position)) && !excepted())
    }
}

#[inline(always)]
fn changes_material<B: Bitboard>(played: &Move<B>) -> bool {
    played.crowns || !played.captured.is_empty()
}

#[cfg(test)]
mod tests;
