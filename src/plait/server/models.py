"""The models named when the server starts: no others are ever looked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plait.cancel import Cancel
from plait.errors import InputError
from plait.learning.request import Request
from plait.pipeline import Pipeline
from plait.server.messages import ModelFacts
from plait.server.udpipe_names import read_name


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A pipeline and its name, and the width of the beam with which its parser searches."""

    name: str
    pipeline: Pipeline
    asked_beam: int | None  # when the server was started

    @property
    def beam(self) -> int:
        parser = self.pipeline.parser
        own: int = getattr(parser.options, "beam", 1) if parser else 1
        return self.asked_beam or own

    @property
    def searches(self) -> bool:
        """Whether it may do so with another beam: what makes spanning trees has none."""
        return self._can("beam")

    def request(
        self, beam: int | None = None, cancel: Cancel | None = None, *, keep: bool = False
    ) -> Request:
        """With `keep`, given heads and tags stay; the latter also where nobody is there who would change them."""
        tags = keep and self._can("keep_tags")
        return Request(beam=beam or self.asked_beam, cancel=cancel, keep_heads=keep, keep_tags=tags)

    @property
    def keeps_heads(self) -> bool:
        return self._can("keep_heads")

    def _can(self, wish: str) -> bool:
        return any(wish in each.able() for each in self.pipeline.components.values())

    @property
    def abilities(self) -> list[str]:
        """What it can do, in the words of the REST interface: a lemmatizer belongs to the tagger there."""
        known = {"tokenizer": {"tokens"}, "tagger": {"tags", "lemmas"}, "parser": {"tree"}}
        return [name for name, layers in known.items() if any(map(self.pipeline.giving, layers))]

    @property
    def says(self) -> bool:
        """Whether it puts trees into words."""
        return self.pipeline.giving("order") is not None

    @property
    def says_graphs(self) -> bool:
        """Whether it also makes trees of graphs of meaning."""
        return self.says and any(each.kind == "graph2tree" for each in self.pipeline.components.values())

    @property
    def finds_roles(self) -> bool:
        return self.pipeline.giving("frames") is not None

    @property
    def facts(self) -> ModelFacts:
        """What others are told about it."""
        return ModelFacts(
            name=self.name,
            abilities=self.abilities,
            title=self.pipeline.model.language or self.name,
            acknowledgements=self.acknowledgements,
            beam=self.beam,
            searches=self.searches,
            says=self.says,
            says_graphs=self.says_graphs,
            finds_roles=self.finds_roles,
            keeps_heads=self.keeps_heads,
        )

    @property
    def acknowledgements(self) -> list[str]:
        model = self.pipeline.model
        said = [model.attribution, f"Licence: {model.licence}." if model.licence else ""]
        return [text for text in said if text]


class Models:
    """Models by name, the first one being the default."""

    def __init__(self, pipelines: Mapping[str, Pipeline], beam: int | None = None) -> None:
        """Without a `beam` every model has its own."""
        if not pipelines:
            raise InputError("A server needs at least one model.")
        for pipeline in pipelines.values():
            pipeline.check(Request(beam=beam))
        self._models = {name: ServedModel(name, pipeline, beam) for name, pipeline in pipelines.items()}

    def __iter__(self) -> Iterator[ServedModel]:
        return iter(self._models.values())

    @property
    def default(self) -> ServedModel:
        return next(iter(self))

    def find_realizer(self, name: str) -> ServedModel:
        """The same among those that put trees into words."""
        able = [each for each in self if each.says_graphs] or [each for each in self if each.says]
        model = self.find(name) if name else next(iter(able), None)
        if model is None or not model.says:
            raise InputError(
                "No such model puts trees into words: plait train TREEBANK -o MODEL --parts lifter,order,inflector"
            )
        return model

    def find(self, name: str) -> ServedModel:
        """The model of this name, or the first whose name begins with it up to a dash, or else one of the language that
        a name of UDPipe's names, if there is one of its treebank; by default the first.
        """
        if not name:
            return self.default
        for model in self:
            if model.name == name or model.name.startswith(f"{name}-"):
                return model
        if (wanted := read_name(name)) is not None:
            able = [each for each in self if each.abilities]
            fitting = [each for each in able if wanted.fits(each.name, each.pipeline.model.language)]
            same = [each for each in fitting if wanted.learned_from(each.pipeline.model.treebank)]
            if fitting:
                return (same or fitting)[0]
        known = ", ".join(model.name for model in self)
        raise InputError(f"No model {name[:80]!r}. Available: {known}.")
