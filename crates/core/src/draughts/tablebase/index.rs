//! Slices of a tablebase, and the numbering of their positions.
//!
//! A slice has all positions with the same men and kings of the side to move and of its opponent. Positions are
//! numbered from the view of the side to move: if Black is to move, the board is rotated by half a turn. The index of a
//! position is composed of the ranks of four groups of pieces: own men, the opponent's men, own kings, the opponent's
//! kings. Men are ranked among the squares on which they can stand, and every group among the squares that the groups
//! before it leave free. A few indices are unused, because own men can stand on squares that the opponent's men cannot.

use std::fmt;
use std::sync::OnceLock;

use crate::draughts::bitboard::Bitboard;
use crate::draughts::geometry::Geometry;
use crate::draughts::position::Position;
use crate::side::Side;

/// The maximum number of pieces in a slice.
pub const MAX_PIECES: usize = 8;

/// The pieces of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slice {
    /// The men of the side to move.
    pub own_men: u8,
    /// The kings of the side to move.
    pub own_kings: u8,
    /// The men of the opponent.
    pub other_men: u8,
    /// The kings of the opponent.
    pub other_kings: u8,
}

impl Slice {
    /// The number of codes of slices.
    pub(super) const CODES: usize = (MAX_PIECES + 1).pow(4);

    /// Return a number that identifies a valid slice.
    #[inline(always)]
    pub(super) fn code(self) -> usize {
        self.counts().into_iter().fold(0, |code, count| code * (MAX_PIECES + 1) + count)
    }

    /// Return the slice of the same pieces with the other side to move.
    pub fn swapped(self) -> Slice {
        Slice {
            own_men: self.other_men,
            own_kings: self.other_kings,
            other_men: self.own_men,
            other_kings: self.own_kings,
        }
    }

    /// Return the number of pieces.
    pub fn pieces(self) -> usize {
        self.counts().into_iter().sum()
    }

    /// Return the number of men.
    pub fn men(self) -> usize {
        usize::from(self.own_men) + usize::from(self.other_men)
    }

    /// Return the number of pieces in each group.
    pub(super) fn counts(self) -> [usize; 4] {
        [self.own_men, self.other_men, self.own_kings, self.other_kings].map(usize::from)
    }

    /// Return the slice of a position.
    #[inline(always)]
    pub(super) fn of<B: Bitboard>(position: &Position<B>) -> Slice {
        let count = |set: B| set.count() as u8;
        let (own, other) = (position.turn, position.turn.opponent());
        Slice {
            own_men: count(position.men(own)),
            own_kings: count(position.of(own) & position.kings),
            other_men: count(position.men(other)),
            other_kings: count(position.of(other) & position.kings),
        }
    }

    /// Return all slices with a number of pieces, in an order in which they can be built: by the number of men. Both
    /// sides have pieces.
    pub fn list(pieces: usize) -> Vec<Slice> {
        let pieces = pieces as u8;
        let mut slices = Vec::new();
        for own in 1..pieces {
            let other = pieces - own;
            for own_men in 0..=own {
                slices.extend((0..=other).map(|other_men| Slice {
                    own_men,
                    own_kings: own - own_men,
                    other_men,
                    other_kings: other - other_men,
                }));
            }
        }
        slices.sort_by_key(|slice| (slice.men(), *slice));
        slices
    }

    /// Return the slices that must be present to build this one and its twin, those with few pieces first: captures and
    /// promotions lead to them, or captures from these.
    pub fn dependencies(self) -> Vec<Slice> {
        let mut found = self.after_moves();
        let mut next = 0;
        while let Some(&slice) = found.get(next) {
            let smaller = slice.after_moves().into_iter().filter(|after| after.pieces() < slice.pieces());
            for after in smaller {
                if !found.contains(&after) {
                    found.push(after);
                }
            }
            next += 1;
        }
        found.sort_unstable_by_key(|slice| (slice.pieces(), *slice));
        found
    }

    /// Return the slices that captures and promotions from this one or its twin lead to.
    fn after_moves(self) -> Vec<Slice> {
        let mut found = Vec::new();
        for slice in [self, self.swapped()] {
            let Slice { own_men, own_kings, other_men, other_kings } = slice;
            // The mover promotes at most one man, and captures any number of pieces.
            for promoted in 0..=own_men.min(1) {
                for men in 0..=other_men {
                    for kings in 0..=other_kings {
                        let after = Slice {
                            own_men: men,
                            own_kings: kings,
                            other_men: own_men - promoted,
                            other_kings: own_kings + promoted,
                        };
                        let is_quiet = promoted == 0 && (men, kings) == (other_men, other_kings);
                        if after.is_valid() && !is_quiet {
                            found.push(after);
                        }
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Return whether both sides have pieces, and there are at most `MAX_PIECES`.
    pub fn is_valid(self) -> bool {
        let counts = self.counts().map(|count| count.min(MAX_PIECES + 1));
        counts[0] + counts[2] > 0 && counts[1] + counts[3] > 0 && counts.iter().sum::<usize>() <= MAX_PIECES
    }
}

/// Kings and men of the side to move, then those of the opponent: `KM-K`.
impl fmt::Display for Slice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = |kings: u8, men: u8| "K".repeat(kings.into()) + &"M".repeat(men.into());
        write!(out, "{}-{}", pieces(self.own_kings, self.own_men), pieces(self.other_kings, self.other_men))
    }
}

/// The order of the four groups in an index, the most significant one first.
pub(super) type Order = [usize; 4];

/// The order in which the groups are ranked.
pub(super) const RANKED: Order = [0, 1, 2, 3];

/// The indices of a slice: the number of ranks of each group, and the step of the index from rank to rank.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) slice: Slice,
    /// The number of indices.
    pub(super) size: u64,
    /// By group: the number of ranks, and the difference of the indices of neighbouring ranks.
    pub(super) ranks: [u64; 4],
    steps: [u64; 4],
    pub(super) order: Order,
}

impl Layout {
    /// Return the index of a position with these ranks.
    #[inline(always)]
    pub(super) fn index(&self, ranks: [u64; 4]) -> u64 {
        (0..4).map(|group| ranks[group] * self.steps[group]).sum()
    }

    /// Return the ranks of the groups at an index.
    #[inline(always)]
    pub(super) fn ranks(&self, mut index: u64) -> [u64; 4] {
        let mut ranks = [0; 4];
        for group in self.order {
            ranks[group] = index / self.steps[group];
            index %= self.steps[group];
        }
        ranks
    }
}

/// The tables that the numbering of every slice of a board shares.
#[derive(Debug)]
pub(super) struct Numbering<B> {
    /// The number of squares.
    pub(super) squares: usize,
    /// The number of squares in a promotion row.
    far: usize,
    /// By bit: its square from the view of White, which is its index from the top left.
    square: Vec<u8>,
    /// By square from the view of White: its bit.
    bits: Vec<u8>,
    /// By bit: the squares before it in the order of White, and in that of Black.
    before: [Vec<B>; 2],
    /// By number of pieces and square: the binomial coefficient.
    binomials: [Vec<u64>; MAX_PIECES + 1],
    /// By number of pieces and rank: the squares of the pieces, one byte each, lowest first. Listed on first use.
    combinations: [OnceLock<Vec<u64>>; MAX_PIECES],
}

impl<B: Bitboard> Numbering<B> {
    /// Create the numbering of a board.
    pub(super) fn new(geometry: &Geometry<B>) -> Self {
        let squares = geometry.bits.len();
        let mut square = vec![0; B::BITS];
        let mut before = [vec![B::EMPTY; B::BITS], vec![B::EMPTY; B::BITS]];
        for (index, &bit) in geometry.bits.iter().enumerate() {
            square[bit] = index as u8;
            before[0][bit] = geometry.bits[..index].iter().fold(B::EMPTY, |set, bit| set | B::bit(*bit));
            before[1][bit] = geometry.bits[index + 1..].iter().fold(B::EMPTY, |set, bit| set | B::bit(*bit));
        }
        let binomials = std::array::from_fn(|count| (0..=squares).map(|n| choose(n, count)).collect());
        Numbering {
            squares,
            far: geometry.far_rows[0].count(),
            square,
            bits: geometry.bits.iter().map(|bit| *bit as u8).collect(),
            before,
            binomials,
            combinations: Default::default(),
        }
    }

    /// Return the layout of a slice with an order of its groups.
    pub(super) fn layout(&self, slice: Slice, order: Order) -> Layout {
        let [own_men, other_men, own_kings, other_kings] = slice.counts();
        let men_squares = self.squares - self.far;
        let free = self.squares.saturating_sub(own_men + other_men);
        let ranks = [
            self.binomials[own_men][men_squares],
            self.binomials[other_men][men_squares],
            self.binomials[own_kings][free],
            self.binomials[other_kings][free.saturating_sub(own_kings)],
        ];
        let (mut steps, mut size) = ([0; 4], 1u64);
        for group in order.into_iter().rev() {
            steps[group] = size.max(1);
            size = size.saturating_mul(ranks[group]);
        }
        Layout { slice, size, ranks, steps, order }
    }

    /// Return the ranks of the groups of a position.
    #[inline(always)]
    pub(super) fn ranks(&self, position: &Position<B>) -> [u64; 4] {
        match position.turn {
            Side::White => self.ranks_for::<false>(position),
            Side::Black => self.ranks_for::<true>(position),
        }
    }

    /// Return the ranks of the groups of a position with this side to move.
    #[inline(always)]
    pub(super) fn ranks_for<const BLACK: bool>(&self, position: &Position<B>) -> [u64; 4] {
        let (own, other) = (Side::new(BLACK), Side::new(!BLACK));
        let (own_men, other_men) = (position.men(own), position.men(other));
        let men = own_men | other_men;
        let own_kings = position.of(own) & position.kings;
        let other_kings = position.of(other) & position.kings;
        [
            self.rank::<BLACK>(own_men, B::EMPTY, self.far),
            self.rank::<BLACK>(other_men, own_men, 0),
            self.rank::<BLACK>(own_kings, men, 0),
            self.rank::<BLACK>(other_kings, men | own_kings, 0),
        ]
    }

    /// Return the rank of a group among the squares that are not occupied, from the square `first` on.
    #[inline(always)]
    fn rank<const BLACK: bool>(&self, mut group: B, occupied: B, first: usize) -> u64 {
        let mut rank = 0;
        let mut count = 1;
        while !group.is_empty() {
            let bit = if BLACK { group.highest() } else { group.lowest() };
            group = if BLACK { group ^ B::bit(bit) } else { group.without_lowest() };
            let square = usize::from(self.square[bit]);
            let square = if BLACK { self.squares - 1 - square } else { square };
            let free = square - first - (occupied & self.before[usize::from(BLACK)][bit]).count();
            rank += self.binomials[count][free];
            count += 1;
        }
        rank
    }

    /// Return the position with White to move at an index, or None if the index is unused.
    #[inline(always)]
    pub(super) fn position(&self, layout: &Layout, index: u64) -> Option<Position<B>> {
        let (counts, ranks) = (layout.slice.counts(), layout.ranks(index));
        let mut occupied = Occupied::default();
        let mut sets = [B::EMPTY; 4];
        for group in 0..4 {
            let offset = if group == 0 { self.far } else { 0 };
            let list = self.combinations[counts[group]].get_or_init(|| list_combinations(self.squares, counts[group]));
            let mut squares = list[ranks[group] as usize];
            let before = occupied;
            for _ in 0..counts[group] {
                let square = before.find_free(squares as u8) + offset as u8;
                squares >>= 8;
                if group == 1 && usize::from(square) >= self.squares - self.far {
                    return None;
                }
                occupied.add(square);
                sets[group] |= B::bit(usize::from(self.bits[usize::from(square)]));
            }
        }
        let mut position = Position::empty(Side::White);
        position.pieces = [sets[0] | sets[2], sets[1] | sets[3]];
        position.kings = sets[2] | sets[3];
        Some(position)
    }
}

/// A short list of occupied squares in ascending order.
#[derive(Clone, Copy)]
struct Occupied {
    squares: [u8; MAX_PIECES],
    count: usize,
}

impl Default for Occupied {
    fn default() -> Self {
        Occupied { squares: [u8::MAX; MAX_PIECES], count: 0 }
    }
}

impl Occupied {
    /// Return the free square with this index among the free squares.
    #[inline(always)]
    fn find_free(&self, index: u8) -> u8 {
        self.squares[..self.count].iter().fold(index, |square, taken| square + u8::from(*taken <= square))
    }

    #[inline(always)]
    fn add(&mut self, square: u8) {
        let mut place = self.count;
        while place > 0 && self.squares[place - 1] > square {
            self.squares[place] = self.squares[place - 1];
            place -= 1;
        }
        self.squares[place] = square;
        self.count += 1;
    }
}

/// Return all sets of `count` of `squares` squares in colexicographic order, each as bytes, lowest first.
fn list_combinations(squares: usize, count: usize) -> Vec<u64> {
    let mut found = Vec::with_capacity(choose(squares, count) as usize);
    let mut places: Vec<usize> = (0..count).collect();
    loop {
        found.push(places.iter().rev().fold(0, |packed, place| packed << 8 | *place as u64));
        // Advance the lowest place that can move without reaching the next one.
        let Some(next) = (0..count).find(|&i| places[i] + 1 < places.get(i + 1).copied().unwrap_or(squares)) else {
            return found;
        };
        places[next] += 1;
        for (place, value) in places[..next].iter_mut().zip(0..) {
            *place = value;
        }
    }
}

/// Return the binomial coefficient, or the maximum number if it overflows.
fn choose(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    (0..k).try_fold(1u64, |ways, i| Some(ways.checked_mul((n - i) as u64)? / (i + 1) as u64)).unwrap_or(u64::MAX)
}
