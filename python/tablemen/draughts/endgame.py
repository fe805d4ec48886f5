"""The proven value of a game from tablebases: the user's files, and small tablebases that are built in memory."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from tablemen._core import Move, Position
from tablemen.draughts.board import Kind
from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.tablebase import MAX_PIECES, Tablebase, tablebase_folder
from tablemen.endgame import EndgameResult, ExactValues, MoveValue, Wdl
from tablemen.errors import TablemenError
from tablemen.game import Game
from tablemen.outcome import Side, Termination

MAX_PIECES_IN_MEMORY = 3  # takes at most about a second
MAX_SUGGESTED_SIZE = 3_000_000_000  # indices of a tablebase that takes less than an hour to build
MAX_SUGGESTED_DISTANCES = 250_000_000  # indices of a tablebase with distances
_BATCH = 4096  # positions that are probed between two reports of progress
_CACHE_SIZE = 64  # enough for all variants, so that each tablebase in memory is built once

_building = threading.Lock()  # held while a tablebase is built, so that two threads do not build the same one


def probe_endgame(game: Game[Position, Move], *, folder: str | os.PathLike[str] | None = None) -> EndgameResult | None:
    """Return the proven value of the position of a game and of its moves, or None if no tablebase has it.

    Positions with up to three pieces need no files. For others, `folder` has the files of the tablebase; the default is
    the folder of the user. Return None if the game is over, and if the rules have no tablebases.

    Raises `TablebaseError` if a file is damaged, and `OSError`.
    """
    if game.outcome() is not None:
        return None
    tablebase = find_tablebase(game.position, folder=folder)
    if tablebase is None:
        return None
    wdl = tablebase.probe_wdl(game.position)
    ranked = None if wdl is None else tablebase.rank_moves(game.position)
    if wdl is None or ranked is None:
        return None
    distance = tablebase.probe_distance(game.position)
    line, drawn_by = _play_best_line(game, tablebase, distance)
    return EndgameResult(game.position.turn, wdl, distance, tuple(ranked), line, drawn_by)


def find_tablebase(position: Position, *, folder: str | os.PathLike[str] | None = None) -> Tablebase | None:
    """Return a tablebase for a position: one in memory if it has few pieces, else that of the folder.

    Return None if there are too many pieces, and if the rules have no tablebases. The tablebase of the folder may not
    have the position.
    """
    if not is_endgame(position):
        return None
    pieces = _count_pieces(position)
    if pieces <= MAX_PIECES_IN_MEMORY:
        return _build_in_memory(position.variant, pieces)
    return _open_tablebase(position.variant, folder)


def is_endgame(position: Position) -> bool:
    """Return whether a tablebase may have a position.

    The rules must have tablebases, and the position few enough pieces and no man on its promotion row.
    """
    has_few_pieces = _count_pieces(position) <= MAX_PIECES
    return has_few_pieces and _is_supported(position.variant) and not _has_uncrowned_man(position)


def find_installed(rules: DraughtsRules) -> Tablebase | None:
    """Return the tablebase that the user has built for the rules, or None if there are no files.

    Raises `TablebaseError` if a file is damaged, and `OSError`.
    """
    if not _is_supported(rules):
        return None
    tablebase = _open_tablebase(rules, None)
    return tablebase if tablebase.slices else None


def count_pieces(rules: DraughtsRules, *, folder: str | os.PathLike[str] | None = None) -> int | None:
    """Return the number of pieces up to which all positions are known; None if the rules have no tablebases.

    Raises `TablebaseError` if a file is damaged, and `OSError`.
    """
    if not _is_supported(rules):
        return None
    return max(MAX_PIECES_IN_MEMORY, _open_tablebase(rules, folder).pieces)


def suggest_build(position: Position, *, folder: str | os.PathLike[str] | None = None) -> str | None:
    """Return the command that builds the tablebase for a position.

    Return None if it exists, if the rules are not those of a known variant, if no tablebase has the position, and if
    the tablebase would be too large. Raises `TablebaseError` if a file is damaged, and `OSError`.

    >>> suggest_build(Position.from_fen("W:WK10,K14:BK27,K1,2", "english"), folder="missing")
    'tablemen tablebase build english --pieces 5 --distances'
    """
    from tablemen.draughts.variants import VARIANTS

    rules, pieces = position.variant, _count_pieces(position)
    if VARIANTS.get(rules.name) != rules or pieces <= MAX_PIECES_IN_MEMORY or not is_endgame(position):
        return None
    tablebase = _open_tablebase(rules, folder)
    missing = tablebase.missing(pieces)
    size = sum(map(tablebase.size, missing))
    if not missing or size > MAX_SUGGESTED_SIZE:
        return None
    distances = " --distances" if size <= MAX_SUGGESTED_DISTANCES else ""
    return f"tablemen tablebase build {rules.name} --pieces {pieces}{distances}"


def find_exact_values(
    positions: Sequence[Position],
    *,
    tablebase: Tablebase | None = None,
    folder: str | os.PathLike[str] | None = None,
    threads: int = 1,
    on_progress: Callable[[int], object] | None = None,
) -> list[ExactValues | None]:
    """Return the exact values of positions and of their moves in points, None for those that no tablebase has.

    Without `tablebase`, each position is looked up in the one that `find_tablebase` returns.

    Raises `TablemenError` if a position has other rules than `tablebase`, `TablebaseError` if a file is damaged, and
    `OSError`.
    """
    found: list[ExactValues | None] = [None] * len(positions)
    groups: dict[Tablebase, list[int]] = {}
    for index, position in enumerate(positions):
        if outcome := position.outcome():
            found[index] = ExactValues(float(outcome.winner is position.turn), {}, {})
        elif source := tablebase or find_tablebase(position, folder=folder):
            groups.setdefault(source, []).append(index)
    done = len(positions) - sum(map(len, groups.values()))
    for source, indices in groups.items():
        for start in range(0, len(indices), _BATCH):
            batch = indices[start : start + _BATCH]
            for index, ranked in zip(batch, source.value_moves([positions[i] for i in batch], threads), strict=True):
                found[index] = None if ranked is None else _to_points(ranked)
            done += len(batch)
            if on_progress is not None:
                on_progress(done)
    return found


def explain_unknown_value(position: Position, *, folder: str | os.PathLike[str] | None = None) -> str:
    """Explain why no tablebase has a position, and how to build one."""
    rules, pieces = position.variant, _count_pieces(position)
    if not _is_supported(rules):
        return f"{rules} has no tablebases"
    if pieces > MAX_PIECES:
        return f"it has {pieces} pieces, and tablebases have at most {MAX_PIECES}"
    if _has_uncrowned_man(position):
        return "a man stands on its promotion row, which does not occur in play"
    command = suggest_build(position, folder=folder)
    return f"no tablebase has it; {f'build one: {command}' if command else 'it may have too many pieces'}"


def _to_points(ranked: Sequence[MoveValue]) -> ExactValues:
    points = {Wdl.WIN: 1.0, Wdl.DRAW: 0.5, Wdl.LOSS: 0.0}
    moves = {each.move: points[each.wdl] for each in ranked}
    return ExactValues(max(moves.values()), moves, {each.move: each.distance for each in ranked})


def _has_uncrowned_man(position: Position) -> bool:
    far_rows = {Side.WHITE: 0, Side.BLACK: position.variant.rows - 1}
    return any(square.row == row for side, row in far_rows.items() for square in position.squares(side, Kind.MAN))


def _count_pieces(position: Position) -> int:
    return len(position.piece_map())


def _play_best_line(
    game: Game[Position, Move], tablebase: Tablebase, distance: int | None
) -> tuple[tuple[Move, ...], Termination | None]:
    """Return the moves of perfect play to the end, and the draw rule that ends the game earlier, if there is one."""
    if distance is None:
        return (), None
    game, played, drawn_by = game.copy(), [], _find_draw(game)
    position = game.position
    while moves := tablebase.best_moves(position):
        played.append(moves[0])
        position = position.play(moves[0])
        if drawn_by is None and game.outcome() is None:
            game.push(moves[0])
            drawn_by = _find_draw(game)
    return tuple(played), drawn_by


def _find_draw(game: Game[Position, Move]) -> Termination | None:
    outcome = game.outcome()
    if outcome is not None:
        return outcome.termination if outcome.winner is None else None
    return next((rule.termination for rule in game.claims()), None)


@lru_cache(_CACHE_SIZE)
def _is_supported(rules: DraughtsRules) -> bool:
    try:
        Tablebase(rules)
    except TablemenError:
        return False
    return True


def _open_tablebase(rules: DraughtsRules, folder: str | os.PathLike[str] | None) -> Tablebase:
    """Open the tablebase of a folder, again only if files were added or removed."""
    place = tablebase_folder(folder, rules)
    try:
        modified = place.stat().st_mtime_ns
    except OSError:
        modified = 0
    return _open_cached(rules, place.parent, modified)


@lru_cache(_CACHE_SIZE)
def _open_cached(rules: DraughtsRules, folder: Path, modified: int) -> Tablebase:  # noqa: ARG001 - part of the key
    return Tablebase.open(folder, rules)


def _build_in_memory(rules: DraughtsRules, pieces: int) -> Tablebase:
    with _building:
        return _build_cached(rules, pieces)


@lru_cache(_CACHE_SIZE)
def _build_cached(rules: DraughtsRules, pieces: int) -> Tablebase:
    tablebase = Tablebase(rules)
    tablebase.build_in_memory(pieces)
    return tablebase
