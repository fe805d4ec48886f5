"""Benchmark results as stored and published: `results.json`, `docs/benchmarks.md` and the table in the README."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.cases import CASES, MAX_PLIES
from benchmarks.instructions import Counts, read_counts
from benchmarks.libraries import OURS, PEERS, ROOT
from benchmarks.measure import Results
from benchmarks.table import about, format_number
from tablemen.draughts import VARIANTS
from tablemen.match import MatchScore

RESULTS = ROOT / "benchmarks" / "results.json"
PAGE = ROOT / "docs" / "benchmarks.md"
README = ROOT / "README.md"
BEGIN, END = "<!-- benchmarks: begin -->\n", "<!-- benchmarks: end -->\n"


@dataclass(frozen=True)
class Run:
    """The measurements of a run, with date, machine and versions."""

    date: str
    machine: str
    versions: dict[str, str]
    rounds: int
    seconds: float
    values: dict[str, dict[str, float]]
    notes: list[str]
    tablebases: list[dict[str, Any]] = field(default_factory=list)  # of `benchmarks.tablebase --record`
    environments: list[dict[str, Any]] = field(default_factory=list)  # of `benchmarks.environments --record`
    cluster: dict[str, Any] | None = None  # of `benchmarks.cluster --record`
    strength: list[dict[str, Any]] = field(default_factory=list)  # of `benchmarks.strength --record`

    def ratio(self, key: str, library: str) -> float:
        """Return how many times better tablemen is."""
        return Results(self.values).ratio(key, library)


def create_run(results: Results, rounds: int, seconds: float) -> Run:
    """Return the results as a run, with the current date, machine and versions."""
    versions = {library.name: library.version for library in (OURS, *PEERS) if library.name not in results.missing}
    values = {
        key: {name: float(f"{value:.4g}") for name, value in results.values[key].items()}
        for key in CASES
        if key in results.values
    }
    now = f"{datetime.now(UTC):%Y-%m-%d}"
    versions["Python"] = platform.python_version()
    return Run(now, describe_machine(), versions, rounds, seconds, values, list(find_problems(results)))


def describe_machine() -> str:
    """Return the processor model, the number of cores and the operating system."""
    model = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        lines = information.read_text(encoding="utf-8").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    cores = os.cpu_count() or 1
    return f"{model}, {cores} core{'s' if cores > 1 else ''}, {platform.system()}"


def find_problems(results: Results) -> Iterator[str]:
    """Yield a note for each library that failed, and for each one whose move counts differ from ours."""
    for name, problem in results.missing.items():
        yield f"{name} failed: {problem}"
    single = {peer.name for peer in PEERS if peer.single_jumps}
    for key, counts in results.counts.items():
        for name, theirs in counts.items():
            if key.startswith("moves") and name in single and CASES[key].group == "draughts":
                continue
            pairs = list(zip(theirs, counts[OURS.name], strict=False))
            different = sum(their != our for their, our in pairs)
            if different:
                yield f"{name} counts differ in {different} of {len(pairs)} cases ({CASES[key].title})."


def read_run(path: Path = RESULTS) -> Run:
    """Read the published run."""
    return Run(**json.loads(path.read_text(encoding="utf-8")))


def write_run(run: Run, path: Path = RESULTS) -> None:
    """Write the run to the file."""
    path.write_text(json.dumps(asdict(run), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def record_tablebases(rows: list[dict[str, Any]]) -> None:
    """Add measurements of tablebases to the published run, and write the page.

    They replace the same measurements, see `add_tablebases`, and all of other machines.
    """
    run, machine, today = read_run(), describe_machine(), f"{datetime.now(UTC):%Y-%m-%d}"
    updated = add_tablebases(run.tablebases, [{**row, "machine": machine, "date": today} for row in rows])
    run = replace(run, tablebases=updated)
    write_run(run)
    write_pages(run, read_counts())


def add_tablebases(recorded: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the measurements of tablebases, sorted.

    New ones replace those of the same tablebases with the same numbers of processes and threads.
    """

    def key(row: dict[str, Any]) -> tuple[Any, ...]:
        return row["pieces"], row["variant"], row["distances"], row["concurrency"], row["threads"]

    kept = [row for row in recorded if row["machine"] == new[0]["machine"] and key(row) not in set(map(key, new))]
    return sorted([*kept, *new], key=key)


def record_environments(rows: list[dict[str, Any]]) -> None:
    """Replace the measurements of environments in the published run, and write the page."""
    machine, today = describe_machine(), f"{datetime.now(UTC):%Y-%m-%d}"
    run = replace(read_run(), environments=[{**row, "machine": machine, "date": today} for row in rows])
    write_run(run)
    write_pages(run, read_counts())


ENVIRONMENT_COLUMNS = ["game", "one thread", "all threads", "target", "open_spiel", "games, × threads"]


def format_environment(row: dict[str, Any]) -> list[str]:
    """Return the measurements of an environment by column."""

    def steps(value: float) -> str:
        return f"{format_number(value / 1e6)} M steps/s"

    peer = row.get("open_spiel")
    return [
        row["game"],
        steps(row["steps"]),
        steps(row["parallel"]),
        f"{row['target']} M steps/s",
        "" if peer is None else f"{format_number(row['steps'] / peer)}× ({steps(peer)})",
        f"{row['games']:,}, {row['games_per_thread']:,} × {row['threads']}",
    ]


def format_environments(rows: list[dict[str, Any]]) -> str:
    """Return the section about environments; it is empty if none was measured."""
    if not rows:
        return ""
    lines = [
        f"| {' | '.join(ENVIRONMENT_COLUMNS)} |",
        "| --- |" + " ---: |" * (len(ENVIRONMENT_COLUMNS) - 1),
        *(f"| {' | '.join(format_environment(row))} |" for row in rows),
    ]
    return f"""
## Environments

`python -m benchmarks.environments` steps `tablemen.envs.BatchEnv` with random legal actions in the encoding `slot`:
observation, mask and reward are written and copied, and games that are over are replaced. Measured on
{rows[0]["date"]}: {rows[0]["machine"]}. All figures are per second of CPU time; for *all threads*, which includes what
threads cost, it is multiplied by their number. OpenSpiel's game is driven from Python one game at a time, with its
observation tensor and mask; in its checkers a jump is a step. Kalah has OpenSpiel's rules.

{chr(10).join(lines)}
"""


def record_cluster(figures: dict[str, Any]) -> None:
    """Replace the measurement of a cluster in the published run, and write the page."""
    machine, today = describe_machine(), f"{datetime.now(UTC):%Y-%m-%d}"
    run = replace(read_run(), cluster={**figures, "machine": machine, "date": today})
    write_run(run)
    write_pages(run, read_counts())


def format_cluster(figures: dict[str, Any] | None) -> str:
    """Return the section about clusters; it is empty if none was measured."""
    if figures is None:
        return ""
    return f"""
## Clusters

`python -m benchmarks.cluster` runs tasks on Dask's scheduler with one and with two workers on this machine. Measured on
{figures["date"]}: {figures["machine"]}.

| | measured | target |
| --- | ---: | ---: |
| cost of a task in addition to its work | {1000 * figures["overhead"]:.1f} ms | |
| the same as a share of a task of ten seconds | {100 * figures["overhead_ratio"]:.2f} % | below 3 % |
| {figures["searches"]} searches: two workers instead of one | {figures["speed_up"]:.2f} times as fast | 1.9 times |
| processor time of the searches with two workers, relative to one | {figures["cpu_ratio"]:.2f} | |
| start of two workers | {figures["start"]:.1f} s | |
"""


TABLEBASE_COLUMNS = [
    *("tablebase", "positions", "build", "target", "million/s", "memory", "size", "positions/byte"),
    *("probe", "in the core", "with captures", "in the core", "processes × threads"),
]


def format_tablebase(row: dict[str, Any]) -> list[str]:
    """Return the measurements of a tablebase by column."""

    def nanoseconds(values: list[float | None] | None, kind: int) -> str:
        value = None if values is None else values[kind]
        return "" if value is None else f"{format_number(value / 1000)} µs"

    return [
        f"{row['variant']}, {row['pieces']} pieces" + (", distances" if row["distances"] else ""),
        f"{row['positions']:,}",
        f"{format_number(row['seconds'])} s",
        f"{row['target']:,} s" if row["target"] else "",
        format_number(row["positions"] / row["seconds"] / 1e6),
        f"{format_number(row['memory'] / 1e6)} MB",
        f"{format_number(row['bytes'] / 1e6)} MB",
        format_number(row["positions"] / row["bytes"]),
        *(nanoseconds(row[name], kind) for kind in (0, 1) for name in ("probe", "probe_in_core")),
        f"{row['concurrency']} × {row['threads']}",
    ]


def format_tablebases(rows: list[dict[str, Any]]) -> str:
    """Return the section about tablebases; it is empty if none was measured."""
    if not rows:
        return ""
    dates = sorted({row["date"] for row in rows})
    lines = [
        f"| {' | '.join(TABLEBASE_COLUMNS)} |",
        "| --- |" + " ---: |" * (len(TABLEBASE_COLUMNS) - 1),
        *(f"| {' | '.join(format_tablebase(row))} |" for row in rows),
    ]
    return f"""
## Tablebases

`python -m benchmarks.tablebase` builds endgame tablebases with all positions up to a number of pieces, each in its own
process. Measured on {" and ".join(dates)}: {rows[0]["machine"]}. A probe is that of `probe_wdl` for random positions,
after a first round that reads the files: without and with compulsory captures, from Python and in a loop in the core.
The memory is that of the largest process of a build; the last column has the processes, and the threads in each.

{chr(10).join(lines)}
"""


def record_strength(row: dict[str, Any]) -> None:
    """Add the result of a match to the published run, and write the page; it replaces one with the same settings."""
    run = read_run()
    run = replace(run, strength=add_strength(run.strength, row))
    write_run(run)
    write_pages(run, read_counts())


def add_strength(recorded: list[dict[str, Any]], new: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the results of matches, sorted; the new one replaces one with the same opponent and limits."""
    names = ("variant", "opponent", "seconds", "nodes", "table_mb", "threads", "openings", "options")
    kept = [row for row in recorded if any(row[name] != new[name] for name in names)]
    order = list(VARIANTS)
    return sorted(
        [*kept, new],
        key=lambda row: (order.index(row["variant"]), row["opponent"], row["seconds"] or 0, row["nodes"] or 0),
    )


STRENGTH_COLUMNS = [
    *("variant", "tablemen", "opponent", "limit", "hash, threads", "openings", "games"),
    *("wins", "draws", "losses", "score", "Elo difference", "date"),
]


def score_strength(row: dict[str, Any]) -> MatchScore:
    """Return the score of tablemen."""
    return MatchScore(row["wins"], row["draws"], row["losses"], pairs=tuple(row["pairs"]))


def format_strength(row: dict[str, Any]) -> list[str]:
    """Return the result of a match by column."""
    score = score_strength(row)
    options = ", ".join(f"{name}={value}" for name, value in row["options"].items())
    forfeits = f" ({row['forfeits']} by forfeit)" if row["forfeits"] else ""
    return [
        row["variant"],
        f"{row['version']}, {row['evaluation']}",
        row["opponent"] + (f" ({options})" if options else ""),
        f"{row['seconds']:g} s a move" if row["nodes"] is None else f"{row['nodes']:,} nodes a move",
        f"{row['table_mb']} MB, {row['threads']}",
        row["openings"],
        f"{score.games:,}{forfeits}",
        *map(str, (score.wins, score.draws, score.losses)),
        f"{100 * score.ratio:.1f} %",
        f"{_format_elo(score.elo)} [{', '.join(map(_format_elo, score.elo_interval))}]",
        row["date"],
    ]


def _format_elo(elo: float) -> str:
    return f"{elo:+.0f}".replace("inf", "∞")


def format_strengths(rows: list[dict[str, Any]]) -> str:
    """Return the section about strength; it is empty if no match was recorded."""
    if not rows:
        return ""
    lines = [
        f"| {' | '.join(STRENGTH_COLUMNS)} |",
        "| --- | --- | --- | --- | --- | --- |" + " ---: |" * (len(STRENGTH_COLUMNS) - 6),
        *(f"| {' | '.join(format_strength(row))} |" for row in rows),
    ]
    machines = " and ".join(sorted({row["machine"] for row in rows}))
    return f"""
## Strength

`python -m benchmarks.strength` plays matches against other programs, and against older weights of tablemen. Both
players have the same limit for a move, and play every opening from both sides; only the rules end a game. Hash size and
threads are those of tablemen. The Elo difference has its 95 % confidence interval. The checksum after the version is
that of the evaluation's file. Measured on: {machines}.

{chr(10).join(lines)}
"""


def format_table(run: Run) -> str:
    """Return the table of ratios, with explanations."""
    lines = [
        f"Measured on {run.date}: {run.machine}, Python {run.versions['Python']}. "
        + (f"Best of {run.rounds} rounds, CPU time." if run.rounds > 1 else "One round, CPU time."),
        "",
        "| | unit | "
        + " | ".join(format_heading(run, name) for name in (OURS.name, *(peer.name for peer in PEERS)))
        + " |",
        "| --- | --- |" + " ---: |" * (1 + len(PEERS)),
        *(format_row(run, key) for key in run.values),
        "",
        *(f"- {line}" for line in (*explanations(), *run.notes)),
    ]
    return "\n".join(lines)


def format_heading(run: Run, name: str) -> str:
    """Return the library's name and version."""
    return f"{name} {run.versions.get(name, '')}".strip()


def format_row(run: Run, key: str) -> str:
    """Return our figure, and for each other library the ratio and its figure."""
    row, values = CASES[key], run.values[key]
    cells = [row.title, row.unit, format_number(values[OURS.name] * row.scale)]
    for peer in PEERS:
        if peer.name in values:
            cells.append(
                f"{format_number(run.ratio(key, peer.name))}× ({format_number(values[peer.name] * row.scale)})"
            )
        else:
            cells.append("failed" if row.is_measured(peer) else "")
    return f"| {' | '.join(cells)} |"


def explanations() -> Iterator[str]:
    """Yield the explanations below the table."""
    yield (
        "n× (figure): how many times faster or smaller tablemen is (below 1×, the other library is), and the other "
        "library's figure."
    )
    yield "empty cell: the library cannot do this."
    yield (
        "perft: one thread; tablemen counts in compiled code, the other libraries in a Python loop that only lists the "
        "last ply."
    )
    single = " and ".join(peer.name for peer in PEERS if peer.single_jumps)
    yield f"legal moves: 100 mid-game positions; {single} list single jumps in draughts, the others whole captures."
    yield (
        f"random games: driven from Python, {MAX_PLIES} plies at most; the other libraries also stop at draws, "
        "tablemen does not."
    )
    yield "game file: every move is checked; the game trees are not built."
    yield (
        "search: from the start position, one thread, empty transposition table. py-draughts has an engine in Python, "
        "OpenSpiel an alpha-beta search in Python, here with a constant evaluation. Programs differ in what they count "
        "as a position."
    )
    yield "Rust baseline: straightforward implementations with arrays and loops, in `benchmarks/baseline`."
    yield (
        "solve: the value of the start position, including the time to build endgame tables. The Rust baseline is an "
        "alpha-beta search with a transposition table, without endgame tables."
    )


# The cases shown in the README: title, our figure as text, the other library, and a remark on it.
SHOWN: dict[str, tuple[str, str, str, str]] = {
    "perft international": ("perft, international", "{} million leaves a second", "py-draughts", ""),
    "perft english": ("perft, English", "{} million leaves a second", "open_spiel", ""),
    "perft kalah": ("perft, Kalah", "{} million leaves a second", "Rust baseline", ""),
    "moves international": ("`legal_moves()`, international", "{} µs a call", "py-draughts", ""),
    "moves english": ("`legal_moves()`, English", "{} µs a call", "open_spiel", ", which lists single jumps"),
    "games international": ("random games driven from Python, international", "{} a second", "py-draughts", ""),
    "pdn international": ("game files (PDN), every move checked", "{} µs a game", "py-draughts", ""),
    "games kalah": ("random games driven from Python, Kalah", "{} a second", "open_spiel", ""),
    "inside kalah": ("random games inside the core, Kalah", "{} a second", "Rust baseline", ""),
    "search international": ("search, international", "{} million positions a second", "py-draughts", "'s engine"),
    "search kalah": ("search, Kalah", "{} million positions a second", "open_spiel", "'s alpha-beta in Python"),
    "solve 4, 4": ("solving Kalah, four houses and seeds", "{} ms", "Rust baseline", " without endgame tables"),
    "solve 5, 4": ("solving Kalah, five houses, four seeds", "{} ms", "", ""),
}


def format_readme_table(run: Run) -> str:
    """Return the table for the README."""
    names = {"open_spiel": "OpenSpiel", "Rust baseline": "a straightforward Rust implementation"}
    lines = ["| | tablemen | compared with |", "| --- | --- | --- |"]
    for key, (title, words, peer, remark) in SHOWN.items():
        row = CASES[key]  # rounded to our disadvantage
        figure = words.format(about(run.values[key][OURS.name] * row.scale, up=not row.more_is_better))
        comparison = f"{about(run.ratio(key, peer))}× {names.get(peer, peer)}{remark}" if peer else ""
        lines.append(f"| {title} | {figure} | {comparison} |")
    return "\n".join(lines)


def update_readme(run: Run, text: str) -> str:
    """Return the README with its benchmark table replaced."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"{README.name}: markers {BEGIN.strip()} and {END.strip()} are missing")
    return f"{before}{begin}\n{format_readme_table(run)}\n\n{end}{after}"


def format_page(run: Run, counts: Counts) -> str:
    """Return the whole page."""
    rows = "\n".join(f"| {name} | {number:,} |" for name, number in counts.instructions.items())
    return f"""# Benchmarks

<!-- Generated by `make bench`: change benchmarks/report.py instead. -->

`make bench` repeats these measurements and writes this page. Each library has its own virtual environment, and the
libraries are measured in turns. Ratios can be compared between machines, but single figures cannot.

{format_table(run)}

## Instructions

Instruction counts of small workloads in the core, measured with valgrind. They do not depend on the load of the
machine, so they show what a change of the code costs. `make bench` counts again and reports growth of over 2 %;
`python -m benchmarks --renew` records new counts. Built with {counts.compiler}.

| workload | instructions |
| --- | ---: |
{rows}
{format_environments(run.environments)}{format_cluster(run.cluster)}{format_tablebases(run.tablebases)}{format_strengths(run.strength)}"""


def write_pages(run: Run, counts: Counts) -> None:
    """Write the page, and the table in the README."""
    PAGE.write_text(format_page(run, counts), encoding="utf-8")
    README.write_text(update_readme(run, README.read_text(encoding="utf-8")), encoding="utf-8")
