"""Models that someone has damaged or forged: refused with a message, or what they write is a treebank."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import ClassVar, Self

from click.testing import CliRunner
from safetensors.numpy import load_file

import plait
from hostile import archives, damage
from hostile.guard import attempt
from hostile.report import Finding
from hostile.toy_models import LATER, MENTION, REFER, save_models
from mention_texts import grec, people
from plait import Pipeline, Sentence
from plait.cli.info import info
from plait.drawing.preferences import Preferences
from plait.errors import PlaitError
from plait.formats.grec import read_mentions, write_mentions
from plait.generation import Realizer
from plait.generation.mentions import MentionFiller
from plait.generation.refer import made
from plait.generation.refer.model import Referrer
from plait.sentence import Treebank
from plait.validation import validate
from signing import sign
from toy import framed, written
from toy_deep import with_content

TEXT = "The dog didn't see a cat today. Mr. Smith's bird sang!"
# What a model may have learned from a treebank that is no UD treebank.
_OWN_WAYS = ("FEATS ", "HEAD is given but DEPREL is _", "words hang from the root")


class Attack:
    """Every case is a copy of a toy model, damaged in one way or several."""

    name: ClassVar[str] = "models"

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "models"
        self._models: list[Path] = []
        self._sentences = list(written(2, seed=3))

    def __enter__(self) -> Self:
        self._models = save_models(self._folder / "whole")
        return self

    def __exit__(self, *error: object) -> None:
        shutil.rmtree(self._folder)

    def run(self, case: int) -> Finding | None:
        chance = random.Random(case)
        place = self._folder / "case"
        whole = chance.choice(self._models)
        use = next((use for name, use in _USES.items() if whole.name.startswith(name)), self._use)
        shutil.copytree(whole, place / "model")
        try:
            model = place / "model"
            # Every third one comes as one file; of these, half were whole before.
            as_file = chance.random() < 0.33
            ways = "whole" if as_file and chance.random() < 0.5 else self._damage(model, chance)
            if as_file:
                ways += f", {archives.pack(model, place / 'model.plait', chance)}"
                model = place / "model.plait"
            found = attempt(self.name, case, lambda: _told(model) or use(model))
        finally:
            shutil.rmtree(place)
        return found and Finding(
            found.attack, found.case, found.kind, f"{whole.name}, {ways}: {found.detail}"
        )

    def _damage(self, model: Path, chance: random.Random) -> str:
        targets = [model, *sorted(path.parent for path in model.glob("*/**/manifest.json"))]
        folder = chance.choice(targets)
        ways = [chance.choice(damage.WAYS) for _ in range(chance.choice((1, 1, 1, 2)))]
        if not load_file(folder / "weights.safetensors"):  # it has none, or only holds others
            about_tensors = (
                damage.change_tensors,
                damage.change_texts,
                damage.poison_texts,
                damage.change_header,
            )
            ways = [damage.change_manifest if way in about_tensors else way for way in ways]
        if len(ways) == 2 and not {
            damage.change_config,
            damage.change_manifest,
            damage.grow_manifest,
        }.issuperset(ways):
            ways = ways[:1]  # the second would stumble over what the first has left
        for way in ways:
            way(folder, chance)
        # What is no file, or is very long, cannot be signed here.
        odd = any(path.is_symlink() or path.stat().st_size > 1 << 25 for path in folder.iterdir())
        if chance.random() < 0.85 and not odd and (folder / "SHA256SUMS").is_file():
            sign(folder)
        return f"{folder.name}, {', '.join(way.__name__ for way in ways)}"

    def _use(self, model: Path) -> str | None:
        """What is wrong with what the model writes, if it can be loaded."""
        pipeline = Pipeline.load(model)
        if pipeline.giving("tokens"):
            fault = _fault(list(pipeline(TEXT)), model.parent)
            if fault:
                return fault
        fresh = [
            Sentence(forms=list(sentence.forms), upos=list(sentence.upos)) for sentence in self._sentences
        ]
        if not pipeline.components.keys() & set(LATER):
            return _fault(list(pipeline.parse(fresh)), model.parent)
        whole = with_content(framed(written(2, seed=3)))
        return _layer_fault(list(pipeline.parse(whole)), model.parent) or _say(pipeline, whole, model.parent)


def _told(model: Path) -> None:
    with redirect_stdout(StringIO()):
        shown = CliRunner().invoke(info, [str(model)])
    if shown.exception and not isinstance(shown.exception, PlaitError | SystemExit):
        raise shown.exception


def _fault(sentences: list[Sentence], place: Path) -> str | None:
    """The output, read again, is the same and valid."""
    path = place / "out.conllu"
    plait.write(Treebank(sentences), path)
    again = plait.read(path)
    if list(again) != sentences:
        return "what was written is not what is read again"
    for problem in validate(path):
        if not problem.warning and not any(own in problem.message for own in _OWN_WAYS):
            return str(problem)
    return None


def _layer_fault(sentences: list[Sentence], place: Path) -> str | None:
    """What is found beside columns can be written, read again, drawn and shown."""
    path = place / "out.jsonl"
    plait.write(Treebank(sentences), path)
    again = list(plait.read(path))
    for sentence, other in zip(sentences, again, strict=True):
        if other != sentence:
            return "what was written as JSON is not what is read again"
        for layer in sentence.layers.values():
            if not layer.fits(len(sentence)):
                return f"the layer {layer.name} does not fit its sentence"
    return None


def _say(pipeline: Pipeline, sentences: list[Sentence], place: Path) -> str | None:
    """Realizers say trees, deep trees and graphs."""
    if pipeline.giving("order") is None:
        return None
    realizer = Realizer(pipeline)
    kinds = {each.kind for each in pipeline.components.values()}
    starts = {"tree": "order", "deep": "function_words", "graph": "graph2tree"}
    for start in [start for start, kind in starts.items() if kind in kinds]:
        copies = [sentence.copy() for sentence in sentences]
        for best in realizer.best(copies, 3, start=start):
            for each in best:
                if fault := _fault([each.sentence], place):
                    return f"from {start}: {fault}"
    return None


def _refer(model: Path) -> str | None:
    referrer = Referrer.load(model)
    for speaker in (None, *referrer.speakers[:2]):
        scene = made.make_scene(random.Random(1))
        found = referrer.refer(scene, speaker)
        found.phrase.encode()
        if not found.attributes.items() <= scene.target.items():
            return f"the target is not {found.attributes}"
    Preferences(next(iter(referrer.selector.memories.values()))).text()
    return None


def _mention(model: Path) -> str | None:
    filler = MentionFiller.load(model)
    filler.tell().encode()
    given = model.parent / "given.xml"
    given.write_text(people(2, 5) if filler.options.task == "neg" else grec(2, 5), encoding="utf-8")
    filled = filler.fill(read_mentions(given))
    if not all(reference.chosen for text in filled for reference in text.references):
        return "a slot is left empty"
    write_mentions(filled, model.parent / "out.xml")
    if [text.text for text in read_mentions(model.parent / "out.xml")] != [text.text for text in filled]:
        return "the texts written are not those read again"
    return None


_USES: dict[str, Callable[[Path], str | None]] = {REFER: _refer, MENTION: _mention}
