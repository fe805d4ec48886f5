"""Snapshots of the main screens."""

from __future__ import annotations

import difflib
import html
import re

import pytest

from tools.screens import SCENES, draw, get_path

QUICK = ("international", "menu")


def words(picture: str) -> list[str]:
    """Return the texts of a snapshot."""
    return [html.unescape(text).replace("\xa0", " ") for text in re.findall(r"<text[^>]*>([^<]*)</text>", picture)]


def describe_difference(name: str, known: str, drawn: str) -> str:
    """Describe a difference, and how to update the snapshot."""
    changed = [line for line in difflib.ndiff(words(known), words(drawn)) if line[0] in "+-"][:20]
    return "\n".join(
        [
            f"the screen {name!r} differs from its snapshot:",
            *(changed or ["the texts are the same, the colours or places are not"]),
            f"look at {get_path(name)}; `python -m tools.screens` updates the snapshots",
        ]
    )


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in SCENES]
)
def test_a_screen_equals_its_snapshot(name: str) -> None:
    known, drawn = get_path(name).read_text(encoding="utf-8"), draw(SCENES[name])
    if known != drawn:
        pytest.fail(describe_difference(name, known, drawn), pytrace=False)


def test_every_snapshot_has_a_scene() -> None:
    assert {file.stem for file in get_path("menu").parent.glob("*.svg")} == set(SCENES)


def test_a_difference_is_described() -> None:
    known, other = ("".join(f"<text>{text}</text>" for text in texts) for texts in (("a", "b"), ("a", "c")))
    text = describe_difference("menu", known, other)
    assert "- b" in text
    assert "+ c" in text
    assert "python -m tools.screens" in text
