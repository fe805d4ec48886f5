"""Games with moves that cannot be played, read as far as they go."""

from __future__ import annotations

import re

from tablemen._core import PdnScan, PdnScanner
from tablemen.draughts.pdn.scene import Opening, UnplayableError, find_opening
from tablemen.draughts.rules import DraughtsRules

MOST_MOVES = 20  # of a game: where more cannot be played it is of another variant, or no game
MOST_BYTES = 1_000_000  # that are scanned again for a game

_SQUARE = rb"[A-Za-z]?[0-9]+"
_MOVE = re.compile(rb"%b(?:\s*-\s*%b)?(?:\s*[xX:]\s*%b|-\s*%b|[A-Za-z][0-9]+)*" % (_SQUARE, _SQUARE, _SQUARE, _SQUARE))


def mend(scan: PdnScan, given: DraughtsRules | None) -> tuple[PdnScan, Opening, list[UnplayableError]]:
    """The game with moves that are not told for those that cannot be played, where it starts, and what is wrong.

    Everything else stands at the bytes where it stood. Raises `SceneError` where that does not help.
    """
    errors: list[UnplayableError] = []
    while True:
        try:
            return scan, find_opening(scan, given), sorted(errors, key=lambda each: each.byte)
        except UnplayableError as error:
            errors.append(error)
            again = _without_move(scan, error.byte) if _is_worth_it(scan, len(errors)) else None
            if again is None:
                raise errors[0] from None
            scan = again


def _is_worth_it(scan: PdnScan, moves: int) -> bool:
    return moves <= MOST_MOVES and moves * len(scan.text) <= MOST_BYTES


def _without_move(scan: PdnScan, byte: int) -> PdnScan | None:
    """The game with a move that is not told where one stands; None where the text does not let it."""
    text = scan.text.encode("utf-8")
    found = _MOVE.match(text, byte)
    if found is None:
        return None
    scanner = PdnScanner()
    scans = scanner.feed(text[:byte] + b"-".ljust(len(found[0])) + text[found.end() :]) + scanner.finish()
    return scans[0] if len(scans) == 1 and scans[0].problem is None else None
