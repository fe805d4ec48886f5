"""Game files of any family: append a game, and read the last game to continue it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tablemen.errors import NotationError, TablemenError
from tablemen.family import Family, ScoreSheet, families, get_family

PROBED_BYTES = 1 << 16  # bytes at the beginning of a file, from which its family is detected
BLANK_LINE = b"\n\n"


class LastGame(NamedTuple):
    """The last game of a file, and the number of games that could be read."""

    sheet: ScoreSheet
    games_read: int


def check_game_file(path: Path, family: Family) -> None:
    """Raise the error that `add_game` would raise for a game of the family. Create the file if it does not exist."""
    with path.open("ab"):
        pass
    if path.is_file():
        _find_separator(path, family)


def add_game(path: Path, sheet: ScoreSheet) -> None:
    """Append a game to a file, after an empty line.

    Raises `TablemenError` if the file has games of another family, and `OSError`. Nothing is written then, unless the
    disk becomes full while writing.
    """
    family = get_family(sheet.game.start)
    text = family.format_game(sheet).encode()
    separator = _find_separator(path, family) if path.is_file() else b""
    with _with_file_name(path), path.open("ab") as file:
        file.write(separator + text)


def read_last_game(path: Path, rules: Any) -> LastGame:
    """Return the last game of a file that is of these rules and can be read.

    Raises `TablemenError`, with the reason, if there is none, and `OSError`.
    """
    try:
        with _with_file_name(path):
            content = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise TablemenError(f"{path} is not a text file: {error}") from error
    family = get_family(rules)
    _check_family(content, family, path)
    problems: list[NotationError] = []
    sheets = family.parse_games(content, rules, on_error=problems.append)
    if sheets:
        return LastGame(sheets[-1], len(sheets))
    if len(problems) > 1:
        raise TablemenError(f"{path}: none of its {len(problems)} games can be loaded; the last: {problems[-1]}")
    raise TablemenError(f"{path}: {problems[0]}" if problems else f"{path} has no games")


@contextmanager
def _with_file_name(path: Path) -> Iterator[None]:
    """Add the file name to an `OSError`, since the error of a full disk has none."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def _find_separator(path: Path, family: Family) -> bytes:
    """Return the newlines that must precede a game that is appended to the file."""
    with path.open("rb") as file:
        _check_family(file.read(PROBED_BYTES).decode("utf-8", "replace"), family, path)
        file.seek(max(0, path.stat().st_size - 4))
        end = file.read().replace(b"\r\n", b"\n")
    return BLANK_LINE[len(end) - len(end.rstrip(b"\n")) :] if end else b""


def _check_family(text: str, family: Family, path: Path) -> None:
    """Raise `TablemenError` if a text has games of another family and none of this one."""
    if family.file_pattern.search(text):
        return
    for other in families():
        if other.file_pattern.search(text):
            raise TablemenError(f"{path} has games of {other.name}, not of {family.name}")
