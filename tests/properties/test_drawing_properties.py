"""What holds for the drawing of any tree, whatever its words are."""

from itertools import combinations, pairwise
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from plait import Sentence
from plait.drawing import terminal
from plait.drawing.arcs import Arcs, Span, arcs_of, levels_of
from plait.drawing.comparison import draw_comparison
from plait.drawing.measure import text_width
from plait.drawing.rows import LABEL_SIZE, Row, Side, cut_row, lay_out_row
from plait.drawing.strands import ASCII, DOWN, LEFT, UNICODE, UP, Glyphs, draw_strands
from plait.drawing.tree import draw_tree
from plait.trees import is_projective, nonprojective_arcs
from strategies import sentences, trees


@st.composite
def spans(draw: st.DrawFn) -> list[Span]:
    ends = st.lists(st.integers(1, 12), min_size=2, max_size=2, unique=True)
    return [(min(pair), max(pair)) for pair in draw(st.lists(ends, max_size=14))]


def overlap(one: Span, other: Span) -> bool:
    return max(one[0], other[0]) < min(one[1], other[1])


def within(inner: Span, outer: Span) -> bool:
    return inner != outer and outer[0] <= inner[0] and inner[1] <= outer[1]


@given(spans())
def test_spans_of_one_level_lie_side_by_side_and_longer_ones_above(given_spans: list[Span]) -> None:
    levelled = list(zip(given_spans, levels_of(given_spans), strict=True))
    for (one, level), (other, other_level) in combinations(levelled, 2):
        if overlap(one, other):
            assert level != other_level
        if within(one, other):
            assert level < other_level
        if within(other, one):
            assert other_level < level


@given(trees(14))
def test_nonprojective_arcs_are_those_of_the_trees(heads: list[int]) -> None:
    arcs = arcs_of(heads, ["x"] * len(heads))
    marked = [(arc.head, arc.dependent) for arc in arcs.between if arc.nonprojective]
    assert marked == nonprojective_arcs(heads)


@given(trees(10))
def test_projective_trees_need_no_more_levels_than_arcs_are_nested(heads: list[int]) -> None:
    arcs = [arc.span for arc in arcs_of(heads, ["x"] * len(heads)).between]
    if is_projective(heads):
        depths: dict[Span, int] = {}
        for span in sorted(arcs, key=lambda span: span[1] - span[0]):
            depths[span] = 1 + max((depths[other] for other in depths if within(other, span)), default=0)
        assert max(levels_of(arcs), default=0) == max(depths.values(), default=0)


@settings(deadline=None)
@given(sentences(), st.booleans(), st.sampled_from([None, 1.0, 120.0, 900.0]))
def test_pictures_are_well_formed(sentence: Sentence, lemmas: bool, width: float | None) -> None:
    root = ElementTree.fromstring(draw_tree(sentence, lemmas=lemmas, width=width))
    assert sum(group.attrib.get("tabindex") == "0" for group in root.iter()) == len(sentence)


@settings(deadline=None)
@given(sentences(), st.data())
def test_comparisons_are_well_formed(gold: Sentence, data: st.DataObject) -> None:
    system = gold.copy()
    system.heads = list(data.draw(trees(len(gold), len(gold))))
    ElementTree.fromstring(draw_comparison(gold, system, width=data.draw(st.sampled_from([None, 150.0]))))
    terminal.draw_comparison(gold, system)


def legs_at(row: Row, side: Side, level: int) -> list[float]:
    """Where legs pass through the height of a level."""
    legs = [row.x((word, offset)) for word, offset in side.root_legs.items()]
    for strand in side.strands:
        if strand.level > level:
            legs += [
                row.x((end, offset))
                for end, offset in ((strand.left, strand.left_leg), (strand.right, strand.right_leg))
                if row.first <= end <= row.last
            ]
    return legs


@settings(deadline=None)
@given(trees(14), st.data())
def test_labels_collide_with_nothing(heads: list[int], data: st.DataObject) -> None:
    size = len(heads)
    texts = st.lists(st.text("milw", max_size=12), min_size=size, max_size=size)
    widths = [text_width(form, 16) for form in data.draw(texts)]
    arcs = [arcs_of(heads, data.draw(texts))]
    whole = lay_out_row(1, size, widths, arcs)
    for row in cut_row(whole, data.draw(st.integers(1, 4)), widths, arcs, []):
        (side,) = row.sides
        boxes: dict[int, list[tuple[float, float]]] = {}
        for strand in side.strands:
            half = text_width(strand.arc.label, LABEL_SIZE) / 2
            left, right = strand.label_at - half, strand.label_at + half
            assert row.x((strand.left, strand.left_leg)) < left
            assert right < row.x((strand.right, strand.right_leg))
            assert not any(left < leg < right for leg in legs_at(row, side, strand.level))
            boxes.setdefault(strand.level, []).append((left, right))
        boxes[0] = []
        for arc in side.roots:
            middle = row.x((arc.dependent, side.root_legs[arc.dependent]))
            half = text_width(arc.label, LABEL_SIZE) / 2
            boxes[0].append((middle - half, middle + half))
        for level in boxes.values():
            for (_, right), (left, _) in pairwise(sorted(level)):
                assert right <= left


@settings(deadline=None)
@given(trees(14), st.data())
def test_words_and_legs_keep_apart(heads: list[int], data: st.DataObject) -> None:
    widths = data.draw(st.lists(st.floats(0, 200), min_size=len(heads), max_size=len(heads)))
    row = lay_out_row(1, len(heads), widths, [arcs_of(heads, ["x"] * len(heads))])
    for word, next_word in pairwise(range(1, len(heads) + 1)):
        assert row.right_of(word) < row.left_of(next_word)
    legs = sorted(legs_at(row, row.sides[0], 0))
    assert len(legs) == len(heads) + sum(head != 0 for head in heads)
    assert all(right - left > 9 for left, right in pairwise(legs))


@settings(deadline=None)
@given(sentences(), st.booleans(), st.booleans())
def test_a_line_for_every_word_and_an_arrowhead_for_every_head(
    sentence: Sentence, lemmas: bool, in_ascii: bool
) -> None:
    drawn = terminal.draw_tree(sentence, lemmas=lemmas, ascii=in_ascii)
    assert len(drawn.split("\n")) == len(sentence)
    assert drawn.splitlines() == drawn.removesuffix("\n").split("\n"), "no other character ends a line"
    arcs = arcs_of(sentence.heads, sentence.deprels)
    glyphs = ASCII if in_ascii else UNICODE
    for line, head in zip(draw_strands(arcs, len(sentence), glyphs), sentence.heads, strict=True):
        assert line.characters.count(glyphs.arrow) == (head is not None)


def read_back(arcs: Arcs, size: int, glyphs: Glyphs) -> list[int | None]:
    """The heads, from nothing but the characters of a drawing, by the rules that `strands` states."""
    lines = ["".join(line.characters) for line in draw_strands(arcs, size, glyphs)]
    sides = {glyphs.joints[number]: number for number in (UP, DOWN, UP + DOWN)}
    sides |= {glyphs.joints[number + LEFT]: number for number in (UP, DOWN, UP + DOWN)}
    rooted = any(line.startswith((glyphs.across, glyphs.arrow)) for line in lines)
    heads: list[int | None] = [None] * size
    for word, line in enumerate(lines):
        arrow = line.find(glyphs.arrow)
        joints = [column for column, character in enumerate(line) if character in sides]
        if arrow < 0:
            continue
        from_root = rooted and line[0] in (glyphs.across, glyphs.arrow)
        if len(joints) + from_root == 1 and sides.get(line[joints[0]] if joints else "") != UP + DOWN:
            column = joints[0] if joints else 0
        else:
            column = arrow - 1
        if column not in joints:
            heads[word] = 0
            continue
        step = -1 if sides[line[column]] == UP else 1
        other = word + step
        while lines[other][column] not in sides:
            other += step
        heads[word] = other + 1
    return heads


@settings(deadline=None)
@given(trees(14), st.sets(st.integers(0, 13), max_size=2), st.sampled_from([UNICODE, ASCII]))
def test_a_drawing_for_the_terminal_can_be_read_back(
    heads: list[int], without: set[int], glyphs: Glyphs
) -> None:
    partial = [None if word in without else head for word, head in enumerate(heads)]
    assert read_back(arcs_of(partial, ["x"] * len(heads)), len(heads), glyphs) == partial
