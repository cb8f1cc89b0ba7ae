"""Several parsers, and the tree that most of them want (Sagae and Lavie 2006; see `plait.trees.voting`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from plait.errors import InputError
from plait.learning.component import Component
from plait.learning.composite import Composite, NoOptions, trees_of
from plait.learning.flow import batches
from plait.learning.lessons import Lessons
from plait.learning.plan import Plan
from plait.learning.request import PLAIN, Request
from plait.learning.watch import Watch
from plait.learning.workshop import Workshop
from plait.sentence import Sentence
from plait.trees.voting import vote


class Vote(Composite):
    """The first voter works first, and those after it see the tags that it has chosen, if it chooses tags. Where trees
    have as many votes, the earlier voters' arcs count more.
    """

    kind = "vote"
    title = "Parsers that vote,"
    topics = ("dependency-parsing",)
    usual_name = "parser"
    Options = NoOptions
    requires = frozenset({"tokens"})
    provides = frozenset({"tree"})
    accepts = frozenset({"beam"})
    sees_predicted = frozenset({"tags", "lemmas"})
    member_table = "voters"

    @classmethod
    def default_members(cls) -> dict[str, Plan]:
        """A beam, exact search, and a quick one of another mind, whose vote decides where the two differ."""
        return {
            "beam": Plan.of({"kind": "transition"}),
            "graph": Plan.of({"kind": "graph"}),
            "greedy": Plan.of({"kind": "transition", "beam": 1}),
        }

    def _hold(self, members: Mapping[str, Component[Any]]) -> None:
        for name, member in [*members.items()][1:]:
            if member.choice():
                raise InputError(f"{name}: only the first voter can choose tags; the others see its choice.")
        super()._hold(members)

    def method(self) -> str:
        return f"Votes of {', '.join(f'`{name}` ({each.kind})' for name, each in self.members.items())}."

    def _learn(
        self, lessons: Lessons, dev: Lessons | None, watch: Watch, threads: int, workshop: Workshop
    ) -> None:
        self._teach_each(lessons, dev, watch, threads, workshop)

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        plain = Request(threads=request.threads, cancel=request.cancel)
        others = [member for member in self.members.values() if member is not self.leader]
        for batch in batches(trees_of(self.leader, sentences, request), 1, request.threads):
            found = [list(each.annotate([sentence.copy() for sentence in batch], plain)) for each in others]
            for sentence, voted in zip(batch, vote([batch, *found], cancel=request.cancel), strict=True):
                sentence.heads, sentence.deprels = voted.heads, voted.deprels
                yield sentence
