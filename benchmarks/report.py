"""A run as it is kept and shown: `results.json`, the page `docs/benchmarks.md` and the table in the README."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.instructions import Counts
from benchmarks.libraries import OURS, PEERS, ROOT
from benchmarks.measure import Results
from benchmarks.rows import LONGEST, ROWS
from benchmarks.table import about, format_number

KEPT = ROOT / "benchmarks" / "results.json"
PAGE = ROOT / "docs" / "benchmarks.md"
README = ROOT / "README.md"
BEGIN, END = "<!-- benchmarks: begin -->\n", "<!-- benchmarks: end -->\n"


@dataclass(frozen=True)
class Run:
    """What was measured, when, on what and with what."""

    date: str
    machine: str
    versions: dict[str, str]
    rounds: int
    seconds: float
    values: dict[str, dict[str, float]]
    notes: list[str]

    def ratio(self, key: str, library: str) -> float:
        """How many times better ours is."""
        return Results(self.values).ratio(key, library)


def finish(results: Results, rounds: int, seconds: float) -> Run:
    """The results of now and here."""
    versions = {library.name: library.version for library in (OURS, *PEERS) if library.name not in results.missing}
    values = {
        key: {name: float(f"{value:.4g}") for name, value in results.values[key].items()}
        for key in ROWS
        if key in results.values
    }
    now = f"{datetime.now(UTC):%Y-%m-%d}"
    versions["Python"] = platform.python_version()
    return Run(now, machine(), versions, rounds, seconds, values, list(remarks(results)))


def machine() -> str:
    """The processor in words, and how many of it."""
    model = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        lines = information.read_text(encoding="utf-8").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    cores = os.cpu_count() or 1
    return f"{model}, {cores} core{'s' if cores > 1 else ''}, {platform.system()}"


def remarks(results: Results) -> Iterator[str]:
    """What went wrong, and where a peer that lists whole moves, or counts them, comes to other numbers than ours."""
    for name, problem in results.missing.items():
        yield f"{name} could not be run: {problem}"
    single = {peer.name for peer in PEERS if peer.single_jumps}
    for key, counts in results.counts.items():
        for name, theirs in counts.items():
            if key.startswith("moves") and name in single and ROWS[key].group == "draughts":
                continue
            pairs = list(zip(theirs, counts[OURS.name], strict=False))
            different = sum(their != our for their, our in pairs)
            if different:
                yield f"{name} comes to other numbers in {different} of {len(pairs)} cases ({ROWS[key].title})."


def read_run(path: Path = KEPT) -> Run:
    """The run that the pages show."""
    return Run(**json.loads(path.read_text(encoding="utf-8")))


def write_run(run: Run, path: Path = KEPT) -> None:
    """Keeps a run for the pages."""
    path.write_text(json.dumps(asdict(run), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def format_table(run: Run) -> str:
    """The table of ratios with what must be known to read it."""
    lines = [
        f"Measured on {run.date}: {run.machine}, Python {run.versions['Python']}. "
        + (f"The best of {run.rounds} rounds counts, in CPU time." if run.rounds > 1 else "One round, in CPU time."),
        "",
        "| | unit | " + " | ".join(heading(run, name) for name in (OURS.name, *(peer.name for peer in PEERS))) + " |",
        "| --- | --- |" + " ---: |" * (1 + len(PEERS)),
        *(format_row(run, key) for key in run.values),
        "",
        *(f"- {line}" for line in (*how_to_read(), *run.notes)),
    ]
    return "\n".join(lines)


def heading(run: Run, name: str) -> str:
    """A library and its version."""
    return f"{name} {run.versions.get(name, '')}".strip()


def format_row(run: Run, key: str) -> str:
    """Our figure, and for each peer the ratio with its figure behind it."""
    row, values = ROWS[key], run.values[key]
    cells = [row.title, row.unit, format_number(values[OURS.name] * row.scale)]
    for peer in PEERS:
        if peer.name in values:
            cells.append(
                f"{format_number(run.ratio(key, peer.name))}× ({format_number(values[peer.name] * row.scale)})"
            )
        else:
            cells.append("failed" if row.is_measured(peer) else "")
    return f"| {' | '.join(cells)} |"


def how_to_read() -> Iterator[str]:
    """What the figures do not say themselves."""
    yield "n× (figure): the other's figure, and how many times faster or smaller ours is; below 1× the other is."
    yield "An empty cell: that library cannot do it. A row without any ratio has no peer here, and is a figure alone."
    yield "perft: one thread; ours counts in compiled code, libraries in a Python loop that only lists the last ply."
    single = " and ".join(peer.name for peer in PEERS if peer.single_jumps)
    yield f"legal moves: 100 mid-game positions; {single} list single jumps in draughts, the others whole captures."
    yield f"random games: driven from Python, {LONGEST} plies at most; the others also stop at draws, ours does not."
    yield "game file: every move is checked; the trees of moves are not asked for."
    yield (
        "search: from the start, one thread, nothing known before. py-draughts has an engine in Python, OpenSpiel an "
        "alpha-beta in Python, with a value of positions that costs nothing. What counts as a position differs."
    )
    yield "plain Rust: straightforward programs of our own, with arrays and loops, `benchmarks/plain`."
    yield "solve: the value of a whole game, tables included; plain Rust is alpha-beta with a memory, and no tables."


# Which rows the README shows: what they are called there, our figure in words, and the peer.
SHOWN: dict[str, tuple[str, str, str, str]] = {
    "perft international": ("perft, international", "{} million leaves a second", "py-draughts", ""),
    "perft english": ("perft, English", "{} million leaves a second", "open_spiel", ""),
    "perft kalah": ("perft, Kalah", "{} million leaves a second", "plain Rust", ""),
    "moves international": ("`legal_moves()`, international", "{} µs a call", "py-draughts", ""),
    "moves english": ("`legal_moves()`, English", "{} µs a call", "open_spiel", ", which lists single jumps"),
    "games international": ("random games driven from Python, international", "{} a second", "py-draughts", ""),
    "pdn international": ("game files (PDN), every move checked", "{} µs a game", "py-draughts", ""),
    "games kalah": ("random games driven from Python, Kalah", "{} a second", "open_spiel", ""),
    "inside kalah": ("random games inside the core, Kalah", "{} a second", "plain Rust", ""),
    "search international": ("search, international", "{} million positions a second", "py-draughts", "'s engine"),
    "search kalah": ("search, Kalah", "{} million positions a second", "open_spiel", "'s alpha-beta in Python"),
    "solve 4, 4": ("solving Kalah, four houses and seeds", "{} ms", "plain Rust", " without tables"),
    "solve 5, 4": ("solving Kalah, five houses, four seeds", "{} ms", "", ""),
}


def readme_table(run: Run) -> str:
    """The rows that the README shows."""
    names = {"open_spiel": "OpenSpiel", "plain Rust": "a straightforward Rust program"}
    lines = ["| | tablemen | beside |", "| --- | --- | --- |"]
    for key, (title, words, peer, remark) in SHOWN.items():
        row = ROWS[key]  # rounded against us
        figure = words.format(about(run.values[key][OURS.name] * row.scale, up=not row.more_is_better))
        beside = f"{about(run.ratio(key, peer))} times {names.get(peer, peer)}{remark}" if peer else "no peer"
        lines.append(f"| {title} | {figure} | {beside} |")
    return "\n".join(lines)


def readme_with(run: Run, text: str) -> str:
    """The README with the table of a run."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"no {BEGIN.strip()} … {END.strip()} in {README.name}")
    return f"{before}{begin}\n{readme_table(run)}\n\n{end}{after}"


def page(run: Run, counts: Counts) -> str:
    """The whole page."""
    kept = "\n".join(f"| {name} | {number:,} |" for name, number in counts.instructions.items())
    return f"""# Benchmarks

<!-- Written by `make bench`: change benchmarks/report.py instead. -->

`make bench` measures all of this again, each library in an environment of its own and all of them in turns, and writes
this page. Ratios can be compared between machines, and single figures cannot.

{format_table(run)}

## Instructions

Small pieces of work inside the core, counted by valgrind: nothing that the machine does besides changes them, so that
they show what a change of the code costs. `make bench` counts again and tells what takes over 2 % more;
`python -m benchmarks --renew` keeps new counts. Built with {counts.built_with}.

| work | instructions |
| --- | ---: |
{kept}
"""


def write_pages(run: Run, counts: Counts) -> None:
    """Writes the page, and the table in the README."""
    PAGE.write_text(page(run, counts), encoding="utf-8")
    README.write_text(readme_with(run, README.read_text(encoding="utf-8")), encoding="utf-8")
