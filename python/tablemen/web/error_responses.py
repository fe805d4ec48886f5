"""Error responses: their status, their wording, and their description in the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from itertools import islice
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from tablemen.errors import InvalidPositionError, NotationError, TablemenError, WorkLimitError
from tablemen.web.fair_queue import BusyError
from tablemen.web.models import ErrorResponse
from tablemen.web.routes import pages

MAX_PROBLEMS = 20  # maximum length of `problems` in a response
MAX_IN_SENTENCE = 3  # problems that are joined to the `error` of a response
MAX_INPUT_LENGTH = 20  # characters quoted of an invalid value
RETRY_SECONDS = "5"

# Labels of the fields that users fill in on a page. In other messages the name of the field is used.
LABELS = {"houses": "the number of houses", "seeds": "the number of seeds", "lines": "the number of lines"}
SENTENCES = {
    "json_invalid": "invalid JSON: {error}",
    "greater_than_equal": "{name} must be at least {ge}, not {input}",
    "less_than_equal": "{name} must be at most {le}, not {input}",
    "greater_than": "{name} must be more than {gt}, not {input}",
    "less_than": "{name} must be less than {lt}, not {input}",
    "string_too_long": "{name} is too long: the limit is {max_length} characters",
    "too_long": "{name} has too many items: the limit is {max_length}",
    "missing": "{name} is missing",
    "extra_forbidden": "{name} is not a known field",
    "string_type": "{name} must be a text, not {input}",
    "literal_error": "{name} must be {expected}, not {input}",
    "union_tag_not_found": "{discriminator} is missing",
    "union_tag_invalid": "{discriminator} must be one of {expected_tags}, not {tag!r}",
    "model_type": "{name} must be an object, not {input}",
    "model_attributes_type": "{name} must be an object, not {input}",
    "dict_type": "{name} must be an object, not {input}",
    "int_parsing": "{name} must be a whole number, not {input}",
    "int_type": "{name} must be a whole number, not {input}",
    "int_from_float": "{name} must be a whole number, not {input}",
}
TOO_MUCH_WORK = "this request takes too much work: its positions have too many ways to capture"


def describe_error(status: int, description: str) -> dict[int | str, dict[str, Any]]:
    """Return the `responses` of a route that can respond with this error."""
    return {status: {"model": ErrorResponse, "description": description}}


INVALID = describe_error(422, "The request is invalid. `error` describes the problem.")
BUSY = describe_error(503, "Too many requests are queued. Try again later.")


class InvalidRequestError(TablemenError):
    """A request or message that is not valid; `problems` describes the first few reasons."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems[:MAX_IN_SENTENCE]))
        self.problems = problems[:MAX_PROBLEMS]


def describe_validation_errors(errors: Iterable[Mapping[str, Any]], *, outer: int = 0) -> list[str]:
    """Return a sentence for each of the first few of pydantic's validation errors.

    The first `outer` parts of each location are omitted: they name the body, the query or the type of a message.
    """
    return [_format_error(error, outer) for error in islice(errors, MAX_PROBLEMS)]


def _format_error(error: Mapping[str, Any], outer: int) -> str:
    location = [_shorten(str(part)) for part in (error["loc"][outer:] or error["loc"])]
    sentence = SENTENCES.get(error["type"], "{name}: {msg}" if location else "{msg}")
    values = {
        **error.get("ctx", {}),
        "name": _label(location) or "the JSON value",
        "msg": error["msg"][:1].lower() + error["msg"][1:],
        "input": _quote(error.get("input")),
    }
    return sentence.format_map(values).encode(errors="replace").decode()  # lone surrogates cannot be sent


def _quote(value: object) -> str:
    if isinstance(value, list):  # too long to quote
        return "a list"
    if isinstance(value, dict):
        return "an object"
    if value is None:
        return "null"
    if isinstance(value, bytes):
        value = value[: MAX_INPUT_LENGTH + 1]
    return _shorten(str(value)) or "an empty text"


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_INPUT_LENGTH else f"{text[:MAX_INPUT_LENGTH]}…"


def _label(location: list[str]) -> str:
    if location and location[-1] in LABELS:
        return LABELS[location[-1]]
    if location[-2:-1] == ["moves"]:
        return f"move {int(location[-1]) + 1}" if location[-1].isdigit() else "a move"
    return ".".join(location)


def add_error_handlers(app: FastAPI) -> None:
    """Register the handlers that turn exceptions of routes into a status and an `ErrorResponse`."""
    app.add_exception_handler(TablemenError, _respond_to_error)
    app.add_exception_handler(BusyError, _respond_busy)
    app.add_exception_handler(RequestValidationError, _respond_to_invalid)
    app.add_exception_handler(HTTPException, _respond_to_http_error)


def describe_failure(error: TablemenError) -> ErrorResponse:
    """Return the response to a request that failed."""
    if isinstance(error, WorkLimitError):
        return ErrorResponse(error=TOO_MUCH_WORK)
    if isinstance(error, NotationError) and "\n" not in error.text.strip():
        return ErrorResponse(error=error.problem)  # omit line and column for single-line input
    problems = list(error.problems) if isinstance(error, InvalidPositionError | InvalidRequestError) else []
    return ErrorResponse(error=str(error), problems=problems)


async def _respond_to_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, TablemenError)
    return JSONResponse(describe_failure(error).model_dump(), 422)


async def _respond_busy(_request: Request, error: Exception) -> JSONResponse:
    return _respond(503, str(error), headers={"Retry-After": RETRY_SECONDS})


async def _respond_to_invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    problems = describe_validation_errors(error.errors(), outer=1)
    return await _respond_to_error(request, InvalidRequestError(problems))


async def _respond_to_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    wants_page = request.method == "GET" and "text/html" in request.headers.get("Accept", "")
    if error.status_code == HTTPStatus.NOT_FOUND and wants_page and not request.url.path.startswith("/api/"):
        return pages.respond(pages.NOT_FOUND, HTTPStatus.NOT_FOUND)
    return _respond(error.status_code, error.detail, headers=error.headers)


def _respond(status: int, error: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse(ErrorResponse(error=error).model_dump(), status, headers)
