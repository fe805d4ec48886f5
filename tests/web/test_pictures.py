"""The screenshots in the documentation."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from tools.pictures import FOLDER, PICTURES, picture_path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
MAX_BYTES = 300_000  # the files are in the repository


def test_the_list_of_pictures_is_complete() -> None:
    screenshots = [picture_path(name).name for name in PICTURES]
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted([*screenshots, "learning-curve.svg"])


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_has_the_size_of_its_window(name: str) -> None:
    content = picture_path(name).read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    assert {"width": width, "height": height} == PICTURES[name].size
    assert len(content) <= MAX_BYTES


@pytest.mark.parametrize("document", PAGES, ids=lambda page: page.name)
def test_pictures_of_documents_exist_and_are_described(document: Path) -> None:
    for description, target in IMAGE.findall(document.read_text(encoding="utf-8")):
        assert description
        assert target.startswith("https://") or (document.parent / target).is_file(), target
