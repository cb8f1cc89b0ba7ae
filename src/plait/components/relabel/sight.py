"""What the labeller sees of a word and its head, by name; and which labels heads have once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from importlib import resources

from plait.features.columns import ColumnTemplates
from plait.features.reading import BuiltIn, hint
from plait.sentence import EMPTY, Sentence

_LISTS = BuiltIn(resources.files("plait.components.relabel") / "lists")
_OF_WORDS = ("form", "lemma", "upos", "xpos", "feats")
_OF_DEPENDENT = ("kids", "marker")  # the tags of its children; those that mark its relation
COLUMNS = (
    *(f"{who}.{name}" for who in "HD" for name in _OF_WORDS),
    *(f"D.{name}" for name in _OF_DEPENDENT),
    "side",
    "distance",
)
# Function words that tell what their head is to its own: in Universal Dependencies and in the STTS.
_MARKERS = ("ADP", "SCONJ", "APPR", "APPRART", "APPO", "KOUS", "KOUI", "KOKOM")
_FAR = 5


def load(name_or_path: str) -> ColumnTemplates:
    """Templates of a list that comes with plait, or of a file."""
    text, path = _LISTS.find(name_or_path)
    return parse(text, path)


def parse(text: str, path: str = "") -> ColumnTemplates:
    def require_known(name: str) -> None:
        if name not in COLUMNS:
            raise ValueError(f"{name}: there is no such view.{hint(name, COLUMNS)}")

    return ColumnTemplates.parse(text, path, require_known)


class Sight:
    """A tree, and what is seen in it."""

    def __init__(self, sentence: Sentence, heads: Sequence[int]) -> None:
        self._heads = heads
        self._columns = {
            "form": [form.lower() for form in sentence.forms],
            "lemma": sentence.lemmas,
            "upos": sentence.upos,
            "xpos": sentence.xpos,
            "feats": sentence.feats,
        }
        kids: list[set[str]] = [set() for _ in heads]
        markers: list[set[str]] = [set() for _ in heads]
        for word, head in enumerate(heads):
            if head:
                kids[head - 1].add(sentence.upos[word])
                if sentence.upos[word] in _MARKERS:
                    markers[head - 1].add(sentence.lemmas[word])
        self._columns["kids"] = [" ".join(sorted(own)) for own in kids]
        self._columns["marker"] = [" ".join(sorted(own)) for own in markers]

    def text(self, name: str, word: int) -> str:
        head = self._heads[word - 1]
        if name == "side":
            return "left" if word < head else "right"
        if name == "distance":
            return str(min(abs(word - head), _FAR + 1))
        who, _, column = name.partition(".")
        at = word if who == "D" else head
        return self._columns[column][at - 1] if at else EMPTY


def labels_once(sentences: Iterable[Sentence], least: int, doubles: float) -> list[str]:
    """The labels that at least so many heads have, and at most this share of them more than once."""
    having: Counter[str] = Counter()
    twice: Counter[str] = Counter()
    for sentence in sentences:
        seen: Counter[tuple[int, str]] = Counter()
        for head, label in zip(sentence.heads, sentence.deprels, strict=True):
            if head:
                seen[head, label] += 1
        having.update(label for _, label in seen)
        twice.update(label for (_, label), count in seen.items() if count > 1)
    return sorted(
        label for label in having if having[label] >= least and twice[label] <= doubles * having[label]
    )


def doubled(heads: Sequence[int], labels: Sequence[str], once: Iterable[str]) -> dict[int, list[int]]:
    """The heads that have a label twice that they may have once, with all their children."""
    watched = set(once)
    children: dict[int, list[int]] = {}
    for word, head in enumerate(heads, 1):
        if head:
            children.setdefault(head, []).append(word)
    found = {}
    for head, own in children.items():
        counts = Counter(labels[word - 1] for word in own)
        if any(count > 1 and label in watched for label, count in counts.items()):
            found[head] = own
    return found
