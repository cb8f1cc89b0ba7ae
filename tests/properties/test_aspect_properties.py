"""Any bytes give reviews or a clear error, and what is written is read again."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plait import InputError, Sentence
from plait.components.aspects.learned import labels_of, terms_of
from plait.components.aspects.lexicon import packaged
from plait.components.aspects.sight import Sight
from plait.evaluation.aspects import score_aspects
from plait.formats.semeval import Review, Span, aspects_of, read_reviews, write_reviews
from plait.layers import POLARITIES, AspectCategory
from plait.sentence import find_places
from strategies import sentences

CAFE = Path(__file__).resolve().parents[2] / "docs" / "reviews" / "cafe.xml"
_polarities = st.sampled_from(["", *POLARITIES])
# Texts that XML can hold; it reads a carriage return in a text as the end of a line.
_texts = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cn", "Cs"]) | st.sampled_from("\n\t<&>\"'")
)


@st.composite
def reviews(draw: st.DrawFn) -> list[Review]:
    found = []
    for number in range(draw(st.integers(1, 4))):
        text = draw(_texts)
        places = st.lists(st.integers(0, len(text)), min_size=2, max_size=2, unique=True).map(sorted)
        spans = draw(st.lists(places, max_size=3)) if text else []
        names = draw(st.lists(_texts.map(str.strip).filter(bool), max_size=2))
        terms = tuple(Span(start, end, draw(_polarities)) for start, end in spans)
        found.append(
            Review(str(number), text, terms, tuple(AspectCategory(name, draw(_polarities)) for name in names))
        )
    return found


@given(reviews())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_read_again(tmp_path: Path, made: list[Review]) -> None:
    write_reviews(made, tmp_path / "x.xml")
    read = read_reviews(tmp_path / "x.xml")
    assert [(r.id, r.text, r.terms, r.categories) for r in read] == [
        (r.id, r.text, r.terms, r.categories) for r in made
    ]
    scores = score_aspects(made, read)
    assert scores.terms_f1 == (100 if any(r.terms for r in made) else 0)


def read_anyhow(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    try:
        found = read_reviews(path)
    except InputError:  # damaged, or compressed and cut off
        return
    for review in found:
        assert all(0 <= start < end <= len(review.text) for start, end, _ in review.terms)


@given(st.binary(max_size=200))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes(tmp_path: Path, data: bytes) -> None:
    read_anyhow(tmp_path / "x.xml", data)


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_files(tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(CAFE.read_bytes()[:3000] + b"</sentences>")
    pieces = st.sampled_from([b"", b"<", b">", b'"', b"&", b"9", b"-", b"\0", b"\xff", b"<sentence>", b"id"])
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 12))] = data.draw(pieces)
    read_anyhow(tmp_path / "x.xml", bytes(content))


@given(sentences(), st.data())
def test_terms_are_found_again_by_their_words(sentence: Sentence, data: st.DataObject) -> None:
    """Spans of words lead to the same words, in any sentence with any heads; labels of a chain do, too."""
    text = sentence.text
    spans = find_places(sentence, text, lenient=True)
    assert len(spans) == len(sentence)
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    own = [number for number, (start, end) in enumerate(spans) if start < end]
    if not own:
        return
    word = data.draw(st.sampled_from(own))
    (term,) = aspects_of(Review("1", text, (Span(*spans[word]),)), sentence).terms
    assert term.first <= word + 1 <= term.last
    sight = Sight(sentence, packaged())
    assert [each[:2] for each in terms_of(labels_of(sight, [term]))] == [term[:2]]
    assert len(sight.clauses) == len(sight.distances(word)) == len(sentence)
