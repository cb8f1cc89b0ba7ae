"""The core's clusters are those of the definition; bit strings are a prefix code."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from brown import brown
from plait.features.clusters import Clusters

corpora = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=8), min_size=1, max_size=15).filter(any)


@settings(max_examples=150, deadline=None)
@given(corpora, st.integers(1, 9))
def test_the_clusters_of_the_definition(text: list[list[str]], clusters: int) -> None:
    assert Clusters.learn(text, clusters=clusters, least=1).mapping == brown(text, clusters)


@given(corpora, st.integers(1, 9))
def test_bit_strings_are_a_prefix_code(text: list[list[str]], clusters: int) -> None:
    found = Clusters.learn(text, clusters=clusters, least=1)
    words = {word for sentence in text for word in sentence}
    assert set(found.mapping) == words
    codes = sorted(set(found.mapping.values()))
    assert len(codes) == min(clusters, len(words))
    assert not any(second.startswith(first) for first, second in pairwise(codes))
    # A full binary tree: the shares of its leaves add up to one.
    assert len(codes) == 1 or sum(2.0 ** -len(code) for code in codes) == 1
