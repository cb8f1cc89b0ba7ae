"""Ordinary words, one by one: lemmas of irregular, random and invented forms, and forms of random lemmas.

    python benchmarks/words.py english.tsv --raw raw-text-english/ --model en --model en-fast
    python benchmarks/words.py english.tsv --inflect UD_English-EWT/

`english.tsv` is what models/english_lexicon.py writes. Irregular forms stand in carrier sentences and everything is
predicted: right is any lemma that the lexicon has for the form as this part of speech. Random and invented forms have
their tags given. Forms are those of an inflector that learned from the treebank and from the lexicon without the lemmas
asked for, none of which the treebank has.
"""

from __future__ import annotations

import lzma
import random
import re
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

import click

import plait
from plait.components.inflector import Inflector
from plait.features.full_forms import FullForm, read_full_forms
from plait.formats.folder import find_sections
from plait.pipeline import Pipeline
from plait.sentence import Sentence, Treebank

Row = tuple[str | bool, ...]  # what was asked, what came back, and whether it is right
FREQUENT = 8
_WORD = re.compile("[a-z]+")
# The word asked for is marked by braces.
_CARRIERS = {
    ("VERB", "Tense=Past"): ("They {} it yesterday .", "She {} them last year ."),
    ("VERB", "Tense=Past|VerbForm=Part"): ("They have {} it .", "He had {} them before ."),
    ("NOUN", "Number=Plur"): ("The {} were here .", "We saw two {} there ."),
}
_TAGS = {
    ("VERB", "Tense=Past"): ("VBD", "Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin"),
    ("VERB", "Tense=Past|VerbForm=Part"): ("VBN", "Tense=Past|VerbForm=Part"),
    ("VERB", "Tense=Pres|VerbForm=Part"): ("VBG", "Tense=Pres|VerbForm=Part"),
    ("VERB", "Number=Sing|Person=3|Tense=Pres"): (
        "VBZ",
        "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin",
    ),
    ("NOUN", "Number=Plur"): ("NNS", "Number=Plur"),
    ("ADJ", "Degree=Cmp"): ("JJR", "Degree=Cmp"),
    ("ADJ", "Degree=Sup"): ("JJS", "Degree=Sup"),
}
_STEMS = {
    "VERB": (
        "bl{}rk",
        "fr{}b",
        "sn{}zzle",
        "pl{}mp",
        "tr{}ve",
        "squ{}dge",
        "gl{}sh",
        "dr{}ffy",
        "m{}nk",
        "v{}x",
    )
}
_STEMS["NOUN"] = (*_STEMS["VERB"][:7], "w{}bbly", "cr{}ntch", "st{}g")


@click.command()
@click.argument("lexicon")
@click.option("--raw", type=click.Path(path_type=Path), help="Folder of texts (*.txt.xz) to count words in.")
@click.option("--model", "models", multiple=True)
@click.option("--inflect", "treebank", help="A folder with train and dev: forms of lemmas.")
@click.option("--size", default=1000, show_default=True, help="Random entries.")
@click.option("--seed", default=1, show_default=True)
@click.option("--errors", default=0, help="How many to show of each kind.")
def main(
    lexicon: str,
    raw: Path | None,
    models: tuple[str, ...],
    treebank: str | None,
    size: int,
    seed: int,
    errors: int,
) -> None:
    """Print the share of right answers, in percent."""
    every = read_full_forms(lexicon)
    entries = [full for full in every if (full.upos, full.feats) in _TAGS]
    chosen = random.Random(seed).sample(entries, min(size, len(entries)))
    if treebank:
        show(
            "inflection", {"forms of unknown lemmas": unknown_lemmas(every, treebank, 2 * size, seed)}, errors
        )
    for name in models:
        nlp = plait.load(name)
        answers: dict[str, list[Row]] = {
            "random forms": lemmas_of(nlp, chosen, _by_form(entries)),
            "invented forms": lemmas_of(nlp, *invented(seed)),
        }
        if raw:
            answers["irregular forms"] = in_sentences(nlp, irregular(entries, count_words(raw)), every)
        show(name, answers, errors)


def show(name: str, answers: dict[str, list[Row]], errors: int) -> None:
    for kind, found in answers.items():
        wrong = [row for row in found if not row[-1]]
        click.echo(f"{name}\t{kind}\t{len(found)}\t{100 - 100 * len(wrong) / len(found):.2f}")
        for row in wrong[:errors]:
            click.echo(f"    {row[:-1]}")


def count_words(folder: Path) -> Counter[str]:
    found: Counter[str] = Counter()
    for path in sorted(folder.glob("*.txt.xz")):
        with lzma.open(path, "rt", encoding="utf8") as file:
            for line in file:
                found.update(_WORD.findall(line.lower()))
    return found


def irregular(entries: list[FullForm], counts: Counter[str]) -> list[FullForm]:
    """Frequent forms of verbs and nouns that no spelling rule makes of their lemma."""
    kinds = {
        (full.form, full.upos, full.feats): full for full in entries if (full.upos, full.feats) in _CARRIERS
    }
    return [
        full
        for full in kinds.values()
        if counts[full.form] >= FREQUENT
        and full.form.islower()
        and full.form not in regular(full.lemma, full.upos)
        and full.form != full.lemma
    ]


def regular(lemma: str, upos: str) -> set[str]:
    """The past or the plural by all rules of spelling, whether or not they fit the word."""
    endings = ("s", "es") if upos == "NOUN" else ("ed", "d", lemma[-1] + "ed")
    changed = lemma[:-1] + ("ies" if upos == "NOUN" else "ied")
    return {lemma + ending for ending in endings} | {changed}


def in_sentences(nlp: Pipeline, asked: list[FullForm], entries: list[FullForm]) -> list[Row]:
    right: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for full in entries:
        right[full.form, full.upos].add(full.lemma)
    rows: list[Row] = []
    for full in asked:
        for carrier in _CARRIERS[full.upos, full.feats]:
            words = carrier.format(full.form).split()
            place = carrier.split().index("{}")
            found = nlp.parse([Sentence(forms=words)])[0]
            known = right[full.form, full.upos]
            tags = f"{found.upos[place]} {found.feats[place]}"
            rows.append((full.form, full.lemma, found.lemmas[place], tags, found.lemmas[place] in known))
    return rows


def _by_form(entries: list[FullForm]) -> dict[tuple[str, str, str], set[str]]:
    found: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)
    for full in entries:
        found[full.form, full.upos, full.feats].add(full.lemma)
    return found


def lemmas_of(nlp: Pipeline, asked: list[FullForm], right: dict[tuple[str, str, str], set[str]]) -> list[Row]:
    """With tags given, each in a sentence of its own."""
    sentences = []
    for full in asked:
        xpos, feats = _TAGS[full.upos, full.feats]
        sentences.append(Sentence(forms=[full.form], upos=[full.upos], xpos=[xpos], feats=[feats]))
    rows: list[Row] = []
    for full, sentence in zip(asked, nlp.parse(sentences, keep_tags=True), strict=True):
        lemma = sentence.lemmas[0]
        rows.append((full.form, full.feats, lemma, lemma in right[full.form, full.upos, full.feats]))
    return rows


def invented(seed: int) -> tuple[list[FullForm], dict[tuple[str, str, str], set[str]]]:
    """200 regular forms of words that do not exist, and all lemmas that rules of spelling allow for each."""
    chance = random.Random(seed)
    asked, right = [], {}
    for number in range(200):
        upos = "VERB" if number % 2 else "NOUN"
        feats = chance.choice([each for kind, each in _TAGS if kind == upos])
        lemma = chance.choice(_STEMS[upos]).format(chance.choice("aeiou"))
        if upos == "NOUN" or feats.startswith("Number=Sing"):
            forms = [_with_s(lemma)]
        else:
            forms = _with_ending(lemma, "ing" if "Pres" in feats else "ed")
        form = chance.choice(forms)
        asked.append(FullForm(form, lemma, upos, feats))
        right[form, upos, feats] = {lemma} | _lemmas_by_rule(form)
    return asked, right


def _with_s(lemma: str) -> str:
    if lemma.endswith("y"):
        return lemma[:-1] + "ies"
    return lemma + ("es" if lemma.endswith(("s", "x", "z", "ch", "sh")) else "s")


def _with_ending(lemma: str, ending: str) -> list[str]:
    if lemma.endswith("e"):
        return [lemma[:-1] + ending]
    if lemma.endswith("y") and ending == "ed":
        return [lemma[:-1] + "ied"]
    if re.search("[^aeiou][aeiou][^aeiouwxy]$", lemma):
        return [lemma + lemma[-1] + ending]
    return [lemma + ending]


def _lemmas_by_rule(form: str) -> set[str]:
    """What a reader may take for the lemma: *frobbing* of *frob* or *frobb*, *troves* of *trove*."""
    found = set()
    for ending in ("ing", "ed", "es", "s"):
        if form.endswith(ending):
            stem = form.removesuffix(ending)
            found |= (
                {stem}
                if ending in ("ing", "ed") or ending == "s" or stem.endswith(("s", "x", "z", "h"))
                else set()
            )
            if ending in ("ing", "ed"):
                found.add(stem + "e")
                if stem[-1:] == stem[-2:-1]:
                    found.add(stem[:-1])
            if stem.endswith("i"):
                found.add(stem[:-1] + "y")
    return found


def unknown_lemmas(every: list[FullForm], treebank: str, size: int, seed: int) -> list[Row]:
    """Each as the only word of a sentence. Lemmas whose forms are all like the lemma are not asked for."""
    sections = find_sections(treebank)
    train, dev = ([*plait.read(sections[part][0])] for part in ("train", "dev"))
    seen = {word for sentence in train for word in zip(sentence.lemmas, sentence.upos, strict=True)}
    right: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)
    for full in every:
        right[full.lemma, full.upos, full.feats].add(full.form)
    possible = [key for key in right if key[1:] in _TAGS and key[:2] not in seen and right[key] != {key[0]}]
    asked = random.Random(seed).sample(possible, size)
    without = {key[:2] for key in asked}
    rows: list[Row] = []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rest.tsv"
        rest = [full for full in every if (full.lemma, full.upos) not in without]
        path.write_text(
            "".join(f"{form}\t{lemma}\t{upos}\t{feats}\n" for form, lemma, upos, feats, _ in rest)
        )
        inflector = Inflector(lexicon=str(path)).fit(Treebank(train), dev=Treebank(dev))
    for lemma, upos, feats in asked:
        xpos, own = _TAGS[upos, feats]
        word = Sentence(
            forms=["_"], lemmas=[lemma], upos=[upos], xpos=[xpos], feats=[own], heads=[0], deprels=["root"]
        )
        form = inflector.state.inflect([word])[0][0]
        rows.append((lemma, feats, form, form in right[lemma, upos, feats]))
    return rows


if __name__ == "__main__":
    main()
