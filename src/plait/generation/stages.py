"""The stages of a realizer, and how each is replaced by what is right: a semantic graph becomes a tree (`graph2tree`),
or a deep tree does (`function_words`); the tree gets an order (`lifter`, `order`), and its words get forms
(`inflector`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

from plait.components.graph2tree import GraphToTree
from plait.components.ngrams import Ngrams
from plait.errors import FormatError, InputError, Problem
from plait.formats.deep import nodes_alone
from plait.formats.shallow import unordered
from plait.generation.rerank import rerank
from plait.layers import DeepNode, DeepTree, WordOrders
from plait.learning.component import Component
from plait.learning.request import PLAIN, Request
from plait.learning.unordered import checked_heads
from plait.meaning import SemanticStructure
from plait.pipeline.pipeline import Pipeline
from plait.semantics.hiding import meaning_alone
from plait.sentence import Sentence

STARTS = ("graph", "deep", "tree", "order")
STAGES = ("tree", "order", "forms")  # what may be taken as it is in the input
_GIVEN_BY = {"graph": "graph2tree", "deep": "function_words"}
_NUMBER = "number"  # in `extra`: of a word in the input
_MISSING = (
    "This model does not begin with {} {}: one that does is learned by: plait train TREEBANK -o MODEL "
    "--parts {},lifter,order,inflector"
)
_NAMES = {"graph": ("a", "graph"), "deep": ("a", "deep tree")}


def realize(
    pipeline: Pipeline,
    sentences: Iterable[Sentence],
    request: Request = PLAIN,
    *,
    start: str = "tree",
    gold: Collection[str] = (),
) -> Iterator[Sentence]:
    """Sentences with their words in order, inflected, from what `start` says they are: semantic graphs, deep trees,
    trees, or words in order. What is `gold` of tree, order and forms is taken from the sentences given, which must
    have it; nothing else of what they tell of these is looked at.
    """
    if start not in STARTS or not set(gold) <= set(STAGES):
        wrong = ", ".join(repr(each) for each in sorted({start} - set(STARTS) | set(gold) - set(STAGES)))
        raise InputError(
            f"No {wrong} to go by. One begins with one of {', '.join(STARTS)}; gold may be {', '.join(STAGES)}."
        )
    if start == "deep" and gold and "tree" not in gold:
        raise InputError(
            "The words of a deep tree get others beside them: order or forms are taken with the tree."
        )
    found = _trees(pipeline, sentences, replace(request, beam=None, nbest=1), start, gold)
    ordered = start == "order" or "order" in gold
    layers = {"forms"} if ordered else {"lifting", "order", "forms"}
    if "forms" not in gold:
        yield from _inflected(pipeline, (shown for shown, _ in found), request, layers)
        return
    waiting: list[Sentence] = []

    def numbered() -> Iterator[Sentence]:
        for shown, given in found:
            if len(shown) != len(given):
                message = "some words have no node, so forms cannot be taken."
                raise FormatError(Problem(message, "", given.line, given.sent_id))
            waiting.append(given)
            shown.extra[_NUMBER] = [str(number) for number in range(1, len(shown) + 1)]
            yield shown

    for sentence in _inflected(pipeline, numbered(), request, layers):
        given = waiting.pop(0)
        sentence.forms = [given.forms[int(number) - 1] for number in sentence.extra.pop(_NUMBER)]
        sentence.comments = [line for line in sentence.comments if not line[1:].lstrip().startswith("text")]
        yield sentence


def _inflected(
    pipeline: Pipeline, sentences: Iterable[Sentence], request: Request, layers: Collection[str]
) -> Iterator[Sentence]:
    """With n-grams, the words are in that one of the best orders which these find best."""
    found = pipeline.giving("fluency") if "order" in layers else None
    judge = found if isinstance(found, Ngrams) else None
    wanted = max(request.nbest, judge.options.candidates) if judge else request.nbest
    for sentence in pipeline.annotate(sentences, replace(request, nbest=wanted), layers=layers):
        _write_lemmas(pipeline, sentence)
        if judge:
            if rerank(sentence, judge):
                inflect(pipeline, [sentence])
            if request.nbest == 1:
                sentence.take(WordOrders)
        yield sentence


def inflect(pipeline: Pipeline, sentences: Iterable[Sentence]) -> None:
    """Forms for words in a new order."""
    for sentence in pipeline.annotate(sentences, layers=("forms",)):
        _write_lemmas(pipeline, sentence)


def _write_lemmas(pipeline: Pipeline, sentence: Sentence) -> None:
    """Where nobody inflects, words stay lemmas."""
    if pipeline.giving("forms") is None:
        sentence.forms = list(sentence.lemmas)


def _trees(
    pipeline: Pipeline, sentences: Iterable[Sentence], request: Request, start: str, gold: Collection[str]
) -> Iterator[tuple[Sentence, Sentence]]:
    """Trees to be put into order, each with what it is from."""
    if start in ("tree", "order") or "tree" in gold:
        for sentence in sentences:
            if start == "deep" and sentence.find(DeepTree) is None:
                message = "there is a deep tree alone, and no surface tree to be taken."
                raise FormatError(Problem(message, "", sentence.line, sentence.sent_id))
            shown = unordered(sentence)
            checked_heads(shown)
            yield shown, sentence
        return
    first = _component(pipeline, start)
    given: list[Sentence] = []

    def shown_ones() -> Iterator[Sentence]:
        for sentence in sentences:
            given.append(sentence)
            yield _graph_alone(first, sentence) if start == "graph" else _deep_alone(sentence)

    for shown in first.annotate(shown_ones(), request):
        yield shown, given.pop(0)


def _component(pipeline: Pipeline, start: str) -> Component[Any]:
    kind = _GIVEN_BY[start]
    found = [each for each in pipeline.components.values() if each.kind == kind]
    if not found:
        raise InputError(_MISSING.format(*_NAMES[start], kind.replace("_", "-")))
    return found[-1]


def _graph_alone(first: Component[Any], sentence: Sentence) -> Sentence:
    """Where there is no graph, it is made of tree and predicates as it was for learning."""
    graph = sentence.find(SemanticStructure)
    if graph is None:
        assert isinstance(first, GraphToTree)
        graph = first.graph_of(sentence)
    if not any(node.word for node in graph.nodes):
        raise FormatError(
            Problem("no node of the graph stands for a word.", "", sentence.line, sentence.sent_id)
        )
    return meaning_alone(sentence, graph)


def _deep_alone(sentence: Sentence) -> Sentence:
    """The deep tree that a sentence has, or else the one whose nodes its words are."""
    tree = sentence.find(DeepTree)
    if tree is None:
        checked_heads(sentence)
        tree = nodes_alone(sentence)
    nodes = [DeepNode(0, (), n.lemma, n.pos, n.grammemes, n.head, n.relation) for n in tree]
    if not nodes:
        raise FormatError(Problem("the deep tree has no nodes.", "", sentence.line, sentence.sent_id))
    kept = [line for line in sentence.comments if line[1:].lstrip().startswith("sent_id")]
    shown = Sentence(forms=[], comments=kept, line=sentence.line)
    shown.put(DeepTree(tuple(nodes)))
    return shown
