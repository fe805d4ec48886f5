"""Transcripts of console sessions, and functions that run programs against them."""

from tablemen.transcript.matcher import Failure, Problem, Report
from tablemen.transcript.model import (
    Line,
    LineKind,
    Step,
    Transcript,
    format_transcript,
    parse_transcript,
    read_transcript,
)
from tablemen.transcript.run import TranscriptIO, run_command, run_transcript

__all__ = [
    "Failure",
    "Line",
    "LineKind",
    "Problem",
    "Report",
    "Step",
    "Transcript",
    "TranscriptIO",
    "format_transcript",
    "parse_transcript",
    "read_transcript",
    "run_command",
    "run_transcript",
]
