"""Make standard input the controlling terminal of the session, then execute a command. `process` runs it as a script.

The kernel sends SIGHUP to a process that loses its controlling terminal, even if the parent was killed. This is a
script because Python code between fork and exec can deadlock in a process with threads.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import sys
import termios


def launch(error_pipe: int, command: list[str]) -> None:
    """Execute the command; if that fails, write the error number to the pipe and exit."""
    with contextlib.suppress(OSError):  # a controlling terminal is not essential
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    # Python ignores SIGPIPE and SIGXFSZ, and nohup SIGHUP; programs expect the default actions.
    for number in (signal.SIGHUP, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    fcntl.fcntl(error_pipe, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(error_pipe, str(error.errno).encode())
        os._exit(127)


if __name__ == "__main__":
    launch(int(sys.argv[1]), sys.argv[2:])
