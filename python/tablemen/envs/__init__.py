"""Environments for reinforcement learning: thousands of games stepped at once, in the core.

>>> from tablemen.envs import BatchEnv
>>> env = BatchEnv("english", games=4, seed=1)
>>> batch = env.reset()
>>> batch.observation.shape, batch.mask.shape
((4, 4, 8, 8), (4, 128))
>>> batch = env.step(env.sample_actions())
>>> batch.turn.tolist()
[0, 0, 0, 0]

NumPy is needed: `pip install 'tablemen[arrays]'`.
"""

from tablemen.envs.batch import Batch, BatchEnv, States

__all__ = ["Batch", "BatchEnv", "States"]
