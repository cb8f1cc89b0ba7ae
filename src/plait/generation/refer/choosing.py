"""Choosing attributes by search and memory: the incremental algorithm, full brevity, FBN and IS-FP.

Each takes a scene, what is known of its domain, and the speaker, and gives a mask over the attributes of the target.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from plait.generation.refer.memory import Comparison, Expression, Memory
from plait.generation.refer.options import FBN, FULL_BREVITY, INCREMENTAL, IS_FP, ReferOptions
from plait.generation.refer.scene import Masks, Scene, identifying, sizes_of
from plait.generation.refer.trials import HEAD

_NEAR = 1e-9  # sums that differ by less are ties
Chooser = Callable[[Scene, Memory, str, ReferOptions], int]


def incremental(scene: Scene, memory: Memory, speaker: str, options: ReferOptions) -> int:
    """Dale and Reiter (1995): attributes in the order of preference, each kept that rules something out; what sort of
    thing it is always added. The order is that of frequency, with the speaker or in the corpus.
    """
    own = memory.of_speaker(speaker) if options.order == "speaker" else {}
    keys = dict(zip(scene.names, memory.keys(scene), strict=True))
    order = sorted(
        scene.names, key=lambda name: (-own.get(keys[name], 0), -memory.frequency[keys[name]], name)
    )
    left, chosen, remaining = scene.left(), 0, len(scene.distractors)
    for name in order:
        if not remaining:
            break
        wider = chosen | scene.mask([name])
        if left[wider] < remaining:
            chosen, remaining = wider, int(left[wider])
    chosen |= scene.mask([HEAD])
    return chosen or scene.mask(order[:1])


def full_brevity(scene: Scene, memory: Memory, speaker: str, options: ReferOptions) -> int:  # noqa: ARG001
    """Dale (1989): the fewest attributes that do; of these the most frequent in the corpus."""
    return _most_frequent(scene, memory, _shortest(scene, identifying(scene)))


def fbn(scene: Scene, memory: Memory, speaker: str, options: ReferOptions) -> int:
    """Full brevity and the nearest neighbour (Bohnet 2007): of all sets that single out the target, one that is most
    similar to an expression of the speaker, drawn at random where there are several.
    """
    masks = _nearest(Comparison(scene, memory), identifying(scene), _neighbours(memory, speaker, other=False))
    # The same scene gives the same draw, whatever was asked before.
    things = [sorted(each.items()) for each in (scene.target, *scene.distractors)]
    told = repr((options.seed, speaker, things))
    return int(masks[int.from_bytes(sha256(told.encode()).digest()[:8]) % len(masks)])


def is_fp(scene: Scene, memory: Memory, speaker: str, options: ReferOptions) -> int:
    """Bohnet (2008): of all sets that single out the target those nearest to an expression of the speaker (or the most
    similar other one); of these the shortest; the most typical; those of the most frequent attributes.
    """
    comparison, near = Comparison(scene, memory), _neighbours(memory, speaker, other=options.other)
    masks = _shortest(scene, _nearest(comparison, identifying(scene), near))
    typical = sum(comparison.dice(masks, expression) for expression in near)
    return _most_frequent(scene, memory, _best(masks, np.asarray(typical)))


def _neighbours(memory: Memory, speaker: str, *, other: bool) -> list[Expression]:
    found = list(memory.expressions[speaker])
    second = memory.nearest(speaker) if other else None
    return found + (list(memory.expressions[second]) if second is not None else [])


def _nearest(comparison: Comparison, masks: Masks, near: list[Expression]) -> Masks:
    return _best(masks, np.max([comparison.dice(masks, expression) for expression in near], axis=0))


def _shortest(scene: Scene, masks: Masks) -> Masks:
    return _best(masks, -sizes_of(len(scene.names))[masks])


def _most_frequent(scene: Scene, memory: Memory, masks: Masks) -> int:
    frequency = [memory.frequency[key] for key in memory.keys(scene)]
    totals = sum(((masks >> place) & 1) * count for place, count in enumerate(frequency))
    return int(_best(masks, np.asarray(totals))[0])


def _best(masks: Masks, scores: NDArray[np.generic]) -> Masks:
    found: Masks = masks[scores >= scores.max() - _NEAR]
    return found


CHOOSERS: dict[str, Chooser] = {
    IS_FP: is_fp,
    FBN: fbn,
    FULL_BREVITY: full_brevity,
    INCREMENTAL: incremental,
}
