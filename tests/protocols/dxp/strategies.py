"""Hypothesis strategies for DXP messages."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tablemen.outcome import Side
from tablemen.protocols.dxp.messages import (
    MAX_CHAT_LENGTH,
    MAX_NAME_LENGTH,
    MAX_SQUARES,
    SQUARES,
    AcceptCode,
    Chat,
    DxpGameRequest,
    DxpMessage,
    DxpMove,
    EndReason,
    GameAcceptance,
    GameEnd,
    TakebackAnswer,
    TakebackCode,
    TakebackRequest,
    fit_name,
)

sides = st.sampled_from(Side)
numbers = st.integers(0, 999)
texts = st.text(st.characters(min_codepoint=1, max_codepoint=127), min_size=1, max_size=MAX_CHAT_LENGTH)
squares = st.integers(1, 99)
names = st.text(max_size=MAX_NAME_LENGTH + 8).map(fit_name)
boards = st.builds(
    str.__add__, st.sampled_from("WZ"), st.text(st.sampled_from(SQUARES), min_size=1, max_size=MAX_SQUARES)
)


def messages() -> SearchStrategy[DxpMessage]:
    """Return a strategy for every message that can be sent."""
    return st.one_of(
        st.builds(DxpGameRequest, names, sides, numbers, numbers, st.none() | boards),
        st.builds(GameAcceptance, names, st.sampled_from(AcceptCode)),
        st.builds(DxpMove, st.integers(0, 9999), squares, squares, st.lists(squares, max_size=58).map(tuple)),
        st.builds(GameEnd, st.sampled_from(EndReason), st.booleans()),
        st.builds(Chat, texts),
        st.builds(TakebackRequest, st.integers(1, 999), sides),
        st.builds(TakebackAnswer, st.sampled_from(TakebackCode)),
    )
