"""The one contract of everything that learns: prepare, learn, score, annotate, keep.

A component writes its preparation (`prepare`, which gives a learner), its annotation (`annotate`) and its state
(`pack`, `unpack`). Epochs, patience, Ctrl-C, checkpoints, mixing and judging are in `epochs` and `learner`, files in
`store`, and here is what holds them together.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar, Unpack, final

from plait import checks
from plait.errors import InputError
from plait.learning import epochs, registry, store
from plait.learning.card import write_card
from plait.learning.epochs import Epoch
from plait.learning.learner import Learner
from plait.learning.lessons import Lessons, Origin
from plait.learning.options import LearningOptions, Options, read_toml
from plait.learning.parameters import parameters, score_of, set_parameters
from plait.learning.plan import Plan
from plait.learning.request import PLAIN, Request, TagChoice, Wishes, refusal
from plait.learning.store import Content
from plait.learning.tensors import Tensors
from plait.learning.watch import SILENT, Watch
from plait.learning.workshop import Workshop
from plait.log import logger
from plait.sentence import Sentence, Treebank, each_sentence, require_sentences

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Training:
    """What a manifest tells of how a component learned."""

    origin: Origin
    scores: dict[str, float]
    best_epoch: int
    history: list[Epoch]
    plait: str = ""


@dataclass(frozen=True, slots=True)
class NoFacts:
    """Of a component that keeps nothing but its options."""


class Component(ABC, Generic[State]):
    """Something that reads layers of sentences and writes others, and may have learned how.

    Learned attributes: `history_` (one `Epoch` per pass), `best_epoch_`, `scores_` (of the dev set), `origin_` (what
    was learned from), `interrupted_`.
    """

    kind: ClassVar[str]
    title: ClassVar[str]  # in a card: "A tagger"
    topics: ClassVar[tuple[str, ...]] = ()  # for model hubs
    usual_name: ClassVar[str]  # in a pipeline
    Options: ClassVar[type[Options]]
    Facts: ClassVar[type[Any]] = NoFacts  # a dataclass: what of its state is not an array
    requires: ClassVar[frozenset[str]] = frozenset()  # layers: tokens, tags, lemmas, tree, frames ...
    provides: ClassVar[frozenset[str]] = frozenset()
    accepts: ClassVar[frozenset[str]] = frozenset()  # of what a request may wish
    # Of what it requires, the layers it must learn to see as others predict them.
    sees_predicted: ClassVar[frozenset[str]] = frozenset()
    # How these are shown to it when it learns, if not as the recipe says: predicted, gold or both.
    shown: ClassVar[str] = ""
    # Whether all that learn after it see what it writes in their lessons too: it tells nothing of what they learn.
    early: ClassVar[bool] = False
    member_table: ClassVar[str] = ""  # in recipes, of components that hold others
    draws: ClassVar[bool] = (
        False  # whether it draws from labelled text by itself; others learn from all of it
    )

    def __init__(self, **options: Any) -> None:
        self.options: Any = self.Options.from_dict(options)
        self.history_: list[Epoch] = []
        self.best_epoch_ = 0
        self.scores_: dict[str, float] = {}
        self.origin_ = Origin()
        self.interrupted_ = False
        self._state: State | None = None

    # What a component writes.

    def prepare(
        self,
        lessons: Lessons,  # noqa: ARG002
        dev: Lessons | None,  # noqa: ARG002
    ) -> Learner[State] | None:
        """All that comes before the first pass; none if there is nothing to learn."""
        return None

    def check(self, lessons: Lessons) -> None:
        """InputError if it could not learn from these: known at once, and not when others have learned for an hour."""

    @abstractmethod
    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        """Write into the sentences themselves, in order and in constant memory."""

    def pack(self) -> tuple[Any, Tensors]:
        """The state as its `Facts`, and arrays."""
        return self.Facts(), {}

    def unpack(self, facts: Any, tensors: Tensors) -> None:
        """The state from what `pack` gave; ValueError or KeyError if it does not fit together."""

    def method(self) -> str:
        """How it works, in a sentence of its card."""
        return ""

    def kept(self) -> str:
        """Which epoch is kept, in a sentence of its card."""
        return f"Epoch {self.best_epoch_} of {len(self.history_)} is kept." if self.history_ else ""

    def words(self) -> Iterable[str]:
        """The words that it knows by name, as far as it keeps them."""
        return ()

    def lacks(self) -> Mapping[str, str]:
        """What its kind accepts, and it cannot do as it is; with the reason, for a message."""
        return {}

    def choice(self) -> TagChoice | None:
        """Among which tags it wants to choose, if it does."""
        return None

    # What all share.

    @final
    def able(self) -> frozenset[str]:
        """What a request may wish of it as it is."""
        return self.accepts - self.lacks().keys()

    @property
    def members(self) -> Mapping[str, Component[Any]]:
        """The components it holds, by name."""
        return {}

    @property
    def state(self) -> State:
        """What was learned; InputError if nothing was."""
        if self._state is None:
            raise InputError(
                f"The {self.kind} component has not learned anything yet: call fit first, or load a model."
            )
        return self._state

    @property
    def ready(self) -> bool:
        """Whether there is all that annotating needs."""
        return self._state is not None or type(self).prepare is Component.prepare

    @final
    def fit(
        self,
        lessons: Sequence[Sentence],
        *,
        dev: Sequence[Sentence] | None = None,
        watch: Watch = SILENT,
        threads: int = 1,
        workshop: Workshop | None = None,
    ) -> Self:
        """Learn; with `dev`, keep the epoch with the best score there, and stop after `patience` epochs without a
        better one. An interrupt (Ctrl-C) after the first epoch ends training early and keeps the best. In a
        `workshop`, a folder, every epoch is kept, and a training that was interrupted goes on from the last one with
        the same result. The number of `threads` changes the time only.
        """
        require_sentences(lessons, dev)
        learned = Lessons.of(lessons)
        logger.info("a %s component learns from %d sentences", self.kind, len(learned))
        judged = None if dev is None else Lessons.of(dev)
        self.scores_, self.history_, self.interrupted_ = {}, [], False
        self._learn(learned, judged, watch, threads, workshop or Workshop())
        self.origin_ = learned.origin(judged, self.origin_.licence)
        return self

    def _learn(
        self, lessons: Lessons, dev: Lessons | None, watch: Watch, threads: int, workshop: Workshop
    ) -> None:
        learner = self.prepare(lessons, dev)
        if learner is None:
            return
        assert isinstance(self.options, LearningOptions)
        outcome = epochs.run(
            learner,
            self.options,
            watch=watch,
            threads=threads,
            checkpoint=workshop.checkpoint,
            resume=workshop.resume,
        )
        self._state = outcome.state
        self.scores_ = outcome.scores
        self.history_ = outcome.history
        self.best_epoch_ = outcome.best
        self.interrupted_ = outcome.interrupted

    def change(self, state: State, scores: Mapping[str, float]) -> None:
        """Other weights: the scores of the old ones are no longer true."""
        self._state = state
        self.scores_ = dict(scores)

    @final
    def apply(self, sentences: Iterable[Sentence], **wishes: Unpack[Wishes]) -> Treebank:
        """New sentences with what the component provides; those given are left as they are."""
        request = Request(**wishes)
        require_able([self], request)
        copies = (sentence.copy() for sentence in each_sentence(sentences))
        return Treebank(list(self.annotate(copies, request)))

    # As scikit-learn has it.

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The options by name; members too, and, if `deep`, their options: `graph__epochs`."""
        return parameters(asdict(self.options), self.members, deep)

    def set_params(self, **values: Any) -> Self:
        """Other options, for the next `fit`."""
        inner = {name: value for name, value in values.items() if "__" in name}
        set_parameters(self.members, inner)
        self.options = self.options.updated({name: values[name] for name in values.keys() - inner.keys()})
        return self

    def score(self, gold: Sequence[Sentence]) -> float:
        """How well it annotates these sentences, which have everything else already, in percent: LAS of what gives
        trees, labelled F1 of roles, UPOS of what gives tags, lemmas. All the others: `plait.evaluate`.
        """
        return score_of(self.provides, gold, self.apply(gold))

    def __sklearn_clone__(self) -> Self:
        """One with the same options, and members with theirs, that has not learned."""
        return self.from_plan(self.plan)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks before it cross-validates: sentences are all that is needed."""
        from sklearn.utils import Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False))

    def twin(self) -> Self:
        """One with the same options that has not learned, and will learn for as many epochs as were best."""
        plan = self.plan
        if self.best_epoch_:
            plan = replace(plan, options=plan.options.updated({"epochs": self.best_epoch_}))
        return self.from_plan(plan)

    def stand_in(self) -> Self:
        """A twin that annotates what others learn from; it may be one that learns faster."""
        return self.twin()

    @property
    def plan(self) -> Plan:
        return Plan(self.kind, self.options, {name: member.plan for name, member in self.members.items()})

    @classmethod
    def default_plan(cls) -> Plan:
        return Plan(cls.kind, cls.Options())

    @classmethod
    def leading(cls, members: Mapping[str, Plan]) -> str:
        """The name of the member that counts most, where there are any."""
        return next(iter(members))

    @classmethod
    def from_plan(cls, plan: Plan) -> Self:
        component = cls()
        component.options = plan.options
        return component

    # Files, and the way through a pickle.

    @final
    def save(self, path: str | Path, *, licence: str = "", force: bool = False) -> None:
        """Write a model: one file if the name ends in `.plait`, a folder otherwise. Another model is replaced
        only by `force`.
        """
        if not self.ready:
            raise InputError(
                f"The {self.kind} component has not learned anything yet: there is nothing to save."
            )
        store.save(path, self.content(licence), force=force)

    @classmethod
    @final
    def load(cls, path: str | Path) -> Self:
        """Read a model. Nothing in it is executed; what does not fit is an error that names it."""
        content = store.load(path)
        if content.kind == store.OUTERMOST:
            raise InputError(f"{path}: this is a whole pipeline, not a {cls.kind!r}: plait.load reads it.")
        component = from_content(content, str(path))
        if not isinstance(component, cls):
            raise InputError(f"{path}: this is a {content.kind!r}, not a {cls.kind!r}.")
        return component

    @final
    def content(self, licence: str = "") -> Content:
        """All that a model holds."""
        facts, tensors = self.pack() if self.ready else (None, {})
        origin = replace(self.origin_, licence=licence or self.origin_.licence)
        manifest = {
            "origin": asdict(origin),
            "scores": self.scores_,
            "best_epoch": self.best_epoch_,
            # Times are for the eyes of whoever trains; a model is the same whenever it is made.
            "history": [asdict(replace(epoch, seconds=0.0)) for epoch in self.history_],
            "state": None if facts is None else asdict(facts),
        }
        return Content(
            self.kind,
            manifest,
            tensors,
            config=self.plan.to_toml(self.usual_name),
            card=write_card(self, origin),
            members={name: member.content(licence) for name, member in self.members.items()},
        )

    @final
    def restore(self, content: Content) -> None:
        """Take over what was stored; ValueError, KeyError or InputError if it makes no sense."""
        manifest = content.manifest
        values = read_toml(content.config)[self.usual_name]
        self.options = self.Options.of_model(
            {name: value for name, value in values.items() if name not in ("kind", self.member_table)}
        )
        told = checks.record(Training, manifest, "the manifest", others=True)
        self.origin_, self.scores_ = told.origin, told.scores
        self.best_epoch_, self.history_ = told.best_epoch, told.history
        self._hold({name: from_content(inner, name) for name, inner in content.members.items()})
        if manifest["state"] is not None:
            self.unpack(checks.record(self.Facts, manifest["state"], "the state"), content.tensors)

    def _hold(self, members: Mapping[str, Component[Any]]) -> None:
        if members:
            raise ValueError(f"a {self.kind} component holds no others")

    def __reduce__(self) -> tuple[Any, ...]:
        return from_content, (self.content(), f"a pickled {self.kind}")

    def __deepcopy__(self, memo: dict[int, Any]) -> Component[Any]:
        return from_content(
            self.content(), f"a copied {self.kind}"
        )  # arrays are shared: nobody writes to them

    def __repr__(self) -> str:
        learned = (
            f"learned from {self.origin_.treebank or 'a treebank'}"
            if self.origin_.sentences
            else "not trained"
        )
        return f"<{type(self).__name__}: {learned}>"


def from_content(content: Content, place: str) -> Component[Any]:
    """The component that a folder or a pickle holds; InputError if it is damaged."""
    with store.understanding(place):
        kind = registry.find(content.kind)
        component: Component[Any] = kind.__new__(kind)
        kind.__init__(component)
        component.restore(content)
    return component


def require_able(components: Sequence[Component[Any]], request: Request) -> None:
    """InputError if none of some components can do what is asked for."""
    for wish in request.wishes:
        if not any(wish in each.able() for each in components):
            reasons = (each.lacks().get(wish, "") for each in components)
            raise refusal(wish, registry.who_accepts(wish), next(filter(None, reasons), ""))


def through(
    components: Iterable[Component[Any]], sentences: Iterable[Sentence], request: Request = PLAIN
) -> Iterator[Sentence]:
    """Sentences through components, one after the other."""
    found = each_sentence(sentences)
    for component in components:
        found = component.annotate(found, request)
    return found
