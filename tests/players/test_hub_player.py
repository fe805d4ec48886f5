"""Engine players connected by Hub: their text, their limits, and their games."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import mancala
from tablemen.draughts import Position, find_variant
from tablemen.errors import ArgumentError, PeerGoneError, ProtocolError, TablemenError
from tablemen.game import Game
from tablemen.players import HubPlayer, format_player, parse_player
from tablemen.players.options import quote
from tablemen.search import Clock, Limit, Score
from tests.protocols.hub.fakes import fake

WORDS = st.text("abc-_.0é", min_size=1)
TEXTS = st.text(st.characters(exclude_characters='"\n', codec="utf-8"))
COMMANDS = st.text(min_size=1).filter(str.strip)


@given(
    player=st.builds(
        HubPlayer,
        address=COMMANDS,
        depth=st.none() | st.integers(1, 99),
        time=st.none() | st.floats(0.001, 1e6),
        label=st.none() | COMMANDS.filter(str.isprintable),
        folder=st.none() | COMMANDS,
        options=st.dictionaries(WORDS, TEXTS, max_size=3),
    )
)
def test_players_round_trip(player: HubPlayer) -> None:
    assert parse_player(format_player(player)) == player
    assert eval(repr(player)) == player


@pytest.mark.parametrize(
    ("text", "player"),
    [
        ("hub:scan", HubPlayer(address="scan")),
        ('hub:"scan hub"', HubPlayer(address="scan hub")),
        ('hub:"scan hub",time=0.5,nodes=9', HubPlayer(address="scan hub", time=0.5, nodes=9)),
        (
            'hub:"scan hub",folder="/opt/scan 3.1",name="Scan, quick"',
            HubPlayer(address="scan hub", folder="/opt/scan 3.1", label="Scan, quick"),
        ),
        (
            'hub:"./a b/scan" , depth = 3 , set-threads = 2 , set-book="a, b"',
            HubPlayer(address="./a b/scan", depth=3, options={"threads": "2", "book": "a, b"}),
        ),
    ],
)
def test_parse_hub_players(text: str, player: HubPlayer) -> None:
    assert parse_player(text) == player


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ('hub:""', "address", ""),
        ("hub:scan,set-=1", "option", ""),
        ("hub:scan,depth=0", "depth", 0),
        ("hub:scan,folder=", "folder", ""),
        ('hub:scan,name="a\nb"', "name", "a\nb"),
    ],
)
def test_invalid_values_are_rejected(text: str, name: str, value: object) -> None:
    with pytest.raises(ArgumentError) as caught:
        parse_player(text)
    assert (caught.value.name, caught.value.value) == (name, value)


def test_the_constructor_checks_program_options() -> None:
    with pytest.raises(ArgumentError) as caught:
        HubPlayer(address="scan", options={"threads": 2})  # type: ignore[dict-item]
    assert (caught.value.name, caught.value.value) == ("threads", 2)


def test_the_default_limit_is_a_second() -> None:
    player = HubPlayer(address="scan")
    assert player.limit == Limit(time=1)
    player.clock = Clock(60)
    assert player.limit == Limit()
    assert HubPlayer(address="scan", depth=3).limit == Limit(depth=3)


def test_rules_without_a_hub_name_are_rejected_before_the_start() -> None:
    player = HubPlayer(address="no-such-engine")
    with pytest.raises(TablemenError, match="Kalah"):
        player.check(mancala.Position.start("kalah"))
    own = Position.start(replace(find_variant("international"), name="mine", losing=True))
    with pytest.raises(TablemenError, match="mine"):
        player.choose(Game(own))
    player.check(Position.start("frysk"))
    with pytest.raises(PeerGoneError) as caught:
        player.choose(Game(Position.start("frysk")))
    assert caught.value.peer == "no-such-engine"


@pytest.mark.parametrize("last", ["done", "done move=1-6"])
def test_a_failed_program_is_restarted(last: str) -> None:
    answers = f"send('info score=0.5', 'done move=32-28'); await_search(); send('{last}'); receive()"
    command = fake(f"greet(); await_search(); {answers}")
    game = Game(Position.start("international"))
    with HubPlayer(address=shlex.join(command), time=60) as player:
        assert str(player.choose(game)) == "32-28"
        assert player.score == Score(0.5)
        with pytest.raises(ProtocolError) as caught:
            player.choose(game)
        assert caught.value.said == repr(last)
        assert player.score != Score(0.5)
        assert str(player.choose(game)) == "32-28"  # by a new process
    assert not game.moves


def test_a_command_with_quotes_round_trips() -> None:
    player = HubPlayer(address='sh -c "scan hub"')
    assert str(player) == f"hub:{quote(player.address)}"
    assert parse_player(str(player)) == player


def test_a_program_runs_in_its_folder(tmp_path: Path) -> None:
    report = "send(f'id name=\"{os.path.basename(os.getcwd())}\" version=2', 'wait')"
    command = fake(f"receive(); {report}; receive(); send('ready'); await_search(); send('done move=32-28'); receive()")
    folder = tmp_path / "a, b"
    folder.mkdir()
    text = f"hub:{quote(shlex.join(command))},time=60,folder={quote(str(folder))}"
    with parse_player(text) as player:
        assert str(player.choose(Game(Position.start("international")))) == "32-28"
        assert player.name == "a, b 2"
    assert format_player(player) == text


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    player = HubPlayer(address="scan hub", folder=str(tmp_path / "none"))
    with pytest.raises(PeerGoneError, match=r"^scan hub cannot be started: .*none is not a folder$"):
        player.begin_game(Game(Position.start("international")))
