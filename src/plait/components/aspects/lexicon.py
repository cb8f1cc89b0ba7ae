"""Words that praise and blame, by lemma and part of speech (Pekar, Afzal and Bohnet 2014, section 3.3).

Theirs is the union of SentiWordNet (lemmas in at most three synsets), the General Inquirer, a part of Roget's thesaurus
and words they collected; the last two are not public, and the opinion words of Hu and Liu (2004) stand in for them.
"""

from __future__ import annotations

import lzma
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from importlib.resources import files
from math import isfinite, nan
from pathlib import Path

from plait.checks import is_cell
from plait.errors import FormatError, InputError, Problem, excerpt

POSITIVE, NEGATIVE = "positive", "negative"
_SIGNS = {"+": POSITIVE, "-": NEGATIVE}
_LETTERS = {"NOUN": "n", "PROPN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
_LONGEST = 1 << 20  # characters of a line
_MOST_SYNSETS = 3
_LEAST_SCORE = 0.25  # of SentiWordNet, the mean over the synsets of a lemma; below it most are noise


class Lexicon:
    """`polarity(form, lemma, tag)`: positive, negative or empty; `score(form, lemma)`: how much a word praises."""

    def __init__(
        self, words: Mapping[tuple[str, str], str], scores: Mapping[str, float] | None = None
    ) -> None:
        """Words by themselves and the letter of their part of speech (n, v, a, r; empty: any); scores by word, after
        `!` where it is negated.
        """
        self.words = dict(words)
        self.scores = dict(scores or {})

    def polarity(self, form: str, lemma: str, tag: str) -> str:
        letter = _LETTERS.get(tag, "")
        for key in ((form, ""), (lemma, ""), (lemma, letter)):
            if found := self.words.get(key):
                return found
        return ""

    def score(self, form: str, lemma: str, *, negated: bool) -> float:
        """Above 0 praises, below blames. *Not good* is less bad than good is good, if it was not learned itself."""
        if negated:
            known = self.scores.get(f"!{form}", self.scores.get(f"!{lemma}"))
            return -0.5 * self.score(form, lemma, negated=False) if known is None else known
        return self.scores.get(form, self.scores.get(lemma, 0.0))

    def write(self) -> str:
        signs = [
            f"{'+' if polarity == POSITIVE else '-'}{letter}\t{word}\n"
            for (word, letter), polarity in sorted(self.words.items())
        ]
        return "".join([*signs, *(f"={score}\t{word}\n" for word, score in sorted(self.scores.items()))])

    @classmethod
    def read(cls, text: str) -> Lexicon:
        """What `write` gave; ValueError or KeyError if it is something else."""
        words, scores = {}, {}
        for line in text.splitlines():
            mark, word = line.split("\t")
            if mark[:1] == "=":
                scores[word] = _finite(mark[1:])
            else:
                words[word, mark[1:]] = _SIGNS[mark[:1]]
        return cls(words, scores)


def _finite(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise ValueError(f"{text} is no score of a word")
    return number


def packaged() -> Lexicon:
    """The opinion words of Hu and Liu, and words with scores out of reviews (`models/opinions.py`)."""
    words = {(word, ""): polarity for polarity in (POSITIVE, NEGATIVE) for word in _lines(f"{polarity}.txt")}
    scores = (line.split("\t") for line in _lines("scores.tsv"))
    return Lexicon(words, {word: float(score) for word, score in scores})


def _lines(name: str) -> list[str]:
    content = (files("plait.components.aspects") / "words" / name).read_text("utf-8")
    return [line for line in content.splitlines() if line and line[0] != "#"]


def from_folder(folder: str) -> Lexicon:
    """All that a folder has of SentiWordNet and the General Inquirer, and the opinion words: these decide where two
    disagree, then the Inquirer.
    """
    if not Path(folder).is_dir():
        raise InputError(f"{folder}: there is no such folder of lexicons.")
    found = dict(_sentiwordnet(Path(folder) / "sentiwordnet-3.0.tsv.xz"))
    found |= _inquirer(Path(folder) / "general-inquirer.tsv")
    own = packaged()
    return Lexicon(found | own.words, own.scores)


def lines_of(path: Path, columns: int) -> Iterator[list[str]]:
    """The cells of every line of a table, at least so many, the first not empty; none if there is no such file."""
    if not path.exists():
        return
    opener = lzma.open if path.suffix == ".xz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as source:
            for number, line in enumerate(iter(partial(source.readline, _LONGEST + 1), ""), 1):
                cells = line.rstrip("\n").split("\t")
                if len(line) > _LONGEST or len(cells) < columns or not cells[0]:
                    message = f"{columns} columns with tabs between are expected, the first not empty."
                    raise FormatError(Problem(message, str(path), number))
                yield cells
    except (OSError, EOFError, lzma.LZMAError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: the lexicon cannot be read: {error}.") from None


def number_of(cell: str, path: Path) -> float:
    try:
        found = float(cell)
    except ValueError:
        found = nan
    if not isfinite(found):
        raise InputError(f"{path}: {excerpt(cell)} stands where a number is expected.")
    return found


def _sentiwordnet(path: Path) -> Iterator[tuple[tuple[str, str], str]]:
    scores: dict[tuple[str, str], list[float]] = defaultdict(list)
    synsets: dict[str, int] = defaultdict(int)
    for synset, positive, negative, words, *_ in lines_of(path, 4):
        score = number_of(positive, path) - number_of(negative, path)
        for word in {each.partition("#")[0].lower() for each in words.split()}:
            scores[word, synset[0]].append(score)
            synsets[word] += 1
    for (word, letter), found in scores.items():
        mean = sum(found) / len(found)
        if synsets[word] <= _MOST_SYNSETS and abs(mean) >= _LEAST_SCORE and "_" not in word:
            yield (word, letter), POSITIVE if mean > 0 else NEGATIVE


def _inquirer(path: Path) -> dict[tuple[str, str], str]:
    """Words of which all senses that are told of agree."""
    told: dict[str, set[str]] = defaultdict(set)
    for entry, _, categories, *_ in lines_of(path, 3):
        marks = set(categories.split())
        word = entry.partition("#")[0].lower()
        told[word] |= {POSITIVE} if "Positiv" in marks else {NEGATIVE} if "Negativ" in marks else {""}
    return {
        (word, ""): next(iter(found))
        for word, found in told.items()
        if len(found) == 1 and found != {""} and is_cell(word)
    }
