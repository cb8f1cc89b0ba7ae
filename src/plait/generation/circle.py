"""The circle: a text becomes a tree, the tree a graph of meaning, the graph a tree again, and that a text.

What comes back is compared with what went in; and with a stage at a time replaced by what is right, or kept from the
way there, one sees where how much is lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from plait.errors import FormatError, InputError, Problem
from plait.evaluation.texts import bleu_counts, bleu_of, exact_score, token_pairs
from plait.generation.realizer import Realizer
from plait.layers import Frames
from plait.learning.request import PLAIN, Request
from plait.pipeline.pipeline import Pipeline
from plait.sentence import EMPTY, Sentence

# In the order of work. The first three are taken from gold sentences; of the others, the way back takes what the way
# there had: the tree that the graph was made of, the order of the words, and their forms.
THERE = ("words", "syntax", "roles")
BACK = ("tree", "order", "forms")
STAGES = (*THERE, *BACK)
_NEEDED = {"syntax": "words", "roles": "words"}
_CARRIED = ("text", "sent_id")
_NO_SPACE = "SpaceAfter=No"


@dataclass(frozen=True, slots=True)
class Turn:
    """What came back with some stages given; BLEU and the share of sentences that are as they were, in percent, for
    small and large letters alike.
    """

    given: tuple[str, ...]
    texts: list[str]
    bleu: float
    exact: float


class Circle:
    """A parser that finds predicates and roles, and a realizer that begins with graphs."""

    def __init__(self, parser: Pipeline, realizer: Realizer) -> None:
        if parser.giving("frames") is None:
            raise InputError("The parser finds no predicates and roles, of which a graph of meaning is made.")
        if all(each.kind != "graph2tree" for each in realizer.pipeline.components.values()):
            raise InputError(
                "The realizer does not begin with a graph. One that does is learned by: plait train TREEBANK -o MODEL "
                "--parts graph2tree,lifter,order,inflector"
            )
        self.parser, self.realizer = parser, realizer

    def there(
        self, sentences: Iterable[Sentence], given: Collection[str] = (), request: Request = PLAIN
    ) -> Iterator[Sentence]:
        """From text to predicates and roles; one sentence for each. Of those given, only what is `given` is looked at,
        and else their text.
        """
        needed = {*given, *(_NEEDED[stage] for stage in given if stage in _NEEDED)}
        golds: list[Sentence] = []

        def shown() -> Iterator[Sentence]:
            for gold in sentences:
                golds.append(gold)
                if "words" not in needed:
                    found = list(self.parser.tokenize([" ".join(gold.text.split()) + "\n"], lines=True))
                    if len(found) != 1:  # none, or a line end that only the tokenizer knows
                        message = "the tokenizer does not find one sentence in its text."
                        raise FormatError(Problem(message, "", gold.line, gold.sent_id))
                    yield found[0]
                else:
                    yield _syntax(gold) if "syntax" in needed else _words(gold)

        layers = {"frames"} if "syntax" in needed else None
        for sentence in self.parser.annotate(shown(), request, layers=layers):
            gold = golds.pop(0)
            if "roles" in needed:
                sentence.take(Frames)
                frames = gold.find(Frames)
                if frames is not None:
                    sentence.put(frames)
            yield sentence

    def back(
        self, sentences: Iterable[Sentence], given: Collection[str] = (), request: Request = PLAIN
    ) -> Iterator[Sentence]:
        """From predicates and roles to text."""
        return self.realizer.realize(sentences, request, start="graph", gold=set(given) & set(BACK))

    def turn(self, sentences: Sequence[Sentence], given: Collection[str] = ()) -> Turn:
        """All the way round."""
        texts = [_one_line(said.text) for said in self.back(self.there(sentences, given), given)]
        gold = [_one_line(sentence.text) for sentence in sentences]
        ordered = tuple(stage for stage in STAGES if stage in given)
        pairs = token_pairs([text.lower() for text in gold], [text.lower() for text in texts])
        bleu = float(bleu_of(bleu_counts(pairs).sum(axis=0, keepdims=True))[0])
        return Turn(ordered, texts, bleu, 100 * exact_score(pairs))

    def turns(self, sentences: Sequence[Sentence]) -> Iterator[Turn]:
        """Nothing given, each stage alone, and each with all before it; every one once."""
        alone = [(stage,) for stage in STAGES]
        growing = [STAGES[:size] for size in range(2, len(STAGES) + 1)]
        for given in ((), *alone, *growing):
            yield self.turn(sentences, given)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _words(gold: Sentence) -> Sentence:
    """Words and where there is no space between them."""
    kept = [line for line in gold.comments if line[1:].split("=")[0].strip() in _CARRIED]
    return Sentence(
        forms=list(gold.forms),
        misc=[_NO_SPACE if _NO_SPACE in cell.split("|") else EMPTY for cell in gold.misc],
        multiword_tokens=list(gold.multiword_tokens),
        comments=kept,
    )


def _syntax(gold: Sentence) -> Sentence:
    """All but what is known of predicates."""
    sentence = gold.copy()
    sentence.take(Frames)
    return sentence
