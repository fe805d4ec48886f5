"""Parsing and formatting of options: quotes, and players with a subject."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen.errors import ArgumentError, TablemenError
from tablemen.game import Game
from tablemen.players.options import SECONDS, TEXT, WrittenPlayer, option, quote, split_settings, unquote

texts = st.text(alphabet=st.sampled_from('ab ,"=\\\n:'), min_size=1).filter(str.strip)


@dataclass(kw_only=True)
class PlayerWithSubject(WrittenPlayer):
    kind: ClassVar[str] = "with-subject"
    about: ClassVar[str] = "for tests"
    subject: ClassVar[str | None] = "command"

    command: str = option(TEXT, "")
    greeting: str = option(TEXT, "hello")
    time: float | None = option(SECONDS)

    def choose(self, game: Game[Any, Any]) -> Any:
        raise NotImplementedError


@given(st.lists(texts, min_size=1))
def test_unquote_is_the_inverse_of_quote(words: list[str]) -> None:
    assert [unquote(word) for word in split_settings(",".join(map(quote, words)))] == words


@given(texts, texts, st.none() | st.floats(0.001, 1e6))
def test_a_player_with_a_subject_round_trips(command: str, greeting: str, time: float | None) -> None:
    player = PlayerWithSubject(command=command, greeting=greeting, time=time)
    assert PlayerWithSubject.read(str(player).partition(":")[2]) == player


@pytest.mark.parametrize(
    ("settings", "player"),
    [
        ('"scan hub",time=2', PlayerWithSubject(command="scan hub", time=2)),
        ("scan", PlayerWithSubject(command="scan")),
        (
            r'"C:\scan\scan.exe hub"',
            PlayerWithSubject(command=r"C:\scan\scan.exe hub"),
        ),  # only quotes and \ need a backslash
        (
            'localhost:27531 , greeting = "good, day"',
            PlayerWithSubject(command="localhost:27531", greeting="good, day"),
        ),
    ],
)
def test_read_options(settings: str, player: PlayerWithSubject) -> None:
    assert PlayerWithSubject.read(settings) == player


def test_an_unclosed_quote_is_an_error() -> None:
    with pytest.raises(TablemenError, match='"scan hub'):
        PlayerWithSubject.read('"scan hub')


def test_the_subject_is_required() -> None:
    with pytest.raises(ArgumentError) as caught:
        PlayerWithSubject.read("")
    assert (caught.value.name, caught.value.value) == ("command", "")
