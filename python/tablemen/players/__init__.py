"""Players choose the moves of a game. Each can be written as text, such as `searcher:depth=6`."""

from tablemen.players.basic import HumanPlayer, MinimaxPlayer, RandomPlayer, RobotPlayer
from tablemen.players.dxp import DxpPlayer
from tablemen.players.hub import HubPlayer
from tablemen.players.kgp import KgpPlayer
from tablemen.players.options import WrittenPlayer
from tablemen.players.player import RESIGN, Player
from tablemen.players.registry import PLAYERS, format_player, parse_player
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
