"""Engine players connected by DXP."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from tablemen import ArgumentError, Game, PeerGoneError, Side, TablemenError, mancala
from tablemen.draughts import Position
from tablemen.players import DxpPlayer, format_player, parse_player
from tests.protocols.dxp.fakes import ACCEPTS, Wire, peer

OURS = "-m tablemen engine dxp --player random"


@pytest.mark.parametrize(
    "text",
    [
        "dxp:localhost:27531",
        "dxp:localhost:27531,listen=1,minutes=10,moves=75",
        "dxp:localhost:27531,time=0.5,name=Truus",
        'dxp:"truus --port {port}",minutes=1',
    ],
)
def test_round_trip(text: str) -> None:
    player = parse_player(text)
    assert isinstance(player, DxpPlayer)
    assert format_player(player) == text
    assert parse_player(format_player(player)) == player


@pytest.mark.parametrize(
    "text",
    ["dxp", "dxp:localhost", 'dxp:"a program"', "dxp:localhost:1,minutes=0", "dxp:localhost:1,listen=2"],
)
def test_invalid_texts_are_rejected(text: str) -> None:
    with pytest.raises(ArgumentError):
        parse_player(text)


@pytest.mark.parametrize("setting", ["depth=3", "nodes=100"])
def test_limits_of_a_move_are_not_options(setting: str) -> None:
    with pytest.raises(TablemenError, match=f"dxp has no option '{setting.partition('=')[0]}'"):
        parse_player(f"dxp:localhost:27531,{setting}")


def test_a_player_is_single_at_an_address_but_not_as_a_command() -> None:
    assert DxpPlayer(address="localhost:27531").is_single
    assert not DxpPlayer(address="truus --listen {address}").is_single


def test_other_families_are_rejected() -> None:
    with pytest.raises(TablemenError, match="Kalah"):
        DxpPlayer(address="localhost:27531").check(mancala.Position.start("kalah"))


def test_a_player_is_reopened_after_a_failure() -> None:
    def first(wire: Wire) -> None:
        wire.receive()

    def second(wire: Wire) -> None:
        wire.receive()
        wire.send(ACCEPTS, b"M0001322800")
        wire.expect(b"E00")
        wire.send(b"E00")
        assert wire.receive() is None

    game = Game(Position.start("international"))
    with peer(first, second) as (host, port), DxpPlayer(address=f"{host}:{port}") as player:
        with pytest.raises(PeerGoneError):
            player.choose(game)
        assert str(player.choose(game)) == "32-28"
        player.end_game(game, None)


@pytest.mark.slow
def test_engine_dxp_plays_and_writes_its_games(tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    python = shlex.quote(sys.executable)
    command = f"{python} {OURS} --variant frysk --listen {{address}} --pdn {shlex.quote(str(file))}"
    with DxpPlayer(address=command) as player:
        for _ in range(2):
            game = Game(Position.start("frysk"))
            while not game.outcome():
                game.push(player.choose(game) if game.position.turn is Side.WHITE else game.legal_moves()[0])
            player.end_game(game, game.outcome())
    assert file.read_text().count('[Event "tablemen engine dxp"]') == 2
