"""Choosing moves: a search for every variant of every family, and levels of play for people."""

from tablemen.search.level import Level
from tablemen.search.limit import Clock, Limit
from tablemen.search.score import Score
from tablemen.search.searcher import Analysis, Info, Result, Searcher

__all__ = ["Analysis", "Clock", "Info", "Level", "Limit", "Result", "Score", "Searcher"]
