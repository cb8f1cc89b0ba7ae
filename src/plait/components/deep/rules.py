"""What of a deep tree is not learned: grammemes, lemmas and nodes without a word, by rules in a file.

A rule file is TOML, one per annotation scheme:

    copied = ["gender", "number"]           # features a node takes over from its word

    [[rule]]                                # all conditions must hold; those left out always do
    relation = ["analyt_pass"]              # of the word to its head in the surface tree
    child = ["aux_refl_pass"]               # one of the relations of its dependents there
    without = ["subj"]                      # relations that none of its dependents, nor of what it swallows, has
    swallows = ["un"]                       # a lemma among the words it swallows
    deep = ["ROOT"]                         # its own relation in the deep tree
    features = ["finiteness=FIN"]           # of the word, or of one that it swallows
    ends = ["?"]                            # the last word of the sentence
    # What it does:
    grammemes = "voice=PASS"                # set
    lemma = "{lemma}se"                     # another one
    node = "I"                              # a dependent without a word, in this relation ...
    called = "pers{person}_num{number}"     # ... with this lemma; features of the word in braces

    [baseline]                              # the method `rules`: Ballesteros et al. (2014), section 5
    dropped = ["punc"]                      # relations of words that are no nodes
    auxiliary = ["analyt_perf"]             # and a word with such a dependent is none
    labels = {subj = "I"}
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import resources
from pathlib import Path

from plait import checks
from plait.checks import Cell, Name
from plait.components.deep.sight import Sight
from plait.errors import InputError
from plait.sentence import parse_pairs

_FOLDER = resources.files("plait.components.deep") / "rules"
_SUFFIX = ".toml"
_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Rule:
    """See above."""

    relation: list[Name] = field(default_factory=list)
    child: list[Name] = field(default_factory=list)
    without: list[Name] = field(default_factory=list)
    swallows: list[Cell] = field(default_factory=list)
    deep: list[Name] = field(default_factory=list)
    features: list[Name] = field(default_factory=list)
    ends: list[Cell] = field(default_factory=list)
    grammemes: str = ""
    lemma: str = ""
    node: str = ""
    called: str = ""

    def holds(self, case: Case) -> bool:
        return (
            (not self.relation or case.relation in self.relation)
            and (not self.child or not case.children.isdisjoint(self.child))
            and case.children.isdisjoint(self.without)
            and (not self.swallows or not case.swallowed.isdisjoint(self.swallows))
            and (not self.deep or case.deep in self.deep)
            and case.features.items() >= parse_pairs("|".join(self.features) or "_").items()
            and (not self.ends or case.end in self.ends)
        )


@dataclass(frozen=True, slots=True)
class Baseline:
    """Lists for trees without learning."""

    dropped: list[Name] = field(default_factory=list)
    auxiliary: list[Name] = field(default_factory=list)
    labels: dict[str, Name] = field(default_factory=dict)
    otherwise: Name = "ATTR"


@dataclass(frozen=True, slots=True)
class Rules:
    """A rule file."""

    copied: list[Name] = field(default_factory=list)
    rule: list[Rule] = field(default_factory=list)
    baseline: Baseline = field(default_factory=Baseline)


@dataclass(frozen=True, slots=True)
class Case:
    """A node as rules see it."""

    relation: str
    children: frozenset[str]
    swallowed: frozenset[str]
    deep: str
    features: Mapping[str, str]
    end: str

    @classmethod
    def of(cls, sight: Sight, word: int, words: Sequence[int], deep: str) -> Case:
        sentence, children = sight.sentence, sight.governors.children
        relations = {
            sentence.deprels[child - 1] for own in words for child in children[own] if child not in words
        }
        features: dict[str, str] = {}
        # A finite auxiliary makes a finite verb: what the word itself has goes before, but for the form of the verb.
        for own in (word, *(other for other in words if other != word and sight.governors.content(other))):
            features = features | sight.features[own] if own != word else dict(sight.features[own])
        return cls(
            sentence.deprels[word - 1],
            frozenset(relations),
            frozenset(sentence.lemmas[other - 1] for other in words if other != word),
            deep,
            features,
            sentence.forms[-1],
        )


def names() -> list[str]:
    """The rule files that come with plait."""
    return sorted(
        path.name.removesuffix(_SUFFIX) for path in _FOLDER.iterdir() if path.name.endswith(_SUFFIX)
    )


def load(name_or_path: str) -> tuple[Rules, str]:
    """A rule file and its text; InputError names what is wrong with it."""
    known = names()
    if name_or_path in known:
        text = (_FOLDER / f"{name_or_path}{_SUFFIX}").read_text(encoding="utf-8")
    else:
        try:
            text = Path(name_or_path).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise InputError(
                f"{name_or_path}: cannot be read as a rule file ({error}). Those that come with plait: "
                f"{', '.join(known)}."
            ) from None
    try:
        return parse(text), text
    except ValueError as error:
        raise InputError(f"{name_or_path}: {error}.") from None


def write(rules: Rules) -> str:
    """As JSON: what a model keeps."""
    return json.dumps(asdict(rules), ensure_ascii=False)


def read(text: str) -> Rules:
    """What `write` gave; ValueError if it is something else."""
    return _checked(checks.parse_json(text.encode()))


def parse(text: str) -> Rules:
    """ValueError if it is no rule file."""
    return _checked(checks.parse_toml(text))


def _checked(found: object) -> Rules:
    rules = checks.record(Rules, found, "the rule file")
    for rule in rules.rule:
        if rule.node and not rule.called:
            raise ValueError(f"a rule adds a node {rule.node!r} without saying what it is called")
        for pattern in (rule.lemma, rule.called):
            fill(pattern, {}, "x")
    return rules


def fill(pattern: str, features: Mapping[str, str], lemma: str) -> str:
    """A pattern with the lemma and features of a word in it; what it does not have is left out."""
    known = {**features, "lemma": lemma}
    if re.search("[{}]", _FIELD.sub("", pattern)):
        raise ValueError(f"{pattern!r} is no pattern: in braces may stand the name of a feature, or lemma")
    return _FIELD.sub(lambda found: known.get(found[1], ""), pattern)
