"""The HTML pages and their static files."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from string import Template

from fastapi import APIRouter
from starlette.responses import FileResponse, HTMLResponse
from starlette.staticfiles import StaticFiles

from tablemen.search import DEFAULT_LEVEL

FOLDER = Path(__file__).parents[1] / "page"


@dataclass(frozen=True, kw_only=True)
class Page:
    """The specific parts of a page; the common parts are in `shell.html`."""

    title: str
    skip: str  # text of the link that skips the navigation
    styles: tuple[str, ...] = ()
    script: str | None = None
    content: str | None = None  # an HTML file; None if the script builds the page


BOARDS = ("boards/boards.css", "boards/draughts-board.css", "boards/pieces.css", "boards/mancala-board.css")
PAGES = {
    "/": Page(
        title="Play",
        skip="Skip to the games",
        styles=("play/setup.css", "play/my-games.css"),
        script="play/setup.js",
        content="play/setup.html",
    ),
    "/game/{game_id}": Page(
        title="Game",
        skip="Skip to the board",
        styles=(*BOARDS, "play/game.css", "play/game-side.css", "play/small-screens.css"),
        script="play/game.js",
        content="play/game.html",
    ),
    "/analyse": Page(
        title="Analyse",
        skip="Skip to the board",
        styles=(
            *BOARDS,
            "analyse/analyse.css",
            "analyse/engine-panel.css",
            "analyse/moves.css",
            "analyse/graph.css",
            "analyse/tools.css",
        ),
        script="analyse/analyse.js",
    ),
    "/api": Page(
        title="API",
        skip="Skip to the reference",
        styles=("reference/reference.css",),
        script="reference/reference.js",
    ),
}
NAVIGATION = ("/", "/analyse", "/api")
NOT_FOUND = Page(title="Page not found", skip="Skip to the page", content="not-found.html")

router = APIRouter(include_in_schema=False)


def render(page: Page) -> str:
    """Return the HTML of a page."""
    shell = Template((FOLDER / "shell.html").read_text(encoding="utf-8"))
    own = [f'<link rel="stylesheet" href="/page/{style}" />' for style in page.styles]
    if page.script is not None:
        own.append(f'<script type="module" src="/page/{page.script}"></script>')
    content = "" if page.content is None else (FOLDER / page.content).read_text(encoding="utf-8")
    content = Template(content).substitute(default_level=DEFAULT_LEVEL)
    links = [_link(path, page) for path in NAVIGATION]
    return shell.substitute(
        title=page.title, skip=page.skip, own="\n    ".join(own), links=" ".join(links), content=content
    )


def _link(path: str, page: Page) -> str:
    current = ' aria-current="page"' if PAGES[path] is page else ""
    return f'<a href="{path}"{current}>{PAGES[path].title}</a>'


def respond(page: Page, status: int = 200) -> HTMLResponse:
    """Respond with a page that browsers revalidate on each visit."""
    text = render(page)
    tag = sha256(text.encode()).hexdigest()[:32]
    return HTMLResponse(text, status, headers={"Cache-Control": "no-cache", "ETag": f'"{tag}"'})


def _add_page(path: str, page: Page) -> None:
    router.add_api_route(path, lambda: respond(page), methods=["GET", "HEAD"], response_class=HTMLResponse)


for _path, _page in PAGES.items():
    _add_page(_path, _page)


class PageFiles(StaticFiles):
    """Scripts, styles and pictures that browsers revalidate on each visit."""

    def file_response(self, *args: object, **named: object) -> FileResponse:
        """Respond with the file, or with 304 if it has not changed."""
        response = super().file_response(*args, **named)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "no-cache"
        return response  # type: ignore[return-value]
