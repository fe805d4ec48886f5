//! Positions as rows of arrays, in three formats that contain the whole position.

use super::bitboard::Bitboard;
use super::evaluation::packed_size;
use super::generator::MoveGenerator;
use super::geometry::places;
use super::planes::PLANES;
use super::position::{KingRun, Position};
use super::rules::Rules;
use super::specialisation::RuleSource;
use crate::arrays::RowError;
use crate::side::Side;

/// The number of planes for the quiet moves of kings, if the rules limit them.
const RUN_PLANES: usize = 2;
/// The number of bytes that a run has in a packed position: the square as a little-endian number, and the moves.
const RUN_BYTES: usize = 3;
/// The signed byte of a king is this number, or this number plus the moves of its run.
const KING: u8 = 2;
/// The maximum number of moves of a run in a signed byte.
const MAX_PIECE_RUN: u8 = i8::MAX as u8 - KING;

/// A format of positions as rows of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArrayFormat {
    /// Observation planes, see `planes`. If the rules limit the quiet moves of kings, two planes follow, for the side to
    /// move and for the opponent: the number of moves on the cell of the king that has made them. The row does not have
    /// the side to move.
    Planes,
    /// A packed position, see `evaluation::feature_rows`. If the rules limit the quiet moves of kings, three bytes for
    /// White and three for Black follow: the square of the king as a little-endian number, and the number of moves.
    Packed,
    /// Signed bytes: the side to move (0 White, 1 Black), then each square: 1 for a man and 2 for a king of White, 2
    /// plus the number of moves for a king that has made quiet moves, the negative numbers for Black.
    Pieces {
        /// By square: the index of its byte in the row, from 1.
        elements: Vec<u16>,
    },
}

impl ArrayFormat {
    /// Return the shape of a row under these rules; the row has as many bytes.
    pub fn shape(&self, rules: &Rules) -> Vec<usize> {
        let (squares, limits_runs) = (places(rules).len(), usize::from(rules.king_move_limit > 0));
        match self {
            ArrayFormat::Planes => vec![PLANES + limits_runs * RUN_PLANES, rules.rows, rules.columns],
            ArrayFormat::Packed => vec![packed_size(squares) + limits_runs * 2 * RUN_BYTES],
            ArrayFormat::Pieces { .. } => vec![1 + squares],
        }
    }

    /// Return whether a row has the side to move.
    pub fn has_turn(&self) -> bool {
        *self != ArrayFormat::Planes
    }
}

/// A square with an element of the row that describes it.
#[derive(Clone, Copy)]
struct Place {
    square: usize,
    element: usize,
}

impl Place {
    fn error(self, problem: String) -> RowError {
        RowError { element: Some(self.element), square: Some(self.square as u16), problem }
    }
}

impl<B: Bitboard, R: RuleSource> MoveGenerator<B, R> {
    /// Write a position as a row. The error is a run that is too long for the format.
    pub(super) fn write_row(
        &self,
        position: &Position<B>,
        format: &ArrayFormat,
        row: &mut [u8],
    ) -> Result<(), RowError> {
        match format {
            ArrayFormat::Planes => {
                self.planes.write(position, row);
                let turn = position.turn;
                for (plane, side) in (PLANES..).zip([turn, turn.opponent()]) {
                    let run = position.runs[side.index()];
                    if run.moves > 0 {
                        row[plane * self.planes.size() + self.planes.cell(turn, run.bit.into())] = run.moves;
                    }
                }
            }
            ArrayFormat::Packed => {
                let (packed, runs) = row.split_at_mut(packed_size(self.geometry.bits.len()));
                self.pack(position, packed);
                for (bytes, run) in runs.chunks_exact_mut(RUN_BYTES).zip(position.runs) {
                    let square = if run.moves > 0 { self.geometry.squares[usize::from(run.bit)] as u16 } else { 0 };
                    bytes[..2].copy_from_slice(&square.to_le_bytes());
                    bytes[2] = run.moves;
                }
            }
            ArrayFormat::Pieces { elements } => {
                row.fill(0);
                row[0] = position.turn.index() as u8;
                for side in [Side::White, Side::Black] {
                    for bit in position.of(side).bits() {
                        let square = self.geometry.squares[bit];
                        let place = Place { square, element: elements[square].into() };
                        let run = position.runs[side.index()];
                        let moves = if run.moves > 0 && usize::from(run.bit) == bit { run.moves } else { 0 };
                        if moves > MAX_PIECE_RUN {
                            let problem = format!(
                                "expected {MAX_PIECE_RUN} quiet moves of a king or fewer, got {moves}: use another format"
                            );
                            return Err(place.error(problem));
                        }
                        let piece = if position.kings.has(bit) { KING + moves } else { 1 };
                        row[place.element] = if side == Side::White { piece } else { piece.wrapping_neg() };
                    }
                }
            }
        }
        Ok(())
    }

    /// Return the position of a row; `turn` is the side to move if the format does not have it.
    pub(super) fn read_row(&self, format: &ArrayFormat, row: &[u8], turn: Side) -> Result<Position<B>, RowError> {
        let mut position = match format {
            ArrayFormat::Planes => self.read_planes(row, turn),
            ArrayFormat::Packed => self.read_packed(row),
            ArrayFormat::Pieces { elements } => self.read_pieces(row, elements),
        }?;
        position.drop_idle_runs();
        Ok(position)
    }

    fn read_planes(&self, planes: &[u8], turn: Side) -> Result<Position<B>, RowError> {
        let (mut position, size) = (Position::<B>::empty(turn), self.planes.size());
        let mut known = 0; // elements that are not 0
        for (square, bit) in self.geometry.bits.iter().copied().enumerate() {
            for plane in 0..PLANES {
                let place = Place { square, element: plane * size + self.planes.cell(turn, bit) };
                match planes[place.element] {
                    0 => continue,
                    1 if position.occupied().has(bit) => {
                        return Err(place.error("expected one piece on a square, got two".to_owned()));
                    }
                    1 => known += 1,
                    other => return Err(place.error(format!("expected 0 or 1, got {other}"))),
                }
                let side = if plane < PLANES / 2 { turn } else { turn.opponent() };
                position.pieces[side.index()] |= B::bit(bit);
                if plane % 2 == 1 {
                    position.kings |= B::bit(bit);
                }
            }
        }
        for (plane, side) in (PLANES..planes.len() / size).zip([turn, turn.opponent()]) {
            for (square, bit) in self.geometry.bits.iter().copied().enumerate() {
                let place = Place { square, element: plane * size + self.planes.cell(turn, bit) };
                if planes[place.element] > 0 {
                    self.set_run(&mut position, side, place, planes[place.element])?;
                    known += 1;
                }
            }
        }
        if planes.iter().filter(|value| **value != 0).count() == known {
            return Ok(position);
        }
        let is_square = |cell| self.geometry.bits.iter().any(|bit| self.planes.cell(turn, *bit) == cell);
        let is_wrong = |element: &usize| planes[*element] != 0 && !is_square(element % size);
        let wrong = (0..planes.len()).find(is_wrong).expect("an element that is not 0 belongs to no square");
        let problem = format!("expected 0, because no piece can stand on this cell, got {}", planes[wrong]);
        Err(RowError::at(wrong, problem))
    }

    fn read_packed(&self, row: &[u8]) -> Result<Position<B>, RowError> {
        let size = packed_size(self.geometry.bits.len());
        let mut position = self.unpack(&row[..size])?;
        for (side, bytes) in [Side::White, Side::Black].into_iter().zip(row[size..].chunks_exact(RUN_BYTES)) {
            let (square, moves) = (usize::from(u16::from_le_bytes([bytes[0], bytes[1]])), bytes[2]);
            let element = size + RUN_BYTES * side.index();
            let squares = if moves > 0 { self.geometry.bits.len() } else { 1 };
            if square >= squares {
                let problem = format!("expected the index of a square, below {squares}, got {square}");
                return Err(RowError::at(element, problem));
            }
            if moves > 0 {
                self.set_run(&mut position, side, Place { square, element: element + RUN_BYTES - 1 }, moves)?;
            }
        }
        Ok(position)
    }

    fn read_pieces(&self, row: &[u8], elements: &[u16]) -> Result<Position<B>, RowError> {
        if row[0] > 1 {
            return Err(RowError::at(0, format!("expected 0 or 1 for the side to move, got {}", row[0] as i8)));
        }
        let max = KING + self.rules.king_move_limit.min(MAX_PIECE_RUN);
        let mut position = Position::empty(Side::new(row[0] == 1));
        for (square, (bit, element)) in self.geometry.bits.iter().zip(elements).enumerate() {
            let (place, set) = (Place { square, element: usize::from(*element) }, B::bit(*bit));
            let value = row[place.element] as i8;
            let side = if value > 0 { Side::White } else { Side::Black };
            let piece = value.unsigned_abs();
            if piece > max {
                return Err(place.error(format!("expected -{max} to {max}, got {value}")));
            }
            if piece > 0 {
                position.pieces[side.index()] |= set;
            }
            if piece >= KING {
                position.kings |= set;
            }
            if piece > KING {
                self.set_run(&mut position, side, place, piece - KING)?;
            }
        }
        Ok(position)
    }

    /// Record the quiet moves of the king on a square.
    fn set_run(&self, position: &mut Position<B>, side: Side, place: Place, moves: u8) -> Result<(), RowError> {
        let (bit, limit) = (self.geometry.bits[place.square], self.rules.king_move_limit);
        let problem = if moves > limit {
            format!("expected {limit} quiet moves of a king or fewer, got {moves}")
        } else if !(position.of(side) & position.kings).has(bit) {
            format!("expected a king of the side that has made {moves} quiet moves, got none")
        } else if position.runs[side.index()].moves > 0 {
            "expected one king of a side with quiet moves, got two".to_owned()
        } else {
            position.runs[side.index()] = KingRun { bit: bit as u16, moves };
            return Ok(());
        };
        Err(place.error(problem))
    }
}
