//! A straightforward implementation of Kalah, with arrays and loops: the baseline for the core.
//!
//! Six houses and four seeds by default. A last seed in an empty own house captures the seeds opposite, if any. The
//! game ends when either side has no seeds; each side keeps the seeds in its houses.
//!
//! `kalah games N` plays random games and prints their total plies, `kalah perft DEPTH` counts leaves, and `kalah solve
//! HOUSES SEEDS` prints the margin of the first player under perfect play.

use std::collections::HashMap;

/// Pits per side, for boards of up to seven houses.
const MAX_PITS: usize = 8;

/// The houses of a side in sowing order, then its store.
type Row = [u8; MAX_PITS];

#[derive(Clone, Copy)]
struct Position {
    /// The row of the side to move, then that of the opponent.
    rows: [Row; 2],
    houses: usize,
}

impl Position {
    fn start(houses: usize, seeds: u8) -> Self {
        let mut row = [0; MAX_PITS];
        row[..houses].fill(seeds);
        Position { rows: [row; 2], houses }
    }

    /// Return the houses that can be played, and their number.
    fn moves(&self) -> ([u8; MAX_PITS], usize) {
        let (mut list, mut length) = ([0; MAX_PITS], 0);
        if self.rows[1][..self.houses].iter().any(|seeds| *seeds > 0) {
            for house in 0..self.houses {
                if self.rows[0][house] > 0 {
                    list[length] = house as u8;
                    length += 1;
                }
            }
        }
        (list, length)
    }

    /// Return the position after a move, and whether the same side moves again. The side to move is first.
    fn after(&self, house: u8) -> (Self, bool) {
        let ([mut own, mut other], houses) = (self.rows, self.houses);
        let mut at = usize::from(house);
        let seeds = std::mem::take(&mut own[at]);
        for _ in 0..seeds {
            at = if at == 2 * houses { 0 } else { at + 1 };
            if at <= houses {
                own[at] += 1;
            } else {
                other[at - houses - 1] += 1;
            }
        }
        if at < houses && own[at] == 1 && other[houses - 1 - at] > 0 {
            own[houses] += 1 + std::mem::take(&mut other[houses - 1 - at]);
            own[at] = 0;
        }
        let again = at == houses;
        (Position { rows: if again { [own, other] } else { [other, own] }, houses }, again)
    }

    /// Return the difference between the stores, for the side to move.
    fn lead(&self) -> i32 {
        i32::from(self.rows[0][self.houses]) - i32::from(self.rows[1][self.houses])
    }

    /// Return the difference with all seeds in the houses counted for their owners.
    fn margin(&self) -> i32 {
        let [own, other] = self.rows.map(|row| row.iter().map(|seeds| i32::from(*seeds)).sum::<i32>());
        own - other
    }
}

fn perft(position: &Position, depth: u32) -> u64 {
    let (moves, length) = position.moves();
    if depth == 1 {
        return length as u64;
    }
    moves[..length].iter().map(|house| perft(&position.after(*house).0, depth - 1)).sum()
}

fn random_game(random: &mut u64) -> u64 {
    let (mut position, mut plies) = (Position::start(6, 4), 0);
    loop {
        let (moves, length) = position.moves();
        if length == 0 {
            return plies;
        }
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        position = position.after(moves[(*random % length as u64) as usize]).0;
        plies += 1;
    }
}

/// Bounds of the margin that is still open, by the seeds in the houses.
type Table = HashMap<[Row; 2], (i32, i32)>;

/// Return the value for the side to move within the window: alpha-beta with a transposition table.
fn solve(position: &Position, mut alpha: i32, mut beta: i32, table: &mut Table) -> i32 {
    let (moves, length) = position.moves();
    if length == 0 {
        return position.margin();
    }
    let (houses, lead, mut key) = (position.houses, position.lead(), position.rows);
    (key[0][houses], key[1][houses]) = (0, 0);
    let (low, high) = table.get(&key).copied().unwrap_or((-1000, 1000));
    if low + lead >= beta || low == high {
        return low + lead;
    }
    if high + lead <= alpha {
        return high + lead;
    }
    (alpha, beta) = (alpha.max(low + lead), beta.min(high + lead));
    let (mut best, mut bound) = (-1000, alpha);
    // Try houses close to the store first: they give extra turns.
    for house in moves[..length].iter().rev() {
        let (after, again) = position.after(*house);
        let value = if again { solve(&after, bound, beta, table) } else { -solve(&after, -beta, -bound, table) };
        best = best.max(value);
        bound = bound.max(best);
        if bound >= beta {
            break;
        }
    }
    let entry = table.entry(key).or_insert((-1000, 1000));
    if best > alpha {
        entry.0 = entry.0.max(best - lead);
    }
    if best < beta {
        entry.1 = entry.1.min(best - lead);
    }
    best
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| words[index].parse::<u64>().expect("a number");
    let answer = match words[0].as_str() {
        "games" => {
            let mut random = 20;
            (0..number(1)).map(|_| random_game(&mut random)).sum::<u64>().to_string()
        }
        "perft" => perft(&Position::start(6, 4), number(1) as u32).to_string(),
        "solve" => {
            let start = Position::start(number(1) as usize, number(2) as u8);
            solve(&start, -1000, 1000, &mut Table::new()).to_string()
        }
        other => panic!("unknown command: {other}"),
    };
    println!("{answer}");
}
