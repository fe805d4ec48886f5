//! Which moves have been good lately, wherever they were played.

use crate::side::Side;

const TAGS: usize = 4096;
/// How fast new experience replaces old: a 32nd of the way at a time.
const PACE: u32 = 5;
/// The chance of a move that nothing is known of, out of `CERTAIN`.
const UNKNOWN: u16 = 1 << 15;
const CERTAIN: u16 = u16::MAX;

/// For every move the chance that it cuts a search short, as experience has it.
pub(super) struct History(Box<[[u16; TAGS]; 2]>);

impl History {
    pub(super) fn new() -> Self {
        History(Box::new([[UNKNOWN; TAGS]; 2]))
    }

    /// The chance of a move, below 65,536.
    #[inline(always)]
    pub(super) fn chance(&self, side: Side, tag: u16) -> i32 {
        self.0[side.index()][usize::from(tag) % TAGS].into()
    }

    #[inline(always)]
    pub(super) fn praise(&mut self, side: Side, tag: u16) {
        let chance = &mut self.0[side.index()][usize::from(tag) % TAGS];
        *chance += (CERTAIN - *chance) >> PACE;
    }

    #[inline(always)]
    pub(super) fn blame(&mut self, side: Side, tag: u16) {
        let chance = &mut self.0[side.index()][usize::from(tag) % TAGS];
        *chance -= *chance >> PACE;
    }
}
