"""The stateless endpoints: variants, positions, diagrams and game files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from enum import Enum
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response, StreamingResponse
from starlette.exceptions import HTTPException

from tablemen.family import families, get_family
from tablemen.game import Game
from tablemen.outcome import Side
from tablemen.web.bodies import SMALL_BYTES, BodyRoute, is_json, read_body
from tablemen.web.error_responses import BUSY, INVALID, describe_error
from tablemen.web.fair_queue import respond_queued, run_queued
from tablemen.web.files import MAX_GAMES, format_file, parse_file
from tablemen.web.models import (
    MAX_NODES,
    FileLimits,
    FormattedFile,
    GameFileText,
    GameTreeSpec,
    GameView,
    Houses,
    ParsedFile,
    PlaceExplanation,
    PlaceQuery,
    PositionSetup,
    PositionSpec,
    Seeds,
    Text,
    VariantInfo,
    VariantSummary,
)
from tablemen.web.serialize import (
    NoSuchVariantError,
    find_game,
    find_position,
    find_rules,
    find_side,
    parse_setup,
    serialize_game,
    serialize_variant,
    summarize_variant,
)
from tablemen.web.workers import WorkerPool
from tablemen.xml import escape

MAX_MOVES_LENGTH = 8000  # characters of the moves in a query
CHUNK_BYTES = 256_000  # of a large response

router = APIRouter(prefix="/api", responses=INVALID | BUSY, route_class=BodyRoute)
POSITIONS: list[str | Enum] = ["positions"]
FILES: list[str | Enum] = ["files"]


@router.get("/variants", tags=POSITIONS)
async def list_variants(request: Request) -> list[VariantSummary]:
    """Return all variants, in a short form."""
    return await run_queued(
        request, lambda: [summarize_variant(rules) for family in families() for rules in family.variants.values()]
    )


@router.get("/variants/{name}", tags=POSITIONS, responses=describe_error(404, "There is no such variant."))
async def show_variant(name: Text, request: Request, houses: Houses = None, seeds: Seeds = None) -> VariantInfo:
    """Return a variant with its sides, its start position and its board."""
    try:
        return await run_queued(request, lambda: serialize_variant(find_rules(name, houses, seeds)))
    except NoSuchVariantError as error:
        raise HTTPException(404, str(error)) from error


@router.post("/positions", tags=POSITIONS, response_model=GameView)
async def show_position(
    subject: PositionSpec,
    request: Request,
    since: Annotated[int, Query(ge=0, description="The number of moves to omit from `plies`.")] = 0,
) -> Response:
    """Return a position, the board after every move that leads to it, and the legal moves."""
    return await respond_queued(request, lambda: serialize_game(find_game(subject), since))


@router.post("/positions/objection", tags=POSITIONS)
async def explain_place(query: PlaceQuery, request: Request) -> PlaceExplanation:
    """Explain why no legal move begins on a place of the board."""

    def explain() -> PlaceExplanation:
        position = find_game(query).position
        return PlaceExplanation(reason=get_family(position).explain_place(query.place, position))

    return await run_queued(request, explain)


@router.post("/positions/setup", tags=POSITIONS, response_model=GameView)
async def show_setup(setup: PositionSetup, request: Request) -> Response:
    """Check a position that was set up by hand, and return it with its legal moves."""
    return await respond_queued(request, lambda: serialize_game(Game(parse_setup(setup))))


@router.get("/board.svg", tags=POSITIONS, response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
async def draw_position(  # noqa: PLR0913, PLR0917 - one for each parameter of the query
    request: Request,
    variant: Text,
    position: Text | None = None,
    moves: Annotated[
        str, Query(max_length=MAX_MOVES_LENGTH, description="Moves from that position, separated by spaces.")
    ] = "",
    houses: Houses = None,
    seeds: Seeds = None,
    orientation: Annotated[
        Text | None, Query(description="The side at the bottom; by default the first of the variant.")
    ] = None,
    size: Annotated[int, Query(ge=50, le=4000)] = 600,
) -> Response:
    """Draw a position as SVG, with the last move marked."""

    def draw() -> str:
        game = Game(find_position(find_rules(variant, houses, seeds), position), moves.split())
        below = Side.WHITE if orientation is None else find_side(orientation, game.start.variant)
        if not hasattr(game.position, "svg"):  # optional for a family
            return _draw_text(get_family(game.position).draw(game.position, orientation=below), size)
        return game.svg(orientation=below, size=size)

    return Response(await run_queued(request, draw), media_type="image/svg+xml")


def _draw_text(text: str, size: int) -> str:
    """Draw the lines of a text as a square SVG picture."""
    lines = text.splitlines()
    width = max([10, 1.2 * len(lines), *(0.62 * len(line) for line in lines)]) + 1  # in units of the font size
    spans = "".join(f'<tspan x="{width / 2:.2f}" dy="1.2">{escape(line)}</tspan>' for line in lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {width:.2f} {width:.2f}">'
        f'<rect width="100%" height="100%" fill="#f3efe8"/><text y="{(width - 1.2 * len(lines)) / 2 - 0.25:.2f}" '
        f'font-family="monospace" font-size="1" text-anchor="middle" xml:space="preserve">{spans}</text></svg>'
    )


@router.get("/files/limits", tags=FILES)
async def show_file_limits(request: Request) -> FileLimits:
    """Return the limits of game files."""
    return FileLimits(bytes=request.app.state.settings.body_bytes, games=MAX_GAMES, moves=MAX_NODES)


class FileRoute(BodyRoute):
    """A route for game files. Large ones are handled by a worker process, the `job` of which is named by the path."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return a handler that passes large bodies to a worker."""
        handle = super().get_route_handler()
        job = self.path_format.rpartition("/")[2]

        async def handle_in_worker(request: Request) -> Response:
            body = await read_body(request, self.max_bytes(request, None))
            if len(body) <= SMALL_BYTES or not is_json(request) or not _has_only_built_in_families():
                return await handle(request)
            workers: WorkerPool = request.app.state.workers
            status, text = await run_queued(request, workers.run, job, body)
            headers = {"Content-Length": str(len(text))}
            return StreamingResponse(_split(text), status, headers, media_type="application/json")

        return handle_in_worker

    def max_bytes(self, request: Request, _model: object) -> int:
        """Return the maximum size of the body."""
        limit: int = request.app.state.settings.body_bytes
        return limit


async def _split(text: bytes) -> AsyncIterator[bytes]:
    """Yield the chunks of a large response. Each is sent before the next one is copied."""
    for begin in range(0, len(text), CHUNK_BYTES):
        yield text[begin : begin + CHUNK_BYTES]


def _has_only_built_in_families() -> bool:
    """Return whether workers know all families: those of other packages are registered in this process only."""
    return all(type(family).__module__.startswith("tablemen.") for family in families())


file_router = APIRouter(prefix="/api/files", responses=INVALID | BUSY, route_class=FileRoute)


@file_router.post("/read", tags=FILES, response_model=ParsedFile)
async def read_game_file(file: GameFileText, request: Request) -> Response:
    """Parse a game file, and return its games with variations, comments and the board after every move.

    The text may also be positions, one per line. Each is returned as a game without moves.
    """
    return await respond_queued(request, parse_file, file)


@file_router.post("/write", tags=FILES, response_model=FormattedFile)
async def write_game_file(tree: GameTreeSpec, request: Request) -> Response:
    """Format a game with its variations and comments as a game file."""
    return await respond_queued(request, format_file, tree)
