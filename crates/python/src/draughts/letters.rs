//! Boards as strings with one letter per square.

use tablemen_core::draughts::Setup;
use tablemen_core::side::Side;
use tablemen_core::text::NotationError;

/// The letters and their pieces: the side, and whether the piece is a king.
const LETTERS: [(char, Option<(Side, bool)>); 5] = [
    ('.', None),
    ('w', Some((Side::White, false))),
    ('b', Some((Side::Black, false))),
    ('W', Some((Side::White, true))),
    ('B', Some((Side::Black, true))),
];

/// Parse the letters of a board with the given number of squares.
pub fn parse(letters: &str, squares: usize, turn: Side) -> Result<Setup, NotationError> {
    let error = |problem: String, at: usize| NotationError { problem, at };
    let mut setup = Setup { turn, ..Setup::default() };
    let mut count = 0;
    for (square, letter) in letters.chars().enumerate() {
        let Some((_, piece)) = LETTERS.iter().find(|(each, _)| *each == letter) else {
            return Err(error(format!("expected w, b, W, B or a dot, got {letter:?}"), square));
        };
        if let Some((side, is_king)) = piece {
            let pieces = if *is_king { &mut setup.kings } else { &mut setup.men };
            pieces[side.index()].push(square);
        }
        count = square + 1;
    }
    if count != squares {
        return Err(error(format!("expected {squares} letters, one for each square, got {count}"), count.min(squares)));
    }
    Ok(setup)
}

/// Format a position on a board with the given number of squares.
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
