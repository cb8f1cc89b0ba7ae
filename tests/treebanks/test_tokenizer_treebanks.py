"""Real treebanks: a quick training reaches what a quick training should, and the raw text comes back."""

from pathlib import Path

import plait
from plait.components.tokenizer import Tokenizer, raw_text, restore


def test_a_slice_of_english(treebanks: Path) -> None:
    folder = treebanks / "English-EWT"
    train = plait.read(folder / "en_ewt-ud-train.conllu")[:4000]
    dev = plait.read(folder / "en_ewt-ud-dev.conllu")[:800]
    tokenizer = Tokenizer(epochs=4, bits=18).fit(train, dev=dev)
    assert tokenizer.scores_["words"] > 98.5
    assert tokenizer.scores_["sentences"] > 80
    text = raw_text(dev).text
    assert restore(tokenizer.tokenize(text)) == text


def test_a_treebank_without_spaces_and_one_without_punctuation(treebanks: Path) -> None:
    danish = plait.read(treebanks / "Danish-CDT" / "da_cdt-train.conll")[:1000]
    gothic = plait.read(treebanks / "Gothic-PROIEL" / "got_proiel-ud-train.conllu")[:1000]
    for treebank in danish, gothic:
        tokenizer = Tokenizer(epochs=2, bits=16).fit(treebank)
        assert tokenizer.state.spaces_guessed
        text = raw_text(treebank).text
        assert restore(tokenizer.tokenize(text)) == text
