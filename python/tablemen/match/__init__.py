"""Matches: many games between two players, and their results."""

from tablemen.match.adjudication import DrawAdjudication, ResignAdjudication, parse_draw, parse_resign
from tablemen.match.match import Match
from tablemen.match.openings import Openings, parse_openings
from tablemen.match.referee import PlayedGame, play_game
from tablemen.match.results import MatchGame, MatchResults, MatchScore, Verdict
from tablemen.match.sprt import Sprt, parse_sprt

__all__ = [
    "DrawAdjudication",
    "Match",
    "MatchGame",
    "MatchResults",
    "MatchScore",
    "Openings",
    "PlayedGame",
    "ResignAdjudication",
    "Sprt",
    "Verdict",
    "parse_draw",
    "parse_openings",
    "parse_resign",
    "parse_sprt",
    "play_game",
]
