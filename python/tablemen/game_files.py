"""Game files of any family: a game is added to one, and the last of one is gone on with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tablemen.errors import NotationError, TablemenError
from tablemen.family import Family, ScoreSheet, families, get_family
from tablemen.game import Game

BEGINNING = 1 << 16  # bytes that are enough to see what a file has
BLANK_LINE = b"\n\n"


class LastGame(NamedTuple):
    """The last game of a file that was asked for, and how many of its kind the file has."""

    game: Game[Any, Any]
    among: int


def check_game_file(path: Path, family: Family) -> None:
    """Raises what `add_game` would raise for a game of the family; a file that was not there is there afterwards."""
    with path.open("ab"):
        pass
    if path.is_file():
        _separation(path, family)


def add_game(path: Path, sheet: ScoreSheet) -> None:
    """Adds a game to a file, an empty line behind what it has.

    Raises `TablemenError` where the file has games of another family, and `OSError`; nothing is written then,
    unless the disk is full in the midst of it.
    """
    family = get_family(sheet.game.start)
    text = family.format_game(sheet).encode()
    between = _separation(path, family) if path.is_file() else b""
    with _naming(path), path.open("ab") as file:
        file.write(between + text)


def read_last_game(path: Path, rules: Any) -> LastGame:
    """The last game of a file that is of these rules and can be read; all others are passed over.

    Raises `TablemenError`, with what is wrong, where there is none, and `OSError`.
    """
    try:
        with _naming(path):
            content = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise TablemenError(f"{path} is not a text: {error}") from error
    family = get_family(rules)
    _check_family(content, family, path)
    problems: list[NotationError] = []
    sheets = family.parse_games(content, rules, on_error=problems.append)
    if sheets:
        return LastGame(sheets[-1].game, len(sheets))
    if len(problems) > 1:
        raise TablemenError(f"{path}: none of its {len(problems)} games can be loaded; the last one: {problems[-1]}")
    raise TablemenError(f"{path}: {problems[0]}" if problems else f"{path} has no games")


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """An `OSError` says which file it is about; that of a disk that is full does not by itself."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def _separation(path: Path, family: Family) -> bytes:
    """What must stand between the games of the file and one more."""
    with path.open("rb") as file:
        _check_family(file.read(BEGINNING).decode("utf-8", "replace"), family, path)
        file.seek(max(0, path.stat().st_size - 4))
        end = file.read().replace(b"\r\n", b"\n")
    return BLANK_LINE[len(end) - len(end.rstrip(b"\n")) :] if end else b""


def _check_family(text: str, family: Family, path: Path) -> None:
    """Raises `TablemenError` where a text plainly has games of another family."""
    if family.file_pattern.search(text):
        return
    for other in families():
        if other.file_pattern.search(text):
            raise TablemenError(f"{path} has games of {other.name}, and not of {family.name}")
