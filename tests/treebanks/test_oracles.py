"""The oracles on the real treebanks: the known numbers of swaps, and every tree derived and built again."""

from pathlib import Path

import pytest

import plait
from plait.transitions import SYSTEMS, count, derivations, derive, rebuild, spell
from plait.transitions.registry import ORACLES
from plait.trees import TreeBatch
from plait.trees.lifting import projectivize

# EAGER's swaps, and what LAZY and MINIMAL save, in percent.
SWAPS = {
    "English-EWT/*train*": (2_113, "79.7", "81.7"),
    "Gothic-PROIEL/*train*": (4_166, "70.0", "74.9"),
    "Polish-MPDT/*train*": (4_552, "71.9", "78.4"),
    "Hungarian-Szeged/*train*": (1_105, "68.0", "73.6"),
    "Czech-CLTT/*train*": (333, "84.4", "84.4"),
    "Danish-CDT/*.conll": (8_653, "82.1", "84.4"),
    "AncientGreek-Perseus/*.conllu": (9_183, "47.2", "54.9"),
    "German-GSD/*.conllu": (1_067, "80.7", "81.5"),
    "Czech-CAC/*.conllu": (365, "58.9", "58.9"),
    "Dutch-Alpino/*.conllu": (1_003, "68.3", "74.2"),
    "Arabic-PADT/*.conllu": (1_436, "86.7", "86.7"),
}


def trees_of(treebanks: Path, pattern: str) -> TreeBatch:
    return TreeBatch(
        sentence.tree() for path in sorted(treebanks.glob(pattern)) for sentence in plait.stream(path)
    )


@pytest.mark.parametrize("pattern", SWAPS)
def test_the_swaps_are_the_known_ones(treebanks: Path, pattern: str) -> None:
    trees = trees_of(treebanks, pattern)
    counts = {oracle: count(trees, oracle=oracle) for oracle in ("eager", "lazy", "minimal")}
    eager, lazy, minimal = (int(counts[oracle].swaps.sum()) for oracle in counts)
    saved = [f"{100 * (eager - fewer) / eager:.1f}" for fewer in (lazy, minimal)]
    assert (eager, *saved) == SWAPS[pattern]
    assert not counts["minimal"].over_budget.any()
    assert (counts["lazy"].swaps <= counts["eager"].swaps).all()
    assert (counts["minimal"].swaps <= counts["lazy"].swaps).all()


@pytest.mark.parametrize("system", ORACLES)
def test_every_tree_is_derived_and_built_again(treebanks: Path, system: str) -> None:
    for path in sorted(treebanks.glob("*/*.conll*")):
        trees = TreeBatch(sentence.tree() for sentence in plait.stream(path))
        if SYSTEMS[system].projective:
            projective = trees.projective
            trees = TreeBatch(
                trees.heads[begin:end].tolist()
                for begin, end, fits in zip(trees.offsets[:-1], trees.offsets[1:], projective, strict=True)
                if fits
            )
        for oracle in ORACLES[system]:
            found = derivations(trees, system=system, oracle=oracle)
            assert (rebuild(found, trees.offsets, system=system) == trees.heads).all(), (path.name, oracle)


def test_every_projectivized_tree_is_derived_from_spines(treebanks: Path) -> None:
    for path in sorted(treebanks.glob("*/*.conll*")):
        trees = TreeBatch(
            projectivize(sentence.tree(), [""] * len(sentence))[0] for sentence in plait.stream(path)
        )
        for oracle in ORACLES["spine"]:
            found = derivations(trees, system="spine", oracle=oracle)
            assert (rebuild(found, trees.offsets, system="spine") == trees.heads).all(), (path.name, oracle)


@pytest.mark.parametrize("oracle", ORACLES["swap"])
def test_the_twins_agree_on_treebank_sentences(treebanks: Path, oracle: str) -> None:
    for file in ("AncientGreek-Perseus/grc_perseus-ud-dev.conllu", "Polish-MPDT/pl_mpdt-ud-dev.conllu"):
        sentences = [sentence for sentence in plait.read(treebanks / file)[:120] if len(sentence) <= 25]
        fast = derivations(sentences, oracle=oracle)
        for sentence, letters in zip(sentences, fast, strict=True):
            assert spell(derive(sentence, oracle=oracle)) == letters
