"""The server: games and analysis in the browser, and the same over HTTP for scripts."""
