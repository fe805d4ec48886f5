"""The results as one table in plain text, and what must be known to read it."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.libraries import OURS, PEER_LIBRARIES, requirement
from benchmarks.measure import LONGEST, ROWS, Results


def format_table(results: Results) -> str:
    """The whole table with its notes."""
    lines = [["", OURS.name, *(peer.name for peer in PEER_LIBRARIES)]]
    lines.append(["", "", *(requirement(peer.name).partition("==")[2] for peer in PEER_LIBRARIES)])
    lines += [format_row(results, key) for key in ROWS]
    return "\n".join([*align(lines), "", *notes(results)])


def format_row(results: Results, key: str) -> list[str]:
    """Our figure, and for each peer the ratio with its figure behind it."""
    row, values = ROWS[key], results.values[key]
    cells = [f"{row.title} ({row.unit})", format_number(values[OURS.name] * row.scale)]
    for peer in PEER_LIBRARIES:
        if peer.name in values:
            theirs = format_number(values[peer.name] * row.scale)
            cells.append(f"{format_number(results.ratio(key, peer.name))}× ({theirs})")
        else:
            measured = row.game is None or row.game in peer.games
            cells.append("failed" if measured else "-")
    return cells


def format_number(value: float) -> str:
    """The digits that mean something.

    >>> [format_number(value) for value in (0.001234, 0.57, 8.2, 47.12, 250.4, 98765.4)]
    ['0.0012', '0.57', '8.2', '47.1', '250', '98,765']
    """
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value >= 1 else f"{value:.2g}"


def align(lines: list[list[str]]) -> list[str]:
    """The cells under each other: the first column to the left, the others to the right."""
    first, *others = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join([head.ljust(first), *(cell.rjust(width) for cell, width in zip(cells, others, strict=True))])
        for head, *cells in lines
    ]


def notes(results: Results) -> Iterator[str]:
    """What the figures do not say themselves."""
    yield "n× (figure): ours is n times faster or smaller; below 1× the other is. The best round counts, in CPU time."
    yield "perft: one thread; ours counts in compiled code, the others in a Python loop that only lists the last ply."
    single = " and ".join(peer.name for peer in PEER_LIBRARIES if peer.single_jumps)
    yield f"legal moves: 100 mid-game positions; {single} list single jumps, the others whole captures."
    yield f"random playouts: driven from Python, {LONGEST} plies at most; the others also stop at draws, ours does not."
    for name, problem in results.missing.items():
        yield f"{name} could not be run: {problem}"
    yield from disagreements(results)


def disagreements(results: Results) -> Iterator[str]:
    """Where a peer that lists whole moves, or counts them, comes to other numbers than ours."""
    single = {peer.name for peer in PEER_LIBRARIES if peer.single_jumps}
    for key, counts in results.counts.items():
        for name, theirs in counts.items():
            if key.startswith("moves") and name in single:
                continue
            pairs = list(zip(theirs, counts[OURS.name], strict=False))
            different = sum(their != our for their, our in pairs)
            if different:
                what = "depths" if key.startswith("perft") else "positions"
                yield f"{name} comes to other numbers in {different} of {len(pairs)} {what} ({ROWS[key].title})."
