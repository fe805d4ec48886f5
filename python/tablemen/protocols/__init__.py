"""Protocols between game programs: Hub and DXP for draughts, KGP for Kalah.

Each protocol has `messages` (parsing and formatting), `protocol` (the state machines of both ends, without I/O),
`engine` (another program that chooses moves for us) and a `server` or a `client` (our own program). `transport` sends
and receives the messages.
"""

from tablemen.protocols.engine import Answer, Engine

__all__ = ["Answer", "Engine"]
