"""The pages, and the files that they are made of."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).parents[1] / "page"
PAGES = {"/": "index", "/game/{game_id}": "game", "/analyse": "analyse", "/api": "api"}

router = APIRouter(include_in_schema=False)


def _add_page(path: str, name: str) -> None:
    async def page() -> FileResponse:
        return FileResponse(FOLDER / f"{name}.html", headers={"Cache-Control": "no-cache"})

    router.add_api_route(path, page, name=name, response_class=FileResponse)


for _path, _name in PAGES.items():
    _add_page(_path, _name)


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
