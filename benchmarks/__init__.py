"""Benchmarks of tablemen and other libraries: `python -m benchmarks`. Not part of the distribution."""
