"""Tags, lemmas and trees in one pass of a neural net."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

from plait import checks, folders
from plait.cancel import Cancel
from plait.checks import Cell, Name
from plait.components.neural.apart import learn_apart
from plait.components.neural.calibration import Judgements, calibration_error
from plait.components.neural.corpus import Classes
from plait.components.neural.model import MOST_WORDS, Found, Model, Net
from plait.components.neural.options import NeuralOptions
from plait.components.neural.shape import NetShape
from plait.components.neural.swap import PREFIX, SwapHead
from plait.components.neural.swap_training import SwapTraining, fit_swap_head
from plait.components.neural.tracing import trace_of
from plait.components.neural.writing import put_tags, trees_of
from plait.errors import InputError
from plait.features.full_forms import FullForms, full_forms_of, read_full_forms
from plait.layers import Alternatives, Vectors
from plait.learning import epochs, store
from plait.learning.attachment import attach, tell_confidence
from plait.learning.component import Component
from plait.learning.flow import apply, batches
from plait.learning.given import checked
from plait.learning.learner import Learner
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.learning.tensors import Tensors, read_tensors
from plait.learning.tracing import check_widths
from plait.learning.watch import SILENT, Silence, Watch
from plait.learning.workshop import Workshop
from plait.locks import Lock
from plait.sentence import Sentence
from plait.transitions.trace import Trace
from plait.trees import tree_of

if TYPE_CHECKING:
    from plait.components.neural.learner import NetLearner
    from plait.learning.epochs import Epoch

_MOST_WEIGHTS = 1 << 30  # bytes
_APART = 7919  # the seed of a net and that of the next
_ONE_AT_A_TIME = Lock()
_NO_HEAD = "the net has no head for transitions (docs/neural.md says how it learns one)"


@dataclass(frozen=True, slots=True)
class NeuralFacts:
    """Beside the arrays of the nets and their words: what their classes are called, and what each net is like."""

    upos: list[Name]
    xpos: list[Name]
    feats: list[Name]
    script: list[Cell]
    label: list[Name]
    nets: list[NetShape]
    temperature: float = 1.0


class Neural(Component[Model]):
    """A recurrent net with attention reads the words and writes UPOS, XPOS, FEATS, lemmas and the tree: the best one
    with a single root, in which arcs that cross pay a price, or the one that a head builds by transitions (`decoder`).
    Confidence is the probability of a head, at a temperature at which it is as sure as it is right.
    """

    kind = "neural"
    title = "A neural tagger and parser"
    topics = ("dependency-parsing", "part-of-speech-tagging", "lemmatization")
    usual_name = "neural"
    Options = NeuralOptions
    Facts = NeuralFacts
    requires = frozenset({"tokens"})
    provides = frozenset({"tags", "lemmas", "tree"})
    accepts = frozenset({"beam", "confidence", "keep_heads", "keep_tags", "nbest", "vectors"})
    draws = True

    def words(self) -> Iterable[str]:
        return (form for net in self.state.nets for form in net.words.forms if form)

    def check(self, lessons: Lessons) -> None:
        for sentence in lessons:
            tree_of(sentence)
        read_full_forms(self.options.lexicon)
        if self.options.encoder:
            learning().find_encoder(self.options.encoder)
        else:
            learning()

    def prepare(self, lessons: Lessons, dev: Lessons | None) -> Learner[Model]:
        """What the first net learns with."""
        return self._learners(lessons, dev)[0]

    def _learners(self, lessons: Lessons, dev: Lessons | None, number: int = 0) -> list[NetLearner]:
        """One for each net, with seeds of their own; or for one of them alone."""
        torched = learning()
        material = torched.Material.of(lessons, dev)
        seeds = (self.options.seed + _APART * place for place in range(len(self.options.each)))
        chosen = list(zip(self.options.each, seeds, strict=True))[
            number - 1 if number else 0 : number or None
        ]
        return [torched.NetLearner(material, name, self.options, seed % 2**31) for name, seed in chosen]

    def _learn(
        self, lessons: Lessons, dev: Lessons | None, watch: Watch, threads: int, workshop: Workshop
    ) -> None:
        """The nets, each in a room of its own, at the same time where that pays; then they are judged together."""
        at_once = 1 if lessons.labelled is not None else learning().nets_at_once(len(self.options.each))
        # Chance and the number of cores are the same for a whole process.
        with _ONE_AT_A_TIME, _somewhere(workshop, at_once > 1) as kept:
            learners = self._learners(lessons, dev)
            passes = sum(learner.schedule.epochs for learner in learners)
            watch.on_estimate(sum(learner.estimate() for learner in learners) / at_once, passes)
            if at_once > 1:
                assert kept.folder is not None
                options, nets = asdict(self.options), len(learners)
                self.interrupted_ = not learn_apart(kept.folder, lessons, dev, options, nets, watch, at_once)
            models: list[Model] = []
            for number, learner in enumerate(learners, 1):
                room = kept.room(f"net{number}")
                if self.interrupted_ and not (room.checkpoint and room.checkpoint.exists()):
                    continue
                try:
                    outcome = self._run(learner, _Counting(watch, len(self.history_)), threads, room)
                except KeyboardInterrupt:
                    self.interrupted_ = True
                    break
                self.best_epoch_ = len(self.history_) + outcome.best
                self.history_ += _counted_on(outcome.history, len(self.history_))
                self.scores_ = outcome.scores
                models.append(outcome.state)
                if outcome.interrupted:
                    self.interrupted_ = True
                    break
            if not models:
                raise KeyboardInterrupt
            self._state = learning().together(models)
            if dev is not None and len(models) > 1:
                judge = learning().Judge(dev)
                self.scores_ = judge.score(self._state, self.options.crossing_price, threads)
        self.use_full_forms(lessons)
        if self.options.swap_head:
            try:
                self.learn_swap_head(lessons, watch=watch, threads=threads)
            except KeyboardInterrupt:  # the nets are worth keeping without it
                self.interrupted_ = True
        if dev is not None:
            self.calibrate(dev, threads=threads)

    def learn_one(self, number: int, lessons: Lessons, dev: Lessons | None, watch: Watch, room: Path) -> None:
        """One of several nets, which leaves its checkpoints in a room (see `apart`)."""
        [learner] = self._learners(lessons, dev, number)
        self._run(learner, watch, 1, Workshop(room, resume=True))

    def _run(self, learner: NetLearner, watch: Watch, threads: int, room: Workshop) -> epochs.Outcome[Model]:
        """To its end, or once a training was interrupted to no more than there is."""
        passes = learner.schedule.epochs
        patience = 0 if self.interrupted_ else self.options.patience or passes
        return epochs.run(
            learner,
            replace(self.options, epochs=passes, patience=patience),
            watch=watch,
            threads=threads,
            checkpoint=room.checkpoint,
            resume=room.resume,
        )

    def use_full_forms(self, sentences: Iterable[Sentence]) -> None:
        """Choose lemmas among those of a treebank, and of the files of the option `lexicon`, from now on."""
        words = [*full_forms_of(sentences), *read_full_forms(self.options.lexicon)]
        self._state = self.state.changed(full_forms=FullForms.of(words))

    def learn_swap_head(
        self,
        lessons: Sequence[Sentence],
        training: SwapTraining | None = None,
        *,
        watch: Watch = SILENT,
        threads: int = 1,
    ) -> None:
        """Learn the head that builds trees by transitions, for nets that stay as they are."""
        tensors = fit_swap_head(
            self.state,
            lessons,
            training or SwapTraining(seed=self.options.seed),
            watch=watch,
            threads=threads,
        )
        self._state = self.state.changed(swap=SwapHead(tensors))

    def calibrate(self, dev: Sequence[Sentence], *, threads: int = 1) -> None:
        """Find the temperature at which probabilities of heads are as sure as they are right, and put into `scores_` by
        how much they are not: `ece`, in percent.
        """
        found = Judgements(self.state, dev, price=self.options.crossing_price, threads=threads)
        temperature = found.temperature()
        self._state = self.state.changed(temperature=temperature)
        error = calibration_error(found.shares(temperature), found.right)
        self.scores_ = self.scores_ | {"ece": 100 * error}

    def kept(self) -> str:
        return "Of every net the best epoch is kept." if len(self.options.each) > 1 else super().kept()

    def twin(self) -> Self:
        """One that learns for as long: the steps depend on the number of epochs."""
        return self.from_plan(self.plan)

    @classmethod
    def from_export(cls, *exports: str | Path, **options: float) -> Self:
        """From folders with `net.json` and `weights.safetensors`, as training leaves them: one for each net. Nothing in
        them is executed.
        """
        component = cls(**options)
        found: list[tuple[Classes, Net]] = []
        for folder in exports:
            with store.understanding(str(folder)):
                found.append(_read_export(Path(folder)))
                component._state = Model(found[0][0], [net for _, net in found])
                if found[-1][0] != found[0][0]:
                    raise ValueError("the net has other classes than the first one")
        return component

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:
        """With several threads one of them is Python's own, which reads and writes."""
        model, in_core = self.state, max(1, request.threads - 1)
        if request.keep_heads:
            sentences = checked(sentences)

        beam = (request.beam or self.options.beam) if self.options.decoder == "swap" else None

        def work(batch: list[Sentence]) -> Found:
            return model.run(
                batch,
                price=self.options.crossing_price,
                beam=beam,
                best=request.nbest,
                keep_heads=request.keep_heads,
                threads=in_core,
                cancel=request.cancel,
                vectors=request.vectors,
            )

        width = max(beam or 1, request.nbest)
        for batch, found in apply(work, batches(sentences, width, in_core), overlap=request.threads > 1):
            start = 0
            for number, sentence in enumerate(batch):
                place = slice(start, start + len(sentence))
                trees = trees_of(sentence, model, found, place, number, keep=request.keep_heads)
                put_tags(sentence, model, found, place, keep=request.keep_tags)
                attach(sentence, trees[0])
                if request.nbest > 1:
                    sentence.put(Alternatives(tuple(trees)))
                if request.confidence:
                    tell_confidence(sentence, found.probabilities[place])
                if request.vectors:
                    sentence.put(Vectors(found.vectors[place]))
                start = place.stop
            if request.shares:
                learning().tell_shares(batch, model)
            yield from batch

    def trace(
        self,
        sentence: Sentence,
        *,
        beam: int | None = None,
        alternatives: int = 5,
        cancel: Cancel | None = None,
    ) -> Trace:
        """How the swap head comes to the tree of a sentence, with what it thinks of the alternatives. Where the tree is
        the spanning tree and no `beam` is asked for, the steps lead to that one, and may not be those that the head
        likes best.
        """
        check_widths(beam=beam or 1, alternatives=alternatives)
        model = self.state
        if model.swap is None:
            raise InputError(f"This model cannot show derivations: {_NO_HEAD}.")
        if len(sentence) > MOST_WORDS:
            raise InputError(f"Derivations are shown of sentences of at most {MOST_WORDS:,} words.")
        tree: list[int] | None = None
        if self.options.decoder == "tree" and beam is None:
            tree = model.run([sentence], price=self.options.crossing_price, cancel=cancel).heads
        return trace_of(model, sentence, tree, beam or self.options.beam, alternatives, cancel)

    def lacks(self) -> Mapping[str, str]:
        if self.options.decoder == "tree":
            return {"beam": "it builds spanning trees (decoder tree), without a search"}
        return {}

    def pack(self) -> tuple[NeuralFacts, Tensors]:
        model = self.state
        tensors = {
            f"net{number}.{name}": tensor
            for number, net in enumerate(model.nets)
            for name, tensor in net.pack().items()
        }
        facts = NeuralFacts(
            **asdict(model.classes),
            nets=[net.shape for net in model.nets],
            temperature=model.temperature,
        )
        more = (model.swap.tensors if model.swap else {}) | (
            model.full_forms.tensors() if model.full_forms else {}
        )
        return facts, tensors | more

    def unpack(self, facts: NeuralFacts, tensors: Tensors) -> None:
        classes = Classes(facts.upos, facts.xpos, facts.feats, facts.script, facts.label)
        shares: dict[str, Tensors] = {f"net{number}": {} for number in range(len(facts.nets))}
        of_swap = {name: tensor for name, tensor in tensors.items() if name.startswith(PREFIX)}
        full_forms = FullForms.from_tensors(tensors)
        for name, tensor in tensors.items():
            if name in of_swap or name.startswith("full_forms."):
                continue
            place, _, own = name.partition(".")
            if len(facts.nets) == 1 and place not in shares:  # as in models of the first days
                place, own = "net0", name
            shares[place][own] = tensor
        nets = [Net.unpack(shape, shares[f"net{number}"]) for number, shape in enumerate(facts.nets)]
        swap = SwapHead(of_swap) if of_swap else None
        self._state = Model(classes, nets, swap, facts.temperature, full_forms)
        self._require_head()

    def _require_head(self) -> None:
        if self.options.decoder == "swap" and self.state.swap is None:
            raise ValueError(_NO_HEAD)

    def method(self) -> str:
        if self.options.decoder == "swap":
            return f"A net in 8 bits; trees by transitions of the swap system, beam {self.options.beam}."
        return (
            "A net in 8 bits; a spanning tree with one root, in which crossing arcs pay "
            f"{self.options.crossing_price:g}."
        )


def _read_export(folder: Path) -> tuple[Classes, Net]:
    about = checks.parse_json(folders.read_file(folder / "net.json", checks.MOST_JSON))
    tensors = read_tensors(folders.read_file(folder / "weights.safetensors", _MOST_WEIGHTS))
    shape = checks.record(NetShape, about["shape"], "the shape", others=True)
    facts = checks.record(NeuralFacts, about["classes"] | {"nets": []}, "the classes")
    classes = Classes(facts.upos, facts.xpos, facts.feats, facts.script, facts.label)
    return classes, Net.of(shape, about["words"], str(about.get("characters", "")), tensors)


def learning() -> Any:
    """What needs torch; InputError if it is not there."""
    try:
        return import_module("plait.components.neural.learner")
    except ImportError as error:
        raise InputError(
            f"Training a net needs the extra: pip install 'plait[train]' ({error.name or error} is missing)."
        ) from None


def _counted_on(history: Sequence[Epoch], before: int) -> list[Epoch]:
    return [replace(epoch, number=epoch.number + before) for epoch in history]


@contextmanager
def _somewhere(workshop: Workshop, needed: bool) -> Iterator[Workshop]:
    """A workshop with a folder, if one is needed; what processes have left there is gone on with."""
    if not needed:
        yield workshop
    elif workshop.folder:
        yield Workshop(workshop.folder, resume=True)
    else:
        with TemporaryDirectory(prefix="plait-") as folder:
            yield Workshop(Path(folder), resume=True)


class _Counting(Silence):
    """Tells of the epochs of a net as if those of the nets before it were its own."""

    def __init__(self, watch: Watch, before: int) -> None:
        self._watch = watch
        self._before = before

    def on_epoch(self, epoch: Epoch) -> None:
        self._watch.on_epoch(replace(epoch, number=epoch.number + self._before))

    def on_progress(self, epoch: int, done: int, total: int) -> None:
        self._watch.on_progress(epoch + self._before, done, total)
