"""A game at a table: who sits where, and what those who play can do. How it looks is for others to say."""

from tablemen.session.choice import Choice
from tablemen.session.keeper import SessionKeeper
from tablemen.session.session import Session
from tablemen.session.snapshot import Snapshot

__all__ = ["Choice", "Session", "SessionKeeper", "Snapshot"]
