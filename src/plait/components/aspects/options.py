"""How aspects are found: names, defaults, checks."""

from __future__ import annotations

from dataclasses import dataclass

from plait.learning.options import LearningOptions

RECIPES = ("learned", "paper", "baseline")


@dataclass(frozen=True, slots=True, kw_only=True)
class AspectOptions(LearningOptions):
    """The recipe: `learned` (a chain for terms, classifiers for the rest), `paper` (Pekar, Afzal and Bohnet 2014) or
    `baseline` (that of SemEval-2014). `lexicons` is a folder with WordNet, SentiWordNet and the like, read when it
    learns; without one there are the opinion words that come with plait. Without `trees` no feature looks at one.
    `penalty` of the chain and `cost` of the classifiers: how much rare features may say.
    """

    epochs: int = 1
    recipe: str = "learned"
    lexicons: str = ""
    trees: bool = True
    penalty: float = 1.0
    cost: float = 0.05

    def __post_init__(self) -> None:
        LearningOptions.__post_init__(self)
        self._choose("recipe", RECIPES)
        self._range("penalty", 1e-6, 1e6)
        self._range("cost", 1e-6, 1e6)
