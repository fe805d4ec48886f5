//! The shape of a board: which bit of a set is which square, and how far apart neighbours are.
//!
//! Bits beyond the edge belong to no square, so a step over the edge falls on a bit that is never occupied and never
//! empty. On a board of one colour the bit of a square is `(row * stride + column) / 2` for an odd `stride` wider
//! than the board: a step down a diagonal then adds `stride / 2` to the left and one more to the right, from every
//! square. Orthogonal steps go to the next square of the same colour, two rows or columns away. On a board of all
//! squares the bit is `row * stride + column` and every step goes to the next row or column.

use super::bitboard::Bitboard;
use super::directions::DIRECTIONS;
use super::rules::Rules;

/// The shape of a board in sets of the type `B`.
#[derive(Clone, Debug)]
pub struct Geometry<B> {
    /// Every square.
    pub board: B,
    /// The far row of White and that of Black.
    pub far_rows: [B; 2],
    /// Every square on a diagonal that ends in a corner: on a square board, the longest.
    pub long_diagonals: B,
    /// How many bits a step goes in each direction, clockwise from up.
    pub deltas: [i32; DIRECTIONS],
    /// Every square from a bit on in each direction, up to the edge.
    pub rays: Vec<[B; DIRECTIONS]>,
    /// The bit of every square, row by row from the top left.
    pub bits: Vec<usize>,
    /// The square of every bit, counted row by row; bits of no square have `usize::MAX`.
    pub squares: Vec<usize>,
}

/// How many bits lie between a square and the one below it, or twice as many on a board of one colour.
const fn stride(columns: usize, all_squares: bool) -> usize {
    if all_squares { columns + 1 } else { (columns + 2) / 2 * 2 + 1 }
}

/// How many bits a board needs.
pub const fn width(columns: usize, rows: usize, all_squares: bool) -> usize {
    let last = (rows - 1) * stride(columns, all_squares) + columns - 1;
    if all_squares { last + 1 } else { last / 2 + 1 }
}

/// The steps in bits for a board, clockwise from up.
pub const fn deltas(columns: usize, all_squares: bool) -> [i32; DIRECTIONS] {
    let stride = stride(columns, all_squares) as i32;
    if all_squares {
        [-stride, 1 - stride, 1, stride + 1, stride, stride - 1, -1, -stride - 1]
    } else {
        let down = stride / 2;
        [-stride, -down, 1, down + 1, stride, down, -1, -down - 1]
    }
}

/// Row and column of every square, row by row from the top left.
pub fn places(rules: &Rules) -> Vec<(usize, usize)> {
    let parity = (rules.rows - 1 + usize::from(!rules.corner_playable)) % 2;
    let cells = (0..rules.rows).flat_map(|row| (0..rules.columns).map(move |column| (row, column)));
    cells.filter(|(row, column)| rules.all_squares || (row + column) % 2 == parity).collect()
}

impl<B: Bitboard> Geometry<B> {
    /// The shape of the board of these rules; `B` must be wide enough for it.
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

    /// The squares of a set, counted row by row from the top left.
    pub fn squares_of(&self, set: B) -> impl Iterator<Item = usize> + '_ {
        set.bits().map(|bit| self.squares[bit])
    }
}
