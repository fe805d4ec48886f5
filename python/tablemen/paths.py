"""The folders of the user: for what can be worked out again, for what is to be kept, and their home."""

from __future__ import annotations

import os
from pathlib import Path

CACHE, DATA = "TABLEMEN_CACHE", "TABLEMEN_DATA"
NAME = "tablemen"


def cache_folder() -> Path:
    """Where tables are kept: what `TABLEMEN_CACHE` names, else a folder in the user's own place for such things.

    It need not exist. Raises `OSError` where nobody knows where the user's home is.
    """
    return _folder(CACHE, "user_cache_path")


def data_folder() -> Path:
    """Where games in progress are kept: what `TABLEMEN_DATA` names, else a folder in the user's place for data.

    It need not exist. Raises `OSError` where nobody knows where the user's home is.
    """
    return _folder(DATA, "user_data_path")


def in_home(file: str) -> str:
    """The file that somebody typed, with ~ for a user's home; as it is, where there is no such user."""
    return os.path.expanduser(file)  # noqa: PTH111 - pathlib's raises there


def _folder(variable: str, kind: str) -> Path:
    named = os.environ.get(variable)
    if named:
        return Path(named)
    # Of use to few commands. The XDG specification: a path that is not absolute is to be ignored; it keeps to that.
    from platformdirs import PlatformDirs

    try:
        found: Path = getattr(PlatformDirs(NAME, appauthor=False), kind)
    except RuntimeError as error:  # a user without an entry and without HOME
        raise OSError(f"the user has no home, and {variable} names no folder") from error
    return found
