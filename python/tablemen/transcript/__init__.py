"""Console programs and the sessions that specify them: what is written, what is typed, line by line."""

from tablemen.transcript.check import TranscriptIO, run_transcript
from tablemen.transcript.command import run_command
from tablemen.transcript.model import Line, Mark, Step, Transcript
from tablemen.transcript.report import Failure, Problem, Report
from tablemen.transcript.text import format_transcript, parse_transcript, read_transcript

__all__ = [
    "Failure",
    "Line",
    "Mark",
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
