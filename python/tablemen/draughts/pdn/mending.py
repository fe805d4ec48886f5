"""Error recovery: read games that have unplayable moves."""

from __future__ import annotations

import re

from tablemen._core import PdnScan, PdnScanner
from tablemen.draughts.pdn.scene import GameStart, UnplayableError, find_start
from tablemen.draughts.rules import DraughtsRules

MAX_MOVES = 20  # unplayable moves of a game: with more it is probably of another variant
MAX_BYTES = 1_000_000  # that are scanned again for a game

_SQUARE = rb"[A-Za-z]?[0-9]+"
_MOVE = re.compile(rb"%b(?:\s*-\s*%b)?(?:\s*[xX:]\s*%b|-\s*%b|[A-Za-z][0-9]+)*" % (_SQUARE, _SQUARE, _SQUARE, _SQUARE))


def mend(scan: PdnScan, given: DraughtsRules | None) -> tuple[PdnScan, GameStart, list[UnplayableError]]:
    """Replace unplayable moves by unknown ones. Return the game, its start and the errors.

    All other tokens keep their bytes. Raises `InvalidGameError` if the game cannot be read even so.
    """
    errors: list[UnplayableError] = []
    while True:
        try:
            return scan, find_start(scan, given), sorted(errors, key=lambda each: each.byte)
        except UnplayableError as error:
            errors.append(error)
            again = _without_move(scan, error.byte) if _is_worth_it(scan, len(errors)) else None
            if again is None:
                raise errors[0] from None
            scan = again


def _is_worth_it(scan: PdnScan, moves: int) -> bool:
    return moves <= MAX_MOVES and moves * len(scan.text) <= MAX_BYTES


def _without_move(scan: PdnScan, byte: int) -> PdnScan | None:
    """Return the game with an unknown move in place of the one at a byte; None if the text does not permit it."""
    text = scan.text.encode("utf-8")
    found = _MOVE.match(text, byte)
    if found is None:
        return None
    scanner = PdnScanner()
    scans = scanner.feed(text[:byte] + b"-".ljust(len(found[0])) + text[found.end() :]) + scanner.finish()
    return scans[0] if len(scans) == 1 and scans[0].problem is None else None
