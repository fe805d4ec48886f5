//! Generation of captures: the pieces that can capture, and the captures of a single piece.
//!
//! Most captures take one piece. This module finds those of men and short kings for all pieces at once with bitboard
//! operations; `capture_generator` searches all others jump by jump.

use super::bitboard::Bitboard;
use super::capture_generator::{CaptureGenerator, Scratch};
use super::directions::{DIRECTIONS, Directions, back, each_direction};
use super::generator::MoveGenerator;
use super::moves::{MoveSink, NullSink};
use super::position::Position;
use super::precedence::Rank;
use super::rules::Promotion;
use super::specialisation::RuleSource;
use crate::side::Side;

/// The captures to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapturePaths {
    /// One capture for all paths with the same first square, last square, captured pieces and crowning.
    Distinct,
    /// Every path: captures that differ only in a landing square are distinct.
    All,
}

impl CapturePaths {
    /// Return `All` if `every_path` is true, else `Distinct`.
    pub fn new(every_path: bool) -> Self {
        if every_path { CapturePaths::All } else { CapturePaths::Distinct }
    }
}

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    /// Generate the legal captures of the side to move, and return whether there are any.
    #[inline(always)]
    pub(super) fn generate_captures<const BLACK: bool, K: MoveSink<B>>(
        &self,
        position: &Position<B>,
        paths: CapturePaths,
        scratch: &mut Scratch<B>,
        sink: &mut K,
    ) -> bool {
        let side = Side::new(BLACK);
        let empty = self.geometry.board & !position.occupied();
        let jumpers =
            self.jumpers(position.men(side), self.man_victims(position, side), empty, self.man_captures(side));
        let kings = position.of(side) & position.kings;
        if (jumpers | kings).is_empty() {
            return false;
        }
        self.single_captures::<BLACK, K>(position, kings, paths, scratch, sink)
    }

    /// Return whether a side could capture if it were the side to move.
    #[inline(always)]
    pub(super) fn could_capture(&self, position: &Position<B>, side: Side) -> bool {
        match side {
            Side::White => self.could_capture_as::<false>(position),
            Side::Black => self.could_capture_as::<true>(position),
        }
    }

    #[inline(always)]
    fn could_capture_as<const BLACK: bool>(&self, position: &Position<B>) -> bool {
        let side = Side::new(BLACK);
        let empty = self.geometry.board & !position.occupied();
        let by_men = self.jumpers(position.men(side), self.man_victims(position, side), empty, self.man_captures(side));
        let kings = position.of(side) & position.kings;
        !by_men.is_empty() || !kings.is_empty() && self.kings_could_capture(position, kings, empty, side)
    }

    fn kings_could_capture(&self, position: &Position<B>, kings: B, empty: B, side: Side) -> bool {
        let (victims, directions) = (position.of(side.opponent()), self.king_captures(side));
        if !R::flying_kings(&self.rules) {
            return !self.jumpers(kings, victims, empty, directions).is_empty();
        }
        kings.bits().any(|from| {
            let mut can = false;
            each_direction!(R, directions, direction => {
                let ray = self.geometry.rays[from][direction];
                if let Some(met) = self.nearest(ray & !empty, direction) {
                    let behind = B::bit(met).shifted(R::delta(&self.geometry, direction));
                    can |= victims.has(met) && !(behind & empty).is_empty();
                }
            });
            can
        })
    }

    /// Return those of the pieces that have a jump: a victim on the next square and an empty square behind it.
    #[inline(always)]
    fn jumpers(&self, pieces: B, victims: B, empty: B, directions: Directions) -> B {
        let mut jumpers = B::EMPTY;
        each_direction!(R, directions, direction => {
            jumpers |= pieces & self.before_jump(direction, victims, empty);
        });
        jumpers
    }

    /// Return the squares from which there is a jump in the direction: a victim next to them and an empty square behind
    /// it.
    #[inline(always)]
    fn before_jump(&self, direction: usize, victims: B, empty: B) -> B {
        let delta = R::delta(&self.geometry, direction);
        (victims & empty.shifted(-delta)).shifted(-delta)
    }

    /// Return the pieces that men of a side can capture.
    #[inline(always)]
    pub(super) fn man_victims(&self, position: &Position<B>, side: Side) -> B {
        let others = position.of(side.opponent());
        if self.rules.men_capture_kings { others } else { others & !position.kings }
    }

    #[inline(always)]
    pub(super) fn man_captures(&self, side: Side) -> Directions {
        R::man_captures(&self.rules).of(side)
    }

    #[inline(always)]
    pub(super) fn king_captures(&self, side: Side) -> Directions {
        R::king_captures(&self.rules).of(side)
    }

    /// Generate the captures without a search if all are single jumps of men, which is the common case; otherwise
    /// search.
    #[inline(never)]
    fn single_captures<const BLACK: bool, K: MoveSink<B>>(
        &self,
        position: &Position<B>,
        kings: B,
        paths: CapturePaths,
        scratch: &mut Scratch<B>,
        sink: &mut K,
    ) -> bool {
        let side = Side::new(BLACK);
        let by_men = self.short_jumps(position, position.men(side), false, side);
        if by_men.longer.is_empty() && kings.is_empty() && self.singles_rank_alike(position) {
            by_men.add_singles(self, self.man_captures(side), self.geometry.far_rows[side.index()], sink);
            return true;
        }
        // Pass a copy, so that the jumps stay in registers in the common case.
        self.search_captures::<BLACK>(position, &by_men.clone(), kings, paths, scratch, sink)
    }

    /// Search captures jump by jump, and return whether there are any.
    fn search_captures<const BLACK: bool>(
        &self,
        position: &Position<B>,
        by_men: &ShortJumps<B>,
        kings: B,
        paths: CapturePaths,
        scratch: &mut Scratch<B>,
        sink: &mut dyn MoveSink<B>,
    ) -> bool {
        let mut best = Rank::LOWEST;
        if paths == CapturePaths::All && self.precedence.is_selective() {
            // Find the best rank first, so that paths that cannot reach it are not followed.
            let mut sink = NullSink;
            best = self
                .search_ranked::<BLACK>(position, by_men, kings, CapturePaths::Distinct, best, scratch, &mut sink)
                .1;
        }
        self.search_ranked::<BLACK>(position, by_men, kings, paths, best, scratch, sink).0
    }

    /// Search captures of rank `best` or higher, and return whether there is a capture, and the highest rank.
    #[inline(never)]
    #[allow(clippy::too_many_arguments)]
    fn search_ranked<const BLACK: bool>(
        &self,
        position: &Position<B>,
        by_men: &ShortJumps<B>,
        kings: B,
        paths: CapturePaths,
        best: Rank<B>,
        scratch: &mut Scratch<B>,
        sink: &mut dyn MoveSink<B>,
    ) -> (bool, Rank<B>) {
        let mut search = CaptureGenerator::<B, R, BLACK>::new(self, position, paths, best, scratch, sink);
        search.run(position, by_men, kings);
        (search.found, search.best)
    }

    /// Return the first jumps of men or short kings.
    #[inline(always)]
    pub(super) fn short_jumps(&self, position: &Position<B>, pieces: B, is_king: bool, side: Side) -> ShortJumps<B> {
        let directions = if is_king { self.king_captures(side) } else { self.man_captures(side) };
        let victims = if is_king { position.of(side.opponent()) } else { self.man_victims(position, side) };
        let empty = self.geometry.board & !position.occupied();
        let mut jumpers = [B::EMPTY; DIRECTIONS];
        let mut all = B::EMPTY;
        each_direction!(R, directions, direction => {
            jumpers[direction] = pieces & self.before_jump(direction, victims, empty);
            all |= jumpers[direction];
        });
        // An upper bound of the captures that continue after a jump: there must be a jump from the landing square, if
        // the squares of all jumpers count as empty. Straight back there always seems to be one, over the piece just
        // captured. If that direction is allowed, two jumps are therefore required.
        let (mut one, mut two) = (B::EMPTY, B::EMPTY);
        each_direction!(R, directions, direction => {
            let continues = self.before_jump(direction, victims, empty | all);
            two |= one & continues;
            one |= continues;
        });
        // A man crowned during the capture may continue as a king.
        let crowned = if !is_king && self.rules.promotion == Promotion::InFlight {
            self.geometry.far_rows[side.index()]
        } else {
            B::EMPTY
        };
        let mut longer = B::EMPTY;
        each_direction!(R, directions, direction => {
            let continues = crowned | if directions.has(back(direction)) { two } else { one };
            let delta = R::delta(&self.geometry, direction);
            longer |= jumpers[direction] & continues.shifted(-delta).shifted(-delta);
        });
        ShortJumps { jumpers, single: all & !longer, longer, one, two }
    }

    /// Return whether all single jumps of men have the same precedence rank: no king is captured, or the rank does not
    /// depend on kings.
    #[inline(always)]
    pub(super) fn singles_rank_alike(&self, position: &Position<B>) -> bool {
        position.kings.is_empty() || !self.precedence.depends_on_kings()
    }
}

/// The first jumps of the men or the short kings of a side.
#[derive(Clone)]
pub(super) struct ShortJumps<B> {
    /// By direction: the pieces that have a jump.
    pub(super) jumpers: [B; DIRECTIONS],
    /// The pieces whose captures take one piece each.
    pub(super) single: B,
    /// The pieces whose captures might take more than one piece; they are searched jump by jump.
    pub(super) longer: B,
    /// The squares from which there might be at least one jump, and those from which there might be two.
    pub(super) one: B,
    pub(super) two: B,
}

impl<B: Bitboard> ShortJumps<B> {
    /// Add the captures of the pieces in `single` to a sink.
    #[inline(always)]
    pub(super) fn add_singles<R: RuleSource>(
        &self,
        generator: &MoveGenerator<B, R>,
        directions: Directions,
        far_row: B,
        sink: &mut impl MoveSink<B>,
    ) {
        each_direction!(R, directions, direction => {
            let delta = R::delta(&generator.geometry, direction);
            sink.single_jumps((self.jumpers[direction] & self.single).shifted(2 * delta), delta, far_row);
        });
    }
}
