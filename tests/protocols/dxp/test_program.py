"""Games over connections, one after the other: those that are asked for, and those that we ask for."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tablemen import Game, Outcome, PeerError, ProtocolError, Side, Termination
from tablemen.draughts import VARIANTS, DraughtsRules, Position, find_variant
from tablemen.players import MinimaxPlayer, Player, RandomPlayer
from tablemen.protocols.dxp import program
from tablemen.protocols.dxp.terms import Terms
from tablemen.protocols.transport import Transport, connect, listen
from tablemen.protocols.transport.framing import DXP
from tests.patience import LONG, run_in_time
from tests.players_for_tests import Cheating, Failing, First, Resigning
from tests.protocols.dxp.visits import (
    ACCEPTS,
    ANYWHERE,
    BLACK_FOR_US,
    FIRST,
    INTERNATIONAL,
    WHITE_FOR_US,
    Visit,
    Waiting,
    begins,
    from_position,
    script,
)


def test_a_game_as_the_follower() -> None:
    visit = Visit()
    talk = script(*begins(BLACK_FOR_US), b">M0001322800", b"<M0000162100", b">E10", b"<E00")
    assert visit.follow(talk) == 1
    assert visit.sheet.outcome == Outcome(Side.BLACK, Termination.RESIGNATION)
    assert visit.sheet.players == {Side.WHITE: "them", Side.BLACK: "us"}
    assert [str(move) for move in visit.sheet.game.moves] == ["32-28", "16-21"]
    assert visit.told == ["game 1: black against them", "game 1: Black wins: resignation"]


def test_games_as_the_initiator_with_either_colour() -> None:
    visit = Visit(terms=Terms("us", 7, 30))
    talk = script(
        *(b"<R01us" + b" " * 30 + b"Z007030A", b">Athem0", b"<" + FIRST, b">E10", b"<E00"),
        *(b"<R01us" + b" " * 30 + b"W007030A", b">Athem0", b">M0000322800", b"<M0000162100", b">E00", b"<E01"),
    )
    assert visit.lead(talk, games=2) == 2
    assert [sheet.outcome for sheet in visit.sheets] == [Outcome(Side.WHITE, Termination.RESIGNATION), None]
    assert visit.sheets[1].players == {Side.WHITE: "them", Side.BLACK: "us"}
    assert visit.told[-1] == "game 2: no result (the opponent ended the game without a reason)"


def test_who_leaves_is_not_asked_again() -> None:
    talk = script(b"<R01us" + b" " * 30 + b"W005000A", b">Athem0", b">E11", b"<E00", b"<")
    assert Visit().lead(talk, games=3, first=Side.BLACK) == 1


@pytest.mark.parametrize("code", [b"1", b"2", b"3"])
def test_who_wants_no_game_is_an_error(code: bytes) -> None:
    with pytest.raises(PeerError, match=r"speaks another version|does not want to play"):
        Visit().lead(script(b"<R01us" + b" " * 30 + b"Z005000A", b">Athem" + code, b"<"))


def test_games_that_cannot_be_played_are_declined_and_others_are_not() -> None:
    visit = Visit()
    talk = script(
        *(b">R02", b"<Aus" + b" " * 30 + b"1", b">" + from_position("W", "W" + "w" * 32)),
        *(b"<Aus" + b" " * 30 + b"2", *begins(BLACK_FOR_US), b">E00", b"<E00"),
    )
    assert visit.follow(talk) == 1
    assert "version 2 of DXP is not spoken here" in visit.told[0]
    assert "32 squares are given, and international has 50" in visit.told[1]


@pytest.mark.parametrize("games", [0, 1, 20])
def test_who_asks_too_often_in_vain_is_left(games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "PAUSE", 0)
    visit = Visit()
    talk = script(
        *(*begins(BLACK_FOR_US), b">E10", b"<E00") * games,
        *(b">R02", b"<Aus" + b" " * 30 + b"1") * (20 - games),
        *(b">" + BLACK_FOR_US, b"<Aus" + b" " * 30 + b"3", b"<"),
    )
    with pytest.raises(ProtocolError, match=r"^127.0.0.1:\d+ asked for 20 games in vain$"):
        visit.follow(talk)
    assert len(visit.told) == games * 2 + 20 - games


def test_after_so_many_games_we_leave() -> None:
    talk = script(*begins(BLACK_FOR_US), b">E00", b"<E00", *begins(BLACK_FOR_US), b">E00", b"<E01", b"<")
    assert Visit().follow(talk, games=2) == 2


class Exhausted(First):
    """Has no moves left to choose from."""

    name = "exhausted"

    def choose(self, game: Game[Any, Any]) -> Any:
        return next(move for move in game.legal_moves() if move is None)


@pytest.mark.parametrize(
    ("player", "outcome", "note"),
    [
        (Failing(), Termination.FORFEIT, "our player failed: RuntimeError: out\\nof {ideas}"),
        (Cheating(), Termination.FORFEIT, "our player failed: chose '1-50', which is not legal"),
        (Exhausted(), Termination.FORFEIT, "our player failed: RuntimeError: the work raised StopIteration"),
        (Resigning(), Termination.RESIGNATION, ""),
    ],
)
def test_a_player_that_fails_loses_the_game_and_the_next_one_begins(
    player: Player, outcome: Termination, note: str
) -> None:
    visit = Visit(player)

    async def talk(wire: Transport) -> None:
        for _ in range(2):
            await wire.send(WHITE_FOR_US)
            assert await wire.receive() == ACCEPTS
            game = Game(Position.start(INTERNATIONAL))
            while (heard := await wire.receive()) != b"E10":
                assert heard is not None
                game.push(game.legal_moves()[0])
                move = game.push(game.legal_moves()[0])
                captured = "".join(f"{int(square):02}" for square in move.captured)
                text = f"M0000{int(move.start):02}{int(move.end):02}{len(move.captured):02}{captured}"
                await wire.send(text.encode())
            await wire.send(b"E00")

    visit.follow(talk)
    assert [sheet.outcome for sheet in visit.sheets] == [Outcome(Side.BLACK, outcome)] * 2
    assert visit.sheets[0].note == note


def test_a_game_that_is_broken_off_is_kept() -> None:
    player = Waiting()
    visit = Visit(player)

    async def run() -> None:
        listener = await listen(ANYWHERE, DXP)
        there = await connect(listener.address, DXP)
        following = asyncio.create_task(visit.host.follow(await listener.accept()))
        await script(*begins(WHITE_FOR_US))(there)
        assert await asyncio.to_thread(player.thinks.wait, LONG)
        following.cancel()
        with pytest.raises(asyncio.CancelledError):
            await following
        assert await there.receive() is None
        await there.close()
        await listener.close()

    run_in_time(run())
    assert (visit.sheet.outcome, visit.sheet.note) == (None, "broken off")
    assert not player.thinks.is_set()


def play_each_other(rules: DraughtsRules, games: int, *players: Player) -> tuple[Visit, Visit]:
    """Our two ends over a socket."""
    leader, follower = (Visit(player, rules=rules) for player in players)
    leader.lead(follower.host.follow, games=games)
    return leader, follower


def compare(leader: Visit, follower: Visit, games: int) -> None:
    """Both have had the same games, and agree on how they ended."""
    assert len(leader.sheets) == len(follower.sheets) == games
    for mine, yours in zip(leader.sheets, follower.sheets, strict=True):
        assert mine.outcome is not None
        assert mine.outcome.termination is not Termination.FORFEIT
        assert (mine.game.start, mine.game.moves, mine.outcome) == (yours.game.start, yours.game.moves, yours.outcome)
        assert mine.players == yours.players


def test_our_two_ends_play_games_of_frysk_on_one_connection() -> None:
    leader, follower = play_each_other(find_variant("frysk"), 2, RandomPlayer(seed=1), MinimaxPlayer(depth=1))
    compare(leader, follower, 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_our_two_ends_play_whole_games_of_every_variant(name: str) -> None:
    rules = replace(VARIANTS[name])
    leader, follower = play_each_other(rules, 2, RandomPlayer(seed=7), MinimaxPlayer(depth=1, seed=3))
    compare(leader, follower, 2)
