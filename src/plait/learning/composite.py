"""Components that hold components."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Self, Unpack

from plait.errors import InputError
from plait.layers import Parse
from plait.learning import registry
from plait.learning.attachment import attach
from plait.learning.component import Component
from plait.learning.flow import batches
from plait.learning.lessons import Lessons
from plait.learning.options import Options
from plait.learning.plan import Plan
from plait.learning.request import Request, TagChoice
from plait.learning.tracing import TraceWishes, trace_of
from plait.learning.watch import Watch
from plait.learning.workshop import Workshop
from plait.sentence import Sentence
from plait.transitions.trace import Trace
from plait.trees import tree_of


class Composite(Component[None]):
    """Its members learn; it has nothing of its own to learn, and knows what to do with what they find."""

    fewest: ClassVar[int] = 2

    def __init__(self, members: Mapping[str, Component[Any]] | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._members: dict[str, Component[Any]] = {}
        if members is not None:
            self._hold(members)

    @property
    def members(self) -> Mapping[str, Component[Any]]:
        return self._members

    @property
    def ready(self) -> bool:
        return len(self._members) >= self.fewest and all(each.ready for each in self._members.values())

    @property
    def leader(self) -> Component[Any]:
        """The member that counts most."""
        return self._members[self.leading({name: each.plan for name, each in self._members.items()})]

    def lacks(self) -> Mapping[str, str]:
        """What the leader cannot do, nobody does for it."""
        leader = self.leader
        unlike = f"the {leader.kind} parser in it cannot"
        return {wish: leader.lacks().get(wish, unlike) for wish in self.accepts - leader.able()}

    def check(self, lessons: Lessons) -> None:
        for member in self._members.values():
            member.check(lessons)

    def choice(self) -> TagChoice | None:
        return next(filter(None, (member.choice() for member in self._members.values())), None)

    def trace(self, sentence: Sentence, **wishes: Unpack[TraceWishes]) -> Trace:
        """How the leader comes to its tree; InputError if it has no derivations."""
        return trace_of(self.leader, self._shown(sentence), **wishes)

    def _shown(self, sentence: Sentence) -> Sentence:
        """A sentence as the leader sees it."""
        return sentence

    @classmethod
    def default_plan(cls) -> Plan:
        return Plan(cls.kind, cls.Options(), cls.default_members())

    @classmethod
    def default_members(cls) -> dict[str, Plan]:
        return {}

    @classmethod
    def from_plan(cls, plan: Plan) -> Self:
        composite = super().from_plan(plan)
        composite._hold(
            {name: registry.find(each.kind).from_plan(each) for name, each in plan.members.items()}
        )
        return composite

    def _hold(self, members: Mapping[str, Component[Any]]) -> None:
        if len(members) < self.fewest:
            raise InputError(
                f"A {self.kind} component holds at least {self.fewest} others, not {len(members)}."
            )
        for name, member in members.items():
            if not self.provides <= member.provides:
                raise InputError(
                    f"{name}: a {member.kind} component gives no {', '.join(sorted(self.provides))}."
                )
        self._members = dict(members)

    def _teach_each(
        self, lessons: Lessons, dev: Lessons | None, watch: Watch, threads: int, workshop: Workshop
    ) -> None:
        """All members learn the same, one after the other, until an interrupt."""
        for name in self._members:
            if not self.interrupted_:
                self._teach(name, lessons, dev, watch, threads, workshop)

    def _teach(
        self, name: str, lessons: Lessons, dev: Lessons | None, watch: Watch, threads: int, workshop: Workshop
    ) -> None:
        """A member learns, unless it had finished before the training was interrupted."""
        self._members[name] = teach(
            self._members[name], name, lessons, dev, watch, threads, workshop.room(name)
        )
        self.interrupted_ = self._members[name].interrupted_


def teach(
    component: Component[Any],
    name: str,
    lessons: Lessons,
    dev: Lessons | None,
    watch: Watch,
    threads: int,
    workshop: Workshop,
) -> Component[Any]:
    """A component that has learned: from a workshop where it is finished, or now; then it is kept there."""
    if workshop.is_finished:
        return type(component).load(workshop.model or "")
    watch.on_component(name, component)
    component.fit(lessons, dev=dev, watch=watch, threads=threads, workshop=workshop)
    if workshop.model and not component.interrupted_:
        component.save(workshop.model, force=True)
    return component


def trees_of(
    component: Component[Any], sentences: Iterable[Sentence], request: Request
) -> Iterator[Sentence]:
    """Let a parser annotate sentences; of what it writes beside trees, such as the tags of a net, nothing stays."""
    if component.provides <= {"tree"}:
        yield from component.annotate(sentences, request)
        return
    for batch in batches(sentences, 1, request.threads):
        copies = [sentence.copy() for sentence in batch]
        for sentence, found in zip(batch, component.annotate(copies, request), strict=True):
            attach(sentence, Parse(tree_of(found), list(found.deprels), 0.0))
            sentence.misc = found.misc  # where it says how sure it is
            yield sentence


class NoOptions(Options):
    """For components without any."""
