"""`evaluate`: all scores of a system's trees against the gold ones."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from plait.evaluation import breakdowns, confusions
from plait.evaluation.breakdowns import ArcScore, LengthScore
from plait.evaluation.confusions import TagScore
from plait.evaluation.conll18 import Comparison, Metric, metrics
from plait.evaluation.document import Document, Given
from plait.evaluation.roles import RoleScores, score_roles

# The metrics of the CoNLL 2018 shared task, as its scorer calls them.
CONLL18 = {
    "tokens": "Tokens",
    "sentences": "Sentences",
    "words": "Words",
    "upos": "UPOS",
    "xpos": "XPOS",
    "ufeats": "UFeats",
    "alltags": "AllTags",
    "lemmas": "Lemmas",
    "uas": "UAS",
    "las": "LAS",
    "clas": "CLAS",
    "mlas": "MLAS",
    "blex": "BLEX",
}


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores in percent; those with precision and recall are F1, and `metrics` holds their counts.

    The first thirteen are the CoNLL-18 metrics. The others use whole labels (`nmod:poss` is not `nmod`).
    """

    tokens: float
    sentences: float
    words: float
    upos: float
    xpos: float
    ufeats: float
    alltags: float
    lemmas: float
    uas: float
    las: float
    clas: float
    mlas: float
    blex: float
    las_full: float
    tlas: float
    pmlas: float
    exact_labeled: float
    exact_unlabeled: float
    nonprojective: ArcScore
    nonprojective_unlabeled: ArcScore
    nonprojective_in_both: Metric
    metrics: dict[str, Metric] = field(repr=False)
    full_labels: bool = field(repr=False)
    punctuation: bool = field(repr=False)
    roles: RoleScores | None = field(repr=False)  # where there are frames
    pair: Comparison = field(repr=False, compare=False)

    @property
    def convention(self) -> str:
        """How the words were counted, in words."""
        labels = "whole labels" if self.full_labels else "labels without subtypes"
        punctuation = "punctuation counted" if self.punctuation else "words with gold UPOS PUNCT not counted"
        return f"{labels}, {punctuation}"

    def with_full_labels(self) -> Scores:
        """The same, but LAS, CLAS, MLAS, BLEX and the breakdowns want the whole label right."""
        return _scores(self.pair, full_labels=True, punctuation=self.punctuation)

    def without_punctuation(self) -> Scores:
        """The same, but words with gold UPOS PUNCT are not counted (tokens and sentences stay)."""
        return _scores(self.pair, full_labels=self.full_labels, punctuation=False)

    def by_label(self) -> dict[str, Metric]:
        """The arcs of each label, the most frequent label of the gold file first."""
        return breakdowns.by_label(self.pair, full_labels=self.full_labels, punctuation=self.punctuation)

    def by_arc_length(self) -> dict[str, ArcScore]:
        """The arcs by the distance between head and dependent in words; those from the root apart."""
        return breakdowns.by_arc_length(self.pair, full_labels=self.full_labels, punctuation=self.punctuation)

    def by_sentence_length(self) -> dict[str, LengthScore]:
        """The sentences by their number of gold words."""
        return breakdowns.by_sentence_length(
            self.pair, full_labels=self.full_labels, punctuation=self.punctuation
        )

    def by_tag(self, table: str = "upos") -> dict[str, TagScore]:
        """The words of each tag, or of each feature (`upos`, `xpos`, `feature`), and what they are taken for."""
        return confusions.by_tag(self.pair, table, punctuation=self.punctuation)

    def _repr_html_(self) -> str:
        """What Jupyter shows."""
        from plait.drawing.notebook import show_scores

        return show_scores(self, CONLL18)

    def as_dict(self) -> dict[str, object]:
        """Everything as plain numbers, in percent with two decimals as the official scorer prints them."""
        result: dict[str, object] = {
            name: round(value, 2)
            for name in self.__dataclass_fields__
            if isinstance(value := getattr(self, name), float)
        }
        for name in ("nonprojective", "nonprojective_unlabeled", "nonprojective_in_both"):
            result[name] = plain(getattr(self, name))
        if self.roles:
            result |= self.roles.as_dict()
        result["convention"] = self.convention
        result["metrics"] = {name: plain(metric) for name, metric in self.metrics.items()}
        return result


def plain(score: Metric | ArcScore | LengthScore) -> dict[str, object]:
    """A score's percentages, rounded, and its counts."""
    result: dict[str, object] = {}
    for name in ("precision", "recall", "f1", "aligned_accuracy"):
        value = getattr(score, name, None)
        if value is not None:
            result[name] = round(value, 2)
    return result | {
        name: round(value, 2) if isinstance(value, float) else value
        for name, value in asdict(score).items()
        if value is not None
    }


def evaluate(gold: Given, system: Given) -> Scores:
    """Score the system's sentences against the gold ones; they may be tokenized and split differently. Either may be
    the path of a treebank.

    Raises `InputError` when the texts differ, a word has no head or the heads are no tree.
    """
    pair = Comparison(Document(gold, "gold"), Document(system, "system"))
    return _scores(pair, full_labels=False, punctuation=True)


def _scores(pair: Comparison, *, full_labels: bool, punctuation: bool) -> Scores:
    counted = metrics(pair, full_labels=full_labels, punctuation=punctuation)
    papers = breakdowns.paper_verdicts(pair, punctuation=punctuation)
    counted |= {name: verdicts.metric() for name, verdicts in papers.items()}
    trees = pair.heads & pair.full_labels
    return Scores(
        **{name: metric.f1 for name, metric in counted.items()},
        exact_labeled=breakdowns.exact_match(pair, trees, punctuation=punctuation),
        exact_unlabeled=breakdowns.exact_match(pair, pair.heads, punctuation=punctuation),
        nonprojective=breakdowns.nonprojective(pair, punctuation=punctuation),
        nonprojective_unlabeled=breakdowns.nonprojective(pair, labeled=False, punctuation=punctuation),
        nonprojective_in_both=breakdowns.nonprojective_in_both(pair, punctuation=punctuation),
        metrics=counted,
        full_labels=full_labels,
        punctuation=punctuation,
        roles=score_roles(pair, papers["las_full"].metric().f1),
        pair=pair,
    )
