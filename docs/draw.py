"""Draws the pictures of these pages again: python docs/draw.py [FOLDER]"""

from __future__ import annotations

import argparse
from pathlib import Path

from plait import Sentence, derive
from plait.drawing.comparison import draw_comparison
from plait.drawing.derivation import draw_derivation
from plait.drawing.lattice import draw_lattice
from plait.drawing.tree import draw_tree
from plait.layers import Argument, Frame, Frames
from plait.meaning import SemanticStructure
from plait.semantics.convert import Converter
from plait.semantics.rules import load
from plait.transitions import State, Step, build_lattice
from plait.transitions.kinds import read_letters

SENTENCES = {
    "hearing": ("A hearing is scheduled on the issue today .", [2, 3, 0, 3, 2, 7, 5, 4, 3]),
    "who": ("Who did you send the letter to ?", [7, 0, 2, 2, 6, 4, 4, 2]),
    "after": ("That 's what they 're after", [2, 0, 6, 5, 2, 5]),
    "intel": ("Ausgelöst wurde sie durch Intel", [2, 0, 2, 1, 4]),
    "likes": ("A likes B", [2, 0, 2]),
    "persuaded": ("They persuaded her to sell the old house", [2, 0, 2, 5, 2, 8, 8, 5]),
    "stars": ("She saw stars with telescopes", [2, 0, 2, 2, 4]),
}
LABELS = {
    "hearing": "det nsubj:pass root vg nmod det pc advmod punct",
    "who": "obj root nsubj vg det obj obl punct",
    "persuaded": "nsubj root obj mark xcomp det amod obj",
}
TAGS = {
    "hearing": "DET NOUN AUX VERB ADP DET NOUN NOUN PUNCT",
    "who": "PRON AUX PRON VERB DET NOUN ADP PUNCT",
    "persuaded": "PRON VERB PRON PART VERB DET ADJ NOUN",
}


def sentence(name: str) -> Sentence:
    text, heads = SENTENCES[name]
    return Sentence(forms=text.split(), heads=[*heads])


def labelled(name: str) -> Sentence:
    tree = sentence(name)
    tree.deprels, tree.upos = LABELS[name].split(), TAGS[name].split()
    return tree


def who_by_a_system() -> Sentence:
    parsed = labelled("who")
    parsed[1].head, parsed[8].head, parsed[7].deprel = 4, 4, "case"
    return parsed


def persuaded() -> Sentence:
    """With predicates, and the graph of meaning that follows."""
    tree = labelled("persuaded")
    tree.lemmas = ["they", "persuade", "she", "to", "sell", "the", "old", "house"]
    tree[2].feats = "Tense=Past|VerbForm=Fin"
    persuade = Frame(2, "persuade.01", (Argument(1, "A0"), Argument(3, "A1"), Argument(5, "A2")))
    sell = Frame(5, "sell.01", (Argument(3, "A0"), Argument(8, "A1")))
    tree.put(Frames((persuade, sell)))
    Converter(load()).convert(tree)
    return tree


def pictures() -> dict[str, str]:
    """The pictures by file name."""
    drawn = {
        f"{name}-{oracle}.svg": draw_derivation(derive(sentence(name), oracle=oracle))
        for name, oracle in (
            *(("hearing", "eager"), ("hearing", "lazy"), ("who", "lazy")),
            *(("after", "eager"), ("after", "lazy"), ("intel", "lazy")),
        )
    }
    lattices = {
        f"{name}-lattice.svg": draw_lattice(build_lattice(sentence(name))) for name in ("likes", "intel")
    }
    trees = {
        "hearing-tree.svg": draw_tree(labelled("hearing")),
        "persuaded-graph.svg": persuaded().draw(layer=SemanticStructure).svg,
        "who-comparison.svg": draw_comparison(labelled("who"), who_by_a_system()),
    }
    spine = replay_derivation("SSLSRSSRRR", "stars", system="spine")
    return drawn | lattices | trees | {"stars-spine.svg": draw_derivation(spine)}


def replay_derivation(letters: str, name: str, system: str) -> list[Step]:
    """The steps of a derivation of one's own choice."""
    state = State(sentence(name).forms, system=system, single_root=True)
    steps = []
    for transition in read_letters(letters):
        steps.append(Step(state.copy(), transition, (transition.kind,)))
        state.apply(transition)
    return steps


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent / "pictures")
    folder = parser.parse_args().folder
    folder.mkdir(exist_ok=True)
    for file, picture in pictures().items():
        (folder / file).write_text(picture, encoding="utf-8")
