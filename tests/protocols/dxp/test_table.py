"""A game with a player of ours, from its first move to its end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tablemen import Game, Outcome, PeerError, PeerGoneError, PeerTimeoutError, ProtocolError, Side, Termination
from tablemen.draughts import find_variant
from tablemen.protocols.dxp import table
from tablemen.protocols.dxp.patience import Patience
from tablemen.protocols.transport import Transport
from tests.patience import LONG
from tests.players_for_tests import First
from tests.protocols.dxp.visits import (
    BLACK_FOR_US,
    FIRST,
    NAME,
    WHITE_FOR_US,
    Visit,
    Waiting,
    begins,
    from_position,
    script,
)

WE_WIN = from_position("W", "W" + "e" * 22 + "z" + "e" * 4 + "w" + "e" * 22)  # 28x19
THEY_WIN = from_position("Z", "W" + "e" * 22 + "z" + "e" * 4 + "w" + "e" * 22)


def test_a_game_that_we_win_is_ended_by_who_cannot_move() -> None:
    visit = Visit()
    visit.follow(script(*begins(WE_WIN), b"<M000028190123", b">E10", b"<E00"))
    assert visit.sheet.outcome == Outcome(Side.WHITE, Termination.NO_PIECES)


def test_a_game_that_we_win_is_ended_by_us_where_the_other_goes_on() -> None:
    visit = Visit()
    visit.follow(script(*begins(WE_WIN), b"<M000028190123", b">M0000010600", b"<E30", b">E00"))
    assert visit.sheet.outcome == Outcome(Side.WHITE, Termination.NO_PIECES)


def test_a_game_that_we_win_is_ended_by_us_where_the_other_says_nothing() -> None:
    visit = Visit(patience=Patience(ending=0.05))
    with pytest.raises(PeerTimeoutError, match="did not confirm the end of the game"):
        visit.follow(script(*begins(WE_WIN), b"<M000028190123", b"<E30", b"<"))
    assert visit.sheet.outcome == Outcome(Side.WHITE, Termination.NO_PIECES)
    assert visit.sheet.note == ""


def test_a_game_that_we_lose_is_ended_by_us() -> None:
    visit = Visit()
    visit.follow(script(*begins(THEY_WIN), b">M000028190123", b"<E10", b">E00"))
    assert visit.sheet.outcome == Outcome(Side.WHITE, Termination.NO_PIECES)


def test_a_draw_that_can_be_claimed_is_claimed() -> None:
    rules = find_variant("english")
    visit = Visit(Shuttling(), rules=rules)
    there_and_back = (b">M0000282400", b"<M0000010600", b">M0000242800", b"<M0000060100")
    position = "Z" + "W" + "e" * 26 + "Z" + "e" * 4
    talk = script(*begins(from_position("W", position)), *there_and_back * 2, b">M0000282400", b"<E20", b">E00")
    visit.follow(talk)
    assert visit.sheet.outcome == Outcome(None, Termination.REPETITION)


class Shuttling(First):
    """Goes with its king from 1 to 6 and back."""

    name = "shuttling"

    def choose(self, game: Game[Any, Any]) -> Any:
        return next(move for move in game.legal_moves() if {int(move.start), int(move.end)} == {1, 6})


def test_a_game_ends_with_the_number_of_moves_that_was_asked_for() -> None:
    visit = Visit()
    request = b"R01" + NAME + b"W005001A"
    visit.follow(script(*begins(request), b"<" + FIRST, b">M0000192300", b"<E20", b">E00"))
    assert visit.sheet.outcome == Outcome(None, Termination.ADJUDICATION)
    assert visit.sheet.note == "ended after 2 moves"
    visit = Visit()
    visit.follow(script(*begins(request.replace(b"W005", b"Z005")), b">M0000322800", b"<M0000162100", b">E00", b"<E00"))
    assert visit.sheet.outcome == Outcome(None, Termination.ADJUDICATION)


@pytest.mark.parametrize(("reason", "note"), [(b"2", "as a draw, which is not due"), (b"3", "won, which it has not")])
def test_nobody_wins_or_draws_by_saying_so(reason: bytes, note: str) -> None:
    visit = Visit()
    visit.follow(script(*begins(BLACK_FOR_US), b">M0001322800", b"<M0000162100", b">E" + reason + b"0", b"<E00"))
    assert visit.sheet.outcome is None
    assert note in visit.sheet.note


def test_a_takeback_while_we_think_begins_the_thought_anew() -> None:
    player = Waiting(times=1)
    visit = Visit(player)

    async def talk(wire: Transport) -> None:
        await script(*begins(BLACK_FOR_US), b">M0001322800", b"<M0000162100", b">M0001373200")(wire)
        assert await asyncio.to_thread(player.thinks.wait, LONG)
        await script(b">B009W", b"<K2")(wire)  # which is not in the past: the thought goes on
        assert player.thinks.is_set()
        await script(b">B001W", b"<K0", b">M0001332900")(wire)
        assert await asyncio.to_thread(player.thinks.wait, LONG)
        await script(b">E10", b"<E00")(wire)

    visit.follow(talk)
    assert player.seen == [1, 3, 1]
    assert [str(move) for move in visit.sheet.game.moves] == ["33-29"]
    assert "them takes moves back: 0 are left" in visit.told
    assert visit.sheet.outcome == Outcome(Side.BLACK, Termination.RESIGNATION)


def test_takebacks_can_be_switched_off() -> None:
    visit = Visit(takebacks=False)
    visit.follow(script(*begins(BLACK_FOR_US), b">M0001322800", b"<M0000162100", b">B001W", b"<K1", b">E10", b"<E00"))
    assert len(visit.sheet.game.moves) == 2


def test_moves_taken_back_are_told_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "CHATS", 2)
    visit = Visit()
    back = b">M0000322800", b"<M0000162100", b">B001W", b"<K0"
    visit.follow(script(*begins(BLACK_FOR_US), *back * 4, b">E11", b"<E00"))
    assert len([line for line in visit.told if "takes moves back" in line]) == 2


def test_chats_are_told_and_do_no_harm() -> None:
    player = Waiting()
    visit = Visit(player)

    async def talk(wire: Transport) -> None:
        await script(b">Canybody?", *begins(WHITE_FOR_US))(wire)
        assert await asyncio.to_thread(player.thinks.wait, LONG)
        await script(*(b">C\x1b[2Jhello",) * 200, b">E10", b"<E00")(wire)

    visit.follow(talk)
    assert visit.told[0].endswith(": anybody?")
    assert visit.told[2:102] == ["them: \\x1b[2Jhello"] * 100
    assert len(visit.told) == 103


@pytest.mark.parametrize(
    ("said", "error", "problem"),
    [
        (b"M0001322200\0", ProtocolError, "played what is not legal"),
        (b"R01" + NAME + b"W005000A\0", ProtocolError, "asked for a game while a game is on"),
        (b"C" + b"x" * 200, ProtocolError, "more than 127 bytes"),
        (b"\xff\0", ProtocolError, "no message of DXP"),
        (b"M0001", PeerGoneError, "has closed the connection"),
    ],
)
@pytest.mark.parametrize("request_bytes", [WHITE_FOR_US, BLACK_FOR_US])
def test_what_goes_wrong_ends_the_game_and_the_connection(
    request_bytes: bytes, said: bytes, error: type[PeerError], problem: str
) -> None:
    player = Waiting()
    visit = Visit(player)
    if request_bytes is WHITE_FOR_US and said[:1] == b"M":
        problem = "has closed the connection|moved out of turn"

    async def talk(wire: Any) -> None:
        await script(*begins(request_bytes))(wire)
        if request_bytes is WHITE_FOR_US:
            assert await asyncio.to_thread(player.thinks.wait, LONG)
        wire._writer.write(said)
        if said[-1:] == b"\0" or len(said) > 127:
            assert await wire.receive() is None

    with pytest.raises(error, match=problem):
        visit.follow(talk)
    side = Side.WHITE if request_bytes is WHITE_FOR_US else Side.BLACK
    assert visit.sheet.outcome == Outcome(side, Termination.FORFEIT)
    assert visit.sheet.note
    assert not visit.sheet.game.moves
    assert not player.thinks.is_set()


def test_who_takes_too_long_loses_on_time() -> None:
    visit = Visit(patience=Patience(moving=0.05))
    visit.follow(script(*begins(BLACK_FOR_US), b"<E30", b">E00"))
    assert visit.sheet.outcome == Outcome(Side.BLACK, Termination.TIME)


def test_who_has_no_clock_and_does_not_move_is_left() -> None:
    visit = Visit(patience=Patience(moving=0.05))
    with pytest.raises(PeerTimeoutError, match=r"did not move within 0\.05 s"):
        visit.follow(script(*begins(BLACK_FOR_US.replace(b"Z005", b"Z000")), b"<"))
    assert visit.sheet.outcome == Outcome(Side.BLACK, Termination.FORFEIT)
