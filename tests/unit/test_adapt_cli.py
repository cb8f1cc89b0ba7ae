"""`plait adapt`: models for other text, in Python and on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import plait
from components.quick import DEV, TRAIN
from plait import InputError, Sentence, formats
from plait.layers import Norms
from plait.learning.epochs import Epoch
from plait.learning.watch import Silence
from plait.learning.workshop import Workshop
from plait.pipeline import InterruptedTraining, Pipeline, Recipe, train
from plait.pipeline.adapt import Adaptation, adapt
from plait.pipeline.writing_systems import ScriptWatch, script_of
from plait.sentence import Treebank
from toy import written

Command = Callable[..., tuple[int, str, str]]
LINEAR = {
    "model": {"components": "tokenizer,tagger,lemmatizer,parser", "folds": 2, "tags": "predicted"},
    "tokenizer": {"bits": 12, "epochs": 2},
    "tagger": {"bits": 12, "epochs": 2},
    "lemmatizer": {"bits": 12, "epochs": 2},
    "parser": {"bits": 12, "epochs": 2, "beam": 1},
}
RAW = written(30, seed=5)


@pytest.fixture(scope="module")
def model() -> Pipeline:
    return train(TRAIN, dev=DEV, recipe=Recipe().updated(LINEAR))


def loud() -> list[Sentence]:
    """Words as one shouts them."""
    found = []
    for sentence in RAW:
        forms = [
            form + form[-1] * 4 if form.isalpha() and form.islower() else form for form in sentence.forms
        ]
        found.append(Sentence(forms=forms))
    return found


def test_without_a_treebank_a_model_gets_norms(model: Pipeline) -> None:
    adapted, report = adapt(model, loud(), how=Adaptation(), dev=DEV)
    assert list(adapted.components) == ["tokenizer", "normalizer", "tagger", "lemmatizer", "parser"]
    assert adapted["parser"] is model["parser"]
    assert report.changed_words > 20
    assert all(form.startswith(norm) for form, norm in report.norms)
    assert report.changed["upos"] > 10
    assert report.before == report.after  # of a treebank without such words
    calm = [Sentence(forms=sentence.forms) for sentence in RAW]
    assert [each.heads for each in adapted.parse(loud())] == [each.heads for each in model.parse(calm)]
    assert [each.forms for each in adapted.parse(loud())] == [each.forms for each in loud()]
    again, _ = adapt(adapted, loud(), how=Adaptation())
    assert list(again.components) == list(adapted.components)


@pytest.mark.parametrize(
    "uses", [("agreement",), ("clusters", "distillation"), ("norms", "clusters", "agreement")]
)
def test_with_a_treebank_it_learns_more(model: Pipeline, uses: tuple[str, ...]) -> None:
    how = Adaptation(uses=uses, sources=("graph", "swap"), least=3, most=10, clusters=5)
    adapted, report = adapt(model, loud(), how=how, gold=TRAIN, dev=DEV, sources="shouts")
    assert 0 < report.added <= 10
    assert (report.clusters > 0) == ("clusters" in uses)
    assert ("normalizer" in adapted) == ("norms" in uses)
    assert set(report.after) == {"upos", "uas", "las"}
    assert adapted["tokenizer"] is model["tokenizer"]
    assert adapted.origin_.labelled == report.added_words
    assert adapted.origin_.sources == "shouts"
    assert adapted.origin_.sentences == len(TRAIN)
    assert "cluster6" in adapted["parser"].columns_ if "clusters" in uses else True  # type: ignore[attr-defined]


def test_the_same_twice(model: Pipeline, tmp_path: Path) -> None:
    how = Adaptation(uses=("clusters", "distillation"), sources=("graph", "swap"), clusters=5)
    for name, threads in (("a", 1), ("b", 2)):
        adapt(model, loud(), how=how, gold=TRAIN, threads=threads)[0].save(tmp_path / name)
    files = [path for path in (tmp_path / "a").rglob("*") if path.is_file()]
    assert files
    for path in files:
        assert path.read_bytes() == (tmp_path / "b" / path.relative_to(tmp_path / "a")).read_bytes()


class Impatient(Silence):
    """Presses Ctrl-C after so many epochs of what has learned by then."""

    def __init__(self, epochs: int) -> None:
        self.left = epochs

    def on_epoch(self, epoch: Epoch) -> None:  # noqa: ARG002
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("epochs", [1, 3, 7, 12])
def test_an_adaptation_goes_on_where_it_was(model: Pipeline, epochs: int, tmp_path: Path) -> None:
    how = Adaptation(uses=("norms", "agreement"), sources=("graph", "swap"), least=3)
    adapt(model, loud(), how=how, gold=TRAIN, dev=DEV)[0].save(tmp_path / "whole")
    shop = tmp_path / "shop"
    with pytest.raises(InterruptedTraining):
        adapt(model, loud(), how=how, gold=TRAIN, dev=DEV, watch=Impatient(epochs), workshop=Workshop(shop))
    again = adapt(model, loud(), how=how, gold=TRAIN, dev=DEV, workshop=Workshop(shop, resume=True))[0]
    again.save(tmp_path / "again")
    for path in (tmp_path / "whole").rglob("*"):
        if path.is_file():
            assert (
                path.read_bytes() == (tmp_path / "again" / path.relative_to(tmp_path / "whole")).read_bytes()
            )


def test_what_cannot_be(model: Pipeline) -> None:
    with pytest.raises(InputError, match=r"clusters need its treebank \(--treebank\)"):
        adapt(model, loud(), how=Adaptation(uses=("clusters",)))
    with pytest.raises(InputError, match="to adapt with"):
        Adaptation(uses=("magic",))
    with pytest.raises(InputError, match="two sources"):
        Adaptation(uses=("agreement",), sources=("graph",))
    with pytest.raises(InputError, match="Either agreement or distillation"):
        Adaptation(uses=("agreement", "distillation"))
    with pytest.raises(InputError, match="no sentence in the raw text"):
        adapt(model, [], how=Adaptation())
    with pytest.raises(InputError, match=r"is a net.*plait teach"):
        adapt(plait.load("en"), loud(), how=Adaptation(uses=("clusters",)), gold=TRAIN)


def test_the_command(model: Pipeline, tmp_path: Path, plait_command: Command) -> None:
    model.save(tmp_path / "m")
    (tmp_path / "raw").mkdir()
    formats.write(Treebank(loud()), tmp_path / "raw" / "text.conllu")
    formats.write(TRAIN, tmp_path / "train.conllu")
    formats.write(DEV, tmp_path / "dev.conllu")
    out = str(tmp_path / "n")
    status, text, errors = plait_command(
        "adapt", str(tmp_path / "m"), "--raw", str(tmp_path / "raw"), "-o", out
    )
    assert (status, errors) == (0, "")
    assert "words have another norm than form" in text
    assert "Saved" in text
    treebank = ("--treebank", str(tmp_path / "train.conllu"), "--dev", str(tmp_path / "dev.conllu"))
    few = (
        "--use",
        "agreement",
        "--sources",
        "graph,swap",
        "--min-length",
        "3",
        "--add",
        "9",
        "--json",
        "--force",
    )
    status, text, errors = plait_command(
        "adapt", str(tmp_path / "m"), "--raw", str(tmp_path / "raw"), "-o", out, *treebank, *few
    )
    assert status == 0, errors
    assert json.loads(text)["added"] <= 9
    assert plait.load(out).origin_.teacher == "agreement of graph, swap"
    status, _, errors = plait_command(
        "adapt",
        str(tmp_path / "m"),
        "--raw",
        str(tmp_path / "raw"),
        "-o",
        out,
        "--use",
        "clusters",
        "--force",
    )
    assert status == 2
    assert "need its treebank" in errors


def test_a_lexicon_is_that_of_the_tagger(model: Pipeline, tmp_path: Path, plait_command: Command) -> None:
    model.save(tmp_path / "m")
    formats.write(Treebank(loud()), tmp_path / "text.conllu")
    formats.write(TRAIN, tmp_path / "train.conllu")
    names = [tmp_path / "a.tsv", tmp_path / "b.tsv"]
    for name, text in zip(names, ("zebra\tNOUN\n", "go\twent\tV;PST\n"), strict=True):
        name.write_text(text, encoding="utf-8")
    start = ("adapt", str(tmp_path / "m"), "--raw", str(tmp_path / "text.conllu"), "-o", str(tmp_path / "n"))
    given = [text for name in names for text in ("--lexicon", str(name))]
    status, _, errors = plait_command(*start, *given)
    assert (status, "a lexicon need its treebank" in errors) == (2, True)
    status, _, errors = plait_command(*start, *given, "--treebank", str(tmp_path / "train.conllu"))
    assert status == 0, errors
    for name in names:
        name.unlink()
    tagger = plait.load(tmp_path / "n")["tagger"]
    assert tagger.state.setup.mapped["lexicon"] == {"went": "V;PST", "zebra": "NOUN"}
    status, _, errors = plait_command(*start, "--lexicon", "nowhere.tsv", "--treebank",
                                      str(tmp_path / "train.conllu"), "--force")  # fmt: skip
    assert (status, "nowhere.tsv: there is no such file" in errors) == (2, True)


def test_norms_are_no_loss(model: Pipeline, tmp_path: Path, plait_command: Command) -> None:
    adapted, _ = adapt(model, loud(), how=Adaptation())
    adapted.save(tmp_path / "m")
    formats.write(Treebank(loud()), tmp_path / "text.conllu")
    status, text, errors = plait_command("parse", "-m", str(tmp_path / "m"), str(tmp_path / "text.conllu"))
    assert (status, errors) == (0, "")
    (tmp_path / "parsed.conllu").write_text(text, encoding="utf-8")
    parsed = formats.read(tmp_path / "parsed.conllu")
    assert [each.forms for each in parsed] == [each.forms for each in loud()]
    assert all(each.find(Norms) is None for each in parsed)


@pytest.mark.parametrize(
    ("word", "script"),
    [
        ("word", "LATIN"),
        ("été", "LATIN"),
        ("слово", "CYRILLIC"),
        ("言葉", "CJK"),
        ("ことば", "CJK"),
        ("42", ""),
        ("😂", ""),
    ],
)
def test_the_script_of_a_word(word: str, script: str) -> None:
    assert script_of(word) == script


def test_a_script_that_the_model_never_saw(model: Pipeline, plait_command: Command) -> None:
    for forms, found in (
        (["дом", "там", "."], "Cyrillic"),
        (["the", "dog", "дом", "!"], ""),
        (["1", "."], ""),
    ):
        watch = ScriptWatch(model)
        watch.look_at(Sentence(forms=forms))
        assert watch.strange() == found
    silent = ScriptWatch(Pipeline({"parser": model["parser"]}))  # keeps no words
    silent.look_at(Sentence(forms=["дом"]))
    assert silent.strange() == ""
    status, _, errors = plait_command("tag", "--model", "en", "Это мой дом, и я в нём живу.")
    assert status == 0
    assert errors.startswith(
        "plait: most words are in a script that the model has not learned from: Cyrillic"
    )


def test_the_words_of_a_model_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    russian = Sentence(forms=["Это", "русский", "текст"])
    pipeline = Pipeline({"tokenizer": plait.load("en-fast")["tokenizer"]})
    component = plait.load("en-fast")["neural"]
    asked = 0

    def words() -> Iterator[str]:
        nonlocal asked
        asked += 1
        return iter(["an", "English", "word"])

    monkeypatch.setattr(component, "words", words)
    for known, expected in ((False, ""), (True, "Cyrillic"), (True, "Cyrillic")):
        if known and "neural" not in pipeline:
            pipeline.add("neural", component)
        watch = ScriptWatch(pipeline)
        watch.look_at(russian)
        assert watch.strange() == expected
    assert asked == 1


SOCIAL = {
    "I love this place 😂😂 so much!": {"😂": "SYM"},
    "Thanks to @foo_bar for the #Brexit news.": {"@foo_bar": "PROPN", "#Brexit": "PROPN"},
    "We met on 2024-03-15 in Berlin.": {"2024-03-15": "NUM"},
    "It costs €50 or ¥300 today.": {"€": "SYM", "50": "NUM", "¥": "SYM", "300": "NUM"},
    "See https://www.example.com/a?b=c or www.foo.org for more.": {
        "https://www.example.com/a?b=c": "PROPN",
        "www.foo.org": "PROPN",
    },
    "The family 👨‍👩‍👧‍👦 came home 👍🏽.": {"👨‍👩‍👧‍👦": "SYM", "👍🏽": "SYM"},
}


@pytest.mark.parametrize("text", SOCIAL)
def test_what_people_post_is_one_token_with_a_tag(text: str) -> None:
    tags = {word.form: word.upos for sentence in plait.load("en")(text) for word in sentence}
    assert {form: tags.get(form) for form in SOCIAL[text]} == SOCIAL[text]
