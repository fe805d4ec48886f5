"""What positions and games are worth, move by move: scores, losses, marks and graphs. Nothing is printed here."""

from tablemen.analysis.annotate import annotate_pdn, annotate_record
from tablemen.analysis.chances import Mark
from tablemen.analysis.facts import game_facts, position_facts
from tablemen.analysis.game import analyse_game, analyse_pdn
from tablemen.analysis.graph import draw_graph
from tablemen.analysis.model import GameAnalysis, MoveAnalysis, PositionAnalysis, Summary
from tablemen.analysis.position import analyse_position
from tablemen.analysis.svg import draw_svg

__all__ = [
    "GameAnalysis",
    "Mark",
    "MoveAnalysis",
    "PositionAnalysis",
    "Summary",
    "analyse_game",
    "analyse_pdn",
    "analyse_position",
    "annotate_pdn",
    "annotate_record",
    "draw_graph",
    "draw_svg",
    "game_facts",
    "position_facts",
]
