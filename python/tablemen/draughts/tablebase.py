"""Endgame tablebases: the exact value of every position with few pieces, for any rules without a king-move limit.

A tablebase is a folder with one file per slice: all positions with the same men and kings of the side to move and of
its opponent. `build` creates the files, and `Tablebase.open` reads them::

    tablebase = build("english", pieces=3, folder="tables")
    tablebase.probe_wdl(position)

Values ignore draw rules. A value is that of the side to move with perfect play of both sides, and a distance is the
number of plies to the end of the game: the winner plays for the fastest win, the loser for the slowest loss.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import lru_cache, partial
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from tablemen import _core
from tablemen._core import Move, Position
from tablemen.draughts.board import Square
from tablemen.draughts.rules import DraughtsRules, MostValue
from tablemen.draughts.variants import find_variant
from tablemen.endgame import MoveValue, Wdl
from tablemen.errors import ArgumentError, TablebaseError, TablemenError
from tablemen.outcome import Side
from tablemen.paths import data_folder, remove_stale
from tablemen.tasks import PART_SUFFIX, TaskQueue, write_file
from tablemen.validation import is_int

__all__ = ["MoveValue", "Progress", "Slice", "Statistics", "Tablebase", "Wdl", "build"]

T = TypeVar("T")

MAX_PIECES = 7
SUFFIX = ".tmtb"
_BYTES_PER_POSITION = 1 / 12  # an upper estimate for values; most slices need less
_BYTES_PER_DISTANCE = 1 / 2
_BYTES_PER_FILE = 200

_WDL = {wdl.value: wdl for wdl in Wdl}  # faster than `Wdl(value)`


class Slice(NamedTuple):
    """The pieces of a slice: those of the side to move, and those of its opponent.

    >>> str(Slice(1, 2, 0, 1))
    'KKM-K'
    """

    own_men: int
    own_kings: int
    other_men: int
    other_kings: int

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return sum(self)

    @property
    def twin(self) -> Slice:
        """The slice of the same pieces with the other side to move."""
        return Slice(self.other_men, self.other_kings, self.own_men, self.own_kings)

    def __str__(self) -> str:
        return f"{'K' * self.own_kings}{'M' * self.own_men}-{'K' * self.other_kings}{'M' * self.other_men}"


@dataclass(frozen=True, slots=True)
class Statistics:
    """The positions of a slice by value, for the side to move, and its longest distance, if it has distances."""

    wins: int
    draws: int
    losses: int
    longest: int | None

    @property
    def positions(self) -> int:
        """The number of positions."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of `build`: a slice that is being built, and the indices built so far and in all."""

    slice: Slice
    done: int
    total: int


class Tablebase:
    """The slices of a variant that were built, in memory-mapped files.

    >>> from tempfile import TemporaryDirectory
    >>> from tablemen.draughts import Position
    >>> with TemporaryDirectory() as folder:
    ...     tablebase = build("english", pieces=2, folder=folder, distances=True)
    ...     position = Position.from_fen("W:WK10:BK19", "english")
    ...     tablebase.probe_wdl(position), tablebase.probe_distance(position)
    (<Wdl.DRAW: 0>, None)
    """

    def __init__(self, variant: DraughtsRules | str) -> None:
        """Create an empty tablebase. Raises `TablemenError` if the rules are not supported."""
        self.rules = find_variant(variant)
        self._core = _open_core(self.rules)
        self._slices: set[Slice] = set()
        self._distance_pieces = MAX_PIECES  # all slices with up to this number of pieces have distances

    @classmethod
    def open(cls, folder: str | os.PathLike[str] | None, variant: DraughtsRules | str) -> Tablebase:
        """Open the tablebase of a variant in a folder, by default that of the user.

        The tablebase is empty if there are no files. Raises `TablebaseError` if a file is truncated, damaged or belongs
        to other rules, and `OSError`.
        """
        rules = find_variant(variant)
        tablebase = cls(rules)
        for path in list_files(folder, rules):
            tablebase.add_file(path)
        return tablebase

    @property
    def core(self) -> _core.Tablebase:
        """The tablebase in the core, for the search."""
        return self._core

    @property
    def slices(self) -> tuple[Slice, ...]:
        """The slices that are present, small ones first."""
        return tuple(sorted(self._slices, key=lambda each: (each.pieces, each)))

    @property
    def pieces(self) -> int:
        """The largest number of pieces for which all slices are present; 0 if there is none."""
        present = 0
        while self._slices >= set(_needed_slices(self._core, present + 1)) and present < MAX_PIECES:
            present += 1
        return present if present > 1 else 0

    @property
    def has_distances(self) -> bool:
        """Whether every slice has distances."""
        return self._distance_pieces == MAX_PIECES

    def probe_wdl(self, position: Position) -> Wdl | None:
        """Return the value of a position for the side to move, or None if the tablebase does not have it.

        No tablebase has positions with a man on its promotion row, which do not occur in play.

        Raises `TablebaseError` if the file is damaged, and `TablemenError` if the position has other rules.
        """
        value = self._core.probe(position)
        return None if value is None else _WDL[value]

    def probe_distance(self, position: Position) -> int | None:
        """Return the number of plies to the end of the game, or None in a draw or if the distances are not known.

        They are known if all slices with this number of pieces and fewer have distances.

        Raises `TablebaseError` and `TablemenError` as `probe_wdl` does.
        """
        found = self._core.probe_distance(position) if self._knows_distance(position) else None
        return None if found is None or found[0] == Wdl.DRAW else found[1]

    def rank_moves(self, position: Position) -> list[MoveValue] | None:
        """Return all legal moves with their values, the best first; None if the tablebase does not have all of them.

        Wins are in the order of their distances, and losses in the reverse order.
        """
        (valued,) = self.value_moves([position])
        return None if valued is None else sorted(valued, key=_sort_key)

    def value_moves(self, positions: Sequence[Position], threads: int = 1) -> list[list[MoveValue] | None]:
        """Return what `rank_moves` returns for each position, but with the moves in the order of `legal_moves`."""
        return [
            None if found is None else self._value_moves(position, found)
            for position, found in zip(positions, self._core.probe_moves(positions, threads), strict=True)
        ]

    def _value_moves(self, position: Position, found: list[tuple[int, int | None]]) -> list[MoveValue]:
        knows_distance = self._knows_distance(position)
        valued = []
        for move, (value, distance) in zip(position.legal_moves(), found, strict=True):
            is_known = knows_distance and value != Wdl.DRAW
            plies = distance + 1 if is_known and distance is not None else None
            valued.append(MoveValue(move, _WDL[-value], plies))
        return valued

    def best_moves(self, position: Position) -> tuple[Move, ...] | None:
        """Return the legal moves that keep the value, of these only the fastest wins or slowest losses if known.

        None if the tablebase does not have all positions after the moves.
        """
        ranked = self.rank_moves(position)
        if ranked is None:
            return None
        return tuple(each.move for each in ranked if _sort_key(each) == _sort_key(ranked[0]))

    def statistics(self) -> dict[Slice, Statistics]:
        """Return the statistics of each slice."""
        found = {}
        for each in self.slices:
            wins, draws, losses, longest, has_distances = self._core.statistics(each) or (0, 0, 0, 0, False)
            found[each] = Statistics(wins, draws, losses, longest if has_distances else None)
        return found

    def check(self) -> dict[Slice, TablebaseError | None]:
        """Check the checksums of all slices, and return the error of each; None if the slice is intact."""
        found: dict[Slice, TablebaseError | None] = {}
        for each in self.slices:
            try:
                self._core.check(each)
                found[each] = None
            except TablebaseError as error:
                found[each] = error
        return found

    def verify(self, part: Slice, *, threads: int | None = None) -> Position | None:
        """Compare all values of a slice and its twin with those after the moves; return the first wrong position.

        Return None if all values agree. If all slices have distances, this proves all values, because every win and
        loss then has a position after it that is nearer to the end of the game. Without distances, wrong values can
        confirm each other.

        Raises `TablebaseError` if the slice, its twin or a slice that captures and promotions lead to is not present or
        damaged, and if the statistics in a file are wrong.
        """
        return self._core.verify(part, threads or os.cpu_count() or 1)

    def missing(self, pieces: int, *, distances: bool = False) -> list[Slice]:
        """Return the slices with up to `pieces` pieces that are not present, or have no distances if these are needed.

        They are in an order in which they can be built.
        """
        needed = (each for count in range(2, pieces + 1) for each in _needed_slices(self._core, count))
        return [each for each in needed if not self.has_slice(each, distances=distances)]

    def has_slice(self, part: Slice, *, distances: bool = False) -> bool:
        """Return whether a slice is present, with distances if these are needed."""
        found = self._core.statistics(part)
        return found is not None and (found[-1] or not distances)

    def dependencies(self, part: Slice) -> list[Slice]:
        """Return the slices that must be present to build a slice and its twin, those with few pieces first."""
        return list(map(Slice._make, self._core.dependencies(part)))

    def size(self, part: Slice) -> int:
        """Return the number of indices of a slice, slightly more than the number of its positions."""
        return self._core.size(part)

    def build_slice(
        self, part: Slice, *, distances: bool = False, threads: int | None = None
    ) -> list[tuple[Slice, bytes]]:
        """Build a slice and its twin, and return the contents of their files.

        Raises `TablebaseError` if a slice that captures or promotions lead to is not present, or has no distances, and
        if the slice has more than 2³² positions.
        """
        built = self._core.build(part, distances, threads or os.cpu_count() or 1)
        return [(Slice(*counts), content) for counts, content in built]

    def build_in_memory(self, pieces: int, *, threads: int | None = None) -> None:
        """Build all missing slices with up to `pieces` pieces, with distances, without files."""
        missing = self.missing(pieces, distances=True)
        while missing:
            for built, content in self.build_slice(missing[0], distances=True, threads=threads):
                self._slices.add(Slice(*self._core.add(content)))
                missing = [each for each in missing if each != built]

    def add_file(self, path: Path) -> None:
        """Add the file of a slice. Raises `TablebaseError` if it cannot be used, and `OSError`."""
        try:
            with path.open("rb"):  # an `OSError` of the core has no file name
                part = Slice(*self._core.add_file(path))
        except TablebaseError as error:
            raise TablebaseError(error.problem, path) from error
        self._slices.add(part)
        without = [each.pieces for each, found in self.statistics().items() if found.longest is None]
        self._distance_pieces = min(without) - 1 if without else MAX_PIECES

    def _knows_distance(self, position: Position) -> bool:
        return self.has_distances or len(position.piece_map()) <= self._distance_pieces


def _sort_key(found: MoveValue) -> tuple[int, int]:
    return -found.wdl, found.wdl * (found.distance or 0)


def build(  # noqa: PLR0913 - only the variant is required
    variant: DraughtsRules | str,
    pieces: int = 4,
    *,
    folder: str | os.PathLike[str] | None = None,
    distances: bool = False,
    threads: int | None = None,
    concurrency: int | None = None,
    executor: Executor | None = None,
    on_progress: Callable[[Progress], object] | None = None,
) -> Tablebase:
    """Build all slices with up to `pieces` pieces that are missing in a folder, and return the tablebase.

    The default folder is that of the user. `distances` adds the distance to the end of the game; slices that have none
    are built again.

    With `concurrency` above 1, a pool of that many processes builds the slices. With an `executor`, they are built by
    tasks that are submitted to that instead, which read and write files in the same folder; `concurrency` is then the
    maximum number of tasks at a time, by default all that can begin. `threads` is the number of threads for each slice:
    by default one per processor, or 1 if several slices can be built at a time. The files are always the same.

    `on_progress` is called before slices are begun, and may raise to stop. After an error or Ctrl-C, nothing is built
    any more when this function returns. Finished slices are on the disk, and the next call continues with the others.

    If a process of the pool dies, its slice is built again in another one. Raises `TablemenError` if the rules are not
    supported, `TaskError` if an executor has lost a task, `TablebaseError` if a file is damaged, and `OSError`; no
    incomplete file remains.
    """
    rules = find_variant(variant)
    if not is_int(pieces, minimum=2, maximum=MAX_PIECES):
        raise ArgumentError("pieces", pieces, f"a whole number from 2 to {MAX_PIECES}")
    for name, number in (("threads", threads), ("concurrency", concurrency)):
        if not (number is None or is_int(number, minimum=1)):
            raise ArgumentError(name, number, "a whole number of at least 1, or None")
    tablebase = Tablebase.open(folder, rules)
    place = tablebase_folder(folder, rules).absolute()
    place.mkdir(parents=True, exist_ok=True)
    remove_stale(place, f"*{PART_SUFFIX}")
    missing = tablebase.missing(pieces, distances=distances)
    if not missing:
        return tablebase
    is_inline = executor is None and concurrency in {None, 1}
    task = partial(build_files, str(place), rules, distances=distances, threads=threads or (None if is_inline else 1))
    tasks = _Tasks(tablebase, place, missing, on_progress)
    own = None
    if executor is None:
        concurrency = min(concurrency or 1, len(missing))
        executor = own = _InlineExecutor() if is_inline else _open_pool(concurrency)
    queue: TaskQueue[Slice] = TaskQueue(executor)
    with contextlib.ExitStack() as stack:
        stack.callback(_open_in_worker.cache_clear)
        stack.callback(queue.cancel, wait_for_running=True)  # after the processes of an own pool have ended
        if own is not None:
            stack.enter_context(own)
        tasks.run(queue, task, concurrency or len(missing))
    return tablebase


class _Tasks:
    """The tasks of `build`, each of which builds a slice and its twin.

    A task is submitted when the slices that it needs are finished. If several can begin, those with few pieces come
    first, then those with the most indices in the longest chain of tasks that need them (critical path scheduling).
    """

    def __init__(
        self,
        tablebase: Tablebase,
        place: Path,
        missing: list[Slice],
        on_progress: Callable[[Progress], object] | None,
    ) -> None:
        self._tablebase = tablebase
        self._place = place
        self._on_progress = on_progress or (lambda _: None)
        self._sizes = dict.fromkeys((min(each, each.twin) for each in missing), 0)  # only of slices that are missing
        for each in missing:
            self._sizes[min(each, each.twin)] += tablebase.size(each)
        self._needs = {
            part: {min(each, each.twin) for each in tablebase.dependencies(part)} & self._sizes.keys()
            for part in self._sizes
        }
        self._chains: dict[Slice, int] = {}
        for part in reversed([*TopologicalSorter(self._needs).static_order()]):
            after = (chain for each, chain in self._chains.items() if part in self._needs[each])
            self._chains[part] = self._sizes[part] + max(after, default=0)

    def run(self, queue: TaskQueue[Slice], task: Callable[[Slice], list[Slice]], limit: int) -> None:
        """Submit all tasks, at most `limit` at a time, and wait for their ends."""
        sorter = TopologicalSorter(self._needs)
        sorter.prepare()
        total, done = sum(self._sizes.values()), 0
        ready: list[Slice] = []
        while sorter.is_active():
            ready = sorted((*ready, *sorter.get_ready()), key=lambda each: (-each.pieces, self._chains[each], each))
            begun = [ready.pop() for _ in range(min(len(ready), limit - len(queue)))]
            self._on_progress(Progress([*queue.keys, *begun][0], done, total))
            for part in begun:
                queue.submit(part, f"{self._tablebase.rules.name} {part}", task, part)
            for part, files in queue.wait():
                for built in files:
                    self._tablebase.add_file(self._place / f"{built}{SUFFIX}")
                sorter.done(part)
                done += self._sizes[part]


def _open_pool(size: int) -> Executor:
    from tablemen.process_pool import RestartingPool

    return RestartingPool(size)


class _InlineExecutor(Executor):
    """Calls functions in the calling thread; `submit` raises their exceptions."""

    def submit(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = Future()
        future.set_result(function(*args, **kwargs))
        return future


def build_files(place: str, rules: DraughtsRules, part: Slice, *, distances: bool, threads: int | None) -> list[Slice]:
    """Build the files of a slice and its twin in the folder `place`, which has the slices that they depend on.

    This is a task of `build`, usually in another process. Return both slices. A file is not written if another process
    has finished it in the meantime.
    """
    tablebase = _open_in_worker(place, rules)
    pair = sorted({part, part.twin})

    def path(each: Slice) -> Path:
        return Path(place, f"{each}{SUFFIX}")

    def is_finished(each: Slice) -> bool:
        with _adding, contextlib.suppress(FileNotFoundError):
            tablebase.add_file(path(each))
            return tablebase.has_slice(each, distances=distances)
        return False

    with _adding:
        for each in tablebase.dependencies(part):
            if not tablebase.has_slice(each, distances=distances):
                tablebase.add_file(path(each))
    if all(map(is_finished, pair)):
        return pair
    try:
        built = tablebase.build_slice(part, distances=distances, threads=threads)
    except TablebaseError as error:
        _open_in_worker.cache_clear()  # a damaged file can be replaced before the next task
        damaged = (path(each) for each, problem in tablebase.check().items() if problem is not None)
        raise TablebaseError(error.problem, next(damaged, None)) from error
    for each, content in built:
        if not is_finished(each):
            write_file(path(each), content)
    return pair


_adding = threading.Lock()  # held while slices are added to a tablebase, which several threads can use


@lru_cache(1)
def _open_in_worker(place: str, rules: DraughtsRules) -> Tablebase:  # noqa: ARG001 - part of the key
    """Return an empty tablebase; the next task of the process finds it with the slices that this task has used."""
    return Tablebase(rules)


def estimate_size(variant: DraughtsRules | str, parts: Iterable[Slice], *, distances: bool = False) -> int:
    """Return an estimate, on the high side, of the bytes that the files of slices need."""
    core = _open_core(find_variant(variant))
    sizes = list(map(core.size, parts))
    per_position = _BYTES_PER_POSITION + (_BYTES_PER_DISTANCE if distances else 0)
    return round(_BYTES_PER_FILE * len(sizes) + per_position * sum(sizes))


def check_samples(tablebase: Tablebase, count: int, *, seed: int = 0) -> list[Position]:
    """Compare the values of random positions with those after their moves; return the positions that do not agree."""
    positions = random_positions(tablebase.rules, max(2, tablebase.pieces), count, seed=seed)
    return [position for position in positions if not _agrees(tablebase, position)]


def _agrees(tablebase: Tablebase, position: Position) -> bool:
    value = tablebase.probe_wdl(position), tablebase.probe_distance(position)
    if outcome := position.outcome():
        wdl = Wdl.WIN if outcome.winner is position.turn else Wdl.LOSS
        return value in {(wdl, 0), (wdl, None)}
    ranked = tablebase.rank_moves(position)
    return ranked is None or value == (ranked[0].wdl, ranked[0].distance)


def random_positions(rules: DraughtsRules, pieces: int, count: int, *, seed: int = 0) -> Iterator[Position]:
    """Yield random positions with 2 to `pieces` pieces, in which both sides have pieces."""
    chance = random.Random(seed)
    squares = rules.mover.squares
    far_rows = {Side.WHITE: min(each.row for each in squares), Side.BLACK: max(each.row for each in squares)}
    for _ in range(count):
        sides = [*Side, *chance.choices(list(Side), k=chance.randint(0, pieces - 2))]
        men: dict[Side, list[Square]] = {side: [] for side in Side}
        kings: dict[Side, list[Square]] = {side: [] for side in Side}
        for side, square in zip(sides, chance.sample(squares, len(sides)), strict=True):
            is_king = square.row == far_rows[side] or chance.random() < 0.5
            (kings if is_king else men)[side].append(square)
        yield Position(
            rules,
            chance.choice(list(Side)),
            white_men=men[Side.WHITE],
            white_kings=kings[Side.WHITE],
            black_men=men[Side.BLACK],
            black_kings=kings[Side.BLACK],
        )


def tablebase_folder(folder: str | os.PathLike[str] | None, rules: DraughtsRules) -> Path:
    """Return the folder of the files of a variant, in `folder` or in the folder of the user."""
    root = data_folder() / "tablebases" if folder is None else Path(folder)
    return root / rules.name


def list_files(folder: str | os.PathLike[str] | None, rules: DraughtsRules) -> list[Path]:
    """Return the paths of the files of a variant."""
    try:
        return sorted(path for path in tablebase_folder(folder, rules).iterdir() if path.suffix == SUFFIX)
    except FileNotFoundError:
        return []


def remove(variant: DraughtsRules | str, *, folder: str | os.PathLike[str] | None = None) -> int:
    """Delete the files of a variant, and return their number."""
    rules = find_variant(variant)
    paths = list_files(folder, rules)
    for path in paths:
        path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # other files are in the folder
        tablebase_folder(folder, rules).rmdir()
    return len(paths)


def rules_id(rules: DraughtsRules) -> bytes:
    """Return the 16 bytes that identify the rules in files: a hash of the fields that determine values."""
    precedence = [(each.man, each.king) if isinstance(each, MostValue) else each.name for each in rules.precedence]
    fields = {
        "columns": rules.columns,
        "rows": rules.rows,
        "playable": rules.playable.name,
        "corner_playable": rules.corner_playable,
        "man_moves": rules.man_moves.value,
        "man_captures": rules.man_captures.value,
        "men_capture_kings": rules.men_capture_kings,
        "promotion": rules.promotion.name,
        "flying_kings": rules.flying_kings,
        "king_moves": rules.king_moves.value,
        "king_captures": rules.king_captures.value,
        "king_landing": rules.king_landing.name,
        "king_move_limit": rules.king_move_limit,
        "capture_compulsory": rules.capture_compulsory,
        "precedence": precedence,
        "removal": rules.removal.name,
        "reverse_captures": rules.reverse_captures,
        "losing": rules.losing,
        "breakthrough": rules.breakthrough,
        "lone_piece_loses": rules.lone_piece_loses,
        "lone_man_loses_to_king": rules.lone_man_loses_to_king,
    }
    text = "\n".join(f"{name}={value}" for name, value in fields.items())
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def _open_core(rules: DraughtsRules) -> _core.Tablebase:
    try:
        return _core.Tablebase(rules, rules_id(rules))
    except TablebaseError:
        raise
    except TablemenError as error:
        raise TablemenError(f"tablebases of {rules} are not supported: {error}") from error


def _needed_slices(core: _core.Tablebase, pieces: int) -> Iterator[Slice]:
    """Yield the slices with a number of pieces that have positions."""
    return (each for each in map(Slice._make, core.slices(pieces)) if core.size(each))
