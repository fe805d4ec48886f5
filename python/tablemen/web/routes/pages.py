"""The pages, and the files that they are made of."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from string import Template

from fastapi import APIRouter
from starlette.responses import FileResponse, HTMLResponse
from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).parents[1] / "page"


@dataclass(frozen=True, kw_only=True)
class Page:
    """What a page has of its own; everything else is `shell.html`, which all of them have."""

    title: str
    skip: str  # what the first link says, which leads past the bar
    styles: tuple[str, ...] = ()
    script: str | None = None
    content: str | None = None  # a file; where there is none, the script makes it


BOARDS = ("boards/boards.css", "boards/draughts-board.css", "boards/pieces.css", "boards/mancala-board.css")
PAGES = {
    "/": Page(
        title="Play",
        skip="To the games",
        styles=("play/setup.css", "play/my-games.css"),
        script="play/setup.js",
        content="play/setup.html",
    ),
    "/game/{game_id}": Page(
        title="Game",
        skip="To the board",
        styles=(*BOARDS, "play/game.css", "play/game-side.css", "play/small-screens.css"),
        script="play/game.js",
        content="play/game.html",
    ),
    "/analyse": Page(
        title="Analyse",
        skip="To the board",
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
        skip="To the reference",
        styles=("reference/reference.css",),
        script="reference/reference.js",
    ),
}
LINKED = ("/", "/analyse", "/api")  # in the bar
NOWHERE = Page(title="No such page", skip="To the page", content="nowhere.html")  # for addresses that lead to none

router = APIRouter(include_in_schema=False)


def render(page: Page) -> str:
    """A page as it is sent: the shell with what is its own."""
    shell = Template((FOLDER / "shell.html").read_text(encoding="utf-8"))
    own = [f'<link rel="stylesheet" href="/page/{style}" />' for style in page.styles]
    if page.script is not None:
        own.append(f'<script type="module" src="/page/{page.script}"></script>')
    content = "" if page.content is None else (FOLDER / page.content).read_text(encoding="utf-8")
    links = [_link(path, page) for path in LINKED]
    return shell.substitute(
        title=page.title, skip=page.skip, own="\n    ".join(own), links=" ".join(links), content=content
    )


def _link(path: str, page: Page) -> str:
    current = ' aria-current="page"' if PAGES[path] is page else ""
    return f'<a href="{path}"{current}>{PAGES[path].title}</a>'


def answer(page: Page, status: int = 200) -> HTMLResponse:
    """The page, which a browser asks for again each time."""
    text = render(page)
    tag = sha256(text.encode()).hexdigest()[:32]
    return HTMLResponse(text, status, headers={"Cache-Control": "no-cache", "ETag": f'"{tag}"'})


def _add_page(path: str, page: Page) -> None:
    def answer_page() -> HTMLResponse:
        return answer(page)

    router.add_api_route(path, answer_page, response_class=HTMLResponse)


for _path, _page in PAGES.items():
    _add_page(_path, _page)


class Files(StaticFiles):
    """Files that a browser asks for again each time, and is mostly told that they have not changed."""

    def file_response(self, *args: object, **named: object) -> FileResponse:
        """The file, or that it is the same."""
        response = super().file_response(*args, **named)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "no-cache"
        return response  # type: ignore[return-value]


def files() -> Files:
    """Scripts, styles and pictures."""
    return Files(directory=FOLDER)
