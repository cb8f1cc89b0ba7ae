"""A parser that looks at the trees of another one, its guide (Nivre and McDonald 2008)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from plait.errors import InputError
from plait.layers import GuideTree
from plait.learning.component import Component
from plait.learning.composite import Composite, trees_of
from plait.learning.jackknife import assign, jackknife
from plait.learning.lessons import Lessons
from plait.learning.options import Options
from plait.learning.plan import Plan
from plait.learning.request import PLAIN, Request
from plait.learning.watch import Watch
from plait.learning.workshop import Workshop
from plait.sentence import Sentence
from plait.trees import tree_of


@dataclass(frozen=True, slots=True, kw_only=True)
class StackOptions(Options):
    """The parser learns from trees of as many guides as there are `folds`, which have not learned from them."""

    folds: int = 10

    def __post_init__(self) -> None:
        self._range("folds", 2, 1000)


class Stack(Composite):
    """Two parsers: `guide`, and `parser`, which looks at the guide's trees and gives its own."""

    kind = "stack"
    title = "A parser with a guide,"
    topics = ("dependency-parsing",)
    usual_name = "parser"
    Options = StackOptions
    requires = frozenset({"tokens"})
    provides = frozenset({"tree"})
    accepts = frozenset({"beam", "confidence", "nbest"})
    sees_predicted = frozenset({"tags", "lemmas"})
    member_table = "levels"

    @classmethod
    def default_members(cls) -> dict[str, Plan]:
        """A guide is worth the more, the more it differs from the parser that looks at it."""
        return {
            "guide": Plan.of({"kind": "transition", "system": "eager", "beam": 1, "projectivize": "head"}),
            "parser": Plan.of({"kind": "transition", "guided": True}),
        }

    @classmethod
    def leading(cls, members: Mapping[str, Plan]) -> str:  # noqa: ARG003
        return "parser"

    def method(self) -> str:
        return f"A {self.parser.kind} parser that looks at the trees of a {self.guide.kind} parser."

    @property
    def guide(self) -> Component[Any]:
        return self.members["guide"]

    @property
    def parser(self) -> Component[Any]:
        return self.members["parser"]

    def _hold(self, members: Any) -> None:
        if list(members) != ["guide", "parser"]:
            raise InputError(f"A stack holds a guide and a parser, not {', '.join(members) or 'nothing'}.")
        if not getattr(members["parser"].options, "guided", False):
            raise InputError("The parser of a stack must be guided (guided = true).")
        if members["guide"].choice() or members["parser"].choice():
            raise InputError("The parsers of a stack do not choose tags: they would see different ones.")
        super()._hold(members)

    def _learn(
        self, lessons: Lessons, dev: Lessons | None, watch: Watch, threads: int, workshop: Workshop
    ) -> None:
        """The dev set is seen with the trees of the guide, the training set with those of its jackknifed twins."""
        self._teach("guide", lessons, dev, watch, threads, workshop)
        if self.interrupted_:
            return
        folds = lessons.folds or assign(lessons, self.options.folds)
        trees = jackknife(
            [self.guide], lessons, folds, threads=threads, watch=watch, workshop=workshop.room("guides")
        )
        guided = lessons.showing(
            [_with_guide(sentence.copy(), tree) for sentence, tree in zip(lessons, trees, strict=True)],
            lessons.seen,
            lessons.folds,
        )
        guided_dev = None
        if dev is not None:
            found = self.guide.apply(dev)
            pairs = zip(dev, found, strict=True)
            guided_dev = dev.showing(
                [_with_guide(sentence.copy(), tree) for sentence, tree in pairs], dev.seen
            )
        self._teach("parser", guided, guided_dev, watch, threads, workshop)

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        plain = Request(threads=request.threads, cancel=request.cancel)
        guided = (_with_guide(each, each) for each in trees_of(self.guide, sentences, plain))
        for sentence in self.parser.annotate(guided, request):
            sentence.take(GuideTree)
            yield sentence

    def _shown(self, sentence: Sentence) -> Sentence:
        (guided,) = self.guide.apply([sentence])
        return _with_guide(sentence.copy(), guided)


def _with_guide(sentence: Sentence, tree: Sentence) -> Sentence:
    sentence.put(GuideTree(tree_of(tree), list(tree.deprels)))
    return sentence
