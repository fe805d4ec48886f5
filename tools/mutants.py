"""Inject faults into the package, one at a time, and report which of them the tests detect.

Run it in a clone with a clean work tree: `python -m tools.mutants`. Each fault replaces a text that occurs exactly once
in the package; the tests named beside it must then fail. The file is restored afterwards.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "python" / "tablemen"

# The tests to run, the text to replace, and its replacement.
FAULTS = [
    ("tests/test_clock.py", "made % self.moves == 0", "made % self.moves == 1"),
    ("tests/test_clock.py", "math.ceil(seconds)), 60)", "math.floor(seconds)), 60)"),
    ("tests/match", "value <= -self._resign.score", "value < -self._resign.score"),
    ("tests/match", "abs(value) <= self._draw.score", "abs(value) < self._draw.score"),
    ("tests/match", "count * (points - 1) ** 2", "count * (points - 1)"),
    ("tests/match", "2 * sum(self.pairs) > self.games", "sum(self.pairs) > self.games"),
    ("tests/match", "Verdict.H1 if llr >= high", "Verdict.H0 if llr >= high"),
    ("tests/match", "if line.start.variant != rules:", "if line.start.variant == rules:"),
    ("tests/session tests/tui tests/cli", "if choice.revision != self._revision:", "if False:"),
    ("tests/session", "search.Clock(max(0.0, left), control.increment", "search.Clock(max(0.0, left), 0.0"),
    ("tests/saved_games", "if session.has_begun and session.game.outcome() is None:", "if session.has_begun:"),
    ("tests/saved_games", 'if content.get("version") != VERSION:', 'if content.get("version") is None:'),
    ("tests/saved_games", "os.fsync(file.fileno())", "pass"),
    ("tests/saved_games", "new.replace(path)", "path.write_text(text)"),
    ("tests/web", "self.running < self._slots and self._may_start(client)", "self._may_start(client)"),
    (
        "tests/web",
        "for slot in self._running) < self._slots_per_client",
        "for slot in self._running) <= self._slots_per_client",
    ),
    ("tests/web", "if self._open[client] >= self._per_client:", "if self._open[client] > self._per_client:"),
    ("tests/web", "_origin_host(origin) != host.lower()", "_origin_host(origin) == host.lower()"),
    ("tests/web", "if application != APPLICATION_ID or version < 1:", "if version < 1:"),
    ("tests/web", "if version > SCHEMA_VERSION:", "if version > SCHEMA_VERSION + 1:"),
    ("tests/web", "WHERE game = ? AND ply >= ?", "WHERE game = ? AND ply > ?"),
    ("tests/web", "hosted.revision = before.revision + 1", "hosted.revision = before.revision"),
    ("tests/web", 'self.is_by_link and self.offers.get("draw") not in sides', "self.is_by_link"),
    (
        "tests/web",
        'for offer, side in self.offers.items() if offer == "rematch"',
        "for offer, side in self.offers.items()",
    ),
    (
        "tests/protocols/dxp",
        "self._must_end or self.game.position.turn is self.side",
        "self.game.position.turn is self.side",
    ),
    (
        "tests/protocols",
        "if self.separator in message or len(message) > self.max_length:",
        "if self.separator in message:",
    ),
    (
        "tests/protocols/kgp",
        "elif len(self._requests) >= MAX_SERVER_REQUESTS:",
        "elif len(self._requests) > MAX_SERVER_REQUESTS:",
    ),
    (
        "tests/protocols/kgp",
        "min(absent, key=lambda key: (self.rows[key].games, self.rows[key].asked))",
        "max(absent, key=lambda key: (self.rows[key].games, self.rows[key].asked))",
    ),
    (
        "tests/protocols/kgp",
        "if row is not None and not row.games and not row.asked:",
        "if row is not None and not row.games:",
    ),
    ("tests/draughts", "if unplayable[0] > best:", "if unplayable[0] >= best:"),
    (
        "tests/draughts",
        "needs_number = bool(node.notes) or node.move == UNKNOWN_MOVE",
        "needs_number = bool(node.notes)",
    ),
    ("tests/draughts", "number += turn is not self.first", "number += turn is self.first"),
    ("tests/draughts", 'first = Side.WHITE if match["first"] == "W"', 'first = Side.BLACK if match["first"] == "W"'),
    ("tests/mancala", "if layer is None or not self._is_writable:", "if layer is None:"),
    (
        "tests/transcript",
        "Problem.OUTPUT_DIFFERS if same < len(expected)",
        "Problem.OUTPUT_DIFFERS if same <= len(expected)",
    ),
    ("tests/transcript", "step, self._column + same + 1,", "step, self._column + same,"),
    ("tests/exercises", "start_rows=(size - 1) // 2", "start_rows=size // 2"),
    ("tests/exercises", "if _has_capture(dark) and not _has_capture(light):", "if _has_capture(dark):"),
    ("tests/analysis", "if lost >= BLUNDER or was_won or is_lost:", "if lost >= BLUNDER or was_won:"),
    ("tests/analysis", "if game.tags.get(ANALYSED) == ANALYSER else", "if game.tags.get(ANALYSED) != ANALYSER else"),
    ("tests/players", "if game.position.turn is not mover:", "if True:"),
    ("tests/players", "if name != self.subject and value != default:", "if name != self.subject:"),
    ("tests/session tests/saved_games tests/cli", "max(0, path.stat().st_size - 4)", "max(0, path.stat().st_size - 1)"),
    (
        "tests/test_move_input.py tests/tui",
        "if len(moves) > 1:\n            return MoveInput",
        "if len(moves) > 2:\n            return MoveInput",
    ),
]


def main() -> int:
    """Run the tests with each fault and print which faults survive."""
    survivors = 0
    sources = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    for number, (tests, old, new) in enumerate(FAULTS, 1):
        found = [path for path, text in sources.items() if old in text]
        if len(found) != 1 or sources[found[0]].count(old) != 1:
            print(f"{number:2} not found exactly once: {old}", flush=True)
            survivors += 1
            continue
        (path,) = found
        begun = time.monotonic()
        path.write_text(sources[path].replace(old, new), encoding="utf-8")
        try:
            command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "2", "-p", "no:cacheprovider", *tests.split()]
            status = subprocess.run(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, check=False
            ).returncode
        finally:
            path.write_text(sources[path], encoding="utf-8")
        survivors += status == 0
        result = "SURVIVED" if status == 0 else "detected"
        print(
            f"{number:2} {result} {path.relative_to(PACKAGE)} {time.monotonic() - begun:.0f} s: {old} -> {new}",
            flush=True,
        )
    print(f"{len(FAULTS) - survivors} of {len(FAULTS)} faults detected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
