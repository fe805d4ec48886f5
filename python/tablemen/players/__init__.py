"""Players: who chooses the moves. Every one of them can be written as text, `searcher:depth=6`."""

from tablemen.players.dxp import DxpPlayer
from tablemen.players.hub import HubPlayer
from tablemen.players.human import HumanPlayer
from tablemen.players.kgp import KgpPlayer
from tablemen.players.minimax import MinimaxPlayer
from tablemen.players.options import WrittenPlayer
from tablemen.players.player import RESIGN, Player
from tablemen.players.random import RandomPlayer
from tablemen.players.registry import PLAYERS, format_player, parse_player
from tablemen.players.robot import RobotPlayer
from tablemen.players.searcher import SearcherPlayer

__all__ = [
    "PLAYERS",
    "RESIGN",
    "DxpPlayer",
    "HubPlayer",
    "HumanPlayer",
    "KgpPlayer",
    "MinimaxPlayer",
    "Player",
    "RandomPlayer",
    "RobotPlayer",
    "SearcherPlayer",
    "WrittenPlayer",
    "format_player",
    "parse_player",
]
