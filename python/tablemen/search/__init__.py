"""Alpha-beta search for every variant of every family, with analysis, pondering and levels of play."""

from tablemen.search.limits import Clock, Level, Limit
from tablemen.search.searcher import Analysis, Info, Score, Searcher, SearchResult

__all__ = ["Analysis", "Clock", "Info", "Level", "Limit", "Score", "SearchResult", "Searcher"]
