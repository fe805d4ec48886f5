"""The former place of programs that meet us at an address."""

from __future__ import annotations

from tablemen.protocols.transport.process import StartedProgram, is_command
from tablemen.protocols.transport.process import check_endpoint as check_place

__all__ = ["StartedProgram", "check_place", "is_command"]
