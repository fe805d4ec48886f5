"""Hypothesis strategies for boards and messages of the Kalah Game Protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from tablemen.protocols.kgp.messages import KgpBoard, KgpMessage, Word

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

COMMANDS = (
    *("kgp", "mode", "set", "ping", "pong", "ok", "error", "goodbye"),
    *("state", "move", "yield", "stop", "problem", "solution", "eval"),
    *("hello", "STATE", "Move", "xyzzy"),
)
OPTIONS = (
    *("info:name", "info:authors", "info:comment", "auth:token"),
    *("time:mode", "time:clock", "time:opclock", "game:id", "no:such"),
)


@st.composite
def boards(draw: DrawFn) -> KgpBoard:
    """Draw boards of any size and number of seeds, including unreachable ones."""
    houses = draw(st.integers(1, 24))
    pits = st.integers(0, draw(st.sampled_from([1, 3, 30, 1300])))
    rows = [tuple(draw(st.lists(pits, min_size=houses, max_size=houses))) for _ in range(2)]
    return KgpBoard(draw(pits), draw(pits), *rows)


def words() -> SearchStrategy[Word]:
    """Draw words that are not numbers."""
    return st.from_regex(r"[A-Za-z][0-9A-Za-z:-]{0,12}", fullmatch=True).map(Word)


def arguments() -> SearchStrategy[int | float | str | Word | KgpBoard]:
    """Draw arguments of any type."""
    numbers = st.one_of(st.integers(-2, 30), st.integers(-(10**16), 10**16))
    return st.one_of(numbers, st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=40), words(), boards())


def messages() -> SearchStrategy[KgpMessage]:
    """Draw messages with arguments that may not fit the command."""
    ids = st.one_of(st.none(), st.integers(0, 12), st.integers(0, 10**17))
    some = st.lists(arguments(), max_size=4).map(tuple)
    return st.builds(KgpMessage, st.sampled_from(COMMANDS), some, id=ids, ref=ids)


@st.composite
def likely_messages(draw: DrawFn) -> KgpMessage:
    """Draw messages with arguments that fit the command, of clients and servers, valid in any state or not."""
    house, board = st.integers(-1, 7), st.one_of(boards(), st.just(KgpBoard(0, 0, (3, 3, 3), (3, 3, 3))))
    command = draw(st.sampled_from(COMMANDS))
    given: dict[str, tuple[SearchStrategy[object], ...]] = {
        "kgp": (st.just(1), st.just(0), st.just(1)),
        "mode": (st.sampled_from([Word("freeplay"), Word("verify"), "freeplay", Word("eval"), Word("chess")]),),
        "set": (st.sampled_from(OPTIONS).map(Word), st.one_of(st.text(max_size=200), st.integers(0, 9), words())),
        "state": (board,),
        "move": (house,),
        "problem": (board, house),
        "solution": (board, st.sampled_from([0, 1, 7, Word("true"), Word("False"), "yes", Word("perhaps")])),
        "eval": (st.floats(-10, 10),),
        "error": (st.sampled_from(["no", "Expected state <1,0,0,1,1>"]),),
    }
    some = tuple(draw(each) for each in given.get(command.lower(), ()))
    ids = st.one_of(st.none(), st.integers(0, 24))
    return KgpMessage(command, some, id=draw(ids), ref=draw(ids))  # type: ignore[arg-type]


def message_sequences() -> SearchStrategy[list[KgpMessage]]:
    """Draw sequences of messages."""
    return st.lists(st.one_of(likely_messages(), messages()), max_size=40)
