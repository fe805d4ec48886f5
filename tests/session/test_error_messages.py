"""The messages of errors of sessions and game files, in a golden file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tablemen import ArgumentError, GameError, GameOverError, Side, TablemenError
from tablemen.mancala import Position as Pits
from tablemen.players import HumanPlayer
from tablemen.session import Session
from tests.fake_players import First
from tests.golden import check_errors
from tests.session.sessions import INTERNATIONAL, make_session

FILES = {
    "empty": b"",
    "illegal move": b"1. 32-28 32-28 *",
    "another variant": b'[GameType "21"] 1. 11-15 *',
    "two bad games": b'[GameType "21"]\n\n1. 11-15 *\n\n[GameType "20"]\n\n1. 32-28 32-28 *\n',
    "not a text": b"1. 32-28 \xff *",
    "another family": b"Variant: kalah\nMoves: 3\n",
}


@pytest.mark.golden
def test_error_messages_read_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cases: dict[str, tuple[type[Exception], Callable[[], object]]] = {
        "no player": (ArgumentError, lambda: Session(INTERNATIONAL, {Side.WHITE: HumanPlayer()})),
        "out-of-date choice": (GameError, answer_late),
        "nothing to take back": (GameError, make_session().back),
        "no draw to claim": (GameError, make_session().claim_draw),
        "closed": (GameError, choose_after_closing),
        "game over": (GameOverError, move_after_resigning),
    }
    for name, content in FILES.items():
        Path(f"{name}.pdn").write_bytes(content)
        cases[f"file: {name}"] = (TablemenError, partial(make_session().load, f"{name}.pdn"))
    check_errors(Path(__file__).with_name("error_messages.txt"), cases)


def answer_late() -> object:
    session = make_session(white=First())
    choice = session.choose()
    session.restart()
    return session.answer(choice)


def choose_after_closing() -> object:
    session = make_session(white=First())
    session.close()
    return session.choose()


def move_after_resigning() -> object:
    session = make_session(Pits.start("kalah"))
    session.resign()
    return session.move("3")
