"""Random trees and sentences for the property tests."""

from hypothesis import strategies as st

from plait import EmptyNode, MultiwordToken, Sentence


@st.composite
def trees(draw: st.DrawFn, max_size: int = 12, min_size: int = 1) -> list[int]:
    """Any tree: the words in random order, each hanging from the root or from one before it in that order."""
    size = draw(st.integers(min_size, max_size))
    order = draw(st.permutations(range(1, size + 1)))
    heads = [0] * size
    for place, word in enumerate(order):
        heads[word - 1] = draw(st.sampled_from([0, *order[:place]]))
    return heads


# Any character a cell may hold; line separators other than LF and CR are ordinary characters.
_characters = st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r\0")
cells = st.one_of(st.just("_"), st.text(_characters, min_size=1, max_size=6))
comments = st.one_of(
    st.just("# newpar"),
    st.builds("# sent_id = {}".format, st.text(_characters, max_size=5)),
    st.text(_characters, max_size=10).map("#".__add__),
)


@st.composite
def sentences(draw: st.DrawFn, max_size: int = 6) -> Sentence:
    """A sentence with anything CoNLL-U allows in it."""
    heads: list[int | None] = list(draw(trees(max_size)))
    size = len(heads)
    for word in draw(st.sets(st.integers(0, size - 1), max_size=2)):
        heads[word] = None
    column = st.lists(cells, min_size=size, max_size=size)
    tokens: list[MultiwordToken] = []
    start = 1
    while start <= size and draw(st.booleans()):
        start = draw(st.integers(start, size))
        end = draw(st.integers(start, size))
        tokens.append(MultiwordToken(start, end, *(draw(cells) for _ in range(9))))
        start = end + 1
    nodes = [
        EmptyNode(after, index, *(draw(cells) for _ in range(9)))
        for after in range(size + 1)
        for index in range(1, draw(st.sampled_from([1, 1, 1, 2, 3])))
    ]
    newline = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    return Sentence(
        forms=draw(column),
        lemmas=draw(column),
        upos=draw(column),
        xpos=draw(column),
        feats=draw(column),
        heads=heads,
        deprels=draw(column),
        deps=draw(column),
        misc=draw(column),
        comments=draw(st.lists(comments, max_size=3)),
        multiword_tokens=tokens,
        empty_nodes=nodes,
        newline=newline,
        ending=newline * draw(st.sampled_from([2, 2, 2, 3])),
    )
