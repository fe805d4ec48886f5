"""The pytest plug-in: every `*.transcript` file is a test of the program that it names."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tablemen.errors import ArgumentError, TablemenError
from tablemen.transcript.matcher import Report
from tablemen.transcript.model import read_transcript
from tablemen.transcript.run import DEFAULT_TIMEOUT, check_timeout, run_command

SUFFIX = ".transcript"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the settings of the plug-in."""
    about = "the command for *.transcript files without a comment '# command: ...'"
    parser.addini("transcript_command", about, type="args", default=[])
    about = "seconds that a program of a *.transcript file may be silent while output is expected"
    parser.addini("transcript_timeout", about, default=str(DEFAULT_TIMEOUT))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Return the collector of a transcript file."""
    return TranscriptFile.from_parent(parent, path=file_path) if file_path.suffix == SUFFIX else None


class TranscriptFile(pytest.File):
    """The collector of a transcript file, which is one test."""

    def collect(self) -> Iterable[pytest.Item]:
        """Return the test."""
        yield TranscriptItem.from_parent(self, name=self.path.stem)


class TranscriptError(AssertionError):
    """A program has deviated from its transcript."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report


class TranscriptItem(pytest.Item):
    """The test of a program against a transcript file."""

    def runtest(self) -> None:
        """Run the program in pytest's root folder."""
        transcript = read_transcript(self.path)
        command: Sequence[str] = transcript.command or self.config.getini("transcript_command")
        if not command:
            problem = "no command; add a comment '# command: ...' to the file, or set transcript_command in pytest"
            raise TablemenError(problem)
        report = run_command(transcript, command, timeout=self._timeout(), folder=self.config.rootpath)
        if not report.passed:
            raise TranscriptError(report)

    def _timeout(self) -> float:
        setting = self.config.getini("transcript_timeout")
        try:
            number = float(setting)
        except ValueError:
            number = math.nan
        try:
            return check_timeout(number)
        except ArgumentError as error:
            raise ArgumentError("transcript_timeout", setting, error.expected) from None

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the report instead of a traceback."""
        if isinstance(excinfo.value, TranscriptError):
            return str(excinfo.value.report)
        if isinstance(excinfo.value, TablemenError):
            return f"{self.path}: {excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[os.PathLike[str], int | None, str]:
        """Return the location and the title of the test."""
        return self.path, 0, f"transcript {self.name}"
