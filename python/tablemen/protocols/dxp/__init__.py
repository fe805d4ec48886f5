"""DamExchange Protocol (DXP): two programs play draughts over TCP."""

from tablemen.protocols.dxp.engine import AsyncDxpEngine, DxpConnection, DxpEngine, DxpTimeouts
from tablemen.protocols.dxp.messages import GameSettings, format_message, parse_message
from tablemen.protocols.dxp.protocol import DxpProtocol
from tablemen.protocols.dxp.server import DxpHost

__all__ = [
    "AsyncDxpEngine",
    "DxpConnection",
    "DxpEngine",
    "DxpHost",
    "DxpProtocol",
    "DxpTimeouts",
    "GameSettings",
    "format_message",
    "parse_message",
]
