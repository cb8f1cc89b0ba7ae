"""Text to trees, and further: an ordered list of named components, each of which reads what those before it wrote."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, Self, Unpack, overload

from plait import checks, formats
from plait.cancel import Cancel
from plait.catalogue import locate
from plait.catalogue.names import advice
from plait.components.tokenizer import Tokenizer
from plait.document import Document
from plait.errors import InputError
from plait.learning import store
from plait.learning.component import Component, from_content, require_able, through
from plait.learning.lessons import Origin
from plait.learning.options import read_toml
from plait.learning.parameters import parameters, score_of, set_parameters
from plait.learning.request import PLAIN, Request, Wishes
from plait.learning.store import Content
from plait.learning.tracing import TraceWishes, trace_of
from plait.log import logger
from plait.pipeline.batches import Context, in_batches, with_contexts
from plait.pipeline.card import write_card
from plait.pipeline.recipe import ModelOptions, Recipe
from plait.sentence import Sentence, Treebank, each_sentence
from plait.transitions.trace import Trace

# Columns of CoNLL formats with what another system predicted: no longer true when a layer is found anew.
_PREDICTED = {"tags": ("ppos", "pfeat"), "lemmas": ("plemma",), "tree": ("phead", "pdeprel")}


@dataclass(frozen=True, slots=True)
class PipelineFacts:
    """What a manifest tells of a pipeline; its components tell the rest."""

    origin: Origin
    scores: dict[str, dict[str, float]]


class Pipeline:
    """Components by name, in the order in which they work: `nlp["tagger"]`.

    `scores_` are those of the dev set, from gold tokens and from raw text; `origin_` tells what was learned from.
    """

    def __init__(
        self, components: Mapping[str, Component[Any]] | None = None, model: ModelOptions | None = None
    ) -> None:
        self.components: dict[str, Component[Any]] = {}
        self.model = model or ModelOptions()
        self.scores_: dict[str, dict[str, float]] = {}
        self.origin_ = Origin()
        for name, component in (components or {}).items():
            self.add(name, component)

    def add(self, name: str, component: Component[Any]) -> None:
        """Let one more component work, after the others."""
        if name in self.components:
            raise InputError(f"There is a component {name!r} already.")
        if not name.isidentifier():
            raise InputError(f"A component cannot be called {name!r}.")
        self.components[name] = component

    def __getitem__(self, name: str) -> Component[Any]:
        if name not in self.components:
            raise InputError(
                f"The model has no component {name!r}, only {', '.join(self.components) or 'none'}."
            )
        return self.components[name]

    def __contains__(self, name: str) -> bool:
        return name in self.components

    def __repr__(self) -> str:
        inner = ", ".join(f"{name} ({each.kind})" for name, each in self.components.items())
        return f"<Pipeline {self.model.name or 'without a name'}: {inner or 'no components'}>"

    def _repr_html_(self) -> str:
        """What Jupyter shows."""
        from plait.drawing.notebook import show_pipeline

        return show_pipeline(self)

    # As scikit-learn has it.

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The components by name, and, if `deep`, their options: `tagger__epochs`."""
        return parameters({}, self.components, deep)

    def set_params(self, **values: Any) -> Self:
        """Other options, `tagger__epochs=5`, for the next training."""
        set_parameters(self.components, values)
        return self

    def score(self, gold: Sequence[Sentence]) -> float:
        """How well it annotates these sentences, from their words: LAS in percent, or, without trees, what `score` of
        its components is about.
        """
        return score_of(
            frozenset(layer for each in self.working() for layer in each.provides), gold, self.parse(gold)
        )

    def giving(self, layer: str) -> Component[Any] | None:
        """The component that gives a layer, such as `tree`; the last one if there are several."""
        found = [each for each in self.components.values() if layer in each.provides]
        return found[-1] if found else None

    @property
    def parser(self) -> Component[Any] | None:
        """What gives trees; of several parsers the one that counts most."""
        found = self.giving("tree")
        while found is not None and found.members:
            found = found.members[found.leading({name: each.plan for name, each in found.members.items()})]
        return found

    def trace(self, sentence: Sentence, **wishes: Unpack[TraceWishes]) -> Trace:
        """How the transition-based parser comes to the tree of a sentence that has tags (`TransitionParser.trace`)."""
        return trace_of(self.giving("tree"), sentence, **wishes)

    @property
    def recipe(self) -> Recipe:
        """How it was made."""
        model = (
            self.model.updated({"components": ",".join(self.components)}) if self.components else self.model
        )
        plans = {name: component.plan for name, component in self.components.items()}
        return Recipe(model=model, plans=plans or Recipe().plans)

    # Text in.

    def __call__(self, text: str) -> Document:
        """The sentences of a text, with everything the pipeline knows to say about them."""
        return next(self.pipe([text]))

    @overload
    def pipe(
        self,
        texts: Iterable[str],
        *,
        as_tuples: Literal[False] = False,
        batch_size: int | None = None,
        **wishes: Unpack[Wishes],
    ) -> Iterator[Document]: ...
    @overload
    def pipe(
        self,
        texts: Iterable[tuple[str, Context]],
        *,
        as_tuples: Literal[True],
        batch_size: int | None = None,
        **wishes: Unpack[Wishes],
    ) -> Iterator[tuple[Document, Context]]: ...
    def pipe(
        self,
        texts: Iterable[Any],
        *,
        as_tuples: bool = False,
        batch_size: int | None = None,
        **wishes: Unpack[Wishes],
    ) -> Iterator[Any]:
        """Many texts, in order; those of a batch go through the core together. With `as_tuples`, every text comes with
        something that belongs to it, `(text, context)`, and so does its document. A batch is as many texts as is good
        for speed; with `batch_size`, no more texts than that are taken before their documents are given.
        """
        if isinstance(texts, str):
            raise InputError(
                "pipe needs several texts, and this is one: put it in a list, or call nlp(text)."
            )
        if batch_size is not None and batch_size < 1:
            raise InputError(f"batch_size is {batch_size} but must be at least 1.")
        request, tokenizer = Request(**wishes), self.tokenizer
        if as_tuples:
            return with_contexts(
                texts,
                lambda each: in_batches(each, batch_size, lambda some: self._pipe(some, tokenizer, request)),
            )
        return in_batches(texts, batch_size, lambda some: self._pipe(some, tokenizer, request))

    def _pipe(self, texts: Iterable[str], tokenizer: Tokenizer, request: Request) -> Iterator[Document]:
        waiting: deque[Document] = deque()  # whose sentences are on their way

        def sentences() -> Iterator[Sentence]:
            for text in texts:
                if not isinstance(text, str):
                    raise InputError(f"A text is needed, and this is a {type(text).__name__}.")
                document = Document(text=text)
                waiting.append(document)
                for sentence in tokenizer.tokenize(text, cancel=request.cancel):
                    sentence.document = document
                    yield sentence

        for sentence in self.annotate(sentences(), request):
            # A document is whole when a sentence of another one comes.
            while waiting[0] is not sentence.document:
                yield waiting.popleft()
            waiting[0].sentences.append(sentence)
        yield from waiting

    def stream(
        self, pieces: Iterable[str], *, lines: bool = False, ranges: bool = False, **wishes: Unpack[Wishes]
    ) -> Iterator[Sentence]:
        """The sentences of one long text that comes in pieces, in constant memory.

        With `lines`, every line is a sentence; with `ranges`, MISC tells where in the text a token stands.
        """
        request = Request(**wishes)
        tokenized = self.tokenize(pieces, lines=lines, ranges=ranges, cancel=request.cancel)
        return self.annotate(tokenized, request)

    def tokenize(
        self,
        pieces: Iterable[str],
        *,
        lines: bool = False,
        ranges: bool = False,
        first: int = 1,
        cancel: Cancel | None = None,
    ) -> Iterator[Sentence]:
        """Sentences with their words only; see `stream`. `sent_id`s count from `first`."""
        return self.tokenizer.stream(pieces, lines=lines, ranges=ranges, first=first, cancel=cancel)

    @property
    def tokenizer(self) -> Tokenizer:
        """InputError if there is none."""
        found = self.giving("tokens")
        if not isinstance(found, Tokenizer):
            raise InputError(
                "The model has no tokenizer, so it cannot read text, only words (CoNLL-U). A tokenizer is learned "
                "when a model is trained on the folder of a treebank."
            )
        return found

    # Sentences in.

    def parse(self, sentences: Iterable[Sentence], **wishes: Unpack[Wishes]) -> Treebank:
        """New sentences with all that the components give; those given are left as they are."""
        copies = (sentence.copy() for sentence in each_sentence(sentences))
        return Treebank(list(self.annotate(copies, Request(**wishes))))

    def annotate(
        self,
        sentences: Iterable[Sentence],
        request: Request = PLAIN,
        *,
        layers: Collection[str] | None = None,
    ) -> Iterator[Sentence]:
        """Let the components write into the sentences themselves, in order and in constant memory; all of them, or
        those that give one of some `layers`. What nobody accepts of a request is refused before any work is done.
        """
        working = self.working(layers)
        self.check(request, layers)
        choice = next(filter(None, (component.choice() for component in working)), None)
        found = through(working, sentences, replace(request, choice=choice))
        stale = [name for each in working for layer in each.provides for name in _PREDICTED.get(layer, ())]
        return _without(stale, found) if stale else found

    def working(self, layers: Collection[str] | None = None) -> list[Component[Any]]:
        """The components that annotate sentences; with `layers`, those that give one of them, or that others look at
        wherever they are.
        """
        every = [each for each in self.components.values() if "tokens" not in each.provides]
        return [each for each in every if layers is None or each.early or each.provides & set(layers)]

    def check(self, request: Request, layers: Collection[str] | None = None) -> None:
        """InputError if nobody here accepts what is asked for."""
        require_able(self.working(layers), request)

    # Files, and the way through a pickle.

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Write one file, if the name ends in `.plait`, or else a folder with one for each component. Another model is
        replaced only by `force`.
        """
        store.save(path, self.content(), force=force)

    @classmethod
    def load(cls, path: str | Path) -> Pipeline:
        """Read a model: a pipeline, or one component alone. Nothing in it is executed."""
        folder = locate(path)
        if not folder.exists():
            crash = store.told_of_crash(folder)
            raise InputError(f"{path}: there is no such model.{crash} {advice(str(path))}")
        with formats.without_garbage_collection():
            pipeline = pipeline_of(store.load(folder), str(path))
        logger.info("loaded %s: %s", path, ", ".join(pipeline.components))
        return pipeline

    def content(self) -> Content:
        """All that a model holds."""
        return Content(
            store.OUTERMOST,
            asdict(PipelineFacts(self.origin_, self.scores_)),
            {},
            config=self.recipe.to_toml(),
            card=write_card(self),
            members={name: each.content(self.model.licence) for name, each in self.components.items()},
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return pipeline_of, (self.content(), "a pickled pipeline")

    def __deepcopy__(self, memo: dict[int, Any]) -> Pipeline:
        return pipeline_of(self.content(), "a copied pipeline")


_ELSEWHERE = {"mentions": "plait mention", "refer": "plait refer"}  # models that are no pipelines


def pipeline_of(content: Content, place: str) -> Pipeline:
    """The pipeline that a folder or a pickle holds; a component alone is a pipeline of one."""
    if content.kind in _ELSEWHERE:
        raise InputError(f"{place}: this is a model for `{_ELSEWHERE[content.kind]}`, and for nothing else.")
    if content.kind != store.OUTERMOST:
        component = from_content(content, place)
        pipeline = Pipeline({component.usual_name: component})
        pipeline.model = ModelOptions(licence=component.origin_.licence)
        pipeline.origin_ = component.origin_
        return pipeline
    with store.understanding(place):
        facts = checks.record(PipelineFacts, content.manifest, "the manifest", others=True)
        pipeline = Pipeline(model=ModelOptions.from_dict(read_toml(content.config)["model"]))
        pipeline.origin_, pipeline.scores_ = facts.origin, facts.scores
        for name, member in content.members.items():
            pipeline.add(name, from_content(member, name))
    return pipeline


def _without(columns: Collection[str], sentences: Iterator[Sentence]) -> Iterator[Sentence]:
    for sentence in sentences:
        for name in columns if sentence.extra else ():
            sentence.extra.pop(name, None)
        yield sentence


def load(path: str | Path) -> Pipeline:
    """Read a model: a file or folder, or the name of one (`en` comes with the package; see `plait models list`)."""
    return Pipeline.load(path)
