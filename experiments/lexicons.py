"""Lexicons for `informed.toml`: what analysers say about the words of treebanks, as tables for `plait train --lexicon`.

    python experiments/lexicons.py hunspell:/usr/share/hunspell/hu_HU hu_szeged-ud-*.conllu > hungarian.tsv
    python experiments/lexicons.py hunspell:/usr/share/hunspell/cs_CZ cs_cltt-ud-*.conllu > czech.tsv
    python experiments/lexicons.py hunspell:/usr/share/hunspell/de_DE,nouns de_gsd-ud-dev.conllu > german.tsv
    python experiments/lexicons.py morfeusz pl_mpdt-ud-*.conllu > polish.tsv

Of a treebank only the forms are looked at. `hunspell` needs the program and a dictionary (Debian: hunspell,
hunspell-hu, hunspell-cs, hunspell-de-de), `morfeusz` and `nouns` the packages morfeusz2 and german-nouns of PyPI. The
dictionaries have licences of their own: Magyar Ispell MPL, LGPL or GPL; cs_CZ GPL; igerman98 GPL; SGJP in morfeusz2
BSD; german-nouns (from Wiktionary) CC BY-SA.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path

from plait import formats
from plait.features.lexicon import Entry, Lexicon

Readings = dict[str, set[str]]
_TOLD = ("po:", "is:", "ds:", "ts:", "fl:")  # fields of hunspell: class, suffixes, flag of the rule
_LONGEST = 5  # letters of an ending


def hunspell(forms: Iterable[str], dictionary: str) -> Readings:
    """Class and suffixes where a dictionary tells them, or else the stem's own flags, the rule that leads from it to
    the form, and the ending that changes.
    """
    flags = _flags(Path(f"{dictionary}.aff"), Path(f"{dictionary}.dic"))
    found: Readings = {form: set() for form in forms}
    said = subprocess.run(
        ["hunspell", "-i", "utf-8", "-d", dictionary, "-m"],
        input="\n".join(found).encode(),
        stdout=subprocess.PIPE,
        check=True,
    ).stdout.decode("utf-8", "replace")
    for line in said.splitlines():
        form, *fields = line.split() or [""]
        stem = next((field[3:] for field in fields if field.startswith("st:")), "")
        if form in found and stem:
            told = [field for field in fields if field.startswith(_TOLD)]
            if not any(field.startswith("po:") for field in told):
                told = [flags.get(stem, ""), *told, _ending(stem.lower(), form.lower())]
            found[form].add("+".join(told).replace(",", "/"))
    return found


def _flags(rules: Path, words: Path) -> dict[str, str]:
    """Of every stem in a dictionary."""
    encoding = re.search(rb"^SET\s+(\S+)", rules.read_bytes(), re.MULTILINE)
    text = words.read_text(encoding[1].decode() if encoding else "latin-1")
    return {
        stem: "".join(sorted(flags.split()[0]))
        for stem, _, flags in (line.partition("/") for line in text.split("\n"))
        if flags.strip()
    }


def _ending(stem: str, form: str) -> str:
    """What another ending became: `ý>é`; prefixes are left out."""
    form = form[max(form.find(stem[:3]), 0) :]
    pairs = enumerate(zip(stem, form, strict=False))
    same = next((at for at, (one, other) in pairs if one != other), min(len(stem), len(form)))
    return f"{stem[same:]}>{form[same:]}" if max(len(stem), len(form)) - same <= _LONGEST else ">"


def morfeusz(forms: Iterable[str], _: str) -> Readings:
    """Tags of Polish, one for every reading, with three genders; unknown words and words that are several have none."""
    import morfeusz2

    analyser = morfeusz2.Morfeusz()
    found = {form: analyser.analyse(form) for form in forms}
    return {
        form: {one for _, end, (_, _, tag, *_) in each if end == 1 and tag != "ign" for one in _readings(tag)}
        if max(end for _, end, _ in each) == 1
        else set()
        for form, each in found.items()
    }


def _readings(tag: str) -> list[str]:
    """`subst:sg:nom.acc:m3` is two."""
    choices = (sorted({re.sub(r"^m\d$", "m", each) for each in part.split(".")}) for part in tag.split(":"))
    parts = [part for part in choices if part[0] not in ("col", "ncol", "pt")]
    return [":".join(each) for each in product(*parts)]


def nouns(forms: Iterable[str], _: str) -> Readings:
    """Case, number and gender of German nouns; of compounds, those of the longest noun at the end."""
    import csv

    import german_nouns

    known: Readings = {}
    path = Path(next(iter(german_nouns.__path__))) / "nouns.csv"
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            genders = "".join(sorted({row[name] for name in row if name.startswith("genus")}))
            for name, form in row.items():
                case, _, number = name.partition(" ")
                if number and case != "genus" and form:
                    known.setdefault(form.lower(), set()).add(f"N+{genders}+{case[:3]}+{number[:2]}")
    return {form: _of_end(form.lower(), known) if form[:1].isupper() else set() for form in forms}


def _of_end(word: str, known: Readings) -> set[str]:
    return next((known[word[at:]] for at in range(max(1, len(word) - 3)) if word[at:] in known), set())


SOURCES: dict[str, Callable[[Iterable[str], str], Readings]] = {
    "hunspell": hunspell,
    "morfeusz": morfeusz,
    "nouns": nouns,
}


def main(sources: str, *treebanks: str) -> None:
    forms = sorted({form for path in treebanks for sentence in formats.read(path) for form in sentence.forms})
    lexicon = Lexicon({})
    for source in sources.split(","):
        name, _, argument = source.partition(":")
        tags = SOURCES[name]([form for form in forms if " " not in form], argument)
        lexicon = lexicon.joined(
            Lexicon({form: Entry(tuple(sorted(each))) for form, each in tags.items() if each})
        )
    sys.stdout.write(lexicon.to_text())


if __name__ == "__main__":
    main(*sys.argv[1:])
