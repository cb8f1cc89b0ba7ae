"""The logger `plait`: silent until somebody listens, with `logging.basicConfig(level="INFO")` for example."""

from __future__ import annotations

import logging

logger = logging.getLogger("plait")
logger.addHandler(logging.NullHandler())  # or Python would print warnings that nobody asked for
