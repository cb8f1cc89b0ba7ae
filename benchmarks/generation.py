"""What is lost on the way from meaning to text, and a realizer of deep trees for a treebank that has none.

    python benchmarks/generation.py stages MODEL FILE          BLEU from graphs, with every stage replaced by gold
    python benchmarks/generation.py deep PAIRS TREEBANK MODEL  learns from PAIRS (files *-train.{ud,t1}.conllu beside
                                                               *-train.t2.conllu) and from the trees of TREEBANK

FILE has trees with predicates. With `deep`, a component learns the deep trees of PAIRS and makes those of TREEBANK; a
realizer then learns from both. XPOS, which differs from treebank to treebank, is not looked at. Needs plait[text].
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import chain, combinations
from pathlib import Path

import plait
from plait import Pipeline, Realizer, Recipe, Sentence, Treebank
from plait.cli.common import Sentences
from plait.cli.lessons import read_both
from plait.components.deep import Deep
from plait.components.function_words import FunctionWords
from plait.evaluation.texts import evaluate_texts
from plait.generation.stages import STAGES
from plait.layers import DeepTree

PAIRS_EPOCHS, ORDER = 6, {"order": {"epochs": 5}, "model": {"folds": 3}}


def stages(model: str, file: str) -> None:
    realizer = Realizer.load(model)
    gold = list(plait.stream(Path(file)))
    texts = [sentence.text for sentence in gold]
    print(f"{'gold':<18} {'BLEU':>6} {'lower-cased':>12}")
    for kept in chain.from_iterable(combinations(STAGES, count) for count in range(3)):
        found = [sentence.text for sentence in realizer.realize(gold, start="graph", gold=kept)]
        scores = [evaluate_texts(texts, found, lowercase=lower).bleu for lower in (False, True)]
        print(f"{', '.join(kept) or '–':<18} {scores[0]:>6.1f} {scores[1]:>12.1f}", flush=True)


def deep(pairs: str, treebank: str, output: str) -> None:
    known = list(without_xpos(read_both(pairs, None, Sentences())[0]))
    trees = list(without_xpos(read_both(treebank, None, Sentences())[0]))
    maker = Deep(epochs=PAIRS_EPOCHS, rules="ud", grammemes="learned").fit(known)
    made = [sentence for sentence in maker.apply(trees) if sentence.find(DeepTree)]
    words = FunctionWords(epochs=5).fit([*known, *made])
    recipe = Recipe().only("lifter", "order", "inflector").updated(ORDER)
    rest = plait.train(Treebank([*trees, *known], path=treebank), recipe=recipe, threads=2)
    Pipeline({"function_words": words, **rest.components}).save(output)


def without_xpos(sentences: Iterable[Sentence]) -> Iterable[Sentence]:
    for sentence in sentences:
        sentence.xpos = ["_"] * len(sentence)
        yield sentence


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "stages":
        stages(*sys.argv[2:])
    elif len(sys.argv) == 5 and sys.argv[1] == "deep":
        deep(*sys.argv[2:])
    else:
        sys.exit(__doc__)
