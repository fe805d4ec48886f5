"""Draws messages of DamExchange with everything that they can say."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tablemen.outcome import Side
from tablemen.protocols.dxp.message import (
    MOST_CHAT,
    MOST_SQUARES,
    NAME,
    SQUARES,
    Acceptance,
    Chat,
    GameAcceptance,
    GameEnd,
    GameRequest,
    Message,
    Move,
    Reason,
    Takeback,
    TakebackAnswer,
    TakebackRequest,
    fit_name,
)

sides = st.sampled_from(Side)
numbers = st.integers(0, 999)
squares = st.integers(1, 99)
names = st.text(max_size=NAME + 8).map(fit_name)
boards = st.builds(
    str.__add__, st.sampled_from("WZ"), st.text(st.sampled_from(SQUARES), min_size=1, max_size=MOST_SQUARES)
)


def messages() -> SearchStrategy[Message]:
    """Any message that can be sent."""
    return st.one_of(
        st.builds(GameRequest, names, sides, numbers, numbers, st.none() | boards),
        st.builds(GameAcceptance, names, st.sampled_from(Acceptance)),
        st.builds(Move, st.integers(0, 9999), squares, squares, st.lists(squares, max_size=58).map(tuple)),
        st.builds(GameEnd, st.sampled_from(Reason), st.booleans()),
        st.builds(Chat, st.text(st.characters(min_codepoint=1, max_codepoint=127), min_size=1, max_size=MOST_CHAT)),
        st.builds(TakebackRequest, st.integers(1, 999), sides),
        st.builds(TakebackAnswer, st.sampled_from(Takeback)),
    )
