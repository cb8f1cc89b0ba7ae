"""The parsers that `parsing.py` measures: how each is trained, loaded, and asked to parse.

A candidate is a model and a way to search with it: UDPipe's `greedy` and `beam5` share one model. Every function
runs in a process of its own; nothing is imported before it is needed, so that memory is the candidate's own.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

# What a network reads of a word. spaCy's default reads forms only; its tags are made by a later component.
_SPACY_FORMS = {"NORM": 5000, "PREFIX": 1000, "SUFFIX": 2500, "SHAPE": 2500}
_SPACY_TAGS = {"POS": 50, "MORPH": 1000}
_SPACY_BATCHES = (100.0, 1000.0, 1.001)  # words: the first, the most, the growth from one to the next
_SPACY_PASSES = 20


@dataclass(frozen=True)
class Files:
    """The treebank as CoNLL-U files, cut to the size that was asked for."""

    train: Path
    dev: Path


class Loaded(Protocol):
    """A model in memory, ready to parse."""

    core: Callable[[], object] | None  # integers in, integers out
    memory: Callable[[], object]  # the library's own sentence objects in and out
    file: Callable[[Path], object] | None  # reads the dev file, writes this one
    prepare: Callable[[], object]  # fresh objects for the next round of `memory`, not timed

    def write(self, path: Path) -> None: ...


def split(candidate: str) -> tuple[str, str, int]:
    """The package, the model and the beam of a candidate: `udpipe-beam5` is UDPipe, its one model, 5."""
    package, _, search = candidate.partition("-")
    beam = int(search[4:]) if search.startswith("beam") and search[4:].isdigit() else 1
    if package not in PACKAGES or (beam == 1 and search not in PACKAGES[package].searches):
        raise ValueError(candidate)
    return package, package if package == "udpipe" else candidate, beam


# Plait


def train_plait(candidate: str, files: Files, model: Path, epochs: int | None) -> dict[str, Any]:
    import plait

    options = {"beam": split(candidate)[2]} | ({"epochs": epochs} if epochs else {})
    parser = plait.TransitionParser(**options)
    parser.fit(plait.read(files.train), dev=plait.read(files.dev))
    parser.save(model)
    return {
        "epochs": len(parser.history_),
        "best_epoch": parser.best_epoch_,
        "options": parser.options.to_toml(),
    }


class LoadedPlait:
    """Batches of integers, as the parser makes them, are kept for `core`."""

    def __init__(self, candidate: str, files: Files, model: Path, threads: int) -> None:
        import plait
        from plait.components.transition.model import Search
        from plait.learning.flow import batches
        from plait.learning.request import Request

        self._plait = plait
        parser = plait.TransitionParser.load(model)
        self._gold = plait.read(files.dev)
        beam = split(candidate)[2]
        core = parser.state
        search, request = Search(beam, 1, threads), Request(beam=beam, threads=threads)
        encoded = [core.setup.encode(batch) for batch in batches(self._gold, beam, threads)]
        self.core = lambda: [core.search(batch, search) for batch in encoded]
        self.prepare = self._copy
        self.memory = lambda: list(parser.annotate(self._sentences, request))
        self.file: Callable[[Path], object] = lambda path: plait.write(
            parser.annotate(plait.stream(files.dev), request), path
        )

    def _copy(self) -> None:
        self._sentences = [sentence.copy() for sentence in self._gold]

    def write(self, path: Path) -> None:
        self._plait.write(self._sentences, path)


# UDPipe 1


def _udpipe_sentences(path: Path) -> list[Any]:
    """A list: UDPipe's own vector hands out copies, and trees parsed into a copy are lost."""
    import ufal.udpipe as udpipe

    reader = udpipe.InputFormat.newInputFormat("conllu")
    reader.setText(path.read_text(encoding="utf-8"))
    sentences, error = [], udpipe.ProcessingError()
    sentence = udpipe.Sentence()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = udpipe.Sentence()
    if error.occurred():
        raise RuntimeError(error.message)
    return sentences


def train_udpipe(candidate: str, files: Files, model: Path, epochs: int | None) -> dict[str, Any]:
    """All other options are UDPipe's defaults; with held-out data it keeps its best iteration, as Plait does."""
    import ufal.udpipe as udpipe

    del candidate  # greedy and beam search share the model
    train = _udpipe_sentences(files.train)
    one_root = all(sum(word.head == 0 for word in list(each.words)[1:]) == 1 for each in train)
    options = {
        "transition_system": "swap",
        "transition_oracle": "static_lazy",
        "use_gold_tags": 1,
        "single_root": int(one_root),
        "iterations": epochs or 10,
    }
    error = udpipe.ProcessingError()
    data = udpipe.Trainer.train(
        "morphodita_parsito",
        udpipe.Sentences(train),
        udpipe.Sentences(_udpipe_sentences(files.dev)),
        "none",
        "none",
        ";".join(f"{name}={value}" for name, value in options.items()),
        error,
    )
    if error.occurred():
        raise RuntimeError(error.message)
    model.write_bytes(data)
    return {"epochs": options["iterations"], "options": options}


class LoadedUDPipe:
    """The dev sentences stay in UDPipe's own objects; parsing replaces their trees."""

    def __init__(self, candidate: str, files: Files, model: Path, threads: int) -> None:
        import ufal.udpipe as udpipe

        del threads  # it has one
        self._udpipe = udpipe
        loaded = udpipe.Model.load(str(model))
        beam = split(candidate)[2]
        search = f"beam_search={beam}"
        self._sentences = _udpipe_sentences(files.dev)
        pipeline = udpipe.Pipeline(loaded, "conllu", udpipe.Pipeline.NONE, search, "conllu")
        self.core = None
        self.prepare: Callable[[], object] = lambda: None
        self.memory = lambda: [loaded.parse(sentence, search) for sentence in self._sentences]
        self.file: Callable[[Path], object] = lambda path: path.write_text(
            pipeline.process(files.dev.read_text(encoding="utf-8")), encoding="utf-8"
        )

    def write(self, path: Path) -> None:
        writer = self._udpipe.OutputFormat.newOutputFormat("conllu")
        text = "".join(writer.writeSentence(sentence) for sentence in self._sentences)
        path.write_text(text + writer.finishDocument(), encoding="utf-8")


# spaCy


def _spacy_doc(nlp: Any, sentence: Any, *, tags: bool, trees: bool) -> Any:
    """A sentence as a document of its own, so that the parser need not find where sentences begin."""
    from spacy.tokens import Doc

    given: dict[str, Any] = {"words": sentence.forms, "sent_starts": [i == 0 for i in range(len(sentence))]}
    if tags:
        given |= {"pos": [tag.replace("_", "X") for tag in sentence.upos], "morphs": sentence.feats}
    if trees:
        heads = [head - 1 if head else i for i, head in enumerate(sentence.heads)]
        given |= {"heads": heads, "deps": sentence.deprels, "sent_starts": None}
    return Doc(nlp.vocab, **given)


def train_spacy(candidate: str, files: Files, model: Path, epochs: int | None) -> dict[str, Any]:
    """Network, batches and optimizer (Adam) as in the configuration spaCy recommends for a CPU."""
    import spacy
    from spacy.training import Example
    from spacy.training.batchers import minibatch_by_words
    from spacy.util import fix_random_seed
    from thinc.api import compounding

    import plait

    fix_random_seed(1)
    tags = candidate == "spacy-tags"
    attributes = _SPACY_FORMS | (_SPACY_TAGS if tags else {})
    nlp = spacy.blank("xx")
    nlp.add_pipe("parser", config={"model": _spacy_network(attributes)})
    train, dev = (
        [
            Example(
                _spacy_doc(nlp, sentence, tags=tags, trees=False),
                _spacy_doc(nlp, sentence, tags=tags, trees=True),
            )
            for sentence in plait.read(path)
        ]
        for path in (files.train, files.dev)
    )
    optimizer = nlp.initialize(lambda: train)
    chance = random.Random(1)
    sizes = compounding(*_SPACY_BATCHES)
    best, best_epoch, number = -1.0, 0, epochs or _SPACY_PASSES
    for epoch in range(1, number + 1):
        chance.shuffle(train)
        for batch in minibatch_by_words(train, sizes):
            nlp.update(batch, sgd=optimizer, drop=0.1)
        with nlp.use_params(optimizer.averages):
            las = nlp.evaluate(dev)["dep_las"] or 0.0
            if las > best:
                best, best_epoch = las, epoch
                nlp.to_disk(model)
    return {"epochs": number, "best_epoch": best_epoch, "options": {"attributes": list(attributes)}}


def _spacy_network(attributes: dict[str, int]) -> dict[str, Any]:
    return {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": "parser",
        "extra_state_tokens": False,
        "hidden_width": 64,
        "maxout_pieces": 2,
        "use_upper": True,
        "nO": None,
        "tok2vec": {
            "@architectures": "spacy.Tok2Vec.v2",
            "embed": {
                "@architectures": "spacy.MultiHashEmbed.v2",
                "width": 96,
                "attrs": list(attributes),
                "rows": list(attributes.values()),
                "include_static_vectors": False,
            },
            "encode": {
                "@architectures": "spacy.MaxoutWindowEncoder.v2",
                "width": 96,
                "depth": 4,
                "window_size": 1,
                "maxout_pieces": 3,
            },
        },
    }


class LoadedSpacy:
    """It has no CoNLL-U writer, so there is no way from file to file."""

    def __init__(self, candidate: str, files: Files, model: Path, threads: int) -> None:
        import spacy

        import plait

        del threads
        self._plait = plait
        self._nlp = nlp = spacy.load(model)
        self._gold = plait.read(files.dev)
        self._tags = candidate == "spacy-tags"
        # spaCy has a name of its own for the label of roots; the treebank's stands in its first sentence.
        first = next(iter(plait.stream(files.train)))
        self._root = first.deprels[first.heads.index(0)]
        self.core = None
        self.file = None
        self.prepare = self._make
        self.memory = lambda: list(nlp.pipe(self._docs))

    def _make(self) -> None:
        self._docs = [_spacy_doc(self._nlp, each, tags=self._tags, trees=False) for each in self._gold]

    def write(self, path: Path) -> None:
        sentences = []
        for gold, doc in zip(self._gold, self._docs, strict=True):
            sentence = gold.copy()
            sentence.heads = [0 if word.head.i == word.i else word.head.i + 1 for word in doc]
            sentence.deprels = [self._root if word.dep_ == "ROOT" else word.dep_ for word in doc]
            sentence.deps = ["_"] * len(sentence)
            sentence.empty_nodes = []
            sentences.append(sentence)
        self._plait.write(sentences, path)


@dataclass(frozen=True)
class Package:
    """A package, the module it needs, its ways to search that are not a beam, and what it reads of a word."""

    module: str
    searches: tuple[str, ...]
    train: Callable[[str, Files, Path, int | None], dict[str, Any]]
    load: Callable[[str, Files, Path, int], Loaded]


PACKAGES = {
    "plait": Package("plait", ("greedy",), train_plait, LoadedPlait),
    "udpipe": Package("ufal.udpipe", ("greedy",), train_udpipe, LoadedUDPipe),
    "spacy": Package("spacy", ("forms", "tags"), train_spacy, LoadedSpacy),
}


def sees(candidate: str) -> str:
    return "forms" if candidate == "spacy-forms" else "forms, gold tags"


__all__ = ["PACKAGES", "Files", "Loaded", "sees", "split"]
