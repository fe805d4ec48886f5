//! The search: one alpha-beta search for every family of games.
//!
//! A family implements the trait `SearchGame`; nothing else here depends on the rules. The techniques by module:
//!
//! - `iterative`: iterative deepening, MultiPV, and Lazy SMP (helper threads that share the transposition table);
//! - `root`: the root moves, searched with an aspiration window;
//! - `alphabeta`: negamax alpha-beta in the form of a principal variation search (null windows), with transposition
//!   table cutoffs, mate distance pruning, ProbCut, late move reductions, a single-reply extension and repetition
//!   detection;
//! - `quiescence`: the quiescence search at the leaves, with stand-pat if captures are optional;
//! - `move_ordering`, `history`: the table move first, then a static score, then the history heuristic;
//! - `transposition`: the lockless transposition table and its replacement scheme;
//! - `time_manager`, `limit`: time management, node and depth limits, pondering;
//! - `function`: evaluations by functions outside the core, which the search calls with batches of leaves if it can;
//! - `value`, `window`: scores with a proof flag, and alpha-beta windows.
//!
//! In full-width mode the search is a fixed-depth alpha-beta, which returns the value of minimax: no table cutoffs,
//! ProbCut, reductions, extensions or quiescence search.

mod alphabeta;
mod function;
mod game;
mod history;
mod iterative;
mod limit;
mod move_ordering;
mod quiescence;
mod root;
mod time_manager;
mod transposition;
mod value;
mod window;

pub use function::{FunctionEvaluation, MAX_FUNCTION_VALUE, ValueCache};
pub(crate) use game::{Leaf, SearchGame};
pub(crate) use iterative::{RootPosition, search};
pub use iterative::{SearchConfig, SearchInfo};
pub use limit::{Clock, Limit};
pub use time_manager::TimeManager;
pub use transposition::TranspositionTable;
pub use value::{SCORE_SCALE, Value, is_decided, plies_to_end};
pub(crate) use value::{TABLEBASE_WIN, WIN};
