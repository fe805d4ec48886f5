"""Golden files of the messages of Hub: the errors that we raise, and the errors that we send to a board."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tablemen.draughts import Position, find_variant
from tablemen.errors import ArgumentError, NotationError, ProtocolError, TablemenError
from tablemen.game import Game
from tablemen.mancala import VARIANTS
from tablemen.protocols.hub import hub1
from tablemen.protocols.hub.messages import (
    HubMessage,
    Option,
    OptionType,
    format_message,
    get_hub_name,
    parse_level,
    parse_message,
    parse_option,
)
from tablemen.protocols.hub.protocol import MAX_OPTIONS, HubBoardProtocol, HubEngineProtocol, SearchMode, SendLine
from tablemen.search import Limit
from tests.golden import check_errors, check_golden
from tests.protocols.hub.test_board_protocol import (
    INVALID_IN_A_GREETING,
    INVALID_IN_A_SEARCH,
    LONG_OPTION,
    make_ready,
    make_searching,
)
from tests.protocols.hub.test_engine_protocol import INVALID_LINES as REFUSED_LINES
from tests.protocols.hub.test_engine_protocol import make_protocol
from tests.protocols.hub.test_hub1 import INVALID_COMMANDS
from tests.protocols.hub.test_messages import INVALID_DECLARATIONS, INVALID_LEVELS, INVALID_LINES, find_option

pytestmark = pytest.mark.golden

FOLDER = Path(__file__).parent


def receive_in_greeting(line: str) -> object:
    protocol = HubBoardProtocol("fake")
    protocol.greet()
    return protocol.receive(line)


def declare_too_many_options() -> None:
    protocol = HubBoardProtocol("fake")
    protocol.greet()
    for number in range(MAX_OPTIONS + 1):
        protocol.receive(f"param name=o{number} value=1 type=int")


def end_ponder_hit_without_a_move() -> None:
    protocol = make_ready()
    protocol.search(Game(Position.start("international")), Limit(), SearchMode.PONDER)
    protocol.ponder_hit()
    protocol.receive("done")


Case = tuple[type[Exception], Callable[[], object]]


def make_cases(
    label: str, kind: type[Exception], call: Callable[[str], object], lines: Iterable[str]
) -> dict[str, Case]:
    """Return a case for each line: `call(line)` must raise the error."""
    return {f"{label} {line!r}": (kind, partial(call, line)) for line in lines}


def test_error_messages() -> None:
    custom = replace(find_variant("international"), name="mine", losing=True)
    bounded = Option("threads", OptionType.INT, 1, maximum=4)
    unbounded = Option("threads", OptionType.INT, 1)
    check_errors(
        FOLDER / "error_messages.txt",
        {
            **make_cases("line", NotationError, parse_message, INVALID_LINES),
            "command of two words": (ArgumentError, lambda: format_message(HubMessage("two words"))),
            "name with =": (ArgumentError, lambda: format_message(HubMessage("done", (("a=b", "1"),)))),
            "value with quotes": (ArgumentError, lambda: format_message(HubMessage("error", (("message", '"no"'),)))),
            **make_cases(
                "declaration", NotationError, lambda line: parse_option(parse_message(line)), INVALID_DECLARATIONS
            ),
            "bool value": (ArgumentError, lambda: find_option("book").format("yes")),
            "int value": (ArgumentError, lambda: find_option("book-ply").format(21)),
            "int value with a maximum": (ArgumentError, lambda: bounded.parse("5")),
            "int value without bounds": (ArgumentError, lambda: unbounded.parse("many")),
            "real value": (ArgumentError, lambda: find_option("contempt").format("inf")),
            "enum value": (ArgumentError, lambda: find_option("variant").format("chess")),
            "string value": (ArgumentError, lambda: find_option("log").format(3)),
            **make_cases("level", NotationError, lambda line: parse_level(parse_message(line)), INVALID_LEVELS),
            **make_cases("Hub 1 command", NotationError, hub1.parse_command, INVALID_COMMANDS),
            "Hub 1 value": (
                ArgumentError,
                lambda: hub1.format_command(parse_message('set-param name=book value="a b"')),
            ),
            "another game": (TablemenError, lambda: get_hub_name(VARIANTS["kalah"])),
            "custom rules": (TablemenError, lambda: get_hub_name(custom)),
            **make_cases("greeting", ProtocolError, receive_in_greeting, INVALID_IN_A_GREETING),
            "greeting with a long option": (ProtocolError, lambda: receive_in_greeting(LONG_OPTION)),
            "greeting with many options": (ProtocolError, declare_too_many_options),
            **make_cases(
                "search", ProtocolError, lambda line: make_searching().receive(line), [*INVALID_IN_A_SEARCH, "done"]
            ),
            "done after a ponder hit": (ProtocolError, end_ponder_hit_without_a_move),
            "done without a search": (ProtocolError, lambda: make_ready().receive("done")),
            "start before the greeting": (RuntimeError, HubBoardProtocol("fake").start),
            "greeting of a ready engine": (RuntimeError, lambda: make_ready().greet()),
        },
    )


def test_error_replies() -> None:
    replies = {}
    for line in REFUSED_LINES:
        if not line.startswith("pos ") or line.endswith('="'):  # other messages for positions belong to draughts
            replies[repr(line)] = send(make_protocol(), line)
    protocol = make_protocol()
    send(protocol, "pos pos=Wbw")
    replies["'go think' after an invalid position"] = send(protocol, "go think")
    check_golden(FOLDER / "error_replies.txt", replies)


def send(protocol: HubEngineProtocol, line: str) -> str:
    (action,) = protocol.receive(line)
    assert isinstance(action, SendLine)
    return action.line
