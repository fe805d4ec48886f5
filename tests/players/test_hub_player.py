"""Players that are engines of Hub: their text, their limits, and their games."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace

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
            'hub:"./a b/scan" , depth = 3 , set-threads = 2 , set-book="a, b"',
            HubPlayer(address="./a b/scan", depth=3, options={"threads": "2", "book": "a, b"}),
        ),
    ],
)
def test_texts(text: str, player: HubPlayer) -> None:
    assert parse_player(text) == player


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("hub", 'hub needs the command of a program: hub:"scan hub"'),
        ('hub:""', "address is ''"),
        ("hub:scan,threads=2", "hub has no option 'threads'"),
        ("hub:scan,set-threads", "the option set-threads of hub has no value"),
        ("hub:scan,set-a=1,set-a=2", "the option set-a of hub is given twice"),
        ("hub:scan,set-=1", "option is ''"),
        ("hub:scan,depth=0", "depth is 0"),
        ('hub:"scan', "a quote is open"),
    ],
)
def test_bad_texts_are_refused(text: str, problem: str) -> None:
    with pytest.raises(TablemenError, match=re.escape(problem)):
        parse_player(text)


def test_options_are_checked_in_python_too() -> None:
    with pytest.raises(ArgumentError, match="threads is 2: a text of one line"):
        HubPlayer(address="scan", options={"threads": 2})  # type: ignore[dict-item]


def test_the_default_limit_is_a_second() -> None:
    player = HubPlayer(address="scan")
    assert player.limit == Limit(time=1)
    player.clock = Clock(60)
    assert player.limit == Limit()
    assert HubPlayer(address="scan", depth=3).limit == Limit(depth=3)


def test_games_without_a_hub_name_are_refused_before_the_start() -> None:
    player = HubPlayer(address="no-such-engine")
    with pytest.raises(TablemenError, match="Hub is for draughts, and Kalah is another game"):
        player.check(mancala.Position.start("kalah"))
    own = Position.start(replace(find_variant("international"), name="mine", losing=True))
    with pytest.raises(TablemenError, match="Hub has no name for custom rules such as mine"):
        player.choose(Game(own))
    player.check(Position.start("frysk"))
    with pytest.raises(PeerGoneError, match="no-such-engine cannot be started"):
        player.choose(Game(Position.start("frysk")))


@pytest.mark.parametrize(
    ("last", "problem"),
    [("done", "ended its search without a move"), ("done move=1-6", "played an illegal move")],
)
def test_a_player_whose_program_fails_is_started_again(last: str, problem: str) -> None:
    answers = f"send('info score=0.5', 'done move=32-28'); await_search(); send('{last}'); receive()"
    command = fake(f"greet(); await_search(); {answers}")
    game = Game(Position.start("international"))
    with HubPlayer(address=shlex.join(command), time=60) as player:
        assert str(player.choose(game)) == "32-28"
        assert player.score == Score(0.5)
        with pytest.raises(ProtocolError, match=problem):
            player.choose(game)
        assert player.score != Score(0.5)
        assert str(player.choose(game)) == "32-28"  # it is started again
    assert not game.moves


def test_a_command_may_have_quotes_of_its_own() -> None:
    player = HubPlayer(address='sh -c "scan hub"')
    assert str(player) == f"hub:{quote(player.address)}"
    assert parse_player(str(player)) == player
