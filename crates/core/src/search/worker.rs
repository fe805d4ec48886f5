//! One thread of a search: alpha-beta with a narrow window around the best line.

use super::history::History;
use super::order::Frame;
use super::play::Play;
use super::table::{Bound, Entry, Table};
use super::think::Order;
use super::value::{INFINITE, Value, WIN, plies_to_end};
use super::watch::Watch;
use super::window::Window;
use crate::side::Side;

/// How far from the root a line may go; beyond it positions are evaluated as they are.
pub(super) const LONGEST: usize = 200;
/// How many positions are searched before the watch is looked at.
const PATIENCE: u64 = 1024;
/// The rank of the move that a table has, above every promise.
const FIRST: i32 = i32::MAX;
/// What a promise weighs beside experience, which stays below it.
const PROMISE: i32 = 1 << 16;

/// Where a position stands in the line that led to it.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    key: u64,
    /// The first index of the path whose position could come again here.
    since: usize,
}

/// What a thread needs to search.
pub(super) struct Worker<'a, P: Play> {
    pub(super) play: &'a P,
    table: &'a Table,
    watch: &'a Watch,
    /// Whether to look at every move to the full depth and at nothing beyond it.
    pub(super) plain: bool,
    history: History,
    pub(super) scratch: P::Scratch,
    pub(super) frames: Vec<Frame<P::Move>>,
    path: Vec<Mark>,
    /// Where in the path the position stands that is asked about.
    root: usize,
    salt: u64,
    pub(super) nodes: u64,
    /// What the watch has been told of.
    told: u64,
    /// When to look at the watch again.
    next_look: u64,
    /// Whether limits count already: the first iteration is always finished, unless somebody says to stop.
    pub(super) is_bound: bool,
}

/// A position that is being searched.
#[derive(Clone, Copy)]
struct Spot<'a, N> {
    node: &'a N,
    key: u64,
    ply: usize,
}

impl<'a, P: Play> Worker<'a, P> {
    pub(super) fn new(play: &'a P, order: &Order<'a>, past: &[(u64, bool)]) -> Self {
        let mut path: Vec<Mark> = Vec::new();
        for (key, is_final) in past {
            let since = if *is_final { path.len() } else { path.last().map_or(0, |mark| mark.since) };
            path.push(Mark { key: *key ^ order.salt, since });
        }
        Worker {
            play,
            table: order.table,
            watch: order.watch,
            plain: order.plain,
            history: History::new(),
            scratch: P::Scratch::default(),
            frames: (0..LONGEST + 2).map(|_| Frame::default()).collect(),
            root: path.len().saturating_sub(1),
            path,
            salt: order.salt,
            nodes: 0,
            told: 0,
            next_look: PATIENCE,
            is_bound: false,
        }
    }

    /// Counts a position; None where the search has to stop.
    #[inline(always)]
    pub(super) fn count(&mut self) -> Option<()> {
        self.nodes += 1;
        if self.nodes >= self.next_look { self.look_at_watch() } else { Some(()) }
    }

    #[cold]
    fn look_at_watch(&mut self) -> Option<()> {
        let goes_on = self.watch.goes_on(self.nodes - self.told);
        self.told = self.nodes;
        let left = self.watch.limit().nodes.map_or(u64::MAX, |most| most.saturating_sub(self.watch.nodes()));
        self.next_look = self.nodes + PATIENCE.min(left.max(1));
        (goes_on || !self.is_bound && !self.watch.is_stopped()).then_some(())
    }

    /// Tells the watch what it has not been told yet.
    pub(super) fn tell_watch(&mut self) {
        self.next_look = self.nodes;
        let _ = self.look_at_watch();
    }

    /// The value of the position after a move, as the side that moved sees it.
    pub(super) fn try_move(&mut self, node: &P::Node, played: &P::Move, window: Window, ply: usize) -> Option<Value> {
        let after = self.play.after(node, played, &mut self.scratch);
        let turned = self.play.side(&after) != self.play.side(node);
        let is_final = self.play.is_final(node, played);
        Some(self.enter(&after, is_final, window.seen(turned), ply + 1)?.seen(turned))
    }

    /// The value of a position that a move has just led to.
    fn enter(&mut self, node: &P::Node, is_final: bool, window: Window, ply: usize) -> Option<Value> {
        self.count()?;
        self.frames[ply].line.clear();
        if let Some(known) = self.play.known(node, &mut self.scratch) {
            return Some(known.later(ply));
        }
        let since = if is_final { self.path.len() } else { self.path.last().map_or(0, |mark| mark.since) };
        let is_deep = window.depth > 0 && ply < LONGEST;
        // No position can come again before four plies.
        let may_repeat = self.path.len() - since >= 4;
        if !is_deep && !may_repeat {
            return self.leaf(node, window, ply);
        }
        let key = self.play.key(node) ^ self.salt;
        if may_repeat && self.comes_again(key, since) {
            return Some(Value::guess(self.play.repeated(node)));
        }
        if !is_deep {
            return self.leaf(node, window, ply);
        }
        self.path.push(Mark { key, since });
        let value = self.search(Spot { node, key, ply }, window, true);
        self.path.pop();
        value
    }

    /// Whether the game ends because a position comes again: once is enough in the line that is looked at, for who can
    /// bring it about once can do so again; before that it must have stood there as often as the rule says.
    fn comes_again(&self, key: u64, since: usize) -> bool {
        let Some(times) = self.play.repetition() else { return false };
        let stood = |marks: &[Mark]| marks.iter().filter(|mark| mark.key == key).count();
        let root = self.root.max(since);
        self.path[root..].iter().any(|mark| mark.key == key)
            || since < self.root && stood(&self.path[since..self.root]) + 1 >= times
    }

    /// The value of a position, at least one ply deep.
    fn search(&mut self, spot: Spot<'_, P::Node>, mut window: Window, may_prune: bool) -> Option<Value> {
        let Spot { node, key, ply } = spot;
        // Whatever happens here, a win further up is sooner, and so is a loss.
        window.alpha = window.alpha.max(ply as i32 - WIN);
        window.beta = window.beta.min(WIN - ply as i32);
        if window.alpha >= window.beta {
            return Some(Value::proven(window.alpha));
        }
        let stored = self.table.get(key);
        if let Some(entry) = stored
            && !self.plain
            && let Some(value) = usable(entry, window, ply)
            && self.is_in_time(node, entry)
        {
            return Some(value);
        }
        if may_prune
            && !self.plain
            && window.depth >= 3
            && !window.is_open()
            && let Some(value) = self.exceeds_by_far(spot, window)?
        {
            return Some(value);
        }
        let mut frame = std::mem::take(&mut self.frames[ply]);
        frame.moves.clear();
        self.play.moves(node, &mut self.scratch, &mut frame.moves);
        let value = if frame.moves.is_empty() {
            Some(self.play.end(node, &mut self.scratch).later(ply))
        } else {
            let known_tag = stored.map_or(0, |entry| entry.tag);
            self.rank(node, &mut frame, known_tag);
            self.search_moves(spot, window, &mut frame)
        };
        self.frames[ply] = frame;
        value
    }

    /// Whether a stored win comes before a count draws the game: more may have been counted by now than when it was found.
    #[inline(always)]
    fn is_in_time(&self, node: &P::Node, entry: Entry) -> bool {
        plies_to_end(entry.value.score).is_none_or(|plies| plies <= self.play.plies_left(node))
    }

    /// A shallow search that exceeds the upper bound by far is believed.
    fn exceeds_by_far(&mut self, spot: Spot<'_, P::Node>, window: Window) -> Option<Option<Value>> {
        let beta = window.beta + P::DOUBT * window.depth;
        if beta.abs() >= WIN / 2 {
            return Some(None);
        }
        let shallow = Window { alpha: beta - 1, beta, depth: window.depth * 2 / 5 };
        let value = if shallow.depth > 0 {
            self.search(spot, shallow, false)?
        } else {
            self.leaf(spot.node, shallow, spot.ply)?
        };
        Some((value.score >= beta).then_some(value))
    }

    pub(super) fn rank(&self, node: &P::Node, frame: &mut Frame<P::Move>, known_tag: u16) {
        let side = self.play.side(node);
        frame.rank(|played| {
            let tag = self.play.tag(played);
            if tag == known_tag {
                FIRST
            } else {
                self.play.promise(node, played).min(FIRST / PROMISE - 1) * PROMISE + self.history.chance(side, tag)
            }
        });
    }

    fn search_moves(
        &mut self,
        spot: Spot<'_, P::Node>,
        mut window: Window,
        frame: &mut Frame<P::Move>,
    ) -> Option<Value> {
        let Spot { node, key, ply } = spot;
        let (side, alpha, is_open) = (self.play.side(node), window.alpha, window.is_open());
        let (mut best, mut best_tag, mut all_proven) = (Value::proven(-INFINITE), 0, true);
        if frame.moves.len() == 1 && !self.plain {
            window.depth += 1;
        }
        frame.line.clear();
        for index in 0..frame.moves.len() {
            let played = frame.pick(index);
            let value =
                self.search_move(node, &played, index, Window { alpha: window.alpha.max(alpha), ..window }, ply)?;
            all_proven &= value.proven;
            if value.score > best.score {
                best = value;
                if value.score > window.alpha {
                    (window.alpha, best_tag) = (value.score, self.play.tag(&played));
                    if is_open {
                        frame.line.clear();
                        frame.line.push(played);
                        frame.line.extend_from_slice(&self.frames[ply + 1].line);
                    }
                    if value.score >= window.beta {
                        self.learn(side, frame, index);
                        break;
                    }
                }
            }
        }
        let bound = match best.score {
            score if score >= window.beta => Bound::AtLeast,
            score if score > alpha => Bound::Exact,
            _ => Bound::AtMost,
        };
        if bound != Bound::AtLeast {
            best.proven = all_proven;
        }
        let depth = window.depth.min(255) as u8;
        self.table.put(key, Entry { value: best.sooner(ply), bound, depth, tag: best_tag });
        Some(best)
    }

    /// The value of a move: the later it comes, the less is looked at before it is put aside.
    #[inline(always)]
    fn search_move(
        &mut self,
        node: &P::Node,
        played: &P::Move,
        index: usize,
        window: Window,
        ply: usize,
    ) -> Option<Value> {
        let (is_open, depth) = (window.is_open(), window.depth - 1);
        if index == 0 {
            return self.try_move(node, played, Window { depth, ..window }, ply);
        }
        let less = match index {
            _ if self.plain || window.depth < 2 || self.play.is_loud(node, played) => 0,
            4.. if !is_open => 2,
            3.. => 1,
            _ if !is_open => 1,
            _ => 0,
        };
        let mut value = self.try_move(node, played, Window::above(window.alpha, depth - less), ply)?;
        if value.score > window.alpha && less > 0 {
            value = self.try_move(node, played, Window::above(window.alpha, depth), ply)?;
        }
        if value.score > window.alpha && value.score < window.beta && is_open {
            value = self.try_move(node, played, Window { depth, ..window }, ply)?;
        }
        Some(value)
    }

    /// Remembers that the move at an index was good enough, and that those before it were not.
    #[inline(always)]
    fn learn(&mut self, side: Side, frame: &Frame<P::Move>, index: usize) {
        self.history.praise(side, self.play.tag(&frame.moves[index]));
        for played in &frame.moves[..index] {
            self.history.blame(side, self.play.tag(played));
        }
    }
}

/// What the table says, where it is deep enough or proven and decides the window.
#[inline(always)]
fn usable(entry: Entry, window: Window, ply: usize) -> Option<Value> {
    let value = entry.value.later(ply);
    let is_enough = i32::from(entry.depth) >= window.depth && !window.is_open() || value.proven;
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::AtLeast => value.score >= window.beta,
        Bound::AtMost => value.score <= window.alpha,
    };
    (is_enough && decides).then_some(value)
}
