//! Tests with valid and invalid texts, scanned whole and in pieces.

use super::{Problem, ScannedGame, Scanner, TokenKind};
use crate::random::Random;

fn scan(text: &[u8]) -> Vec<ScannedGame> {
    scan_pieces([text])
}

fn scan_pieces<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<ScannedGame> {
    let (mut scanner, mut games) = (Scanner::default(), Vec::new());
    for piece in pieces {
        scanner.feed(piece, &mut games);
    }
    scanner.finish(&mut games);
    games
}

/// Return the tokens of the only game of a text.
fn tokens(text: &str) -> Vec<(TokenKind, String)> {
    let games = scan(text.as_bytes());
    assert_eq!(games.len(), 1, "{text}");
    assert_eq!(games[0].problem, None, "{text}");
    written(&games[0])
}

fn written(game: &ScannedGame) -> Vec<(TokenKind, String)> {
    let text = |token: &super::Token| String::from_utf8_lossy(token.bytes(&game.text)).into_owned();
    game.tokens.iter().map(|token| (token.kind, text(token))).collect()
}

fn moves(text: &str) -> Vec<String> {
    tokens(text).into_iter().filter(|(kind, _)| *kind == TokenKind::Move).map(|(_, text)| text).collect()
}

/// Return the first problem of each game and its place; None for a valid game.
fn problems(text: &str) -> Vec<Option<(Problem, usize)>> {
    scan(text.as_bytes()).iter().map(|game| game.problem).collect()
}

const SAMPLE: &str = "% a file\n[Event \"A \\\"B\\\" C\"]\n[Result \"1-0\"] {start} 1.32-28!? 19-23(?) $7 (1... 18-23 \
    {x[%clk 0:01]} (20-24 ; end of line\n)) 2. 28x19 14x23 2... /FEN \"W:W31:B1\"/ ... - 1-18 1-0\n\n1. c3d4 b6:d4 *";

#[test]
fn game_is_split_into_tokens() {
    use TokenKind::*;
    let games = scan(SAMPLE.as_bytes());
    let expected: Vec<(TokenKind, &str)> = vec![
        (TagName, "Event"),
        (TagValue, "A \\\"B\\\" C"),
        (TagName, "Result"),
        (TagValue, "1-0"),
        (Comment, "start"),
        (Move, "32-28"),
        (Strength, "!?"),
        (Move, "19-23"),
        (Strength, "(?)"),
        (Nag, "7"),
        (Open, "("),
        (Move, "18-23"),
        (Comment, "x[%clk 0:01]"),
        (Open, "("),
        (Move, "20-24"),
        (Comment, " end of line"),
        (Close, ")"),
        (Close, ")"),
        (Move, "28x19"),
        (Move, "14x23"),
        (Setup, "W:W31:B1"),
        (Unknown, "..."),
        (Unknown, "-"),
        (Move, "1-18"),
        (Result, "1-0"),
    ];
    let found = written(&games[0]);
    assert_eq!(found.iter().map(|(kind, text)| (*kind, text.as_str())).collect::<Vec<_>>(), expected);
    assert_eq!((games[0].lines, games[0].columns), (1, 0));
    assert_eq!(games.len(), 2);
    assert_eq!((games[1].lines, games[1].columns), (5, 0));
}

#[test]
fn moves_are_read_in_every_spelling() {
    assert_eq!(
        moves("1.32-28 19x23 28:19 c3-d4 c3:e5 a3b4 C3XE5 a1b2c3"),
        ["32-28", "19x23", "28:19", "c3-d4", "c3:e5", "a3b4", "C3XE5", "a1b2c3"]
    );
    assert_eq!(
        moves("3228 32 - 28 32 x 23 32 x 23 x 14 47x38x24x13x36 j1-k2"),
        ["3228", "32 - 28", "32 x 23", "32 x 23 x 14", "47x38x24x13x36", "j1-k2"]
    );
    // The 24th column has the name x.
    assert_eq!(
        moves("d3-c4 x9-w8 v5xx3 x1 x i2 a1 x b2 x9xv7"),
        ["d3-c4", "x9-w8", "v5xx3", "x1 x i2", "a1 x b2", "x9xv7"]
    );
    assert_eq!(moves("41. 32-28 - 42. - 2-7"), ["32-28", "2-7"]);
}

#[test]
fn results_end_games_and_moves_that_look_like_them_do_not() {
    for result in ["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*"] {
        let games = scan(format!("32-28 {result} 1. 33-29 {result}").as_bytes());
        assert_eq!(games.len(), 2, "{result}");
        assert_eq!(written(&games[1]).last(), Some(&(TokenKind::Result, result.to_owned())));
    }
    assert_eq!(moves("1-18 1-10 2-01 1-1x2 0-12 1-02"), ["1-18", "1-10", "2-01", "1-1x2", "0-12", "1-02"]);
    // Games with tags only, with a number only, and without any token.
    assert_eq!(scan(b"[A \"\"] * [B \"\"] * * 1. 2-0 *").len(), 3);
    assert_eq!(scan(b" \n % nothing\n * ").len(), 0);
}

/// Moves, results and unknown moves with typographic signs, in the text of a game.
const SIGNS: &str = "1.\u{a0}32–28‼ 19 — 23 {a – b × c} (18−23 38‐32⁉)\n[A \"2\"] 2…\u{202f}28×19 14х23 … – ; ½–½\n1–0 \
    [Result \"½-½\"] 32\u{2011}28 ½–½ [Result \"0–1\"] 28х17 0–1 1/2–1/2";

#[test]
fn typographic_signs_are_replaced_outside_comments_and_tags() {
    use TokenKind::*;
    let games = scan(SIGNS.as_bytes());
    let kinds = [Move, Unknown, Comment, Strength, Result];
    let found = games.iter().map(|game| {
        assert_eq!(game.problem, None);
        let tokens = written(game).into_iter().filter(|(kind, _)| kinds.contains(kind));
        tokens.map(|(_, text)| text.replace(' ', "")).collect::<Vec<_>>().join(" ")
    });
    assert_eq!(
        found.collect::<Vec<_>>(),
        ["32-28 !! 19-23 a–b×c 18-23 38-32 !?", "28x19 14x23 ... - ½–½ 1-0", "32-28 1-1", "28x17 0-1", "1/2-1/2"]
    );
    assert_eq!(games[2].result().as_deref(), Some(b"1-1".as_slice()));
    assert_eq!(games[1].place(0), (2, 1));
    // Signs count as one character each.
    let columns =
        |part: &str| SIGNS.lines().nth(2).and_then(|line| line.split(part).next()).map(|text| text.chars().count());
    assert_eq!(games[2].place(0), (3, columns("[Result \"½").unwrap() as u64 + 1));
    assert_eq!(games[4].place(0), (3, columns("1/2").unwrap() as u64 + 1));
}

#[test]
fn gaps_between_move_numbers_are_missing_moves() {
    let gaps = |text: &str| -> Vec<(u32, u32)> {
        scan(text.as_bytes()).iter().flat_map(ScannedGame::number_gaps).map(|gap| (gap.before, gap.after)).collect()
    };
    assert_eq!(gaps("[A \"9. 12.\"] 1. 32-28 19-23 {5. 7.} 2. 28x19 2... 14x23 3. 31-26 *"), []);
    assert_eq!(gaps("1... 19-23 2. 32-28 23x32 3. 37x28 (3. 38x27 17-22 4. 1-2) 4. 41-37"), []);
    assert_eq!(gaps("1. 32-28 2. 19-23 3. ... 4. - - 41. - -"), [(4, 41)]);
    assert_eq!(
        gaps("4. 32-28 19-23 * 1. 32-28 3. 28x19 7. 14x23 99999999999. 1-2"),
        [(0, 4), (1, 3), (3, 7), (7, u32::MAX)]
    );
    assert_eq!(gaps("1. 32-28 (5. 31-26 7. 1-2) /FEN \"W:W31:B1\"/ 8. 31-27"), [(5, 7)]);
}

#[test]
fn a_custom_result_is_the_value_of_its_tag() {
    assert_eq!(moves("[Result \"1 1/2 - 1/2\"] 32-28 1 1/2 - 1/2"), ["32-28"]);
    assert_eq!(problems("[Result \"4\0\"] 32-28 4"), [Some((Problem::BareNumber, 20))]);
    let games = scan(b"[Result \"4-6\"] 32-28 4-6 [Result \"4-6\"] 4-6 33-28 4-6");
    assert_eq!(games.len(), 2);
    assert_eq!(games[1].tokens.iter().filter(|token| token.kind == TokenKind::Move).count(), 2);
}

#[test]
fn tags_after_moves_start_a_game() {
    let games = scan(b"[A \"1\"] 32-28 [A \"2\"][B \"\"] 33-29");
    assert_eq!(games.len(), 2);
    assert_eq!(games[1].tag(b"A"), Some(&b"2"[..]));
    assert_eq!(games[1].tag(b"B"), Some(&b""[..]));
    assert_eq!(games[1].tag(b"C"), None);
}

#[test]
fn a_comment_at_the_end_keeps_its_blanks() {
    assert_eq!(tokens("32-28 ; c \t").last(), Some(&(TokenKind::Comment, " c \t".to_owned())));
    assert_eq!(scan(b"32-28 {c}  \n ")[0].text.len(), 9);
}

#[test]
fn placeholder_requires_a_move_number() {
    let kinds: Vec<TokenKind> = tokens("1. ... 7-12 ... 2... ...").into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, [TokenKind::Placeholder, TokenKind::Move, TokenKind::Unknown, TokenKind::Placeholder]);
}

#[test]
fn syntax_errors_have_a_location_and_scanning_continues() {
    for (text, problem, place) in [
        ("1. 32-28 hm 19-23", Problem::Unexpected, 9),
        ("1. 32-28 . 1-0", Problem::Unexpected, 9),
        ("1. 32-28 19", Problem::BareNumber, 9),
        ("1. 32- 19x", Problem::MissingSquare, 3),
        ("1. c3 d4", Problem::MissingSquare, 3),
        ("32-28 [%clk 1]", Problem::TagName, 6),
        ("[Event x]", Problem::TagValue, 0),
        ("[Event", Problem::TagValue, 0),
        ("[Event \"x]", Problem::OpenValue, 0),
        ("[Event \"x\\\"]", Problem::OpenValue, 0),
        ("[Event \"x\" 32-28", Problem::OpenTag, 0),
        ("[A \"1\"] [A \"2\"]", Problem::TagTwice, 9),
        ("32-28 {never", Problem::OpenComment, 6),
        ("32-28 (18-23", Problem::OpenVariation, 6),
        ("32-28 (18-23 1-0", Problem::OpenVariation, 6),
        ("32-28 )", Problem::StrayClose, 6),
        ("32-28 $x", Problem::Nag, 6),
        ("32-28 $65536", Problem::Nag, 6),
        ("/FEN W:W1:B2/", Problem::Setup, 0),
        ("/FEN \"W:W1:B2\" 32-28", Problem::Setup, 0),
        ("! 32-28", Problem::StrayStrength, 0),
        ("32-28 {} !", Problem::StrayStrength, 9),
        ("32-28 (18-23 1-0) 19-23", Problem::ResultInside, 13),
    ] {
        assert_eq!(problems(text), [Some((problem, place))], "{text}");
        assert_eq!(problems(&format!("{text}\n*\n[Event \"x\"] 32-28 *")), [Some((problem, place)), None], "{text}");
    }
    assert_eq!(scan(b"{\xff} 32-28")[0].problem, Some((Problem::NotUtf8, 1)));
    let nested = |depth: usize| format!("{}32-28{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(problems(&nested(100)), [None]);
    assert_eq!(problems(&nested(101)), [Some((Problem::TooDeep, 100))]);
}

#[test]
fn a_comment_does_not_swallow_the_next_game() {
    let text = "[A \"1\"]\n{open 32-28\n[A \"2\"]\n33-29 {closed}\n";
    assert_eq!(problems(text), [Some((Problem::OpenComment, 8)), None]);
    let text = "{open\n[A \"1\"]\n \t\n32-28 33-29}\n";
    assert_eq!(problems(text), [Some((Problem::OpenComment, 0)), Some((Problem::Unexpected, 22))]);
    assert_eq!(problems("{a\n[%clk 0:01]\n[note]} 32-28"), [None]);
}

#[test]
fn closed_comment_can_contain_lines_like_tags() {
    for comment in ["x\n[White \"a\"] y", "{\n\n[White \"a\"]\n", "\n[A \"\"]\n[B \"\"]\nx"] {
        let text = format!("32-28 {{{comment}}} 19-23");
        assert_eq!(problems(&text), [None], "{text}");
        assert_eq!(tokens(&text)[1], (TokenKind::Comment, comment.to_owned()));
        for cut in 0..text.len() {
            assert_eq!(scan_pieces([&text.as_bytes()[..cut], &text.as_bytes()[cut..]]), scan(text.as_bytes()));
        }
    }
}

#[test]
fn line_comment_can_contain_braces() {
    let expected = [
        (TokenKind::Move, "32-28"),
        (TokenKind::Comment, " a } b {"),
        (TokenKind::Move, "19-23"),
        (TokenKind::Comment, "c"),
    ];
    for newline in ["\n", "\r\n"] {
        let found = tokens(&format!("32-28 ; a }} b {{{newline}19-23 {{c}}"));
        assert_eq!(found.iter().map(|(kind, text)| (*kind, text.as_str())).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn lines_and_columns_are_relative_to_the_file() {
    let games = scan("[A \"é\"] 32-28 *  [A \"2\"]\n\n {ü} (".as_bytes());
    assert_eq!(games[1].place(0), (1, 18));
    assert_eq!(games[1].problem.map(|(_, place)| games[1].place(place)), Some((3, 6)));
}

#[test]
fn input_can_be_split_anywhere() {
    let bytes = ["\u{feff}", SAMPLE, SIGNS, "{open\n[A \"x\"] 1/2-1/2 [B \"y\"] ( é"].concat().into_bytes();
    let whole = scan(&bytes);
    for end in 0..=bytes.len() {
        assert_eq!(scan_pieces([&bytes[..end], &bytes[end..]]), whole, "cut at {end}");
    }
    for size in 1..20 {
        assert_eq!(scan_pieces(bytes.chunks(size)), whole, "pieces of {size}");
    }
}

/// Repetitions in hostile texts must not take more than linear time.
#[test]
fn long_hostile_texts_take_linear_time() {
    let length = if cfg!(debug_assertions) { 100_000 } else { 2_000_000 };
    for part in [
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "/",
        "\"",
        "\\",
        "$",
        "!",
        "*",
        "%",
        "-",
        ".",
        "1",
        "1-",
        "a",
        " ",
        "\n",
        "[A ",
        "[A \"",
        "[A \"\\\"",
        "{\n[A \"",
        "/FEN \"",
        "1 ",
        "1x",
        "1 x",
        "x1",
        "(!",
        "1-1",
        "...",
        "[A \"\"]",
        "\u{feff}",
        "\n[",
        "{\n[A",
        "{\n[A \"\"]\n",
        "–",
        "1–",
        "a×",
        "1. – ",
        "½–½",
    ] {
        let bytes = part.repeat(length / part.len()).into_bytes();
        let whole = scan(&bytes);
        assert!(scan_pieces(bytes.chunks(length / 7)) == whole, "{part:?}");
        for game in &whole {
            assert!(game.problem.is_none_or(|(_, place)| place <= game.text.len()), "{part:?}");
        }
    }
}

/// Change some random bytes of a text.
fn corrupt(bytes: &mut Vec<u8>, random: &mut Random) {
    const PARTS: &[&[u8]] = &[
        b"{",
        b"}",
        b"[",
        b"]",
        b"(",
        b")",
        b"\"",
        b"\\",
        b"\n[A \"",
        b"*",
        b"1-1",
        b"8",
        b"\xff",
        b"/",
        b"%",
        b"\xe2\x80\x93",
    ];
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len() + 1);
        let until = (at + random.below(4)).min(bytes.len());
        match random.below(3) {
            0 => drop(bytes.drain(at..until)),
            1 => drop(bytes.splice(at..until, PARTS[random.below(PARTS.len())].iter().copied())),
            _ => drop(bytes.splice(at..at, [random.below(256) as u8])),
        }
    }
}

#[test]
fn corrupted_texts_scan_the_same_in_pieces_of_any_size() {
    for round in 0..3000 {
        let mut random = Random::new(7, round);
        let mut bytes = [SAMPLE, SIGNS].concat().repeat(1 + random.below(3)).into_bytes();
        corrupt(&mut bytes, &mut random);
        let whole = scan(&bytes);
        let size = 1 + random.below(40);
        assert!(scan_pieces(bytes.chunks(size)) == whole, "round {round}");
        for game in &whole {
            assert!(game.tokens.windows(2).all(|pair| pair[0].end <= pair[1].start), "round {round}");
            assert!(game.tokens.iter().all(|token| token.bytes(&game.text).len() <= game.text.len()));
            assert!(game.problem.is_none_or(|(_, place)| place <= game.text.len()), "round {round}");
        }
    }
}
