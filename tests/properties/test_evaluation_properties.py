"""What holds of the scores whatever the sentences are."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

import plait
from disturbance import disturb
from plait import MultiwordToken, Sentence
from strategies import trees

LABELS = ["nsubj", "obj", "nmod:poss", "case", "det", "cc", "punct", "root", "flat"]


@st.composite
def parsed(draw: st.DrawFn) -> Sentence:
    """A sentence with one root, sometimes with a multiword token."""
    heads: list[int | None] = list(draw(trees(8).filter(lambda tree: tree.count(0) == 1)))
    size = len(heads)

    def column(values: Sequence[str]) -> list[str]:
        return draw(st.lists(st.sampled_from(values), min_size=size, max_size=size))

    multiword = []
    if size > 1 and draw(st.booleans()):
        start = draw(st.integers(1, size - 1))
        multiword.append(MultiwordToken(start, start + 1, draw(st.sampled_from(["do", "abc"]))))
    return Sentence(
        forms=column(["a", "b", "ab", "A", "c d"]),
        lemmas=column(["_", "a", "b"]),
        upos=column(["NOUN", "VERB", "PUNCT"]),
        xpos=column(["_", "x"]),
        feats=column(["_", "Case=Nom", "Case=Nom|Foo=x"]),
        heads=heads,
        deprels=column(LABELS),
        multiword_tokens=multiword,
    )


texts = st.lists(parsed(), min_size=1, max_size=4)
seeds = st.integers(0, 1000)


@given(texts)
def test_a_text_is_perfect_against_itself(gold: list[Sentence]) -> None:
    scores = plait.evaluate(gold, [sentence.copy() for sentence in gold])
    for metric in scores.metrics.values():
        assert metric.correct == metric.gold == metric.system
        assert metric.f1 == (100 if metric.gold else 0)
    assert scores.exact_labeled == scores.exact_unlabeled == 100
    assert scores.nonprojective.recall == (100 if scores.nonprojective.gold else 0)


@given(texts, seeds)
def test_swapping_the_files_swaps_precision_and_recall(gold: list[Sentence], seed: int) -> None:
    system = disturb(gold, seed, annotation=0.3, ends=0.3)
    forward, backward = plait.evaluate(gold, system), plait.evaluate(system, gold)
    # Lemmas are not symmetric: a missing lemma is forgiven on the gold side only.
    for name in forward.metrics.keys() - {"lemmas", "blex"}:
        there, back = forward.metrics[name], backward.metrics[name]
        if name in ("clas", "mlas"):
            assert there.correct == back.correct
        assert (there.precision, there.recall, there.f1) == (back.recall, back.precision, back.f1)
    assert forward.nonprojective.precision == backward.nonprojective.recall


@given(texts, seeds)
def test_stricter_scores_are_lower(gold: list[Sentence], seed: int) -> None:
    scores = plait.evaluate(gold, disturb(gold, seed, annotation=0.3, tokens=0.3, ends=0.2))
    assert 0 <= scores.las_full <= scores.las <= scores.uas <= scores.words <= 100
    assert scores.pmlas <= scores.tlas <= min(scores.las_full, scores.upos)
    assert scores.alltags <= min(scores.upos, scores.xpos, scores.ufeats)
    assert max(scores.mlas, scores.blex) <= scores.clas
    assert scores.exact_labeled <= scores.exact_unlabeled
    assert scores.nonprojective.gold_found <= scores.nonprojective_unlabeled.gold_found
    both = scores.nonprojective_in_both
    assert both.correct <= min(scores.nonprojective.gold_found, scores.nonprojective.system_right)


@given(texts, seeds)
def test_breakdowns_add_up(gold: list[Sentence], seed: int) -> None:
    scores = plait.evaluate(gold, disturb(gold, seed, annotation=0.3, tokens=0.3, ends=0.2))
    las = scores.metrics["las"]
    for variant in (scores, scores.with_full_labels(), scores.without_punctuation()):
        labels = variant.by_label().values()
        las = variant.metrics["las"]
        assert sum(row.correct for row in labels) == las.correct
        assert sum(row.gold for row in labels) == las.gold
        assert sum(row.system for row in labels) == las.system
        arcs = variant.by_arc_length().values()
        assert sum(row.gold for row in arcs) == las.gold
        assert sum(row.gold_found for row in arcs) == sum(row.system_right for row in arcs) == las.correct
        lengths = variant.by_sentence_length().values()
        assert sum(row.sentences for row in lengths) == len(gold)
        assert sum(row.words for row in lengths) == las.gold


@given(texts, seeds)
def test_the_general_alignment_finds_the_identity(gold: list[Sentence], seed: int) -> None:
    """A space in one form takes the long way round, and changes nothing."""
    system = disturb(gold, seed, annotation=0.3)
    direct = plait.evaluate(gold, system)
    extra = Sentence(forms=["xy"], heads=[0], deprels=["root"])
    spaced = Sentence(forms=["x y"], heads=[0], deprels=["root"])
    general = plait.evaluate([*gold, extra], [*system, spaced])
    for name in direct.metrics:
        assert general.metrics[name].gold - direct.metrics[name].gold <= 1
        gained = general.metrics[name].gold - direct.metrics[name].gold
        assert general.metrics[name].correct - direct.metrics[name].correct == gained
