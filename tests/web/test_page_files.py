"""The pages and their static files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.routing import compile_path

import tablemen
from tablemen.cli.play.start import default_opponent
from tablemen.players import SearcherPlayer, parse_player
from tablemen.search import DEFAULT_LEVEL, Level
from tablemen.web.models import NewGame
from tablemen.web.routes.pages import FOLDER, NOT_FOUND, PAGES, Page, render, respond
from tests.web.in_process_server import Running

HTML = re.compile(r"""\b(?:href|src)="([^"]*)\"""")
CSS = re.compile(r"""(?:url\(|@import\s+)["']?([^"')]*)""")
JAVASCRIPT = re.compile(r"""(?:\bfrom\s+|\bimport\s+|\bimport\()["']([^"']*)["']""")
REFERENCES = {".html": HTML, ".css": CSS, ".js": JAVASCRIPT}
# A URL, also one without a scheme after a quote: "//host/file".
OUTSIDE = re.compile(r"""\b(?:https?|wss?|ftp)://|["'(=`]\s*//\w""")
NAMESPACES = ("http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink")  # of XML; browsers do not load them

FILES = sorted(path for path in FOLDER.rglob("*") if path.is_file())
SOURCES = [path for path in FILES if path.suffix in REFERENCES]
SHELL = FOLDER / "shell.html"


def short_name(path: Path) -> str:
    return path.relative_to(FOLDER).as_posix()


def references(path: Path) -> Iterator[str]:
    """Yield the references of a file; those of the shell after it is rendered for every page."""
    text = path.read_text(encoding="utf-8")
    if path == SHELL:
        text = "".join(render(page) for page in (*PAGES.values(), NOT_FOUND))
    for found in REFERENCES[path.suffix].finditer(text):
        if not found[1].startswith(("#", "data:")):
            yield found[1]


def resolve(reference: str, path: Path) -> Path | None:
    """Return the file that a reference points to, or None for a page of the server."""
    if reference.startswith("/page/"):
        return FOLDER / reference.removeprefix("/page/")
    if reference.startswith("/"):
        address = reference.partition("?")[0]
        assert any(compile_path(page)[0].match(address) for page in PAGES), f"{short_name(path)} refers to {reference}"
        return None
    found = (path.parent / reference).resolve()
    return found if found.suffix else found.with_suffix(".d.ts")  # an import of types only


@pytest.mark.parametrize("path", SOURCES, ids=short_name)
def test_references_are_in_the_package(path: Path) -> None:
    missing = [each for each in references(path) if (file := resolve(each, path)) is not None and not file.is_file()]
    assert missing == []


@pytest.mark.parametrize("path", FILES, ids=short_name)
def test_nothing_is_loaded_from_other_hosts(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for name in NAMESPACES:
        text = text.replace(name, "")
    assert [line for line in text.splitlines() if OUTSIDE.search(line)] == []


def test_every_file_is_part_of_a_page() -> None:
    reached = {FOLDER / page.content for page in (*PAGES.values(), NOT_FOUND) if page.content is not None} | {SHELL}
    waiting = list(reached)
    while waiting:
        path = waiting.pop()
        found = {resolve(each, path) for each in references(path)} if path.suffix in REFERENCES else set()
        new = {file for file in found if file is not None} - reached
        reached |= new
        waiting += new
    assert {short_name(path) for path in FILES} == {short_name(path) for path in reached} | {"api-types.d.ts"}


def test_the_page_folder_is_inside_the_package() -> None:
    # maturin packages every file below the package folder, such as the style sheet of the full-screen interface.
    package = Path(tablemen.__file__).parent
    assert FOLDER.is_relative_to(package)
    assert (package / "tui" / "tablemen.tcss").is_file()


@pytest.mark.parametrize("page", [*PAGES.values(), NOT_FOUND], ids=lambda page: page.title)
def test_pages_comply_with_their_content_security_policy(page: Page) -> None:
    assert not re.search(r"<style\b|\bstyle=|\bon\w+=|<script(?![^>]*\bsrc=)|javascript:", render(page))


@pytest.mark.parametrize("path", PAGES)
def test_the_current_page_is_marked(path: str) -> None:
    current = re.findall(r'<a href="([^"]*)" aria-current="page">', render(PAGES[path]))
    assert current == ([] if "{" in path else [path])  # the navigation has no link to a game
    assert "aria-current" not in render(NOT_FOUND)


CHANGING = {"date", "x-request-id"}  # headers with another value in each response


@pytest.mark.parametrize("path", [*PAGES, "/page/style.css"])
def test_pages_answer_head(server: Running, path: str) -> None:
    path = path.format(game_id="any")
    shown, head = server.client.get(path), server.client.head(path)
    assert (head.status_code, head.content) == (200, b"")
    assert {name: value for name, value in head.headers.items() if name not in CHANGING} == {
        name: value for name, value in shown.headers.items() if name not in CHANGING
    }


def test_pages_are_revalidated_by_their_etag() -> None:
    one, again, other = respond(PAGES["/"]), respond(PAGES["/"]), respond(NOT_FOUND, 404)
    assert {page.headers["Cache-Control"] for page in (one, again, other)} == {"no-cache"}
    assert one.headers["ETag"] == again.headers["ETag"] != other.headers["ETag"]
    assert (one.status_code, other.status_code) == (200, 404)


def test_every_interface_has_the_same_default_level() -> None:
    """The menu of the full-screen interface has its own test."""
    assert parse_player(default_opponent()) == SearcherPlayer(level=DEFAULT_LEVEL)
    assert SearcherPlayer().effort == Level(DEFAULT_LEVEL)
    assert NewGame(variant="kalah").level == DEFAULT_LEVEL
    assert f'id="levels" data-default="{DEFAULT_LEVEL}"' in render(PAGES["/"])
