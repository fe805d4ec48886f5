//! Fuzz targets for draughts: texts, game files, move generation and search.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use super::allocation::measure;
use super::rules::{decode_rules, decode_setup, has_half_turn_symmetry, notation, square_count};
use super::{Input, LimitedWork, check_location};
use tablemen_core::draughts::notation::{MoveError, is_ambiguous};
use tablemen_core::draughts::{
    Ambiguity, Board, CompiledRules, Feature, Replayed, Rules, Setup, SetupChange, SquareMove, Weights, compile,
    packed_size,
};
use tablemen_core::pdn::{GameError, ScannedGame, Scanner, TokenKind};
use tablemen_core::random_games::RandomGames;
use tablemen_core::search::{Limit, SearchConfig, TimeManager, TranspositionTable};
use tablemen_core::side::Side;

/// The memory that any target may allocate.
pub const BASE_MEMORY: usize = 1 << 20;

/// The memory that a parser may allocate for each byte of its text.
const MEMORY_PER_BYTE: usize = 512;

/// The memory that move generation may allocate for each unit of work: a move with a long path.
const MEMORY_PER_UNIT: usize = 2048;

/// The maximum number of rows and columns of a board whose positions are searched.
const MAX_SEARCHED_SIZE: usize = 10;

/// The number of nodes, for each of the best moves, that the first iteration of a search may have beyond the limits.
const MAX_UNLIMITED_NODES: u64 = 10_000;

/// The work after which a listing of moves is cancelled.
const MAX_WORK: u64 = 20_000;

/// The maximum number of moves of a position whose successors are examined.
const MAX_EXAMINED: usize = 40;

/// Check the FEN parser: a position survives a round trip, and an error is inside the text.
pub fn fen(bytes: &[u8]) {
    let mut input = Input(bytes);
    let rules = decode_rules(&mut input, 32);
    let notation = notation(&rules, input.flag());
    let text = input.text();
    let (parsed, memory) = measure(|| notation.parse_fen(&text));
    assert!(memory <= BASE_MEMORY + MEMORY_PER_BYTE * text.len(), "{memory} bytes");
    let (black, white) = text.split_once('\n').unwrap_or((&text, ""));
    if let Err((side, error)) = notation.parse_square_lists(black, white, Side::White) {
        check_location(&error, if side == Side::Black { black } else { white });
    }
    match parsed {
        Err(error) => check_location(&error, &text),
        Ok(setup) => {
            check_setup(&setup, &rules);
            let written = notation.format_fen(&setup);
            assert_eq!(notation.parse_fen(&written).map(sorted), Ok(sorted(setup.clone())), "{written}");
            let lists = [Side::Black, Side::White].map(|side| notation.format_square_list(&setup, side));
            let listed = notation.parse_square_lists(&lists[0], &lists[1], setup.turn).map(sorted);
            assert_eq!(listed, Ok(sorted(Setup { runs: [None; 2], ..setup.clone() })));
            let board = compile(rules).board(&setup);
            assert_eq!(notation.parse_fen(&notation.format_fen(&board.setup())).map(sorted), Ok(sorted(board.setup())));
        }
    }
}

/// Check that all squares of a setup are on the board, and that no square has two pieces.
fn check_setup(setup: &Setup, rules: &Rules) {
    let squares: Vec<usize> = setup.men.iter().chain(&setup.kings).flatten().copied().collect();
    assert!(squares.iter().all(|square| *square < square_count(rules)));
    assert_eq!(squares.iter().collect::<HashSet<_>>().len(), squares.len());
}

fn sorted(mut setup: Setup) -> Setup {
    setup.men.iter_mut().chain(&mut setup.kings).for_each(|squares| squares.sort_unstable());
    setup
}

/// Check the parser of moves: a move that it returns is legal and survives a round trip, and an error is inside the
/// text.
pub fn moves(bytes: &[u8]) {
    let mut input = Input(bytes);
    let rules = decode_rules(&mut input, 16);
    let notation = notation(&rules, input.flag());
    let board = compile(rules.clone()).board(&decode_setup(&mut input, &rules));
    let text = input.text();
    let work = LimitedWork::new(MAX_WORK);
    let (parsed, memory) = measure(|| notation.parse_move(&text, &*board, Some(&work.monitor)));
    work.check();
    let max_work = MAX_WORK as usize;
    assert!(memory <= BASE_MEMORY + MEMORY_PER_BYTE * text.len() + MEMORY_PER_UNIT * max_work, "{memory} bytes");
    match parsed {
        Err(MoveError::Notation(error)) => check_location(&error, &text),
        Err(MoveError::Illegal | MoveError::Stopped) => {}
        Err(MoveError::Ambiguous { problem, candidates }) => {
            assert!(candidates.len() > 1 && !problem.is_empty());
            candidates.iter().for_each(|(played, _)| assert!(is_legal(&*board, played)));
        }
        Ok((played, ambiguous)) => {
            let legal = board.legal_moves(false, Some(&work_without_limit())).expect("the work is not cancelled");
            assert!(legal.iter().any(|each| identity(each) == identity(&played)));
            assert_eq!(ambiguous, is_ambiguous(&played, &legal));
            let written = notation.format_move(&played, ambiguous);
            let parsed = notation.parse_move(&written, &*board, Some(&work_without_limit()));
            assert_eq!(parsed.map(|(again, _)| identity(&again)), Ok(identity(&played)), "{written}");
        }
    }
}

fn work_without_limit() -> tablemen_core::work::SharedMonitor {
    LimitedWork::new(u64::MAX).monitor
}

fn is_legal(board: &dyn Board, played: &SquareMove) -> bool {
    board.is_legal(played, Some(&work_without_limit())).expect("the work is not cancelled")
}

/// Check the scanner of game files and the replay of its games.
///
/// The games do not depend on the pieces in which the bytes arrive. Their tokens are in order, and their places are in
/// the file.
pub fn pdn(bytes: &[u8]) {
    let mut input = Input(bytes);
    let rules = decode_rules(&mut input, 10);
    let notation = notation(&rules, input.flag());
    let compiled = compile(rules.clone());
    let start = compiled.board(&decode_setup(&mut input, &rules));
    let size = 1 + input.below(300);
    let file = input.0;
    let (games, memory) = measure(|| scan(file, file.len().max(1)));
    assert!(memory <= BASE_MEMORY + MEMORY_PER_BYTE * file.len(), "{memory} bytes");
    assert_eq!(scan(file, size), games, "in pieces of {size} bytes");
    let lines = file.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
    for game in &games {
        check_tokens(game);
        let (line, _) = game.place(game.problem.map_or(0, |(_, byte)| byte));
        assert!(line <= lines, "line {line} of {lines}");
        let setups: Vec<SetupChange<'_>> = (0..8).map(|_| SetupChange::Board(&*start)).collect();
        let replay = |results: Option<&mut Vec<Replayed>>| {
            let work = LimitedWork::new(MAX_WORK);
            let (names, monitor) = (notation.squares().lookup(), Some(&work.monitor));
            let end = game.replay(&*start, names, Side::White, &setups, Ambiguity::Resolve, results, monitor);
            work.check();
            end.map(|board| board.map(|board| board.setup()))
        };
        let mut results = Vec::new();
        let (with_results, without) = (replay(Some(&mut results)), replay(None));
        if let Err(GameError::Unplayable { byte, .. }) = &with_results {
            assert!(*byte < game.text.len());
        }
        if with_results != Err(GameError::Stopped) && without != Err(GameError::Stopped) {
            assert_eq!(with_results, without);
            let steps = game.tokens.iter().filter(|token| token.kind.is_step()).count();
            assert!(results.len() <= steps && (with_results.is_err() || results.len() == steps));
        }
    }
}

fn scan(file: &[u8], size: usize) -> Vec<ScannedGame> {
    let (mut scanner, mut games) = (Scanner::default(), Vec::new());
    file.chunks(size).for_each(|piece| scanner.feed(piece, &mut games));
    scanner.finish(&mut games);
    games
}

/// Check that the tokens of a game are in order and inside its text, and that every tag has a value.
fn check_tokens(game: &ScannedGame) {
    let mut end = 0;
    for token in &game.tokens {
        assert!(end <= token.start && token.start <= token.end, "{token:?} after {end}");
        end = token.end;
    }
    assert!(end as usize <= game.text.len());
    for (index, token) in game.tokens.iter().enumerate() {
        if token.kind == TokenKind::TagName {
            assert_eq!(game.tokens[index + 1].kind, TokenKind::TagValue);
        }
    }
    let depth = game.tokens.iter().fold(0, |depth, token| match token.kind {
        TokenKind::Open => depth + 1,
        TokenKind::Close => depth - 1,
        _ => depth,
    });
    assert!(depth >= 0 && (depth == 0 || game.problem.is_some()));
}

/// Check move generation in arbitrary positions under arbitrary rules.
pub fn positions(bytes: &[u8]) {
    let mut input = Input(bytes);
    let rules = decode_rules(&mut input, 16);
    let compiled = compile(rules.clone());
    let setup = decode_setup(&mut input, &rules);
    let board = compiled.board(&setup);
    assert_eq!(board.setup(), setup);
    let Some(legal) = list_limited(&*board, false) else { return };
    check_moves(&rules, &*compiled, &*board, &legal);
    if let Some(paths) = list_limited(&*board, true) {
        let distinct = |moves: &[SquareMove]| moves.iter().map(identity).collect::<HashSet<_>>();
        assert_eq!(distinct(&paths), distinct(&legal));
        assert_eq!(distinct(&legal).len(), legal.len());
        assert_eq!(board.perft(1, true, 1, &work_without_limit()), Some(paths.len() as u64));
    }
    assert_eq!(board.perft(1, false, 1, &work_without_limit()), Some(legal.len() as u64));
    check_some_move(&rules, &*board, &legal, &mut input);
    let rotated = has_half_turn_symmetry(&rules).then(|| compiled.board(&rotate(&setup, square_count(&rules))));
    if let Some(rotated) = &rotated {
        assert_eq!(list_limited(&**rotated, false).map(|moves| moves.len()), Some(legal.len()));
        let winner = rotated.ending().map(|(winner, ending)| (winner.opponent(), ending));
        assert_eq!(winner, board.ending());
    }
    if legal.len() <= MAX_EXAMINED {
        let replies: Option<Vec<usize>> = legal
            .iter()
            .map(|played| list_limited(&*board.after(played), false).map(|replies| replies.len()))
            .collect();
        if let Some(replies) = replies {
            let count = Some(replies.iter().sum::<usize>() as u64);
            assert_eq!(board.perft(2, false, 1, &work_without_limit()), count);
            assert_eq!(rotated.map_or(count, |board| board.perft(2, false, 2, &work_without_limit())), count);
        }
    }
    let work = LimitedWork::new(MAX_WORK);
    let batch = RandomGames { games: 2, seed: 1, max_plies: 60, threads: 1 };
    if let Some(games) = board.playouts(&batch, &work.monitor) {
        assert!(games.iter().all(|game| game.plies <= batch.max_plies));
    }
    work.check();
}

/// Return the legal moves, or None if the work was cancelled. Check the work and the memory.
fn list_limited(board: &dyn Board, every_path: bool) -> Option<Vec<SquareMove>> {
    let work = LimitedWork::new(MAX_WORK);
    let (moves, memory) = measure(|| board.legal_moves(every_path, Some(&work.monitor)));
    work.check();
    assert!(memory <= BASE_MEMORY + MEMORY_PER_UNIT * MAX_WORK as usize, "{memory} bytes");
    moves
}

/// Return what distinguishes a move from others: its ends and the set of the captured pieces.
fn identity(played: &SquareMove) -> (u16, u16, Vec<u16>) {
    let mut captured: Vec<u16> = played.jumps.iter().map(|jump| jump.captured).collect();
    captured.sort_unstable();
    (played.from, played.to, captured)
}

/// Check every legal move and the position after it.
fn check_moves(rules: &Rules, compiled: &dyn CompiledRules, board: &dyn Board, legal: &[SquareMove]) {
    assert_eq!(board.ending().is_some(), legal.is_empty());
    assert!(board.equals(&*compiled.board(&board.setup())));
    let (turn, before) = (board.turn(), board.setup());
    if rules.capture_compulsory {
        assert!(legal.iter().all(|played| played.jumps.is_empty()) || legal.iter().all(|one| !one.jumps.is_empty()));
    }
    for played in legal {
        let (side, was_king) = board.piece_at(played.from.into()).expect("a move starts on a piece");
        assert_eq!(side, turn);
        // A piece that is removed at once leaves a square on which the capture can end.
        let was_removed = rules.removal_at_once && played.jumps.iter().any(|jump| jump.captured == played.to);
        assert!(played.to == played.from || was_removed || board.piece_at(played.to.into()).is_none());
        assert_eq!(played.jumps.last().map_or(played.to, |jump| jump.landing), played.to);
        let (_, _, mut captured) = identity(played);
        captured.dedup();
        assert_eq!(captured.len(), played.jumps.len(), "a piece is captured twice: {played:?}");
        for square in captured {
            assert!(board.piece_at(square.into()).is_some_and(|(side, _)| side == turn.opponent()));
        }
        let after = board.after(played);
        let pieces = |setup: &Setup, side: Side| setup.men[side.index()].len() + setup.kings[side.index()].len();
        assert_eq!(after.turn(), turn.opponent());
        assert_eq!(pieces(&after.setup(), turn), pieces(&before, turn));
        assert_eq!(pieces(&after.setup(), turn.opponent()), pieces(&before, turn.opponent()) - played.jumps.len());
        assert_eq!(after.piece_at(played.to.into()), Some((turn, was_king || played.crowns)));
        assert!(!(was_king && played.crowns));
        let rebuilt = compiled.board(&after.setup());
        assert!(after.equals(&*rebuilt) && after.hash_key() == rebuilt.hash_key());
    }
    for played in legal.iter().take(MAX_EXAMINED) {
        assert!(is_legal(board, played));
        let listed = board.find_listed(played, Some(&work_without_limit())).flatten();
        assert_eq!(listed, Some((played.clone(), is_ambiguous(played, legal))));
        let matching = board.match_moves(legal, &[played.from, played.to]);
        assert!(matching.iter().any(|index| legal[*index] == *played));
    }
}

/// Check that an arbitrary quiet move, and an arbitrary change of a legal move, are legal if and only if they are
/// listed.
fn check_some_move(rules: &Rules, board: &dyn Board, legal: &[SquareMove], input: &mut Input<'_>) {
    let squares = square_count(rules);
    for _ in 0..4 {
        let [from, to] = [0; 2].map(|_| input.below(squares) as u16);
        let quiet = SquareMove { from, to, crowns: input.flag(), jumps: Box::default() };
        assert_eq!(is_legal(board, &quiet), legal.contains(&quiet), "{quiet:?}");
        if !legal.is_empty() {
            let mut changed = legal[input.below(legal.len())].clone();
            changed.to = to;
            let listed =
                legal.iter().any(|played| identity(played) == identity(&changed) && played.crowns == changed.crowns);
            assert_eq!(is_legal(board, &changed), listed, "{changed:?}");
        }
    }
}

/// Return the same position with the colours exchanged and the board turned by half a turn.
fn rotate(setup: &Setup, squares: usize) -> Setup {
    let turned = |pieces: &[usize]| pieces.iter().rev().map(|square| squares - 1 - square).collect();
    let [white, black] = setup.runs.map(|run| run.map(|(square, moves)| (squares - 1 - square, moves)));
    Setup {
        turn: setup.turn.opponent(),
        men: [turned(&setup.men[1]), turned(&setup.men[0])],
        kings: [turned(&setup.kings[1]), turned(&setup.kings[0])],
        runs: [black, white],
    }
}

/// Check the search with small limits, and the evaluation.
///
/// Two searches under different rules share a transposition table without different key salts, so that it contains
/// entries of other positions.
pub fn search(bytes: &[u8]) {
    let mut input = Input(bytes);
    let table = TranspositionTable::new(64 << input.below(8)).expect("there is memory for a small table");
    for _ in 0..2 {
        let rules = decode_rules(&mut input, MAX_SEARCHED_SIZE);
        let compiled = compile(rules.clone());
        let board = compiled.board(&decode_setup(&mut input, &rules));
        let weights = decode_weights(&mut input, &rules);
        let evaluator = compiled.evaluation(&weights).expect("the weights fit the board");
        assert!(board.evaluate(&*evaluator).is_some_and(|value| value.abs() <= 20_000));
        // A packed position of arbitrary bytes is rejected or has a row of features.
        let packed = &input.0[..input.0.len().min(packed_size(square_count(&rules)))];
        if !packed.is_empty()
            && let Ok(rows) = compiled.feature_rows(&*evaluator, packed)
        {
            assert_eq!(rows.phases.len(), 1);
        }
        let Some(legal) = list_limited(&*board, false) else { return };
        let nodes = 1 + input.below(3000) as u64;
        let limit = Limit {
            depth: Some(1 + input.below(6) as u32),
            nodes: Some(nodes),
            // Only positions whose captures have very many paths take this long.
            time: Some(Duration::from_secs(1)),
            clock: None,
        };
        let config = SearchConfig {
            table: &table,
            time: &Arc::new(TimeManager::new(limit, false)),
            multipv: 1 + input.below(3),
            threads: 1,
            seed: input.below(100) as u64,
            key_salt: 0,
            full_width: input.flag(),
        };
        let lines = board.search(&[], &[], &*evaluator, None, &config, &mut |_| ());
        assert!(lines.len() <= config.multipv.min(legal.len()));
        for (rank, line) in lines.iter().enumerate() {
            assert_eq!(line.rank, rank);
            assert!(
                line.nodes <= nodes.max(MAX_UNLIMITED_NODES * config.multipv as u64) + 1024,
                "{} nodes",
                line.nodes
            );
            check_line(&*board, &line.pv);
        }
    }
}

/// Check that a line consists of legal moves.
fn check_line(board: &dyn Board, line: &[SquareMove]) {
    let Some((first, rest)) = line.split_first() else { return };
    assert!(is_legal(board, first), "{first:?}");
    check_line(&*board.after(first), rest);
}

fn decode_weights(input: &mut Input<'_>, rules: &Rules) -> Weights {
    let mut weights = Weights::zero(rules, 1 + input.below(40));
    for _ in 0..input.below(8) {
        let weight = [0; 2].map(|_| i16::from_le_bytes([input.byte(), input.byte()]));
        let index = input.below(Feature::COUNT + 2 * weights.men.len());
        let tables = weights.counts.iter_mut().chain(&mut weights.men).chain(&mut weights.kings);
        tables.skip(index).take(1).for_each(|each| *each = weight);
    }
    weights
}
