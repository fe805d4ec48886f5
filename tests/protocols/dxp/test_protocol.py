"""The state machine of DXP, with both ends and without a connection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tablemen import Game, GameError, GameOverError, IllegalMoveError, ProtocolError, Side, TablemenError
from tablemen.draughts import Move, Position, find_variant
from tablemen.draughts.rules import Direction, Promotion
from tablemen.protocols.dxp.messages import AcceptCode, EndReason, TakebackCode, format_message
from tablemen.protocols.dxp.protocol import (
    ChatReceived,
    DxpProtocol,
    EndConfirmed,
    EndReceived,
    GameRequested,
    MoveAfterEnd,
    OpponentMoved,
    Phase,
    RequestAnswered,
    StaleMessage,
    TakebackAnswered,
    TakebackRequested,
)
from tests.protocols.dxp.states import INTERNATIONAL, WON, in_phase, moves_of, receive, start_game, state


def test_a_game_from_the_request_to_its_end() -> None:
    one, other = DxpProtocol(INTERNATIONAL, name="one"), DxpProtocol(INTERNATIONAL, name="other")
    request = one.request_game(Position.start(INTERNATIONAL), Side.BLACK, minutes=5)
    assert format_message(request) == b"R01one" + b" " * 29 + b"Z005000A"
    assert other.receive(request) == GameRequested(request, Position.start(INTERNATIONAL))
    assert one.receive(other.accept()) == RequestAnswered(AcceptCode.ACCEPTED, "other")
    assert (one.side, other.side, one.peer_name, other.peer_name) == (Side.WHITE, Side.BLACK, "other", "one")
    assert [one.is_our_turn, other.is_our_turn] == [True, False]
    move = one.game.position.parse_move("32-28")
    message = one.play(move, 12.9)
    assert format_message(message) == b"M0012322800"
    assert other.receive(message) == OpponentMoved(move, 12)
    assert [one.is_our_turn, other.is_our_turn] == [False, True]
    assert one.receive(other.end(EndReason.LOST)) == EndReceived(EndReason.LOST, is_last=False)
    assert other.receive(one.confirm()) == EndConfirmed(is_last=False)
    assert one.phase is other.phase is Phase.IDLE
    assert moves_of(one) == moves_of(other) == ["32-28"]


def test_several_games_go_over_one_connection_and_colours_change() -> None:
    one, other = start_game()
    for side in (Side.BLACK, Side.WHITE):
        mover, waits = (one, other) if one.is_our_turn else (other, one)
        waits.receive(mover.end(EndReason.UNKNOWN))
        mover.receive(waits.confirm())
        other.receive(one.request_game(Position.start(INTERNATIONAL), side, minutes=5))
        one.receive(other.accept())
        assert (other.side, one.side) == (side, side.opponent)
        assert not moves_of(one)


def test_the_follower_may_request_the_next_game() -> None:
    one, other = start_game()
    other.receive(one.end(EndReason.UNKNOWN))
    one.receive(other.confirm())
    one.receive(other.request_game(WON, Side.WHITE, minutes=1))
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
def test_only_the_start_with_white_to_move_is_abbreviated(fen: str | None, variant: str, written: bytes) -> None:
    position = Position.start(variant) if fen is None else Position.from_fen(fen, variant)
    one, other = DxpProtocol(INTERNATIONAL, name="one"), DxpProtocol(position.variant, name="other")
    request = one.request_game(position, Side.WHITE, minutes=5)
    assert format_message(request)[42:] == written
    assert other.receive(request) == GameRequested(request, position)
    one.receive(other.accept())
    assert one.game.position == other.game.position == position


def test_a_game_that_is_over_or_does_not_fit_cannot_be_requested() -> None:
    one = DxpProtocol(INTERNATIONAL, name="one")
    with pytest.raises(GameOverError):
        one.request_game(Position.from_fen("W:W:B1", INTERNATIONAL), Side.WHITE, minutes=5)
    with pytest.raises(TablemenError, match="minutes"):
        one.request_game(WON, Side.WHITE, minutes=1000)
    assert one.phase is Phase.IDLE


@pytest.mark.parametrize(
    ("request_bytes", "problem"),
    [
        (b"R02", "version 2"),
        (b"R01" + b"x" * 32 + b"W005000BW" + b"e" * 50, "over before it begins"),
        (b"R01" + b"x" * 32 + b"W005000BW" + b"w" * 32, "expected 50 squares for international, got 32"),
    ],
)
def test_an_unplayable_game_can_only_be_declined(request_bytes: bytes, problem: str) -> None:
    other = DxpProtocol(INTERNATIONAL, name="other")
    event = receive(other, request_bytes)
    assert isinstance(event, GameRequested)
    assert event.position is None
    assert problem in event.problem
    with pytest.raises(GameError, match="cannot be played"):
        other.accept()
    assert format_message(other.decline(AcceptCode.NOT_THIS_GAME)) == b"Aother" + b" " * 27 + b"2"
    assert other.phase is Phase.IDLE


@pytest.mark.parametrize("code", [AcceptCode.WRONG_VERSION, AcceptCode.NOT_THIS_GAME, AcceptCode.NO_GAMES])
def test_a_declined_game_does_not_begin(code: AcceptCode) -> None:
    one, other = DxpProtocol(INTERNATIONAL, name="one"), DxpProtocol(INTERNATIONAL, name="other")
    other.receive(one.request_game(WON, Side.BLACK, minutes=5))
    assert one.receive(other.decline(code)) == RequestAnswered(code, "other")
    assert one.phase is other.phase is Phase.IDLE
    with pytest.raises(GameError, match="no game has begun"):
        moves_of(one)
    assert one.is_finished is other.is_finished is (code is AcceptCode.NO_GAMES)


def test_no_request_after_the_last_game() -> None:
    one, other = start_game()
    other.receive(one.end(EndReason.UNKNOWN))
    one.receive(other.confirm(is_last=True))
    with pytest.raises(GameError, match="no further game is wanted"):
        one.request_game(WON, Side.WHITE, minutes=5)


def test_our_moves_are_checked() -> None:
    one, other = start_game()
    with pytest.raises(IllegalMoveError):
        one.play(WON.legal_moves()[0])
    with pytest.raises(GameError, match="not our turn"):
        other.play(Position.start(INTERNATIONAL).legal_moves()[0])
    assert not moves_of(one)


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
def test_an_illegal_move_changes_nothing(data: bytes) -> None:
    _, other = start_game()
    before = state(other)
    with pytest.raises(ProtocolError, match="played an illegal move: 'M0000"):
        receive(other, data)
    assert state(other) == before


def test_captures_may_have_any_order_but_no_duplicates() -> None:
    start = Position.from_fen("W:W32:B28,19", INTERNATIONAL)
    _, other = start_game(start)
    with pytest.raises(ProtocolError, match="illegal"):
        receive(other, b"M0000321402" + b"1919")
    assert isinstance(receive(other, b"M0000321402" + b"2819"), OpponentMoved)


@pytest.mark.parametrize(
    ("phase", "data"),
    [
        (Phase.IDLE, b"M0000322800"),
        (Phase.IDLE, b"B001W"),
        (Phase.IDLE, b"Aone0"),
        (Phase.REQUESTING, b"R01" + b"x" * 32 + b"W005000A"),
        (Phase.REQUESTING, b"M0000322800"),
        (Phase.REQUESTING, b"B001W"),
        (Phase.REQUESTED, b"R01" + b"x" * 32 + b"W005000A"),
        (Phase.REQUESTED, b"Aone0"),
        (Phase.REQUESTED, b"M0000322800"),
        (Phase.REQUESTED, b"E00"),
        (Phase.REQUESTED, b"B001W"),
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
def test_a_message_out_of_turn_is_an_error_and_changes_nothing(phase: Phase, data: bytes) -> None:
    one = in_phase(phase)
    before = state(one)
    with pytest.raises(ProtocolError, match=f"while {phase.value}: '{data[:1].decode()}"):
        receive(one, data)
    assert state(one) == before


@pytest.mark.parametrize("phase", Phase)
def test_a_takeback_answer_without_a_request_is_ignored(phase: Phase) -> None:
    one = in_phase(phase)
    before = state(one)
    assert receive(one, b"K0") == StaleMessage()
    assert state(one) == before


@pytest.mark.parametrize("phase", Phase)
def test_chats_are_allowed_in_every_phase(phase: Phase) -> None:
    one = in_phase(phase)
    before = state(one)
    assert receive(one, b"Chello\x07") == ChatReceived("hello\x07")
    assert format_message(one.chat("a\nb – c")) == b"Ca?b ? c"
    assert state(one) == before


@pytest.mark.parametrize("phase", [each for each in Phase if each is not Phase.PLAYING])
def test_our_messages_out_of_turn_are_errors(phase: Phase) -> None:
    one = in_phase(phase)
    actions: tuple[Callable[[], object], ...] = (
        lambda: one.play(WON.legal_moves()[0]),
        lambda: one.end(EndReason.UNKNOWN),
        lambda: one.request_takeback(0),
        lambda: one.answer_takeback(TakebackCode.ACCEPTED),
        *([one.confirm] if phase is not Phase.ENDED else []),
        *([one.accept] if phase is not Phase.REQUESTED else []),
        *([lambda: one.request_game(WON, Side.WHITE, minutes=5)] if phase is not Phase.IDLE else []),
    )
    for act in actions:
        with pytest.raises(GameError, match=phase.value):
            act()


def test_only_the_side_to_move_ends_a_game_unless_overdue() -> None:
    one, other = start_game()
    with pytest.raises(GameError, match="side to move"):
        other.end(EndReason.WON)
    assert format_message(other.end(EndReason.WON, overdue=True)) == b"E30"
    assert format_message(one.end(EndReason.LOST, is_last=True)) == b"E11"


def test_a_move_that_crosses_an_end_out_of_turn_is_ignored() -> None:
    one, other = start_game()
    move = one.play(one.game.legal_moves()[0])
    end = other.end(EndReason.WON, overdue=True)
    assert other.receive(move) == StaleMessage()
    assert one.receive(end) == EndReceived(EndReason.WON, is_last=False)
    assert other.receive(one.confirm()) == EndConfirmed(is_last=False)
    assert not moves_of(other)


def test_both_ends_may_end_a_game_that_is_over() -> None:
    one, other = start_game(WON, moves="28x19")
    assert one.game.outcome() is not None
    won, lost = one.end(EndReason.WON), other.end(EndReason.LOST)
    assert one.receive(lost) == EndConfirmed(is_last=False)
    assert other.receive(won) == EndConfirmed(is_last=False)
    assert one.phase is other.phase is Phase.IDLE
    assert receive(one, b"E00") == StaleMessage()  # some confirm whatever comes
    assert one.phase is Phase.IDLE


def test_a_move_after_the_end_must_be_answered_by_an_end() -> None:
    one, other = start_game(WON, moves="28x19")
    with pytest.raises(GameError, match="not our turn"):
        one.play(WON.legal_moves()[0])
    assert receive(one, b"M0000010600") == MoveAfterEnd()
    assert one.is_our_turn
    assert moves_of(one) == ["28x19"]
    with pytest.raises(ProtocolError, match="moved out of turn"):
        receive(one, b"M0000010600")
    assert format_message(one.end(EndReason.WON)) == b"E30"
    assert other.phase is Phase.PLAYING


def test_an_ambiguous_move_is_neither_sent_nor_accepted() -> None:
    position, move = ambiguous_capture()
    one, other = start_game(position, side=position.turn)
    with pytest.raises(TablemenError, match="could mean"):
        one.play(move)
    assert not moves_of(one)
    text = "".join(f"{int(each):02}" for each in (move.start, move.end, len(move.captured), *move.captured))
    with pytest.raises(ProtocolError, match="ambiguous move"):
        receive(other, f"M0000{text}".encode())
    assert not moves_of(other)


def ambiguous_capture() -> tuple[Position, Move]:
    """Return a capture with two paths, one of which promotes the man."""
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


@pytest.mark.parametrize("first", Side)
def test_takebacks_count_the_moves_of_the_given_side(first: Side) -> None:
    fen = "{}:W31-50:B1-20"
    start = Position.from_fen(fen.format("W" if first is Side.WHITE else "B"), INTERNATIONAL)
    texts = "32-28 19-23 28x19 14x23 37-32 10-14" if first is Side.WHITE else "19-23 32-28 23x32 37x28 14-19 41-37"
    expected = {Side.WHITE: {b"B002Z": 3, b"B002W": 2}, Side.BLACK: {b"B002Z": 2, b"B002W": 3}}
    for data, ply in expected[first].items():
        _, other = start_game(start, side=first, moves=texts)
        assert len(moves_of(other)) == 6
        assert receive(other, data) == TakebackRequested(ply)
        assert format_message(other.answer_takeback(TakebackCode.ACCEPTED)) == b"K0"
        assert len(moves_of(other)) == ply
        assert other.game == Game(start, texts.split()[:ply])


def test_an_accepted_takeback_changes_both_ends() -> None:
    one, other = start_game(moves="32-28 19-23 28x19 14x23")
    question = one.request_takeback(1)
    assert format_message(question) == b"B001Z"
    with pytest.raises(GameError, match="before the takeback request is answered"):
        one.play(one.game.legal_moves()[0])
    with pytest.raises(GameError, match="before the takeback request is answered"):
        one.end(EndReason.UNKNOWN)
    assert other.receive(question) == TakebackRequested(1)
    assert one.receive(other.answer_takeback(TakebackCode.ACCEPTED)) == TakebackAnswered(TakebackCode.ACCEPTED)
    assert moves_of(one) == moves_of(other) == ["32-28"]
    assert other.is_our_turn


@pytest.mark.parametrize("code", [TakebackCode.NOT_SUPPORTED, TakebackCode.REFUSED])
def test_a_declined_takeback_changes_nothing(code: TakebackCode) -> None:
    one, other = start_game(moves="32-28 19-23")
    other.receive(one.request_takeback(0))
    assert one.receive(other.answer_takeback(code)) == TakebackAnswered(code)
    assert moves_of(one) == moves_of(other) == ["32-28", "19-23"]
    assert one.is_our_turn


@pytest.mark.parametrize("data", [b"B002W", b"B002Z", b"B999Z"])
def test_a_takeback_beyond_the_current_move_is_refused(data: bytes) -> None:
    one, _ = start_game(moves="32-28 19-23")
    assert receive(one, data) == TakebackRequested(None)
    assert format_message(one.answer_takeback(TakebackCode.ACCEPTED)) == b"K2"
    assert moves_of(one) == ["32-28", "19-23"]


def test_both_ends_may_request_a_takeback() -> None:
    one, other = start_game(moves="32-28 19-23 28x19 14x23")
    mine, yours = one.request_takeback(3), other.request_takeback(1)
    assert one.receive(yours) == TakebackRequested(1)
    assert other.receive(mine) == TakebackRequested(3)
    granted, granted_too = one.answer_takeback(TakebackCode.ACCEPTED), other.answer_takeback(TakebackCode.ACCEPTED)
    other.receive(granted)
    one.receive(granted_too)
    assert moves_of(one) == moves_of(other) == ["32-28"]


def test_a_takeback_is_requested_once_and_answered_once() -> None:
    one, other = start_game(moves="32-28")
    question = one.request_takeback(0)
    with pytest.raises(GameError, match="not answered yet"):
        one.request_takeback(0)
    other.receive(question)
    with pytest.raises(ProtocolError, match="requested a takeback"):
        other.receive(question)
    other.answer_takeback(TakebackCode.REFUSED)
    with pytest.raises(GameError, match="no takeback request"):
        other.answer_takeback(TakebackCode.REFUSED)


def test_a_takeback_that_crosses_the_end_is_ignored() -> None:
    one, other = start_game(moves="32-28")
    question = one.request_takeback(0)
    end = other.end(EndReason.LOST)
    assert other.receive(question) == StaleMessage()
    one.receive(end)
    other.receive(one.confirm())
    assert receive(one, b"K2") == StaleMessage()
    assert one.phase is other.phase is Phase.IDLE
