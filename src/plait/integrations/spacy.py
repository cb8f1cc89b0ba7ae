"""Plait as a component of spaCy's pipelines, and documents as spaCy's.

    nlp = spacy.blank("en")
    nlp.add_pipe("plait", config={"model": "en"})

spaCy has one row of tokens, so there are no multiword tokens there, and white space other than a blank is a token.
"""

# spaCy reads the types of the factory's arguments when it checks a configuration: they must not be texts.
import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plait.document import Document
from plait.errors import FormatError, InputError, Problem
from plait.formats.spaces import misc_of
from plait.integrations.libraries import library
from plait.layers import Argument, Frame, Frames
from plait.log import logger
from plait.pipeline.pipeline import Pipeline, load
from plait.sentence import EMPTY, Sentence

library("spacy", "spacy")
from spacy import attrs, blank  # noqa: E402
from spacy.language import Language  # noqa: E402
from spacy.parts_of_speech import IDS  # noqa: E402
from spacy.tokens import Doc, Token  # noqa: E402
from spacy.vocab import Vocab  # noqa: E402

TOKENIZATIONS = ("spacy", "plait")
_ANY_LANGUAGE = "xx"  # as spaCy calls it
_FRAMES = "plait_frames"  # in the user data of a Doc: plain values, which go from one process to another
_ROOT = {"root": "ROOT"}  # what spaCy calls it
_WHOLE = 1 << 64  # spaCy keeps numbers below zero as what is left to this
_SPACE = {"tag": "_SP", "pos": "SPACE", "dep": "dep"}
_ATTRIBUTES = (attrs.TAG, attrs.POS, attrs.LEMMA, attrs.MORPH, attrs.HEAD, attrs.DEP)


class SpacyArgument(NamedTuple):
    """An argument of a predicate: its head, and all tokens below that but for the predicate."""

    role: str
    token: Token
    tokens: list[Token]
    meaning: str


class SpacyFrame(NamedTuple):
    """A predicate with its sense and arguments, by the tokens of a Doc."""

    predicate: Token
    sense: str
    meaning: str
    arguments: list[SpacyArgument]


class PlaitComponent:
    """Heads, labels, tags, lemmas, features and frames of spaCy's Docs."""

    def __init__(self, vocab: Vocab, name: str, model: str, tokenization: str) -> None:
        self.vocab = vocab
        self.name = name
        self.model = ""
        self._choose(model, tokenization)

    def _choose(self, model: str, tokenization: str) -> None:
        if tokenization not in TOKENIZATIONS:
            raise InputError(f"No tokenization {tokenization!r}. Available: {', '.join(TOKENIZATIONS)}.")
        if model != self.model:
            self.pipeline = load(model)
        self.model, self.tokenization = model, tokenization

    def __call__(self, doc: Doc) -> Doc:
        return self._annotated([doc])[0]

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Docs by the batch, whose sentences go through the core together."""
        source = iter(stream)
        while batch := list(islice(source, batch_size)):
            yield from self._annotated(batch)

    def _annotated(self, docs: list[Doc]) -> list[Doc]:
        if self.tokenization == "spacy":
            found = [list(tokenized(doc, self.pipeline)) for doc in docs]
            for _ in self.pipeline.annotate(sentence for each in found for sentence, _ in each):
                pass
            for doc, sentences in zip(docs, found, strict=True):
                fill(doc, sentences)
            return docs
        made = self.pipeline.pipe([doc.text for doc in docs])
        return [_in_place_of(old, to_spacy(new, self.vocab)) for old, new in zip(docs, made, strict=True)]

    # What spaCy keeps of it: which model it is, not the model.

    def to_bytes(self, exclude: Sequence[str] = ()) -> bytes:  # noqa: ARG002
        return json.dumps({"model": self.model, "tokenization": self.tokenization}).encode()

    def from_bytes(self, data: bytes, exclude: Sequence[str] = ()) -> "PlaitComponent":  # noqa: ARG002
        try:
            told = json.loads(data)
            model, tokenization = str(told["model"]), str(told["tokenization"])
        except (ValueError, KeyError, TypeError):
            raise FormatError(Problem("this is not what a plait component of spaCy writes.")) from None
        self._choose(model, tokenization)
        return self

    def to_disk(self, path: str | Path, exclude: Sequence[str] = ()) -> None:
        Path(path).write_bytes(self.to_bytes(exclude))

    def from_disk(self, path: str | Path, exclude: Sequence[str] = ()) -> "PlaitComponent":
        return self.from_bytes(Path(path).read_bytes(), exclude)


@Language.factory(  # type: ignore[untyped-decorator]
    "plait",
    default_config={"model": "en", "tokenization": "spacy"},
    assigns=[
        *("token.tag", "token.pos", "token.lemma", "token.morph", "token.head", "token.dep"),
        *("token.is_sent_start", "doc.sents", "doc._.frames", "token._.frame"),
    ],
)
def create(nlp: Language, name: str, model: str, tokenization: str) -> PlaitComponent:
    """The component, for `nlp.add_pipe("plait", config={"model": "en"})`. With `tokenization` "plait", tokens and
    sentences are ours, and the Doc is another one with the same text.
    """
    return PlaitComponent(nlp.vocab, name, model, tokenization)


# From spaCy's tokens to sentences.


def tokenized(doc: Doc, pipeline: Pipeline | None = None) -> Iterator[tuple[Sentence, list[int]]]:
    """Sentences of a Doc's tokens without white space, with the places of these. Where sentences begin is told by the
    Doc, if somebody has found it, or else by the tokenizer of a pipeline.
    """
    text = doc.text
    for start, end in pairwise([*_beginnings(doc, pipeline), len(doc)]):
        tokens = [token for token in doc[start:end] if not _is_space(token)]
        if not tokens:
            continue
        following = [*(token.idx for token in tokens[1:]), doc[end].idx if end < len(doc) else len(text)]
        misc = [
            misc_of(text[token.idx + len(token) : after])
            for token, after in zip(tokens, following, strict=True)
        ]
        sentence = Sentence(forms=[token.text for token in tokens], misc=misc)
        yield sentence, [token.i for token in tokens]


def _beginnings(doc: Doc, pipeline: Pipeline | None) -> list[int]:
    if doc.has_annotation("SENT_START"):
        return [sentence.start for sentence in doc.sents]
    if pipeline is None or pipeline.giving("tokens") is None:
        return [0] if len(doc) else []
    places = [token.idx for token in doc]
    found = {bisect_left(places, each.offset) for each in pipeline.tokenizer.tokenize(doc.text)}
    return sorted({0, *found} - {len(doc)}) if len(doc) else []


def from_spacy(doc: Doc) -> Document:
    """A document of a Doc's tokens, with whatever the Doc tells of them."""
    found = list(tokenized(doc))
    for sentence, places in found:
        numbers = {place: number for number, place in enumerate(places, 1)}
        tokens = [doc[place] for place in places]
        sentence.xpos = [token.tag_ or EMPTY for token in tokens]
        sentence.upos = [token.pos_ or EMPTY for token in tokens]
        sentence.lemmas = [token.lemma_ or EMPTY for token in tokens]
        sentence.feats = [str(token.morph) or EMPTY for token in tokens]
        if doc.has_annotation("DEP"):
            ends = {name: label for label, name in _ROOT.items()}
            sentence.heads = [_head(token, numbers) for token in tokens]
            sentence.deprels = [ends.get(token.dep_, token.dep_) or EMPTY for token in tokens]
        if stored := [frame for frame in doc.user_data.get(_FRAMES, ()) if frame["predicate"] in numbers]:
            sentence.put(Frames(tuple(_frame(frame, numbers) for frame in stored)))
    return Document([sentence for sentence, _ in found], doc.text)


def _head(token: Token, numbers: dict[int, int]) -> int:
    """The number of the head; the root where it leads out of the sentence. White space is passed over."""
    head = token.head
    while _is_space(head) and head.head.i != head.i:
        head = head.head
    return 0 if head.i == token.i else numbers.get(head.i, 0)


def _frame(stored: dict[str, Any], numbers: dict[int, int]) -> Frame:
    arguments = (
        Argument(numbers[each["word"]], each["role"], each["meaning"])
        for each in stored["arguments"]
        if each["word"] in numbers
    )
    return Frame(numbers[stored["predicate"]], stored["sense"], tuple(arguments), stored["meaning"])


# And back.


def fill(doc: Doc, sentences: Sequence[tuple[Sentence, Sequence[int]]]) -> None:
    """Write what sentences know into the tokens at these places."""
    text = cache(doc.vocab.strings.add)
    morph = cache(doc.vocab.morphology.add)
    space = (text(_SPACE["tag"]), IDS[_SPACE["pos"]])
    rows: list[tuple[int, ...]] = []
    for token in doc:  # white space hangs from the token before it
        away = -1 if token.i else _first_word(doc)
        rows.append((*space, token.orth, 0, away, text(_SPACE["dep"])))
    for sentence, places in sentences:
        root = sentence.root
        cells = (
            sentence.xpos,
            sentence.upos,
            sentence.lemmas,
            sentence.feats,
            sentence.heads,
            sentence.deprels,
        )
        for place, (xpos, upos, lemma, feats, head, label) in zip(
            places, zip(*cells, strict=True), strict=True
        ):
            if head == 0 and root is not None:
                head = root.id  # a sentence of spaCy has one root, which is its own head
            rows[place] = (
                text(_given(xpos)),
                _universal(upos),
                text(_given(lemma)),
                morph(_given(feats)),
                places[head - 1] - place if head else 0,
                text(_ROOT.get(label, _given(label))),
            )
    has_trees = all(None not in sentence.heads for sentence, _ in sentences)
    used = len(_ATTRIBUTES) if has_trees else _ATTRIBUTES.index(attrs.HEAD)
    values = np.array([[value % _WHOLE for value in row] for row in rows], np.uint64)
    values = values.reshape(len(doc), len(_ATTRIBUTES))
    doc.from_array(list(_ATTRIBUTES[:used]), values[:, :used])
    if not has_trees:
        starts = {places[0] for _, places in sentences}
        for token in doc:
            token.is_sent_start = token.i == 0 or token.i in starts
    _put_frames(doc, sentences)


def to_spacy(document: Document, vocab: Vocab | None = None) -> Doc:
    """A Doc with a token for every word, and for white space other than a blank. Its text is that of the document, but
    for multiword tokens that are not simply their words (*do* for *de* + *o*), in whose place it has the words.
    """
    words: list[str] = []
    spaces: list[bool] = []
    places: list[list[int]] = []
    position = 0
    changed = 0

    def skip(gap: str) -> None:
        if gap.startswith(" ") and words and not spaces[-1]:
            spaces[-1] = True
            gap = gap[1:]
        if gap:
            words.append(gap)
            spaces.append(False)

    for sentence in document.sentences:
        mine: list[int] = []
        for word, (start, end) in zip(sentence, sentence.offsets, strict=True):
            again = start < position or word.form != document.text[start:end]
            contracted = again and word.token is not None
            changed += contracted
            if start < position:
                spaces[-1] = True
            else:
                skip(document.text[position:start])
            mine.append(len(words))
            words.append(word.form if contracted else document.text[start:end])
            spaces.append(False)
            position = end
        places.append(mine)
    skip(document.text[position:])
    if changed:
        logger.warning(
            "%d words stand in a spaCy Doc in place of multiword tokens: its text is not the same", changed
        )
    doc = Doc(vocab or blank(_ANY_LANGUAGE).vocab, words=words, spaces=spaces)
    fill(doc, list(zip(document.sentences, places, strict=True)))
    return doc


def _in_place_of(old: Doc, new: Doc) -> Doc:
    """What belongs to a Doc beside its tokens, for the one that stands in its place."""
    new.user_data = {**old.user_data, **new.user_data}
    new._context = old._context  # what nlp.pipe(..., as_tuples=True) gives back
    return new


def _is_space(token: Token) -> bool:
    return bool(token.text.isspace())  # token.is_space is known to vocabularies of a language only


def _first_word(doc: Doc) -> int:
    return next((token.i for token in doc if not _is_space(token)), 0)


def _given(cell: str) -> str:
    return "" if cell == EMPTY else cell


def _universal(tag: str) -> int:
    """SpaCy knows universal tags only."""
    number: int = IDS.get(tag, IDS["X"] if _given(tag) else IDS[""])
    return number


def _put_frames(doc: Doc, sentences: Sequence[tuple[Sentence, Sequence[int]]]) -> None:
    found = [
        {
            "predicate": places[frame.predicate.id - 1],
            "sense": frame.sense,
            "meaning": frame.meaning,
            "arguments": [
                {
                    "word": places[argument.word.id - 1],
                    "words": [places[number - 1] for number in argument.span],
                    "role": argument.role,
                    "meaning": argument.meaning,
                }
                for argument in frame.arguments
            ],
        }
        for sentence, places in sentences
        for frame in sentence.frames
    ]
    if found:
        doc.user_data[_FRAMES] = found


def _frames_of(doc: Doc) -> list[SpacyFrame]:
    return [
        SpacyFrame(
            doc[stored["predicate"]],
            stored["sense"],
            stored["meaning"],
            [
                SpacyArgument(
                    each["role"], doc[each["word"]], [doc[place] for place in each["words"]], each["meaning"]
                )
                for each in stored["arguments"]
            ],
        )
        for stored in doc.user_data.get(_FRAMES, ())
    ]


def _frame_of(token: Token) -> SpacyFrame | None:
    return next((frame for frame in _frames_of(token.doc) if frame.predicate.i == token.i), None)


if not Doc.has_extension("frames"):
    Doc.set_extension("frames", getter=_frames_of)
if not Token.has_extension("frame"):
    Token.set_extension("frame", getter=_frame_of)
