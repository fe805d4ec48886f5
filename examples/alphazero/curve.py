"""The learning curve: as CSV, and as a picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any

from tablemen.errors import TablemenError
from tablemen.xml import escape

WIDTH, HEIGHT = 800, 420  # of the picture, in its own units
LEFT, TOP, RIGHT, BOTTOM = 56, 40, 176, 44  # margins around the plot
PLOT_WIDTH, PLOT_HEIGHT = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
AXIS = "CPU time of all processes in minutes"
MIN_SHARE, SHARE_STEP = 0.4, 0.1  # of the vertical axis
MAX_TICKS = 10
MIN_LABEL_DISTANCE = 16
BACKGROUND, GRID, TEXT, DASHED = "#fdfbf5", "#e4dccb", "#4b382a", "#8a7f75"
CURVES = {
    "search_play": ("search, play", "#1f6f8b"),
    "search_random": ("search, random", "#7db7c9"),
    "policy_play": ("policy, play", "#c0662b"),
    "policy_random": ("policy, random", "#e6b285"),
}


@dataclass(frozen=True)
class Figures:
    """A row of the learning curve: shares of optimal moves after some training, and the mean regret of the policy."""

    minutes: float
    cpu_minutes: float  # of all processes
    iteration: int
    games: int
    policy_loss: float
    value_loss: float
    policy_random: float
    policy_play: float
    search_random: float
    search_play: float
    regret_random: float
    regret_play: float


def format_csv(rows: Sequence[Figures]) -> str:
    """Return the learning curve as CSV with a line of names."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(field.name for field in fields(Figures))
    for row in rows:
        writer.writerow(value if isinstance(value, int) else f"{value:.4f}" for value in astuple(row))
    return text.getvalue()


def parse_csv(text: str) -> list[Figures]:
    """Return the rows of `format_csv`. Raises `TablemenError` if the text is not such a table."""
    kinds: dict[str, Any] = {"iteration": int, "games": int}
    reader = csv.DictReader(io.StringIO(text), strict=True)
    names = [field.name for field in fields(Figures)]
    if reader.fieldnames != names:
        raise TablemenError(f"line 1: expected the columns {','.join(names)}, got {','.join(reader.fieldnames or ())}")
    rows = []
    for row in reader:
        try:
            rows.append(Figures(**{name: kinds.get(name, float)(row[name]) for name in names}))
        except (TypeError, ValueError) as error:
            raise TablemenError(f"line {reader.line_num}: expected {len(names)} numbers: {error}") from error
    return rows


def draw_curve(rows: Sequence[Figures], title: str, levels: Mapping[str, float] | None = None) -> str:
    """Return the shares of optimal moves by CPU time of training as an SVG picture.

    `levels` are shares of other players, which become dashed lines. Raises `TablemenError` without rows.
    """
    if not rows:
        raise TablemenError("the learning curve has no rows to draw")
    longest = max(row.cpu_minutes for row in rows) or 1.0

    def x(minutes: float) -> float:
        return LEFT + PLOT_WIDTH * minutes / longest

    def y(share: float) -> float:
        return TOP + PLOT_HEIGHT * (1 - max(share, MIN_SHARE)) / (1 - MIN_SHARE)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        f'<g font-family="sans-serif" font-size="13" fill="{TEXT}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{BACKGROUND}"/>',
        f'<text x="{LEFT}" y="24" font-size="15" font-weight="bold">{escape(title)}</text>',
        f'<text x="{LEFT + PLOT_WIDTH / 2:g}" y="{HEIGHT - 8}" text-anchor="middle">{AXIS}</text>',
    ]
    for number in range(round((1 - MIN_SHARE) / SHARE_STEP) + 1):
        share = MIN_SHARE + number * SHARE_STEP
        parts.append(f'<path stroke="{GRID}" d="M{LEFT} {y(share):.1f}H{LEFT + PLOT_WIDTH}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(share) + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    step = next(each for each in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000) if longest / each <= MAX_TICKS)
    for number in range(int(longest / step + 1e-9) + 1):
        minutes = number * step
        parts.append(f'<text x="{x(minutes):.1f}" y="{TOP + PLOT_HEIGHT + 20}" text-anchor="middle">{minutes:g}</text>')
    labels: list[tuple[float, str, str]] = []
    for name, share in (levels or {}).items():
        parts.append(f'<path stroke="{DASHED}" stroke-dasharray="5 4" d="M{LEFT} {y(share):.1f}H{LEFT + PLOT_WIDTH}"/>')
        labels.append((y(share), name, DASHED))
    for field, (label, colour) in CURVES.items():
        points = "L".join(f"{x(row.cpu_minutes):.1f} {y(getattr(row, field)):.1f}" for row in rows)
        parts.append(f'<path fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round" d="M{points}"/>')
        last = getattr(rows[-1], field)
        labels.append((y(last), f"{label} {last:.1%}", colour))
    lowest = -float(MIN_LABEL_DISTANCE)
    for place, label, colour in sorted(labels):
        lowest = max(place, lowest + MIN_LABEL_DISTANCE)
        parts.append(f'<text x="{LEFT + PLOT_WIDTH + 8}" y="{lowest + 4:.1f}" fill="{colour}">{escape(label)}</text>')
    return "".join((*parts, "</g></svg>\n"))
