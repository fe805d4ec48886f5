"""Evaluation weights: default weights for any rules, and files of tuned weights."""

from tablemen.draughts.weights.files import format_weights, parse_weights, read_weights, write_weights
from tablemen.draughts.weights.model import FEATURES, Pair, Pattern, Weights, default_weights, material_weights

__all__ = [
    "FEATURES",
    "Pair",
    "Pattern",
    "Weights",
    "default_weights",
    "format_weights",
    "material_weights",
    "parse_weights",
    "read_weights",
    "write_weights",
]
