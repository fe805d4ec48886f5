"""Game files in and out."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from tablemen.web.clerks import answer
from tablemen.web.files import read_file, write_file
from tablemen.web.models import GameFile, ReadFile, Tree, WrittenFile
from tablemen.web.routes.refusals import BUSY, refusal

router = APIRouter(
    prefix="/api/files", tags=["files"], responses=refusal(422, "What was sent makes no sense, and why.") | BUSY
)


@router.post("/read", response_model=ReadFile)
async def read_game_file(file: GameFile, asking: Request) -> Response:
    """The games of a file, each with its variations and comments, and every board of it."""
    return await answer(asking, read_file, file)


@router.post("/write", response_model=WrittenFile)
async def write_game_file(tree: Tree, asking: Request) -> Response:
    """A game with its variations and comments as a file."""
    return await answer(asking, write_file, tree)
