//! Draw rules: what a rule set says, and the same made ready to be counted in every position of a search.
//!
//! The fields mean what the Python dataclasses say they mean.

use super::counts::{Counts, MOST, NEVER};
use super::material::Material;
use super::position::Position;
use super::squares::SquareSet;

/// A draw rule. Where players must claim the draw is not told: whoever looks for the best move takes it as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawRule {
    /// The same position so many times in a game.
    Repetition(u32),
    /// So many moves without progress, or without the material changing.
    MoveCount(MoveCount),
    /// Material that is a draw at once.
    DrawnMaterial(DrawnMaterial),
    /// A rule of one's own that the core cannot know: it is left out.
    Unknown,
}

/// So many moves, of both sides together, without progress or without the material changing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveCount {
    /// The count at which the game is drawn: from 1 to `LARGEST`.
    pub plies: u16,
    /// What makes the count begin anew.
    pub resets: Progress,
    /// Counted with this material only.
    pub within: Option<Material>,
    /// Not counted with this.
    pub outside: Option<Material>,
}

/// Material that is a draw at once. The count is 1 when it is, and 0 while a threat keeps the game going.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnMaterial {
    /// What is drawn.
    pub material: Material,
    /// What keeps it in play for now.
    pub unless: Threat,
}

/// A set of things that make a count of moves begin anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress(pub u8);

impl Progress {
    /// A capture.
    pub const CAPTURE: Progress = Progress(1);
    /// A man's move.
    pub const MAN_MOVE: Progress = Progress(2);
    /// A man that becomes a king.
    pub const CROWNING: Progress = Progress(4);

    /// How many such sets there are.
    const SETS: usize = 8;

    /// Whether anything is in both sets.
    pub(super) fn meets(self, other: Progress) -> bool {
        self.0 & other.0 != 0
    }
}

/// What keeps drawn material in play for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threat {
    /// Nothing: it is drawn whatever comes.
    None,
    /// The side to move can capture.
    Capture,
    /// That, or it can be captured next whatever it moves.
    Loss,
}

/// A rule that has a count.
#[derive(Clone, Copy, Debug)]
pub(super) enum Counted {
    Moves(MoveCount),
    AtOnce(DrawnMaterial),
}

impl Counted {
    fn materials(&self) -> impl Iterator<Item = Material> {
        match *self {
            Counted::Moves(rule) => rule.within.into_iter().chain(rule.outside),
            Counted::AtOnce(rule) => Some(rule.material).into_iter().chain(None),
        }
    }

    /// Whether the count after a quiet move depends on more than the move.
    fn looks_at_board(&self) -> bool {
        match self {
            Counted::Moves(rule) => rule.within.is_some_and(|within| within.has_place()),
            Counted::AtOnce(_) => true,
        }
    }
}

/// The draw rules of a rule set, made ready.
#[derive(Debug)]
pub struct Draws {
    /// How often a position must stand on the board for a draw; None where that is no rule.
    pub repetition: Option<u32>,
    /// The rules that have a count, in the order of the rule set; the index of one is that of its count.
    pub(super) counted: Vec<Counted>,
    /// The counts that draw, and those that do so by what is on the board alone.
    limits: [u16; MOST],
    limits_at_once: [u16; MOST],
    /// What is left of a count after a move, by the progress that it makes: all bits, or none where it begins anew.
    kept: [[u16; MOST]; Progress::SETS],
    /// None where a rule applies with any material but some, all bits elsewhere.
    bound: [u16; MOST],
    /// All bits where a quiet move is not enough to know the next count, none elsewhere.
    watched: [u16; MOST],
    /// No rule's material fits with more pieces or with fewer kings on the board.
    most_pieces: usize,
    least_kings: usize,
}

impl Draws {
    /// The rules made ready.
    ///
    /// # Panics
    /// Where more than `MOST` of them have a count.
    pub(super) fn new(rules: &[DrawRule]) -> Self {
        let counted: Vec<Counted> = rules.iter().filter_map(to_counted).collect();
        assert!(counted.len() <= MOST, "{} draw rules have counts, of {MOST} at most", counted.len());
        let materials = || counted.iter().flat_map(Counted::materials);
        let mut draws = Draws {
            repetition: rules.iter().filter_map(to_times).min(),
            limits: [NEVER; MOST],
            limits_at_once: [NEVER; MOST],
            kept: [[u16::MAX; MOST]; Progress::SETS],
            bound: [u16::MAX; MOST],
            watched: [0; MOST],
            most_pieces: materials().map(|material| material.most_pieces()).max().unwrap_or(0),
            least_kings: materials().map(|material| material.least_kings()).min().unwrap_or(0),
            counted: Vec::new(),
        };
        for (index, rule) in counted.iter().enumerate() {
            match rule {
                Counted::Moves(rule) => {
                    draws.limits[index] = rule.plies;
                    for (progress, kept) in draws.kept.iter_mut().enumerate() {
                        kept[index] = if rule.resets.meets(Progress(progress as u8)) { 0 } else { u16::MAX };
                    }
                    if rule.within.is_none() {
                        draws.bound[index] = 0;
                    }
                }
                Counted::AtOnce(_) => {
                    draws.limits[index] = 1;
                    draws.limits_at_once[index] = 1;
                }
            }
            if rule.looks_at_board() {
                draws.watched[index] = u16::MAX;
            }
        }
        Draws { counted, ..draws }
    }

    /// Whether a rule draws the game at these counts, or lets players claim so. A win that shows in the position comes
    /// before it.
    #[inline(always)]
    pub fn is_drawn(&self, counts: &Counts) -> bool {
        counts.reach(&self.limits)
    }

    /// How many plies are left, at least, before a count draws the game; None where nothing is counted.
    pub(super) fn plies_left(&self, counts: &Counts) -> Option<u16> {
        let left = |(index, rule): (usize, &Counted)| match rule {
            Counted::Moves(rule) => counts.get(index).map(|count| rule.plies.saturating_sub(count)),
            Counted::AtOnce(_) => None,
        };
        self.counted.iter().enumerate().filter_map(left).min()
    }

    /// Whether a rule does so by what is on the board alone, whatever led there.
    #[inline(always)]
    pub fn is_drawn_at_once(&self, counts: &Counts) -> bool {
        counts.reach(&self.limits_at_once)
    }

    /// The counts after a move that leaves the material as it is, where no rule must look at the board.
    #[inline(always)]
    pub(super) fn after_quiet(&self, counts: Counts, progress: Progress) -> Counts {
        counts.one_more(&self.kept[usize::from(progress.0)])
    }

    /// The counts after a move that changes the material to such as fits no rule.
    #[inline(always)]
    pub(super) fn after_change(&self, counts: Counts, progress: Progress) -> Counts {
        counts.one_more_or_none(&self.kept[usize::from(progress.0)], &self.bound)
    }

    /// Whether a rule that applies must look at the board after a quiet move.
    #[inline(always)]
    pub(super) fn must_look(&self, counts: &Counts) -> bool {
        counts.apply_among(&self.watched)
    }

    /// Whether the material of a rule can fit at all.
    #[inline(always)]
    pub(super) fn may_fit<S: SquareSet>(&self, position: &Position<S>) -> bool {
        position.occupied().count() <= self.most_pieces && position.kings.count() >= self.least_kings
    }
}

fn to_counted(rule: &DrawRule) -> Option<Counted> {
    match rule {
        DrawRule::MoveCount(rule) => Some(Counted::Moves(*rule)),
        DrawRule::DrawnMaterial(rule) => Some(Counted::AtOnce(*rule)),
        DrawRule::Repetition(_) | DrawRule::Unknown => None,
    }
}

fn to_times(rule: &DrawRule) -> Option<u32> {
    match rule {
        DrawRule::Repetition(times) => Some(*times),
        _ => None,
    }
}
