use super::*;
use crate::draughts::compiled_rules::tests::{facing, frisian, international};
use crate::draughts::{Board, compile};
use crate::side::Side;
use crate::text::line_and_column;
use crate::work::unlimited;

fn numeric(squares: u16, king_move_limit: u8) -> Notation {
    let squares = Squares::new((1..=squares).map(|number| (number, number.to_string())));
    Notation::new("international".to_owned(), squares, "x".to_owned(), king_move_limit)
}

/// Return the notation of an algebraic board of eight columns, with a1 at the bottom left.
fn algebraic() -> Notation {
    let places = (0..8u16)
        .flat_map(|row| (0..8u16).filter(move |column| (row + column) % 2 == 1).map(move |column| (row, column)));
    let name = |(row, column)| format!("{}{}", char::from(b'a' + column as u8), 8 - row);
    let squares = Squares::new((1..).zip(places.map(name)));
    Notation::new("russian".to_owned(), squares, ":".to_owned(), 0)
}

#[test]
fn squares_are_found_by_exact_names() {
    let notation = algebraic();
    let squares = notation.squares();
    assert_eq!(
        ["b8", "1", "a1", "29", "a8"].map(|name| squares.find(name)),
        [Some(0), Some(0), Some(28), Some(28), None]
    );
    assert_eq!(["B8", "b08", "01", "0", "", "33", "b", "b8 "].map(|name| squares.find(name)), [None; 8]);
}

fn problem(notation: &Notation, fen: &str) -> (usize, usize, String) {
    let NotationError { problem, at } = notation.parse_fen(fen).expect_err(fen);
    let (line, column) = line_and_column(fen, at);
    (line, column, problem)
}

#[test]
fn fens_are_read_in_many_forms_and_written_in_one() {
    let notation = numeric(50, 3);
    for (text, normal) in [
        ("W:W31,32,K40:B1,2", "W:W31,32,K40:B1,2"),
        ("b:b1-3,k12:w31.", "B:W31:B1,2,3,K12"),
        (" [FEN \"B : W 050 , K 10 : B\"] ", "B:WK10,50:B"),
        ("/fen \\\"W:W:B20:H0:F12\\\"/", "W:W:B20"),
        ("'W:W5:B6:W7'", "W:W5,7:B6"),
        ("W:W31,K40:B1:+0+240", "W:W31,K40:B1:+0+240"),
        ("W:WK40:B1:+0+240", "W:WK40:B1"),
    ] {
        let setup = notation.parse_fen(text).expect(text);
        assert_eq!(notation.format_fen(&setup), normal);
    }
    let notation = algebraic();
    let setup = notation.parse_fen("W:Wb2,Ka1,21:BH2").expect("a position");
    assert_eq!(notation.format_fen(&setup), "W:WKa1,a3,b2:Bh2");
}

#[test]
fn errors_in_a_fen_point_at_the_item() {
    let notation = numeric(50, 3);
    assert_eq!(problem(&notation, "  "), (1, 1, "the FEN is empty".to_owned()));
    assert_eq!(problem(&notation, "W:W1\n,é51:B").0, 2);
    assert_eq!(problem(&notation, "W:W1,\u{e9}51:B"), (1, 6, "international has no square 'é51'".to_owned()));
    assert_eq!(problem(&notation, "W:W1:B2, 1").1, 10);
    assert_eq!(problem(&notation, "W:W0a3:B").2, "international has no square '0a3'");
    assert_eq!(problem(&notation, "W:W9-2:B").2, "the range '9-2' runs backwards");
    assert_eq!(problem(&notation, "W:WK4:B:+0+44").2, "expected 1 to 3 quiet moves of a king, got 4");
}

#[test]
fn moves_are_read_as_people_type_them() {
    let notation = numeric(50, 0);
    let board = compile(international(10, 10)).board(&facing(50, 0..20, Side::White));
    for text in ["32-28", "32 28", "3228", "032x28!", " 32 – 28 (?!) ", "32−28"] {
        let (played, ambiguous) = notation.parse_move(text, &*board, None).expect(text);
        assert_eq!((notation.format_move(&played, false).as_str(), ambiguous), ("32-28", false));
    }
    assert_eq!(notation.parse_move("32-29", &*board, None), Err(MoveError::Illegal));
    let error = |text| match notation.parse_move(text, &*board, None) {
        Err(MoveError::Notation(error)) => (error.at + 1, error.problem),
        other => panic!("{other:?}"),
    };
    assert_eq!(error("!"), (1, "the move is missing".to_owned()));
    assert_eq!(error("32-"), (4, "a square is missing here".to_owned()));
    assert_eq!(error("32-28()"), (6, "expected a square, got '()'".to_owned()));
    assert_eq!(error("28"), (1, "28 is a single square: a move needs two".to_owned()));
    assert_eq!(error("32-51"), (4, "international has no square '51'".to_owned()));
}

#[test]
fn captures_with_the_same_ends_are_ambiguous() {
    let notation = numeric(50, 0);
    let setup = notation.parse_fen("W:WK10:B14,17,27,31").expect("a position");
    let board = compile(international(10, 10)).board(&setup);
    let Err(MoveError::Ambiguous { problem, candidates }) = notation.parse_move("10x3", &*board, None) else {
        panic!("10x3 is ambiguous");
    };
    assert_eq!(problem, "'10x3' could mean 10x32x21x3 or 10x37x26x3");
    for candidate in candidates {
        let text = notation.format_move(&candidate.0, true);
        assert_eq!(notation.parse_move(&text, &*board, None), Ok(candidate));
    }
}

/// Play the first legal moves and check that positions and moves survive formatting and parsing.
#[test]
fn positions_and_moves_round_trip() {
    let notation = numeric(50, 3);
    let game = compile(frisian());
    let mut board: Box<dyn Board> = game.board(&facing(50, 0..20, Side::White));
    for ply in 0..60 {
        let setup = notation.parse_fen(&notation.format_fen(&board.setup())).expect("a FEN");
        assert!(game.board(&setup).equals(&*board));
        let legal = board.legal_moves(false, Some(&unlimited())).unwrap_or_default();
        for played in &legal {
            let text = notation.format_move(played, is_ambiguous(played, &legal));
            assert_eq!(notation.parse_move(&text, &*board, None).expect(&text).0, *played);
        }
        let Some(played) = legal.get(ply % legal.len().max(1)) else { break };
        board = board.after(played);
    }
}
