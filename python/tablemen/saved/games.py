"""The games in progress of a folder."""

from __future__ import annotations

import builtins
import stat
from pathlib import Path
from typing import Any

from tablemen.errors import TablemenError
from tablemen.paths import data_folder
from tablemen.saved.keeper import SUFFIX, Keeper, lock_of, new_path, remove
from tablemen.saved.lock import FileLock, is_held
from tablemen.saved.text import SavedGame, make_session, parse_saved
from tablemen.session import Session


class SavedGames:
    """The games in progress of a folder, the user's own unless one is named; it need not exist.

    >>> from tempfile import TemporaryDirectory
    >>> from tablemen import Side
    >>> from tablemen.mancala import Position
    >>> from tablemen.players import HumanPlayer
    >>> folder = TemporaryDirectory()
    >>> saved = SavedGames(folder.name)
    >>> with Session(Position.start("kalah"), {side: HumanPlayer() for side in Side}) as session:
    ...     keeper = saved.keep(session)
    ...     print(session.move("3"), session.move("6"), len(saved.list()))  # what is being played is not listed
    3 6 0
    >>> (game,) = saved.list()
    >>> with saved.take_up(game) as session:
    ...     print(*session.game.moves)
    3 6
    >>> folder.cleanup()
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        self._folder = None if folder is None else Path(folder)
        self.problems: tuple[str, ...] = ()  # what the last `list` could not read

    @property
    def folder(self) -> Path:
        """Where the games are. Raises `OSError` where nobody knows where the user's home is."""
        return data_folder() / "games" if self._folder is None else self._folder

    def list(self, rules: Any = None) -> builtins.list[SavedGame]:
        """The games that can be gone on with, the last saved first; of these rules alone, where they are given.

        Games that are being played are left out. A file that cannot be read is left where it is, and `problems` says
        what is wrong with it.
        """
        found: builtins.list[SavedGame] = []
        problems: builtins.list[str] = []
        for path in self._paths(problems):
            try:
                if not is_held(lock_of(path)):
                    found.append(_read(path))
            except FileNotFoundError:  # somebody has just ended it
                continue
            except OSError as error:
                problems.append(f"{path}: {error.strerror or error}")
            except TablemenError as error:
                problems.append(f"{path}: {error}")
        self.problems = tuple(problems)
        fitting = [game for game in found if rules is None or game.rules == rules]
        return sorted(fitting, key=lambda game: (game.saved_at, game.path), reverse=True)

    def keep(self, session: Session) -> Keeper:
        """From now on the session is kept here, after every change."""
        try:
            folder, problem = self.folder, None
        except OSError as error:
            folder, problem = Path(), f"the game cannot be saved: {error}"
        keeper = Keeper(new_path(folder, session))
        if problem is not None:
            keeper.close()
            keeper.problem = problem
        session.keeper = keeper
        keeper.write(session)
        return keeper

    def take_up(self, saved: SavedGame) -> Session:
        """Go on with a game: a session that is kept as it was, its clock standing still.

        Raises `TablemenError` where somebody else plays it, or ended it, and `OSError` where it cannot be read.
        """
        lock = self._take(saved)
        try:
            session = make_session(_read(saved.path))
        except FileNotFoundError as error:
            lock.release()
            raise TablemenError("the game was ended elsewhere") from error
        except BaseException:
            lock.release()
            raise
        session.keeper = Keeper(saved.path, lock)
        return session

    def remove(self, saved: SavedGame) -> None:
        """Give a game up for good. Raises `TablemenError` where somebody plays it."""
        lock = self._take(saved)
        try:
            remove(saved.path)
        finally:
            lock.release()

    def _take(self, saved: SavedGame) -> FileLock:
        lock = FileLock(lock_of(saved.path))
        try:
            is_taken = lock.take()
        except FileNotFoundError as error:
            raise TablemenError("the game was ended elsewhere") from error
        if not is_taken:
            raise TablemenError("the game is being played elsewhere")
        return lock

    def _paths(self, problems: builtins.list[str]) -> builtins.list[Path]:
        try:
            return sorted(path for path in self.folder.iterdir() if path.suffix == SUFFIX)
        except FileNotFoundError:
            return []
        except OSError as error:
            problems.append(str(error))
            return []


def _read(path: Path) -> SavedGame:
    if not stat.S_ISREG(path.stat().st_mode):  # a pipe would never end
        raise TablemenError("this is no saved game, and no file")
    try:
        return parse_saved(path.read_text(encoding="utf-8"), path)
    except UnicodeDecodeError as error:
        raise TablemenError(f"this is no saved game: {error}") from error
