"""Drawings of trees: the ones kept under golden/, and what no drawing may do."""

import re
import sys
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

import plait
from drawings import ARABIC, GOLDEN, HEARING, HOSTILE, PORTUGUESE, WHO, WHO_BY_A_SYSTEM, drawings
from plait import InputError, MultiwordToken, NotATreeError, OutputError, PlaitError, Sentence
from plait.drawing import terminal
from plait.drawing.arcs import arcs_of, levels_of
from plait.drawing.comparison import draw_comparison
from plait.drawing.difference import Verdict, difference
from plait.drawing.measure import cells, runs_right_to_left, text_width, visible
from plait.drawing.page import INKS, TAG_INKS
from plait.drawing.picture import Drawing
from plait.drawing.tree import draw_tree

SVG = "{http://www.w3.org/2000/svg}"


def words_in(picture: str) -> list[tuple[str, float]]:
    """The words of a picture from left to right, with their places."""
    texts = ElementTree.fromstring(picture).iter(f"{SVG}text")
    found = [(t.text or "", float(t.attrib["x"])) for t in texts if t.attrib["class"] == "ink form"]
    return sorted(found, key=lambda word: word[1])


@pytest.mark.parametrize("name", sorted(path.name for path in GOLDEN.iterdir()))
def test_drawings_are_as_they_were_when_looked_at(name: str) -> None:
    # As bytes: reading as text would turn some of the characters drawn into line ends.
    kept = (GOLDEN / name).read_bytes().decode()
    assert drawings()[name] == kept, f"{name}: look at it, then python tests/drawings.py"


def test_every_drawing_is_kept_and_none_is_left_over() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == set(drawings())


def test_arcs_know_whether_they_are_projective() -> None:
    arcs = arcs_of(HEARING.heads, HEARING.deprels)
    marked = [(arc.head, arc.dependent) for arc in arcs.between if arc.nonprojective]
    assert marked == [(2, 5), (4, 8)]
    assert [arc.dependent for arc in arcs.from_root] == [3]


def test_what_hangs_nowhere_makes_no_arc_nonprojective() -> None:
    assert not any(arc.nonprojective for arc in arcs_of([3, None, 0], ["x"] * 3).between)
    assert [arc.nonprojective for arc in arcs_of([3, 0, 0], ["x"] * 3).between] == [True]


@pytest.mark.parametrize(
    ("spans", "levels"),
    [
        ([], []),
        ([(1, 2), (2, 3), (1, 3)], [1, 1, 2]),
        ([(1, 4), (2, 3), (1, 3)], [3, 1, 2]),
        ([(1, 3), (2, 4)], [1, 2]),
        ([(1, 2), (1, 2)], [1, 2]),
    ],
)
def test_levels(spans: list[tuple[int, int]], levels: list[int]) -> None:
    assert levels_of(spans) == levels


def test_spans_that_touch_at_an_arrowhead_can_be_kept_apart() -> None:
    assert levels_of([(1, 2), (2, 3)], [2, 3]) == [1, 2]
    assert levels_of([(1, 2), (2, 3)], [1, 3]) == [1, 1]


def test_room_in_terminals_and_pictures() -> None:
    assert (cells("abc"), cells("日本"), cells("e\u0301"), cells("نَعَم")) == (3, 4, 1, 3)
    assert text_width("日本", 10) == 21
    assert text_width("mmm", 10) > text_width("abc", 10) > text_width("ill", 10)
    assert visible("a\x1b[31m\u2028\u202eb\u200d") == "a\ufffd[31m\ufffd\ufffdb\u200d"


def test_right_to_left_by_the_first_letter_that_tells() -> None:
    assert runs_right_to_left(["12", "(", "שלום", "hello"])
    assert not runs_right_to_left(["hello", "שלום"])
    assert not runs_right_to_left(["1", "."])
    assert not runs_right_to_left([])
    drawn = [form for form, _ in words_in(draw_tree(ARABIC))]
    assert drawn == ARABIC.forms[::-1]


def test_nothing_breaks_out_of_a_picture() -> None:
    other = HOSTILE.copy()
    other.heads[0] = 3
    for picture in (draw_tree(HOSTILE, lemmas=True), draw_comparison(HOSTILE, other)):
        root = ElementTree.fromstring(picture)
        names = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert names == {"svg", "title", "desc", "style", "rect", "g", "path", "text"}
        assert not any(name.startswith("on") for element in root.iter() for name in element.attrib)
        assert "<script>alert(1)</script>" in "".join(root.itertext())


def test_a_picture_speaks() -> None:
    root = ElementTree.fromstring(draw_tree(WHO))
    assert root.attrib["role"] == "img"
    named = {element.attrib["id"]: element.text for element in root if "id" in element.attrib}
    title, description = (named[name] for name in root.attrib["aria-labelledby"].split())
    assert title == "who: Who did you send the letter to ?"
    assert description is not None
    assert description.startswith("A dependency tree of 8 words: Who, obj of to, non-projective; did, root; ")
    words = [group for group in root.iter(f"{SVG}g") if group.attrib.get("tabindex") == "0"]
    titles = [word.findtext(f"{SVG}title") for word in words]
    assert len(titles) == len(WHO)
    assert titles[0] == "Who: PRON, obj of to, non-projective"
    assert titles[1] == "did: AUX, root"


def test_pictures_on_one_page_do_not_share_names_or_styles() -> None:
    pictures = [draw_tree(WHO), draw_tree(HEARING), draw_tree(WHO, lemmas=True, width=200)]
    names = [ElementTree.fromstring(picture).attrib["id"] for picture in pictures]
    assert len(set(names)) == 3
    for picture, name in zip(pictures, names, strict=True):
        style = ElementTree.fromstring(picture).findtext(f"{SVG}style") or ""
        bare = re.sub(r"@media[^{]*", "", style)
        assert all(name in selector for selector in re.findall(r"([^{}]+)\{[^{}]+\}", bare))


def test_long_sentences_go_on_in_further_rows() -> None:
    size = 60
    heads: list[int | None] = [0, *range(1, size)]
    heads[-1] = 1
    sentence = Sentence(forms=["word"] * size, heads=heads, deprels=["obj"] * size)
    root = ElementTree.fromstring(draw_tree(sentence, width=400))
    assert float(root.attrib["width"]) <= 400
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert texts.count("word") == size
    assert "1 word" in texts, "where the last arc comes from"
    assert "60 word" in texts, "where it leads to"
    one_row = ElementTree.fromstring(draw_tree(sentence, width=None))
    assert float(one_row.attrib["width"]) > 3000


@pytest.mark.parametrize("width", [350, 400, 500, 700, 900])
def test_pictures_keep_their_width(width: int) -> None:
    size = 40
    heads: list[int | None] = [word // 2 for word in range(1, size + 1)]
    sentence = Sentence(forms=["delays"] * size, heads=heads, deprels=["nsubj:pass"] * size)
    assert float(ElementTree.fromstring(draw_tree(sentence, width=width)).attrib["width"]) <= width
    compared = draw_comparison(sentence, sentence, width=width)
    assert float(ElementTree.fromstring(compared).attrib["width"]) <= max(width, 720), "what the legend needs"
    assert float(ElementTree.fromstring(draw_tree(sentence, width=1)).attrib["width"]) <= 350


def test_words_without_heads_are_drawn_without_arcs() -> None:
    sentence = Sentence(forms=["no", "tree"])
    assert 'class="arc' not in draw_tree(sentence)
    assert terminal.draw_tree(sentence).split() == ["no", "tree"]
    assert ElementTree.fromstring(draw_tree(Sentence(forms=[]))) is not None
    assert terminal.draw_tree(Sentence(forms=[])) == ""


def test_cycles_can_be_seen() -> None:
    sentence = Sentence(forms=["a", "b"], heads=[2, 1], deprels=["x", "y"])
    assert draw_tree(sentence).count('class="arc plain"') == 4
    assert terminal.draw_tree(sentence).count("►") == 2


@pytest.mark.parametrize(
    ("heads", "message"),
    [([1], "word 1 is its own head"), ([5], "word 1 has head 5 but the sentence has 1 words")],
)
def test_heads_that_cannot_be_drawn(heads: list[int | None], message: str) -> None:
    sentence = Sentence(forms=["a"], heads=heads)
    with pytest.raises(NotATreeError, match=message):
        sentence.draw()
    assert sentence._repr_svg_() is None


def test_a_multiword_token_over_one_word() -> None:
    sentence = Sentence(forms=["a"], heads=[0], multiword_tokens=[MultiwordToken(1, 1, "aaaaaaaaaaaa")])
    assert "] aaaaaaaaaaaa" in terminal.draw_tree(sentence)
    assert float(ElementTree.fromstring(draw_tree(sentence)).attrib["width"]) > text_width("a" * 12, 13)


def test_differences() -> None:
    found = difference(WHO, WHO_BY_A_SYSTEM)
    assert [found.count(verdict) for verdict in Verdict] == [5, 1, 2]
    assert found.scores == "UAS 75.0, LAS 62.5"
    assert difference(Sentence(forms=["a"]), Sentence(forms=["a"])).scores == "no gold heads"


def test_a_comparison_marks_what_differs() -> None:
    root = ElementTree.fromstring(draw_comparison(WHO, WHO_BY_A_SYSTEM))
    # Both halves of the line of every arc, and one line in the legend.
    for ink, arcs in {"missed": 2, "wrong": 2, "relabelled": 2, "crossing": 0}.items():
        lines = [path for path in root.iter(f"{SVG}path") if path.attrib["class"] == f"arc {ink}"]
        assert len(lines) == (2 * arcs + 1 if arcs else 0)
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert texts[-5:] == ["UAS 75.0, LAS 62.5", "same: 5", "gold only: 2", "system only: 2", "other label: 1"]


@pytest.mark.parametrize(
    ("forms", "message"),
    [
        (["Who", "does"], "word 2 is 'did' in the gold sentence and 'does' in the system's"),
        (["Who"], "the gold sentence has 8 words and the system's 1"),
    ],
)
def test_different_words_cannot_be_compared(forms: list[str], message: str) -> None:
    for draw in (draw_comparison, terminal.draw_comparison):
        with pytest.raises(InputError, match=message):
            draw(WHO, Sentence(forms=forms))
    with pytest.raises(InputError, match=message):
        WHO.draw(against=Sentence(forms=forms))


def test_a_sentence_draws_itself(tmp_path: Path) -> None:
    drawing = WHO.draw()
    assert isinstance(drawing, Drawing)
    assert str(drawing) == repr(drawing) == terminal.draw_tree(WHO)
    assert drawing._repr_svg_() == drawing.svg == WHO._repr_svg_() == draw_tree(WHO)
    assert drawing.summary == "8 words, 1 non-projective arc"
    drawing.save(tmp_path / "who.svg")
    assert (tmp_path / "who.svg").read_text(encoding="utf-8") == drawing.svg
    compared = WHO.draw(against=WHO_BY_A_SYSTEM)
    assert compared.svg == draw_comparison(WHO, WHO_BY_A_SYSTEM)
    assert str(compared) == terminal.draw_comparison(WHO, WHO_BY_A_SYSTEM)
    assert PORTUGUESE.draw(lemmas=True).svg == draw_tree(PORTUGUESE, lemmas=True)


def test_a_drawing_in_pixels(tmp_path: Path) -> None:
    pytest.importorskip("cairosvg", exc_type=(ImportError, OSError))
    WHO.draw().save(tmp_path / "who.png")
    assert (tmp_path / "who.png").read_bytes().startswith(b"\x89PNG")


def test_a_drawing_that_cannot_be_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = WHO.draw()
    with pytest.raises(
        InputError, match=r"who.jpg: a picture is written to a file that ends in .svg, .png or .tex"
    ):
        drawing.save("who.jpg")
    with pytest.raises(OutputError, match="its folder does not exist"):
        drawing.save(tmp_path / "nowhere" / "who.svg")
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(PlaitError, match=r"pip install 'plait\[png\]'"):
        drawing.save(tmp_path / "who.png")
    assert not (tmp_path / "who.png").exists()


def test_words_keep_apart() -> None:
    for sentence in (HEARING, HOSTILE, PORTUGUESE):
        for (form, x), (other, next_x) in pairwise(words_in(draw_tree(sentence))):
            assert next_x - x > (text_width(form, 16) + text_width(other, 16)) / 2


def test_tags_have_colours_where_that_is_asked_for() -> None:
    plain, coloured = draw_tree(HEARING), draw_tree(HEARING, colours=True)
    assert 'class="ink tag-' not in plain
    found = re.findall(r'<text class="ink (tag[a-z-]*)"[^>]*>([A-Z]+)</text>', coloured)
    names = {
        "NOUN": "tag-noun",
        "AUX": "tag-verb",
        "VERB": "tag-verb",
        "DET": "tag-pronoun",
        "ADP": "tag-function",
    }
    assert [(name, tag) for name, tag in found] == [(names.get(tag, "tag"), tag) for tag in HEARING.upos]


def test_the_legend_of_the_page_tells_the_inks_of_pictures() -> None:
    legend = (Path(plait.__file__).parent / "server" / "static" / "legend.js").read_text(encoding="utf-8")
    told = dict(re.findall(r'\["(tag-\w+)", "([A-Z ]+)"\]', legend))
    assert told == {ink.name: " ".join(tags) for ink, tags in TAG_INKS.items()}
    lines = {
        name: (float(width), dash)
        for name, width, dash in re.findall(r'(\w+): \[([\d.]+), "(.*?)"\]', legend)
    }
    assert len(lines) == 6
    assert lines == {ink.name: (ink.width, ink.dash) for ink in INKS if ink.name in lines}
