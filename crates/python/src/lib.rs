//! `tablemen._core`: the core for Python. Conversions, and nothing else.

mod draughts;
mod mancala;
mod patience;
mod python;
mod search;
mod whole;

use pyo3::prelude::*;

/// The compiled core: positions, moves, game files, search and solving.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::draughts::{
        DrawCounters, Evaluation, Move, Mover, PdnScan, PdnScanner, Position, advance_draw_count, begin_draw_count,
    };
    #[pymodule_export]
    use super::mancala::{MancalaMove, MancalaMover, MancalaPosition, MancalaTables, solve_mancala};
    #[pymodule_export]
    use super::search::{Thinker, Thought};
}
