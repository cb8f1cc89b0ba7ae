"""How a parser is built and trained: names, defaults, checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from plait.components.transition import completion
from plait.errors import InputError
from plait.features.morphology import split_names
from plait.learning.attachment import METRICS
from plait.learning.options import LearningOptions
from plait.learning.weights import PRECISIONS
from plait.transitions.table import CLOSING, NON_PROJECTIVE, SYSTEM_FACTS
from plait.trees.lifting import ENCODINGS

LEARNERS = ("passive-aggressive", "perceptron")
UPDATES = ("max-violation", "early")
ARCS, HALVES = "arcs", "halves"
SMALL = "small"  # the features of a system that has a shorter list, elsewhere the usual ones


@dataclass(frozen=True, slots=True, kw_only=True)
class TransitionOptions(LearningOptions):
    """With `completion`, parts of the tree are scored too, by the names of the module `completion`; `parts` are lists
    of templates for them, where others than plait's are wanted (see `plait.features.parts`). The weights are
    the mean of as many as `mix` says, each learned from the sentences in another order. A `guided` parser also looks
    at the tree of another one (see `plait.components.stack`).

    An empty `oracle` means the best one for the search: `nd-all` (in the arc-eager system `dynamic`, in `spine`
    `static`) for greedy parsing, `lazy` (`static`, in the spine systems `nd-all`) for the beam. Empty `features` mean
    the list of the system, `small` a shorter one where it has one. A `step` of 0 means the learner's own. With
    `filter_labels`, an arc has only labels that were seen between words with such UPOS. The `metric` says which epoch
    is the best on a dev set: LAS as in CoNLL 2018, `las_full`, which wants whole labels, or another of
    `plait.learning.attachment`.

    With a beam, a derivation must lose by `margin` for every arc that is wrong in it, or something is learned from it.
    After every `renew` passes of a beam the weights shrink, so that there is something to learn again (see
    `TreeLearner`); 0 means never.
    By the `loss`, such an arc counts 1 (`arcs`), or a wrong head counts one half and a wrong label the other (`halves`,
    as in Bohnet and Kuhn 2012); it is what the passive-aggressive learner makes up for.

    A `joint` parser chooses tags too, among at most `tags_per_word` for a word, each of which scores at most
    `tag_margin` less than the best (Bohnet and Nivre 2012), and features, among at most `feats_per_word` for each tag,
    which score at most `feats_margin` less than the best of the tag (Bohnet et al. 2013). Its beam has room for
    `tag_beam` hypotheses more, which may differ from others in tags only, and for `feats_beam` that differ in features
    only. A candidate loses `tag_weight` times what it scores less in the tagger. With `feats_per_word` 0, features are
    part of the tag, and its margin is one of probabilities.

    Of the features of words only those in `keep_feats` are seen, if it names any, such as `Case,Number`; with a
    `lexicon` (a file, or `treebank`), words that bear case have the readings that it knows (Seeker et al. 2010).
    """

    older: ClassVar[Mapping[str, Any]] = {"feats_per_word": 0, "tag_weight": 0.0, "renew": 0}

    system: str = "swap"
    oracle: str = ""
    beam: int = 8
    epochs: int = 15
    patience: int = 4
    metric: str = "las"
    seed: int = 1
    features: str = ""
    bits: int = 24
    precision: str = "int8"
    hash_seed: int = 1
    learner: str = "passive-aggressive"
    step: float = 0.0
    explore: float = 0.9
    update: str = "max-violation"
    margin: float = 0.0
    renew: int = 5
    loss: str = ARCS
    projectivize: str = ""
    single_root: str = "auto"
    filter_labels: bool = False
    joint: bool = False
    tags_per_word: int = 3
    tag_margin: float = 0.4
    tag_beam: int = 4
    feats_per_word: int = 2
    feats_margin: float = 0.4
    feats_beam: int = 4
    tag_weight: float = 2.0
    completion: str = ""
    parts: str = ""
    mix: int = 1
    guided: bool = False
    keep_feats: str = ""
    lexicon: str = ""

    def __post_init__(self) -> None:
        LearningOptions.__post_init__(self)
        self._choose("system", SYSTEM_FACTS)
        known = SYSTEM_FACTS[self.system].oracles
        if self.oracle and self.oracle not in known:
            raise InputError(
                f"No oracle {self.oracle!r} for system {self.system!r}. Available: {', '.join(known)}."
            )
        self._choose("learner", LEARNERS)
        self._choose("update", UPDATES)
        self._choose("loss", (ARCS, HALVES))
        self._choose("precision", PRECISIONS)
        self._choose("metric", METRICS)
        self._choose("single_root", ("auto", "yes", "no"))
        self._choose("projectivize", ("", *ENCODINGS))
        if self.projectivize and self.system in NON_PROJECTIVE:
            raise InputError(
                f"The system {self.system!r} builds crossing arcs itself; projectivize goes with the others."
            )
        if self.joint and self.system not in CLOSING:
            raise InputError(
                f"Tags are chosen in the systems {' and '.join(CLOSING)}, not in {self.system!r}."
            )
        if self.joint and self.beam == 1:
            raise InputError("A joint parser learns with a beam: beam must be greater than 1.")
        if self.joint and self.guided:
            raise InputError("A guided parser does not choose tags: its guide has seen others.")
        self._range("tags_per_word", 1, 100)
        self._range("tag_margin", 0, 100)
        self._range("tag_beam", 0, 4096)
        self._range("feats_per_word", 0, 100)
        self._range("feats_margin", 0, 100)
        self._range("feats_beam", 0, 4096)
        self._range("tag_weight", 0, 100)
        completion.check(self.completion, self.parts)
        if self.completion and self.system not in CLOSING:
            raise InputError(
                f"In the system {self.system!r} a word can get children after its head, so completion does not go "
                f"with it, only with {' and '.join(CLOSING)}."
            )
        if self.completion and self.beam == 1:
            raise InputError("completion needs a beam: what it tells comes late, for a choice between trees.")
        self._range("beam", 1, 4096)
        self._range("mix", 1, 64)
        self._range("bits", 10, 30)
        self._range("explore", 0, 1)
        self._range("step", 0, 1000)
        self._range("margin", 0, 1000)
        self._range("renew", 0, 1000)
        self._range("hash_seed", 0, 2**31 - 1)
        split_names(self.keep_feats, "keep_feats")

    @property
    def chosen_oracle(self) -> str:
        facts = SYSTEM_FACTS[self.system]
        return self.oracle or (facts.greedy if self.beam == 1 else facts.beam)

    @property
    def tag_beams(self) -> tuple[int, int]:
        """Room in the beam for tags and for features."""
        return (self.tag_beam, self.feats_beam if self.feats_per_word else 0) if self.joint else (0, 0)

    @property
    def chosen_features(self) -> str:
        facts = SYSTEM_FACTS[self.system]
        return (facts.small if self.features == SMALL else self.features) or facts.features

    @property
    def chosen_step(self) -> float:
        """The longest step of the passive-aggressive learner, as found on the English dev set; with a beam, whose
        steps are short by themselves, hardly a limit.
        """
        return self.step or (0.01 if self.beam == 1 else 0.05)
