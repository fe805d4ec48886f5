"""Moves that are taken back, at both ends of a conversation."""

from __future__ import annotations

import pytest

from tablemen import Game, GameError, ProtocolError, Side
from tablemen.draughts import Position
from tablemen.protocols.dxp.conversation import Phase
from tablemen.protocols.dxp.event import (
    Crossed,
    TakebackAnswered,
    TakebackAsked,
)
from tablemen.protocols.dxp.message import Reason, Takeback
from tablemen.protocols.dxp.text import format_message
from tests.protocols.dxp.conversations import INTERNATIONAL, begun, hear, played


@pytest.mark.parametrize("first", Side)
def test_takebacks_count_the_moves_of_the_side_that_they_name(first: Side) -> None:
    fen = "{}:W31-50:B1-20"
    start = Position.from_fen(fen.format("W" if first is Side.WHITE else "B"), INTERNATIONAL)
    texts = "32-28 19-23 28x19 14x23 37-32 10-14" if first is Side.WHITE else "19-23 32-28 23x32 37x28 14-19 41-37"
    expected = {Side.WHITE: {b"B002Z": 3, b"B002W": 2}, Side.BLACK: {b"B002Z": 2, b"B002W": 3}}
    for data, ply in expected[first].items():
        _, other = begun(start, side=first, moves=texts)
        assert len(played(other)) == 6
        assert hear(other, data) == TakebackAsked(ply)
        assert format_message(other.answer_back(Takeback.ACCEPTED)) == b"K0"
        assert len(played(other)) == ply
        assert other.game == Game(start, texts.split()[:ply])


def test_a_takeback_that_is_granted_goes_back_at_both_ends() -> None:
    one, other = begun(moves="32-28 19-23 28x19 14x23")
    question = one.ask_back(1)
    assert format_message(question) == b"B001Z"
    with pytest.raises(GameError, match="before the question for a takeback is answered"):
        one.play(one.game.legal_moves()[0])
    with pytest.raises(GameError, match="before the question for a takeback is answered"):
        one.end(Reason.UNKNOWN)
    assert other.receive(question) == TakebackAsked(1)
    assert one.receive(other.answer_back(Takeback.ACCEPTED)) == TakebackAnswered(Takeback.ACCEPTED)
    assert played(one) == played(other) == ["32-28"]
    assert other.is_our_turn


@pytest.mark.parametrize("code", [Takeback.NOT_SUPPORTED, Takeback.REFUSED])
def test_a_takeback_that_is_not_granted_changes_nothing(code: Takeback) -> None:
    one, other = begun(moves="32-28 19-23")
    other.receive(one.ask_back(0))
    assert one.receive(other.answer_back(code)) == TakebackAnswered(code)
    assert played(one) == played(other) == ["32-28", "19-23"]
    assert one.is_our_turn


@pytest.mark.parametrize("data", [b"B002W", b"B002Z", b"B999Z"])
def test_a_takeback_to_what_is_not_in_the_past_is_refused(data: bytes) -> None:
    one, _ = begun(moves="32-28 19-23")
    assert hear(one, data) == TakebackAsked(None)
    assert format_message(one.answer_back(Takeback.ACCEPTED)) == b"K2"
    assert played(one) == ["32-28", "19-23"]


def test_both_may_ask_for_a_takeback_at_once() -> None:
    one, other = begun(moves="32-28 19-23 28x19 14x23")
    mine, yours = one.ask_back(3), other.ask_back(1)
    assert one.receive(yours) == TakebackAsked(1)
    assert other.receive(mine) == TakebackAsked(3)
    granted, granted_too = one.answer_back(Takeback.ACCEPTED), other.answer_back(Takeback.ACCEPTED)
    other.receive(granted)
    one.receive(granted_too)
    assert played(one) == played(other) == ["32-28"]


def test_a_takeback_is_asked_once_and_answered_once() -> None:
    one, other = begun(moves="32-28")
    question = one.ask_back(0)
    with pytest.raises(GameError, match="not answered yet"):
        one.ask_back(0)
    other.receive(question)
    with pytest.raises(ProtocolError, match="asked for a takeback"):
        other.receive(question)
    other.answer_back(Takeback.REFUSED)
    with pytest.raises(GameError, match="nobody asked"):
        other.answer_back(Takeback.REFUSED)


def test_a_takeback_crossed_by_the_end_means_nothing() -> None:
    one, other = begun(moves="32-28")
    question = one.ask_back(0)
    end = other.end(Reason.LOST)
    assert other.receive(question) == Crossed()
    one.receive(end)
    other.receive(one.confirm())
    assert hear(one, b"K2") == Crossed()
    assert one.phase is other.phase is Phase.IDLE
