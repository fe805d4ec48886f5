"""The user's folders for cache files and data, and files that are replaced as a whole."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

CACHE, DATA = "TABLEMEN_CACHE", "TABLEMEN_DATA"
NAME = "tablemen"
STALE_AGE = 3600  # seconds since the last change of a temporary file until it is removed


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


def write_atomically(path: Path, content: bytes, temporary: Path) -> None:
    """Write a file by way of a temporary one in the same folder.

    Other processes read either the old content or the new, even after a crash. No temporary file remains if writing
    fails. Raises `OSError`, whose `filename` is always set.
    """
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException as error:  # KeyboardInterrupt too
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)
        raise
    with contextlib.suppress(OSError):  # not every system can synchronise a folder
        descriptor = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def remove_stale(folder: Path, pattern: str) -> None:
    """Remove temporary files that a killed process has left. A running process finishes a file within an hour."""
    for part in folder.glob(pattern):
        with contextlib.suppress(OSError):  # another process may have removed it
            if time.time() - part.stat().st_mtime > STALE_AGE:
                part.unlink()


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
