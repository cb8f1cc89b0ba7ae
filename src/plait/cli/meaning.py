"""`plait convert --to semantics`: annotation of meaning from trees with predicates, and how much of it is fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import click

from plait.components.graph2tree import GraphToTree
from plait.components.roles.frame_list import FrameList
from plait.errors import InputError
from plait.layers import Frames
from plait.meaning import InformationStructure, SemanticStructure
from plait.pipeline import Pipeline
from plait.semantics.complete import WordGraphs
from plait.semantics.conditions import violations
from plait.semantics.convert import Converter
from plait.semantics.rules import load
from plait.sentence import Sentence


def with_meaning(sentences: Sequence[Sentence], frames: str | None) -> Iterator[Sentence]:
    """Sentences that have none get an annotation of meaning; how many violate which condition is said at the end."""
    plain = [sentence for sentence in sentences if sentence.find(SemanticStructure) is None]
    rolesets = FrameList.read(frames).rolesets if frames else {}
    valencies = {name: len(roleset.roles) for name, roleset in rolesets.items()}
    converter = Converter.learn(plain, load(), valencies)
    bad: Counter[str] = Counter()
    fit = 0
    if not any(sentence.find(Frames) for sentence in plain):
        click.echo("plait: warning: there are no predicates; all edges come from the trees", err=True)
    for sentence in sentences:
        if sentence.find(SemanticStructure) is None:
            converter.convert(sentence)
        graph = sentence.find(SemanticStructure)
        assert graph is not None
        found = {each.condition for each in violations(graph, sentence.find(InformationStructure))}
        fit += not found
        bad.update(found)
        yield sentence
    share = 100 * fit / max(len(sentences), 1)
    told = "".join(f"; {name}: {count:,}" for name, count in bad.most_common())
    click.echo(f"plait: {share:.1f} % of {len(sentences):,} sentences meet all conditions{told}", err=True)


def with_graphs(sentences: Sequence[Sentence], *, complete: bool, model: str | None) -> Iterator[Sentence]:
    """Sentences that have no graph get one in which every word is a node, completed as a model does it, or as the
    sentences themselves tell.
    """
    plain = [sentence for sentence in sentences if sentence.find(SemanticStructure) is None]
    maker = _maker(model) if model else WordGraphs.learn(plain)
    maker = maker if complete else WordGraphs()
    if plain and not any(sentence.find(Frames) for sentence in plain):
        click.echo("plait: warning: there are no predicates; all edges come from the trees", err=True)
    for sentence in sentences:
        if sentence.find(SemanticStructure) is None:
            sentence.put(maker.graph(sentence))
        yield sentence


def _maker(model: str) -> WordGraphs:
    for component in Pipeline.load(model).components.values():
        if isinstance(component, GraphToTree):
            return component.state.setup.graphs
    raise InputError(
        f"{model}: this model has no component graph2tree, which would know how to complete graphs."
    )
