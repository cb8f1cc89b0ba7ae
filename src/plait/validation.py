"""Every problem of a treebank file: what cannot be read, trees that are none, broken conventions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from plait.errors import FormatError, InputError, Problem, excerpt, printable
from plait.formats import choose_format, sentences_of
from plait.formats.detection import UNIVERSAL_TAGS
from plait.formats.files import open_source
from plait.meaning import InformationStructure, SemanticStructure
from plait.semantics.conditions import violations
from plait.sentence import EMPTY, Sentence
from plait.trees import find_fault

_FEATURE = re.compile(r"[^=|\s]+=[^=|\s]+")
_DEPENDENCY = re.compile(r"(\d+(?:\.\d+)?):(\S+)")

_MOST = 20  # problems of one word, or of the sentence: whoever has more sees them when these are mended

Finding = tuple[int, str, bool]  # word (0: the sentence), message, is it only a warning?


def validate(path: str | Path, *, format: str | None = None) -> Iterator[Problem]:
    """The problems of a file (`-` is standard input), in constant memory but for the sent_ids."""
    with open_source(path) as source:
        chosen = choose_format(source, format, treebank=True)
        pending: list[Problem] = []
        seen: dict[str, int] = {}
        sentence = None
        try:
            for sentence in sentences_of(source, chosen, pending.extend):
                yield from pending
                pending.clear()
                findings = [_check_tree(sentence, several_roots=chosen.name in ("conllx", "conll09"))]
                if chosen.name == "conllu":
                    findings.append(_check_conllu(sentence, seen))
                findings.append(_check_meaning(sentence))
                lines = _line_numbers(sentence)
                for word, message, warning in _first_of_each(chain.from_iterable(findings)):
                    yield Problem(message, source.name, lines[word], sentence.sent_id, warning)
        except FormatError as error:
            pending.append(error.problem)
        except InputError as error:
            pending.append(Problem(str(error).removeprefix(printable(f"{source.name}: ")), source.name))
        yield from pending
        if (
            sentence is not None
            and chosen.name == "conllu"
            and sentence.ending.count("\n") < 2
            and not pending
        ):
            message = "the file ends without an empty line after the last sentence; is it cut off?"
            yield Problem(message, source.name, _line_numbers(sentence)[-1], sentence.sent_id, warning=True)


def _first_of_each(findings: Iterable[Finding]) -> list[Finding]:
    """In the order of words; of one that has very many how many more there are."""
    kept: list[Finding] = []
    counts: Counter[int] = Counter()
    wrong: Counter[int] = Counter()  # of those left out
    for finding in findings:
        word = finding[0]
        counts[word] += 1
        if counts[word] <= _MOST:
            kept.append(finding)
        else:
            wrong[word] += not finding[2]
    for word, count in counts.items():
        if count > _MOST:
            kept.append((word, f"there are {count - _MOST:,} more problems.", not wrong[word]))
    return sorted(kept, key=lambda finding: finding[0])


def _line_numbers(sentence: Sentence) -> list[int]:
    """The line of the sentence's beginning, then of every word."""
    starts = {token.first for token in sentence.multiword_tokens}
    line = sentence.line + len(sentence.comments)
    nodes_after = Counter(node.after for node in sentence.empty_nodes)
    line += nodes_after[0]
    lines = [sentence.line]
    for number in range(1, len(sentence) + 1):
        line += number in starts
        lines.append(line)
        line += 1 + nodes_after[number]
    return lines


def _check_meaning(sentence: Sentence) -> Iterator[Finding]:
    """The conditions on graphs fit for generation, where the sentence has one."""
    graph = sentence.find(SemanticStructure)
    if graph is None:
        return
    for violation in violations(graph, sentence.find(InformationStructure)):
        nodes = ", ".join(f"{number} ({graph.nodes[number - 1].label})" for number in violation.nodes)
        yield 0, f"condition {violation.condition} is violated by node {nodes}.", False


def _check_tree(sentence: Sentence, *, several_roots: bool) -> Iterator[Finding]:
    heads = [head for head in sentence.heads if head is not None]
    if not heads:
        return  # not annotated
    if len(heads) < len(sentence):
        for word, head in enumerate(sentence.heads, 1):
            if head is None:
                yield word, "HEAD is _ though other words of the sentence have a head.", False
        return
    if (fault := find_fault(heads)) is not None:
        yield *fault, False
    roots = [word for word, head in enumerate(heads, 1) if head == 0]
    if not roots:
        yield 0, "no word hangs from the root (HEAD 0).", False
    elif len(roots) > 1 and not several_roots:
        yield roots[1], f"{len(roots)} words hang from the root: {', '.join(map(str, roots[:8]))}.", False
    for word, label in enumerate(sentence.deprels, 1):
        if label == EMPTY:
            yield word, "HEAD is given but DEPREL is _.", False


def _check_conllu(sentence: Sentence, seen: dict[str, int]) -> Iterator[Finding]:
    yield from _check_comments(sentence, seen)
    yield from _check_layout(sentence)
    nodes = {str(number) for number in range(len(sentence) + 1)} | {node.id for node in sentence.empty_nodes}
    columns = {
        "UPOS": sentence.upos,
        "XPOS": sentence.xpos,
        "FEATS": sentence.feats,
        "DEPREL": sentence.deprels,
        "DEPS": sentence.deps,
    }
    for word in range(1, len(sentence) + 1):
        for name, column in columns.items():
            if any(character.isspace() for character in column[word - 1]):
                yield word, f"{name} holds white space: {excerpt(column[word - 1])}.", False
        tag = sentence.upos[word - 1]
        if tag != EMPTY and tag not in UNIVERSAL_TAGS:
            yield word, f"UPOS {excerpt(tag)} is not one of the 17 universal tags.", True
        head, label = sentence.heads[word - 1], sentence.deprels[word - 1]
        if head is not None and label != EMPTY and (head == 0) != (label.split(":")[0] == "root"):
            yield word, f"HEAD is {head} but DEPREL is {excerpt(label)}: root and 0 go together.", True
        for message, warning in _check_feats(sentence.feats[word - 1]):
            yield word, message, warning
        for message, warning in _check_deps(sentence.deps[word - 1], nodes):
            yield word, message, warning
    for token in sentence.multiword_tokens:
        cells = (token.lemma, token.upos, token.xpos, token.head, token.deprel, token.deps)
        if any(cell != EMPTY for cell in cells):
            yield token.first, f"the multiword token {token.id} is annotated; its words should be.", True
    for node in sentence.empty_nodes:
        if (node.head, node.deprel) != (EMPTY, EMPTY):
            yield node.after, f"the empty node {node.id} has HEAD or DEPREL; it may have DEPS only.", True
        for message, warning in _check_deps(node.deps, nodes):
            yield node.after, message, warning


def _check_comments(sentence: Sentence, seen: dict[str, int]) -> Iterator[Finding]:
    sent_id = sentence.sent_id
    if not sent_id:
        yield 0, "the sentence has no sent_id.", True
    elif sent_id in seen:
        yield 0, f"sent_id {excerpt(sent_id)} was used before, in line {seen[sent_id]}.", False
    seen.setdefault(sent_id, sentence.line)
    text = sentence.comment("text")
    if text is None:
        yield 0, "the sentence has no text.", True
    elif text != sentence.detokenized():
        yield 0, f"the text differs from the words from {_first_difference(text, sentence)} on.", True


def _check_layout(sentence: Sentence) -> Iterator[Finding]:
    if sentence.newline != "\n":
        yield 0, "the lines end with CR LF; CoNLL-U asks for LF.", True
    if sentence.leading or sentence.ending.count("\n") > 2:
        yield 0, "there is more than one empty line beside the sentence.", True


def _first_difference(text: str, sentence: Sentence) -> str:
    words = sentence.detokenized()
    same = 0
    while same < min(len(text), len(words)) and text[same] == words[same]:
        same += 1
    return excerpt(text[max(0, same - 8) : same + 12] or text)


def _check_feats(cell: str) -> Iterator[tuple[str, bool]]:
    if cell == EMPTY:
        return
    entries = cell.split("|")
    for entry in entries:
        if not _FEATURE.fullmatch(entry):
            yield f"FEATS holds {excerpt(entry)}, which is not Name=Value.", False
    names = Counter(entry.split("=")[0] for entry in entries)
    if len(names) < len(entries):
        yield f"FEATS names {excerpt(names.most_common(1)[0][0])[1:-1]} twice.", False
    if entries != sorted(entries, key=str.lower):
        yield "FEATS are not in alphabetical order.", True


def _check_deps(cell: str, nodes: set[str]) -> Iterator[tuple[str, bool]]:
    if cell == EMPTY:
        return
    places = []
    for entry in cell.split("|"):
        match = _DEPENDENCY.fullmatch(entry)
        if match is None:
            yield f"DEPS holds {excerpt(entry)}, which is not head:label.", False
            continue
        if match[1] not in nodes:
            yield f"DEPS has head {match[1][:40]}, which is not in the sentence.", False
            continue
        places.append(tuple(map(int, match[1].split("."))))
    if places != sorted(places):
        yield "DEPS are not ordered by their heads.", True
