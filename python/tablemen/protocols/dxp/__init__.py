"""DamExchange (DXP): two programs play games over TCP."""

from tablemen.protocols.dxp.asynchronous import AsyncDxpEngine
from tablemen.protocols.dxp.connection import DxpConnection
from tablemen.protocols.dxp.conversation import Conversation
from tablemen.protocols.dxp.engine import DxpEngine
from tablemen.protocols.dxp.patience import Patience
from tablemen.protocols.dxp.program import DxpHost
from tablemen.protocols.dxp.terms import Terms
from tablemen.protocols.dxp.text import format_message, parse_message

__all__ = [
    "AsyncDxpEngine",
    "Conversation",
    "DxpConnection",
    "DxpEngine",
    "DxpHost",
    "Patience",
    "Terms",
    "format_message",
    "parse_message",
]
