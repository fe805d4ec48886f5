"""What the description of the API says of refusals."""

from __future__ import annotations

from typing import Any

from tablemen.web.models import Refusal


def refusal(status: int, about: str) -> dict[int | str, dict[str, Any]]:
    """What is said of a status that refuses."""
    return {status: {"model": Refusal, "description": about}}


INVALID = refusal(422, "What was asked makes no sense, and why.")
BUSY = refusal(503, "Too many requests wait already.")
