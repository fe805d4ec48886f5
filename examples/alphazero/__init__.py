"""Learn Kalah by self-play and tree search, as AlphaZero does. README.md in this folder explains it."""

import importlib.util
import os

from tablemen.errors import TablemenError

# The networks are small: one core for each process is faster than several. NumPy reads this when it is imported.
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

if importlib.util.find_spec("numpy") is None:
    raise TablemenError("this example needs NumPy, which is not installed: pip install numpy")
