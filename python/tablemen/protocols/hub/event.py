"""What a program's lines come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tablemen._core import Move


@dataclass(frozen=True, slots=True)
class Opened:
    """It has told its options."""


@dataclass(frozen=True, slots=True)
class Started:
    """It is ready for positions."""


@dataclass(frozen=True, slots=True)
class Ponged:
    """It has answered a ping."""


@dataclass(frozen=True, slots=True)
class Informed:
    """What it has told of this search by now."""

    told: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Finished:
    """The search is over: a legal move, which an analysis may do without, and what it expects next."""

    move: Move | None
    ponder: Move | None
    told: Mapping[str, str]


Event: TypeAlias = Opened | Started | Ponged | Informed | Finished
