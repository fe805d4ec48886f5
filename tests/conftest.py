"""Settings of all tests: the hypothesis profile, signal handlers, and temporary data folders."""

from __future__ import annotations

import os
import signal
import threading

import pytest
from hypothesis import settings

# Examples have no deadline, so that slow machines do not fail. If CI is set, hypothesis uses fixed seeds by itself.
settings.register_profile("tablemen", deadline=None, print_blob=True)
settings.load_profile("tablemen")

# A shell may start background jobs with signals ignored. Programs that tests start would inherit that, and never exit
# when a test sends them a signal.
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
def temporary_user_folders(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Use temporary folders instead of the user's cache and saved games, also in programs that tests start."""
    for name in ("CACHE", "DATA"):
        os.environ[f"TABLEMEN_{name}"] = str(tmp_path_factory.mktemp(name.lower()))
