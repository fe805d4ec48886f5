"""Request bodies and messages: their size limits, and their validation outside the event loop."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from fastapi.routing import APIRoute
from pydantic import TypeAdapter, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request

from tablemen.web.error_responses import InvalidRequestError, describe_validation_errors
from tablemen.web.fair_queue import run_queued
from tablemen.web.models import MAX_ACTION_BYTES, MAX_FIELDS, MAX_NODES, MAX_REQUEST_BYTES, Action

if TYPE_CHECKING:
    from starlette.responses import Response

T = TypeVar("T")
MAX_OBJECTS = 2 * MAX_NODES  # in a body; a game tree has an object for each node
SMALL_BYTES = MAX_ACTION_BYTES  # up to this size, validation takes less than a millisecond


class _ObjectHook:
    """A hook of the JSON decoder that limits the number of objects and of the fields of each."""

    def __init__(self) -> None:
        self._objects = 0

    def __call__(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        self._objects += 1
        if self._objects > MAX_OBJECTS:
            raise InvalidRequestError([f"there are more than {MAX_OBJECTS:,} objects"])
        if len(pairs) > MAX_FIELDS:
            raise InvalidRequestError([f"an object has too many fields: the limit is {MAX_FIELDS}"])
        return dict(pairs)


def parse_json(text: str | bytes) -> Any:
    """Decode JSON of limited complexity. Raises `InvalidRequestError`."""
    try:
        return json.loads(text, object_pairs_hook=_ObjectHook())
    except InvalidRequestError:
        raise
    except json.JSONDecodeError as error:
        raise InvalidRequestError([f"invalid JSON: {error.msg}"]) from error
    except UnicodeDecodeError as error:
        raise InvalidRequestError(["invalid JSON: the text is not valid UTF-8"]) from error
    except RecursionError as error:
        raise InvalidRequestError(["invalid JSON: lists and objects are nested too deeply"]) from error
    except ValueError as error:
        raise InvalidRequestError(["invalid JSON: a number has too many digits"]) from error


def validate_json(adapter: TypeAdapter[T], text: str | bytes, *, outer: int = 0) -> T:
    """Decode and validate JSON. Raises `InvalidRequestError`, which omits the first `outer` parts of each location."""
    value = parse_json(text)
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        # Limits on fields, and lists that fail at their first invalid item, keep the number of errors small.
        raise InvalidRequestError(describe_validation_errors(error.errors(include_url=False), outer=outer)) from error


async def validate_queued(
    connection: HTTPConnection, adapter: TypeAdapter[T], text: str | bytes, *, outer: int = 0
) -> T:
    """Validate JSON, in a thread of the request queue if it is large.

    Raises `InvalidRequestError`, and `BusyError` if the queue is full.
    """
    if len(text) <= SMALL_BYTES:
        return validate_json(adapter, text, outer=outer)
    return await run_queued(connection, lambda: validate_json(adapter, text, outer=outer))


async def read_body(request: Request, limit: int) -> bytes:
    """Return the body of a request; raises an `HTTPException` with status 413 if it is larger than the limit."""
    if int(request.headers.get("content-length", "0")) > limit:
        raise _too_large(request, limit)
    try:
        body = await request.body()
    except ClientDisconnect as error:
        raise HTTPException(400, "the request is incomplete") from error
    if len(body) > limit:
        raise _too_large(request, limit)
    return body


def _too_large(request: Request, limit: int) -> HTTPException:
    request.app.state.statistics.refused["size"] += 1
    return HTTPException(413, f"the request is too large: the limit is {limit:,} bytes")


class _ValidatedRequest(Request):
    """A request whose body has been validated."""

    def __init__(self, request: Request, body: bytes, value: Any) -> None:
        super().__init__(request.scope, request.receive)
        self._body = body
        self._value = value

    async def json(self) -> Any:
        """Return the validated model. FastAPI does not validate it again."""
        return self._value


class BodyRoute(APIRoute):
    """A route whose body is limited in size and validated outside the event loop if it is large."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return a handler that validates the body before FastAPI does."""
        handle = super().get_route_handler()
        if self.body_field is None:
            return handle
        model: Any = self.body_field.field_info.annotation
        adapter: TypeAdapter[Any] = TypeAdapter(model)

        async def validate_and_handle(request: Request) -> Response:
            body = await read_body(request, self.max_bytes(request, model))
            if not body or not is_json(request):
                return await handle(request)
            return await handle(_ValidatedRequest(request, body, await validate_queued(request, adapter, body)))

        return validate_and_handle

    def max_bytes(self, _request: Request, model: Any) -> int:
        """Return the maximum size of the body."""
        return MAX_ACTION_BYTES if model is Action else MAX_REQUEST_BYTES


def is_json(request: Request) -> bool:
    """Return whether FastAPI decodes the body."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))
