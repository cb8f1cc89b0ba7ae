"""`MentionFiller`: learns from texts what is said at their mentions, and fills the slots of others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from plait import checks
from plait.catalogue import locate
from plait.errors import InputError
from plait.features.chains import ChainTemplates
from plait.formats.grec import MAIN_SUBJECT, Expression, MentionText, Reference
from plait.formats.mention_columns import FEATURES, ChainRow
from plait.generation.mentions import sights
from plait.generation.mentions.chaining import MentionChain, find_templates
from plait.generation.mentions.context import ContextReader, Seen
from plait.generation.mentions.entities import DERIVED, chains_of, columns_of, rows_of
from plait.generation.mentions.five import Categories
from plait.generation.mentions.labels import LABELLERS, expanded
from plait.generation.mentions.learners import LEARNERS, TypeLearner
from plait.generation.mentions.left_to_right import fit_types, say_types
from plait.generation.mentions.options import CHAIN, NEG, MentionOptions
from plait.generation.mentions.selecting import RoundRobin, last, ranked
from plait.learning import store
from plait.learning.card import front_matter
from plait.learning.chain import Chain
from plait.learning.options import read_toml
from plait.learning.store import Content
from plait.learning.tensors import Tensors

KIND = "mentions"
_TABLE = "mentions"  # of the options


@dataclass(frozen=True, slots=True)
class Facts:
    """What of a filler is no array."""

    references: int = 0
    texts: int = 0
    source: str = ""  # the file learned from
    labels: list[str] = field(default_factory=list)
    templates: str = ""
    syncats: list[str] = field(default_factory=list)
    semcats: list[str] = field(default_factory=list)


class MentionFiller:
    """`MentionFiller(task="msr").fit(texts).fill(others)`; options are those of `MentionOptions`."""

    def __init__(self, **options: Any) -> None:
        self.options = MentionOptions.from_dict(options).resolved()
        self.facts = Facts()
        self._chain: MentionChain | None = None
        self._types: TypeLearner | None = None
        self._reader = ContextReader(self.options.parser)

    # Learning.

    def fit(self, texts: Sequence[MentionText], *, source: str = "") -> MentionFiller:
        """Learn from texts in which every slot is filled."""
        texts = [text for text in texts if text.references]
        self._require_fitting(texts)
        unfilled = [text.name for text in texts for each in text.references if each.chosen is None]
        if unfilled or not texts:
            raise InputError(
                f"The text {unfilled[0]!r} has a mention with nothing in it: nothing can be learned from it."
                if unfilled
                else "There is no mention to learn from."
            )
        seen = self._reader.read(texts)
        count = sum(len(text.references) for text in texts)
        facts = Facts(count, len(texts), checks.file_name(source))
        if self.options.learner != CHAIN:
            categories = Categories.of(texts, domains=self.options.domains)
            learner = LEARNERS[self.options.learner](categories)
            self._types = fit_types(learner, texts, seen, self.options.seed)
            self.facts = replace(facts, **asdict(categories))
            return self
        if self.options.task == NEG:
            chains = [
                [replace(rows[place], label=self._said(text, place)) for place in places]
                for text, around in zip(texts, seen, strict=True)
                for rows in [rows_of(text, around)]
                for places in chains_of(rows)
            ]
            return self._fit_chains(chains, facts)
        templates = find_templates(self.options.templates, sights.COLUMNS)
        sequences = [
            sights.look(text, around, templates.columns) for text, around in zip(texts, seen, strict=True)
        ]
        labels = [[self._said(text, slot) for slot in range(len(text.references))] for text in texts]
        return self._learned(templates, sequences, labels, facts)

    def fit_chains(self, chains: Sequence[Sequence[ChainRow]], *, source: str = "") -> MentionFiller:
        """Learn from columns, as they were published for the task of 2010."""
        if self.options.task != NEG or self.options.learner != CHAIN:
            raise InputError("From columns, chains per entity are learned: --task neg (task='neg').")
        texts = len({row.text for chain in chains for row in chain})
        return self._fit_chains(chains, Facts(sum(map(len, chains)), texts, checks.file_name(source)))

    def _fit_chains(self, chains: Sequence[Sequence[ChainRow]], facts: Facts) -> MentionFiller:
        templates = find_templates(self.options.templates, (*FEATURES, *DERIVED))
        labels = [[row.label for row in chain] for chain in chains]
        return self._learned(templates, [columns_of(chain) for chain in chains], labels, facts)

    def _learned(
        self, templates: ChainTemplates, sequences: Sequence[Any], labels: list[list[str]], facts: Facts
    ) -> MentionFiller:
        options = self.options
        self._chain = MentionChain.fit(
            templates, sequences, labels, l2=options.l2, min_count=options.min_count
        )
        self.facts = replace(facts, labels=list(self._chain.chain.labels), templates=templates.source)
        return self

    def _said(self, text: MentionText, slot: int) -> str:
        chosen = text.references[slot].chosen
        assert chosen is not None
        return LABELLERS[self.options.labels](chosen, text.title)

    # Filling.

    def fill(self, texts: Sequence[MentionText]) -> list[MentionText]:
        """The texts with every slot filled anew; what stood there is not looked at."""
        self._require_fitting(texts)
        self._require_learned()
        blank = [_without(text) for text in texts]
        seen = self._reader.read(blank)
        for text, around in zip(blank, seen, strict=True):
            if self._types is not None:
                say_types(self._types, text, around)
            elif self.options.task == NEG:
                self._fill_entities(text, around)
            else:
                self._fill_subject(text, around)
        return blank

    def label_chains(self, chains: Iterable[Sequence[ChainRow]]) -> list[list[ChainRow]]:
        """Columns with the labels that are most likely; those they had are not looked at."""
        self._require_learned()
        if self._chain is None or self.options.task != NEG:
            raise InputError("This model knows mentions of texts (XML), not columns of chains.")
        return [
            [
                replace(row, label=ranked(shares, shares)[0])
                for row, shares in zip(chain, self._chain.shares(columns_of(chain)), strict=True)
            ]
            for chain in chains
        ]

    def tell(self) -> str:
        """What was learned, to read: a tree, or the parents in a network."""
        return self._types.text() if self._types is not None else ""

    def _fill_subject(self, text: MentionText, seen: Seen) -> None:
        assert self._chain is not None
        labeller = LABELLERS[self.options.labels]
        shares = self._chain.shares(sights.look(text, seen, self._chain.templates.columns))
        for reference, likely in zip(text.references, shares, strict=True):
            listed: dict[str, list[Expression]] = {}
            for each in reference.alternatives:
                listed.setdefault(labeller(each, text.title), []).append(each)
            best = ranked(likely, listed)[:1]
            reference.chosen = last(listed[best[0]]) if best else reference.alternatives[0]

    def _fill_entities(self, text: MentionText, seen: Seen) -> None:
        assert self._chain is not None
        rows = rows_of(text, seen)
        likely: list[dict[str, float]] = [{} for _ in rows]
        for places in chains_of(rows):
            found = self._chain.shares(columns_of([rows[place] for place in places]))
            for place, shares in zip(places, found, strict=True):
                likely[place] = shares
        listed = self._ways(text)
        robin = RoundRobin()
        for reference, shares in zip(text.references, likely, strict=True):
            own = listed.get(reference.entity, {})  # none, if all hold references that nothing can fill
            said = (robin.choose(reference.entity, label, own[label]) for label in ranked(shares, own))
            reference.chosen = next(filter(None, said), None) or reference.alternatives[0]

    def _ways(self, text: MentionText) -> dict[str, dict[str, list[Expression]]]:
        """What may be said of every entity, by label; references inside are filled in every way."""
        by_entity: dict[str, list[Expression]] = {}
        for each in text.expressions or []:
            by_entity.setdefault(each.attributes.get("ENTITY", MAIN_SUBJECT), []).append(each)
        labeller = LABELLERS[self.options.labels]
        found: dict[str, dict[str, list[Expression]]] = {}
        for entity, expressions in by_entity.items():
            ways = [way for each in expressions for way in expanded(each, by_entity)]
            for way in ways:
                found.setdefault(entity, {}).setdefault(labeller(way, text.title), []).append(way)
        return found

    def _require_fitting(self, texts: Sequence[MentionText]) -> None:
        for text in texts:
            if text.has_entities != (self.options.task == NEG):
                kind = "several entities (task neg)" if text.has_entities else "one main subject (task msr)"
                raise InputError(
                    f"The text {text.name!r} is about {kind}, and this filler is for the other task."
                )
            for reference in text.references:
                if not reference.alternatives:
                    raise InputError(
                        f"The text {text.name!r} has a mention at which nothing may be said (line {reference.line})."
                    )

    def _require_learned(self) -> None:
        if self._chain is None and self._types is None:
            raise InputError("This filler has not learned anything yet: call fit first, or load a model.")

    # Files.

    def save(self, path: str | Path, *, force: bool = False) -> None:
        self._require_learned()
        store.save(path, self.content(), force=force)

    @classmethod
    def load(cls, path: str | Path) -> MentionFiller:
        """Read a model. Nothing in it is executed; what does not fit is an error that names it."""
        content = store.load(locate(path))
        if content.kind != KIND:
            raise InputError(f"{path}: this is a {content.kind!r}, not a model of mentions.")
        with store.understanding(path):
            return cls._from(content)

    def content(self) -> Content:
        """All that a model holds."""
        tensors: Tensors = (self._chain or self._types).pack()  # type: ignore[union-attr]
        manifest = {"about": self.about(), "state": asdict(self.facts)}
        config = f"[{_TABLE}]\n{self.options.to_toml()}"
        return Content(KIND, manifest, tensors, config, card=self._card())

    @classmethod
    def _from(cls, content: Content) -> MentionFiller:
        filler = cls(**read_toml(content.config)[_TABLE])
        filler.facts = facts = checks.record(Facts, content.manifest["state"], "the state")
        if filler.options.learner != CHAIN:
            categories = Categories(facts.syncats, facts.semcats)
            categories.check()
            filler._types = LEARNERS[filler.options.learner](categories).unpack(content.tensors)
            return filler
        known = (*FEATURES, *DERIVED) if filler.options.task == NEG else sights.COLUMNS
        templates = ChainTemplates.parse(facts.templates, "templates", known)
        filler._chain = MentionChain(templates, Chain.unpack(facts.labels, content.tensors))
        return filler

    def about(self) -> dict[str, str]:
        """For `plait info`."""
        options, facts = self.options, self.facts
        how = (
            f"a chain of {len(facts.labels)} labels ({options.labels})"
            if options.learner == CHAIN
            else LEARNERS[options.learner].title
        )
        subject = "all entities of a text" if options.task == NEG else "the main subject of a text"
        return {
            "fills": f"mentions of {subject} ({options.task})",
            "learned from": f"{facts.source or 'unnamed texts'}: {facts.texts:,} texts, {facts.references:,} mentions",
            "how": how,
            "options": ", ".join(f"{name} {value}" for name, value in asdict(options).items()),
        }

    def _card(self) -> str:
        told = [f"- {name}: {value}" for name, value in self.about().items()]
        return "\n".join(
            [
                *front_matter("", ["referring-expressions"]),
                "# What to say at the mentions of a text",
                "",
                *told,
                "",
            ]
        )


def _without(text: MentionText) -> MentionText:
    """A copy in which nothing is chosen."""
    paragraphs: list[list[str | Reference]] = [
        [piece if isinstance(piece, str) else replace(piece, chosen=None) for piece in paragraph]
        for paragraph in text.paragraphs
    ]
    return replace(text, paragraphs=paragraphs)
