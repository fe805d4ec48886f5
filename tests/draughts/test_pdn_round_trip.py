"""PDN games survive writing and reading."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import Game, Outcome, Side, TablemenError, Termination
from tablemen.draughts import INTERNATIONAL, DraughtsRules, Move, Position
from tablemen.draughts.board import Notation
from tablemen.draughts.pdn import Nag, PdnGame, PdnLine, PdnNode, Result, format_pdn, parse_pdn, read_pdn, write_pdn
from tablemen.draughts.pdn.game import get_result
from tests.pdn_strategies import written_games
from tests.strategies import custom_rules, is_too_crowded, played_positions, variants


@settings(max_examples=60)
@given(written_games())
def test_round_trip(game: PdnGame) -> None:
    text = format_pdn(game)
    again = parse_pdn(text)
    assert again == game
    assert hash(again) == hash(game)
    assert format_pdn(again) == text


@pytest.mark.slow
@settings(max_examples=800)
@given(written_games())
def test_round_trip_of_many_games(game: PdnGame) -> None:
    assert parse_pdn(format_pdn(game)) == game


@settings(max_examples=15)
@given(custom_rules(), st.data())
def test_round_trip_under_given_custom_rules(rules: DraughtsRules, data: st.DataObject) -> None:
    game = data.draw(written_games(st.just(rules)))
    assert parse_pdn(format_pdn(game), variant=rules) == game


def test_column_x_is_not_a_capture_separator() -> None:
    rules = replace(INTERNATIONAL, name="wide", columns=24, rows=11, corner_playable=False, notation=Notation.ALGEBRAIC)
    game: Game[Position, Move] = Game(Position.start(rules), ["w8-x7", "a4-b5", "x7-w6", "g4-h5", "w6-x5"])
    written = PdnGame(PdnLine.from_moves(game.start, game.moves))
    assert parse_pdn(format_pdn(written), variant=rules).moves == game.moves


@settings(max_examples=20)
@given(st.lists(written_games(), max_size=4))
def test_round_trip_of_a_file(games: list[PdnGame]) -> None:
    file = io.StringIO(newline="")
    assert write_pdn(games, file) == len(games)
    file.seek(0)
    assert list(read_pdn(file)) == games
    assert list(read_pdn(io.BytesIO(file.getvalue().encode()))) == games


def test_single_game_is_written() -> None:
    game, file = parse_pdn("1. 32-28 19-23 *"), io.StringIO()
    assert write_pdn(game, file) == 1
    assert parse_pdn(file.getvalue()) == game


@settings(max_examples=30)
@given(written_games())
def test_lines_without_comments_have_at_most_80_columns(game: PdnGame) -> None:
    body = format_pdn(PdnGame(without_comments(game.line), {}))
    assert all(len(line) <= 80 or '/FEN "' in line or line.startswith("[FEN") for line in body.splitlines())


def without_comments(line: PdnLine) -> PdnLine:
    """Return a line with the legal moves only."""
    moves = [node.move for node in line.nodes]
    assert line.start is not None
    known = []
    position = line.start
    for move in moves:
        if isinstance(move, str) or not position.is_legal(move):
            break
        known.append(move)
        position = position.play(move)
    return PdnLine.from_moves(line.start, known)


@settings(max_examples=20)
@given(written_games())
def test_games_can_be_pickled(game: PdnGame) -> None:
    read = parse_pdn(format_pdn(game))
    assert pickle.loads(pickle.dumps(read)) == game


def test_repr_evaluates_to_an_equal_game() -> None:
    game = parse_pdn('[White "Ann"] 1. 32-28 $7 (33-28 19-23 {c}) 1-0')
    names = {each.__name__: each for each in (Move, Nag, PdnGame, PdnLine, PdnNode, Position)}
    assert eval(repr(game), names) == game


# Editing


@settings(max_examples=60)
@given(written_games(), st.randoms(use_true_random=False))
def test_edited_games_survive_writing_and_reading(game: PdnGame, random: Random) -> None:
    for _ in range(4):
        line = edit_randomly(game.line, random)
        game = game.replace(line=line, tags={**game.tags, "Annotator": "Ann"})
        assert parse_pdn(format_pdn(game)) == game


def edit_randomly(line: PdnLine, random: Random) -> PdnLine:
    """Return the line with one random edit, perhaps in one of its variations."""
    path: list[int] = []
    inner = line
    while inner.nodes and random.random() < 0.5:
        places = [(ply, number) for ply, node in enumerate(inner.nodes) for number in range(len(node.variations))]
        if not places:
            break
        ply, number = random.choice(places)
        path += (ply, number)
        inner = inner.nodes[ply].variations[number]
    return line.edit(path, lambda inner: change_randomly(inner, random))


def change_randomly(line: PdnLine, random: Random) -> PdnLine:
    """Return the line with one random change; unchanged if that is impossible."""
    position = line.positions()[-1]
    if not line.nodes or random.random() < 0.2:
        legal = () if position is None or is_too_crowded(position) else position.legal_moves()
        return line.extend([random.choice(legal)]) if legal else line
    ply = random.randrange(len(line.nodes))
    before, variations = line.positions()[ply], line.nodes[ply].variations
    kind = random.randrange(6)
    if kind == 0:
        line = line.truncate(ply) if ply else line
    elif kind == 1:
        line = line.add_note(ply, Nag(4) if random.random() < 0.5 else "a comment")
    elif kind == 2:
        line = line.replace_node(ply, strength="!")
    elif kind == 3 and before is not None and not is_too_crowded(before) and before.legal_moves():
        line = line.add_variation(ply, [str(random.choice(before.legal_moves()))])
    elif kind == 4 and variations:
        line = line.delete_variation(ply, random.randrange(len(variations)))
    elif kind == 5 and variations:
        number = random.randrange(len(variations))
        try:
            line = line.promote_variation(ply, number)
        except TablemenError:
            assert not variations[number].nodes or variations[number].positions()[0] != before
    return line


@settings(max_examples=60)
@given(written_games(), st.randoms(use_true_random=False))
def test_promotion_and_demotion_keep_all_moves_and_notes(game: PdnGame, random: Random) -> None:
    line = game.line
    before = line.positions()
    places = [
        (ply, number)
        for ply, node in enumerate(line.nodes)
        for number, variation in enumerate(node.variations)
        if variation.nodes and variation.positions()[0] == before[ply] and not variation.notes
    ]
    if not places:
        return
    ply, number = random.choice(places)
    promoted = line.promote_variation(ply, number)
    variation = line.nodes[ply].variations[number]
    assert promoted.moves == line.moves[:ply] + variation.moves
    assert sorted(list_contents(promoted)) == sorted(list_contents(line))
    # Set-ups separate the variations of a move, so the former main line is not always the last one.
    former = next(
        index
        for index, each in enumerate(promoted.nodes[ply].variations)
        if each.moves == line.moves[ply:] and each.start == before[ply]
    )
    demoted = promoted.promote_variation(ply, former)
    assert demoted.moves == line.moves
    assert sorted(list_contents(demoted)) == sorted(list_contents(line))


def list_contents(line: PdnLine) -> list[str]:
    """Return all moves, comments, glyphs and set-ups of a line and its variations."""
    contents: list[str] = []
    for notes in (line.notes, *(node.notes for node in line.nodes)):
        for note in notes:
            contents += list_contents(note) if isinstance(note, PdnLine) else [repr(note)]
    return contents + [f"{node.move}{node.strength}" for node in line.nodes]


def test_edits_with_wrong_arguments_are_errors() -> None:
    line = PdnLine(Position.start("international")).extend("32-28 19-23").add_variation(1, ["18-23"])
    wrong: list[Callable[[], object]] = [
        lambda: line.truncate(2),
        lambda: line.replace_node(-1, strength="!"),
        lambda: line.add_note(0, Position.start("international")),  # type: ignore[arg-type]
        lambda: line.add_variation(1, "32-28"),
        lambda: line.add_variation(1, ""),
        lambda: line.extend("28-22 1-2"),
        lambda: line.delete_variation(1, 1),
        lambda: line.promote_variation(0, 0),
        lambda: line.edit((1,), lambda each: each),
        lambda: line.edit((1, 0, 0, 0), lambda each: each),
        lambda: PdnLine(None).extend("32-28"),
        lambda: PdnGame.from_game(Game(Position.start("international")), clocks=[timedelta(1)]),
    ]
    for call in wrong:
        with pytest.raises(TablemenError):
            call()


# Games that were played

TIMES = st.timedeltas(timedelta(0), timedelta(days=9))


@settings(max_examples=20)
@given(
    played_positions(variants()),
    st.integers(0, 10),
    st.lists(st.timedeltas(timedelta(0), timedelta(days=9)) | st.none()),
)
def test_game_that_was_played(start: Position, plies: int, clocks: list[timedelta | None]) -> None:
    game: Game[Position, Move] = Game(start)
    while len(game.moves) < plies and not is_too_crowded(game.position) and (legal := game.legal_moves()):
        game.push(legal[0])
    if game.outcome() is None:
        game.resign(game.position.turn)
    clocks = clocks[: len(game.moves)]
    written = PdnGame.from_game(game, {"White": "Ann", "Date": "2024.05.01"}, clocks=clocks)
    read = parse_pdn(format_pdn(written))
    assert read == written
    outcome = game.outcome()
    assert outcome is not None
    assert (read.result, read.moves, read.start) == (get_result(outcome.winner), game.moves, start)
    assert [node.clock for node in read.nodes[: len(clocks)]] == clocks
    assert (read.tags["White"], read.tags["Termination"]) == ("Ann", str(outcome.termination))


def test_outcome_and_result_of_a_game_that_was_played() -> None:
    game: Game[Position, Move] = Game(Position.start("international"), ["32-28"])
    assert PdnGame.from_game(game).result is Result.NONE
    assert PdnGame.from_game(game, {"Result": "2-0"}).result is Result.WHITE
    forfeit = PdnGame.from_game(game, {"Result": "2-0"}, outcome=Outcome(Side.BLACK, Termination.TIME))
    assert (forfeit.tags["Result"], forfeit.tags["Termination"]) == ("0-2", str(Termination.TIME))
