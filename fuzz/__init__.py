"""Fuzz targets for everything that parses text; see `fuzz/__main__.py`."""
