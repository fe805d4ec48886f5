"""What the server can be asked, as OpenAPI says it, and the sockets, for which OpenAPI has no words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI
from pydantic.json_schema import models_json_schema

from tablemen.web import models
from tablemen.web.models import Model

SOCKETS = "x-sockets"
LINES = "application/x-ndjson"
_REFERENCE = "#/components/schemas/{model}"


# What becomes of a body before anybody has looked at what it says.
BAD_BODIES = {
    status: {
        "description": words,
        "content": {"application/json": {"schema": {"$ref": _REFERENCE.format(model="Refusal")}}},
    }
    for status, words in (("400", "The body cannot be read."), ("413", "The body is too large."))
}


@dataclass(frozen=True)
class Socket:
    """A socket: where it is, and what is said over it."""

    path: str
    about: str
    sent: tuple[type[Model], ...]  # by the client
    told: tuple[type[Model], ...]  # by the server


KNOWN = (
    Socket(
        "/api/games/{game_id}/socket",
        "A game as it goes on. Say `Hello` first, with your key if you play. The state comes at once and after every "
        "change; each request gets an answer with its `id`. After a broken connection open another: a move that was "
        "sent twice with its `ply` is played once. When a state names the `next` game, say `Hello` "
        "with the same key at the socket of that one.",
        (models.Hello, models.Request),
        (models.GameState, models.Answer),
    ),
    Socket(
        "/api/analyse/socket",
        "Analyses one after the other. A new request takes the place of the one before; what is found comes with the "
        "`id` of its request. Of requests that come faster than twenty a second, only the last counts.",
        (models.Analyse, models.Stop),
        (models.Found, models.Values, models.Waiting, models.Ended),
    ),
)


def describe(app: FastAPI) -> dict[str, Any]:
    """The document of OpenAPI, with the sockets and their messages."""
    if app.openapi_schema is None:
        schema = FastAPI.openapi(app)
        kinds = [(kind, "serialization") for socket in KNOWN for kind in (*socket.sent, *socket.told)]
        _, messages = models_json_schema(kinds, ref_template=_REFERENCE)  # type: ignore[arg-type]
        known = schema.setdefault("components", {}).setdefault("schemas", {})
        for name, each in messages["$defs"].items():
            known.setdefault(name, each)
        schema[SOCKETS] = [_tell(socket) for socket in KNOWN]
        for path in schema["paths"].values():
            for operation in path.values():
                _correct(operation["responses"])
                if "requestBody" in operation:
                    operation["responses"] |= BAD_BODIES
    return app.openapi_schema or {}


def _correct(responses: dict[str, Any]) -> None:
    """What comes line by line is no text to FastAPI's readers but values; and refusals come in one piece."""
    for status, answer in responses.items():
        if LINES not in answer.get("content", {}):
            continue
        if status == "200":
            answer["content"][LINES]["schema"].pop("type", None)
        else:
            answer["content"] = {"application/json": answer["content"][LINES]}


def _tell(socket: Socket) -> dict[str, Any]:
    def references(kinds: tuple[type[Model], ...]) -> list[dict[str, str]]:
        return [{"$ref": _REFERENCE.format(model=kind.__name__)} for kind in kinds]

    return {
        "path": socket.path,
        "description": socket.about,
        "sent": references(socket.sent),
        "told": references(socket.told),
    }
