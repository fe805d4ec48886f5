"""What the documentation shows is what happens.

In README.md and the pages of docs/ a ```python block is a `>>>` session, and the sessions of one page go on from each
other; a ```console block shows commands, `$ tablemen …`, and what they print; `...` stands for anything. Docstrings are
sessions too.
"""

from __future__ import annotations

import doctest
import enum
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pytest

import tablemen
from tablemen import mancala
from tablemen.draughts import VARIANTS, DraughtsRules, Position
from tablemen.draughts.rules import Criterion, Direction, KingLanding, Promotion
from tablemen.draws import Repetition
from tests.test_public_surface import PUBLIC
from tools import draughts_words, draw_list, mancala_words, pages, variant_pages, variant_table

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("reference/*.md"))]
VARIANT_NAMES = [*VARIANTS, *mancala.VARIANTS]
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


def listed(page: Path) -> set[str]:
    """The pages that the contents of a page name, from docs/ on."""
    entries = re.findall(r"^```\{toctree\}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return {name for entry in entries for name in re.findall(r"^([a-z_/-]+)$", entry, re.MULTILINE)}


def test_every_page_stands_in_the_contents() -> None:
    contents = [*(listed(DOCS / "index.md")), *listed(DOCS / "reference.md")]
    pages = [page.relative_to(DOCS).with_suffix("").as_posix() for page in PAGES[1:]]
    assert sorted(contents) == sorted({*pages} - {"index"})


def test_no_page_has_the_name_of_one_that_sphinx_writes() -> None:
    assert not {page.stem for page in DOCS.glob("*.md")} & {"search", "genindex", "modindex", "py-modindex"}


def test_every_variant_stands_in_the_contents() -> None:
    assert listed(DOCS / "variants.md") == {f"variants/{name}" for name in VARIANT_NAMES}


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


@pytest.fixture(scope="module")
def variant_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("variants")
    (folder / "old.md").write_text("a variant that is no more", encoding="utf-8")
    variant_pages.write_pages(folder)
    return folder


def test_every_variant_has_a_page_and_nothing_else_has(variant_folder: Path) -> None:
    assert {page.stem for page in variant_folder.glob("*.md")} == set(VARIANT_NAMES)
    shown = {
        picture
        for page in variant_folder.glob("*.md")
        for picture in re.findall(r"\]\((.*?\.svg)\)", page.read_text(encoding="utf-8"))
    }
    assert {picture.name for picture in variant_folder.glob("*.svg")} == shown
    assert all(ET.parse(picture) for picture in variant_folder.glob("*.svg"))


@pytest.mark.parametrize("name", VARIANT_NAMES)
def test_the_page_of_a_variant_has_what_there_is_to_say(variant_folder: Path, name: str) -> None:
    text = (variant_folder / f"{name}.md").read_text(encoding="utf-8")
    rules = VARIANTS.get(name) or mancala.VARIANTS[name]
    assert text.startswith(f"# {rules}\n")
    assert f"tablemen play {name}\n" in text
    assert rules.note in text
    assert all(f"- {source}\n" in text for source in rules.sources)
    assert not re.search(r"\b(None|True|False)\b|\w+\.[A-Z_]{3,}|\{|  +\w|,,|\.\.(?!/)|,\.", text)
    if isinstance(rules, DraughtsRules):
        assert all(f"- {draw_list.draw_line(rule)}\n" in text for rule in rules.draws)
        assert Position.start(rules).fen() in text


def test_pages_that_are_as_they_were_are_left_alone(variant_folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in variant_folder.iterdir()}
    variant_pages.write_pages(variant_folder)
    assert {path: path.stat().st_mtime_ns for path in variant_folder.iterdir()} == before


def draughts_text(rules: DraughtsRules) -> str:
    """All that is said of the rules of a variant, notation aside."""
    words = draughts_words
    tellers = (words.tell_board, words.tell_men, words.tell_kings, words.tell_captures, words.tell_end)
    return " ".join(sentence for tell in tellers for sentence in tell(rules))


# A field changed in a rule set where it makes a difference must change what the page says.
CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("international", {"columns": 12}),
    ("international", {"corner_playable": False}),
    ("international", {"start_rows": 3}),
    ("international", {"start_gap": 1, "start_rows": 3}),
    ("international", {"first": tablemen.Side.BLACK}),
    ("international", {"man_moves": Direction.FORWARD_LEFT | Direction.FORWARD_RIGHT | Direction.RIGHT}),
    ("international", {"man_captures": Direction.FORWARD_DIAGONALS}),
    ("international", {"men_capture_kings": False}),
    *(("international", {"promotion": each}) for each in (Promotion.STOPS, Promotion.IN_FLIGHT)),
    ("international", {"flying_kings": False}),
    ("international", {"king_moves": Direction.ALL}),
    ("international", {"king_captures": Direction.ALL}),
    *(("international", {"king_landing": each}) for each in KingLanding if each is not KingLanding.ANY),
    ("international", {"king_move_limit": 3}),
    ("international", {"capture_compulsory": False}),
    *(("italian", {"precedence": VARIANTS["italian"].precedence[:count]}) for count in range(4)),
    ("international", {"precedence": (Criterion.WITH_KING,)}),
    ("turkish", {"removal": VARIANTS["international"].removal}),
    ("turkish", {"reverse_captures": True}),
    ("international", {"losing": True}),
    ("international", {"breakthrough": True}),
    ("international", {"lone_piece_loses": True}),
    ("international", {"lone_man_loses_to_king": True}),
]


@pytest.mark.parametrize(("name", "change"), CHANGES, ids=str)
def test_every_rule_of_draughts_is_told(name: str, change: dict[str, Any]) -> None:
    rules = VARIANTS[name]
    assert draughts_text(replace(rules, **change)) != draughts_text(rules)


def test_every_rule_of_draughts_is_changed_here() -> None:
    told = {field for _, change in CHANGES for field in change}
    written = {field.name for field in fields(DraughtsRules)} - {*NAMING, "draws", "rows", "playable"}
    assert told == written


def mancala_text(rules: mancala.MancalaRules) -> str:
    """All that is said of the rules of a mancala game, notation aside."""
    words = mancala_words
    tellers = (words.tell_board, words.tell_sowing, words.tell_captures, words.tell_end)
    return " ".join(sentence for tell in tellers for sentence in tell(rules))


def test_every_rule_of_mancala_is_told() -> None:
    for rules in (mancala.KALAH, mancala.OWARE):
        told = {mancala_text(rules)}
        changes: list[dict[str, Any]] = [{"houses": 7}, {"seeds": 1}, {"draws": (Repetition(5),)}]
        for field in fields(rules):
            value = getattr(rules, field.name)
            if isinstance(value, bool):
                changes.append({field.name: not value})
            elif isinstance(value, enum.Enum):
                changes += [{field.name: each} for each in type(value) if each is not value]
        texts = {mancala_text(replace(rules, **change)) for change in changes}
        assert len(texts - told) == len(changes)


def documented() -> Iterator[object]:
    """Everything that the reference has a docstring of."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in DOCS.glob("reference/*.md"))
    for kind, target, options in re.findall(r"^\.\. auto(\w+):: (\S+)\n((?:   .*\n)*)", text, re.MULTILINE):
        if kind != "module":
            holder, _, name = target.rpartition(".")
            yield getattr(importlib.import_module(holder), name)
            continue
        module = importlib.import_module(target)
        names = re.findall(r":members: (.+)", options)
        listed = names[0].split(", ") if names else getattr(module, "__all__", vars(module))
        yield from (getattr(module, name) for name in listed if not name.startswith("_"))


@pytest.mark.parametrize("module", PUBLIC)
def test_the_reference_has_every_public_name(module: str) -> None:
    told = list(documented())
    offered = {name: getattr(importlib.import_module(module), name) for name in PUBLIC[module]}
    assert [name for name, each in offered.items() if not any(each is other for other in told)] == []
