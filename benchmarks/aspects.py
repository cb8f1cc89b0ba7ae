"""Aspects by cross-validation: python benchmarks/aspects.py restaurants-train.xml [laptops-train.xml ...]

Folds are fixed by the seed and the order of the file; no sentence is judged by a model that has seen it. With
--parsers, models whose trees are compared; `none`: no features from trees.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import plait
from plait import Pipeline
from plait.components.aspects import AspectFinder
from plait.evaluation.aspects import score_aspects
from plait.formats.semeval import Review, read_reviews
from plait.learning.request import Request
from plait.pipeline.reviews import find_aspects, lessons_of

_SHOWN = (
    "terms_precision",
    "terms_recall",
    "terms_f1",
    "categories_f1",
    "term_polarity",
    "category_polarity",
)


def cross_validate(
    reviews: list[Review], base: Pipeline, options: dict[str, object], folds: int, seed: int
) -> dict[str, float]:
    places = np.random.default_rng(seed).permutation(len(reviews)) % folds
    found: dict[bool, list[Review]] = {False: [], True: []}
    below = {name: each for name, each in base.components.items() if name != "roles"}
    for fold in range(folds):
        held = [review for review, place in zip(reviews, places, strict=True) if place == fold]
        others = [review for review, place in zip(reviews, places, strict=True) if place != fold]
        finder = AspectFinder(**options).fit(lessons_of(base, others))
        pipeline = Pipeline({**below, "aspects": finder})
        for keep, told in found.items():
            told += [review for review, _ in find_aspects(pipeline, held, Request(keep_aspects=keep))]
    free, given = (score_aspects(reviews, found[keep]).as_dict() for keep in (False, True))
    return free | {name: given[name] for name in ("term_polarity", "category_polarity")}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+")
    parser.add_argument("--recipes", default="baseline,paper,learned")
    parser.add_argument("--parsers", default="en")
    parser.add_argument("--lexicons", default="")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    asked = parser.parse_args()
    print("file", "recipe", "parser", *_SHOWN, "seconds", sep="\t")
    for file in asked.files:
        reviews = read_reviews(file)
        for recipe in asked.recipes.split(","):
            for name in asked.parsers.split(","):
                base = plait.load("en" if name == "none" else name)
                settings = dict(AspectFinder.Options.parse_setting(each) for each in asked.set)
                options = {"recipe": recipe, "lexicons": asked.lexicons, "trees": name != "none", **settings}
                start = time.process_time()
                scores = cross_validate(reviews, base, options, asked.folds, asked.seed)
                shown = [f"{scores[each]:.2f}" for each in _SHOWN]
                seconds = f"{time.process_time() - start:.0f}"
                print(Path(file).stem, recipe, name, *shown, seconds, sep="\t", flush=True)


if __name__ == "__main__":
    main()
