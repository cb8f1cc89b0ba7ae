"""Norms beside forms, and sentences on which parsers agree (Pekar et al. 2014)."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plait import FormatError, InputError, Sentence, formats
from plait.components.normalizer import Normalizer
from plait.features.encoding import Encoder, hash_text, norms_of, seen_words
from plait.features.spelling import Spelling
from plait.layers import Norms
from plait.learning.lessons import Lessons
from plait.pipeline import Recipe, train
from plait.pipeline.agreement import agreed
from toy import quick_parser, toy, written

SPELLING = Spelling({"u": "you", "gr8": "great"}, {"teh": "the", "wat": "what|wheat"}).knowing(
    ["so", "good", "You", "great", "wheat", "keen", "win", "x"]
)


@pytest.mark.parametrize(
    ("form", "norm"),
    [
        ("soooo", "so"),
        ("SOOOO", "SO"),
        ("goooood", "good"),  # two letters are tried before one
        ("keeeen", "keen"),
        ("*so*", "so"),
        ("_so_", "so"),
        ("**soooo**", "so"),
        ("*so_", "*so_"),
        ("***", "***"),
        ("u", "you"),
        ("U", "You"),
        ("GR8", "GREAT"),
        ("Teh", "The"),
        ("wat", "wheat"),  # of alternatives the first that is known
        ("#win", "win"),
        ("#lose", "#lose"),
        ("good", "good"),
        ("aaa", "aaa"),
        ("xxx", "xxx"),
        ("...", "..."),
        ("1000", "1000"),
    ],
)
def test_what_words_stand_for(form: str, norm: str) -> None:
    assert SPELLING.norm(form) == norm


def test_a_known_word_is_no_misspelling() -> None:
    assert Spelling({}, {"teh": "the"}).knowing(["teh"]).norm("teh") == "teh"


@given(st.text(min_size=1, max_size=130))
def test_a_norm_is_one_word_and_its_own_norm(form: str) -> None:
    norm = SPELLING.norm(form)
    assert norm
    assert SPELLING.norm(norm) == norm


def test_lists_of_spellings(tmp_path: Path) -> None:
    path = tmp_path / "list.tsv.xz"
    text = "# written, standard, kind\nabt\tabout\tslang\n\ndont\tdo not\nteh\tthe|then\tmisspelling\n'all\t\tx\r\n"
    path.write_bytes(lzma.compress(text.encode()))
    found = Spelling.load(path)
    assert (dict(found.pairs), dict(found.doubtful)) == ({"abt": "about"}, {"teh": "the|then"})
    assert Spelling.from_tensors(SPELLING.tensors()) == SPELLING


@pytest.mark.parametrize("line", ["abt", "a\tb\tc\td", "\tabout", "a\x07\tb"])
def test_a_line_that_is_no_spelling(line: str, tmp_path: Path) -> None:
    path = tmp_path / "list.tsv"
    path.write_text(f"u\tyou\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"list.tsv:2: "):
        Spelling.load(path)


def test_features_see_norms_and_forms_stay() -> None:
    sentence = Sentence(forms=["Sooo", "u", "😂"])
    sentence.put(Norms(("So", "you", "😂")))
    assert norms_of(sentence) == ("So", "you", "😂")
    assert seen_words(sentence) == ["So", "you", ":)"]
    encoder = Encoder(["form", "lower", "suffix2", "written", "norm"])
    values, _ = encoder.encode([sentence])
    expected = [
        ("So", "so", "So", "Sooo", "So"),
        ("you", "you", "ou", "u", "you"),
        (":)", ":)", ":)", "😂", "_"),
    ]
    assert values.tolist() == [[hash_text(text) for text in row] for row in expected]
    assert sentence.forms == ["Sooo", "u", "😂"]


def test_norms_are_kept_in_json_lines(tmp_path: Path) -> None:
    sentence = Sentence(forms=["u", "r"])
    sentence.put(Norms(("you", "are")))
    formats.write([sentence], tmp_path / "s.jsonl")
    assert formats.read(tmp_path / "s.jsonl")[0].find(Norms) == Norms(("you", "are"))
    with pytest.raises(ValueError, match="texts"):
        Norms.from_json(["a", ""])


def _shouted(sentence: Sentence) -> Sentence:
    twin = sentence.copy()
    twin.forms = [form + form[-1] * 4 if form.isalpha() and form.islower() else form for form in twin.forms]
    return twin


def test_a_pipeline_with_a_normalizer_reads_what_is_shouted() -> None:
    recipe = Recipe().updated(
        {
            "model": {"components": "normalizer,tagger,parser", "tags": "gold"},
            "tagger": {"bits": 12, "epochs": 3},
            "parser": {"bits": 14, "epochs": 3, "beam": 1},
        }
    )
    plain = written(60)
    pipeline = train(plain, recipe=recipe.updated({"normalizer": {}}))
    calm, loud = pipeline.parse(plain), pipeline.parse([_shouted(sentence) for sentence in plain])
    assert [each.upos for each in loud] == [each.upos for each in calm]
    assert [each.heads for each in loud] == [each.heads for each in calm]
    assert any(each.forms != other.forms for each, other in zip(calm, loud, strict=True))
    assert [each.forms for each in loud] == [_shouted(each).forms for each in plain]


def test_a_list_that_is_not_there() -> None:
    with pytest.raises(InputError, match=r"nowhere.tsv: there is no such file"):
        Normalizer(spellings="nowhere.tsv").fit(toy(3))


def _tree(words: int, heads: list[int] | None = None, label: str = "dep") -> Sentence:
    return Sentence(
        forms=[f"w{i}" for i in range(words)],
        heads=heads or [0, *[1] * (words - 1)],
        deprels=["root", *[label] * (words - 1)],
    )


def test_agreement_picks_the_same_trees_in_order() -> None:
    one = [_tree(6), _tree(7), _tree(8), _tree(9), _tree(10), _tree(11)]
    other = [_tree(6), _tree(7), _tree(8, label="obj"), _tree(9, [0, 1, 2, *[1] * 6]), _tree(10), _tree(11)]
    assert [len(each) for each in agreed([one, other])] == [7, 10, 11]  # six words are too few
    assert [len(each) for each in agreed([one, other], most=2)] == [7, 10]
    assert [len(each) for each in agreed([one, other, [*one[:5], _tree(11, label="obj")]])] == [7, 10]
    with pytest.raises(ValueError):
        list(agreed([one, other[:-1]]))


def test_clusters_reach_the_completion_model() -> None:
    from plait.features.clusters import Clusters

    sentences = toy(30)
    clusters = Clusters.learn([each.forms for each in sentences], clusters=4)
    parser = quick_parser(beam=2, completion="2a", epochs=1).fit(Lessons.of(sentences, clusters))
    lists = parser.state.setup.parts.lists["first"]
    assert any(atom.attribute == "cluster6" for line in lists for atom in line)
