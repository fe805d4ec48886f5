"""Engine players connected by the Kalah Game Protocol."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

import pytest

from tablemen import Game, Side
from tablemen.errors import GameError, PeerGoneError, TablemenError
from tablemen.mancala import KalahRules, Position, Swap
from tablemen.match import play_game
from tablemen.players import KgpPlayer, RandomPlayer, format_player, parse_player
from tests.protocols.kgp.fakes import ThreadedClient, answering, connecting, started

US = f"{sys.executable} -m tablemen engine kgp --connect {{address}} --player robot"


def test_players_as_text() -> None:
    player = parse_player("kgp:localhost:2671,time=2")
    assert isinstance(player, KgpPlayer)
    assert (player.address, player.time, player.is_single) == ("localhost:2671", 2, True)
    assert format_player(player) == "kgp:localhost:2671,time=2"
    command = parse_player('kgp:"program --port {port}"')
    assert isinstance(command, KgpPlayer)
    assert not command.is_single
    assert parse_player(format_player(command)) == command
    assert set(KgpPlayer.settings()) == {"address", "time", "name"}


@pytest.mark.parametrize(
    "text", ["kgp", "kgp:nowhere", "kgp:program", "kgp:localhost:2671,depth=3", "kgp:x:1,nodes=3", 'kgp:"a \'{port}"']
)
def test_invalid_players_are_rejected(text: str) -> None:
    with pytest.raises(TablemenError):
        parse_player(text)


@pytest.mark.parametrize("rules", ["oware", KalahRules(name="pie", swap=Swap.PIE)])
def test_unsupported_rules_are_rejected(rules: Any) -> None:
    with pytest.raises(GameError):
        KgpPlayer(address="localhost:2671").check(Position.start(rules))


def test_a_player_waits_for_another_client_after_a_disconnect() -> None:
    def script(client: ThreadedClient) -> None:
        answering(leave=True)(client)
        port = client.socket.getpeername()[1]
        client.close()
        state = None
        while state is None:  # refused until the first client is known to have disconnected
            client = ThreadedClient(port)
            with contextlib.suppress(OSError):
                client.send_lines("mode freeplay")
                state = client.receive_until("state")
            if state is not None:
                client.send_lines(f"@{state.id} move 6", f"@{state.id} yield")
                client.receive_until("goodbye")
            client.close()

    with connecting(script) as port, KgpPlayer(address=f"127.0.0.1:{port}", time=1000) as player:
        with pytest.raises(PeerGoneError):
            player.choose(started())
        assert player.choose(started()).house == 6


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["kgp", "kalah", "irving"])
def test_complete_games_with_a_started_program(rules: str) -> None:
    with parse_player(f'kgp:"{US}",time=20') as player:
        for side in Side:
            players = {side: player, side.opponent: RandomPlayer(seed=1)}
            played = play_game(Game(Position.start(rules)), players)
            assert played.failure == ""
            assert played.outcome == played.game.outcome()
