"""Analysis of positions and games: scores, losses, marks and graphs."""

from tablemen.analysis.analyse import analyse_game, analyse_pdn, analyse_position
from tablemen.analysis.annotate import annotate_pdn, annotate_record
from tablemen.analysis.collection import analyse_games
from tablemen.analysis.graphs import draw_graph, draw_svg
from tablemen.analysis.result import (
    GameAnalysis,
    MoveAnalysis,
    PositionAnalysis,
    Summary,
    serialize_game_analysis,
    serialize_position_analysis,
)
from tablemen.analysis.win_probability import Mark

__all__ = [
    "GameAnalysis",
    "Mark",
    "MoveAnalysis",
    "PositionAnalysis",
    "Summary",
    "analyse_game",
    "analyse_games",
    "analyse_pdn",
    "analyse_position",
    "annotate_pdn",
    "annotate_record",
    "draw_graph",
    "draw_svg",
    "serialize_game_analysis",
    "serialize_position_analysis",
]
