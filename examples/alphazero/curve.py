"""The learning curve: as CSV, and as a picture."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields
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


@dataclass(frozen=True)
class LearningCurve:
    """The rows of a learning curve with a title, which a notebook shows as a picture.

    `levels` are shares of other players, which become dashed lines.
    """

    rows: Sequence[Figures]
    title: str
    levels: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.rows:
            raise TablemenError("the learning curve has no rows to draw")

    def svg(self) -> str:
        """Return the shares of optimal moves by CPU time of training as an SVG picture."""
        return "".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"',
                f' height="{HEIGHT}"><g font-family="sans-serif" font-size="13" fill="{TEXT}">',
                f"<title>{escape(self.title)}</title>",
                f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{BACKGROUND}"/>',
                f'<text x="{LEFT}" y="24" font-size="15" font-weight="bold">{escape(self.title)}</text>',
                *self._draw_axes(),
                *self._draw_curves(),
                "</g></svg>\n",
            )
        )

    def _repr_svg_(self) -> str:
        return self.svg()

    @property
    def _longest(self) -> float:
        return max(row.cpu_minutes for row in self.rows) or 1.0

    def _x(self, minutes: float) -> float:
        return LEFT + PLOT_WIDTH * minutes / self._longest

    def _draw_axes(self) -> Iterator[str]:
        for number in range(round((1 - MIN_SHARE) / SHARE_STEP) + 1):
            share = MIN_SHARE + number * SHARE_STEP
            yield f'<path stroke="{GRID}" d="M{LEFT} {_y(share):.1f}H{LEFT + PLOT_WIDTH}"/>'
            yield f'<text x="{LEFT - 8}" y="{_y(share) + 4:.1f}" text-anchor="end">{share:.0%}</text>'
        minimum = self._longest / MAX_TICKS
        power = 10.0 ** math.floor(math.log10(minimum))
        step = next(factor * power for factor in (1, 2, 5, 10) if factor == 10 or factor * power >= minimum)
        for number in range(int(self._longest / step * 1.0001) + 1):
            x, y = self._x(number * step), TOP + PLOT_HEIGHT + 20
            yield f'<text x="{x:.1f}" y="{y}" text-anchor="middle">{number * step:g}</text>'
        yield f'<text x="{LEFT + PLOT_WIDTH / 2:g}" y="{HEIGHT - 8}" text-anchor="middle">{AXIS}</text>'

    def _draw_curves(self) -> Iterator[str]:
        labels = []
        for name, share in self.levels.items():
            yield f'<path stroke="{DASHED}" stroke-dasharray="5 4" d="M{LEFT} {_y(share):.1f}H{LEFT + PLOT_WIDTH}"/>'
            labels.append((_y(share), name, DASHED))
        for column, (label, colour) in CURVES.items():
            shares = [getattr(row, column) for row in self.rows]
            places = zip(self.rows, shares, strict=True)
            points = "L".join(f"{self._x(row.cpu_minutes):.1f} {_y(share):.1f}" for row, share in places)
            yield f'<path fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round" d="M{points}"/>'
            labels.append((_y(shares[-1]), f"{label} {shares[-1]:.1%}", colour))
        lowest = -float(MIN_LABEL_DISTANCE)
        for place, label, colour in sorted(labels):  # labels at the same height are written below each other
            lowest = max(place, lowest + MIN_LABEL_DISTANCE)
            x, y = LEFT + PLOT_WIDTH + 8, lowest + 4
            yield f'<text x="{x}" y="{y:.1f}" fill="{colour}">{escape(label)}</text>'


def _y(share: float) -> float:
    return TOP + PLOT_HEIGHT * (1 - max(share, MIN_SHARE)) / (1 - MIN_SHARE)
