"""Predicates, senses and roles from trees (Bohnet 2009, section 8; Björkelund et al. 2010)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plait import checks
from plait.checks import Name
from plait.components.roles import templates
from plait.components.roles.encoding import require_trees
from plait.components.roles.frame_list import FrameList
from plait.components.roles.learner import RoleLearner
from plait.components.roles.model import Leaning, Model, Setup
from plait.components.roles.options import RoleOptions
from plait.components.roles.senses import Senses
from plait.errors import InputError
from plait.formats.frames import MARK
from plait.layers import Frames
from plait.learning.component import Component
from plait.learning.flow import apply, batches
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.learning.tensors import Tensors
from plait.learning.weights import PackedWeights
from plait.sentence import EMPTY, Sentence

_CORE = re.compile(r"A(RG)?[0-9A]")
_OFTEN = 0.01  # the share of predicates with a core role twice from which on that is allowed
_MOST_SINGLE = 60
_WORK = 4  # as a beam: how large batches are


@dataclass(frozen=True, slots=True)
class RoleFacts:
    """Beside the senses, the list of frames and the weights."""

    roles: list[Name]
    single: list[int]
    features: str
    units: dict[str, float]
    leaning: Leaning


class RoleLabeler(Component[Model]):
    """Predicates, their senses, and their arguments with roles (see `RoleOptions`), as the layer `Frames`. All of it
    follows from lemmas, XPOS, features and the tree.
    """

    kind = "roles"
    title = "A semantic role labeler"
    topics = ("semantic-role-labeling",)
    usual_name = "roles"
    Options = RoleOptions
    Facts = RoleFacts
    requires = frozenset({"tokens", "tags", "lemmas", "tree"})
    provides = frozenset({"frames"})
    accepts = frozenset({"keep_predicates"})
    sees_predicted = frozenset({"tags", "lemmas", "tree"})

    def check(self, lessons: Lessons) -> None:
        if not any(frame.arguments for sentence in lessons for frame in sentence.find(Frames) or ()):
            raise InputError(
                f"{lessons.place}: there are no predicates with arguments to learn from; CoNLL-09 files have them."
            )
        for sentence in lessons:
            for frame in sentence.find(Frames) or ():
                if frame.sense == EMPTY:
                    raise InputError(
                        f"{lessons.place}, line {sentence.line}: word {frame.predicate} is marked as a predicate but "
                        "has no sense to learn."
                    )
        require_trees(lessons, lessons.path)
        templates.load(self.options.features)
        if self.options.frames:
            FrameList.read(self.options.frames)

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> RoleLearner:
        self.check(lessons)
        options = self.options
        roles, single = _inventory(lessons)
        try:
            setup = Setup(
                options,
                templates.load(options.features),
                roles,
                single,
                Senses.of(lessons),
                FrameList.read(options.frames) if options.frames else None,
            )
        except ValueError as error:  # more templates or roles than the core can hold
            raise InputError(f"{options.features}, {lessons.place}: {error}.") from None
        return RoleLearner(setup, lessons, dev)

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        """With several threads, one reads while another works. Frames that a sentence has are replaced."""

        def work(batch: list[Sentence]) -> list[Frames]:
            return self.state.annotate(batch, keep_predicates=request.keep_predicates, cancel=request.cancel)

        for batch, found in apply(work, batches(sentences, _WORK), overlap=request.threads > 1):
            for sentence, frames in zip(batch, found, strict=True):
                sentence.put(frames)
                sentence.extra.pop(MARK, None)
                yield sentence

    @property
    def roles_(self) -> list[str]:
        return self.state.setup.roles

    def pack(self) -> tuple[RoleFacts, Tensors]:
        model = self.state
        setup = model.setup
        tensors = setup.senses.tensors()
        for step, packed in model.weights.items():
            tensors |= {f"{step}.{name}": tensor for name, tensor in packed.tensors().items()}
        if setup.frames:
            tensors |= setup.frames.tensors()
        units = {step: packed.unit for step, packed in model.weights.items()}
        return RoleFacts(setup.roles, setup.single, setup.templates.source, units, model.leaning), tensors

    def unpack(self, facts: RoleFacts, tensors: Tensors) -> None:
        frames = FrameList.from_tensors(tensors)
        for name in facts.roles:
            checks.text(name, "a role", "name")
        setup = Setup(
            self.options,
            templates.parse(facts.features),
            facts.roles,
            facts.single,
            Senses.from_tensors(tensors),
            frames,
        )
        weights = {}
        for step in setup.shapes:
            own = {
                name.removeprefix(f"{step}."): tensor
                for name, tensor in tensors.items()
                if name.startswith(f"{step}.")
            }
            weights[step] = PackedWeights.from_tensors(own, setup.cells(step), facts.units[step])
        self._state = Model(setup, weights, facts.leaning)

    def method(self) -> str:
        options = self.options
        steps = options.order.replace(",", ", ")
        reranked = f"the best of {options.rerank} sets of roles" if options.rerank else "no reranking"
        return f"Linear classifiers for {steps}; beam {options.beam}, {reranked}; {len(self.roles_)} roles."


def _inventory(lessons: Lessons) -> tuple[list[str], list[int]]:
    """The roles, the most frequent first, and which of them stand once only with a predicate."""
    counts: Counter[str] = Counter()
    twice: Counter[str] = Counter()
    predicates: Counter[str] = Counter()
    for sentence in lessons:
        for frame in sentence.find(Frames) or ():
            own = Counter(argument.role for argument in frame.arguments)
            counts += own
            predicates.update(own.keys())
            twice.update(role for role, count in own.items() if count > 1)
    roles = sorted(counts, key=lambda role: (-counts[role], role))
    core = [
        number
        for number, role in enumerate(roles)
        if _CORE.fullmatch(role) and twice[role] <= _OFTEN * predicates[role]
    ]
    return roles, core[:_MOST_SINGLE]
