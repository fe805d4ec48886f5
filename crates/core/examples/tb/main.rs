use std::time::Instant;
use tablemen_core::draughts::tablebase::Slice;
use tablemen_core::draughts::{self, Criterion, Directions, KingLanding, Promotion, Rules};
fn international() -> Rules {
    Rules {
        columns: 10,
        rows: 10,
        all_squares: false,
        corner_playable: true,
        man_moves: Directions::FORWARD_DIAGONALS,
        man_captures: Directions::DIAGONALS,
        men_capture_kings: true,
        promotion: Promotion::AtEnd,
        flying_kings: true,
        king_moves: Directions::DIAGONALS,
        king_captures: Directions::DIAGONALS,
        king_landing: KingLanding::Any,
        king_move_limit: 0,
        capture_compulsory: true,
        precedence: vec![Criterion::MostPieces],
        removal_at_once: false,
        reverse_captures: false,
        losing: false,
        breakthrough: false,
        lone_piece_loses: false,
        lone_man_loses_to_king: false,
        draws: vec![],
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let rules = match args[1].as_str() {
        "english" => Rules {
            columns: 8,
            rows: 8,
            man_captures: Directions::FORWARD_DIAGONALS,
            flying_kings: false,
            precedence: vec![],
            promotion: Promotion::Stops,
            ..international()
        },
        "russian" => {
            Rules { columns: 8, rows: 8, promotion: Promotion::InFlight, precedence: vec![], ..international() }
        }
        "canadian" => Rules { columns: 12, rows: 12, ..international() },
        _ => international(),
    };
    let pieces: usize = args[2].parse().unwrap();
    let threads: usize = args[3].parse().unwrap();
    let compiled = draughts::compile(rules);
    let mut builder = compiled.table_builder(pieces);
    for n in 2..=pieces {
        let start = Instant::now();
        let mut total = [0u64; 3];
        let mut done = std::collections::HashSet::new();
        for slice in Slice::list(n) {
            if done.contains(&slice) {
                continue;
            }
            for (slice, counts) in builder.build(slice, threads, &tablemen_core::work::unlimited()).unwrap() {
                done.insert(slice);
                if n == 2 {
                    println!("{slice:?} {counts:?}");
                }
                for (t, c) in total.iter_mut().zip(counts) {
                    *t += c;
                }
            }
        }
        let sum: u64 = total.iter().sum();
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{n} pieces: draws {} wins {} losses {} = {sum} in {seconds:.1} s, {:.2} M/s",
            total[0],
            total[1],
            total[2],
            sum as f64 / seconds / 1e6
        );
    }
}
