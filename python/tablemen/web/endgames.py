"""Probes of endgame tablebases, which run in threads of low priority.

A probe may build a small tablebase in memory, which takes up to a second, and may read files.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from tablemen.console import escape_controls
from tablemen.endgame import Wdl
from tablemen.errors import TablebaseError
from tablemen.family import get_family

T = TypeVar("T")
log = logging.getLogger("tablemen")


def try_probe(probe: Callable[..., T | None], *arguments: Any) -> T | None:
    """Return the result of a probe, or None if a file of the tablebase is damaged or cannot be read; log the reason."""
    try:
        return probe(*arguments)
    except (TablebaseError, OSError) as error:
        _log_problem(f"a tablebase cannot be used: {error}")
        return None


@lru_cache(1000)
def _log_problem(problem: str) -> None:
    """Log a problem once: a client can cause it again and again."""
    log.error("%s", escape_controls(problem), extra={"event": "tablebase"})


@dataclass(frozen=True)
class ProvenDraw:
    """The proof that a position is a draw, for `Game.claim_proven_draw`. It holds for no other position."""

    position: Any

    def probe_wdl(self, position: Any) -> Wdl | None:
        """Return the value of the position, or None for another one."""
        return Wdl.DRAW if position == self.position else None


def prove_draw(position: Any) -> ProvenDraw | None:
    """Return the proof that a position is a draw, if a tablebase has one."""
    tablebase = get_family(position).find_tablebase(position)
    is_drawn = tablebase is not None and tablebase.probe_wdl(position) is Wdl.DRAW
    return ProvenDraw(position) if is_drawn else None
