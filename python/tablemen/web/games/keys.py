"""The names of games and the keys of their sides: nobody guesses them, and the keys themselves are not kept."""

from __future__ import annotations

import hashlib
import hmac
import secrets


def new_game_id() -> str:
    """A name that nobody has and nobody guesses: who knows it may watch."""
    return secrets.token_urlsafe(12)


def new_key() -> str:
    """A key: who has it may move a side."""
    return secrets.token_urlsafe(16)


def hash_key(key: str) -> bytes:
    """What is kept of a key. It is random itself, so that nothing needs to be mixed in."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def is_key(key: str, kept: bytes | None) -> bool:
    """Whether this is the key of which that was kept."""
    return kept is not None and hmac.compare_digest(hash_key(key), kept)
