//! Board geometry: the mapping of squares to bits with guard bits, the step of each direction in bits, and rays.
//!
//! Guard bits belong to no square. A step over the edge of the board ends on a guard bit, which is neither occupied nor
//! empty, so steps need no check for the edge.
//!
//! On a board of one colour the bit of a square is `(row * stride + column) / 2`, with an odd `stride` greater than the
//! number of columns. A diagonal step down then adds the same number of bits from every square: `stride / 2` to the
//! left and one more to the right. An orthogonal step leads to the next square of the same colour, two rows or columns
//! away.
//!
//! On a board of both colours the bit is `row * stride + column`, and a step leads to the next row or column.

use super::bitboard::Bitboard;
use super::directions::DIRECTIONS;
use super::rules::Rules;

/// The geometry of a board, in bitboards of type `B`.
#[derive(Clone, Debug)]
pub struct Geometry<B> {
    /// All squares; guard bits are not set.
    pub board: B,
    /// The promotion rows of White and Black.
    pub far_rows: [B; 2],
    /// The squares of the diagonals that end in a corner: on a square board, the long diagonals.
    pub long_diagonals: B,
    /// By direction, clockwise from up: the step in bits.
    pub deltas: [i32; DIRECTIONS],
    /// By bit and direction: the ray, that is, all squares from the next one up to the edge.
    pub rays: Vec<[B; DIRECTIONS]>,
    /// By square, row by row from the top left: its bit.
    pub bits: Vec<usize>,
    /// By bit: its square, or `usize::MAX` for a guard bit.
    pub squares: Vec<usize>,
}

/// Return the distance in bits between a square and the square below it; on a board of one colour, twice that distance.
const fn stride(columns: usize, all_squares: bool) -> usize {
    if all_squares { columns + 1 } else { (columns + 2) / 2 * 2 + 1 }
}

/// Return the number of bits that a board needs.
pub const fn width(columns: usize, rows: usize, all_squares: bool) -> usize {
    let last = (rows - 1) * stride(columns, all_squares) + columns - 1;
    if all_squares { last + 1 } else { last / 2 + 1 }
}

/// Return the step in bits of each direction, clockwise from up.
pub const fn deltas(columns: usize, all_squares: bool) -> [i32; DIRECTIONS] {
    let stride = stride(columns, all_squares) as i32;
    if all_squares {
        [-stride, 1 - stride, 1, stride + 1, stride, stride - 1, -1, -stride - 1]
    } else {
        let down = stride / 2;
        [-stride, -down, 1, down + 1, stride, down, -1, -down - 1]
    }
}

/// Return the row and the column of each square, row by row from the top left.
pub fn places(rules: &Rules) -> Vec<(usize, usize)> {
    let parity = (rules.rows - 1 + usize::from(!rules.corner_playable)) % 2;
    let cells = (0..rules.rows).flat_map(|row| (0..rules.columns).map(move |column| (row, column)));
    cells.filter(|(row, column)| rules.all_squares || (row + column) % 2 == parity).collect()
}

/// Return whether a rotated board has the same playable squares.
pub fn has_half_turn_symmetry(rules: &Rules) -> bool {
    rules.all_squares || (rules.columns + rules.rows).is_multiple_of(2)
}

/// Return the number of relative squares.
///
/// A relative square is a square from its owner's point of view, counted row by row from the far left. If the rotated
/// board has other playable squares, the squares of both colours are counted.
pub fn relative_square_count(rules: &Rules) -> usize {
    if has_half_turn_symmetry(rules) { places(rules).len() } else { rules.columns * rules.rows }
}

/// Return the relative square of each square of the board, for White and for Black.
pub fn relative_squares(rules: &Rules) -> [Vec<usize>; 2] {
    let places = places(rules);
    let (columns, rows) = (rules.columns, rules.rows);
    if has_half_turn_symmetry(rules) {
        [(0..places.len()).collect(), (0..places.len()).rev().collect()]
    } else {
        let white: Vec<usize> = places.iter().map(|(row, column)| row * columns + column).collect();
        let black = white.iter().map(|cell| columns * rows - 1 - cell).collect();
        [white, black]
    }
}

impl<B: Bitboard> Geometry<B> {
    /// Compute the geometry of the board of these rules. `B` must have as many bits as `width` returns.
    pub fn new(rules: &Rules) -> Self {
        let (columns, rows) = (rules.columns, rules.rows);
        let stride = stride(columns, rules.all_squares);
        let deltas = deltas(columns, rules.all_squares);
        let mut geometry = Geometry {
            board: B::EMPTY,
            far_rows: [B::EMPTY; 2],
            long_diagonals: B::EMPTY,
            deltas,
            rays: vec![[B::EMPTY; DIRECTIONS]; B::BITS],
            bits: Vec::new(),
            squares: vec![usize::MAX; B::BITS],
        };
        for (row, column) in places(rules) {
            let bit = (row * stride + column) / if rules.all_squares { 1 } else { 2 };
            geometry.squares[bit] = geometry.bits.len();
            geometry.bits.push(bit);
            geometry.board |= B::bit(bit);
            for (far, edge) in geometry.far_rows.iter_mut().zip([0, rows - 1]) {
                if row == edge {
                    *far |= B::bit(bit);
                }
            }
            let (to_row, to_column) = ([row, rows - 1 - row], [column, columns - 1 - column]);
            if to_row.iter().any(|distance| to_column.contains(distance)) {
                geometry.long_diagonals |= B::bit(bit);
            }
        }
        for &bit in &geometry.bits {
            for (direction, delta) in deltas.into_iter().enumerate() {
                let mut next = B::bit(bit).shifted(delta) & geometry.board;
                while !next.is_empty() {
                    geometry.rays[bit][direction] |= next;
                    next = next.shifted(delta) & geometry.board;
                }
            }
        }
        geometry
    }

    /// Return the squares of a set, in the order of their bits.
    pub fn squares_of(&self, set: B) -> impl Iterator<Item = usize> + '_ {
        set.bits().map(|bit| self.squares[bit])
    }
}
