"""A pipeline annotates raw text, and another one learns from that: smaller, faster, or of another kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from plait.errors import InputError
from plait.evaluation import evaluate
from plait.learning import registry
from plait.learning.request import Request
from plait.learning.watch import SILENT, Watch
from plait.learning.workshop import Workshop
from plait.pipeline.pipeline import Pipeline
from plait.pipeline.presets import STUDENTS
from plait.pipeline.recipe import Recipe
from plait.pipeline.train import train
from plait.sentence import Sentence, Treebank

_LAYERS = ("tags", "lemmas", "tree")
_PART = 5_000  # sentences that are annotated and kept together
_LONGEST = 120  # words; what is longer is hardly a sentence
COMPARED = ("las", "uas", "upos", "lemmas")


@dataclass(frozen=True)
class Labelled:
    """Sentences that a teacher has annotated, part by part: read again and again from a workshop, or in memory.
    Sentences that were there before, and those that are no sentences but for their length, are left out.
    """

    parts: Sequence[Callable[[], Sequence[Sentence]]]
    sentences: int
    words: int
    left_out: int

    def __iter__(self) -> Iterator[Sentence]:
        for part in self.parts:
            yield from part()


@dataclass(frozen=True, slots=True)
class Report:
    """What was labelled, and on the dev set: how far teacher and student agree, and how good each is."""

    sentences: int
    words: int
    left_out: int
    agreement: dict[str, float] = field(default_factory=dict)
    teacher: dict[str, float] = field(default_factory=dict)
    student: dict[str, float] = field(default_factory=dict)


def student(name: str) -> Recipe:
    """The recipe of a student that is called so."""
    if name not in STUDENTS:
        raise InputError(f"No student {name!r}. Available: {', '.join(STUDENTS)}, or a recipe (TOML).")
    return Recipe().updated(STUDENTS[name])


def label(
    teacher: Pipeline,
    sentences: Iterable[Sentence],
    *,
    shares: bool = False,
    threads: int = 1,
    watch: Watch = SILENT,
    workshop: Workshop | None = None,
) -> Labelled:
    """Annotate sentences that have words; with `shares`, also with what the teacher is not sure of. In a workshop every
    part that is done is kept, and not done again.
    """
    shop = workshop or Workshop()
    parts: list[Callable[[], Sequence[Sentence]]] = []
    count = words = left_out = 0
    seen: set[int] = set()
    source = iter(sentences)
    while part := list(islice(source, _PART)):
        number = len(parts) + 1
        # In the order in which they were met, also by a training that goes on: what was there before is known.
        fresh = [each for each in part if _is_new(each, seen)]
        found = shop.find_sentences(f"part-{number}")
        if found is None:
            plain = [Sentence(forms=each.forms, misc=each.misc) for each in fresh]
            found = list(teacher.annotate(plain, Request(threads=threads, shares=shares), layers=_LAYERS))
            shop.keep_sentences(f"part-{number}", found)
        count, words = count + len(found), words + sum(map(len, found))
        left_out += len(part) - len(found)
        parts.append(_kept(shop, number, found))
        watch.on_labelled(count, words)
    if not words:
        raise InputError("There is no sentence in the raw text to learn from.")
    return Labelled(parts, count, words, left_out)


def _kept(shop: Workshop, number: int, found: list[Sentence]) -> Callable[[], Sequence[Sentence]]:
    if shop.folder is None:
        return lambda: found
    finished = Workshop(shop.folder, resume=True)

    def read() -> Sequence[Sentence]:
        kept = finished.find_sentences(f"part-{number}")
        if kept is None:
            raise InputError(f"{shop.folder}: labelled text is gone.")
        return kept

    return read


def _is_new(sentence: Sentence, seen: set[int]) -> bool:
    key = hash(tuple(sentence.forms))
    if not 1 < len(sentence) <= _LONGEST or key in seen:
        return False
    seen.add(key)
    return True


def teach(
    teacher: Pipeline,
    sentences: Iterable[Sentence],
    *,
    recipe: Recipe,
    gold: Sequence[Sentence] | None = None,
    dev: Sequence[Sentence] | None = None,
    name: str = "",
    sources: str = "",
    threads: int = 1,
    watch: Watch = SILENT,
    workshop: Workshop | None = None,
) -> tuple[Pipeline, Report]:
    """Let a teacher annotate sentences, and a student learn from these, and from a treebank if there is one. The
    student cuts text as the teacher does. `name` and `sources` are for the card: who taught, and where the text is
    from.
    """
    shop = workshop or Workshop()
    watch.on_component("teacher", None)
    shares = any(registry.find(plan.kind).draws for _, plan in recipe)
    room = shop.room("labelled")
    labelled = label(teacher, sentences, shares=shares, threads=threads, watch=watch, workshop=room)
    taken = {
        each: teacher[own]
        for each, plan in recipe
        for own, component in teacher.components.items()
        if plan.kind == component.kind == "tokenizer"
    }
    missing = [
        each for each, plan in recipe if plan.kind == "tokenizer" and each not in taken and gold is None
    ]
    if missing:
        recipe = recipe.only(*(each for each in recipe.model.order if each not in missing))
    pipeline = train(
        list(labelled) if gold is None else gold,
        dev=dev,
        recipe=recipe,
        threads=threads,
        watch=watch,
        workshop=shop.room("student"),
        ready=Pipeline(taken),
        labelled=None if gold is None else labelled,
    )
    told = f"{name or teacher.model.name or 'a teacher without a name'}{_background(teacher)}"
    origin = replace(pipeline.origin_, teacher=told, labelled=labelled.words, sources=sources)
    if gold is None:
        origin = replace(origin, sentences=0, words=0, treebank="")
    pipeline.origin_ = origin
    return pipeline, _report(teacher, pipeline, labelled, dev)


def _background(teacher: Pipeline) -> str:
    origin, licence = teacher.origin_, teacher.model.licence
    known = [f"learned from {origin.treebank}"] if origin.treebank else []
    known += [f"taught by {origin.teacher}"] if origin.teacher else []
    known += [f"licence {licence}"] if licence else []
    return f" ({', '.join(known)})" if known else ""


def _report(
    teacher: Pipeline, pipeline: Pipeline, labelled: Labelled, dev: Sequence[Sentence] | None
) -> Report:
    report = Report(labelled.sentences, labelled.words, labelled.left_out)
    if dev is None:
        return report
    theirs, ours = teacher.parse(dev), pipeline.parse(dev)
    right = Treebank(list(dev))
    return replace(
        report,
        agreement=_scores(theirs, ours),
        teacher=_scores(right, theirs),
        student=_scores(right, ours),
    )


def _scores(one: Treebank, other: Treebank) -> dict[str, float]:
    found = evaluate(one, other)
    return {name: round(getattr(found, name), 2) for name in COMPARED}
