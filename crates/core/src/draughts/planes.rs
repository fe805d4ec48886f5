//! Observation planes: a position as arrays of bytes, from the point of view of the side to move.
//!
//! A plane has one byte for each cell of the board, row by row, playable or not. Row 0 is the far row of the side to
//! move: for Black the board is turned by half a turn.

use super::bitboard::Bitboard;
use super::geometry::Geometry;
use super::position::Position;
use super::rules::Rules;
use crate::side::Side;

/// The number of planes of a position: own men, own kings, the opponent's men and the opponent's kings.
pub const PLANES: usize = 4;
/// The number of further planes for a capture in progress: the capturing piece, and the pieces that it has jumped over
/// and that are still on the board.
pub const CAPTURE_PLANES: usize = 2;

/// The cell of each bit of a bitboard.
#[derive(Clone, Debug)]
pub struct PlaneMap {
    /// By side to move and bit: the index of the cell in a plane.
    cells: [Vec<u16>; 2],
    /// The number of cells in a plane.
    size: usize,
}

impl PlaneMap {
    /// Compute the cells of the board of these rules.
    pub fn new<B>(rules: &Rules, geometry: &Geometry<B>) -> Self {
        let size = rules.columns * rules.rows;
        let mut cells = [vec![0; geometry.squares.len()], vec![0; geometry.squares.len()]];
        for ((row, column), bit) in super::geometry::places(rules).into_iter().zip(&geometry.bits) {
            let cell = row * rules.columns + column;
            cells[0][*bit] = cell as u16;
            cells[1][*bit] = (size - 1 - cell) as u16;
        }
        PlaneMap { cells, size }
    }

    /// Return the number of cells in a plane.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Return the cell of a bit for a side to move.
    #[inline(always)]
    pub fn cell(&self, viewer: Side, bit: usize) -> usize {
        self.cells[viewer.index()][bit].into()
    }

    /// Write the planes of a position. `planes` must have `PLANES` planes, or more, which become zero.
    #[inline(always)]
    pub fn write<B: Bitboard>(&self, position: &Position<B>, planes: &mut [u8]) {
        planes.fill(0);
        let (own, other) = (position.turn, position.turn.opponent());
        let sets = [
            position.men(own),
            position.of(own) & position.kings,
            position.men(other),
            position.of(other) & position.kings,
        ];
        for (set, plane) in sets.into_iter().zip(planes.chunks_exact_mut(self.size)) {
            self.mark(set, own, plane);
        }
    }

    /// Set the cells of a set of squares in a plane to 1.
    #[inline(always)]
    pub fn mark<B: Bitboard>(&self, set: B, viewer: Side, plane: &mut [u8]) {
        let cells = &self.cells[viewer.index()];
        for bit in set.bits() {
            plane[usize::from(cells[bit])] = 1;
        }
    }
}
