"""Taggers, sources and learners of an experiment on domains: what several rows need is made once.

No epoch is chosen by a score, so the dev set, by which rows are compared, is new to all of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, islice
from typing import Any

from plait import formats
from plait.components.lemmatizer import Lemmatizer
from plait.components.normalizer import Normalizer
from plait.components.tagger import Tagger
from plait.evaluation import evaluate
from plait.experiments.document import TreebankFiles
from plait.experiments.domains.spec import Domains, Lines, Row, Setting
from plait.experiments.measures import by_sentence
from plait.experiments.processes import finish
from plait.experiments.shelf import Shelf
from plait.features.clusters import Clusters
from plait.formats.files import open_source
from plait.formats.text import pieces
from plait.learning import registry
from plait.learning.component import Component, through
from plait.learning.jackknife import assign, jackknife
from plait.learning.lessons import Lessons
from plait.learning.plan import Plan
from plait.learning.workshop import Workshop
from plait.pipeline import Pipeline
from plait.pipeline.agreement import agreed
from plait.sentence import Sentence, Treebank
from plait.trees.voting import vote

_LONGEST = 120  # words; what is longer is hardly a sentence
_TAG_EPOCHS = 5

OnResult = Callable[["DomainResult", int, int], None]


@dataclass(frozen=True, slots=True)
class _Task:
    """Of which all parts are: the experiment, by which the data are found in another process."""

    plan: Domains

    @property
    def treebank(self) -> TreebankFiles:
        return self.plan.treebank

    @property
    def leaves(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Clustering(_Task):
    """Clusters of the words of raw text and of the treebank."""

    name: str = "clusters"

    @property
    def leaves(self) -> tuple[str, ...]:
        return ("clusters.txt",)

    def origin(self) -> dict[str, Any]:
        known = self.plan.knowledge
        return {"clusters": known.clusters, "least": known.least, "texts": list(map(str, known.texts))}


@dataclass(frozen=True, slots=True)
class Tagging(_Task):
    """The training set with jackknifed tags; the target's dev set and raw text with predicted ones."""

    setting: Setting
    knows: tuple[str, ...]
    gold: bool

    @property
    def name(self) -> str:
        kinds = "+".join(self.knows) or "plain"
        return f"{self.setting.name}.{kinds}.{'all' if self.gold else 'tags'}"

    @property
    def workshop(self) -> str:
        return f"tagged/{self.name}"

    @property
    def leaves(self) -> tuple[str, ...]:
        return tuple(f"{self.workshop}/{part}.jsonl" for part in ("train", "dev", "raw"))

    def origin(self) -> dict[str, Any]:
        known = {"clusters": self.plan.knowledge.clusters, "least": self.plan.knowledge.least}
        raw = {"texts": list(map(str, self.setting.texts)), "most": self.plan.most}
        return {"train": list(self.setting.train), "folds": self.plan.folds, **known, **raw}


@dataclass(frozen=True, slots=True)
class Parsing(_Task):
    """The raw text of a setting as a source parses it."""

    tagging: Tagging
    source: str

    @property
    def name(self) -> str:
        return f"{self.tagging.name}.{self.source}"

    @property
    def leaves(self) -> tuple[str, ...]:
        return (f"parsed/{self.name}.jsonl",)

    def origin(self) -> dict[str, Any]:
        return self.tagging.origin() | {"source": self.plan.sources[self.source].to_toml("source")}


@dataclass(frozen=True, slots=True)
class Cell(_Task):
    """A row in a setting with a seed."""

    setting: Setting
    row: Row
    seed: int

    @property
    def name(self) -> str:
        stem = "".join(letter if letter.isalnum() or letter in "+-" else "-" for letter in self.row.name)
        return f"{self.setting.name}.{stem}.seed{self.seed}"

    @property
    def tagging(self) -> Tagging:
        return Tagging(self.plan, self.setting, self.row.knows, self.row.gold)

    @property
    def parsings(self) -> list[Parsing]:
        """The sources know the treebank and nothing else, so all rows share them."""
        plain = Tagging(self.plan, self.setting, (), False)
        return [Parsing(self.plan, plain, source) for source in self.row.sources]

    def origin(self) -> dict[str, Any]:
        row = asdict(self.row) | {"knows": list(self.row.knows), "sources": list(self.row.sources)}
        sources = [each.origin() for each in self.parsings]
        return self.tagging.origin() | {
            "row": row,
            "seed": self.seed,
            "sources": sources,
            "learner": self.plan.learner.to_toml("learner"),
        }

    def __str__(self) -> str:
        return f"{self.setting.name}, {self.row.name}, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class DomainResult:
    """What a cell gave on the target's dev set; `right` and `words` are by sentence."""

    cell: Cell
    las: float
    uas: float
    upos: float
    added: int  # sentences
    seconds: float
    right: list[int]
    words: list[int]


def run_domains(plan: Domains, *, jobs: int = 1, on_result: OnResult | None = None) -> list[DomainResult]:
    """Do all that is not finished; the results of the cells, in their order."""
    shelf = Shelf(plan.output, [plan.treebank])
    cells = [Cell(plan, *each) for each in plan.cells]
    if any("clusters" in cell.row.knows for cell in cells):
        finish([Clustering(plan)], shelf, learn_clusters, lambda task, _: task, jobs=jobs)
    taggings = {each.name: each for cell in cells for each in (cell.tagging, *_tagged_for(cell))}
    finish(list(taggings.values()), shelf, tag, lambda task, _: task, jobs=jobs)
    parsings = {each.name: each for cell in cells for each in cell.parsings}
    # The slowest first, or all would wait for them in the end.
    slow = sorted(parsings.values(), key=lambda each: plan.sources[each.source].kind == "transition")
    finish(slow, shelf, parse, lambda task, _: task, jobs=jobs)

    def tell(result: DomainResult, done: int) -> None:
        if on_result:
            on_result(result, done, len(cells))

    # Seed by seed, so that what is there when a run is cut off can be compared.
    ordered = sorted(cells, key=lambda cell: cell.seed)
    found = finish(ordered, shelf, learn, _read, jobs=jobs, on_result=tell)
    by_name = {result.cell.name: result for result in found}
    return [by_name[cell.name] for cell in cells]


def learn_clusters(task: Clustering, shelf: Shelf) -> dict[str, Any]:
    """Of the raw texts and the words of the whole training set, whose trees nobody looks at here."""
    plan, known = task.plan, task.plan.knowledge
    raw = (sentence.forms for sentence in _raw(known.texts, plan.tokenizer))
    own = (sentence.forms for sentence in formats.read(plan.treebank.train))
    clusters = Clusters.learn(chain(raw, own), clusters=known.clusters, least=known.least)
    clusters.save(shelf.folder / "clusters.txt")
    return {}


def tag(task: Tagging, shelf: Shelf) -> dict[str, Any]:
    """Tagger and lemmatizer from the training genres, and all sentences as they tag them."""
    plan, setting, known = task.plan, task.setting, task.plan.knowledge
    train_file, dev_file = (formats.read(path) for path in (plan.treebank.train, plan.treebank.dev))
    genres = {*setting.train, *([setting.target] if task.gold else [])}
    train = [each for each in train_file if genre(each) in genres]
    dev = [each for each in dev_file if genre(each) == setting.target]
    own = [Sentence(forms=each.forms, misc=each.misc) for each in train_file if genre(each) == setting.target]
    raw = (
        [] if task.gold else list(islice(_fresh(chain(own, _raw(setting.texts, plan.tokenizer))), plan.most))
    )
    if "norms" in task.knows:
        normalizer = Normalizer(spellings=",".join(map(str, known.spellings)) or "web")
        normalizer.learn_words(chain.from_iterable(sentence.forms for sentence in train))
        train, dev, raw = (list(normalizer.annotate(each)) for each in (train, dev, raw))
    lessons = _lessons(train, task, shelf)
    lexicon = ",".join(map(str, known.lexicon)) if "lexicon" in task.knows else ""
    components: list[Component[Any]] = [
        Tagger(epochs=_TAG_EPOCHS, lexicon=lexicon).fit(lessons),
        Lemmatizer(epochs=_TAG_EPOCHS).fit(lessons),
    ]
    shop = Workshop(shelf.folder / task.workshop)
    folds = assign(lessons, plan.folds)
    shop.keep_sentences("train", jackknife(components, lessons, folds))
    for name, sentences in (("dev", dev), ("raw", raw)):
        shop.keep_sentences(name, list(through(components, sentences)))
    return {"sentences": len(train), "raw": len(raw), "raw_words": sum(map(len, raw))}


def parse(task: Parsing, shelf: Shelf) -> dict[str, Any]:
    """The raw text by a parser that learned from the training genres."""
    parser = _learned(
        task.plan.sources[task.source], _kept(task.tagging, shelf, "train"), task.tagging, shelf
    )
    raw = _kept(task.tagging, shelf, "raw")
    path = shelf.folder / task.leaves[0]
    path.parent.mkdir(parents=True, exist_ok=True)
    formats.write(parser.annotate(raw), path, format="jsonl")
    return {}


def learn(cell: Cell, shelf: Shelf) -> dict[str, Any]:
    """The learner, from the treebank and what the row adds; its scores on the target's dev set."""
    start = time.perf_counter()
    row = cell.row
    train = _kept(cell.tagging, shelf, "train")
    parses = [formats.read(shelf.folder / each.leaves[0]) for each in cell.parsings]
    added = _added(row, parses, _kept(cell.tagging, shelf, "raw") if parses else ())
    plan = cell.plan.learner
    plan = Plan(plan.kind, plan.options.updated({"seed": cell.seed}), plan.members)
    parser = _learned(plan, [*train, *added], cell.tagging, shelf)
    dev = _kept(cell.tagging, shelf, "dev")
    gold = [each for each in formats.read(cell.treebank.dev) if genre(each) == cell.setting.target]
    parsed = parser.apply(dev)
    scores = evaluate(Treebank(gold), parsed)
    return {
        "las": scores.las,
        "uas": scores.uas,
        "upos": scores.upos,
        "added": len(added),
        "seconds": time.perf_counter() - start,
        "right": by_sentence(gold, parsed, "las")[:, 0].tolist(),
        "words": [len(each) for each in gold],
    }


def genre(sentence: Sentence) -> str:
    """As the sentence's name tells it: what stands before the first hyphen."""
    return (sentence.sent_id or "").split("-")[0]


def _tagged_for(cell: Cell) -> list[Tagging]:
    return [each.tagging for each in cell.parsings]


def _added(row: Row, parses: Sequence[Sequence[Sentence]], raw: Sequence[Sentence]) -> list[Sentence]:
    """The trees of the sources, on the sentences as the learner will see such: with the tags of its own tagger."""
    for sentences in parses:
        for mine, theirs in zip(raw, sentences, strict=True):
            theirs.upos, theirs.xpos, theirs.feats, theirs.lemmas = (
                mine.upos,
                mine.xpos,
                mine.feats,
                mine.lemmas,
            )
            theirs.layers = dict(mine.layers)
    if row.adds == "agreement":
        return list(agreed(parses, least=row.least, most=row.most))
    if row.adds == "vote":
        return [each for each in vote(parses) if len(each) >= row.least][: row.most]
    return []


def _learned(plan: Plan, train: Sequence[Sentence], tagging: Tagging, shelf: Shelf) -> Any:
    return registry.find(plan.kind).from_plan(plan).fit(_lessons(train, tagging, shelf))


def _lessons(train: Sequence[Sentence], task: Tagging, shelf: Shelf) -> Lessons:
    clusters = Clusters.load(shelf.folder / "clusters.txt") if "clusters" in task.knows else None
    return Lessons.of(train, clusters)


def _kept(task: Tagging, shelf: Shelf, part: str) -> list[Sentence]:
    found = Workshop(shelf.folder / task.workshop, resume=True).find_sentences(part)
    assert found is not None
    return found


def _raw(texts: Iterable[Lines], tokenizer: str) -> Iterator[Sentence]:
    """The sentences of raw texts, as a model cuts them. Of texts of which some lines are taken, each is a paragraph."""
    if not texts:
        return
    model = Pipeline.load(tokenizer)
    for each in texts:
        with open_source(each.path) as source:
            text: Iterable[str] = pieces(source)
            if each.last is not None:
                lines = "".join(text).split("\n")
                text = ["\n\n".join(lines[each.first - 1 : each.last])]
            yield from model.tokenize(text)


def _fresh(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    seen: set[tuple[str, ...]] = set()
    for sentence in sentences:
        key = tuple(sentence.forms)
        if 1 < len(key) <= _LONGEST and key not in seen:
            seen.add(key)
            yield Sentence(forms=sentence.forms, misc=sentence.misc)


def _read(cell: Cell, stored: dict[str, Any]) -> DomainResult:
    return DomainResult(cell=cell, **stored)
