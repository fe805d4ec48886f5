"""What every test shares: how hypothesis searches, and signals that arrive."""

from __future__ import annotations

import signal
import threading

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
