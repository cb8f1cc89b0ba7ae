"""The English lexicon of full forms, in UniMorph's columns, from the lists that it was made of.

    python models/english_lexicon.py lexicon-english/ norm-english/unimorph-eng.tsv.xz -o english.tsv

`infl_lu.csv.gz` and `lemma_lu.csv.gz` are those of LemmInflect (MIT, Brad Jascob), from the SPECIALIST Lexicon of the
US National Library of Medicine; verbs that they lack come from UniMorph (CC BY-SA 3.0, from Wiktionary).
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path

import click

from plait.features.word_lists import read_rows

_SLOTS = {
    "verb": (("V;PST",), ("V;V.PTCP;PST",), ("V;V.PTCP;PRS",), ("V;3;SG;PRS",)),
    "noun": (("N;PL",),),
    "adj": (("ADJ;CMPR",), ("ADJ;SPRL",)),
    "adv": (("ADV;CMPR",), ("ADV;SPRL",)),
}
_BASES = {"verb": ("V;NFIN", "V;PRS"), "noun": ("N;SG",), "adj": ("ADJ;POS",), "adv": ("ADV;POS",)}
Line = tuple[str, str, str]  # lemma, form, tag
_MISSING: list[Line] = [("ox", "ox", "N;SG"), ("ox", "oxen", "N;PL")]  # words that the lists lack


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.argument("unimorph")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path))
def main(folder: Path, unimorph: str, output: Path) -> None:
    """Write the lexicon that `plait train --lexicon` and models/words.py read."""
    lines = dict.fromkeys([*inflections(folder / "infl_lu.csv.gz"), *_MISSING])
    plurals = {form for lemma, form, tag in lines if tag == "N;PL" and form != lemma}
    # *oxen* is the plural of *ox* and not of itself.
    lines = {
        line: None for line in lines if line[2] != "N;PL" or line[0] != line[1] or line[0] not in plurals
    }
    verbs = {lemma for lemma, _, tag in lines if tag.startswith("V")}
    for _, (lemma, form, tag) in read_rows(unimorph, range(3, 4), "lemma, form and features"):
        # Of *hightail it* there is only *it*.
        usual = lemma.isalpha() and lemma.islower() and 2 * len(form) >= len(lemma) and lemma != "be"
        if usual and lemma not in verbs:
            lines[lemma, form, tag] = None
            if tag == "V;NFIN":
                lines[lemma, form, "V;PRS"] = None
    gerunds = [(form, lemma, "VERB", "VerbForm=Ger") for lemma, form, tag in lines if tag == "V;V.PTCP;PRS"]
    output.write_text("".join("\t".join(line) + "\n" for line in [*lines, *gerunds]), encoding="utf-8")
    click.echo(f"{len(lines):,} lines, {len({form for _, form, _ in lines}):,} forms")


def inflections(path: Path) -> Iterator[Line]:
    """Lemma, form, tag: the first of several forms first. A plural that is the singular says only that a noun has none,
    unless it is the only one.
    """
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        for lemma, kind, *cells in csv.reader(file):
            slots = [cell.split("/") if cell else [] for cell in cells]
            if kind == "verb" and not slots[1]:
                slots[1] = slots[0]
            for forms, tags in zip(slots, _SLOTS[kind], strict=True):
                others = [form for form in forms if form != lemma] or forms
                yield from ((lemma, _as_lemma(form, lemma), tag) for tag in tags for form in others if form)
            yield from ((lemma, lemma, tag) for tag in _BASES[kind])


def _as_lemma(form: str, lemma: str) -> str:
    """*McLeods* for *Mcleods*."""
    return lemma + form[len(lemma) :] if form.lower().startswith(lemma.lower()) else form


if __name__ == "__main__":
    main()
