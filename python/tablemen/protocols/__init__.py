"""The wires of the field: Hub and DXP for draughts, KGP for Kalah, each from both ends.

Every protocol has three parts. Messages are texts and values, and know nothing else. Conversations know what may be
said when, and see no bytes. Transports carry bytes, and know no game.

The same is found under the same name in each: `message`, a `conversation` or one for either side, a `connection` that
holds a conversation over a transport; `asynchronous` and `engine`, another program that is asked for moves; `program`,
what we are to other programs.
"""

from tablemen.protocols.engine import Answer, Engine

__all__ = ["Answer", "Engine"]
