//! Kalah in plain Rust, arrays and loops without any art: the yardstick for what the core does by itself.
//!
//! Six houses and four seeds unless it says otherwise; a last seed in an empty own house captures with the house
//! opposite where that has seeds; the game ends when either side has no seeds, and the rest is its owner's.
//!
//! `kalah games N` plays random games and prints their plies, `kalah perft DEPTH` counts ways to move, `kalah solve HOUSES
//! SEEDS` prints the margin of the first player under perfect play.

use std::collections::HashMap;

/// The most pits of a side: boards of up to seven houses.
const ROOM: usize = 8;

/// The houses of a side in the order in which it sows them, then its store.
type Row = [u8; ROOM];

#[derive(Clone, Copy)]
struct Position {
    /// The side to move, and the other.
    rows: [Row; 2],
    houses: usize,
}

impl Position {
    fn start(houses: usize, seeds: u8) -> Self {
        let mut row = [0; ROOM];
        row[..houses].fill(seeds);
        Position { rows: [row; 2], houses }
    }

    /// The houses that can be played, and how many they are.
    fn moves(&self) -> ([u8; ROOM], usize) {
        let (mut list, mut length) = ([0; ROOM], 0);
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

    /// The position after a move, and whether the same side moves again; the side to move comes first.
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

    /// How much more the side to move has in its store.
    fn lead(&self) -> i32 {
        i32::from(self.rows[0][self.houses]) - i32::from(self.rows[1][self.houses])
    }

    /// The same with all seeds counted for the side that they lie at.
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

/// Bounds of the margin that is still to be won, by the seeds in the houses.
type Known = HashMap<[Row; 2], (i32, i32)>;

/// What the side to move makes of the position, within the window: alpha-beta with a memory.
fn solve(position: &Position, mut alpha: i32, mut beta: i32, known: &mut Known) -> i32 {
    let (moves, length) = position.moves();
    if length == 0 {
        return position.margin();
    }
    let (houses, lead, mut key) = (position.houses, position.lead(), position.rows);
    (key[0][houses], key[1][houses]) = (0, 0);
    let (least, most) = known.get(&key).copied().unwrap_or((-1000, 1000));
    if least + lead >= beta || least == most {
        return least + lead;
    }
    if most + lead <= alpha {
        return most + lead;
    }
    (alpha, beta) = (alpha.max(least + lead), beta.min(most + lead));
    let (mut best, mut bound) = (-1000, alpha);
    // Moves close to the store come first: they give further turns.
    for house in moves[..length].iter().rev() {
        let (after, again) = position.after(*house);
        let worth = if again { solve(&after, bound, beta, known) } else { -solve(&after, -beta, -bound, known) };
        best = best.max(worth);
        bound = bound.max(best);
        if bound >= beta {
            break;
        }
    }
    let entry = known.entry(key).or_insert((-1000, 1000));
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
            solve(&start, -1000, 1000, &mut Known::new()).to_string()
        }
        other => panic!("no such work: {other}"),
    };
    println!("{answer}");
}
