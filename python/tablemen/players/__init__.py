"""Players choose the moves of a game. Each can be written as text, such as `searcher:depth=6`."""

from tablemen.players.basic import HumanPlayer, MinimaxPlayer, RandomPlayer, RobotPlayer
from tablemen.players.engine import DxpPlayer, HubPlayer, KgpPlayer
from tablemen.players.evaluators import EVALUATORS, Evaluator, find_evaluator
from tablemen.players.mcts import MctsPlayer, SearchTree
from tablemen.players.options import WrittenPlayer
from tablemen.players.player import RESIGN, Player
from tablemen.players.registry import PLAYERS, format_player, parse_player
from tablemen.players.searcher import SearcherPlayer

__all__ = [
    "EVALUATORS",
    "PLAYERS",
    "RESIGN",
    "DxpPlayer",
    "Evaluator",
    "HubPlayer",
    "HumanPlayer",
    "KgpPlayer",
    "MctsPlayer",
    "MinimaxPlayer",
    "Player",
    "RandomPlayer",
    "RobotPlayer",
    "SearchTree",
    "SearcherPlayer",
    "WrittenPlayer",
    "find_evaluator",
    "format_player",
    "parse_player",
]
