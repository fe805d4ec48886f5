"""The Kalah Game Protocol (KGP): a server asks clients for moves.

`KgpClient` is a client of a server, `KgpServer` a server with many clients, and `KgpEngine` one client that is asked
for moves.
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
