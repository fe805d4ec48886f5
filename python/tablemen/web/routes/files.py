"""Game files in and out."""

from __future__ import annotations

from fastapi import APIRouter

from tablemen.web.files import read_file, write_file
from tablemen.web.models import GameFile, ReadFile, Refusal, Tree, WrittenFile

REFUSALS = {422: {"model": Refusal, "description": "What was sent makes no sense, and why."}}

router = APIRouter(prefix="/api/files", tags=["files"], responses=REFUSALS)  # type: ignore[arg-type]


@router.post("/read")
def read_game_file(file: GameFile) -> ReadFile:
    """The games of a file, each with its variations and comments, and every board of it."""
    return read_file(file)


@router.post("/write")
def write_game_file(tree: Tree) -> WrittenFile:
    """A game with its variations and comments as a file."""
    return write_file(tree)
