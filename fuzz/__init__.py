"""Fuzzing: texts that nobody would write, thrown at everything that reads text. See `fuzz/__main__.py`."""
