"""How products are computed: an environment variable may say it, for tests."""

from __future__ import annotations

import os

KERNEL = "PLAIT_KERNEL"  # vnni, avx2 or plain


def chosen_kernel() -> str:
    """Nothing for the fastest one that the machine has."""
    return os.environ.get(KERNEL, "")
