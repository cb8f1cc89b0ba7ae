"""Text to trees: learning, using, saving and loading a whole pipeline."""

from __future__ import annotations

import copy
import json
import pickle
import random
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

import plait
from plait import InputError, Pipeline, Recipe, Sentence, Treebank
from plait.components.stack import Stack
from plait.components.tokenizer import raw_text
from plait.layers import Alternatives, GuideTree
from plait.learning.component import Component
from plait.learning.composite import NoOptions
from plait.learning.documents import DocumentComponent
from plait.learning.jackknife import assign, jackknife
from plait.learning.lessons import Lessons
from plait.learning.request import PLAIN, Request
from plait.learning.watch import Silence
from plait.pipeline.presets import PRESETS
from plait.pipeline.train import Training, compact, measure
from toy import quick_parser, toy, written

TRAIN, DEV = written(90), written(30, seed=2)
RECIPE = Recipe().updated(
    {
        "model": {"name": "xx", "language": "Toy", "licence": "CC0-1.0", "folds": 3},
        "tokenizer": {"epochs": 5},
        "tagger": {"epochs": 4, "bits": 14},
        "lemmatizer": {"epochs": 3},
        "parser": {"beam": 1, "bits": 14, "epochs": 5},
    }
)


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return plait.train(TRAIN, dev=DEV, recipe=RECIPE, threads=2)


@pytest.fixture(scope="module")
def folder(pipeline: Pipeline, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "toy"
    pipeline.save(path)
    return path


def test_the_toy_language_is_learned_from_text_to_trees(pipeline: Pipeline) -> None:
    for scores in pipeline.scores_.values():
        assert scores["words"] == 100
        assert scores["upos"] > 99
        assert scores["lemmas"] > 98
        assert scores["las"] > 95
    assert pipeline.scores_ == measure(pipeline, DEV)


def test_a_compact_pipeline_has_scores_of_its_own(folder: Path) -> None:
    pipeline = plait.load(folder)
    parser = pipeline["parser"]
    before = parser.scores_["las"]
    pipeline.scores_ = {"gold tokens": {"las": -1.0}}
    assert compact(pipeline, DEV) == pytest.approx(before - parser.scores_["las"])
    assert pipeline.scores_ == measure(pipeline, DEV)
    compact(pipeline, None)
    assert pipeline.scores_ == {}, "of a model that nobody has measured"


@pytest.mark.parametrize(
    ("name", "kind", "line"),
    [("tagger", "tagger", "W0.lowr"), ("parser", "transition", "S0.lowr"), ("parser", "graph", "H.lowr")],
)
def test_faults_of_templates_are_told_before_anything_is_learned(
    name: str, kind: str, line: str, tmp_path: Path
) -> None:
    begun: list[str] = []

    class Watching(Silence):
        def on_component(self, name: str, component: object) -> None:  # noqa: ARG002
            begun.append(name)

    path = tmp_path / "first.txt"
    path.write_text(f"# mine\n{line}\n")
    recipe = Recipe().updated({name: {"kind": kind, "features": str(path)}})
    with pytest.raises(InputError, match=r"first\.txt:2: .* no attribute 'lowr'. Did you mean 'lower'\?"):
        plait.train(TRAIN, recipe=recipe, watch=Watching())
    assert begun == []


def test_a_text_becomes_a_document(pipeline: Pipeline) -> None:
    text = "The dog saw a cat today. The bird heard the fish don't."
    document = pipeline(text)
    assert document.text == text
    assert [sentence.text for sentence in document] == [text[:24], text[25:]]
    assert document[0].upos == ["DET", "NOUN", "VERB", "DET", "NOUN", "ADV", "PUNCT"]
    assert document[0].heads == [2, 3, 0, 5, 3, 3, 3]
    assert document[0].lemmas[2] == "see"
    assert document[1].forms[-3:] == ["do", "n't", "."]
    assert "6-7\tdon't\t" in document.conllu
    assert "2 sentences, 15 words" in repr(document)


def test_many_texts_come_out_as_they_went_in(pipeline: Pipeline) -> None:
    texts = ["", "The dog saw a cat.", "  \n ", "A cat heard the dog here. The fish likes a bird.", ""]
    for threads in (1, 2):
        documents = list(pipeline.pipe(texts, threads=threads))
        assert [document.text for document in documents] == texts
        assert [len(document) for document in documents] == [0, 1, 0, 2, 0]
        for document, text in zip(documents, texts, strict=True):
            assert document.conllu == pipeline(text).conllu


def test_tags_of_the_input_can_be_kept(pipeline: Pipeline) -> None:
    sentence = DEV[0].copy()
    size = len(sentence)
    sentence.upos = ["X", *["_"] * (size - 1)]
    sentence.xpos, sentence.feats = ["_"] * size, ["_"] * size
    sentence.lemmas = ["kept", *["_"] * (size - 1)]
    kept = pipeline.parse([sentence], keep_tags=True)[0]
    assert (kept.upos[0], kept.lemmas[0]) == ("X", "kept")
    assert kept.upos[1:] == DEV[0].upos[1:]
    assert pipeline.parse([sentence])[0].upos == DEV[0].upos
    assert sentence.upos[1] == "_"


def test_saving_and_loading_changes_nothing(pipeline: Pipeline, folder: Path, tmp_path: Path) -> None:
    text = raw_text(DEV).text
    loaded = plait.load(folder)
    assert loaded(text).conllu == pipeline(text).conllu
    assert (loaded.scores_, loaded.model.language) == (pipeline.scores_, "Toy")
    assert loaded.recipe == RECIPE
    loaded.save(tmp_path / "again")
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    assert files == sorted(
        path.relative_to(tmp_path / "again") for path in (tmp_path / "again").rglob("*") if path.is_file()
    )
    for name in files:
        assert (folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes(), name


def test_same_data_and_seed_give_the_same_bytes_on_any_number_of_threads(
    folder: Path, tmp_path: Path
) -> None:
    plait.train(TRAIN, dev=DEV, recipe=RECIPE, threads=1).save(tmp_path / "twin")
    for path in folder.rglob("*"):
        if path.is_file():
            assert path.read_bytes() == (tmp_path / "twin" / path.relative_to(folder)).read_bytes(), path


def test_the_card_tells_origin_licence_and_scores(folder: Path) -> None:
    card = (folder / "README.md").read_text(encoding="utf-8")
    for expected in (
        "license: CC0-1.0",
        "# Toy: tokenizer, tagger, lemmatizer, parser",
        "written1.conllu",
        "| LAS |",
    ):
        assert expected in card


@pytest.mark.parametrize("part", ["tokenizer", "tagger", "lemmatizer", "parser"])
def test_damage_to_a_part_is_named(folder: Path, tmp_path: Path, part: str) -> None:
    twin = tmp_path / "copy"
    shutil.copytree(folder, twin)
    weights = twin / part / "weights.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)
    with pytest.raises(InputError, match=rf"{part}: weights.safetensors is damaged"):
        plait.load(twin)
    shutil.rmtree(twin / part)
    with pytest.raises(InputError, match="there is no such model"):
        plait.load(twin)


def test_a_changed_manifest_is_noticed(folder: Path, tmp_path: Path) -> None:
    twin = tmp_path / "copy"
    shutil.copytree(folder, twin)
    manifest = json.loads((twin / "manifest.json").read_text())
    (twin / "manifest.json").write_text(json.dumps(manifest | {"licence": "mine"}))
    with pytest.raises(InputError, match=r"manifest\.json is damaged"):
        plait.load(twin)


def test_a_model_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match=r"nowhere: there is no such model\. In the package: "):
        plait.load("nowhere")


def test_components_can_be_learned_alone(tmp_path: Path) -> None:
    tagger = plait.train(TRAIN, recipe=RECIPE.only("tagger"))
    assert list(tagger.components) == ["tagger"]
    tagger.save(tmp_path / "tagger")
    loaded = plait.load(tmp_path / "tagger")
    assert loaded.parse(DEV)[0].upos == DEV[0].upos
    with pytest.raises(InputError, match="has no tokenizer"):
        loaded("The dog.")


def test_recipes_are_strict() -> None:
    again = Recipe.from_toml(RECIPE.to_toml())
    assert again == RECIPE
    for text, message in (
        ("[tager]\n", r"No component 'tager'. Did you mean 'tagger'"),
        ("[tagger]\nepoch = 3\n", "No option 'epoch'. Did you mean 'epochs'"),
        ("tagger = 3\n", r"tagger is expected to be a table"),
        ("[model]\nfolds = 1\n", "folds is 1 but must be from 2"),
        ('[model]\ntags = "silver"\n', "No tags 'silver'. Available: both, predicted, gold"),
        ("[model\n", "not TOML"),
        ('[parser]\nkind = "trasition"\n', "No kind of component 'trasition'. Did you mean 'transition'"),
        ('[model]\ncomponents = "tagger,tagger"\n', "names that differ"),
        ('[model]\ncomponents = "tager"\n', "No component 'tager'. Did you mean 'tagger'"),
        ('[parser]\nkind = "vote"\nvoters = 3\n', "voters must be a table"),
    ):
        with pytest.raises(InputError, match=message):
            Recipe.from_toml(text)


class Witness(Component[set[str]]):
    """Learns which sentences it has seen, and tags others with their number."""

    kind, title, usual_name = "witness", "A witness", "witness"
    Options = NoOptions
    provides = frozenset({"tags"})
    seen: list[set[str]]

    def twin(self) -> Witness:
        twin = Witness()
        twin.seen = self.seen
        return twin

    def _learn(self, lessons: Lessons, *_: object) -> None:
        self._state = {sentence.sent_id for sentence in lessons}
        self.seen.append(self._state)

    def annotate(self, sentences: Iterable[Sentence], request: Request = PLAIN) -> Iterator[Sentence]:  # noqa: ARG002
        for sentence in sentences:
            assert sentence.sent_id not in self.state
            sentence.upos = [f"{len(self.state)}"] * len(sentence)
            yield sentence


def test_jackknifing_never_shows_a_sentence_to_its_own_annotator() -> None:
    sentences = Treebank(toy(230).sentences)
    witness = Witness()
    for folds in (2, 3, 7):
        witness.seen = []
        copies = jackknife([witness], Lessons.of(sentences), assign(sentences, folds))
        assert len(witness.seen) == folds
        assert all(tag.isdigit() for sentence in copies for tag in sentence.upos)
        assert [sentence.sent_id for sentence in copies] == [sentence.sent_id for sentence in sentences]
    assert sentences[0].upos[0] == "DET"


STACK = {
    "kind": "stack",
    "levels": {
        "guide": {
            "kind": "transition",
            "system": "eager",
            "projectivize": "head",
            "beam": 1,
            "bits": 14,
            "epochs": 2,
        },
        "parser": {"kind": "transition", "guided": True, "beam": 1, "bits": 14, "epochs": 3},
    },
}
GUIDED = RECIPE.updated({"model": {"folds": 3}, "parser": STACK}).only("tagger", "parser")


def test_a_parser_with_a_guide(tmp_path: Path) -> None:
    train, dev = written(40), written(15, seed=2)
    pipeline = plait.train(train, dev=dev, recipe=GUIDED, threads=2)
    stack = pipeline["parser"]
    assert isinstance(stack, Stack)
    assert stack.guide.options.system == "eager"
    assert not stack.guide.options.guided
    assert stack.parser.options.guided
    assert plait.evaluate(dev, pipeline.parse(dev)).las > 80
    pipeline.save(tmp_path / "model")
    loaded = plait.load(tmp_path / "model")
    assert loaded.recipe.to_toml() == GUIDED.to_toml()
    assert list(loaded.parse(dev)) == list(pipeline.parse(dev))
    assert "[parser.levels.guide]" in (tmp_path / "model/config.toml").read_text()
    bare = [plait.Sentence(forms=["the", "dog", "slept"])]
    assert loaded.parse(bare)[0].heads.count(0) == 1
    with pytest.raises(InputError, match=r"cannot keep given heads .*; a transition component or a"):
        loaded.parse(bare, keep_heads=True)


def test_the_parser_of_a_stack_does_not_see_gold_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both versions of a sentence, with gold and with predicted tags, are guided by a parser that saw neither."""
    training = Training(Lessons.of(TRAIN), Lessons.of(DEV), GUIDED)
    training.run(until="parser")
    stack = Stack.from_plan(GUIDED.plan("parser"))
    lessons, dev = training.lessons_of(stack)
    size = len(TRAIN)
    assert len(lessons) == 2 * size
    assert lessons.folds is not None
    assert [*lessons.folds] == [*assign(TRAIN, 3)] * 2
    assert [each.heads for each in lessons] == [each.heads for each in (*TRAIN, *TRAIN)]
    assert (lessons.distinct, lessons.seen) == (size, "both")
    shown: dict[str, Lessons] = {}
    prepare = type(stack.parser).prepare

    def spy(self: Component[object], lessons: Lessons, dev: Lessons | None) -> object:
        if self.options.guided:
            assert dev is not None
            shown.update(train=lessons, dev=dev)
        return prepare(self, lessons, dev)

    monkeypatch.setattr(type(stack.parser), "prepare", spy)
    stack.fit(lessons, dev=dev)
    assert dev is not None
    expected = [each.heads for each in stack.guide.apply(dev)]
    assert [each.find(GuideTree).heads for each in shown["dev"]] == expected
    found = [each.find(GuideTree).heads for each in shown["train"]]
    for fold in range(3):
        others = [each for each, own in zip(lessons, lessons.folds, strict=True) if own != fold]
        held_out = [number for number, own in enumerate(lessons.folds) if own == fold]
        stranger = stack.guide.twin().fit(others)
        trees = stranger.apply([lessons[number] for number in held_out])
        assert [found[number] for number in held_out] == [tree.heads for tree in trees]
    assert found != [each.heads for each in lessons], "a guide that makes no mistake teaches nothing here"


def test_a_guide_does_not_know_the_other_version_of_a_sentence() -> None:
    """Trees that cannot be guessed: whoever has seen a sentence knows its tree, others do not."""
    chance = random.Random(5)
    odd = []
    for number in range(30):
        heads = [0] + [chance.randint(1, word - 1) for word in range(2, 7)]
        odd.append(Sentence(forms=[f"{number}-{word}" for word in range(6)], upos=["X"] * 6, heads=heads,
                            deprels=["root", *["dep"] * 5]))  # fmt: skip
    folds = assign(odd, 3) * 2
    lessons = Lessons.of(odd).showing(odd * 2, "both", folds)
    guide = quick_parser(epochs=8).fit(lessons)
    assert [each.heads for each in guide.apply(odd)] == [each.heads for each in odd], "learned by heart"
    for gold, guided in zip(lessons, jackknife([guide], lessons, folds), strict=True):
        assert guided.heads != gold.heads


def test_what_is_ready_is_not_learned_again() -> None:
    recipe = RECIPE.only("tagger", "parser")
    whole = plait.train(TRAIN, dev=DEV, recipe=recipe)
    tagger = plait.train(TRAIN, dev=DEV, recipe=RECIPE.only("tagger"))
    again = plait.train(TRAIN, dev=DEV, recipe=recipe, ready=tagger)
    assert again["tagger"] is tagger["tagger"]
    assert again["parser"].scores_ == whole["parser"].scores_
    assert list(again.parse(DEV)) == list(whole.parse(DEV))


def test_what_was_learned_from_is_told_as_it_is(pipeline: Pipeline) -> None:
    """Every sentence counts once, though the parser learns from it twice; the dev set had predicted tags."""
    parser = pipeline["parser"]
    for origin in (parser.origin_, pipeline["tagger"].origin_, pipeline.origin_):
        assert (origin.sentences, origin.words) == (len(TRAIN), sum(map(len, TRAIN)))
        assert (origin.treebank, origin.dev) == (TRAIN.path, DEV.path)
    assert (parser.origin_.seen, parser.origin_.dev_seen) == ("both", "predicted")
    assert (pipeline["tagger"].origin_.seen, pipeline["tagger"].origin_.dev_seen) == ("gold", "gold")
    assert "predicted annotation" in parser.content().card
    assert "gold annotation" in pipeline["tagger"].content().card


VOTE = {
    "kind": "vote",
    "voters": {
        "beam": {"kind": "transition", "beam": 2, "bits": 14, "epochs": 5},
        "graph": {"kind": "graph", "bits": 14},
        "greedy": {"kind": "transition", "beam": 1, "bits": 14, "epochs": 5},
    },
}


def test_parsers_that_vote(tmp_path: Path) -> None:
    recipe = RECIPE.updated({"parser": VOTE}).only("parser")
    train, dev = toy(60), toy(25, seed=2)
    pipeline = plait.train(train, dev=dev, recipe=recipe)
    assert list(pipeline["parser"].members) == ["beam", "graph", "greedy"]
    pipeline.save(tmp_path / "model")
    again = plait.load(tmp_path / "model")
    parsed = pipeline.parse(dev)
    assert list(again.parse(dev, threads=2)) == list(parsed)
    alone = [member.apply(dev) for member in again["parser"].members.values()]
    assert [s.heads for s in parsed] == [s.heads for s in plait.vote(alone)]
    with pytest.raises(InputError, match=r"cannot tell how sure it is .*; a transition component or"):
        again.parse(dev, confidence=True)
    with pytest.raises(InputError, match="holds at least 2 others, not 1"):
        plait.Vote({"alone": quick_parser()})
    with pytest.raises(InputError, match="a tagger component gives no tree"):
        plait.Vote({"one": quick_parser(), "other": plait.Tagger()})
    with pytest.raises(InputError, match="other: only the first voter can choose tags"):
        plait.Vote({"one": quick_parser(), "other": quick_parser(joint=True, beam=2)})


def test_presets() -> None:
    fast, balanced, accurate = (Recipe.preset(name) for name in ("fast", "balanced", "accurate"))
    assert fast.plan("parser").options.beam == 1
    assert fast.plan("parser").options.chosen_features == "swap-small"
    assert fast.updated({"parser": {"system": "eager"}}).plan("parser").options.chosen_features == "eager"
    assert balanced.plan("parser").options.completion
    assert not balanced.plan("parser").options.joint
    assert accurate.plan("parser").members["beam"].options.joint
    assert accurate.leading("parser") == ["parser", "voters", "beam"]
    for name in PRESETS:
        assert Recipe.from_toml(Recipe.preset(name).to_toml()) == Recipe.preset(name)
    with pytest.raises(InputError, match=r"No preset 'acurate'\. Did you mean 'accurate'\?"):
        Recipe.preset("acurate")
    with pytest.raises(InputError, match=r"No preset 'x'\. Available: fast, balanced, accurate."):
        Recipe.preset("x")


def test_a_recipe_with_a_guide() -> None:
    recipe = Recipe().updated({"parser": {"kind": "stack"}})
    assert recipe.plan("parser").members["parser"].options.guided
    assert "levels" not in Recipe().to_toml()
    assert recipe.leading("parser") == ["parser", "levels", "parser"]
    plan = recipe.updated({"parser": {"levels": {"parser": {"guided": False}}}}).plan("parser")
    with pytest.raises(InputError, match="must be guided"):
        Stack.from_plan(plan)
    with pytest.raises(InputError, match="holds a guide and a parser"):
        Stack({"parser": quick_parser(guided=True)})


def test_settings_reach_every_table() -> None:
    recipe = Recipe.preset("accurate")
    plan = recipe.plan("parser")
    changed = plan.updated(plan.setting("voters.graph.epochs", "3"))
    assert changed.members["graph"].options.epochs == 3
    assert recipe.throughout("parser", epochs=2, seed=7).plan("parser").members["greedy"].options.seed == 7
    with pytest.raises(InputError, match=r"No table voters\.tree .*Available: voters\.beam, voters\.graph"):
        plan.setting("voters.tree.epochs", "3")


def test_requests_are_refused_before_any_work(pipeline: Pipeline) -> None:
    def never() -> Iterator[Sentence]:
        raise AssertionError("nothing is read")
        yield

    tagger = Pipeline({"tagger": pipeline["tagger"]})
    with pytest.raises(InputError, match="cannot have another beam"):
        tagger.annotate(never(), Request(beam=4))
    with pytest.raises(InputError, match="cannot find several trees"):
        tagger.annotate(never(), Request(nbest=4))


def test_the_best_of_several_trees_is_the_one_without_asking(pipeline: Pipeline) -> None:
    for one, several in zip(pipeline.parse(DEV, beam=4), pipeline.parse(DEV, beam=4, nbest=3), strict=True):
        alternatives = several.take(Alternatives)
        assert alternatives is not None
        assert 1 <= len(alternatives.parses) <= 3
        assert (one.heads, one.deprels, one.upos) == (several.heads, several.deprels, several.upos)
        assert alternatives.parses[0].heads == one.heads


def test_pipelines_pickle_and_copy(pipeline: Pipeline) -> None:
    text = raw_text(DEV).text
    for twin in (pickle.loads(pickle.dumps(pipeline)), copy.deepcopy(pipeline)):
        assert twin(text).conllu == pipeline(text).conllu
        assert twin.recipe == pipeline.recipe


class Counter(DocumentComponent[None]):
    """Labels documents with how many sentences they have."""

    kind, title, usual_name = "counter", "A counter", "counter"
    Options = NoOptions
    provides = frozenset({"labels"})

    def annotate_document(self, sentences: Sequence[Sentence], request: Request) -> None:  # noqa: ARG002
        for sentence in sentences:
            sentence.comments.append(f"# of = {len(sentences)}")
        if isinstance(sentences[0].document, plait.Document):
            sentences[0].document.labels["sentences"] = str(len(sentences))


def test_a_component_may_see_whole_documents(pipeline: Pipeline) -> None:
    nlp = copy.deepcopy(pipeline)
    nlp.add("counter", Counter())
    texts = ["The dog saw a cat. A cat slept.", "", "The bird sang here."]
    documents = list(nlp.pipe(texts))
    assert [document.labels for document in documents] == [{"sentences": "2"}, {}, {"sentences": "1"}]
    assert [sentence.comment("of") for sentence in documents[0]] == ["2", "2"]
    sentences = [sentence.copy() for sentence in DEV[:5]]
    sentences[0].comments.append("# newdoc")
    sentences[3].comments.append("# newdoc id = b")
    assert [sentence.comment("of") for sentence in nlp.parse(sentences)] == ["3", "3", "3", "2", "2"]
