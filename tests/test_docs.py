"""Test that the examples in the documentation produce the output shown.

In README.md and the pages of docs/, a ```python block is a `>>>` session, and the sessions of a page share their
variables. A ```console block contains commands (`$ tablemen …`) and their output; `...` matches any text. Docstrings
are sessions too.
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
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple

import pytest

import tablemen
from tablemen import mancala
from tablemen.draughts import VARIANTS, DraughtsRules
from tests.test_public_surface import PUBLIC
from tools.pages.__main__ import WRITTEN, regenerate

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("reference/*.md"))]
FENCE = re.compile(r"^```(?P<language>\w+)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.ELLIPSIS


class Block(NamedTuple):
    """A fenced block of a page; `line` is the number of its first line of code."""

    code: str
    line: int


class Command(NamedTuple):
    """A command of a console block and its output."""

    line: str
    output: str


def page_name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def find_blocks(page: Path, language: str) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        if found["language"] == language:
            yield Block(found["code"], text.count("\n", 0, found.start("code")) + 1)


def find_commands(block: Block) -> Iterator[Command]:
    """Yield the commands of a console block that run `tablemen`; others, such as make, are not run."""
    for part in re.split(r"^\$ ", block.code, flags=re.MULTILINE)[1:]:
        line, _, output = part.partition("\n")
        if line.startswith("tablemen") or "| tablemen" in line:
            yield Command(line, output)


def create_doctest(page: Path) -> doctest.DocTest:
    """Return the sessions of a page as one test, with the line numbers of the page."""
    parser = doctest.DocTestParser()
    examples = []
    for block in find_blocks(page, "python"):
        found = parser.get_examples(block.code, page_name(page))
        assert found, f"{page_name(page)}, line {block.line}: a python block without >>>"
        for example in found:
            example.lineno += block.line - 1
        examples += found
    return doctest.DocTest(examples, {}, page_name(page), str(page), 0, None)


def find_failures(test: doctest.DocTest) -> str:
    """Run a doctest and return its report of failures."""
    report: list[str] = []
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=report.append)
    return "".join(report)


@pytest.mark.parametrize("document", PAGES, ids=page_name)
def test_python_sessions_of_a_page(document: Path) -> None:
    report = find_failures(create_doctest(document))
    assert not report, report


@pytest.mark.parametrize(
    ("document", "command"),
    [(page, command) for page in PAGES for block in find_blocks(page, "console") for command in find_commands(block)],
    ids=lambda part: page_name(part) if isinstance(part, Path) else part.line,
)
def test_command_prints_the_documented_output(document: Path, command: Command) -> None:
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
    """Return the names of all modules of the package, including the compiled one."""
    found = pkgutil.walk_packages(tablemen.__path__, prefix="tablemen.")
    return ["tablemen", *(module.name for module in found if not module.name.endswith("__main__"))]


@pytest.mark.parametrize("name", module_names())
def test_docstrings_of_a_module(name: str) -> None:
    tests = doctest.DocTestFinder().find(importlib.import_module(name))
    report = "".join(find_failures(test) for test in tests if test.examples)
    assert not report, report


def test_first_pages_contain_examples() -> None:
    assert all(create_doctest(page).examples for page in PAGES if page.name in {"README.md", "getting-started.md"})
    assert any(list(find_commands(block)) for block in find_blocks(ROOT / "README.md", "console"))


def find_contents(page: Path) -> set[str]:
    """Return the pages in the tables of contents of a page, relative to docs/."""
    entries = re.findall(r"^```\{toctree\}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return {name for entry in entries for name in re.findall(r"^([a-z_/-]+)$", entry, re.MULTILINE)}


def test_contents_list_every_page() -> None:
    contents = [*find_contents(DOCS / "index.md"), *find_contents(DOCS / "reference.md")]
    pages = [page.relative_to(DOCS).with_suffix("").as_posix() for page in PAGES[1:]]
    assert sorted(contents) == sorted({*pages} - {"index"})


def test_page_names_do_not_conflict_with_pages_of_sphinx() -> None:
    assert not {page.stem for page in DOCS.glob("*.md")} & {"search", "genindex", "modindex", "py-modindex"}


def test_contents_list_every_variant() -> None:
    assert find_contents(DOCS / "variants.md") == {f"variants/{name}" for name in (*VARIANTS, *mancala.VARIANTS)}


def find_anchors(page: Path) -> set[str]:
    """Return the anchors of a page: its headings as slugs, like those of GitHub and MyST."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_links_between_pages_are_valid() -> None:
    links = [
        (page, page.parent / target if target else page, anchor)
        for page in [*PAGES, *(ROOT / f"{name}.md" for name in ("CONTRIBUTING", "CHANGELOG", "RELEASING"))]
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", page.read_text(encoding="utf-8"))
    ]
    assert links
    assert [f"{page_name(page)}: {target}" for page, target, _ in links if not target.exists()] == []
    assert [
        f"{page_name(page)}: #{name}" for page, target, name in links if name and name not in find_anchors(target)
    ] == []


def read_glossary() -> list[tuple[str, str]]:
    """Return the file and the symbol of each row of the glossary."""
    text = (DOCS / "glossary.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith(("| term", "| ---"))]
    found = [re.search(r"\| `([^`]+)` \| `(\w+)` \|$", row) for row in rows]
    assert all(found), [row for row, match in zip(rows, found, strict=True) if not match]
    return [(match[1], match[2]) for match in found if match]


@pytest.mark.parametrize(("file", "symbol"), read_glossary())
def test_glossary_names_the_definition(file: str, symbol: str) -> None:
    root = ROOT / ("crates/core/src" if file.endswith(".rs") else "python/tablemen")
    keywords = "class|def|struct|fn|trait|enum|type|const|static"
    definition = rf"^\s*(?:(?:pub(?:\(\w+\))?|async|const) )*(?:{keywords}) {symbol}\b|^\s*{symbol}\s*[:=]"
    assert re.search(definition, (root / file).read_text(encoding="utf-8"), re.MULTILINE)


def test_readme_has_the_number_of_variants() -> None:
    counted = re.search(r"in (\d+)\s+variants of draughts", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert counted is not None
    assert int(counted[1]) == len(VARIANTS)


def test_rules_page_lists_every_field() -> None:
    rows = re.findall(r"^\| (`.+?) \|", (DOCS / "rules.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(re.findall(r"\w+", " ".join(rows))) == sorted(field.name for field in fields(DraughtsRules))


@pytest.mark.parametrize("document", WRITTEN, ids=page_name)
def test_generated_part_is_up_to_date(document: Path) -> None:
    assert document.read_text(encoding="utf-8") == regenerate(document), "out of date: run `make docs`"


def find_documented() -> Iterator[object]:
    """Yield all objects documented in the reference."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in DOCS.glob("reference/*.md"))
    for kind, target, options in re.findall(r"^\.\. auto(\w+):: (\S+)\n((?:   .*\n)*)", text, re.MULTILINE):
        if kind != "module":
            holder, _, name = target.rpartition(".")
            yield getattr(importlib.import_module(holder), name)
            continue
        module = importlib.import_module(target)
        names = re.findall(r":members: (.+)", options)
        members = names[0].split(", ") if names else getattr(module, "__all__", vars(module))
        yield from (getattr(module, name) for name in members if not name.startswith("_"))


@pytest.mark.parametrize("module", PUBLIC)
def test_reference_documents_every_public_name(module: str) -> None:
    documented = list(find_documented())
    public = {name: getattr(importlib.import_module(module), name) for name in PUBLIC[module]}
    assert [name for name, each in public.items() if not any(each is other for other in documented)] == []
