"""The models named when the server starts: no others are ever looked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plait.errors import InputError
from plait.pipeline import Pipeline


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A pipeline and its name, and the width of the beam with which its parser searches."""

    name: str
    pipeline: Pipeline
    beam: int

    @property
    def abilities(self) -> list[str]:
        """What it can do, in the words of the REST interface: a lemmatizer belongs to the tagger there."""
        parts = self.pipeline.parts
        known = {
            "tokenizer": "tokenizer" in parts,
            "tagger": "tagger" in parts or "lemmatizer" in parts,
            "parser": "parser" in parts,
        }
        return [name for name, present in known.items() if present]

    @property
    def acknowledgements(self) -> list[str]:
        about = self.pipeline.about_
        licence = about.get("licence")
        said = [about.get("attribution"), f"Licence: {licence}." if licence else ""]
        return [text for text in said if text]


class Models:
    """Models by name, the first one being the default."""

    def __init__(self, pipelines: Mapping[str, Pipeline], beam: int | None = None) -> None:
        """Without a `beam` every model has its own."""
        if not pipelines:
            raise InputError("A server needs at least one model.")
        self._models = {
            name: ServedModel(name, pipeline, beam or pipeline.beam) for name, pipeline in pipelines.items()
        }

    def __iter__(self) -> Iterator[ServedModel]:
        return iter(self._models.values())

    @property
    def default(self) -> ServedModel:
        return next(iter(self))

    def find(self, name: str) -> ServedModel:
        """The model of this name, or the first whose name begins with it up to a dash; by default the first."""
        if not name:
            return self.default
        for model in self:
            if model.name == name or model.name.startswith(f"{name}-"):
                return model
        known = ", ".join(model.name for model in self)
        raise InputError(f"No model {name[:80]!r}. Available: {known}.")
