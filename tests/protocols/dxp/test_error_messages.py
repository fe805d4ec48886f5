"""Golden files of the messages of DXP: the errors that we raise, and the reports of a host."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tablemen import ArgumentError, GameError, NotationError, ProtocolError, Side, TablemenError, mancala
from tablemen.protocols.dxp import GameSettings
from tablemen.protocols.dxp.engine import END_CLAIMS, REFUSALS
from tablemen.protocols.dxp.messages import (
    AcceptCode,
    Chat,
    DxpGameRequest,
    DxpMessage,
    DxpMove,
    EndReason,
    TakebackCode,
    UnsupportedRequest,
    check_rules,
    format_message,
    parse_message,
)
from tablemen.protocols.dxp.protocol import DxpProtocol, GameRequested, Phase
from tests.fake_players import Cheating, Resigning
from tests.golden import check_errors, check_golden
from tests.protocols.dxp.fakes import BLACK_FOR_US, NAME, WHITE_FOR_US, Hosted, accepted, async_script
from tests.protocols.dxp.states import INTERNATIONAL, WON, make_protocol, receive, start_game
from tests.protocols.dxp.test_messages import INVALID_MESSAGES

pytestmark = pytest.mark.golden

FOLDER = Path(__file__).parent
REQUEST = b"R01" + b"x" * 32 + b"W005000A"
MESSAGES: dict[str, DxpMessage] = {
    "request of another version": UnsupportedRequest(2),
    "name": DxpGameRequest("x" * 33, Side.WHITE, 5),
    "minutes": DxpGameRequest("x", Side.WHITE, 1000),
    "position": DxpGameRequest("x", Side.WHITE, 5, 0, "Wx"),
    "square": DxpMove(0, 0, 2),
    "captured pieces": DxpMove(0, 1, 2, (3,) * 59),
    "chat": Chat(""),
}
OUT_OF_TURN = {
    "move": (Phase.IDLE, b"M0000322800"),
    "takeback": (Phase.REQUESTING, b"B001W"),
    "acceptance": (Phase.REQUESTED, b"Aone0"),
    "request": (Phase.PLAYING, REQUEST),
    "request after the end": (Phase.ENDING, REQUEST),
    "end": (Phase.ENDED, b"E00"),
}


def fail_after_takeback(action: Callable[[DxpProtocol], object]) -> None:
    one, _ = start_game(moves="32-28 19-23")
    one.request_takeback(0)
    action(one)


def request_after_last_game() -> None:
    one, other = start_game()
    other.receive(one.end(EndReason.UNKNOWN))
    one.receive(other.confirm(is_last=True))
    one.request_game(WON, Side.WHITE, minutes=5)


def accept_unplayable_game() -> None:
    protocol = DxpProtocol(INTERNATIONAL, name="us")
    receive(protocol, b"R02")
    protocol.accept()


def test_error_messages() -> None:
    check_errors(
        FOLDER / "error_messages.txt",
        {
            **{
                f"parse {data[:20].decode(errors='replace')!r}, {len(data)} bytes": (
                    NotationError,
                    partial(parse_message, data),
                )
                for data in INVALID_MESSAGES
            },
            **{f"format {name}": (ArgumentError, partial(format_message, each)) for name, each in MESSAGES.items()},
            "settings": (ArgumentError, lambda: GameSettings(minutes=0)),
            "another game": (TablemenError, lambda: check_rules(mancala.VARIANTS["kalah"])),
            **{
                f"peer's {name} out of turn": (ProtocolError, partial(receive, make_protocol(phase), data))
                for name, (phase, data) in OUT_OF_TURN.items()
            },
            "illegal move": (ProtocolError, lambda: receive(start_game()[1], b"M0000322200")),
            "second takeback request": (ProtocolError, lambda: receive_twice(b"B001W")),
            **{
                f"our move while {phase.value}": (GameError, partial(make_protocol(phase).play, WON.legal_moves()[0]))
                for phase in Phase
                if phase is not Phase.PLAYING
            },
            "no game yet": (GameError, lambda: DxpProtocol(INTERNATIONAL, name="us").game),
            "request after the last game": (GameError, request_after_last_game),
            "accept an unplayable game": (GameError, accept_unplayable_game),
            "decline with the wrong code": (
                GameError,
                lambda: make_protocol(Phase.REQUESTED).decline(AcceptCode.ACCEPTED),
            ),
            "our move out of turn": (GameError, lambda: start_game()[1].play(WON.legal_moves()[0])),
            "our end out of turn": (GameError, lambda: start_game()[1].end(EndReason.WON)),
            "move before the answer": (
                GameError,
                lambda: fail_after_takeback(lambda one: one.play(one.game.legal_moves()[0])),
            ),
            "end before the answer": (GameError, lambda: fail_after_takeback(lambda one: one.end(EndReason.LOST))),
            "second takeback before the answer": (
                GameError,
                lambda: fail_after_takeback(lambda one: one.request_takeback(0)),
            ),
            "takeback beyond the game": (GameError, lambda: start_game(moves="32-28")[0].request_takeback(1)),
            "answer without a request": (
                GameError,
                lambda: start_game()[0].answer_takeback(TakebackCode.REFUSED),
            ),
        },
    )


def receive_twice(data: bytes) -> None:
    _, other = start_game(moves="32-28")
    receive(other, data)
    receive(other, data)


def test_messages_about_peers() -> None:
    unplayable = {"another version": b"R02", "no pieces": REQUEST[:-1] + b"BW" + b"e" * 50}
    problems = {}
    for name, data in unplayable.items():
        event = receive(DxpProtocol(INTERNATIONAL, name="us"), data)
        assert isinstance(event, GameRequested)
        problems[f"unplayable request: {name}"] = event.problem.partition(":")[0]
    refusals = {f"refusal: {code}": text for code, text in REFUSALS.items()}
    claims = {f"end: {reason}": text for reason, text in END_CLAIMS.items()}
    check_golden(FOLDER / "peer_messages.txt", {**problems, **refusals, **claims})


def test_reports() -> None:
    moves = b">M0001322800", b"<M0000162100"
    scripts = {
        "resignation": (None, (*accepted(BLACK_FOR_US), *moves, b">E10", b"<E00")),
        "end without a reason": (None, (*accepted(BLACK_FOR_US), *moves, b">E00", b"<E00")),
        "false claim of a draw": (None, (*accepted(BLACK_FOR_US), *moves, b">E20", b"<E00")),
        "false claim of a win": (None, (*accepted(BLACK_FOR_US), *moves, b">E30", b"<E00")),
        "maximum length": (
            None,
            (*accepted(b"R01" + NAME + b"Z005001A"), *moves, b">E00", b"<E00"),
        ),
        "declined request": (None, (b">R02", b"<Aus" + b" " * 30 + b"1")),
        "chat and takeback": (
            None,
            (*accepted(BLACK_FOR_US), *moves, b">Chello", b">B001W", b"<K0", b">E10", b"<E00"),
        ),
        "our resignation": (Resigning(), (*accepted(WHITE_FOR_US), b"<E10", b">E00")),
        "our illegal move": (Cheating(), (*accepted(WHITE_FOR_US), b"<E10", b">E00")),
    }
    reports = {}
    for name, (player, lines) in scripts.items():
        hosted = Hosted(player)
        hosted.follow(async_script(*lines))
        reports[name] = re.sub(r"127\.0\.0\.1:\d+", "ADDRESS", "\n".join(hosted.reports))
    check_golden(FOLDER / "reports.txt", reports)
