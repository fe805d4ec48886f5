"""Where a game of the Kalah family begins, as options say it."""

from __future__ import annotations

import re

from tablemen.cli.group import BadQuestion
from tablemen.errors import TablemenError
from tablemen.family import get_family
from tablemen.mancala import MancalaRules, Position

_HOUSES = re.compile(r"\s*<\s*([0-9]{1,3})\s*,")


def read_start(rules: MancalaRules, houses: int | None, seeds: int | None, text: str | None) -> Position:
    """The start on a board of this size; or the position that is written, under rules for a board of its size."""
    if text is None:
        return Position.start(get_family(rules).resize(rules, houses=houses, seeds=seeds))
    if seeds is not None:
        raise BadQuestion("--seeds goes with the start, not with --position")
    written = _HOUSES.match(text)
    if houses is None and written is not None:
        houses = int(written[1])
    try:
        return Position.from_text(text, get_family(rules).resize(rules, houses=houses))
    except TablemenError as error:
        raise BadQuestion(f"--position: {error}") from error
