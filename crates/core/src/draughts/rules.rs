//! The rules of a variant, as the mover reads them. The fields mean what the Python dataclass says they mean.

use super::directions::Directions;
use super::draw_counters::DrawRule;

/// Where a flying king may stop behind a piece that it captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KingLanding {
    /// On any free square behind it.
    Any,
    /// Directly behind every captured piece.
    BehindEach,
    /// Directly behind the last captured piece.
    BehindLast,
    /// Directly behind the last captured piece where that is a king.
    BehindLastKing,
}

/// What happens to a man that reaches the far row in a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotion {
    /// It is crowned only if the capture ends there.
    AtEnd,
    /// The capture ends there.
    Stops,
    /// It goes on as a king.
    InFlight,
}

/// What makes one capture take precedence over another; more is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// The number of captured pieces.
    MostPieces,
    /// The number of kings among them.
    MostKings,
    /// The weight of the captured pieces.
    MostValue {
        /// What a man weighs.
        man: u32,
        /// What a king weighs.
        king: u32,
    },
    /// Whether the capturing piece is a king.
    WithKing,
    /// How early kings are captured; it comes last.
    KingsFirst,
}

/// The rules of a variant.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Columns of the board.
    pub columns: usize,
    /// Rows of the board.
    pub rows: usize,
    /// Whether squares of both colours are used.
    pub all_squares: bool,
    /// Whether White's left corner is used, where one colour is.
    pub corner_playable: bool,
    /// Where men move.
    pub man_moves: Directions,
    /// Where men capture.
    pub man_captures: Directions,
    /// Whether men may capture kings.
    pub men_capture_kings: bool,
    /// When men are crowned.
    pub promotion: Promotion,
    /// Whether kings move and capture over any distance.
    pub flying_kings: bool,
    /// Where kings move.
    pub king_moves: Directions,
    /// Where kings capture.
    pub king_captures: Directions,
    /// Where flying kings land.
    pub king_landing: KingLanding,
    /// Quiet moves in a row allowed to a king of a side with men; 0 is no limit.
    pub king_move_limit: u8,
    /// Whether a side that can capture must.
    pub capture_compulsory: bool,
    /// Which captures come first; the earlier criterion decides.
    pub precedence: Vec<Criterion>,
    /// Whether captured pieces leave the board jump by jump.
    pub removal_at_once: bool,
    /// Whether a flying king may turn straight back between jumps.
    pub reverse_captures: bool,
    /// Whether a side without a move wins.
    pub losing: bool,
    /// Whether a man that ends its move on the far row wins.
    pub breakthrough: bool,
    /// Whether a side left with a single piece has lost.
    pub lone_piece_loses: bool,
    /// Whether a single man against a king has lost.
    pub lone_man_loses_to_king: bool,
    /// Which games are drawn.
    pub draws: Vec<DrawRule>,
}
