"""Speed of tablemen beside other libraries: `python -m benchmarks`. Never shipped."""
