//! Choosing moves: one search for every family of games.
//!
//! `play` says what a family must tell of its game; everything else here knows neither squares nor seeds.

mod history;
mod limit;
mod order;
mod play;
mod root;
mod settle;
mod table;
mod think;
mod value;
mod watch;
mod window;
mod worker;

pub use limit::{Clock, Limit};
pub(crate) use play::{Leaf, Play};
pub use table::Table;
pub use think::{Order, Report};
pub(crate) use think::{Question, think};
pub(crate) use value::WIN;
pub use value::{HUNDREDTHS, Value, plies_to_end};
pub use watch::Watch;
