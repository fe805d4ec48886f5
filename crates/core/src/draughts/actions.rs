//! Numbers of moves: three encodings of the legal moves as actions.
//!
//! Squares in actions are relative squares, from the point of view of the side to move, as in the observation planes;
//! see `geometry::relative_squares`.

use std::collections::HashMap;

use super::arrays::ArrayFormat;
use super::bitboard::Bitboard;
use super::board::{BoundPosition, SquareMove};
use super::capture_generator::Scratch;
use super::captures::CapturePaths;
use super::geometry::{places, relative_square_count};
use super::rules::Rules;
use super::specialisation::RuleSource;
use super::steps::{StepCursor, StepPaths};
use crate::actions::{ActionError, write_mask};
use crate::arrays::RowError;
use crate::side::Side;
use crate::work::SharedMonitor;

/// A numbering of the legal moves of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionEncoding {
    /// The index of the move in the list of legal moves.
    Slot {
        /// The maximum number of legal moves.
        size: usize,
    },
    /// The first square, the last square, and the number of earlier legal moves with both.
    FromTo {
        /// The maximum number of legal moves with the same first and last square.
        ties: usize,
    },
    /// The squares of one step: a quiet move, or one jump of a capture.
    Step,
}

/// The maximum of the sizes in an encoding: the numbers of moves on the largest board fit in 32 bits.
pub const MAX_ENCODING_SIZE: usize = 1024;

impl ActionEncoding {
    /// Return the encoding `Slot` with the default size: the power of two that is at least four times the number of
    /// squares. In random games, no variant had more than one and a half times as many moves as squares.
    pub fn slot(rules: &Rules) -> Self {
        let size = (4 * places(rules).len()).next_power_of_two().min(MAX_ENCODING_SIZE);
        ActionEncoding::Slot { size }
    }

    /// Return the encoding `FromTo` with the default size: twice the number of ties that was seen in random games.
    pub fn from_to() -> Self {
        ActionEncoding::FromTo { ties: 8 }
    }

    /// Return the number of actions under these rules.
    pub fn size(&self, rules: &Rules) -> usize {
        let squares = relative_square_count(rules);
        match *self {
            ActionEncoding::Slot { size } => size,
            ActionEncoding::FromTo { ties } => squares * squares * ties,
            ActionEncoding::Step => squares * squares,
        }
    }
}

/// The maximum length of a list in which earlier moves are searched one by one.
const MAX_SEARCHED: usize = 64;

/// Append the numbers of moves, given by their relative squares, in the encoding `FromTo`.
pub(super) fn number_from_to(
    moves: impl ExactSizeIterator<Item = (u16, u16)>,
    squares: usize,
    ties: usize,
    actions: &mut Vec<u32>,
) -> Result<(), ActionError> {
    let mut counts = HashMap::new();
    let (is_short, mut most) = (moves.len() <= MAX_SEARCHED, 1);
    for (from, to) in moves {
        let first = ((usize::from(from) * squares + usize::from(to)) * ties) as u32;
        // The number of earlier moves with these squares. Their numbers are contiguous.
        let earlier = if is_short {
            actions.iter().filter(|action| (first..first + ties as u32).contains(action)).count()
        } else {
            let count = counts.entry(first).or_insert(0);
            *count += 1;
            *count - 1
        };
        most = most.max(earlier + 1);
        actions.push(first + (earlier % ties) as u32);
    }
    if most > ties { Err(ActionError::TooManyMoves { moves: most, max: ties }) } else { Ok(()) }
}

/// The position as arrays: observation planes, rows of arrays and numbers of moves.
///
/// Methods with a monitor return None if it cancelled the work. Without a monitor they return None if the work is
/// longer than `work::POLL_INTERVAL`.
pub trait Arrays {
    /// Return the number of bytes in one plane.
    fn plane_size(&self) -> usize;
    /// Write the observation planes; see `planes`. The length is a multiple of `plane_size`, `PLANES` times or more.
    fn write_planes(&self, planes: &mut [u8]);
    /// Write the position as a row, which has the shape of the format. The error is a position that does not fit in it.
    fn write_row(&self, format: &ArrayFormat, row: &mut [u8]) -> Result<(), RowError>;
    /// Set the entries of a mask at the numbers of the legal moves to 1, and all others to 0. The mask has as many
    /// entries as the encoding has actions.
    fn write_mask(
        &self,
        encoding: ActionEncoding,
        mask: &mut [u8],
        monitor: Option<&SharedMonitor>,
    ) -> Option<Result<(), ActionError>>;
    /// Return the actions of a legal move: one, or in the encoding `Step` one for each choice.
    fn encode(
        &self,
        encoding: ActionEncoding,
        played: &SquareMove,
        monitor: Option<&SharedMonitor>,
    ) -> Option<Result<Vec<u32>, ActionError>>;
    /// Return the legal move with these actions.
    fn decode(
        &self,
        encoding: ActionEncoding,
        actions: &[u32],
        monitor: Option<&SharedMonitor>,
    ) -> Option<Result<SquareMove, ActionError>>;
}

impl<B: Bitboard, R: RuleSource> BoundPosition<B, R> {
    fn square_count(&self) -> usize {
        relative_square_count(&self.generator.rules)
    }

    /// Return the number of each legal move. In the encoding `Step` it is that of the first step.
    fn number(&self, encoding: ActionEncoding, legal: &[SquareMove]) -> Result<Vec<u32>, ActionError> {
        let squares = self.square_count();
        let relative = |square: u16| self.relative(square);
        match encoding {
            ActionEncoding::Slot { size } if legal.len() > size => {
                Err(ActionError::TooManyMoves { moves: legal.len(), max: size })
            }
            ActionEncoding::Slot { .. } => Ok((0..legal.len() as u32).collect()),
            ActionEncoding::FromTo { ties } => {
                let mut actions = Vec::with_capacity(legal.len());
                let pairs = legal.iter().map(|played| (relative(played.from), relative(played.to)));
                number_from_to(pairs, squares, ties, &mut actions)?;
                Ok(actions)
            }
            ActionEncoding::Step => {
                let (paths, mut cursor) = (self.step_paths(legal), StepCursor::default());
                cursor.begin(&paths);
                Ok((0..legal.len()).map(|index| cursor.action(&paths, index, squares)).collect())
            }
        }
    }

    fn relative(&self, square: u16) -> u16 {
        let bit = self.generator.geometry.bits[usize::from(square)];
        self.generator.relative_bits[self.position.turn.index()][bit]
    }

    fn step_paths(&self, legal: &[SquareMove]) -> StepPaths {
        let mut paths = StepPaths::default();
        for played in legal {
            let last = played.jumps.is_empty().then_some(played.to);
            let landings = played.jumps.iter().map(|jump| jump.landing).chain(last);
            paths.push(self.relative(played.from), landings.map(|square| self.relative(square)));
        }
        paths
    }
}

impl<B: Bitboard, R: RuleSource> Arrays for BoundPosition<B, R> {
    fn plane_size(&self) -> usize {
        self.generator.planes.size()
    }

    fn write_planes(&self, planes: &mut [u8]) {
        self.generator.planes.write(&self.position, planes);
    }

    fn write_row(&self, format: &ArrayFormat, row: &mut [u8]) -> Result<(), RowError> {
        self.generator.write_row(&self.position, format, row)
    }

    fn write_mask(
        &self,
        encoding: ActionEncoding,
        mask: &mut [u8],
        monitor: Option<&SharedMonitor>,
    ) -> Option<Result<(), ActionError>> {
        let legal = self.list_moves(CapturePaths::Distinct, &mut Scratch::new(monitor))?;
        Some(self.number(encoding, &legal).map(|actions| write_mask(actions, mask)))
    }

    fn encode(
        &self,
        encoding: ActionEncoding,
        played: &SquareMove,
        monitor: Option<&SharedMonitor>,
    ) -> Option<Result<Vec<u32>, ActionError>> {
        let legal = self.list_moves(CapturePaths::Distinct, &mut Scratch::new(monitor))?;
        let wanted = self.to_bits(played);
        let Some(index) = legal.iter().position(|other| self.to_bits(other) == wanted) else {
            return Some(Err(ActionError::IllegalMove));
        };
        if encoding != ActionEncoding::Step {
            return Some(self.number(encoding, &legal).map(|actions| vec![actions[index]]));
        }
        let (paths, squares) = (self.step_paths(&legal), self.square_count());
        let (mut cursor, mut actions) = (StepCursor::default(), Vec::new());
        cursor.begin(&paths);
        while cursor.only().is_none() {
            let action = cursor.action(&paths, index, squares);
            cursor.take(&paths, squares, action);
            actions.push(action);
        }
        Some(Ok(actions))
    }

    fn decode(
        &self,
        encoding: ActionEncoding,
        actions: &[u32],
        monitor: Option<&SharedMonitor>,
    ) -> Option<Result<SquareMove, ActionError>> {
        let mut legal = self.list_moves(CapturePaths::Distinct, &mut Scratch::new(monitor))?;
        let found = match encoding {
            ActionEncoding::Step => self.find_by_steps(&legal, actions),
            _ => self.find_by_number(encoding, &legal, actions),
        };
        Some(found.map(|index| legal.swap_remove(index)))
    }
}

impl<B: Bitboard, R: RuleSource> BoundPosition<B, R> {
    fn find_by_number(
        &self,
        encoding: ActionEncoding,
        legal: &[SquareMove],
        actions: &[u32],
    ) -> Result<usize, ActionError> {
        let numbers = self.number(encoding, legal)?;
        match actions {
            [] => Err(ActionError::IncompleteMove),
            [action] => numbers.iter().position(|it| it == action).ok_or(ActionError::IllegalAction(*action)),
            _ => Err(ActionError::TooManyActions),
        }
    }

    fn find_by_steps(&self, legal: &[SquareMove], actions: &[u32]) -> Result<usize, ActionError> {
        let (paths, squares) = (self.step_paths(legal), self.square_count());
        let mut cursor = StepCursor::default();
        cursor.begin(&paths);
        for action in actions {
            if cursor.only().is_some() {
                return Err(ActionError::TooManyActions);
            }
            if !cursor.take(&paths, squares, *action) {
                return Err(ActionError::IllegalAction(*action));
            }
        }
        cursor.only().ok_or(ActionError::IncompleteMove)
    }
}

/// Return the relative square of each bit, for White and for Black.
pub(super) fn relative_bits(bits: &[usize], size: usize, relative_squares: &[Vec<usize>; 2]) -> [Vec<u16>; 2] {
    Side::both(|side| {
        let mut relative = vec![0; size];
        for (bit, square) in bits.iter().zip(&relative_squares[side.index()]) {
            relative[*bit] = *square as u16;
        }
        relative
    })
}
