"""Alpha-beta search for every variant of every family, with analysis, pondering and levels of play."""

from tablemen.search.level import Level
from tablemen.search.limit import Clock, Limit
from tablemen.search.score import Score
from tablemen.search.searcher import Analysis, Info, Result, Searcher

__all__ = ["Analysis", "Clock", "Info", "Level", "Limit", "Result", "Score", "Searcher"]
