"""The server: games and analysis in the browser, and the same over HTTP for scripts.

It needs the extra `web`: `pip install 'tablemen[web]'`.
"""

from tablemen.web.app import create_app
from tablemen.web.settings import Settings

__all__ = ["Settings", "create_app"]
