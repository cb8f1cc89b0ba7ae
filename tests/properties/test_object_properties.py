"""What always holds of words, spans, sentences and documents: above all, that places agree with the text."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

import plait
from plait import Document, InputError, MultiwordToken, Pipeline, Sentence, Treebank
from plait.components.tokenizer import restore
from plait.formats.spaces import misc_of
from strategies import sentences, trees

# Pieces of text that go wrong elsewhere: signs of several code points, white space of all kinds, contractions.
PIECES = (
    *("Don't", "can't", "it's", "Mr.", "U.S.", "e.g.", "...", "?!", ",", "(", "a", "tree", "Straße", "naïve"),
    *(
        "e\u0301",
        "a\u0308\u0323",
        "👍🏽",
        "👩\u200d👩\u200d👧",
        "🇩🇰",
        "漢字",
        "שלום",
        "سلام",
        "\u200b",
        "\ufeff",
    ),
    *("\x1c", "\x85", "\u2028", "\0", "\x07", "10\u00a0000", "http://a.b/c?d=e", "<b>&amp;"),
)
SPACES = (
    " ",
    " ",
    " ",
    "",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\n\n",
    "\r\n\r\n",
    "\u00a0",
    "\u3000",
    " \t \n ",
    "\0",
)
texts = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(SPACES)), max_size=25).map(
    lambda pairs: "".join(piece + space for piece, space in pairs)
)


@cache
def tokenizing() -> Pipeline:
    """The English tokenizer alone."""
    return Pipeline({"tokenizer": plait.load("en")["tokenizer"]})


def require_agreement(document: Document, *, whole: bool = True) -> None:
    """Every word stands where it says; so do sentences, one after the other, and between them is white space."""
    for sentence in document:
        assert sentence.document is document
        for word, (start, end) in zip(sentence, sentence.offsets, strict=True):
            assert (word.start, word.end) == (start, end)
            shown = document.text[start:end]
            assert shown == word.form or (word.token is not None and shown == word.token.form)
        for (_, before), (start, end) in pairwise(sentence.offsets):
            assert start >= before or (start, end) in sentence.offsets[:-1]
        assert (sentence.start, sentence.end) == (sentence[1].start, sentence[len(sentence)].end)
        assert sentence.words[:].text == document.text[sentence.start : sentence.end]
    for one, other in pairwise(document):
        assert one.end <= other.start
    outside = document.text
    for sentence in reversed(document.sentences):
        outside = outside[: sentence.start] + outside[sentence.end :]
    assert not whole or not outside.replace("\0", "").strip()


@given(st.one_of(texts, st.text(max_size=60)))
@settings(deadline=None)
def test_places_agree_with_any_text(text: str) -> None:
    document = tokenizing()(text)
    assert document.text == text
    require_agreement(document)
    assert [sentence.copy().offsets for sentence in document] == [each.offsets for each in document]
    again = Document.from_dict(json.loads(document.to_json()))
    assert (again.text, again.sentences) == (text, document.sentences)
    assert [each.offsets for each in again] == [each.offsets for each in document]
    again = Document.from_json(document.to_json(indent=1))
    require_agreement(again)
    if document:
        from_file = Document.from_conllu(document.to_conllu())
        require_agreement(from_file)
        assert from_file.text in (text, text.removesuffix(" "))
        aligned = Document([sentence.copy() for sentence in Treebank.from_conllu(document.to_conllu())], text)
        assert [each.offsets for each in aligned] == [each.offsets for each in document]


@given(st.lists(texts, max_size=5), st.integers(1, 3))
@settings(deadline=None, max_examples=25)
def test_batches_and_streams_say_the_same_as_single_texts(some: list[str], size: int) -> None:
    nlp = tokenizing()
    single = [nlp(text).to_dict() for text in some]
    assert [document.to_dict() for document in nlp.pipe(some)] == single
    assert [document.to_dict() for document in nlp.pipe(some, batch_size=size)] == single
    pairs = nlp.pipe(list(zip(some, range(len(some)), strict=True)), as_tuples=True, batch_size=size)
    assert [(document.to_dict(), number) for document, number in pairs] == list(
        zip(single, range(len(some)), strict=True)
    )
    for text in some:
        assert [each.offset for each in nlp.stream(iter(text))] == [each.offset for each in nlp(text)]


forms = st.text(
    st.characters(exclude_categories=["Cs", "Zs", "Zl", "Zp", "Cc"]), min_size=1, max_size=5
).filter(lambda form: not any(map(str.isspace, form)))


@st.composite
def texts_with_tokens(draw: st.DrawFn) -> tuple[list[Sentence], str]:
    """Sentences with multiword tokens, contracted and not, and the text that they were cut from."""
    found: list[Sentence] = []
    text = draw(st.sampled_from(["", "", " ", "\r\n"]))
    before = text
    for _ in range(draw(st.integers(1, 3))):
        words: list[str] = []
        misc: list[str] = []
        tokens: list[MultiwordToken] = []
        for _ in range(draw(st.integers(1, 5))):
            parts = draw(st.lists(forms, min_size=1, max_size=3))
            gap = draw(st.sampled_from(SPACES))
            cell = misc_of(gap)
            if before:
                cell = f"{'' if cell == '_' else cell + '|'}SpacesBefore={before}".replace(" ", "\\s")
                cell = cell.replace("\r\n", "\\r\\n")
                before = ""
            form = parts[0]
            if len(parts) > 1:
                form = "".join(parts) if draw(st.booleans()) else draw(forms)
                tokens.append(MultiwordToken(len(words) + 1, len(words) + len(parts), form, misc=cell))
                cell = "_"
            words += parts
            misc += [cell] * len(parts)
            text += form + gap
        found.append(Sentence(forms=words, misc=misc, multiword_tokens=tokens))
    return found, text


@given(texts_with_tokens())
def test_places_agree_with_multiword_tokens(pair: tuple[list[Sentence], str]) -> None:
    made, text = pair
    assert restore(made) == text
    alone = [sentence.copy() for sentence in made]
    for sentence in alone:
        for word in sentence:
            token = word.token
            assert sentence.text[word.start : word.end] in (word.form, token.form if token else word.form)
    given_text = Document([sentence.copy() for sentence in made], text)
    require_agreement(given_text)
    derived = Document(made)
    require_agreement(derived)
    assert derived.text in (text, text.removesuffix(" "))
    assert [each.offsets for each in derived] == [each.offsets for each in given_text]
    for sentence in derived:
        for token in sentence.multiword_tokens:
            first, last = sentence[token.first], sentence[token.last]
            assert derived.text[first.start : last.end] == token.form


@given(sentences())
def test_what_a_sentence_becomes_comes_back(sentence: Sentence) -> None:
    assert Sentence.from_conllu(sentence.to_conllu()) == sentence
    plain = sentence.copy()
    plain.newline, plain.ending = "\n", "\n\n"
    assert Sentence.from_dict(sentence.to_dict()) == plain
    assert Sentence.from_json(sentence.to_json()) == plain
    assert Treebank.from_json(Treebank([sentence, sentence]).to_json()).sentences == [plain, plain]
    str(sentence), repr(sentence)


@given(trees(max_size=10))
def test_the_tree_around_a_word(heads: list[int]) -> None:
    sentence = Sentence(forms=[f"w{number}" for number in range(1, len(heads) + 1)], heads=list(heads))
    for word in sentence:
        assert word.is_root == (word.head == 0) == (word.head_word is None)
        assert [child.head for child in word.children] == [word.id] * len(word.children)
        assert [each for each in sentence if word in [each, *each.ancestors]] == word.subtree
        if word.ancestors:
            assert (word.ancestors[0], word.ancestors[-1].is_root) == (word.head_word, True)
    assert sentence.root == next(word for word in sentence if word.is_root)


@given(st.lists(st.integers(0, 6), min_size=6, max_size=6))
def test_circles_end(heads: list[int]) -> None:
    """Heads need not be a tree."""
    sentence = Sentence(forms=list("abcdef"), heads=list(heads))
    for word in sentence:
        assert len(set(word.ancestors)) == len(word.ancestors) <= 6
        assert word in word.subtree


@given(st.integers(0, 6), st.slices(6), st.integers(-8, 8))
def test_words_count_as_lists_do(size: int, part: slice, index: int) -> None:
    sentence = Sentence(forms=[f"w{number}" for number in range(1, size + 1)])
    every = list(sentence)
    assert sentence.words == every
    if -size <= index < size:
        assert sentence.words[index] == every[index]
        assert sentence.words[index].index == index % size
    if part.step in (None, 1):
        span = sentence.words[part]
        assert list(span) == every[part]
        assert span.text == " ".join(word.form for word in every[part])
        assert list(span[1:]) == every[part][1:]
        if span:
            assert span == sentence.span(span[0].id, span[-1].id)


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["text", "sentences", "words", "id", "form", "head", "comments", "start", "frames", "labels"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(anything)
def test_whatever_is_no_document_is_an_input_error(stored: object) -> None:
    for kind in (Sentence, Treebank, Document):
        for read in (lambda: kind.from_dict(stored), lambda: kind.from_json(json.dumps(stored))):  # noqa: B023
            try:
                read()
            except InputError:
                continue


@given(sentences(), st.data())
def test_a_damaged_document_is_an_input_error_or_a_document(sentence: Sentence, data: st.DataObject) -> None:
    """One value in it becomes another."""
    sentence.comments = []
    stored = Document([sentence]).to_dict()
    place: object = stored
    while True:
        assert isinstance(place, (dict, list))
        key = data.draw(st.sampled_from(list(place) if isinstance(place, dict) else list(range(len(place)))))
        inner = place[key]  # type: ignore[index, call-overload]
        if not isinstance(inner, (dict, list)) or not inner or data.draw(st.booleans()):
            place[key] = data.draw(anything)  # type: ignore[index, call-overload]
            break
        place = inner
    try:
        document = Document.from_dict(stored)
    except InputError:
        return
    require_agreement(document, whole=False)
    document.to_conllu()
