"""Lines of Hub as values, there and back."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen.errors import ArgumentError, NotationError
from tablemen.protocols.hub.messages import HubMessage, format_message, parse_message

START = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww"
LATE = "BeeeWWeeeeeeeeeeeeeeeeeeeweeeeeeeeewweBeeeeeeeeeBee"

# The examples of the specification, and what they say.
GOLDEN: dict[str, HubMessage] = {
    "hub": HubMessage("hub"),
    'id name=Scan version=3.1 author="Fabien Letouzey" country=France': HubMessage(
        "id", (("name", "Scan"), ("version", "3.1"), ("author", "Fabien Letouzey"), ("country", "France"))
    ),
    'param name=variant value=normal type=enum values="normal killer bt frisian losing"': HubMessage(
        "param",
        (("name", "variant"), ("value", "normal"), ("type", "enum"), ("values", "normal killer bt frisian losing")),
    ),
    "param name=book value=true type=bool": HubMessage(
        "param", (("name", "book"), ("value", "true"), ("type", "bool"))
    ),
    "wait": HubMessage("wait"),
    "set-param name=variant value=frisian": HubMessage("set-param", (("name", "variant"), ("value", "frisian"))),
    "set-param name=book value=false": HubMessage("set-param", (("name", "book"), ("value", "false"))),
    "init": HubMessage("init"),
    "ready": HubMessage("ready"),
    f"pos pos={START}": HubMessage("pos", (("pos", START),)),
    f'pos pos={LATE} moves="38-15 5-41 48-26"': HubMessage("pos", (("pos", LATE), ("moves", "38-15 5-41 48-26"))),
    "level move-time=1": HubMessage("level", (("move-time", "1"),)),
    "level moves=9 time=291.587": HubMessage("level", (("moves", "9"), ("time", "291.587"))),
    "level infinite": HubMessage("level", (("infinite", None),)),
    "go think": HubMessage("go", (("think", None),)),
    "go ponder": HubMessage("go", (("ponder", None),)),
    "go analyze": HubMessage("go", (("analyze", None),)),
    'info depth=21 mean-depth=20.8 score=-0.01 nodes=31261613 time=3.906 nps=8.0 pv="32-28 17-22 28x17x22"': HubMessage(
        "info",
        (
            ("depth", "21"),
            ("mean-depth", "20.8"),
            ("score", "-0.01"),
            ("nodes", "31261613"),
            ("time", "3.906"),
            ("nps", "8.0"),
            ("pv", "32-28 17-22 28x17x22"),
        ),
    ),
    "done move=32-28 ponder=17-22": HubMessage("done", (("move", "32-28"), ("ponder", "17-22"))),
    "stop": HubMessage("stop"),
    "ponder-hit": HubMessage("ponder-hit"),
    "ping": HubMessage("ping"),
    "pong": HubMessage("pong"),
    "new-game": HubMessage("new-game"),
    "quit": HubMessage("quit"),
    'error message="bad position"': HubMessage("error", (("message", "bad position"),)),
    'set-param name=book-file value=""': HubMessage("set-param", (("name", "book-file"), ("value", ""))),
}


@pytest.mark.parametrize("line", GOLDEN)
def test_golden_lines(line: str) -> None:
    assert parse_message(line) == GOLDEN[line]
    assert format_message(GOLDEN[line]) == str(GOLDEN[line]) == line


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("    wait  ", HubMessage("wait")),
        ("\tgo\t\tthink", HubMessage("go", (("think", None),))),
        ("level depth = 3  infinite", HubMessage("level", (("depth", "3"), ("infinite", None)))),
        ('error message= "a b"c', HubMessage("error", (("message", "a b"), ("c", None)))),
        ('pv="a=b"', None),
        ("später là=ĳ", HubMessage("später", (("là", "ĳ"),))),
    ],
)
def test_extra_blanks_mean_nothing(line: str, message: HubMessage | None) -> None:
    if message is None:
        with pytest.raises(NotationError):
            parse_message(line)
    else:
        assert parse_message(line) == message


@pytest.mark.parametrize(
    ("line", "column", "problem"),
    [
        ("", 1, "a command is missing"),
        ("   ", 4, "a command is missing"),
        ("=3", 1, "a command is expected here, not '='"),
        ("done =3", 6, "the name of an argument is expected here, not '='"),
        ("done move=", 11, "a value is expected here, not the end of the line"),
        ('done move="32-28', 11, "a quote is not closed"),
        ("done move==3", 11, "a value is expected here, not '='"),
        ('done "move"', 6, "the name of an argument is expected here"),
        ("done \x07", 6, "the name of an argument is expected here, not '\\x07'"),
    ],
)
def test_what_cannot_be_read_is_pointed_at(line: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError, match=re.escape(problem)) as caught:
        parse_message(line)
    assert caught.value.column == column


@pytest.mark.parametrize(
    "message",
    [
        HubMessage(""),
        HubMessage("two words"),
        HubMessage("done", (("mo=ve", "1"),)),
        HubMessage("done", (("", None),)),
        HubMessage("error", (("message", 'say "no"'),)),
        HubMessage("error", (("message", "two\nlines"),)),
        HubMessage("error", (("message", "\ud800"),)),
    ],
)
def test_what_hub_cannot_write_is_refused(message: HubMessage) -> None:
    with pytest.raises(ArgumentError):
        format_message(message)


def test_the_last_of_two_values_counts_and_a_flag_has_none() -> None:
    message = parse_message("level depth=3 depth=5 infinite")
    assert message.get("depth") == "5"
    assert message.has("infinite")
    assert message.get("infinite") is None
    assert not message.has("time")


NAMES = st.text(min_size=1).filter(lambda text: not set('="') & set(text) and parse_safely(text))
VALUES = st.none() | st.text(st.characters(exclude_characters='"\n', exclude_categories=["Cs"]))


def parse_safely(text: str) -> bool:
    """Whether a text is a name: one command, and nothing else."""
    try:
        return parse_message(text) == HubMessage(text)
    except NotationError:
        return False


@settings(max_examples=50)
@given(command=NAMES, arguments=st.lists(st.tuples(NAMES, VALUES)))
def test_messages_come_back_from_their_lines(command: str, arguments: list[tuple[str, str | None]]) -> None:
    message = HubMessage(command, tuple(arguments))
    line = format_message(message)
    assert "\n" not in line
    assert parse_message(line) == message


@given(line=st.text(st.sampled_from(' ="ab\t\x00é')))
def test_any_line_is_a_message_or_an_error_that_points_into_it(line: str) -> None:
    column, message = 1, None
    try:
        message = parse_message(line)
    except NotationError as error:
        column = error.column
    assert 1 <= column <= len(line) + 1
    assert message is None or parse_message(format_message(message)) == message
