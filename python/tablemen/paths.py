"""The user's folders for cache files and data."""

from __future__ import annotations

import os
from pathlib import Path

CACHE, DATA = "TABLEMEN_CACHE", "TABLEMEN_DATA"
NAME = "tablemen"


def cache_folder() -> Path:
    """Return the folder of cache files: that in `TABLEMEN_CACHE`, or else the one for the user's caches.

    It need not exist. Raises `OSError` if the user's home is unknown.
    """
    return _folder(CACHE, "user_cache_path")


def data_folder() -> Path:
    """Return the folder of saved games: that in `TABLEMEN_DATA`, or else the one for the user's data.

    It need not exist. Raises `OSError` if the user's home is unknown.
    """
    return _folder(DATA, "user_data_path")


def expand_user(file: str) -> str:
    """Replace a leading ~ or ~user by the home of the user; return the path unchanged if there is no such user."""
    return os.path.expanduser(file)  # noqa: PTH111 - that of pathlib raises if there is no such user


def _folder(variable: str, kind: str) -> Path:
    named = os.environ.get(variable)
    if named:
        return Path(named)
    # Imported here, since few commands need it. It ignores relative paths in XDG variables, as XDG requires.
    from platformdirs import PlatformDirs

    try:
        found: Path = getattr(PlatformDirs(NAME, appauthor=False), kind)
    except RuntimeError as error:  # the user has no passwd entry and no HOME
        raise OSError(f"the user has no home directory: set {variable} to a folder") from error
    return found
