"""The user's folders for cache files and data."""

from __future__ import annotations

import os
from pathlib import Path

CACHE, DATA = "TABLEMEN_CACHE", "TABLEMEN_DATA"
NAME = "tablemen"


def cache_folder() -> Path:
    """Return the folder of cache files: `TABLEMEN_CACHE`, or by default a folder in the user's cache.

    The folder need not exist. Raises `OSError` if the user has no home folder.
    """
    return _folder(CACHE, "user_cache_path")


def data_folder() -> Path:
    """Return the folder of saved games: `TABLEMEN_DATA`, or by default a folder in the user's data.

    The folder need not exist. Raises `OSError` if the user has no home folder.
    """
    return _folder(DATA, "user_data_path")


def expand_user(file: str) -> str:
    """Replace a leading ~ or ~user by the home folder; return the path unchanged if the user is unknown."""
    return os.path.expanduser(file)  # noqa: PTH111 - the method of pathlib raises if the user is unknown


def _folder(variable: str, kind: str) -> Path:
    named = os.environ.get(variable)
    if named:
        return Path(named)
    # Import platformdirs only when needed, since few commands use it. It ignores relative paths in XDG variables.
    from platformdirs import PlatformDirs

    try:
        found: Path = getattr(PlatformDirs(NAME, appauthor=False), kind)
    except RuntimeError as error:  # the user has no passwd entry and no HOME
        raise OSError(f"the user has no home directory: set {variable} to a folder") from error
    return found
