"""The protocols of the field: Hub and DXP for draughts, KGP for Kalah, each from both ends.

Each has `messages` (text and values), `protocol` (the state machines of both ends, without I/O), `engine` (another
program that we ask for moves) and a `server` or a `client` (our program). `transport` carries bytes between programs.
"""

from tablemen.protocols.engine import Answer, Engine

__all__ = ["Answer", "Engine"]
