"""How to train a pipeline: the plan of every component, from a TOML file, a preset or Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from plait.errors import InputError
from plait.learning import registry
from plait.learning.options import Options, read_toml
from plait.learning.plan import Plan
from plait.pipeline.presets import PRESETS

TAGS = ("both", "predicted", "gold")
_KINDS = {"tokenizer": "tokenizer", "tagger": "tagger", "lemmatizer": "lemmatizer", "parser": "transition"}
USUAL = tuple(_KINDS)
_WITH_LEXICON = ("tagger", "lemmatizer", "neural", "inflector")
ROLES = "roles"  # after the usual ones, where a treebank has frames


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions(Options):
    """What the model card tells, which `components` there are, in the order in which they work, and what they learn.

    Those that look at others' annotation learn from that of the treebank (`tags = "gold"`), from what models
    `predicted` that have not seen the sentence, of which there are as many as `folds`, or from every sentence with
    the one and with the other (`both`).
    """

    name: str = ""
    language: str = ""
    treebank: str = ""
    licence: str = ""
    attribution: str = ""
    use: str = ""
    limits: str = ""
    components: str = ",".join(USUAL)
    tags: str = "both"
    folds: int = 10

    def __post_init__(self) -> None:
        self._choose("tags", TAGS)
        self._range("folds", 2, 1000)
        if len(set(self.order)) != len(self.order) or not all(self.order):
            raise InputError(f"components must be names that differ, not {self.components!r}.")

    @property
    def order(self) -> list[str]:
        """Names are identifiers: function-words is called function_words."""
        return [name.strip().replace("-", "_") for name in self.components.split(",")]


def _usual() -> dict[str, Plan]:
    return {name: Plan.of({}, kind) for name, kind in _KINDS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The table [model], and a plan for every component, a table each: `[tagger]`, `[parser]`, `[parser.voters.graph]`.

    There may be plans for components that the model does not have.
    """

    model: ModelOptions = field(default_factory=ModelOptions)
    plans: Mapping[str, Plan] = field(default_factory=_usual)

    def __post_init__(self) -> None:
        for name in self.model.order:
            self.plan(name)

    def __iter__(self) -> Iterator[tuple[str, Plan]]:
        """The components of the model, in the order in which they work."""
        return ((name, self.plan(name)) for name in self.model.order)

    def plan(self, name: str, place: str = "") -> Plan:
        """A component that is called by its kind needs no table."""
        if name not in self.plans and name in registry.KINDS:
            return Plan.of({}, name)
        if name not in self.plans:
            near = get_close_matches(name, self.plans, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else f" Available: {', '.join(self.plans)}."
            raise InputError(f"{place}No component {name!r}.{hint}")
        return self.plans[name]

    def only(self, *names: str) -> Recipe:
        """A model that has only these components."""
        return replace(self, model=self.model.updated({"components": ",".join(names)}))

    def on_top_of(self, base: Recipe, name: str) -> Recipe:
        """The components of another recipe, and one of this one after them."""
        order = [*(each for each in base.model.order if each != name), name]
        model = self.model.updated({"components": ",".join(order)})
        return replace(self, model=model, plans={**base.plans, name: self.plan(name)})

    def to_toml(self) -> str:
        tables = [f"[model]\n{self.model.to_toml()}", *(plan.to_toml(name) for name, plan in self)]
        return "\n".join(tables)

    @classmethod
    def preset(cls, name: str, base: Recipe | None = None) -> Recipe:
        """One of the recipes that are ready to use, by name; `base` is what it changes, by default the defaults."""
        if name not in PRESETS:
            near = get_close_matches(name, PRESETS, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Available: {', '.join(PRESETS)}."
            raise InputError(f"No preset {name!r}. {hint}")
        return (base or cls()).updated(PRESETS[name])

    @classmethod
    def from_toml(cls, text: str, place: str = "") -> Recipe:
        """Strict: a table or an option that does not exist is an error that names the nearest one."""
        return cls().updated(read_toml(text, place), place)

    def updated(self, tables: Mapping[str, Mapping[str, Any]], place: str = "") -> Recipe:
        """The recipe with other values for some options, by table; a table that says its `kind` may be new."""
        plans = dict(self.plans)
        for name, values in tables.items():
            if not isinstance(values, Mapping):
                raise InputError(f"{place}{name} is expected to be a table, [{name}].")
            if name == "model":
                continue
            within = f"{place}[{name}] "
            if name not in plans and ("kind" in values or name in registry.KINDS):
                plans[name] = Plan.of(values, name, within)
            else:
                plans[name] = self.plan(name, place).updated(values, within)
        return replace(self, model=self.model.updated(tables.get("model", {}), place), plans=plans)

    def throughout(self, name: str, **values: Any) -> Recipe:
        """With some options of a component and of all that it holds changed, where they have them."""
        return replace(self, plans={**self.plans, name: self.plan(name).throughout(values)})

    def with_lexicon(self, files: str) -> Recipe:
        """With files of lexicons, with commas between them, for all components that learn tags, lemmas or forms."""
        found = [name for name, plan in self if plan.kind in _WITH_LEXICON]
        if not found:
            raise InputError(
                f"A lexicon is for one of these components, and there is none: {', '.join(_WITH_LEXICON)}."
            )
        return self.updated({name: {"lexicon": files} for name in found})

    @property
    def parser(self) -> str:
        """The name of the component that gives trees: the options of the command line are about it."""
        giving = [name for name, plan in self if "tree" in registry.find(plan.kind).provides]
        return giving[-1] if giving else "parser"

    def leading(self, name: str) -> list[str]:
        """The names of tables that lead to the component that counts most: the parser itself, or the one among several
        that the options of the command line are about.
        """
        path, plan = [name], self.plan(name)
        while plan.members:
            component = registry.find(plan.kind)
            member = component.leading(plan.members)
            path += [component.member_table, member]
            plan = plan.members[member]
        return path

    def at(self, path: list[str]) -> Plan:
        """The plan to which names of tables lead, as `leading` gives them."""
        plan = self.plan(path[0])
        for member in path[2::2]:
            plan = plan.members[member]
        return plan
