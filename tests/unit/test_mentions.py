"""Mentions: labels, features, learners, filling, files."""

import gzip
import json
import lzma
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from math import lgamma
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from mention_texts import grec, people
from plait.cli import plait
from plait.errors import InputError
from plait.evaluation.mentions import edit_distance, score_mentions, words_of
from plait.formats.grec import Expression, MentionText, Reference, read_mentions
from plait.formats.mention_columns import FEATURES, ChainRow, read_chains, write_chains
from plait.generation.mentions import MentionFiller
from plait.generation.mentions.context import ContextReader
from plait.generation.mentions.entities import chains_of, rows_of
from plait.generation.mentions.five import FAR, Categories, with_lasts
from plait.generation.mentions.labels import basic, expanded, refined, umus
from plait.generation.mentions.learners import LEARNERS
from plait.generation.mentions.learners.bayes import find_parents, k2_score
from plait.generation.mentions.selecting import RoundRobin
from plait.generation.mentions.sights import look
from plait.learning import store


def texts(tmp_path: Path, content: str) -> list[MentionText]:
    path = tmp_path / "given.xml"
    path.write_text(content, encoding="utf-8")
    return read_mentions(path)


def said(kind: str, text: str, **attributes: str) -> Expression:
    return Expression(kind, attributes, (text,))


# Labels: the examples of the papers.


def test_labels_of_2009() -> None:
    he = said("pronoun", "he", CASE="nominative", HEAD="pronoun", EMPHATIC="no")
    assert basic(he, "") == "pronoun_nominative_pronoun"
    assert refined(he, "") == refined(replace(he, pieces=("she",)), "")
    assert refined(he, "") != refined(replace(he, pieces=("who",)), "")
    # *her* is *him* or *his*.
    genitive = said("pronoun", "her", CASE="genitive")
    assert refined(genitive, "").endswith("_his")
    assert refined(said("pronoun", "her", CASE="accusative"), "").endswith("_him")
    names = {
        text: refined(said("name", text, CASE="plain"), "Adam Smith").rsplit("_", 1)[-1]
        for text in ("Adam Smith", "Adam", "Smith", "Adam J. Smith", "Sir")
    }
    assert names == {
        "Adam Smith": "full",
        "Adam": "first",
        "Smith": "family",
        "Adam J. Smith": "longer",
        "Sir": "word",
    }


def test_labels_of_2010() -> None:
    assert umus(said("pronoun", "she", CASE="nominative"), "") == "pronoun_nominative_he"
    assert umus(said("pronoun", "himself", CASE="accusative"), "") == "pronoun_accusative_self"
    assert umus(said("name", "Smith", CASE="plain"), "") == "name_plain_short"
    assert umus(said("name", "Adam Smith", CASE="plain"), "") == "name_plain"
    assert umus(said("empty", "_"), "") == "empty_no_case"
    his = said("pronoun", "his", CASE="genitive")
    inner = Reference("0", {}, [], his)
    father = Expression("common", {"CASE": "plain"}, (inner, " father"))
    assert umus(father, "") == "pronoun_genitive_his:common_plain_nesting_left"
    son = Expression(
        "common", {"CASE": "plain"}, ("the son of ", replace(inner, chosen=said("name", "Ann", CASE="plain")))
    )
    assert umus(son, "") == "name_plain_short:common_plain_nesting_right"


def test_every_assignment_to_references_inside() -> None:
    father = Expression("common", {"CASE": "plain"}, (Reference("0", {}), " father"))
    own = [said("pronoun", "his", CASE="genitive"), said("name", "Ann's", CASE="genitive"), father]
    ways = expanded(father, {"0": own})
    assert [way.text for way in ways] == ["his father", "Ann's father"]
    assert expanded(own[0], {}) == [own[0]]
    # What could be said in millions of ways is cut.
    group = Expression("common", {}, tuple(Reference("0", {}) for _ in range(12)))
    assert len(expanded(group, {"0": own})) == 1000


def test_the_longest_first_then_round_the_list() -> None:
    robin = RoundRobin()
    listed = [said("name", text) for text in ("Smith", "Adam Smith", "the Right Honourable Lord Adam Smith")]
    chosen = [robin.choose("0", "name", listed) for _ in range(5)]
    assert [each.text for each in chosen if each] == [
        "the Right Honourable Lord Adam Smith",  # longer than four words: once only
        *("Adam Smith", "Smith", "Adam Smith", "Smith"),
    ]
    once = RoundRobin()
    assert once.choose("0", "name", listed[2:]) is not None
    assert once.choose("0", "name", listed[2:]) is None
    assert once.choose("1", "name", listed[2:]) is not None


# What is seen.


def test_what_stands_around_slots(tmp_path: Path) -> None:
    (text,) = texts(tmp_path, grec(1))
    (seen,) = ContextReader().read([text])
    columns = look(text, seen, ["before", "after", "sign_before", "opens", "count", "sentences", "begins"])
    assert columns["after"][:2] == ["is", "is"]
    assert columns["before"][1] == "and"
    assert columns["sentences"][:4] == ["first", "0", "1", "1"]
    assert columns["opens"] == ["True", "False", "False", "False", "False", "True", "False"]
    assert columns["begins"][:3] == ["True", "False", "True"]
    assert columns["count"] == ["1", "2", "3", "4+", "4+", "4+", "4+"]
    assert columns["before"][5] == "_"  # not the word of another paragraph


def test_the_five_features(tmp_path: Path) -> None:
    given = texts(tmp_path, grec(2))
    (seen, _) = ContextReader().read(given)
    categories = Categories.of(given, domains=False)
    rows = with_lasts(
        categories.rows(given[0], seen), [each.chosen.type for each in given[0].references if each.chosen]
    )
    assert rows[0].tolist()[:4] == [FAR, 1, 4, 0]  # far away, the first, none before it, another sentence
    assert rows[1].tolist()[:4] == [len(" is known in the north, and "), 2, 0, 1]
    assert rows[2].tolist()[2:4] == [3, 0]
    assert categories.syncats == ["np-obj", "np-subj", "subj-det", "other"]
    assert categories.semcats == ["other"]


def test_the_columns_of_2010(tmp_path: Path) -> None:
    (text,) = texts(tmp_path, people(1))
    (seen,) = ContextReader().read([text])
    rows = rows_of(text, seen)
    assert chains_of(rows) == [[0, 1], [2, 3]]
    first, second, father, _ = ({**dict(zip(FEATURES, row.features, strict=True))} for row in rows)
    assert (first["FIRST_TIME"], first["NEXT_WORD"], first["NEXT_BIGRAM"], first["NEXT_BE"]) == (
        "new",
        "was",
        "was_a",
        "yes",
    )
    assert (second["FIRST_TIME"], second["PREV_SENT"], second["PREV_PUNCT"], second["CHANGE"]) == (
        "known",
        "yes",
        "sent",
        "same",
    )
    assert (second["PREV_WORD"], second["PREV_BE"], second["NEXT_TAG"]) == ("_", "yes", "VBD")
    assert father["CHANGE+SYNFUNC"] == "different_subj"
    assert (father["EMBEDS_PREV"], father["EMBEDS_ALL_KNOWN"]) == ("embeds_prev", "embeds_known")


# Learners.


def test_k2_finds_the_parent_and_its_score_is_that_of_the_paper() -> None:
    # Cooper and Herskovits 1992, equation 8, term by term.
    counts = np.array([[3.0, 1.0], [0.0, 2.0]])
    expected = lgamma(2) - lgamma(6) + lgamma(4) + lgamma(2) + lgamma(2) - lgamma(4) + lgamma(1) + lgamma(3)
    assert k2_score(counts) == pytest.approx(expected)
    one = np.array([0, 1] * 20)
    other = np.array([0, 0, 1, 1] * 10)
    copy = one.copy()
    copy[0] = 1
    codes = np.column_stack([one, other, copy])
    assert find_parents(codes, [2, 2, 2], 2) == [[], [], [0]]
    # The table of Cooper and Herskovits 1992, section 3: x1 -> x2 -> x3.
    cases = np.array(
        [
            [1, 0, 0],
            [1, 1, 1],
            [0, 0, 1],
            [1, 1, 1],
            [0, 0, 0],
            [0, 1, 1],
            [1, 1, 1],
            [0, 0, 0],
            [1, 1, 1],
            [0, 0, 0],
        ]
    )
    assert find_parents(cases, [2, 2, 2], 2) == [[], [0], [1]]


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_learners_learn_and_are_arrays(tmp_path: Path, name: str) -> None:
    if name in ("tree", "perceptron"):
        pytest.importorskip("sklearn")
    given = texts(tmp_path, grec(40))
    filler = MentionFiller(learner=name).fit(given)
    again = texts(tmp_path, grec(12, 5))
    filled = filler.fill(again)
    accuracy = score_mentions(again, filled).type_accuracy
    assert accuracy > (0.4 if name == "majority" else 0.95)
    filler.save(tmp_path / "model")
    loaded = MentionFiller.load(tmp_path / "model")
    assert [text.text for text in loaded.fill(again)] == [text.text for text in filled]
    assert loaded.tell() == filler.tell()
    if name == "tree":
        assert "SENT" in filler.tell()
        assert ": empty (40)" in filler.tell()
    if name == "bayes":
        assert filler.tell().startswith("TYPE <- -\nDIST <- TYPE")


@pytest.mark.parametrize("name", ["tree", "perceptron"])
def test_arrays_say_what_the_library_says(name: str) -> None:
    """The stored arrays give the same shares as scikit-learn's own objects."""
    pytest.importorskip("sklearn")
    from sklearn.neural_network import MLPClassifier
    from sklearn.tree import DecisionTreeClassifier

    from plait.generation.mentions.learners import base

    random = np.random.default_rng(3)
    categories = Categories(["np-subj", "other"], ["city", "other"])
    rows = np.column_stack(
        [random.integers(0, 500, 600), random.integers(1, 20, 600)]
        + [random.integers(0, size, 600) for size in categories.sizes]
    ).astype(float)
    types = ((rows[:, 0] > 200) + 2 * (rows[:, 3] > 0)).astype(np.int64)
    made: list[Any] = []

    class Spy:
        class tree:  # noqa: N801
            @staticmethod
            def DecisionTreeClassifier(**options: Any) -> Any:  # noqa: N802
                made.append(DecisionTreeClassifier(**options))
                return made[-1]

        class neural_network:  # noqa: N801
            @staticmethod
            def MLPClassifier(**options: Any) -> Any:  # noqa: N802
                made.append(MLPClassifier(**options))
                return made[-1]

    module = __import__(f"plait.generation.mentions.learners.{name}", fromlist=["x"])
    before = module.scikit
    module.scikit = lambda: Spy
    try:
        learner: Any = LEARNERS[name](categories).fit(rows, types, 1)
    finally:
        module.scikit = before
    if name == "tree":
        expected = made[0].predict_proba(module.spread(rows, categories.sizes))
    else:
        expected = made[0].predict_proba((learner._seen(rows) - learner._mean) / learner._scale)
    assert learner.shares(rows) == pytest.approx(expected, abs=2e-3 if name == "tree" else 1e-9)
    assert base.COUNT == 4


# Filling.


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mentions")
    MentionFiller(l2=0.1, min_count=1).fit(texts(folder, grec(40)), source="a/texts.xml").save(folder / "msr")
    MentionFiller(task="neg", l2=0.1).fit(texts(folder, people(30))).save(folder / "neg")
    return folder


def test_a_chain_fills_what_it_never_saw_and_does_not_look_at_gold(models: Path, tmp_path: Path) -> None:
    given = texts(tmp_path, grec(12, 7))
    filler = MentionFiller.load(models / "msr")
    filled = filler.fill(given)
    scores = score_mentions(given, filled)
    assert scores.type_accuracy == 1
    assert scores.string_accuracy == 1
    for text in given:
        for reference in text.references:
            reference.chosen = None
    assert [text.text for text in filler.fill(given)] == [text.text for text in filled]


def test_entities_and_references_inside(models: Path, tmp_path: Path) -> None:
    given = texts(tmp_path, people(8, 5))
    filled = MentionFiller.load(models / "neg").fill(given)
    scores = score_mentions(given, filled)
    assert (scores.type_accuracy, scores.string_accuracy) == (1, 1)
    assert (scores.type_precision, scores.type_recall) == (1, 1)
    father = filled[0].references[2].chosen
    assert father is not None
    assert father.text in ("his father", "her father")
    assert [inner.entity for inner in father.inner] == ["0"]


def test_the_same_bytes(models: Path, tmp_path: Path) -> None:
    MentionFiller(l2=0.1, min_count=1).fit(texts(tmp_path, grec(40)), source="a/texts.xml").save(
        tmp_path / "again"
    )
    for name in ("manifest.json", "weights.safetensors", "config.toml"):
        assert (tmp_path / "again" / name).read_bytes() == (models / "msr" / name).read_bytes()


def test_columns_of_chains(models: Path, tmp_path: Path) -> None:
    given = texts(tmp_path, people(20))
    rows = [
        [
            replace(row, label=umus(each.chosen, ""))
            for row, each in zip(found, text.references, strict=True)
            if each.chosen
        ]
        for text, seen in zip(given, ContextReader().read(given), strict=True)
        for found in [rows_of(text, seen)]
    ]
    chains: list[list[ChainRow]] = [
        [found[place] for place in places] for found in rows for places in chains_of(found)
    ]
    write_chains(chains, tmp_path / "train.tsv")
    assert read_chains(tmp_path / "train.tsv") == chains
    filler = MentionFiller(task="neg", l2=0.1).fit_chains(chains)
    assert filler.label_chains([[replace(row, label="?") for row in chain] for chain in chains]) == chains
    with pytest.raises(InputError, match="--task neg"):
        MentionFiller().fit_chains(chains)
    with pytest.raises(InputError, match="not columns"):
        MentionFiller.load(models / "msr").label_chains(chains)


# What is wrong.


def test_what_does_not_fit_is_told(models: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="for the other task"):
        MentionFiller.load(models / "msr").fill(texts(tmp_path, people(1)))
    given = texts(tmp_path, grec(1))
    given[0].references[0].chosen = None
    with pytest.raises(InputError, match="nothing in it"):
        MentionFiller().fit(given)
    given[0].references[0].alternatives = []
    with pytest.raises(InputError, match="nothing may be said"):
        MentionFiller.load(models / "msr").fill(given)
    with pytest.raises(InputError, match="not learned"):
        MentionFiller().fill([])
    with pytest.raises(InputError, match="No learner"):
        MentionFiller(learner="forest")
    with pytest.raises(InputError, match="no mention"):
        MentionFiller().fit([])


@pytest.mark.parametrize("name", ["msr", *LEARNERS])
def test_damaged_models_are_refused(models: Path, tmp_path: Path, name: str) -> None:
    """Arrays that are cut, of another type or with wild numbers never reach whoever uses them."""
    if name == "msr":
        content = store.load(models / "msr")
    else:
        pytest.importorskip("sklearn")
        content = MentionFiller(learner=name).fit(texts(tmp_path, grec(30))).content()
    given = texts(tmp_path, grec(2))
    refused = 0
    full = {key: tensor for key, tensor in content.tensors.items() if tensor.size}
    for (key, tensor), wild in product(full.items(), (np.nan, -5, 10**6, "cut", "type")):
        if wild == "cut":
            bad: Any = tensor[:-1]
        elif wild == "type":
            bad = np.zeros(tensor.shape, np.int16)
        elif tensor.dtype.kind == "f" or wild is not np.nan:
            bad = tensor.copy()
            bad.flat[0] = wild if tensor.dtype.kind != "u" else 255
        else:
            continue
        store.save(tmp_path / "bad", replace(content, tensors={**content.tensors, key: bad}), force=True)
        try:
            loaded = MentionFiller.load(tmp_path / "bad")
        except InputError as error:
            refused += "damaged" in str(error)
            continue
        loaded.fill(given)  # odd weights give odd answers, and nothing else
    assert refused >= 2 * len(full) - 1


# Scores and the command line.


def test_scores_by_hand(tmp_path: Path) -> None:
    assert words_of("The City's, itself!") == ("the", "citys", "itself")
    assert words_of("_") == ()
    assert edit_distance(["a", "b", "c"], ["b", "x", "c"]) == 2
    assert edit_distance([], ["a"]) == 1
    gold = texts(tmp_path, grec(1))
    system = texts(tmp_path, grec(1))
    first = system[0].references[0]
    first.chosen = next(each for each in first.alternatives if each.type == "common")
    scores = score_mentions(gold, system)
    assert scores.references == 7
    assert scores.type_accuracy == pytest.approx(6 / 7)
    assert scores.string_accuracy == pytest.approx(6 / 7)
    assert scores.edit == pytest.approx(2 / 7)  # *the town* for one name
    assert scores.normalized_edit == pytest.approx(1 / 7)
    assert scores.by_domain == {"city": pytest.approx(6 / 7)}
    # Seven words are said, five of them right, and the other text has six.
    assert scores.bleu1 == pytest.approx(5 / 7)
    with pytest.raises(InputError, match="another one"):
        score_mentions(gold, texts(tmp_path, grec(2))[1:])


def test_the_verb(tmp_path: Path, plait_command: Callable[..., Any]) -> None:
    for name, content in (("train.xml", grec(30)), ("dev.xml", grec(6, 3)), ("people.xml", people(3))):
        (tmp_path / name).write_text(content, encoding="utf-8")

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(plait, [*arguments], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.output

    train, dev, out, model = (str(tmp_path / name) for name in ("train.xml", "dev.xml", "out.xml", "model"))
    assert "210 mentions of 30 texts" in run("mention", "train", train, "-o", model, "--set", "l2=0.1")
    run("mention", dev, "-m", model, "-o", out)
    scores = json.loads(run("evaluate", "--mentions", "--json", dev, out))
    assert (scores["type_accuracy"], scores["string_accuracy"]) == (1, 1)
    assert "bleu3" in scores
    assert "type accuracy, city" in run("evaluate", "--mentions", dev, out)
    assert "30 texts, 210 mentions" in run("info", model)
    assert json.loads(run("info", model, "--json"))["kind"] == "mentions"
    wrong = plait_command("parse", "A text.", "-m", model)
    assert wrong.status == 2
    assert "this is a model for `plait mention`" in wrong.err
    for packed in (bytes, gzip.compress, lzma.compress):
        piped = plait_command("mention", "-", "-m", model, stdin=packed(Path(dev).read_bytes()))
        assert (piped.status, piped.out) == (0, Path(out).read_text(encoding="utf-8"))
    read = run("mention", dev, "-m", model, "--text")
    assert "<" not in read
    assert " is known in the north, and is old. " in read
    assert "It " in read  # a sentence begins with a large letter
    with pytest.raises(InputError, match="other task"):
        run("mention", str(tmp_path / "people.xml"), "-m", model)
    with pytest.raises(InputError, match="not a model of mentions"):
        MentionFiller.load(Path(store.__file__).parents[1] / "models" / "en")


def test_an_entity_all_of_whose_ways_stay_open_is_filled(tmp_path: Path) -> None:
    inner = '<REF ENTITY="{}" MENTION="1" SEMCAT="person" SYNCAT="np" SYNFUNC="subj"></REF>'
    said = f'<REFEX REG08-TYPE="common" ENTITY="0" CASE="plain">{inner.format(0)} x</REFEX>'
    content = (
        f'<GREC-NEG><GREC-ITEM FILE="a"><TEXT ID="1"><TITLE>x</TITLE><PARAGRAPH>{inner.format(0)} ran.</PARAGRAPH>'
        f"</TEXT><ALT-REFEX>{said}</ALT-REFEX></GREC-ITEM></GREC-NEG>"
    )
    filler = MentionFiller(task="neg", min_count=1).fit(texts(tmp_path, people(4)))
    [text] = filler.fill(texts(tmp_path, content))
    assert text.references[0].chosen is not None
