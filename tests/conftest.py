"""What every test shares: how hypothesis searches, signals that arrive, and folders of their own."""

from __future__ import annotations

import os
import signal
import threading

import pytest
from hypothesis import settings

# A slow machine is not a wrong rule: examples have no deadline. Where CI is set, hypothesis derandomises by itself.
settings.register_profile("tablemen", deadline=None, print_blob=True)
settings.load_profile("tablemen")

# Whoever runs the tests in the background may have Ctrl-C ignored. Programs that tests start would inherit that, and
# wait for ever for the signal that should end them.
if threading.current_thread() is threading.main_thread():
    for name, handler in (
        ("SIGINT", signal.default_int_handler),
        ("SIGTERM", signal.SIG_DFL),
        ("SIGHUP", signal.SIG_DFL),
    ):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


@pytest.fixture(scope="session", autouse=True)
def folders_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tables and games that tests keep, and those that programs keep for them, are not the user's."""
    for name in ("CACHE", "DATA"):
        os.environ[f"TABLEMEN_{name}"] = str(tmp_path_factory.mktemp(name.lower()))
