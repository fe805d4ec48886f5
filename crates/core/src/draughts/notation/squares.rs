//! Square names: numbers, or a letter and a number.

use crate::pdn::SquareNames;

/// The squares of a board by index, name and number.
///
/// A square of an algebraic board also has a number, counted from the top left; texts can use either.
#[derive(Debug)]
pub struct Squares {
    names: Vec<String>,
    numbers: Vec<u16>,
    /// The position of each square in the order of the names: 9 before 10, a3 before b2.
    ranks: Vec<u16>,
    lookup: SquareNames,
}

impl Squares {
    /// Create the squares from the number and the name of each, in the order of their indices.
    pub fn new(squares: impl IntoIterator<Item = (u16, String)>) -> Self {
        let (numbers, names): (Vec<u16>, Vec<String>) = squares.into_iter().unzip();
        let lookup = SquareNames::new(numbers.iter().copied().map(i64::from).zip(names.iter().map(String::as_str)));
        // Names with the same number of digits sort as text; longer numbers follow.
        let key = |index: &u16| {
            let name = &names[usize::from(*index)];
            let (letter, number) = name.split_at(usize::from(name.starts_with(|each: char| each.is_ascii_lowercase())));
            (letter, number.len(), number)
        };
        let mut order: Vec<u16> = (0..names.len() as u16).collect();
        order.sort_by(|a, b| key(a).cmp(&key(b)));
        let mut ranks = vec![0; names.len()];
        for (rank, index) in order.into_iter().enumerate() {
            ranks[usize::from(index)] = rank as u16;
        }
        Squares { names, numbers, ranks, lookup }
    }

    /// Return the number of squares.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// Return the name of a square.
    pub fn name(&self, index: u16) -> &str {
        &self.names[usize::from(index)]
    }

    /// Return the number of a square.
    pub fn number(&self, index: u16) -> u16 {
        self.numbers[usize::from(index)]
    }

    /// Return the square with a number.
    pub fn find_number(&self, number: u16) -> Option<u16> {
        self.find(&number.to_string())
    }

    /// Return the square with a name in lower case, or with a number without leading zeros.
    pub fn find(&self, text: &str) -> Option<u16> {
        let digits = text.strip_prefix(|letter: char| letter.is_ascii_lowercase()).unwrap_or(text);
        let is_exact = digits.starts_with(|digit| ('1'..='9').contains(&digit));
        if is_exact { self.lookup.find(text.as_bytes()) } else { None }
    }

    /// Return the lookup that reads the moves of game files.
    pub fn lookup(&self) -> &SquareNames {
        &self.lookup
    }

    /// Sort squares in the order of their names.
    pub(super) fn sort(&self, squares: &mut [usize]) {
        squares.sort_unstable_by_key(|square| self.ranks[*square]);
    }

    /// Return the maximum number of digits of a square's number.
    pub(super) fn number_width(&self) -> usize {
        self.names.len().to_string().len()
    }

    /// Return whether a name begins with an x, so that an x is not only a separator.
    pub(super) fn has_x(&self) -> bool {
        self.names.iter().any(|name| name.starts_with('x'))
    }
}
