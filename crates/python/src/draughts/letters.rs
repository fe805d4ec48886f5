//! A board as a string of letters, one a square.

use pyo3::prelude::*;
use tablemen_core::draughts::Setup;
use tablemen_core::side::Side;

use crate::python;

/// What stands on a square, by its letter.
const LETTERS: [(char, Option<(Side, bool)>); 5] = [
    ('.', None),
    ('w', Some((Side::White, false))),
    ('b', Some((Side::Black, false))),
    ('W', Some((Side::White, true))),
    ('B', Some((Side::Black, true))),
];

/// What is wrong with a string of letters, and before which letter it shows.
pub struct Mistake {
    problem: String,
    place: usize,
}

impl Mistake {
    /// The `NotationError` that says so.
    pub fn raise(&self, letters: &str, py: Python<'_>) -> PyErr {
        python::call(py, "tablemen.errors", "_notation_error", (&self.problem, letters, 1, self.place + 1))
            .map_or_else(|failure| failure, PyErr::from_value)
    }
}

/// The position of a board with so many squares that the letters describe.
pub fn parse(letters: &str, squares: usize, turn: Side) -> Result<Setup, Mistake> {
    let mut setup = Setup { turn, ..Setup::default() };
    let mut count = 0;
    for (square, letter) in letters.chars().enumerate() {
        let Some((_, piece)) = LETTERS.iter().find(|(each, _)| *each == letter) else {
            return Err(Mistake { problem: format!("{letter:?} is none of the letters w b W B ."), place: square });
        };
        if let Some((side, is_king)) = piece {
            let pieces = if *is_king { &mut setup.kings } else { &mut setup.men };
            pieces[side.index()].push(square);
        }
        count = square + 1;
    }
    if count != squares {
        let problem = format!("{count} letters for a board of {squares} squares");
        return Err(Mistake { problem, place: count.min(squares) });
    }
    Ok(setup)
}

/// The letters of a position on a board with so many squares.
pub fn format(setup: &Setup, squares: usize) -> String {
    let mut letters = vec!['.'; squares];
    for (letter, piece) in LETTERS {
        let Some((side, is_king)) = piece else { continue };
        for square in &(if is_king { &setup.kings } else { &setup.men })[side.index()] {
            letters[*square] = letter;
        }
    }
    letters.into_iter().collect()
}
