//! The rules of a variant. The fields correspond to those of the Python dataclass, which documents them in full.

use super::directions::Directions;
use super::draw_counters::DrawRule;

/// The squares on which a flying king can land after a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KingLanding {
    /// Any empty square behind the captured piece.
    Any,
    /// The square directly behind each captured piece.
    BehindEach,
    /// The square directly behind the last captured piece; any after earlier jumps.
    BehindLast,
    /// The square directly behind the last captured piece if that is a king; any after other jumps.
    BehindLastKing,
}

/// The promotion of a man that reaches the far row during a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotion {
    /// The man is crowned only if the capture ends on that row.
    AtEnd,
    /// The capture ends on that row, and the man is crowned.
    Stops,
    /// The man is crowned and continues the capture as a king.
    InFlight,
}

/// A criterion of capture precedence: the capture with the higher value is compulsory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// The number of captured pieces.
    MostPieces,
    /// The number of captured kings.
    MostKings,
    /// The total value of the captured pieces.
    MostValue {
        /// The value of a man.
        man: u32,
        /// The value of a king.
        king: u32,
    },
    /// Whether the capturing piece is a king.
    WithKing,
    /// The order of captured kings: at the first difference, the capture that takes a king ranks higher. It must be the
    /// last criterion.
    KingsFirst,
}

/// The rules of a variant.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The number of columns of the board.
    pub columns: usize,
    /// The number of rows of the board.
    pub rows: usize,
    /// Whether squares of both colours are used.
    pub all_squares: bool,
    /// Whether White's left corner is a square of the board, if squares of one colour are used.
    pub corner_playable: bool,
    /// The directions in which men move.
    pub man_moves: Directions,
    /// The directions in which men capture.
    pub man_captures: Directions,
    /// Whether men can capture kings.
    pub men_capture_kings: bool,
    /// The promotion of men that reach the far row during a capture.
    pub promotion: Promotion,
    /// Whether kings move and capture over any distance.
    pub flying_kings: bool,
    /// The directions in which kings move.
    pub king_moves: Directions,
    /// The directions in which kings capture.
    pub king_captures: Directions,
    /// The landing squares of flying kings.
    pub king_landing: KingLanding,
    /// The maximum number of consecutive quiet moves of one king while its side has men; 0 means no limit.
    pub king_move_limit: u8,
    /// Whether captures are compulsory.
    pub capture_compulsory: bool,
    /// The criteria of capture precedence; an earlier criterion outweighs all later ones.
    pub precedence: Vec<Criterion>,
    /// Whether captured pieces are removed after each jump, not after the whole capture.
    pub removal_at_once: bool,
    /// Whether a flying king can reverse its direction between jumps.
    pub reverse_captures: bool,
    /// Whether the side that cannot move wins.
    pub losing: bool,
    /// Whether a man that ends its move on the far row wins.
    pub breakthrough: bool,
    /// Whether a side with a single piece loses.
    pub lone_piece_loses: bool,
    /// Whether a single man loses against a king.
    pub lone_man_loses_to_king: bool,
    /// The draw rules.
    pub draws: Vec<DrawRule>,
}
