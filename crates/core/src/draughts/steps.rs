//! Moves as sequences of steps: a quiet move is one step, a capture has a step for each jump.
//!
//! Each legal move is the path that the list of legal moves has for it. A step is the pair of its squares. While several
//! moves begin with the same steps, the next step is a choice; the steps that follow from it alone are not.

/// The paths of the legal moves of a position: the first square and the square after each step.
#[derive(Clone, Debug, Default)]
pub(super) struct StepPaths {
    squares: Vec<u16>,
    ends: Vec<u32>,
}

impl StepPaths {
    /// Remove all paths.
    pub(super) fn clear(&mut self) {
        self.squares.clear();
        self.ends.clear();
    }

    /// Copy the paths of another list.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.squares.clone_from(&other.squares);
        self.ends.clone_from(&other.ends);
    }

    /// Append a path: its first square and the square after each step.
    pub(super) fn push(&mut self, from: u16, steps: impl IntoIterator<Item = u16>) {
        self.squares.push(from);
        self.squares.extend(steps);
        self.ends.push(self.squares.len() as u32);
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn path(&self, index: usize) -> &[u16] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.squares[start as usize..self.ends[index] as usize]
    }

    /// Return the squares before and after a step. After the last step both are the last square: the end of a move is a
    /// choice if another move continues there.
    fn step(&self, index: usize, step: usize) -> (u16, u16) {
        let path = self.path(index);
        let at = path[step.min(path.len() - 1)];
        (at, path.get(step + 1).copied().unwrap_or(at))
    }
}

/// A move in progress: the steps taken, and the moves that begin with them.
#[derive(Clone, Debug, Default)]
pub(super) struct StepCursor {
    /// The indices of the moves in the list of legal moves.
    candidates: Vec<u32>,
    /// The number of steps taken.
    depth: usize,
}

impl StepCursor {
    /// Begin at the start of the moves.
    pub(super) fn begin(&mut self, paths: &StepPaths) {
        self.candidates.clear();
        self.candidates.extend(0..paths.len() as u32);
        self.depth = 0;
    }

    /// Copy another move in progress.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.candidates.clone_from(&other.candidates);
        self.depth = other.depth;
    }

    /// Return the indices of the moves that begin with the steps taken.
    pub(super) fn candidates(&self) -> impl Iterator<Item = usize> {
        self.candidates.iter().map(|index| *index as usize)
    }

    /// Return the number of steps taken.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Return the index of one of the moves that begin with the steps taken.
    pub(super) fn first(&self) -> Option<usize> {
        self.candidates.first().map(|index| *index as usize)
    }

    /// Return the index of the move if only one begins with the steps taken.
    pub(super) fn only(&self) -> Option<usize> {
        self.first().filter(|_| self.depth > 0 && self.candidates.len() == 1)
    }

    /// Return the number of the next step of a move.
    pub(super) fn action(&self, paths: &StepPaths, index: usize, squares: usize) -> u32 {
        let (from, to) = paths.step(index, self.depth);
        u32::from(from) * squares as u32 + u32::from(to)
    }

    /// Take a step and those that follow from it alone. Return whether a move begins with it.
    pub(super) fn take(&mut self, paths: &StepPaths, squares: usize, action: u32) -> bool {
        let is_next = |cursor: &Self, index: u32| cursor.action(paths, index as usize, squares) == action;
        if !self.candidates.iter().any(|index| is_next(self, *index)) {
            return false;
        }
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.retain(|index| is_next(self, *index));
        self.candidates = candidates;
        self.depth += 1;
        while self.candidates.len() > 1 {
            let next = paths.step(self.candidates[0] as usize, self.depth);
            if next.0 == next.1 || self.candidates.iter().any(|index| paths.step(*index as usize, self.depth) != next) {
                break;
            }
            self.depth += 1;
        }
        true
    }
}
