"""The board's side of a conversation, without any program."""

from __future__ import annotations

import re
from typing import TypeAlias

import pytest

from tablemen.draughts import Move, Position
from tablemen.errors import ProtocolError
from tablemen.game import Game
from tablemen.protocols.hub.board_conversation import MOST_OPTIONS, BoardConversation, Mode, State, tell_game
from tablemen.protocols.hub.event import Finished, Informed, Opened, Ponged, Started
from tablemen.search import Limit

DraughtsGame: TypeAlias = Game[Position, Move]
START = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww"


def game_of(*moves: str, variant: str = "international") -> DraughtsGame:
    return Game(Position.start(variant), moves)


def ready() -> BoardConversation:
    conversation = BoardConversation("fake")
    conversation.greet()
    conversation.hear("wait")
    conversation.start()
    conversation.hear("ready")
    return conversation


def searching(*moves: str) -> BoardConversation:
    conversation = ready()
    conversation.search(game_of(*moves), Limit(depth=3), Mode.THINK)
    return conversation


def test_a_whole_conversation() -> None:
    conversation = BoardConversation("fake")
    assert conversation.greet() == ("hub",)
    assert conversation.hear("Fake 1.0, the strongest of all") is None
    assert conversation.hear('id name=Fake version=1.0 author="Some Body" country=Nowhere') is None
    assert conversation.hear("param name=threads value=1 type=int min=1 max=4") is None
    assert conversation.hear("param name=book value=true type=bool") is None
    assert conversation.hear("wait") == Opened()
    assert conversation.facts == {"name": "Fake", "version": "1.0", "author": "Some Body", "country": "Nowhere"}
    assert conversation.set_option("threads", "4") == ("set-param name=threads value=4",)
    assert conversation.options["threads"].value == 4
    assert conversation.start() == ("init",)
    assert conversation.hear("loading done 50% = fine") is None
    assert conversation.hear("done") is None  # whatever it prints while it begins
    assert conversation.hear('id "') is None
    assert conversation.hear("ready") == Started()
    assert conversation.search(game_of("32-28", "19-23"), Limit(time=1), Mode.THINK) == (
        f'pos pos={START} moves="32-28 19-23"',
        "level move-time=1",
        "go think",
    )
    assert conversation.hear("info depth=1 score=0.5") == Informed({"depth": "1", "score": "0.5"})
    assert conversation.hear("info depth=2 pv=28x19x23") == Informed({"depth": "2", "score": "0.5", "pv": "28x19x23"})
    assert conversation.ping() == ("ping",)
    assert conversation.hear("pong") == Ponged()
    assert conversation.stop() == ("stop",)
    assert conversation.stop() == ()
    finished = conversation.hear("done move=28x19x23 ponder=14x23x19")
    assert isinstance(finished, Finished)
    assert (str(finished.move), str(finished.ponder)) == ("28x19", "14x23")
    assert conversation.state is State.READY
    assert conversation.forget() == ("new-game",)
    assert conversation.search(game_of(), Limit(), Mode.PONDER)[1:] == ("level infinite", "go ponder")
    assert conversation.hit() == ("ponder-hit",)
    assert conversation.quit() == ("quit",)
    assert conversation.quit() == ()
    assert conversation.hear("done move=nonsense") is None


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("done move=32-27x", "played a move that is not legal: 'done move=32-27x'"),
        ("done move=19-23", "played a move that is not legal"),
        ('done move=""', "played a move that is not legal"),
        ('done move="32-28', "said what cannot be read (a quote is not closed)"),
        ("ready", "said ready without being asked"),
        ("wait", "said wait without being asked"),
        ("id name=Other", "said id without being asked"),
        ("param name=a value=1 type=int", "said param without being asked"),
        ('error message="out of memory"', "reports an error: 'out of memory'"),
    ],
)
def test_what_is_wrong_in_a_search(line: str, problem: str) -> None:
    conversation = searching()
    with pytest.raises(ProtocolError, match=re.escape(f"fake {problem}")):
        conversation.hear(line)
    assert conversation.state is State.ENDED
    assert conversation.hear("done move=32-28") is None


def test_a_second_answer_and_one_that_nobody_asked_for() -> None:
    conversation = searching()
    assert isinstance(conversation.hear("done move=32-28"), Finished)
    with pytest.raises(ProtocolError, match="fake said done without being asked: 'done move=32-28'"):
        conversation.hear("done move=32-28")
    with pytest.raises(ProtocolError, match="fake said done without being asked"):
        ready().hear("done")


def test_findings_of_a_search_that_is_over_change_nothing() -> None:
    conversation = ready()
    assert conversation.hear("info depth=3 score=1") is None
    assert conversation.state is State.READY


@pytest.mark.parametrize("stops", [False, True])
def test_a_search_for_a_move_ends_with_one(stops: bool) -> None:  # noqa: FBT001 - both are tried
    conversation = searching()
    conversation.hear("info score=0 pv=1-2")
    if stops:
        conversation.stop()
    with pytest.raises(ProtocolError, match="fake ended its search without a move: 'done'"):
        conversation.hear("done")
    assert conversation.state is State.ENDED


@pytest.mark.parametrize("mode", [Mode.ANALYSE, Mode.PONDER])
def test_an_analysis_may_end_without_a_move(mode: Mode) -> None:
    conversation = ready()
    conversation.search(game_of(), Limit(), mode)
    assert conversation.hear("done") == Finished(None, None, {})
    conversation.search(game_of(), Limit(), mode)
    conversation.hit()
    with pytest.raises(ProtocolError, match="without a move"):
        conversation.hear("done")


def test_no_move_after_a_stop_is_what_was_told_of() -> None:
    conversation = searching()
    conversation.hear('info score=0 pv="32-28 19-23"')
    conversation.stop()
    finished = conversation.hear("done")
    assert isinstance(finished, Finished)
    assert str(finished.move) == "32-28"


def test_a_reply_that_cannot_be_is_left_out() -> None:
    finished = searching().hear("done move=32-28 ponder=1-50")
    assert isinstance(finished, Finished)
    assert (str(finished.move), finished.ponder) == ("32-28", None)


@pytest.mark.parametrize(
    "line",
    [
        *("hello there", "", "   ", "=", "doné", 'say "', "\x00", "INFO depth=3", "copyprotection ok"),
        *("pong", 'info pv="32-28'),
    ],
)
def test_what_nobody_knows_means_nothing(line: str) -> None:
    conversation = searching()
    assert conversation.hear(line) is None
    assert conversation.state is State.SEARCHING


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("param value=1 type=int", "declares an option that makes no sense (an option without a name is declared)"),
        (
            "param name=a value=x type=int",
            "declares an option that makes no sense (the value of a is not a whole number)",
        ),
        (f"param name=a value={'x' * 5000} type=string", "declares an option with more than 4,096 characters"),
        ("ready", "said ready without being asked"),
        ("done", "said done without being asked"),
        ('error message="bad command"', "reports an error: 'bad command'"),
    ],
)
def test_what_is_wrong_in_a_greeting(line: str, problem: str) -> None:
    conversation = BoardConversation("fake")
    conversation.greet()
    with pytest.raises(ProtocolError, match=re.escape(f"fake {problem}")):
        conversation.hear(line)


def test_there_is_an_end_to_options_and_names() -> None:
    conversation = BoardConversation("fake")
    conversation.greet()
    conversation.hear(f'id name="{"a" * 1000}" version="\x1b[31m"')
    assert conversation.facts == {"name": "a" * 80, "version": r"\x1b[31m"}
    for number in range(MOST_OPTIONS):
        conversation.hear(f"param name=o{number} value=1 type=int")
    conversation.hear("param name=o3 value=7 type=int")  # once more is no further one
    with pytest.raises(ProtocolError, match="declares more than 200 options"):
        conversation.hear("param name=another value=1 type=int")


def test_a_program_of_the_first_hub_is_recognised() -> None:
    conversation = BoardConversation("fake")
    conversation.greet()
    assert conversation.hear("name Scan 2.0") is None
    assert conversation.hear("author Fabien Letouzey") is None
    assert conversation.hear("wait") == Opened()
    assert conversation.facts["name"] == "Scan 2.0"
    assert conversation.set_option("threads", "2") == ("set threads 2",)
    assert conversation.start() == ("init",)
    assert conversation.hear("ready") == Started()
    lines = conversation.search(game_of("32-28"), Limit(depth=3), Mode.ANALYSE)
    assert lines == (f"pos {START.lower()}", "move 32-28", "depth 3", "analyse")
    assert conversation.hear("info 2 1.5 -12 30 0.01 3.0 19-23 28x19x23") is not None
    finished = conversation.hear("move 19-23 28x19x23")
    assert isinstance(finished, Finished)
    assert (str(finished.move), finished.told["score"]) == ("19-23", "-0.12")
    with pytest.raises(ProtocolError, match="fake reports an error: 'bad position'"):
        conversation.hear("error bad position")


def test_a_program_that_turns_out_to_speak_the_second_hub() -> None:
    conversation = BoardConversation("fake", first=True)
    conversation.greet()
    conversation.hear("id name=Scan version=3.1")
    conversation.hear("wait")
    assert conversation.facts == {"name": "Scan", "version": "3.1"}
    assert conversation.set_option("threads", "2") == ("set-param name=threads value=2",)


def test_what_cannot_be_said_now_is_not_said() -> None:
    with pytest.raises(RuntimeError, match="this cannot be said to a program that is new"):
        BoardConversation("fake").start()
    with pytest.raises(RuntimeError, match="this cannot be said to a program that is searching"):
        searching().search(game_of(), Limit(), Mode.THINK)


def test_a_game_is_told_with_all_its_moves() -> None:
    told = tell_game(game_of("32-28", "19-23", "28x19"))
    assert str(told) == f'pos pos={START} moves="32-28 19-23 28x19x23"'
    assert str(tell_game(game_of())) == f"pos pos={START}"
