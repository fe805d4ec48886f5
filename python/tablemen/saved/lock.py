"""Locks on files that end with the process that holds them, however it ends."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int, *, shared: bool) -> bool:  # noqa: ARG001 - there is one kind
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


TRIES, PAUSE = 20, 0.01  # whoever asks whether a lock is held has it for a moment


class FileLock:
    """A lock that one process at a time holds; its file is there as long as it is held."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None

    def take(self) -> bool:
        """Whether the lock is held from now on, or was. Raises `OSError` where there can be none."""
        for attempt in range(TRIES):
            if self._file is not None:
                return True
            if attempt:
                time.sleep(PAUSE)
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                # A file that was removed before it was locked keeps nobody else out.
                if _lock(file, shared=False) and _is_at(file, self.path):
                    self._file, file = file, -1
            finally:
                if file >= 0:
                    os.close(file)
        return False

    def release(self) -> None:
        """Others can take it, and its file is gone."""
        if self._file is None:
            return
        file, self._file = self._file, None
        if sys.platform == "win32":  # where an open file cannot be removed
            os.close(file)
            self._remove()
        else:
            self._remove()
            os.close(file)

    def _remove(self) -> None:
        with contextlib.suppress(OSError):
            self.path.unlink()


def is_held(path: Path) -> bool:
    """Whether a process holds the lock of this file. Raises `OSError` where nobody can say."""
    try:
        # Whatever has that name, nobody waits for it.
        file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return False
    try:
        return not _lock(file, shared=True)
    finally:
        os.close(file)


def _is_at(file: int, path: Path) -> bool:
    """Whether the open file is still the one at this place."""
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False
