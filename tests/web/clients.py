"""Helpers that create, show and play games over HTTP."""

from __future__ import annotations

from typing import Any

import httpx

from tablemen.web.models import ActionResult, CreatedGame, ErrorResponse, GameState
from tests.web.in_process_server import Running


def create(server: Running, **options: Any) -> CreatedGame:
    """Create a game, by default between two players with a link."""
    answer = server.post("/api/games", {"variant": "international", "opponent": "link", "side": "white", **options})
    assert answer.status_code == 201, answer.text
    created = CreatedGame.model_validate_json(answer.text)
    assert answer.headers["location"] == f"/api/games/{created.id}"
    return created


def headers(key: str | None) -> dict[str, str]:
    """Return the headers of a request with a key."""
    return {} if key is None else {"Authorization": f"Bearer {key}"}


def show(server: Running, game_id: str, key: str | None = None) -> GameState:
    """Return the state of a game."""
    answer = server.client.get(f"/api/games/{game_id}", headers=headers(key))
    assert answer.status_code == 200, answer.text
    return GameState.model_validate_json(answer.text)


def send_action(server: Running, game_id: str, key: str | None, **action: Any) -> httpx.Response:
    """Send an action and return the response."""
    return server.client.post(f"/api/games/{game_id}/actions", json=action, headers=headers(key))


def act(server: Running, game_id: str, key: str, **action: Any) -> ActionResult:
    """Send an action that must succeed, and return its result."""
    answer = send_action(server, game_id, key, **action)
    assert answer.status_code == 200, answer.text
    return ActionResult.model_validate_json(answer.text)


def get_error(answer: httpx.Response, status: int) -> str:
    """Return the error of a response, which must have this status."""
    assert answer.status_code == status, answer.text
    return ErrorResponse.model_validate_json(answer.text).error
