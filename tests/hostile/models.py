"""Models that someone has damaged or forged: refused with a message, or what they write is a treebank."""

from __future__ import annotations

import random
import shutil
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import ClassVar, Self

from click.testing import CliRunner
from safetensors.numpy import load_file

import plait
from hostile import damage
from hostile.guard import attempt
from hostile.report import Finding
from hostile.toy_models import save_models
from plait import Pipeline, Sentence
from plait.cli.info import info
from plait.errors import PlaitError
from plait.sentence import Treebank
from plait.validation import validate
from signing import sign
from toy import written

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
        shutil.copytree(chance.choice(self._models), place / "model")
        try:
            ways = self._damage(place / "model", chance)
            found = attempt(self.name, case, lambda: self._use(place / "model"))
        finally:
            shutil.rmtree(place)
        return found and Finding(found.attack, found.case, found.kind, f"{ways}: {found.detail}")

    def _damage(self, model: Path, chance: random.Random) -> str:
        targets = [model, *sorted(path.parent for path in model.glob("*/**/manifest.json"))]
        folder = chance.choice(targets)
        ways = [chance.choice(damage.WAYS) for _ in range(chance.choice((1, 1, 1, 2)))]
        if not load_file(folder / "weights.safetensors"):  # it only holds others
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
        with redirect_stdout(StringIO()):
            shown = CliRunner().invoke(info, [str(model)])
        if shown.exception and not isinstance(shown.exception, PlaitError | SystemExit):
            raise shown.exception
        if pipeline.giving("tokens"):
            fault = self._fault(list(pipeline(TEXT)), model.parent)
            if fault:
                return fault
        fresh = [
            Sentence(forms=list(sentence.forms), upos=list(sentence.upos)) for sentence in self._sentences
        ]
        return self._fault(list(pipeline.parse(fresh)), model.parent)

    @staticmethod
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
