"""A server of the Kalah Game Protocol: who comes, who plays whom, and what came of it."""

from tablemen.protocols.kgp.server.server import Server, Settings

__all__ = ["Server", "Settings"]
