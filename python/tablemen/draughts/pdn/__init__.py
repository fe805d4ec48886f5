"""Portable Draughts Notation (PDN): a reader and a writer for game files, without loss."""

from tablemen.draughts.pdn.game import Nag, PdnGame, PdnLine, PdnNode, Result
from tablemen.draughts.pdn.reader import PdnReader, parse_pdn, read_pdn
from tablemen.draughts.pdn.writer import format_pdn, write_pdn

__all__ = [
    "Nag",
    "PdnGame",
    "PdnLine",
    "PdnNode",
    "PdnReader",
    "Result",
    "format_pdn",
    "parse_pdn",
    "read_pdn",
    "write_pdn",
]
