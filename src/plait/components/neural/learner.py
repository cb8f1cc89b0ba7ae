"""A net that learns pass by pass, by the contract of all that learns; with torch."""

from __future__ import annotations

import json
import operator
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from plait.components.neural import teach
from plait.components.neural.corpus import Classes, Corpus
from plait.components.neural.export import model_of
from plait.components.neural.importing import net_of
from plait.components.neural.model import Model
from plait.components.neural.options import NeuralOptions
from plait.components.neural.presets import Preset, preset
from plait.components.neural.store import new_net
from plait.components.neural.teach import teaching_weights
from plait.components.neural.training import Training, flat, put
from plait.components.neural.transformers import check_encoder
from plait.errors import InputError
from plait.layers import Parse
from plait.learning.attachment import Answers
from plait.learning.flow import batches
from plait.learning.learner import Learner, Progress, Tensors, Weights
from plait.learning.lessons import Lessons
from plait.sentence import Sentence

DEVICE = "PLAIT_DEVICE"  # an environment variable: cpu or cuda; otherwise a GPU if there is one
_JUDGED = 10  # times in a training, and once more at its end


def device() -> str:
    """Where nets learn and teach."""
    forced = os.environ.get(DEVICE, "")
    if forced not in ("", "cpu", "cuda"):
        raise InputError(f"{DEVICE} is {forced!r} but must be cpu or cuda.")
    if forced == "cuda" and not torch.cuda.is_available():
        raise InputError(f"{DEVICE} is cuda, and torch sees no GPU.")
    return forced or ("cuda" if torch.cuda.is_available() else "cpu")


def nets_at_once(nets: int) -> int:
    """How many of so many nets learn at the same time: a GPU has room for all, on a CPU each has the cores it wants."""
    return nets if device() == "cuda" else 1


@dataclass(frozen=True)
class Material:
    """What all nets of a component learn from, as numbers."""

    classes: Classes
    gold: Corpus
    labelled: Corpus | None
    dev: Lessons | None

    @classmethod
    def of(cls, lessons: Lessons, dev: Lessons | None) -> Material:
        if not any(map(len, lessons)):
            raise InputError(f"{lessons.place}: there is no word to learn from.")
        classes = Classes.of(lessons)
        labelled = None if lessons.labelled is None else Corpus.of(lessons.labelled, classes)
        return cls(classes, Corpus.of(lessons, classes), labelled, dev)

    def counts(self) -> Counter[str]:
        """How often each form occurs."""
        return self.gold.counts() + (Counter() if self.labelled is None else self.labelled.counts())

    def preset(self, net: str, options: NeuralOptions) -> Preset:
        return preset(net, options, len(self.gold.ids), 0 if self.labelled is None else len(self.labelled))


class NetLearner(Learner[Model]):
    """One net; `loss` is the mean of an epoch, in thousandths."""

    metric = "las"
    may_change = ("patience",)  # steps depend on the number of epochs

    def __init__(self, material: Material, name: str, options: NeuralOptions, seed: int) -> None:
        chosen = material.preset(name, options.updated({"seed": seed}))
        self.schedule = chosen.schedule
        self._material = material
        self._options = options
        self._threads = 1
        self._judge = None if material.dev is None else Judge(material.dev)
        encoder = find_encoder(options.encoder) if options.encoder else None
        labelled = material.labelled
        weights = None if labelled is None else teaching_weights(labelled)
        with self._split():
            torch.manual_seed(seed)
            net = new_net(chosen.shape, material.classes, material.counts(), chosen.fewest, encoder)
            self._training = Training(
                net, material.gold, chosen.schedule, labelled=labelled, weights=weights, device=device()
            )

    @contextmanager
    def _split(self) -> Iterator[None]:
        """Sums are split among so many cores, and chance is the net's own, whatever others want."""
        before = torch.get_num_threads()
        torch.set_num_threads(self._options.cores)
        try:
            with torch.random.fork_rng():
                yield
        finally:
            torch.set_num_threads(before)

    def estimate(self) -> float:
        with self._split():
            return self._training.estimate()

    @property
    def finished(self) -> bool:
        return self._training.done >= 1

    def run_epoch(self, number: int, on_progress: Progress, threads: int) -> dict[str, int]:
        self._threads = threads

        def on_batch(done: int, total: int) -> None:
            on_progress(number, done, total)

        with self._split():
            loss = self._training.run_epoch(on_batch)
        if not np.isfinite(loss):
            raise InputError("The net has lost itself: its loss is no number any more. A smaller rate helps.")
        # A few times only: the last epochs are nearly always the best ones, since the steps are smallest there.
        every = max(1, self.schedule.epochs // _JUDGED)
        due = number % every == 0 or number == self.schedule.epochs or self.finished
        self.judged = due and self._judge is not None
        return {"loss": round(1000 * loss)}

    def weights(self) -> Weights:
        return flat(self._training.parameters)

    def build(self, weights: Weights) -> Model:
        """In 8 bits."""
        training = self._training
        now = flat(training.parameters)
        put(training.parameters, weights)
        try:
            return model_of([training.net], self._material.classes)
        finally:
            put(training.parameters, now)

    def score(self, state: Model) -> dict[str, float]:
        assert self._judge is not None
        return self._judge.score(state, self._options.crossing_price, self._threads)

    def data(self) -> Iterable[NDArray[np.generic] | str]:
        yield json.dumps(
            asdict(self._training.net.shape) | asdict(self.schedule) | asdict(self._material.classes)
        )
        for corpus in filter(None, (self._material.gold, self._material.labelled)):
            yield "\n".join(corpus.types)
            yield from corpus.arrays()
        if self._judge is not None:
            yield from self._judge.answers.data()

    def tensors(self) -> Tensors:
        return self._training.tensors()

    def restore(self, tensors: Tensors) -> None:
        self._training.restore(tensors)


class Judge:
    """A dev set, and what is right there. Scores as in CoNLL 2018."""

    def __init__(self, dev: Lessons) -> None:
        self._batches = list(batches(dev, 1))
        self.answers = Answers(dev, dev.path)

    def score(self, model: Model, price: float, threads: int) -> dict[str, float]:
        parses: list[Parse] = []
        right = words = 0
        for batch in self._batches:
            found = model.run(batch, price=price, threads=threads)
            start = 0
            for sentence in batch:
                place = slice(start, start + len(sentence))
                labels = [model.classes.label[number] for number in found.labels[place]]
                parses.append(Parse(found.heads[place], labels, 0.0))
                tags = [model.classes.upos[number] for number in found.tags[0][place]]
                right += sum(map(operator.eq, tags, sentence.upos))
                words += len(sentence)
                start = place.stop
        return self.answers.score(parses) | {"upos": 100 * right / max(1, words)}


def together(models: Sequence[Model]) -> Model:
    """Nets whose probabilities are averaged."""
    return Model(models[0].classes, [net for model in models for net in model.nets])


def tell_shares(sentences: Sequence[Sentence], model: Model) -> None:
    """Put into sentences which other heads the nets of a model find likely; nothing if torch cannot run them."""
    nets = [net_of(net, model.classes) for net in model.nets]
    able = [net for net in nets if net is not None]
    if len(able) == len(nets):
        teach.tell_shares(sentences, able, device())


def find_encoder(name: str) -> Path:
    """A folder, or what the hub has under a name."""
    folder = Path(name)
    if folder.is_dir():
        for needed in ("config.json", "tokenizer.json"):
            if not (folder / needed).exists():
                raise InputError(f"{name}: there is no {needed}, so this is no encoder.")
        if not any(folder.glob("*.safetensors")):
            raise InputError(f"{name}: there are no weights (*.safetensors).")
        check_encoder(folder)
        return folder
    try:
        from huggingface_hub import snapshot_download

        return Path(
            snapshot_download(name, allow_patterns=["config.json", "tokenizer.json", "*.safetensors"])
        )
    except Exception as error:
        raise InputError(f"{name}: there is no such folder, and the hub does not give it: {error}") from None
