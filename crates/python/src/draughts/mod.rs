//! The draughts classes of the extension module.

mod actions;
mod arrays;
mod draws;
mod evaluation;
mod letters;
mod move_cache;
mod mover;
mod moves;
mod notation;
mod pdn;
mod position;
mod setup;
mod tablebase;
mod trainer;

pub use actions::ActionEncoding;
pub use arrays::ArrayCodec;
pub use draws::{DrawCounters, advance_draw_count, begin_draw_count, uncounted_rule};
pub use evaluation::Evaluation;
pub use mover::Mover;
pub use moves::{Move, line};
pub use notation::{format_move, format_square_lists, parse_square_lists};
pub use pdn::{PdnScan, PdnScanner};
pub use position::Position;
pub use tablebase::Tablebase;
pub use trainer::NetworkTrainer;
