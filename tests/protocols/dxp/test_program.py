"""Our players over real sockets: against peers byte by byte, and against each other."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from tablemen import Game, Outcome, PeerError, PeerGoneError, PeerTimeoutError, ProtocolError, Side, Termination
from tablemen.draughts import VARIANTS, DraughtsRules, Position, find_variant
from tablemen.families import ScoreSheet
from tablemen.players import RESIGN, MinimaxPlayer, Player, RandomPlayer
from tablemen.protocols.dxp import program, table
from tablemen.protocols.dxp.patience import Patience
from tablemen.protocols.dxp.program import DxpHost
from tablemen.protocols.dxp.terms import Terms
from tablemen.protocols.transport import Transport, connect, listen
from tablemen.protocols.transport.framing import DXP
from tablemen.protocols.transport.tcp import Address
from tests.players_for_tests import Cheating, Failing, First, Resigning
from tests.protocols.dxp.peers import untimed
from tests.protocols.patience import LONG, run_in_time

INTERNATIONAL = find_variant("international")
ANYWHERE = Address("127.0.0.1", 0)
ACCEPTS = b"Aus" + b" " * 30 + b"0"
NAME = b"them".ljust(32)
WHITE_FOR_US = b"R01" + NAME + b"W005000A"
BLACK_FOR_US = b"R01" + NAME + b"Z005000A"
FIRST = b"M0000312700"  # what our player begins with

Talk = Callable[[Transport], Awaitable[object]]


class Waiting(First):
    """Thinks until it is stopped, but for the first few times; the other end can wait for it to begin."""

    name = "waiting"

    def __init__(self, times: int = 0) -> None:
        self.times = times
        self.thinks = threading.Event()
        self.stopped = threading.Event()
        self.seen: list[int] = []

    def choose(self, game: Game[Any, Any]) -> Any:
        self.seen.append(len(game.moves))
        if len(self.seen) > self.times:
            self.stopped.clear()
            self.thinks.set()
            self.stopped.wait(LONG)
            self.thinks.clear()
        return super().choose(game)

    def stop(self) -> None:
        self.stopped.set()


class Visit:
    """What a host tells, and the games that it had."""

    def __init__(self, player: Player | None = None, *, rules: DraughtsRules = INTERNATIONAL, **settings: Any) -> None:
        self.told: list[str] = []
        self.sheets: list[ScoreSheet] = []
        usual: dict[str, Any] = {"terms": Terms("us", 5), "patience": Patience(ending=30), "gives_up": RESIGN}
        self.host = DxpHost(
            player=player or First(),
            rules=rules,
            tell=self.told.append,
            on_game=self.sheets.append,
            **(usual | settings),
        )

    @property
    def sheet(self) -> ScoreSheet:
        """The only game."""
        (sheet,) = self.sheets
        return sheet

    def follow(self, talk: Talk, *, games: int | None = None) -> int:
        """Lets the host follow, while somebody talks to it over a socket."""
        return run_in_time(self._meet(lambda wire: self.host.follow(wire, games=games), talk))

    def lead(self, talk: Talk, *, games: int = 1, first: Side = Side.WHITE) -> int:
        """Lets the host lead."""
        return run_in_time(self._meet(lambda wire: self.host.lead(wire, games=games, first=first), talk))

    @staticmethod
    async def _meet(play: Callable[[Transport], Awaitable[int]], talk: Talk) -> int:
        listener = await listen(ANYWHERE, DXP)
        there = await connect(listener.address, DXP)
        here = await listener.accept()

        async def speak() -> None:
            try:
                await talk(there)
            finally:
                await there.close()

        try:
            played, spoken = await asyncio.gather(play(here), speak(), return_exceptions=True)
        finally:
            await listener.close()
        if isinstance(spoken, BaseException):
            raise spoken
        if isinstance(played, BaseException):
            raise played
        return played


def script(*lines: bytes) -> Talk:
    """Sends what begins with >, and expects what begins with <; None is the end that the other side makes."""

    async def talk(wire: Transport) -> None:
        for line in lines:
            if line[:1] == b">":
                await wire.send(line[1:])
            else:
                heard = untimed(await wire.receive())
                assert heard == (None if line == b"<" else line[1:])

    return talk


def begins(request: bytes) -> tuple[bytes, bytes]:
    """A game is asked for and accepted."""
    return b">" + request, b"<" + ACCEPTS


def from_position(follower: str, position: str, *, moves: int = 0) -> bytes:
    """A request for a game from there."""
    return b"R01" + NAME + f"{follower}005{moves:03}B{position}".encode()


WE_WIN = from_position("W", "W" + "e" * 22 + "z" + "e" * 4 + "w" + "e" * 22)  # 28x19
THEY_WIN = from_position("Z", "W" + "e" * 22 + "z" + "e" * 4 + "w" + "e" * 22)


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


def test_moves_taken_back_are_told_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "CHATS", 2)
    visit = Visit()
    back = b">M0000322800", b"<M0000162100", b">B001W", b"<K0"
    visit.follow(script(*begins(BLACK_FOR_US), *back * 4, b">E11", b"<E00"))
    assert len([line for line in visit.told if "takes moves back" in line]) == 2


def test_after_so_many_games_we_leave() -> None:
    talk = script(*begins(BLACK_FOR_US), b">E00", b"<E00", *begins(BLACK_FOR_US), b">E00", b"<E01", b"<")
    assert Visit().follow(talk, games=2) == 2


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


@pytest.mark.parametrize(
    ("player", "outcome", "note"),
    [
        (Failing(), Termination.FORFEIT, "our player failed: RuntimeError: out\\nof {ideas}"),
        (Cheating(), Termination.FORFEIT, "our player failed: chose '1-50', which is not legal"),
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
