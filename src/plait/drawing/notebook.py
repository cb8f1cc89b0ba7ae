"""What notebooks show: documents, treebanks, scores and pipelines as HTML.

Colours stand in the elements, where every notebook keeps them. A style sheet could choose between light and dark, but
not all notebooks keep it: the grounds of words let through what is behind, so that letters can be read on both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from plait.drawing.page import TAG, ink_of_tag
from plait.drawing.svg import text
from plait.drawing.tree import draw_tree
from plait.drawing.words import shown
from plait.errors import InputError, counted
from plait.formats.jsonl import known_places
from plait.sentence import Sentence, Treebank, Word

if TYPE_CHECKING:
    from plait.document import Document
    from plait.evaluation import Scores
    from plait.pipeline.pipeline import Pipeline

_SENTENCES = 20  # of which a document shows the words
_TREES = 5  # of which it shows the trees
_ROWS = 10  # of a treebank
_LONGEST = 120  # words of a sentence that is drawn
_THIN = "38"  # how much of a colour there is in a ground, as two digits behind it
_CELL = "text-align:left;vertical-align:top;padding:2px 12px 2px 0"
_NUMBER = "text-align:right;padding:2px 12px 2px 0;font-variant-numeric:tabular-nums"


def show_document(given: Document) -> str:
    """Every sentence in the colours of its tags, which unfolds into its tree with its frames."""
    parts = [_counts(given)]
    tags = [tag for sentence in given.sentences[:_SENTENCES] for tag in sentence.upos if shown(tag)]
    if tags:
        legend = " ".join(
            _tagged(tag, tag, tag) for tag in sorted(set(tags), key=lambda tag: (-tags.count(tag), tag))
        )
        parts.append(f'<div style="font-size:smaller">{legend}</div>')
    for place, sentence in enumerate(given.sentences[:_SENTENCES]):
        parts.append(_sentence(sentence, drawn=place < _TREES, unfolded=place == 0))
    parts.append(_more(len(given) - _SENTENCES))
    for name, label in given.labels.items():
        parts.append(f"<div>{text(name)}: {text(label)}</div>")
    return _block(parts)


def show_treebank(given: Treebank) -> str:
    """Its first sentences in a table."""
    rows = [
        (str(place), sentence.sent_id, str(len(sentence)), sentence.text)
        for place, sentence in enumerate(given.sentences[:_ROWS])
    ]
    table = _table(("", "sent_id", "words", "text"), rows, numbers=(0, 2)) if rows else ""
    return _block([_counts(given, given.path), table, _more(len(given) - _ROWS)])


def show_scores(given: Scores, names: dict[str, str]) -> str:
    """The metrics in the order of `names`, with counts; percent."""
    rows = []
    for name, title in names.items():
        metric = given.metrics[name]
        rates = (f"{value:.2f}" for value in (metric.precision, metric.recall, metric.f1))
        rows.append(
            (title, *rates, *(f"{count:,}" for count in (metric.correct, metric.gold, metric.system)))
        )
    rows.append(("exact match", "", "", f"{given.exact_labeled:.2f}", "", "", ""))
    if given.roles:
        rows.append(("roles, labelled", "", "", f"{given.roles.semantic_f1:.2f}", "", "", ""))
    table = _table(("", "precision", "recall", "F1", "right", "gold", "system"), rows, numbers=range(1, 7))
    return _block([table, f'<div style="font-size:smaller">{text(given.convention)}</div>'])


def show_pipeline(given: Pipeline) -> str:
    """Its components in the order of their work, and its scores."""
    about = [each for each in (given.model.language, given.model.licence) if each]
    rows = [
        (name, each.kind, ", ".join(sorted(each.provides)), _learned(each))
        for name, each in given.components.items()
    ]
    title = text(given.model.name or "a pipeline")
    parts = [f"<div><b>{title}</b> {text(', '.join(about))}</div>"]
    parts.append(_table(("component", "kind", "gives", "learned from"), rows))
    if given.scores_:
        ways = list(given.scores_)
        metrics = list(dict.fromkeys(name for way in ways for name in given.scores_[way]))
        found = [(name, *(_score(given.scores_[way].get(name)) for way in ways)) for name in metrics]
        parts.append(_table(("dev set", *ways), found, numbers=range(1, len(ways) + 1)))
    return _block(parts)


def _score(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _learned(component: Any) -> str:
    origin = component.origin_
    return (
        f"{origin.treebank or 'a treebank'}, {counted(origin.sentences, 'sentence')}"
        if origin.sentences
        else ""
    )


def _counts(given: Treebank, name: str = "") -> str:
    words = sum(map(len, given.sentences))
    told = f"{counted(len(given), 'sentence')}, {counted(words, 'word')}"
    return f"<div>{f'<b>{text(name)}</b> ' if name else ''}{told}</div>"


def _more(amount: int) -> str:
    return f"<div>… and {counted(amount, 'more sentence')}</div>" if amount > 0 else ""


def _sentence(sentence: Sentence, *, drawn: bool, unfolded: bool) -> str:
    line = "".join(_words(sentence))
    picture = _picture(sentence) if drawn else ""
    if not picture:
        return f'<div dir="auto" style="line-height:2">{line}</div>'
    return (
        f'<details{" open" if unfolded else ""}><summary dir="auto" style="line-height:2">{line}</summary>'
        f"{picture}</details>"
    )


def _picture(sentence: Sentence) -> str:
    if len(sentence) > _LONGEST:
        return ""
    try:
        return draw_tree(sentence, colours=True)
    except InputError:  # it has no tree
        return ""


def _words(sentence: Sentence) -> Iterator[str]:
    """The words with blanks where the text has white space."""
    places = known_places(sentence)
    for word in sentence:
        if word.index:
            joined = bool(places) and places[word.index - 1][1] == places[word.index][0]
            yield "" if joined else " "
        yield _tagged(word.form, word.upos, _about(word))


def _about(word: Word) -> str:
    head = word.head_word
    attached = f"{word.deprel} of {head.form}" if head is not None else word.deprel
    cells = (word.upos, word.xpos, word.lemma, word.feats, attached)
    return " · ".join(filter(None, map(shown, cells)))


def _tagged(form: str, tag: str, title: str) -> str:
    ink = ink_of_tag(tag)
    ground = "" if ink is TAG else f"background:{ink.light}{_THIN};"
    return (
        f'<span title="{text(title)}" style="{ground}border-radius:3px;padding:1px 2px">'
        f"<bdi>{text(form)}</bdi></span>"
    )


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = ()) -> str:
    right = set(numbers)

    def row(cells: Sequence[str], kind: str) -> str:
        inner = "".join(
            f'<{kind} style="{_NUMBER if place in right else _CELL}">{text(cell)}</{kind}>'
            for place, cell in enumerate(cells)
        )
        return f"<tr>{inner}</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    return f"<table><thead>{row(heads, 'th')}</thead><tbody>{body}</tbody></table>"


def _block(parts: Iterable[str]) -> str:
    return f'<div class="plait">{"".join(parts)}</div>'
