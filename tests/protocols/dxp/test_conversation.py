from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tablemen import GameError, GameOverError, IllegalMoveError, ProtocolError, Side, TablemenError
from tablemen.draughts import Move, Position, find_variant
from tablemen.draughts.rules import Direction, Promotion
from tablemen.protocols.dxp.conversation import Conversation, Phase
from tablemen.protocols.dxp.event import (
    Answered,
    Confirmed,
    Crossed,
    Ended,
    Played,
    PlayedOn,
    Requested,
    Said,
)
from tablemen.protocols.dxp.message import Acceptance, Reason, Takeback
from tablemen.protocols.dxp.text import format_message
from tests.protocols.dxp.conversations import INTERNATIONAL, WON, begun, hear, in_phase, played, state


def test_a_game_from_the_request_to_its_end() -> None:
    one, other = Conversation(INTERNATIONAL, name="one"), Conversation(INTERNATIONAL, name="other")
    request = one.ask(Position.start(INTERNATIONAL), Side.BLACK, minutes=5)
    assert format_message(request) == b"R01one" + b" " * 29 + b"Z005000A"
    assert other.receive(request) == Requested(request, Position.start(INTERNATIONAL))
    assert one.receive(other.accept()) == Answered(Acceptance.ACCEPTED, "other")
    assert (one.side, other.side, one.peer_name, other.peer_name) == (Side.WHITE, Side.BLACK, "other", "one")
    assert [one.is_our_turn, other.is_our_turn] == [True, False]
    move = one.game.position.parse_move("32-28")
    message = one.play(move, 12.9)
    assert format_message(message) == b"M0012322800"
    assert other.receive(message) == Played(move, 12)
    assert [one.is_our_turn, other.is_our_turn] == [False, True]
    assert one.receive(other.end(Reason.LOST)) == Ended(Reason.LOST, leaves=False)
    assert other.receive(one.confirm()) == Confirmed(leaves=False)
    assert one.phase is other.phase is Phase.IDLE
    assert played(one) == played(other) == ["32-28"]


def test_several_games_go_over_one_connection_and_colours_change() -> None:
    one, other = begun()
    for side in (Side.BLACK, Side.WHITE):
        mover, waits = (one, other) if one.is_our_turn else (other, one)
        waits.receive(mover.end(Reason.UNKNOWN))
        mover.receive(waits.confirm())
        other.receive(one.ask(Position.start(INTERNATIONAL), side, minutes=5))
        one.receive(other.accept())
        assert (other.side, one.side) == (side, side.opponent)
        assert not played(one)


def test_who_follows_may_ask_for_the_next_game() -> None:
    one, other = begun()
    other.receive(one.end(Reason.UNKNOWN))
    one.receive(other.confirm())
    one.receive(other.ask(WON, Side.WHITE, minutes=1))
    other.receive(one.accept())
    assert one.is_our_turn


@pytest.mark.parametrize(
    ("fen", "variant", "written"),
    [
        (None, "international", b"A"),
        (None, "frisian", b"A"),
        (None, "english", b"BZ" + b"z" * 12 + b"e" * 8 + b"w" * 12),
        ("W:W28,K50:BK1", "international", b"BWZ" + b"e" * 26 + b"w" + b"e" * 21 + b"W"),
        ("B:W31-50:B1-20", "international", b"BZ" + b"z" * 20 + b"e" * 10 + b"w" * 20),
    ],
)
def test_only_the_start_with_white_to_move_is_not_written_out(fen: str | None, variant: str, written: bytes) -> None:
    position = Position.start(variant) if fen is None else Position.from_fen(fen, variant)
    one, other = Conversation(INTERNATIONAL, name="one"), Conversation(position.variant, name="other")
    request = one.ask(position, Side.WHITE, minutes=5)
    assert format_message(request)[42:] == written
    assert other.receive(request) == Requested(request, position)
    one.receive(other.accept())
    assert one.game.position == other.game.position == position


def test_a_game_that_is_over_or_cannot_be_written_is_not_asked_for() -> None:
    one = Conversation(INTERNATIONAL, name="one")
    with pytest.raises(GameOverError):
        one.ask(Position.from_fen("W:W:B1", INTERNATIONAL), Side.WHITE, minutes=5)
    with pytest.raises(TablemenError, match="minutes"):
        one.ask(WON, Side.WHITE, minutes=1000)
    assert one.phase is Phase.IDLE


@pytest.mark.parametrize(
    ("request_bytes", "problem"),
    [
        (b"R02", "version 2"),
        (b"R01" + b"x" * 32 + b"W005000BW" + b"e" * 50, "over before it begins"),
        (b"R01" + b"x" * 32 + b"W005000BW" + b"w" * 32, "32 squares are given, and international has 50"),
    ],
)
def test_a_game_that_cannot_be_played_can_only_be_declined(request_bytes: bytes, problem: str) -> None:
    other = Conversation(INTERNATIONAL, name="other")
    event = hear(other, request_bytes)
    assert isinstance(event, Requested)
    assert event.position is None
    assert problem in event.problem
    with pytest.raises(GameError, match="cannot be played"):
        other.accept()
    assert format_message(other.decline(Acceptance.NOT_THIS_GAME)) == b"Aother" + b" " * 27 + b"2"
    assert other.phase is Phase.IDLE


@pytest.mark.parametrize("code", [Acceptance.WRONG_VERSION, Acceptance.NOT_THIS_GAME, Acceptance.NO_GAMES])
def test_a_game_that_is_declined_does_not_begin(code: Acceptance) -> None:
    one, other = Conversation(INTERNATIONAL, name="one"), Conversation(INTERNATIONAL, name="other")
    other.receive(one.ask(WON, Side.BLACK, minutes=5))
    assert one.receive(other.decline(code)) == Answered(code, "other")
    assert one.phase is other.phase is Phase.IDLE
    with pytest.raises(GameError, match="no game has begun"):
        played(one)
    assert one.is_over is other.is_over is (code is Acceptance.NO_GAMES)


def test_nobody_is_asked_who_has_left() -> None:
    one, other = begun()
    other.receive(one.end(Reason.UNKNOWN))
    one.receive(other.confirm(leaves=True))
    with pytest.raises(GameError, match="no other game is wanted"):
        one.ask(WON, Side.WHITE, minutes=5)


def test_our_own_moves_are_checked_too() -> None:
    one, other = begun()
    with pytest.raises(IllegalMoveError):
        one.play(WON.legal_moves()[0])
    with pytest.raises(GameError, match="not our turn"):
        other.play(Position.start(INTERNATIONAL).legal_moves()[0])
    assert not played(one)


@pytest.mark.parametrize(
    "data",
    [
        b"M0000322200",  # two steps
        b"M0000192300",  # for Black, and it is White's turn
        b"M0000322801" + b"23",  # captures what is not there
        b"M0000512800",  # no such square
        b"M0000323200",
    ],
)
def test_a_move_that_is_not_legal_changes_nothing(data: bytes) -> None:
    _, other = begun()
    before = state(other)
    with pytest.raises(ProtocolError, match="played what is not legal: 'M0000"):
        hear(other, data)
    assert state(other) == before


def test_captures_may_be_told_in_any_order_but_once() -> None:
    start = Position.from_fen("W:W32:B28,19", INTERNATIONAL)
    _, other = begun(start)
    with pytest.raises(ProtocolError, match="not legal"):
        hear(other, b"M0000321402" + b"1919")
    assert isinstance(hear(other, b"M0000321402" + b"2819"), Played)


@pytest.mark.parametrize(
    ("phase", "data"),
    [
        (Phase.IDLE, b"M0000322800"),
        (Phase.IDLE, b"B001W"),
        (Phase.IDLE, b"Aone0"),
        (Phase.ASKING, b"R01" + b"x" * 32 + b"W005000A"),
        (Phase.ASKING, b"M0000322800"),
        (Phase.ASKING, b"B001W"),
        (Phase.ASKED, b"R01" + b"x" * 32 + b"W005000A"),
        (Phase.ASKED, b"Aone0"),
        (Phase.ASKED, b"M0000322800"),
        (Phase.ASKED, b"E00"),
        (Phase.ASKED, b"B001W"),
        (Phase.PLAYING, b"R01" + b"x" * 32 + b"W005000A"),
        (Phase.PLAYING, b"Aone0"),
        (Phase.PLAYING, b"M0000322800"),
        (Phase.ENDING, b"R01" + b"x" * 32 + b"W005000A"),
        (Phase.ENDING, b"Aone0"),
        (Phase.ENDED, b"M0000322800"),
        (Phase.ENDED, b"E00"),
        (Phase.ENDED, b"B001W"),
    ],
)
def test_what_is_out_of_turn_is_an_error_and_changes_nothing(phase: Phase, data: bytes) -> None:
    one = in_phase(phase)
    before = state(one)
    with pytest.raises(ProtocolError, match=f"while {phase.value}: '{data[:1].decode()}"):
        hear(one, data)
    assert state(one) == before


@pytest.mark.parametrize("phase", Phase)
def test_an_answer_to_no_question_means_nothing(phase: Phase) -> None:
    one = in_phase(phase)
    before = state(one)
    assert hear(one, b"K0") == Crossed()
    assert state(one) == before


@pytest.mark.parametrize("phase", Phase)
def test_chats_come_at_any_time(phase: Phase) -> None:
    one = in_phase(phase)
    before = state(one)
    assert hear(one, b"Chello\x07") == Said("hello\x07")
    assert format_message(one.say("a\nb – c")) == b"Ca?b ? c"
    assert state(one) == before


@pytest.mark.parametrize("phase", [each for each in Phase if each is not Phase.PLAYING])
def test_we_do_not_speak_out_of_turn_either(phase: Phase) -> None:
    one = in_phase(phase)
    words: tuple[Callable[[], object], ...] = (
        lambda: one.play(WON.legal_moves()[0]),
        lambda: one.end(Reason.UNKNOWN),
        lambda: one.ask_back(0),
        lambda: one.answer_back(Takeback.ACCEPTED),
        *([one.confirm] if phase is not Phase.ENDED else []),
        *([one.accept] if phase is not Phase.ASKED else []),
        *([lambda: one.ask(WON, Side.WHITE, minutes=5)] if phase is not Phase.IDLE else []),
    )
    for speak in words:
        with pytest.raises(GameError, match=phase.value):
            speak()


def test_a_game_is_ended_by_the_one_whose_turn_it_is() -> None:
    one, other = begun()
    with pytest.raises(GameError, match="whose turn it is"):
        other.end(Reason.WON)
    assert format_message(other.end(Reason.WON, overdue=True)) == b"E30"
    assert format_message(one.end(Reason.LOST, leaves=True)) == b"E11"


def test_an_end_out_of_turn_is_taken_and_a_move_that_crossed_it_means_nothing() -> None:
    one, other = begun()
    move = one.play(one.game.legal_moves()[0])
    end = other.end(Reason.WON, overdue=True)
    assert other.receive(move) == Crossed()
    assert one.receive(end) == Ended(Reason.WON, leaves=False)
    assert other.receive(one.confirm()) == Confirmed(leaves=False)
    assert not played(other)


def test_both_may_end_a_game_that_is_over_at_once() -> None:
    one, other = begun(WON, moves="28x19")
    assert one.game.outcome() is not None
    won, lost = one.end(Reason.WON), other.end(Reason.LOST)
    assert one.receive(lost) == Confirmed(leaves=False)
    assert other.receive(won) == Confirmed(leaves=False)
    assert one.phase is other.phase is Phase.IDLE
    assert hear(one, b"E00") == Crossed()  # some confirm whatever comes
    assert one.phase is Phase.IDLE


def test_who_plays_on_after_the_end_is_told_of_it() -> None:
    one, other = begun(WON, moves="28x19")
    with pytest.raises(GameError, match="not our turn"):
        one.play(WON.legal_moves()[0])
    assert hear(one, b"M0000010600") == PlayedOn()
    assert one.is_our_turn
    assert played(one) == ["28x19"]
    with pytest.raises(ProtocolError, match="moved out of turn"):
        hear(one, b"M0000010600")
    assert format_message(one.end(Reason.WON)) == b"E30"
    assert other.phase is Phase.PLAYING


def test_a_move_that_could_mean_two_is_neither_made_nor_taken() -> None:
    position, move = ambiguous_capture()
    one, other = begun(position, side=position.turn)
    with pytest.raises(TablemenError, match="could mean"):
        one.play(move)
    assert not played(one)
    text = "".join(f"{int(each):02}" for each in (move.start, move.end, len(move.captured), *move.captured))
    with pytest.raises(ProtocolError, match="can mean two moves"):
        hear(other, f"M0000{text}".encode())
    assert not played(other)


def ambiguous_capture() -> tuple[Position, Move]:
    """A capture that crowns the man on one way and not on the other."""
    passing = replace(
        find_variant("frisian"),
        name="passing",
        columns=8,
        rows=8,
        start_rows=2,
        precedence=(),
        promotion=Promotion.IN_FLIGHT,
        man_captures=Direction.ALL,
    )
    position = Position.from_fen("W:W11:B10,12,15,16,23,24", passing)
    return position, position.parse_move("11x20x27x18x11x9")
