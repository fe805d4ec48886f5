//! `tablemen._core`: the Python bindings of the core, which only convert values.

mod actions;
mod arrays;
mod draughts;
mod envs;
mod family;
mod int_arg;
mod interrupt;
mod mancala;
mod python;
mod search;
mod text;

use pyo3::prelude::*;

/// The compiled core: positions, moves, game files, search and solver.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::draughts::{
        ActionEncoding, ArrayCodec, DrawCounters, Evaluation, Move, Mover, NetworkTrainer, PdnScan, PdnScanner,
        Position, Tablebase, advance_draw_count, begin_draw_count, format_move, format_square_lists,
        parse_square_lists,
    };
    #[pymodule_export]
    use super::envs::{GameBatch, GameStates, SharedArray};
    #[pymodule_export]
    use super::family::register_family;
    #[pymodule_export]
    use super::interrupt::set_work_limit;
    #[pymodule_export]
    use super::mancala::{
        MancalaActionEncoding, MancalaArrayCodec, MancalaMove, MancalaMover, MancalaPosition, MancalaTables,
        solve_all_mancala, solve_mancala,
    };
    #[pymodule_export]
    use super::search::{SearchEngine, SearchHandle, evaluate_by_function};
}
