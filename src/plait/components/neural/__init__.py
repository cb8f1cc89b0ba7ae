"""A neural net that reads words and writes tags, lemmas and trees.

`component`, `model`, `options`, `words`, `corpus`, `decoding` and `reference` need numpy only; what trains needs torch
(the extra `train`), imported by those modules alone: `recurrence`, `inputs`, `heads`, `net`, `encoder`, `training`,
`teach`, `export`.
"""

from plait.components.neural.component import Neural
from plait.components.neural.options import NeuralOptions

__all__ = ["Neural", "NeuralOptions"]
