"""What a parser knows of its origin: which treebank, how large, and in which columns it says nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from plait.errors import InputError
from plait.sentence import Sentence, Treebank

# What can go wrong with a manifest that is JSON but no longer what was written.
DAMAGE = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, InputError)
_KINDS: dict[str, Callable[[Any], Any]] = {
    "treebank": str,
    "dev": str,
    "sentences": int,
    "words": int,
    "silent": list,
    "licence": str,
}


def describe(
    train: Sequence[Sentence], dev: Sequence[Sentence] | None, silent: Sequence[str]
) -> dict[str, Any]:
    return {
        "treebank": PurePath(path_of(train)).name,
        "dev": PurePath(path_of(dev)).name if dev is not None else "",
        "sentences": len(train),
        "words": sum(map(len, train)),
        "silent": list(silent),
    }


def restore(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The same from a manifest, which may be damaged: one of DAMAGE if it is."""
    return {name: kind(manifest[name]) for name, kind in _KINDS.items()}


def path_of(sentences: Sequence[Sentence] | None) -> str:
    return sentences.path if isinstance(sentences, Treebank) else ""
