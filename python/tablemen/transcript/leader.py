"""Takes standard input as the terminal of its session, and becomes the program: run as a script by `channel.Terminal`.

A process that loses its terminal is hung up by the system, even where whoever started it was killed. It is a script
since code of ours between a fork and the program could hang where there are threads.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import sys
import termios


def become(tell: int, command: list[str]) -> None:
    """Never comes back; where the command cannot be started, the number of the error goes to the file `tell`."""
    with contextlib.suppress(OSError):  # where it cannot be had, the program does without
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    # Python ignores the last two, and somebody may have ignored the first: no program expects that at its start.
    for number in (signal.SIGHUP, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    fcntl.fcntl(tell, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(tell, str(error.errno).encode())
        os._exit(127)


if __name__ == "__main__":
    become(int(sys.argv[1]), sys.argv[2:])
