"""The error of an adapter whose library is not installed."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "missing"),
    [
        ("pettingzoo", "pettingzoo"),
        ("pettingzoo", "gymnasium"),
        ("gymnasium", "gymnasium"),
        ("gymnasium", "numpy"),
        ("open_spiel", "pyspiel"),
    ],
)
def test_the_error_names_the_library_and_the_extra(module: str, missing: str) -> None:
    script = f"import sys; sys.modules[{missing!r}] = None; import tablemen.envs.{module}"
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert process.returncode == 1
    last = process.stderr.splitlines()[-1]
    assert last == f"ModuleNotFoundError: this module needs {missing}: pip install 'tablemen[rl]'"
