"""The Kalah Game Protocol (KGP): a server requests moves from clients.

`KgpClient` is our client, `KgpServer` is our server with many clients, and `KgpEngine` uses a single client as an
engine.
"""

from tablemen.protocols.kgp.client import KgpClient
from tablemen.protocols.kgp.engine import AsyncKgpEngine, KgpEngine, KgpTimeouts
from tablemen.protocols.kgp.messages import KgpBoard, KgpMessage, Word, format_message, parse_message
from tablemen.protocols.kgp.protocol import KgpClientProtocol, KgpServerProtocol
from tablemen.protocols.kgp.server import KgpServer, KgpServerSettings

__all__ = [
    "AsyncKgpEngine",
    "KgpBoard",
    "KgpClient",
    "KgpClientProtocol",
    "KgpEngine",
    "KgpMessage",
    "KgpServer",
    "KgpServerProtocol",
    "KgpServerSettings",
    "KgpTimeouts",
    "Word",
    "format_message",
    "parse_message",
]
