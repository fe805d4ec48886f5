"""Advisory locks on files, which the system releases when the process ends, even after a crash."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int, *, shared: bool) -> bool:  # noqa: ARG001 - Windows has only exclusive locks
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(file: int, *, shared: bool) -> bool:
        try:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


MAX_ATTEMPTS, RETRY_INTERVAL = 20, 0.01  # seconds; `is_held` in another process may hold the lock for a moment


class FileLock:
    """A lock that one process at a time can hold. The lock file exists as long as the lock is held."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None

    def acquire(self) -> bool:
        """Try to acquire the lock; return whether this object holds it. Raises `OSError` if it cannot open the file."""
        for attempt in range(MAX_ATTEMPTS):
            if self._file is not None:
                return True
            if attempt:
                time.sleep(RETRY_INTERVAL)
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                # If another process removed the file before this one locked it, the lock is void.
                if _lock(file, shared=False) and _is_at(file, self.path):
                    self._file, file = file, -1
            finally:
                if file >= 0:
                    os.close(file)
        return False

    def release(self) -> None:
        """Release the lock and remove its file."""
        if self._file is None:
            return
        file, self._file = self._file, None
        if sys.platform == "win32":  # Windows cannot remove an open file
            os.close(file)
        with contextlib.suppress(OSError):
            self.path.unlink()
        if sys.platform != "win32":
            os.close(file)


def is_held(path: Path) -> bool:
    """Return whether a process holds the lock of this file. Raises `OSError` if it cannot be opened."""
    try:
        # A named pipe would block without this flag.
        file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return False
    try:
        return not _lock(file, shared=True)
    finally:
        os.close(file)


def _is_at(file: int, path: Path) -> bool:
    """Return whether the open file is the one at this path."""
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False
