"""How good a model is on trials: attributes (TUNA-AS), words for given attributes (TUNA-R), both (TUNA-REG)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plait.evaluation.attributes import AttributeScores, score_attributes
from plait.evaluation.phrases import PhraseScores, score_phrases
from plait.generation.refer.model import Referrer
from plait.generation.refer.scene import identifying
from plait.generation.refer.trials import Trial


@dataclass(frozen=True, slots=True)
class Judgement:
    """Scores of one domain. `attributes` compares with what was told of the target, with its own values; `raw` with the
    annotation as it stands, wrong values and `other` included.
    """

    attributes: AttributeScores
    raw: AttributeScores
    words: PhraseScores | None
    given: PhraseScores | None  # words for the attributes the speaker chose

    def as_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = self.attributes.as_dict()
        if self.words is not None and self.given is not None:
            found |= self.words.as_dict() | {"given": self.given.as_dict()}
        return found | {"raw": {name: getattr(self.raw, name) for name in ("dice", "masi", "accuracy")}}


def judge(model: Referrer, trials: Sequence[Trial], *, hide_speaker: bool = False) -> dict[str, Judgement]:
    """By domain. With `hide_speaker`, nobody is told who speaks, as in the test of 2009."""
    by_domain: defaultdict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        by_domain[trial.domain].append(trial)
    return {domain: _judge(model, own, hide_speaker) for domain, own in sorted(by_domain.items())}


def _judge(model: Referrer, trials: Sequence[Trial], hide_speaker: bool) -> Judgement:
    speakers = [None if hide_speaker else trial.speaker for trial in trials]
    asked = list(zip(trials, speakers, strict=True))
    chosen = [model.selector.select(trial.scene, speaker) for trial, speaker in asked]
    sets = [frozenset(each.items()) for each in chosen]
    unique, minimal = [], []
    for trial, names in zip(trials, chosen, strict=True):
        fewest = min(int(mask).bit_count() for mask in identifying(trial.scene))
        unique.append(trial.scene.identifies(list(names)))
        minimal.append(unique[-1] and len(names) == fewest)
    told = [frozenset(trial.said.items()) for trial in trials]
    attributes = score_attributes(zip(told, sets, strict=True), unique, minimal)
    raw = score_attributes(zip((trial.gold for trial in trials), sets, strict=True), unique, minimal)
    if not model.speech.domains or not any(trial.phrase for trial in trials):
        return Judgement(attributes, raw, None, None)
    spoken = [trial.phrase for trial in trials]
    words = score_phrases(spoken, [model.refer(trial.scene, speaker).phrase for trial, speaker in asked])
    given = score_phrases(
        spoken,
        [model.speaker(speaker, trial.domain).say(trial.said, trial.domain) for trial, speaker in asked],
    )
    return Judgement(attributes, raw, words, given)


def totals(judged: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The plain mean over domains, as the tables of 2008 and 2009 have it; trials are counted."""
    first = next(iter(judged.values()))
    found: dict[str, Any] = {}
    for name, value in first.items():
        each = [table[name] for table in judged.values() if name in table]
        if len(each) < len(judged):
            continue
        if isinstance(value, dict):
            found[name] = totals({str(place): table for place, table in enumerate(each)})
        else:
            found[name] = sum(each) if name == "trials" else sum(each) / len(each)
    return found
