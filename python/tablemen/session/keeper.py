"""What a session asks of whoever keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tablemen.session.session import Session


class SessionKeeper(Protocol):
    """Whoever keeps a session, so that it can be taken up again. `tablemen.saved` has one that does it in files."""

    problem: str | None  # why the session is not kept as it is now

    @property
    def is_kept(self) -> bool:
        """Whether there is something to go on from."""
        ...

    def write(self, session: Session) -> None:
        """Keep the session as it is now; never raises because that cannot be done."""
        ...

    def renew(self, session: Session) -> SessionKeeper:
        """The game of the session is left as it is now; gives what keeps another one."""
        ...

    def close(self) -> None:
        """The game is left as it was last written."""
        ...
