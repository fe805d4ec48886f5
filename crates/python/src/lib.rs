//! `tablemen._core`: the core for Python. Conversions, and nothing else.

mod letters;
mod mancala;
mod mover;
mod moves;
mod patience;
mod pdn;
mod position;
mod python;
mod whole;

use pyo3::prelude::*;

/// The compiled core: positions, moves and counting.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::mancala::{MancalaMove, MancalaMover, MancalaPosition};
    #[pymodule_export]
    use super::mover::Mover;
    #[pymodule_export]
    use super::moves::Move;
    #[pymodule_export]
    use super::pdn::{PdnScan, PdnScanner};
    #[pymodule_export]
    use super::position::Position;
}
