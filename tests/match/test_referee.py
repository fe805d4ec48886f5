"""Single games between two players, and their possible endings."""

from __future__ import annotations

from typing import Any

import pytest

from tablemen import ArgumentError, Game, Outcome, Side, Termination
from tablemen.draughts import Position
from tablemen.draughts.pdn import Result, parse_pdn
from tablemen.family import get_family
from tablemen.mancala import Position as Pits
from tablemen.match import PlayedGame, play_game
from tablemen.players import Player, RandomPlayer
from tests.fake_players import Cheating, Failing, First, Resigning, Shuffling


def play(start: Any, white: Player, black: Player, **options: Any) -> PlayedGame:
    return play_game(Game(start), {Side.WHITE: white, Side.BLACK: black}, **options)


def test_a_game_between_random_players() -> None:
    seen: list[int] = []
    played = play(
        Position.start("english"),
        RandomPlayer(seed=1),
        RandomPlayer(seed=2),
        on_move=lambda game: seen.append(len(game.moves)),
    )
    assert played.outcome == played.game.outcome()
    assert seen == list(range(1, len(played.game.moves) + 1))
    assert played.players == {Side.WHITE: "random:seed=1", Side.BLACK: "random:seed=2"}
    assert played.failure == played.note == ""
    assert played.points(Side.WHITE) + played.points(Side.BLACK) == 1


def test_points() -> None:
    game: Game[Any, Any] = Game(Position.start("english"))
    won = PlayedGame(game, {}, Outcome(Side.BLACK, Termination.NO_MOVE))
    drawn = PlayedGame(game, {}, Outcome(None, Termination.REPETITION))
    assert [each.points(side) for each in (won, drawn) for side in Side] == [0, 1, 0.5, 0.5]


@pytest.mark.parametrize(
    ("player", "failure"),
    [
        (Failing(), "RuntimeError: out of {ideas}"),
        (Cheating(), "'1-50'"),
    ],
)
def test_a_player_that_fails_loses_by_forfeit(player: Player, failure: str) -> None:
    played = play(Position.start("international"), First(), player)
    assert played.outcome == Outcome(Side.WHITE, Termination.FORFEIT)
    assert played.failure.startswith(failure)
    assert played.game.outcome() is None
    written = parse_pdn(get_family(played.game.start).format_game(played.sheet(event="a cup", number=3)))
    assert written.result is Result.WHITE
    assert written.tags["Termination"] == "a player failed"
    assert (written.tags["Event"], written.tags["Round"]) == ("a cup", "3")
    assert written.moves == played.game.moves
    assert written.nodes[-1].comments == (played.note,)
    assert played.note.endswith(f": {played.failure}")


def test_notes_use_the_names_of_the_sides() -> None:
    played = play(Pits.start("kalah"), First(), Failing())
    assert "North" in played.note
    assert "Black" not in played.note
    assert f"Note: {played.note}\n" in get_family(played.game.start).format_game(played.sheet())


def test_a_player_may_resign() -> None:
    played = play(Pits.start("kalah"), First(), Resigning())
    assert played.outcome == Outcome(Side.WHITE, Termination.RESIGNATION)
    assert len(played.game.moves) == 1


def test_a_long_game_is_adjudicated_a_draw() -> None:
    played = play(Position.start("international"), RandomPlayer(), RandomPlayer(seed=1), longest=10)
    assert played.outcome == Outcome(None, Termination.ADJUDICATION)
    assert len(played.game.moves) == 10
    assert "10 plies" in played.sheet().note
    assert f"{{{played.note}}}" in get_family(played.game.start).format_game(played.sheet())


def test_a_game_that_ends_with_its_last_ply_is_not_adjudicated() -> None:
    game: Game[Any, Any] = Game(Position.from_fen("W:W28:B23", "international"))
    played = play_game(game, {Side.WHITE: First(), Side.BLACK: First()}, longest=1)
    assert played.outcome.termination is Termination.NO_PIECES


def test_a_draw_that_can_be_claimed_is_claimed() -> None:
    # In English draughts a draw must be claimed.
    played = play(Position.from_fen("B:WK32:BK1", "english"), Shuffling(), Shuffling())
    assert played.outcome == played.game.declared == Outcome(None, Termination.REPETITION)


def test_a_game_continues_from_its_position() -> None:
    game: Game[Any, Any] = Game(Position.start("english"), ["11-15", "23-19"])
    played = play_game(game, {Side.WHITE: First(), Side.BLACK: Resigning()})
    assert played.game is game
    assert played.outcome.winner is Side.WHITE
    assert play_game(game, {Side.WHITE: First(), Side.BLACK: First()}).outcome == played.outcome


def test_both_sides_need_a_player() -> None:
    with pytest.raises(ArgumentError) as caught:
        play_game(Game(Position.start("english")), {Side.WHITE: First()})
    assert caught.value.name == "players"


def test_an_interrupt_is_not_a_forfeit() -> None:
    class Interrupted(First):
        def choose(self, game: Game[Any, Any]) -> Any:  # noqa: ARG002 - the same in every game
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(Position.start("english"), First(), Interrupted())
