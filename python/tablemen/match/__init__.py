"""Matches: two players, many games, and what the results are worth."""

from tablemen.match.adjudication import DrawAdjudication, ResignAdjudication, parse_draw, parse_resign
from tablemen.match.match import Match
from tablemen.match.openings import Openings, parse_openings
from tablemen.match.referee import PlayedGame, play_game
from tablemen.match.round import Round
from tablemen.match.score import MatchScore
from tablemen.match.sprt import Sprt, Verdict, parse_sprt
from tablemen.match.tally import Tally

__all__ = [
    "DrawAdjudication",
    "Match",
    "MatchScore",
    "Openings",
    "PlayedGame",
    "ResignAdjudication",
    "Round",
    "Sprt",
    "Tally",
    "Verdict",
    "parse_draw",
    "parse_openings",
    "parse_resign",
    "parse_sprt",
    "play_game",
]
