"""Our chain and CRFsuite on the same features: python benchmarks/chain.py neg-train.tsv neg-dev.tsv

Columns of chains, as `plait mention --task neg` reads them, with the features of its list. Both learn with the same
penalty, the weights of labels that a feature occurs with, and all pairs of labels; needs python-crfsuite.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pycrfsuite

from plait.formats.mention_columns import FEATURES, ChainRow, read_chains
from plait.generation.mentions.chaining import find_templates
from plait.generation.mentions.entities import DERIVED, columns_of
from plait.learning.chain import Chain

L2 = 4.0
Labeller = Callable[[list[list[str]]], list[str]]


def ours(sequences: list[list[list[str]]], labels: list[list[str]]) -> tuple[Labeller, int, int]:
    chain = Chain.fit(sequences, labels, l2=L2)
    assert chain.report_ is not None
    size = sum(array.nbytes for array in chain.pack().values())
    return chain.label, chain.report_.iterations, size


def crfsuite(sequences: list[list[list[str]]], labels: list[list[str]]) -> tuple[Labeller, int, int]:
    trainer = pycrfsuite.Trainer(verbose=False)
    for sequence, right in zip(sequences, labels, strict=True):
        trainer.append(sequence, right)
    # Its penalty is c2 times the squares; ours is half of l2.
    trainer.set_params({"c1": 0, "c2": L2 / 2, "feature.possible_transitions": True, "max_iterations": 500})
    with TemporaryDirectory() as folder:
        path = Path(folder, "model")
        trainer.train(str(path))
        tagger = pycrfsuite.Tagger()
        tagger.open_inmemory(path.read_bytes())
        return tagger.tag, trainer.logparser.last_iteration["num"], path.stat().st_size


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    train, dev = map(read_chains, sys.argv[1:])
    templates = find_templates("neg", (*FEATURES, *DERIVED))
    sequences = [templates.features(columns_of(chain)) for chain in train]
    unseen = [templates.features(columns_of(chain)) for chain in dev]
    labels = [[row.label for row in chain] for chain in train]
    gold: list[ChainRow] = [row for chain in dev for row in chain]
    print("| | label accuracy | learning, s | iterations | s an iteration | references/s | size |")
    print("|---" * 7 + "|")
    for name, learn in (("plait", ours), ("CRFsuite", crfsuite)):
        start = time.process_time()
        label, iterations, size = learn(sequences, labels)
        learned = time.process_time() - start
        start = time.process_time()
        found = [each for sequence in unseen for each in label(sequence)]
        spent = time.process_time() - start
        right = sum(each == row.label for each, row in zip(found, gold, strict=True))
        print(
            f"| {name} | {right / len(gold):.4f} | {learned:.1f} | {iterations} | {learned / iterations:.3f} "
            f"| {len(gold) / spent:,.0f} | {size / 1e6:.1f} MB |"
        )


if __name__ == "__main__":
    main()
