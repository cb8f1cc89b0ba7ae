"""Text to trees: tokenizer, tagger, lemmatizer, a guide if there is one, and parser, one after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import tee
from pathlib import Path
from typing import Any, Protocol, Self

from plait import formats, store
from plait.errors import InputError
from plait.flow import batches
from plait.graph import GraphParser
from plait.lemmas import Lemmatizer
from plait.parser import Parser
from plait.pipeline.candidates import Chooser
from plait.pipeline.card import write_card
from plait.pipeline.document import Document
from plait.pipeline.packaged import locate, packaged
from plait.pipeline.recipe import Recipe
from plait.sentence import EMPTY, Sentence, Treebank
from plait.tagger import Tagger
from plait.text import Tokenizer
from plait.voting import vote

PARTS: tuple[str, ...] = (
    "tokenizer",
    "tagger",
    "lemmatizer",
    "guide",
    "parser",
    "second",
    "third",
)  # in the order they work
# By the kind in a manifest: where such a part may stand, first of all where it does alone.
_KINDS: dict[str, tuple[tuple[str, ...], type[Part]]] = {
    "tokenizer": (("tokenizer",), Tokenizer),
    "tagger": (("tagger",), Tagger),
    "lemmatizer": (("lemmatizer",), Lemmatizer),
    "parser": (("parser", "guide", "third"), Parser),
    "graph-parser": (("parser", "guide", "second"), GraphParser),
}


class Part(Protocol):
    """What all estimators share."""

    def save(self, path: str | Path, *, licence: str = "") -> None: ...
    @classmethod
    def load(cls, path: str | Path) -> Self: ...


class Pipeline:
    """Up to seven parts, each of which reads what those before it wrote. A part that is None is left out. The guide is
    a parser whose trees the next one looks at; the second and the third are parsers that vote with it.

    `scores_` are those of the dev set, from gold tokens and from raw text; `about_` tells what was learned from.
    """

    def __init__(
        self,
        recipe: Recipe | None = None,
        *,
        tokenizer: Tokenizer | None = None,
        tagger: Tagger | None = None,
        lemmatizer: Lemmatizer | None = None,
        guide: Parser | GraphParser | None = None,
        parser: Parser | GraphParser | None = None,
        second: GraphParser | None = None,
        third: Parser | None = None,
    ) -> None:
        self.recipe = recipe or Recipe()
        self.tokenizer = tokenizer
        self.tagger = tagger
        self.lemmatizer = lemmatizer
        self.guide = guide
        self.parser = parser
        self.second = second
        self.third = third
        self.scores_: dict[str, dict[str, float]] = {}
        self.about_: dict[str, Any] = {}

    @property
    def parts(self) -> dict[str, Part]:
        """The parts there are, in the order in which they work."""
        return {name: part for name in PARTS if (part := getattr(self, name)) is not None}

    @property
    def beam(self) -> int:
        """How many derivations the parser keeps side by side, if it works with derivations."""
        return self.parser.options.beam if isinstance(self.parser, Parser) else 1

    @property
    def transition_parser(self) -> Parser:
        """The parser, for what only a transition-based one can do."""
        if not isinstance(self.parser, Parser):
            raise InputError("The model has no transition-based parser, and only that can do this.")
        return self.parser

    def __call__(self, text: str) -> Document:
        """The sentences of a text, with everything the pipeline knows to say about them."""
        return next(self.pipe([text]))

    def pipe(self, texts: Iterable[str], *, threads: int = 1) -> Iterator[Document]:
        """Many texts, in order; those of a batch go through the core together."""
        tokenizer = self._tokenizer
        waiting: deque[tuple[str, int]] = (
            deque()
        )  # texts whose sentences are on their way, and how many these are

        def sentences() -> Iterator[Sentence]:
            for text in texts:
                found = tokenizer.tokenize(text)
                waiting.append((text, len(found)))
                yield from found

        annotated = self.annotate(sentences(), threads=threads)
        done: list[Sentence] = []
        for sentence in annotated:
            # Texts without a word come out when the next one does.
            while waiting[0][1] == len(done):
                yield Document(done, waiting.popleft()[0])
                done = []
            done.append(sentence)
        for text, _ in waiting:
            yield Document(done, text)
            done = []

    def stream(
        self,
        pieces: Iterable[str],
        *,
        lines: bool = False,
        ranges: bool = False,
        threads: int = 1,
        beam: int | None = None,
        confidence: bool = False,
    ) -> Iterator[Sentence]:
        """The sentences of one long text that comes in pieces, in constant memory.

        With `lines`, every line is a sentence; with `ranges`, MISC tells where in the text a token stands.
        """
        tokenized = self.tokenize(pieces, lines=lines, ranges=ranges)
        return self.annotate(tokenized, threads=threads, beam=beam, confidence=confidence)

    def tokenize(
        self, pieces: Iterable[str], *, lines: bool = False, ranges: bool = False
    ) -> Iterator[Sentence]:
        """Sentences with their words only; see `stream`. What comes before a fault of the input is not lost."""
        faults: list[Exception] = []

        def until_fault() -> Iterator[str]:
            try:
                yield from pieces
            except InputError as error:
                faults.append(error)

        yield from self._tokenizer.stream(until_fault(), lines=lines, ranges=ranges)
        if faults:
            raise faults[0]

    def parse(self, sentences: Iterable[Sentence], *, threads: int = 1, keep_tags: bool = False) -> Treebank:
        """New sentences with tags, lemmas and trees; those given are left as they are."""
        copies = (sentence.copy() for sentence in sentences)
        return Treebank(list(self.annotate(copies, threads=threads, keep_tags=keep_tags)))

    def annotate(
        self,
        sentences: Iterable[Sentence],
        *,
        threads: int = 1,
        keep_tags: bool = False,
        beam: int | None = None,
        keep_heads: bool = False,
        confidence: bool = False,
    ) -> Iterator[Sentence]:
        """Put tags, lemmas and trees into the sentences themselves, in order and in constant memory.

        With `keep_tags`, tags, features and lemmas that are there stay; with `keep_heads`, heads and labels. A joint
        parser chooses among the best tags of the tagger; where others vote with it, they see what it has chosen.
        """
        if isinstance(self.parser, Parser) and self.parser.options.joint and self.tagger is not None:
            self._check_asked(keep_heads, confidence)
            chooser = Chooser(self.tagger, self.lemmatizer, self.parser.options)
            pairs, twins = tee(chooser.annotate(sentences, threads=threads, keep_tags=keep_tags))
            parsed = self.parser.annotate(
                (sentence for sentence, _ in pairs),
                beam=beam,
                threads=threads,
                keep_heads=keep_heads,
                confidence=confidence,
                candidates=(choice for _, choice in twins),
            )
            return self._vote(parsed, threads)
        tagged = self.tag(sentences, threads=threads, keep_tags=keep_tags)
        return self.attach(tagged, threads=threads, beam=beam, keep_heads=keep_heads, confidence=confidence)

    def attach(
        self,
        sentences: Iterable[Sentence],
        *,
        threads: int = 1,
        beam: int | None = None,
        keep_heads: bool = False,
        confidence: bool = False,
    ) -> Iterator[Sentence]:
        """Put trees into sentences that have tags."""
        if self.parser is None:
            return iter(sentences)
        self._check_asked(keep_heads, confidence)
        guided = self.put_guide(sentences, threads=threads)
        parsed = self.parser.annotate(
            guided, beam=beam, threads=threads, keep_heads=keep_heads, confidence=confidence
        )
        return self._vote(parsed, threads)

    def _check_asked(self, keep_heads: bool, confidence: bool) -> None:
        if keep_heads and self.guide:
            raise InputError("Heads cannot be kept by a guided parser: it takes them for those of its guide.")
        if (keep_heads or confidence) and (self.second or self.third):
            raise InputError("Where parsers vote, heads cannot be kept, and nobody knows how sure they are.")

    def _vote(self, sentences: Iterator[Sentence], threads: int) -> Iterator[Sentence]:
        """The sentences, whose trees have one vote, with the trees that win."""
        voters = [voter for voter in (self.second, self.third) if voter is not None]
        return _voted(sentences, voters, threads) if voters else sentences

    def put_guide(self, sentences: Iterable[Sentence], *, threads: int = 1) -> Iterator[Sentence]:
        """Put the trees of the guide, if there is one, into sentences that have tags: what the parser looks at."""
        return self.guide.annotate(sentences, threads=threads) if self.guide else iter(sentences)

    def tag(
        self, sentences: Iterable[Sentence], *, threads: int = 1, keep_tags: bool = False
    ) -> Iterator[Sentence]:
        """Put tags and lemmas into the sentences themselves."""
        found: Iterable[Sentence] = sentences
        for part, columns in (self.tagger, ("upos", "xpos", "feats")), (self.lemmatizer, ("lemmas",)):
            if part is None:
                continue
            annotate = partial(part.annotate, threads=threads)
            found = _keeping(annotate, found, columns) if keep_tags else annotate(found)
        return iter(found)

    def save(self, path: str | Path) -> None:
        """Write a folder with one model per part; a single part is written as itself."""
        licence = self.recipe.model.licence
        parts = self.parts
        if len(parts) == 1:
            next(iter(parts.values())).save(path, licence=licence)
            return
        store.save_parts(
            path,
            kind="pipeline",
            about={**self.about_, "parts": list(parts), "scores": self.scores_},
            parts={name: _saver(part, licence) for name, part in parts.items()},
            config=self.recipe.to_toml(),
            card=write_card(self.about_, self.scores_, self.recipe, list(parts)),
        )

    @classmethod
    def load(cls, path: str | Path) -> Pipeline:
        """Read a model: a pipeline, or one part alone. Nothing in it is executed."""
        with formats.without_garbage_collection():
            return cls._load(path)

    @classmethod
    def _load(cls, path: str | Path) -> Pipeline:
        folder = locate(path)
        if not folder.exists():
            known = ", ".join(packaged()) or "none"
            raise InputError(f"{path}: there is no such model. In the package: {known}.")
        manifest = store.read_manifest(folder)
        kind = manifest.get("kind")
        pipeline = cls()
        if kind in _KINDS:
            places, part = _KINDS[kind]
            setattr(pipeline, places[0], part.load(folder))
            return pipeline
        about, config = store.load_parts(folder, "pipeline")
        try:
            pipeline.recipe = Recipe.from_toml(config)
            for name in about.pop("parts"):
                setattr(pipeline, name, _load_part(name, folder / name))
            scores = about.pop("scores")
            pipeline.scores_ = {
                str(way): {str(name): float(score) for name, score in found.items()}
                for way, found in scores.items()
            }
        except (KeyError, TypeError, ValueError, AttributeError, InputError) as error:
            raise InputError(f"{path}: the model is damaged or incomplete: {error}.") from None
        pipeline.about_ = about
        return pipeline

    @property
    def _tokenizer(self) -> Tokenizer:
        if self.tokenizer is None:
            raise InputError(
                "The model has no tokenizer, so it cannot read text, only words (CoNLL-U). A tokenizer is learned "
                "when a model is trained on the folder of a treebank."
            )
        return self.tokenizer


def load(path: str | Path) -> Pipeline:
    """Read a model: a folder, or the name of one that comes with the package (`en`)."""
    return Pipeline.load(path)


def _load_part(name: str, folder: Path) -> Part:
    places, part = _KINDS[store.read_manifest(folder)["kind"]]
    if name not in places:
        raise InputError(f"there is a {places[0]} in the place of the {name}")
    return part.load(folder)


def _saver(part: Part, licence: str) -> Callable[[Path], None]:
    return lambda path: part.save(path, licence=licence)


def _voted(
    sentences: Iterable[Sentence], voters: Sequence[Parser | GraphParser], threads: int
) -> Iterator[Sentence]:
    for batch in batches(sentences, 1, threads):
        copies = [[sentence.copy() for sentence in batch] for _ in voters]
        others = [
            list(voter.annotate(own, threads=threads)) for voter, own in zip(voters, copies, strict=True)
        ]
        for sentence, voted in zip(batch, vote([batch, *others]), strict=True):
            sentence.heads, sentence.deprels = voted.heads, voted.deprels
            yield sentence


def _keeping(
    annotate: Callable[[Iterable[Sentence]], Iterator[Sentence]],
    sentences: Iterable[Sentence],
    columns: Sequence[str],
) -> Iterator[Sentence]:
    """Annotate, but words that have one of these columns filled get all of them back."""
    waiting: deque[list[list[str]]] = deque()

    def remembered() -> Iterator[Sentence]:
        for sentence in sentences:
            waiting.append([list(getattr(sentence, column)) for column in columns])
            yield sentence

    for sentence in annotate(remembered()):
        given = waiting.popleft()
        kept = [any(value != EMPTY for value in values) for values in zip(*given, strict=True)]
        for column, values in zip(columns, given, strict=True):
            found = getattr(sentence, column)
            setattr(
                sentence,
                column,
                [old if keep else new for keep, old, new in zip(kept, values, found, strict=True)],
            )
        yield sentence
