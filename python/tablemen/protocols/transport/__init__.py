"""Transports of messages: a subprocess, TCP, a WebSocket, and standard input and output."""

from tablemen.protocols.transport.process import open_process, open_standard_streams
from tablemen.protocols.transport.stream import Framing, Transport
from tablemen.protocols.transport.tcp import Listener, connect, listen

__all__ = [
    "Framing",
    "Listener",
    "Transport",
    "connect",
    "listen",
    "open_process",
    "open_standard_streams",
]
