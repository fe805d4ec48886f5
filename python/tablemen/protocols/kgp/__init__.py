"""The Kalah Game Protocol (KGP): a server asks programs for moves.

`Agent` is a client of a server, `Server` a server of clients, and `KgpEngine` a single client that is asked for moves.
"""

from tablemen.protocols.kgp.asynchronous import KgpHost
from tablemen.protocols.kgp.board import Board
from tablemen.protocols.kgp.client_conversation import ClientConversation
from tablemen.protocols.kgp.engine import KgpEngine
from tablemen.protocols.kgp.host_conversation import HostConversation
from tablemen.protocols.kgp.message import Message, Word, format_message, parse_message
from tablemen.protocols.kgp.program import Agent
from tablemen.protocols.kgp.server import Server, Settings

__all__ = [
    "Agent",
    "Board",
    "ClientConversation",
    "HostConversation",
    "KgpEngine",
    "KgpHost",
    "Message",
    "Server",
    "Settings",
    "Word",
    "format_message",
    "parse_message",
]
