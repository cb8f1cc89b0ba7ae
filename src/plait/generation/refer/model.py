"""A model that refers: attributes and words of all speakers it has heard, kept in one folder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import exp
from pathlib import Path

import numpy as np

from plait import checks
from plait.catalogue import locate
from plait.errors import InputError
from plait.evaluation.phrases import edit_distance, plain_words
from plait.generation.refer.card import write_card
from plait.generation.refer.loglinear import LogLinear
from plait.generation.refer.memory import Expression, Memory
from plait.generation.refer.neighbours import Context, Neighbours
from plait.generation.refer.options import CENTRAL, LOG_LINEAR, ReferOptions
from plait.generation.refer.scene import Scene
from plait.generation.refer.selector import AttributeSelector
from plait.generation.refer.speech import Said, Speaker, SpeakerModel, said_of
from plait.generation.refer.trials import Span, Trial
from plait.learning import store
from plait.learning.options import read_toml
from plait.learning.store import Content
from plait.learning.tensors import Tensors
from plait.pipeline import Pipeline
from plait.sentence import Sentence

KIND = "refer"
_SpanRow = tuple[int, int, checks.Cell, str]
_SaidRow = tuple[
    checks.Cell, checks.Cell, list[checks.Cell], list[int], list[_SpanRow]
]  # domain, speaker, words, heads
# Domain, speaker, keys, and of the scene: attribute, value of the target, share of distractors without it.
_HeardRow = tuple[checks.Cell, checks.Cell, list[checks.Cell], list[tuple[checks.Cell, str, float]]]
_TOKENS = 200  # in a phrase: what is longer is none


@dataclass(frozen=True, slots=True)
class Reference:
    """What is said of a target: attributes, words, and as whom."""

    attributes: dict[str, str]
    phrase: str
    speaker: str
    unique: bool


@dataclass(frozen=True, slots=True)
class Origin:
    """What a model learned from."""

    corpus: str = ""
    trials: int = 0
    speakers: int = 0
    licence: str = ""
    parser: str = ""


@dataclass(frozen=True, slots=True)
class _State:
    truths: dict[str, list[checks.Cell]]
    expressions: list[tuple[checks.Cell, checks.Cell, list[checks.Cell]]]  # domain, speaker, keys
    said: list[_SaidRow]
    features: list[str]
    heard: list[_HeardRow]


class Referrer:
    """Chooses attributes and says them (IS-FP-GT). `selector` and `speech` are its two halves."""

    def __init__(self, selector: AttributeSelector, speech: SpeakerModel, origin: Origin) -> None:
        self.selector = selector
        self.speech = speech
        self.origin = origin
        self.scores: dict[str, dict[str, float]] = {}

    @classmethod
    def fit(
        cls,
        trials: Sequence[Trial],
        options: ReferOptions | None = None,
        *,
        parser: Pipeline | None = None,
        words: bool = True,
        origin: Origin | None = None,
    ) -> Referrer:
        """Learn from trials; attributes only, or `words` too. Phrases whose trees are not given are parsed; without a
        `parser` they are left out.
        """
        selector = AttributeSelector.fit(trials, options)
        speech = SpeakerModel(said_of(with_trees(trials, parser)) if words else [])
        told = origin or Origin()
        return cls(selector, speech, replace(told, trials=len(trials), speakers=len(selector.speakers)))

    @property
    def options(self) -> ReferOptions:
        return self.selector.options

    @property
    def speakers(self) -> list[str]:
        return self.selector.speakers

    def speaker(self, name: str | None = None, domain: str = "") -> Speaker:
        """Somebody who was heard; if nobody, or somebody unknown, is named, whom the option `stranger` says."""
        if name is None or name not in self.speakers:
            name = self.selector.central_speaker(domain) if self.options.stranger == CENTRAL else ""
        return self.speech.speaker(name)

    def refer(self, scene: Scene, speaker: str | None = None) -> Reference:
        """Attributes and words, chosen together: of the phrases for the likeliest sets the one with the fewest words to
        be expected wrong.
        """
        domain = self.selector.domain(scene)
        voice = self.speaker(speaker, domain)
        if not self.speech.domains:
            attributes, phrase = self.selector.select(scene, speaker), ""
        else:
            sets = self.selector.likeliest(scene, speaker)
            said = [voice.utter(attributes, domain) for attributes, _ in sets]
            joint = [share + each.score for (_, share), each in zip(sets, said, strict=True)]
            best = _nearest([each.phrase for each in said], joint)
            attributes, phrase = sets[best][0], said[best].phrase
        return Reference(attributes, phrase, voice.name, scene.identifies(list(attributes)))

    # Files.

    def save(self, path: str | Path, *, force: bool = False) -> None:
        store.save(path, self.content(), force=force)

    def content(self) -> Content:
        memories = self.selector.memories
        model = self.selector.model
        expressions = [
            (domain, speaker, sorted(each))
            for domain, memory in memories.items()
            for speaker, own in memory.expressions.items()
            for each in own
        ]
        said = [
            (
                *(each.domain, each.speaker, list(each.words), list(each.heads)),
                [(span.start, span.end, span.name, span.value) for span in each.spans],
            )
            for each in self.speech.said
        ]
        state = _State(
            truths={domain: sorted(memory.truths) for domain, memory in memories.items()},
            expressions=expressions,
            said=said,
            features=[] if model is None else list(model.weights),
            heard=[] if model is None else [_heard_row(*each) for each in model.neighbours.heard],
        )
        manifest = {"origin": asdict(self.origin), "scores": self.scores, "state": asdict(state)}
        weights = [] if model is None else list(model.weights.values())
        tensors: Tensors = {} if model is None else {"weights": np.array(weights, np.float32)}
        config = f"[{KIND}]\n{self.options.to_toml()}"
        return Content(KIND, manifest, tensors, config, card=write_card(self))

    @classmethod
    def load(cls, path: str | Path) -> Referrer:
        """Read a model. Nothing in it is executed."""
        content = store.load(locate(path))
        if content.kind != KIND:
            raise InputError(
                f"{path}: this is a {content.kind!r}, not a {KIND!r}: `plait refer train` makes one."
            )
        with store.understanding(path):
            return cls._restore(content)

    @classmethod
    def _restore(cls, content: Content) -> Referrer:
        options = ReferOptions.from_dict(read_toml(content.config)[KIND])
        manifest = content.manifest
        state = checks.record(_State, manifest["state"], "the state")
        memories = _memories(state)
        model = None
        if options.method == LOG_LINEAR:
            weights = checks.vector(content.tensors["weights"], np.float32, "weights")
            if len(weights) != len(state.features):
                raise ValueError("there are not as many weights as features")
            heard = Neighbours(
                (domain, speaker, frozenset(keys), {name: (value, share) for name, value, share in context})
                for domain, speaker, keys, context in state.heard
            )
            model = LogLinear(dict(zip(state.features, weights.tolist(), strict=True)), heard)
        speech = SpeakerModel([_said(*each) for each in state.said])
        origin = checks.record(Origin, manifest["origin"], "origin")
        found = cls(AttributeSelector(options, memories, model), speech, origin)
        found.scores = checks.read(dict[str, dict[str, float]], manifest["scores"], "scores")
        return found


def _heard_row(domain: str, speaker: str, keys: Expression, context: Context) -> _HeardRow:
    return domain, speaker, sorted(keys), [(name, value, share) for name, (value, share) in context.items()]


def _nearest(phrases: Sequence[str], scores: Sequence[float]) -> int:
    """The phrase from which the expected edit distance to all of them is smallest, by their probabilities."""
    words = [plain_words(phrase) for phrase in phrases]
    shares = [exp(score - max(scores)) for score in scores]
    costs = [
        sum(share * edit_distance(one, other) for share, other in zip(shares, words, strict=True))
        for one in words
    ]
    return min(range(len(costs)), key=lambda place: (costs[place], -scores[place]))


def _memories(state: _State) -> dict[str, Memory]:
    expressions: dict[str, dict[str, list[frozenset[str]]]] = defaultdict(lambda: defaultdict(list))
    for domain, speaker, keys in state.expressions:
        expressions[domain][speaker].append(frozenset(keys))
    if not expressions:
        raise ValueError("there are no expressions")
    return {
        domain: Memory(domain, own, state.truths.get(domain, ()))
        for domain, own in sorted(expressions.items())
    }


def _said(
    domain: str, speaker: str, words: list[str], heads: list[int], spans: list[tuple[int, int, str, str]]
) -> Said:
    if len(heads) != len(words) or any(head > len(words) for head in heads):
        raise ValueError("the heads of a phrase are not those of its words")
    if any(not start < end <= len(words) for start, end, _, _ in spans):
        raise ValueError("a span is not in its phrase")
    return Said(domain, speaker, tuple(words), tuple(heads), tuple(Span(*each) for each in spans))


def with_trees(trials: Sequence[Trial], parser: Pipeline | None) -> list[Trial]:
    """The same trials; those that have words and no tree get one by the parser."""
    bare = [
        place for place, trial in enumerate(trials) if 0 < len(trial.words) <= _TOKENS and not trial.heads
    ]
    found = list(trials)
    if parser is not None and bare:
        sentences = [Sentence(forms=list(trials[place].words)) for place in bare]
        for place, sentence in zip(bare, parser.parse(sentences), strict=True):
            heads = tuple(head or 0 for head in sentence.heads)
            found[place] = replace(trials[place], heads=heads)
    return found
