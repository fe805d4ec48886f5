"""What the documentation shows is what happens.

In README.md and docs/*.md a ```python block is a `>>>` session, and the sessions of one page go on from each other;
a ```console block shows commands, `$ tablemen …`, and what they print; `...` stands for anything. Docstrings are
sessions too.
"""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest

import tablemen
from tablemen.draughts import VARIANTS, DraughtsRules
from tools import draw_list, pages, variant_table

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(?P<language>\w+)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.ELLIPSIS
# Fields that say how a variant is called and written, and not how it is played.
NAMING = (
    *("name", "title", "aliases", "game_type", "notation", "first_square", "capture_separator"),
    *("provisional", "note", "sources"),
)


class Block(NamedTuple):
    """A fenced block of a page; `line` is that of its first line of code."""

    code: str
    line: int


class Command(NamedTuple):
    """A command of a console block and what it prints."""

    line: str
    output: str


def page_name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, language: str) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        if found["language"] == language:
            yield Block(found["code"], text.count("\n", 0, found.start("code")) + 1)


def commands(block: Block) -> Iterator[Command]:
    """The commands of a console block that run `tablemen`; the ones for make are the newcomer's."""
    for part in re.split(r"^\$ ", block.code, flags=re.MULTILINE)[1:]:
        line, _, output = part.partition("\n")
        if line.startswith("tablemen") or "| tablemen" in line:
            yield Command(line, output)


def sessions(page: Path) -> doctest.DocTest:
    """The sessions of a page as one, each example with its line in the page."""
    parser = doctest.DocTestParser()
    examples = []
    for block in blocks(page, "python"):
        found = parser.get_examples(block.code, page_name(page))
        assert found, f"{page_name(page)}, line {block.line}: a python block without >>>"
        for example in found:
            example.lineno += block.line - 1
        examples += found
    return doctest.DocTest(examples, {}, page_name(page), str(page), 0, None)


def failures(test: doctest.DocTest) -> str:
    """What doctest has to say about the examples that fail."""
    said: list[str] = []
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=said.append)
    return "".join(said)


@pytest.mark.parametrize("document", PAGES, ids=page_name)
def test_the_sessions_of_a_page(document: Path) -> None:
    said = failures(sessions(document))
    assert not said, said


@pytest.mark.parametrize(
    ("document", "command"),
    [(page, command) for page in PAGES for block in blocks(page, "console") for command in commands(block)],
    ids=lambda part: page_name(part) if isinstance(part, Path) else part.line,
)
def test_a_command_prints_what_its_page_shows(document: Path, command: Command) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["/bin/sh", "-c", command.line],
        env=os.environ | {"PATH": path, "COLUMNS": "100", "PYTHONUTF8": "1", "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    checker = doctest.OutputChecker()
    example = doctest.Example(command.line, command.output)
    assert checker.check_output(example.want, done.stdout, OPTIONS), checker.output_difference(
        example, done.stdout, OPTIONS
    )


def module_names() -> list[str]:
    """Every module of the package, the compiled one included."""
    found = pkgutil.walk_packages(tablemen.__path__, prefix="tablemen.")
    return ["tablemen", *(module.name for module in found if not module.name.endswith("__main__"))]


@pytest.mark.parametrize("name", module_names())
def test_the_docstrings_of_a_module(name: str) -> None:
    tests = doctest.DocTestFinder().find(importlib.import_module(name))
    said = "".join(failures(test) for test in tests if test.examples)
    assert not said, said


def test_the_pages_do_show_something() -> None:
    assert all(sessions(page).examples for page in PAGES if page.name in {"README.md", "getting-started.md"})
    assert any(list(commands(block)) for block in blocks(ROOT / "README.md", "console"))


def test_every_page_stands_in_the_contents() -> None:
    contents = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^([a-z-]+)$", contents, re.MULTILINE))
    assert {page.stem for page in PAGES[1:]} - {"index"} == listed & {page.stem for page in PAGES[1:]}


def test_links_between_pages_lead_somewhere() -> None:
    pages = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
    links = [
        (page, target)
        for page in pages
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8"))
    ]
    assert links
    assert [f"{page_name(page)}: {target}" for page, target in links if not (page.parent / target).exists()] == []


def test_the_layout_draws_every_source_file() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (layout,) = re.findall(r"^```\n(crates/.*?)^```", text, re.MULTILINE | re.DOTALL)
    families = [(ROOT / "python/tablemen" / family).glob("*.py") for family in ("draughts", "mancala")]
    sources = [*(ROOT / "crates").glob("*/src/**/*.rs"), *chain(*families)]
    names = {source.name for source in sources} - {"mod.rs", "tests.rs", "__init__.py"}
    drawn = set(re.findall(r"\w+\.(?:rs|py)\b", layout))
    assert names - drawn == set()
    assert {name for name in drawn if name.endswith(".rs")} - names == set()


@pytest.mark.parametrize("document", pages.WRITTEN, ids=page_name)
def test_a_page_says_what_the_rules_say(document: Path) -> None:
    assert document.read_text(encoding="utf-8") == pages.renewed(document), "it is out of date: run `make docs`"


def test_variants_that_read_alike_in_the_pages_play_alike() -> None:
    by_row: dict[tuple[str, ...], DraughtsRules] = {}
    for rules in VARIANTS.values():
        _, _, *told, _ = variant_table.variant_row(rules)  # all but the name, the title and the GameType
        told += (draw_list.draw_line(rule) for rule in rules.draws)
        twin = by_row.setdefault(tuple(told), rules)
        assert rules == replace(twin, **{name: getattr(rules, name) for name in NAMING}), f"{rules} and {twin}"
