//! A straightforward implementation of English draughts, with squares in an array and moves in lists: the baseline for
//! perft.
//!
//! `english perft DEPTH` counts the leaves of the tree from the start position. A whole capture is one move, and the
//! last ply is only listed.

/// An 8×8 board with a border. A man is 1 or -1, a king 2 or -2, depending on the side.
type Board = [i8; 100];

const BORDER: i8 = 9;
const FORWARD: [isize; 2] = [9, 11];
const BACKWARD: [isize; 2] = [-9, -11];

/// The board after each legal move.
type Boards = Vec<Board>;

fn start() -> Board {
    let mut board = [BORDER; 100];
    for row in 0..8 {
        for column in 0..8 {
            let is_used = (row + column) % 2 == 1;
            board[11 + 10 * row + column] = match row {
                0..=2 if is_used => 1,
                5..=7 if is_used => -1,
                _ => 0,
            };
        }
    }
    board
}

fn directions(piece: i8, side: i8) -> impl Iterator<Item = isize> {
    let backward = if piece.abs() == 2 { &BACKWARD[..] } else { &[] };
    FORWARD.iter().chain(backward).map(move |step| step * isize::from(side))
}

fn crowned(piece: i8, square: usize, side: i8) -> i8 {
    let far = if side > 0 { 8 } else { 1 };
    if square / 10 == far { 2 * side } else { piece }
}

/// Continue a capture from a square, with the moving piece removed. Return whether there was a jump.
fn jump(board: &mut Board, square: usize, piece: i8, side: i8, boards: &mut Boards) -> bool {
    let mut jumped = false;
    for step in directions(piece, side) {
        let (over, landing) = (square.wrapping_add_signed(step), square.wrapping_add_signed(2 * step));
        let captured = board[over];
        if captured == BORDER || captured * side >= 0 || board[landing] != 0 {
            continue;
        }
        jumped = true;
        board[over] = 0;
        let becomes = crowned(piece, landing, side);
        // A man that is crowned stops.
        if becomes != piece || !jump(board, landing, piece, side, boards) {
            let mut after = *board;
            after[landing] = becomes;
            boards.push(after);
        }
        board[over] = captured;
    }
    jumped
}

fn moves(board: &Board, side: i8, boards: &mut Boards) {
    let mut lifted = *board;
    let is_own = |square: &usize| board[*square] != BORDER && board[*square] * side > 0;
    for square in (11..89).filter(is_own) {
        lifted[square] = 0;
        jump(&mut lifted, square, board[square], side, boards);
        lifted[square] = board[square];
    }
    if !boards.is_empty() {
        return;
    }
    for square in (11..89).filter(is_own) {
        for step in directions(board[square], side) {
            let landing = square.wrapping_add_signed(step);
            if board[landing] == 0 {
                let mut after = *board;
                after[landing] = crowned(board[square], landing, side);
                after[square] = 0;
                boards.push(after);
            }
        }
    }
}

fn perft(board: &Board, side: i8, lists: &mut [Boards]) -> u64 {
    let Some((boards, deeper)) = lists.split_first_mut() else { return 1 };
    boards.clear();
    moves(board, side, boards);
    if deeper.is_empty() {
        return boards.len() as u64;
    }
    boards.iter().map(|after| perft(after, -side, deeper)).sum()
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    assert_eq!(words[0], "perft", "unknown command");
    let depth: usize = words[1].parse().expect("a number");
    println!("{}", perft(&start(), 1, &mut vec![Boards::new(); depth]));
}
