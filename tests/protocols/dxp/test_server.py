"""Our DXP host over sockets, as initiator and as follower of games."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any, cast

import pytest

from tablemen import Game, Outcome, PeerError, PeerGoneError, PeerTimeoutError, ProtocolError, Side, Termination
from tablemen.draughts import VARIANTS, DraughtsRules, Position, find_variant
from tablemen.players import MinimaxPlayer, Player, RandomPlayer
from tablemen.protocols.dxp import DxpTimeouts, GameSettings, server
from tablemen.protocols.dxp.engine import END_CLAIMS, REFUSALS
from tablemen.protocols.dxp.messages import FRAMING, AcceptCode, EndReason
from tablemen.protocols.dxp.protocol import Phase
from tablemen.protocols.transport import Transport, connect, listen
from tablemen.protocols.transport.stream import StreamTransport
from tests.fake_clock import run_in_fake_time
from tests.fake_players import Cheating, Failing, First, Resigning
from tests.protocols.dxp.fakes import (
    ANYWHERE,
    BLACK_FOR_US,
    FIRST,
    HOST_ACCEPTS,
    INTERNATIONAL,
    NAME,
    WHITE_FOR_US,
    AsyncScript,
    Hosted,
    Waiting,
    accepted,
    async_script,
    from_position,
)
from tests.timeouts import TIMEOUT, run_in_time

MOVES = b">M0001322800", b"<M0000162100"  # the peer's first move and ours
WE_WIN = from_position("W", "W" + "e" * 22 + "z" + "e" * 4 + "w" + "e" * 22)  # 28x19
THEY_WIN = from_position("Z", "W" + "e" * 22 + "z" + "e" * 4 + "w" + "e" * 22)


def test_the_host_plays_as_the_follower() -> None:
    hosted = Hosted()
    run_peer = async_script(*accepted(BLACK_FOR_US), *MOVES, b">E10", b"<E00")
    assert hosted.follow(run_peer) == 1
    assert hosted.sheet.outcome == Outcome(Side.BLACK, Termination.RESIGNATION)
    assert hosted.sheet.players == {Side.WHITE: "them", Side.BLACK: "us"}
    assert [str(move) for move in hosted.sheet.game.moves] == ["32-28", "16-21"]
    assert len(hosted.reports) == 2
    assert "them" in hosted.reports[0]
    assert all(line.startswith("game 1: ") for line in hosted.reports)


def test_the_host_plays_as_the_initiator_with_either_colour() -> None:
    hosted = Hosted(settings=GameSettings("us", 7, 30))
    run_peer = async_script(
        *(b"<R01us" + b" " * 30 + b"Z007030A", b">Athem0", b"<" + FIRST, b">E10", b"<E00"),
        *(b"<R01us" + b" " * 30 + b"W007030A", b">Athem0", *MOVES, b">E00", b"<E01"),
    )
    assert hosted.lead(run_peer, games=2) == 2
    assert [sheet.outcome for sheet in hosted.sheets] == [Outcome(Side.WHITE, Termination.RESIGNATION), None]
    assert hosted.sheets[1].players == {Side.WHITE: "them", Side.BLACK: "us"}
    assert hosted.reports[-1].startswith("game 2: ")
    assert END_CLAIMS[EndReason.UNKNOWN] in hosted.reports[-1]


def test_no_game_is_requested_after_the_last() -> None:
    run_peer = async_script(b"<R01us" + b" " * 30 + b"W005000A", b">Athem0", b">E11", b"<E00", b"<")
    assert Hosted().lead(run_peer, games=3, first=Side.BLACK) == 1


@pytest.mark.parametrize("code", REFUSALS)
def test_a_declined_request_raises(code: AcceptCode) -> None:
    with pytest.raises(PeerError) as caught:
        Hosted().lead(async_script(b"<R01us" + b" " * 30 + b"Z005000A", b">Athem" + code.value.encode(), b"<"))
    assert caught.value.problem == REFUSALS[code]


def test_unplayable_games_are_declined_and_others_accepted() -> None:
    hosted = Hosted()
    run_peer = async_script(
        *(b">R02", b"<Aus" + b" " * 30 + b"1", b">" + from_position("W", "W" + "w" * 32)),
        *(b"<Aus" + b" " * 30 + b"2", *accepted(BLACK_FOR_US), b">E00", b"<E00"),
    )
    assert hosted.follow(run_peer) == 1
    assert "version 2" in hosted.reports[0]
    assert "50 squares" in hosted.reports[1]
    assert len(hosted.reports) == 4


@pytest.mark.parametrize("games", [0, 1, 20])
def test_too_many_failed_requests_close_the_connection(games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "GAME_INTERVAL", 0)
    hosted = Hosted()
    run_peer = async_script(
        *(*accepted(BLACK_FOR_US), b">E10", b"<E00") * games,
        *(b">R02", b"<Aus" + b" " * 30 + b"1") * (20 - games),
        *(b">" + BLACK_FOR_US, b"<Aus" + b" " * 30 + b"3", b"<"),
    )
    with pytest.raises(ProtocolError) as caught:
        hosted.follow(run_peer)
    assert caught.value.peer.startswith("127.0.0.1:")
    assert str(server.MAX_FAILED_REQUESTS) in caught.value.problem
    assert len(hosted.reports) == games * 2 + 20 - games


def test_the_host_leaves_after_its_last_game() -> None:
    run_peer = async_script(*accepted(BLACK_FOR_US), b">E00", b"<E00", *accepted(BLACK_FOR_US), b">E00", b"<E01", b"<")
    assert Hosted().follow(run_peer, games=2) == 2


class Exhausted(First):
    """A player that raises StopIteration."""

    name = "exhausted"

    def choose(self, game: Game[Any, Any]) -> Any:
        return next(move for move in game.legal_moves() if move is None)


@pytest.mark.parametrize(
    ("player", "outcome", "detail"),
    [
        (Failing(), Termination.FORFEIT, "RuntimeError: out\\nof {ideas}"),
        (Cheating(), Termination.FORFEIT, "'1-50'"),
        (Exhausted(), Termination.FORFEIT, "StopIteration"),
        (Resigning(), Termination.RESIGNATION, ""),
    ],
)
def test_a_player_that_fails_loses_only_the_current_game(player: Player, outcome: Termination, detail: str) -> None:
    hosted = Hosted(player)

    async def run_peer(wire: Transport) -> None:
        for _ in range(2):
            await wire.send(WHITE_FOR_US)
            assert await wire.receive() == HOST_ACCEPTS
            game = Game(Position.start(INTERNATIONAL))
            while (received := await wire.receive()) != b"E10":
                assert received is not None
                game.push(game.legal_moves()[0])
                move = game.push(game.legal_moves()[0])
                captured = "".join(f"{int(square):02}" for square in move.captured)
                text = f"M0000{int(move.start):02}{int(move.end):02}{len(move.captured):02}{captured}"
                await wire.send(text.encode())
            await wire.send(b"E00")

    hosted.follow(run_peer)
    assert [sheet.outcome for sheet in hosted.sheets] == [Outcome(Side.BLACK, outcome)] * 2
    assert detail in hosted.sheets[0].note
    assert bool(hosted.sheets[0].note) is bool(detail)


def test_an_aborted_game_is_recorded() -> None:
    player = Waiting()
    hosted = Hosted(player)

    async def run() -> None:
        listener = await listen(ANYWHERE, FRAMING)
        there = await connect(listener.address, FRAMING)
        following = asyncio.create_task(hosted.host.follow(await listener.accept()))
        await async_script(*accepted(WHITE_FOR_US))(there)
        assert await asyncio.to_thread(player.is_thinking.wait, TIMEOUT)
        following.cancel()
        with pytest.raises(asyncio.CancelledError):
            await following
        assert await there.receive() is None
        await there.close()
        await listener.close()

    run_in_time(run())
    assert (hosted.sheet.outcome, hosted.sheet.note) == (None, "broken off")
    assert not player.is_thinking.is_set()


def play_each_other(rules: DraughtsRules, games: int, *players: Player) -> tuple[Hosted, Hosted]:
    """Let two of our hosts play over a socket, and return both."""
    leader, follower = (Hosted(player, rules=rules) for player in players)
    leader.lead(follower.host.follow, games=games)
    return leader, follower


def check_same_games(leader: Hosted, follower: Hosted, games: int) -> None:
    """Check that both hosts have the same games and outcomes."""
    assert len(leader.sheets) == len(follower.sheets) == games
    for mine, yours in zip(leader.sheets, follower.sheets, strict=True):
        assert mine.outcome is not None
        assert mine.outcome.termination is not Termination.FORFEIT
        assert (mine.game.start, mine.game.moves, mine.outcome) == (yours.game.start, yours.game.moves, yours.outcome)
        assert mine.players == yours.players


def test_two_hosts_play_games_over_one_connection() -> None:
    leader, follower = play_each_other(find_variant("frysk"), 2, RandomPlayer(seed=1), MinimaxPlayer(depth=1))
    check_same_games(leader, follower, 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_two_hosts_play_whole_games_of_every_variant(name: str) -> None:
    rules = replace(VARIANTS[name])
    leader, follower = play_each_other(rules, 2, RandomPlayer(seed=7), MinimaxPlayer(depth=1, seed=3))
    check_same_games(leader, follower, 2)


def test_the_loser_ends_a_game_that_we_win() -> None:
    hosted = Hosted()
    hosted.follow(async_script(*accepted(WE_WIN), b"<M000028190123", b">E10", b"<E00"))
    assert hosted.sheet.outcome == Outcome(Side.WHITE, Termination.NO_PIECES)


def test_we_end_a_game_that_we_win_if_the_peer_plays_on() -> None:
    hosted = Hosted()
    hosted.follow(async_script(*accepted(WE_WIN), b"<M000028190123", b">M0000010600", b"<E30", b">E00"))
    assert hosted.sheet.outcome == Outcome(Side.WHITE, Termination.NO_PIECES)


def test_we_end_a_game_that_we_win_if_the_peer_is_silent() -> None:
    hosted = Hosted(timeouts=DxpTimeouts(end=0.05))
    with pytest.raises(PeerTimeoutError) as caught:
        hosted.follow(async_script(*accepted(WE_WIN), b"<M000028190123", b"<E30", b"<"))
    assert caught.value.seconds == 0.05
    assert hosted.sheet.outcome == Outcome(Side.WHITE, Termination.NO_PIECES)
    assert hosted.sheet.note == ""


def test_we_end_a_game_that_we_lose() -> None:
    hosted = Hosted()
    hosted.follow(async_script(*accepted(THEY_WIN), b">M000028190123", b"<E10", b">E00"))
    assert hosted.sheet.outcome == Outcome(Side.WHITE, Termination.NO_PIECES)


def test_a_claimable_draw_is_claimed() -> None:
    rules = find_variant("english")
    hosted = Hosted(Shuttling(), rules=rules)
    there_and_back = (b">M0000282400", b"<M0000010600", b">M0000242800", b"<M0000060100")
    position = "Z" + "W" + "e" * 26 + "Z" + "e" * 4
    run_peer = async_script(
        *accepted(from_position("W", position)), *there_and_back * 2, b">M0000282400", b"<E20", b">E00"
    )
    hosted.follow(run_peer)
    assert hosted.sheet.outcome == Outcome(None, Termination.REPETITION)


class Shuttling(First):
    """A player that moves its king from 1 to 6 and back."""

    name = "shuttling"

    def choose(self, game: Game[Any, Any]) -> Any:
        return next(move for move in game.legal_moves() if {int(move.start), int(move.end)} == {1, 6})


def test_a_game_ends_after_the_requested_number_of_moves() -> None:
    hosted = Hosted()
    request = b"R01" + NAME + b"W005001A"
    hosted.follow(async_script(*accepted(request), b"<" + FIRST, b">M0000192300", b"<E20", b">E00"))
    assert hosted.sheet.outcome == Outcome(None, Termination.ADJUDICATION)
    assert "2 moves" in hosted.sheet.note
    hosted = Hosted()
    hosted.follow(async_script(*accepted(request.replace(b"W005", b"Z005")), *MOVES, b">E00", b"<E00"))
    assert hosted.sheet.outcome == Outcome(None, Termination.ADJUDICATION)


@pytest.mark.parametrize("reason", [EndReason.DRAWN, EndReason.WON])
def test_a_false_claim_of_the_peer_is_not_an_outcome(reason: EndReason) -> None:
    hosted = Hosted()
    hosted.follow(async_script(*accepted(BLACK_FOR_US), *MOVES, b">E" + reason.value.encode() + b"0", b"<E00"))
    assert hosted.sheet.outcome is None
    assert END_CLAIMS[reason] in hosted.sheet.note
    assert server.DISPUTES[reason] in hosted.sheet.note


def test_a_takeback_restarts_our_search() -> None:
    player = Waiting(fast_moves=1)
    hosted = Hosted(player)

    async def run_peer(wire: Transport) -> None:
        await async_script(*accepted(BLACK_FOR_US), *MOVES, b">M0001373200")(wire)
        assert await asyncio.to_thread(player.is_thinking.wait, TIMEOUT)
        await async_script(b">B009W", b"<K2")(wire)  # a takeback beyond the current move: the search continues
        assert player.is_thinking.is_set()
        await async_script(b">B001W", b"<K0", b">M0001332900")(wire)
        assert await asyncio.to_thread(player.is_thinking.wait, TIMEOUT)
        await async_script(b">E10", b"<E00")(wire)

    hosted.follow(run_peer)
    assert player.plies == [1, 3, 1]
    assert [str(move) for move in hosted.sheet.game.moves] == ["33-29"]
    assert len([line for line in hosted.reports if line.startswith("them ")]) == 1
    assert hosted.sheet.outcome == Outcome(Side.BLACK, Termination.RESIGNATION)


def test_takebacks_can_be_switched_off() -> None:
    hosted = Hosted(takebacks=False)
    hosted.follow(async_script(*accepted(BLACK_FOR_US), *MOVES, b">B001W", b"<K1", b">E10", b"<E00"))
    assert len(hosted.sheet.game.moves) == 2


def test_only_the_first_takebacks_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MAX_NOTICES", 2)
    hosted = Hosted()
    back = *MOVES, b">B001W", b"<K0"
    hosted.follow(async_script(*accepted(BLACK_FOR_US), *back * 4, b">E11", b"<E00"))
    assert len([line for line in hosted.reports if line.startswith("them ")]) == 2


def test_the_number_of_takebacks_of_a_game_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MAX_TAKEBACKS", 3)
    hosted = Hosted()
    back = *MOVES, b">B001W", b"<K0"
    hosted.follow(async_script(*accepted(BLACK_FOR_US), *back * 3, *MOVES, b">B001W", b"<K2", b">E11", b"<E00"))
    assert len(hosted.sheet.game.moves) == 2


def test_chats_are_reported_with_control_characters_escaped() -> None:
    player = Waiting()
    hosted = Hosted(player)

    async def run_peer(wire: Transport) -> None:
        await async_script(b">Chello?", *accepted(WHITE_FOR_US))(wire)
        assert await asyncio.to_thread(player.is_thinking.wait, TIMEOUT)
        await async_script(*(b">C\x1b[2Jhello",) * 200, b">E10", b"<E00")(wire)

    hosted.follow(run_peer)
    assert hosted.reports[0].endswith(": hello?")
    assert hosted.reports[2:102] == ["them: \\x1b[2Jhello"] * 100
    assert len(hosted.reports) == 103


@pytest.mark.parametrize(
    ("data", "error", "detail"),
    [
        (b"M0001322200\0", ProtocolError, "'M0001322200'"),
        (b"R01" + NAME + b"W005000A\0", ProtocolError, Phase.PLAYING.value),
        (b"C" + b"x" * 200, ProtocolError, "127 bytes"),
        (b"\xff\0", ProtocolError, "byte 255"),
        (b"M0001", PeerGoneError, ""),
    ],
)
@pytest.mark.parametrize("request_bytes", [WHITE_FOR_US, BLACK_FOR_US])
def test_a_fault_of_the_peer_ends_the_game_and_the_connection(
    request_bytes: bytes, data: bytes, error: type[PeerError], detail: str
) -> None:
    player = Waiting()
    hosted = Hosted(player)

    async def run_peer(wire: Any) -> None:
        await async_script(*accepted(request_bytes))(wire)
        if request_bytes is WHITE_FOR_US:
            assert await asyncio.to_thread(player.is_thinking.wait, TIMEOUT)
        wire._writer.write(data)
        if data[-1:] == b"\0" or len(data) > 127:
            assert await wire.receive() is None

    with pytest.raises(error) as caught:
        hosted.follow(run_peer)
    assert detail in str(caught.value)
    side = Side.WHITE if request_bytes is WHITE_FOR_US else Side.BLACK
    assert hosted.sheet.outcome == Outcome(side, Termination.FORFEIT)
    assert hosted.sheet.note
    assert not hosted.sheet.game.moves
    assert not player.is_thinking.is_set()


def test_a_peer_that_exceeds_its_time_loses() -> None:
    hosted = Hosted(timeouts=DxpTimeouts(move=0.05))
    hosted.follow(async_script(*accepted(BLACK_FOR_US), b"<E30", b">E00"))
    assert hosted.sheet.outcome == Outcome(Side.BLACK, Termination.TIME)


def test_a_peer_without_a_clock_that_does_not_move_times_out() -> None:
    hosted = Hosted(timeouts=DxpTimeouts(move=0.05))
    with pytest.raises(PeerTimeoutError) as caught:
        hosted.follow(async_script(*accepted(BLACK_FOR_US.replace(b"Z005", b"Z000")), b"<"))
    assert caught.value.seconds == 0.05
    assert hosted.sheet.outcome == Outcome(Side.BLACK, Termination.FORFEIT)


class FakeWriter:
    """A writer that accepts all data."""

    def write(self, data: bytes) -> None:
        pass

    async def drain(self) -> None:
        pass

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        pass

    async def wait_closed(self) -> None:
        pass


@pytest.mark.parametrize(
    "chunks",
    [[], [b"R01"], [b"C", b"h", b"i", b"\0"], [b"Chello\0"], [b"R", b"0", b"1"]],
    ids=["silent", "half a message", "a slow chat", "chats", "a slow request"],
)
def test_a_peer_that_does_not_request_a_game_is_dropped(chunks: list[bytes]) -> None:
    hosted = Hosted(timeouts=DxpTimeouts(request=20))

    async def run() -> None:
        reader = asyncio.StreamReader(limit=FRAMING.read_limit)
        transport = StreamTransport(reader, cast("asyncio.StreamWriter", FakeWriter()), FRAMING, "peer")

        async def drip() -> None:
            for chunk in chunks * 10:
                reader.feed_data(chunk)
                await asyncio.sleep(7)

        dripping = asyncio.create_task(drip())
        with pytest.raises(PeerTimeoutError, match=r"^peer did not request a game within 20 s$"):
            await hosted.host.follow(transport)
        dripping.cancel()

    _, seconds = run_in_fake_time(run())
    assert seconds == 20
    assert not hosted.sheets


async def play_peers(hosted: Hosted, *scripts: AsyncScript) -> list[int | BaseException]:
    """Let peers connect at the same time, and return the numbers of games of the host, or its errors."""
    listener = await listen(ANYWHERE, FRAMING)
    wires, hosting = [], []
    for _ in scripts:
        wires.append(await connect(listener.address, FRAMING))
        hosting.append(asyncio.create_task(hosted.host.follow(await listener.accept())))
    try:
        await asyncio.gather(*(run(wire) for run, wire in zip(scripts, wires, strict=True)))
        return await asyncio.gather(*hosting, return_exceptions=True)
    finally:
        for wire in wires:
            await wire.close()
        await listener.close()


def test_a_silent_peer_does_not_block_another_one() -> None:
    hosted = Hosted()
    played = asyncio.Event()

    async def stay_silent(wire: Transport) -> None:
        await played.wait()
        await wire.close()

    async def play(wire: Transport) -> None:
        await async_script(*accepted(BLACK_FOR_US), *MOVES, b">E11", b"<E00", b"<")(wire)
        played.set()

    assert run_in_time(play_peers(hosted, stay_silent, play)) == [0, 1]


def test_a_peer_that_connects_during_a_game_plays_the_next_one() -> None:
    hosted = Hosted()
    order: list[str] = []
    playing, requested = asyncio.Event(), asyncio.Event()

    async def play_first(wire: Transport) -> None:
        await async_script(*accepted(BLACK_FOR_US))(wire)
        playing.set()
        await requested.wait()
        await async_script(*MOVES)(wire)
        order.append("first game")
        await async_script(b">E10", b"<E00", b">" + BLACK_FOR_US)(wire)  # it requests another game
        await async_script(b"<" + HOST_ACCEPTS)(wire)
        order.append("third game")
        await async_script(b">E11", b"<E00", b"<")(wire)

    async def play_second(wire: Transport) -> None:
        await playing.wait()
        await wire.send(WHITE_FOR_US)
        requested.set()
        await async_script(b"<" + HOST_ACCEPTS, b"<" + FIRST)(wire)
        order.append("second game")
        await async_script(b">E11", b"<E00", b"<")(wire)

    assert run_in_time(play_peers(hosted, play_first, play_second)) == [2, 1]
    assert order == ["first game", "second game", "third game"]
