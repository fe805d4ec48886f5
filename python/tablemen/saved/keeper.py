"""Keeping one game: its file, and the lock that goes with it."""

from __future__ import annotations

import contextlib
import os
import secrets
from datetime import UTC, datetime
from pathlib import Path

from tablemen.errors import TablemenError
from tablemen.saved.lock import FileLock
from tablemen.saved.text import format_saved
from tablemen.session import Session

SUFFIX, NEW, LOCK = ".json", ".new", ".lock"


class Keeper:
    """Keeps a session in a file. Where that cannot be done, `problem` says why, and the game goes on all the same.

    A game that has not begun, or one that is over, has no file.
    """

    def __init__(self, path: Path, lock: FileLock | None = None) -> None:
        self.path = path
        self.problem: str | None = None
        self._lock = lock or FileLock(lock_of(path))
        self._is_done = False

    @property
    def is_kept(self) -> bool:
        """Whether there is a file to go on from, as the game was when it was last written."""
        return self.problem is None and self.path.exists()

    def write(self, session: Session) -> None:
        """Keep the session as it is now."""
        if self._is_done:
            return
        try:
            if session.has_begun and session.game.outcome() is None:
                self._write(format_saved(session, now()))
            else:
                remove(self.path)
            self.problem = None
        except OSError as error:
            self.problem = f"the game cannot be saved: {error.filename or self.path}: {error.strerror or error}"
        except TablemenError as error:
            self.problem = f"the game cannot be saved: {error}"

    def renew(self, session: Session) -> Keeper:
        """Leave the game of the session as it is now, and give what keeps another one in the same folder."""
        if self._is_done:
            return self
        self.write(session)
        self.close()
        return Keeper(new_path(self.path.parent, session))

    def close(self) -> None:
        """Leave the game as it was last written: anybody can take it up."""
        self._is_done = True
        self._lock.release()

    def _write(self, text: str) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not self._lock.take():
            raise TablemenError("it is being played elsewhere")
        write_whole(self.path, text)


def now() -> datetime:
    """When a game is saved."""
    return datetime.now(UTC)


def new_path(folder: Path, session: Session) -> Path:
    """A file for a game that has none."""
    return folder / f"{session.game.start.variant.name}-{secrets.token_hex(8)}{SUFFIX}"


def lock_of(path: Path) -> Path:
    """The file that is locked while the game is played."""
    return path.with_suffix(LOCK)


def remove(path: Path) -> None:
    """Removes the file of a game, and what a crash may have left beside it."""
    for each in (path, path.with_suffix(NEW)):
        each.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """Writes a file so that there is, whatever happens, the old one or the new one, and never a part of one."""
    new = path.with_suffix(NEW)
    try:
        with new.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """So that the new name outlives a loss of power too; not every system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
