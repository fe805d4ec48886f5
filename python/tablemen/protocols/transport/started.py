"""The former place of programs that meet us at an address."""

from __future__ import annotations

from tablemen.protocols.transport.process import StartedProgram
from tablemen.protocols.transport.process import check_endpoint as check_place
from tablemen.protocols.transport.process import is_command

__all__ = ["StartedProgram", "check_place", "is_command"]
