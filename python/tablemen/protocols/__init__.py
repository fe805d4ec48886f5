"""The wires of the field: Hub and DXP for draughts, KGP for Kalah, each from both ends.

Every protocol has three parts. Messages are texts and values, and know nothing else. Conversations know what may be
said when, and see no bytes. Transports carry bytes, and know no game.
"""

from tablemen.protocols.engine import Answer, Engine

__all__ = ["Answer", "Engine"]
