"""Games, saved in files after every move, so that no game is lost if the program is killed.

Each unfinished game is a JSON file. A new state is written to a temporary file, which then replaces the old file, so
the file is always complete. While a process plays a game, it holds a lock on it, which ends with the process. Locks and
temporary files that a killed process has left are removed when games are listed. Finished games are added to a game
file for each variant.
"""

from __future__ import annotations

import builtins
import contextlib
import json
import re
import secrets
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tablemen.clock import GameClock, TimeControl, parse_time_control
from tablemen.console import escape_controls
from tablemen.errors import ArgumentError, TablemenError
from tablemen.family import ScoreSheet, find_variant, get_family
from tablemen.file_lock import FileLock, is_held
from tablemen.game import Game
from tablemen.game_files import add_game
from tablemen.outcome import Side
from tablemen.paths import data_folder, write_atomically
from tablemen.players import HumanPlayer, WrittenPlayer, format_player, parse_player
from tablemen.session import Session
from tablemen.validation import is_number

__all__ = ["DamagedGame", "FileAutoSave", "SavedGame", "SavedGames"]

VERSION = 1
MAX_SECONDS = 1e9  # maximum time on a clock
GONE = "the game was finished or deleted in another window"
IN_USE = "the game is open in another window"
FINISHED = "finished"  # the folder of the game files with finished games
SUFFIX, TEMPORARY_SUFFIX, LOCK_SUFFIX = ".json", ".new", ".lock"
_STALE = re.compile(r".+-[0-9a-f]{16}\.(lock|new)")  # names of locks and temporary files, as `_new_path` forms them


class SavedGames:
    """The unfinished games in a folder, by default that of the user; the folder need not exist.

    >>> from tempfile import TemporaryDirectory
    >>> from tablemen import Side
    >>> from tablemen.mancala import Position
    >>> from tablemen.players import HumanPlayer
    >>> folder = TemporaryDirectory()
    >>> saved = SavedGames(folder.name)
    >>> with Session(Position.start("kalah"), {side: HumanPlayer() for side in Side}) as session:
    ...     autosave = saved.autosave(session)
    ...     print(session.move("3"), session.move("6"), len(saved.list()))  # open games are not listed
    3 6 0
    >>> (game,) = saved.list()
    >>> with saved.resume(game) as session:
    ...     print(*session.game.moves)
    3 6
    >>> folder.cleanup()
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        self._folder = None if folder is None else Path(folder)
        self.problem: str | None = None  # the reason why the last `list` could not read the folder
        self.damaged: tuple[DamagedGame, ...] = ()  # the files that the last `list` could not read

    @property
    def folder(self) -> Path:
        """The folder of the games. Raises `OSError` if the home folder of the user is unknown."""
        return data_folder() / "games" if self._folder is None else self._folder

    def list(self, rules: Any = None) -> builtins.list[SavedGame]:
        """Return the games that can be resumed, the last saved first; if rules are given, only games by these rules.

        Games that a process plays are omitted. A file that cannot be read is not changed, and is one of `damaged`.
        """
        self._remove_stale()
        found: builtins.list[SavedGame] = []
        damaged: builtins.list[DamagedGame] = []
        for path in self._paths():
            try:
                if not is_held(path.with_suffix(LOCK_SUFFIX)):
                    found.append(_read(path))
            except FileNotFoundError:  # another process has just finished the game
                continue
            except OSError as error:
                damaged.append(DamagedGame(path, error.strerror or str(error)))
            except TablemenError as error:
                damaged.append(DamagedGame(path, str(error)))
        self.damaged = tuple(damaged)
        matching = [game for game in found if rules is None or game.rules == rules]
        return sorted(matching, key=lambda game: (game.saved_at, game.path), reverse=True)

    def autosave(self, session: Session) -> FileAutoSave:
        """Save the session in this folder now and after every change."""
        try:
            folder, problem = self.folder, None
        except OSError as error:
            folder, problem = Path(), f"the game cannot be saved: {error}"
        autosave = FileAutoSave(_new_path(folder, session))
        if problem is not None:
            autosave.close()
            autosave.problem = problem
        session.autosave = autosave
        autosave.write(session)
        return autosave

    def resume(self, saved: SavedGame) -> Session:
        """Return a session that continues a game, auto-saved to the same file, with its clock paused.

        Raises `TablemenError` if the game is played or was finished by another process, and `OSError` if the file
        cannot be read.
        """
        lock = _acquire(saved)
        try:
            session = _read(saved.path).create_session()
        except FileNotFoundError as error:
            lock.release()
            raise TablemenError(GONE) from error
        except BaseException:
            lock.release()
            raise
        session.autosave = FileAutoSave(saved.path, lock)
        return session

    def _remove_stale(self) -> None:
        """Remove the lock and the temporary file of each game that no process plays."""
        with contextlib.suppress(OSError):  # `list` reports problems of the folder
            for path in {each.with_suffix(SUFFIX) for each in self.folder.iterdir() if _STALE.fullmatch(each.name)}:
                with contextlib.suppress(OSError):
                    _remove_leftovers(path)

    def remove(self, saved: SavedGame | DamagedGame) -> None:
        """Delete a game. Raises `TablemenError` if another process plays it."""
        lock = _acquire(saved)
        try:
            _remove(saved.path)
        finally:
            lock.release()

    def _paths(self) -> builtins.list[Path]:
        self.problem = None
        try:
            return sorted(path for path in self.folder.iterdir() if path.suffix == SUFFIX)
        except FileNotFoundError:
            return []
        except OSError as error:
            self.problem = str(error)
            return []


def _acquire(saved: SavedGame | DamagedGame) -> FileLock:
    lock = FileLock(saved.path.with_suffix(LOCK_SUFFIX))
    try:
        is_acquired = lock.acquire()
    except FileNotFoundError as error:
        raise TablemenError(GONE) from error
    if not is_acquired:
        raise TablemenError(IN_USE)
    return lock


def _remove_leftovers(path: Path) -> None:
    """Remove the lock and the temporary file of a game unless a process holds its lock."""
    leftovers = [path.with_suffix(LOCK_SUFFIX), path.with_suffix(TEMPORARY_SUFFIX)]
    if not all(stat.S_ISREG(each.lstat().st_mode) for each in leftovers if each.exists()):
        return  # a named pipe or a folder is not ours
    lock = FileLock(leftovers[0])
    if not is_held(lock.path) and lock.acquire():
        try:
            leftovers[1].unlink(missing_ok=True)  # is written only under the lock
        finally:
            lock.release()


def _read(path: Path) -> SavedGame:
    if not stat.S_ISREG(path.stat().st_mode):  # reading a named pipe would block
        raise TablemenError("not a saved game: not a regular file")
    try:
        return parse_saved_game(path.read_text(encoding="utf-8"), path)
    except UnicodeDecodeError as error:
        raise TablemenError(f"not a saved game: {error}") from error


class FileAutoSave:
    """An auto-save that writes a session to a file, and holds the lock of the file.

    If saving fails, `problem` is the reason, and the game continues. A game that has not begun has no file. A finished
    game is added to a game file in the folder `finished`, and its own file is removed.
    """

    def __init__(self, path: Path, lock: FileLock | None = None) -> None:
        self.path = path
        self.problem: str | None = None
        self.finished_file: Path | None = None
        self._finished: Game[Any, Any] | None = None  # the game that was added to this file
        self._lock = lock or FileLock(path.with_suffix(LOCK_SUFFIX))
        self._is_closed = False

    @property
    def is_saved(self) -> bool:
        """Whether the file exists and has the latest state."""
        return self.problem is None and self.path.exists()

    def write(self, session: Session) -> None:
        """Save the current state of the session."""
        if self._is_closed:
            return
        try:
            if session.has_begun and session.game.outcome() is None:
                self._write(format_saved_game(session, now()))
            else:
                self._keep_finished(session)
                _remove(self.path)
            self.problem = None
        except OSError as error:
            self.problem = f"the game cannot be saved: {error.filename or self.path}: {error.strerror or error}"
        except TablemenError as error:
            self.problem = f"the game cannot be saved: {error}"

    def _keep_finished(self, session: Session) -> None:
        """Add a finished game to the game file of its variant, once; a game from a file is there already."""
        game = session.game
        if game.outcome() is None or not session.has_begun or game in (self._finished, session.loaded):
            return
        path = self.path.parent / FINISHED / f"{game.start.variant.name}.{session.family.file_suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        add_game(path, session.sheet())
        self._finished, self.finished_file = game.copy(), path

    def start_next(self, session: Session) -> FileAutoSave:
        """Save the current game of the session, and return the auto-save of its next game, in the same folder."""
        if self._is_closed:
            return self
        self.write(session)
        self.close()
        return FileAutoSave(_new_path(self.path.parent, session))

    def close(self) -> None:
        """Release the lock, so that any process can resume the game from its last saved state."""
        self._is_closed = True
        self._lock.release()

    def _write(self, text: str) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not self._lock.acquire():
            raise TablemenError(IN_USE)
        write_atomically(self.path, text.encode(), self.path.with_suffix(TEMPORARY_SUFFIX))


def now() -> datetime:
    """Return the current time, which is stored in saved games."""
    return datetime.now(UTC)


def _new_path(folder: Path, session: Session) -> Path:
    return folder / f"{session.game.start.variant.name}-{secrets.token_hex(8)}{SUFFIX}"


def _remove(path: Path) -> None:
    """Remove the file of a game, and a temporary file that a crash may have left."""
    for each in (path, path.with_suffix(TEMPORARY_SUFFIX)):
        each.unlink(missing_ok=True)


@dataclass(frozen=True)
class DamagedGame:
    """A file of a saved game that cannot be read, and the reason."""

    path: Path
    reason: str

    def describe(self) -> str:
        """Describe the file in one line: `damaged: kalah-0123.json`."""
        return escape_controls(f"damaged: {self.path.name}")

    def __str__(self) -> str:
        return escape_controls(f"{self.path}: {self.reason}")


@dataclass(frozen=True, kw_only=True)
class SavedGame:
    """A game that can be resumed: the moves, the players, and the seconds that each side has used and gained."""

    path: Path
    sheet: ScoreSheet
    players: Mapping[Side, str]  # texts for `parse_player`
    orientation: Side
    control: TimeControl | None
    used: Mapping[Side, float]
    added: Mapping[Side, float]
    saved_at: datetime  # with a time zone

    @property
    def game(self) -> Game[Any, Any]:
        """The game with its moves."""
        return self.sheet.game

    @property
    def rules(self) -> Any:
        """The rules of the game."""
        return self.game.start.variant

    def describe(self, now: datetime | None = None) -> str:
        """Describe the game in one line: `Kalah (12 moves, against the computer, level 5, saved today 14:03)`."""
        count = len(self.game.moves)
        details = ["a move" if count == 1 else f"{count} moves", self._describe_players()]
        if self.control is not None:
            details.append(f"clock {self.control}")
        details.append(f"saved {_describe_time(self.saved_at, now or datetime.now(UTC))}")
        return escape_controls(f"{self.rules} ({', '.join(details)})")

    def _describe_players(self) -> str:
        others = [_describe_player(text) for text in self.players.values() if text != HumanPlayer.kind]
        if not others:
            return "between two people"
        return f"against {others[0]}" if len(others) == 1 else " against ".join(others)

    def create_session(self) -> Session:
        """Return a session of the game with its clock paused; raises `TablemenError` if a player is unknown."""
        players = {side: parse_player(text) for side, text in self.players.items()}
        session = Session(self.game.start, players, control=self.control)
        session.continue_sheet(replace(self.sheet, game=self.game.copy()))
        session.clock = GameClock(self.control, used=self.used, added=self.added)
        session.orientation = self.orientation
        return session


def _describe_player(text: str) -> str:
    level = re.fullmatch(r"searcher:level=(\d+)", text)
    return text if level is None else f"the computer, level {level[1]}"


def _describe_time(time: datetime, now: datetime) -> str:
    """Format a local time with its day: today, yesterday, or a date."""
    local, today = time.astimezone(), now.astimezone().date()
    days = {today: "today", today - timedelta(days=1): "yesterday"}
    return f"{days.get(local.date(), local.date().isoformat())} {local:%H:%M}"


def format_saved_game(session: Session, saved_at: datetime) -> str:
    """Format a session as JSON. Raises `TablemenError` if a player or the rules have no textual form."""
    game, clock = session.game, session.clock
    rules = game.start.variant
    content = {
        "version": VERSION,
        "saved": saved_at.astimezone(UTC).isoformat(timespec="microseconds"),
        "variant": _format_rules(rules),
        **get_family(rules).board_size(rules),
        "players": {str(side): _format_player(player) for side, player in session.players.items()},
        "orientation": str(session.orientation),
        "control": None if clock.control is None else str(clock.control),
        "used": {str(side): round(clock.used(side), 3) for side in Side},
        "added": {str(side): round(clock.added(side), 3) for side in Side},
        "game": session.family.format_game(session.sheet()),
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _format_rules(rules: Any) -> str:
    """Return the name of the rules. Raises `TablemenError` if the variant of this name has other rules."""
    try:
        named = find_variant(rules.name)
        named = get_family(named).resize(named, **get_family(rules).board_size(rules))
    except TablemenError:
        named = None
    if named != rules:
        raise TablemenError(f"{rules} has custom rules, which cannot be saved")
    return str(rules.name)


def _format_player(player: object) -> str:
    if not isinstance(player, WrittenPlayer):
        raise TablemenError(f"the player {getattr(player, 'name', player)} cannot be saved")
    return format_player(player)


def parse_saved_game(text: str, path: Path) -> SavedGame:
    """Parse a saved game; raises `TablemenError` if the text is invalid."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TablemenError(f"not a saved game: {error}") from error
    if not isinstance(content, dict):
        raise TablemenError("not a saved game: not a JSON object")
    if content.get("version") != VERSION:
        raise ArgumentError("version", content.get("version"), str(VERSION))
    rules = find_variant(_get(content, "variant", str))
    family = get_family(rules)
    rules = family.resize(rules, **{name: _get(content, name, int) for name in family.board_size(rules)})
    sheets = family.parse_games(_get(content, "game", str), rules)
    if len(sheets) != 1:
        raise ArgumentError("game", content["game"], "one game")
    control = content.get("control")
    return SavedGame(
        path=path,
        sheet=sheets[0],
        players=_get_sides(content, "players", "a player", lambda value: isinstance(value, str)),
        orientation=_parse_side(_get(content, "orientation", str)),
        control=None if control is None else parse_time_control(control),
        used=_get_sides(content, "used", "seconds", _is_seconds),
        added=_get_sides(content, "added", "seconds", _is_seconds),
        saved_at=_get_time(content),
    )


def _get(content: Mapping[str, Any], name: str, kind: type) -> Any:
    value = content.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ArgumentError(name, value, {str: "a text", int: "a whole number", dict: "a value for each side"}[kind])
    return value


def _get_sides(
    content: Mapping[str, Any], name: str, expected: str, accepts: Callable[[object], bool]
) -> dict[Side, Any]:
    values = {_parse_side(side): value for side, value in _get(content, name, dict).items()}
    if set(values) != set(Side) or not all(map(accepts, values.values())):
        raise ArgumentError(name, content[name], f"{expected} for each side")
    return values


def _get_time(content: Mapping[str, Any]) -> datetime:
    text = _get(content, "saved", str)
    try:
        time = datetime.fromisoformat(text)
        time.astimezone()  # raises if the year is out of range
    except (ValueError, OverflowError) as error:
        raise ArgumentError("saved", text, "a date and time") from error
    if time.tzinfo is None:
        raise ArgumentError("saved", text, "a date and time with a time zone")
    return time


def _parse_side(text: str) -> Side:
    try:
        return Side(text)
    except ValueError as error:
        raise ArgumentError("side", text, " or ".join(repr(str(side)) for side in Side)) from error


def _is_seconds(value: object) -> bool:
    return is_number(value, maximum=MAX_SECONDS)
