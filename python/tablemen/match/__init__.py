"""Matches: two players, many games, and what the results are worth."""

from tablemen.match.match import Match, Round
from tablemen.match.openings import Openings, parse_openings
from tablemen.match.referee import PlayedGame, play_game
from tablemen.match.score import MatchScore

__all__ = ["Match", "MatchScore", "Openings", "PlayedGame", "Round", "parse_openings", "play_game"]
