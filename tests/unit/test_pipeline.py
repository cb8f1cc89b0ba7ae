"""Text to trees: learning, using, saving and loading a whole pipeline."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import plait
from plait import InputError, Pipeline, Recipe, Treebank
from plait.pipeline.jackknife import assign, jackknife
from plait.pipeline.lessons import jackknife_tags, make_lessons
from plait.pipeline.presets import PRESETS
from plait.pipeline.training import measure
from plait.text import raw_text
from toy import toy, written

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
    path = tmp_path_factory.mktemp("models") / "toy.plait"
    pipeline.save(path)
    return path


def test_the_toy_language_is_learned_from_text_to_trees(pipeline: Pipeline) -> None:
    for scores in pipeline.scores_.values():
        assert scores["words"] == 100
        assert scores["upos"] > 99
        assert scores["lemmas"] > 98
        assert scores["las"] > 95
    assert pipeline.scores_ == measure(pipeline, DEV)


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
    assert (loaded.scores_, loaded.about_["language"]) == (pipeline.scores_, "Toy")
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
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    weights = copy / part / "weights.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)
    with pytest.raises(InputError, match=rf"{part}: weights.safetensors is damaged"):
        plait.load(copy)
    shutil.rmtree(copy / part)
    with pytest.raises(InputError, match="there is no such model"):
        plait.load(copy)


def test_a_changed_manifest_is_noticed(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps(manifest | {"licence": "mine"}))
    with pytest.raises(InputError, match=r"manifest\.json is damaged"):
        plait.load(copy)


def test_a_model_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match=r"nowhere: there is no such model\. In the package: "):
        plait.load("nowhere")


def test_parts_can_be_learned_alone(tmp_path: Path) -> None:
    tagger = plait.train(TRAIN, recipe=RECIPE, parts=["tagger"])
    assert list(tagger.parts) == ["tagger"]
    tagger.save(tmp_path / "tagger")
    loaded = plait.load(tmp_path / "tagger")
    assert loaded.parse(DEV)[0].upos == DEV[0].upos
    with pytest.raises(InputError, match="has no tokenizer"):
        loaded("The dog.")


def test_recipes_are_strict() -> None:
    again = Recipe.from_toml(RECIPE.to_toml())
    assert again == RECIPE
    for text, message in (
        ("[tager]\n", r"No table \[tager\]. Did you mean \[tagger\]"),
        ("[tagger]\nepoch = 3\n", "No option 'epoch'. Did you mean 'epochs'"),
        ("tagger = 3\n", r"tagger is expected to be a table"),
        ("[model]\nfolds = 1\n", "folds is 1 but must be from 2"),
        ('[model]\ntags = "silver"\n', "No tags 'silver'. Available: both, predicted, gold"),
        ("[model\n", "not TOML"),
    ):
        with pytest.raises(InputError, match=message):
            Recipe.from_toml(text)


def test_jackknifing_never_shows_a_sentence_to_its_own_annotator() -> None:
    sentences = Treebank(toy(230).sentences)
    seen: list[set[str]] = []

    def learn(others: list[plait.Sentence]) -> object:
        known = {sentence.sent_id for sentence in others}
        seen.append(known)

        def annotate(held_out: list[plait.Sentence]) -> list[plait.Sentence]:
            for sentence in held_out:
                assert sentence.sent_id not in known
                sentence.upos = [f"{len(known)}"] * len(sentence)
            return held_out

        return annotate

    for folds in (2, 3, 7):
        seen.clear()
        copies = jackknife(sentences, learn, folds=folds)  # type: ignore[arg-type]
        assert len(seen) == folds
        assert all(tag.isdigit() for sentence in copies for tag in sentence.upos)
        assert [sentence.sent_id for sentence in copies] == [sentence.sent_id for sentence in sentences]
    assert sentences[0].upos[0] == "DET"


GUIDED = RECIPE.updated(
    {
        "model": {"guide": "transition", "folds": 3},
        "guide": {"bits": 14, "epochs": 2},
        "parser": {"bits": 14, "epochs": 3},
    }
)


def test_a_parser_with_a_guide(tmp_path: Path) -> None:
    train, dev = written(40), written(15, seed=2)
    pipeline = plait.train(train, dev=dev, recipe=GUIDED, parts=("tagger", "parser"), threads=2)
    assert list(pipeline.parts) == ["tagger", "guide", "parser"]
    assert pipeline.guide is not None
    assert pipeline.guide.options.system == "eager"
    assert not pipeline.guide.options.guided
    assert pipeline.parser is not None
    assert pipeline.parser.options.guided
    assert plait.evaluate(dev, pipeline.parse(dev)).las > 80
    pipeline.save(tmp_path / "model")
    loaded = plait.load(tmp_path / "model")
    assert loaded.recipe == GUIDED
    assert list(loaded.parse(dev)) == list(pipeline.parse(dev))
    assert "[guide]" in (tmp_path / "model/config.toml").read_text()
    bare = [plait.Sentence(forms=["the", "dog", "slept"])]
    assert loaded.parse(bare)[0].heads.count(0) == 1
    with pytest.raises(InputError, match="Heads cannot be kept by a guided parser"):
        loaded.annotate(bare, keep_heads=True)


def test_the_parser_of_a_guided_pipeline_does_not_see_gold_trees() -> None:
    """Both versions of a sentence, with gold and with predicted tags, are guided by a parser that saw neither."""
    tagger = plait.train(TRAIN, dev=DEV, recipe=GUIDED, parts=("tagger",))
    lessons = make_lessons(tagger, TRAIN, DEV)
    size = len(TRAIN)
    assert len(lessons.train) == 2 * size
    assert lessons.folds[:size] == lessons.folds[size:]
    assert lessons.folds[:size] == assign(TRAIN, 3)
    assert [each.heads for each in lessons.train] == [each.heads for each in (*TRAIN, *TRAIN)]


def test_what_is_ready_is_not_learned_again() -> None:
    whole = plait.train(TRAIN, dev=DEV, recipe=RECIPE, parts=("tagger", "parser"))
    tagger = plait.train(TRAIN, dev=DEV, recipe=RECIPE, parts=("tagger",))
    tagged = jackknife_tags(tagger, TRAIN)
    lessons = make_lessons(tagger, TRAIN, DEV, tagged=tagged)
    again = plait.train(
        TRAIN, dev=DEV, recipe=RECIPE, parts=("tagger", "parser"), ready=tagger, lessons=lessons
    )
    assert again.tagger is tagger.tagger
    assert again.parser is not None
    assert whole.parser is not None
    assert again.parser.scores_ == whole.parser.scores_
    assert list(again.parse(DEV)) == list(whole.parse(DEV))


def test_parsers_that_vote(tmp_path: Path) -> None:
    recipe = RECIPE.updated(
        {"model": {"vote": True}, "parser": {"beam": 2}, "third": {"bits": 14}, "graph": {"bits": 14}}
    )
    train, dev = toy(60), toy(25, seed=2)
    pipeline = plait.train(train, dev=dev, recipe=recipe, parts=["parser"])
    assert list(pipeline.parts) == ["parser", "second", "third"]
    pipeline.save(tmp_path / "model")
    again = plait.load(tmp_path / "model")
    parsed = pipeline.parse(dev)
    assert list(again.parse(dev, threads=2)) == list(parsed)
    alone = [part.parse(dev) for part in (again.parser, again.second, again.third) if part]
    assert [s.heads for s in parsed] == [s.heads for s in plait.vote(alone)]
    with pytest.raises(InputError, match="Where parsers vote"):
        again.annotate(dev, confidence=True)
    with pytest.raises(InputError, match="has a vote of its own"):
        recipe.updated({"model": {"parser": "graph"}})


def test_presets() -> None:
    assert Recipe.preset("fast").parser.beam == 1
    assert Recipe.preset("balanced").parser.completion
    assert not Recipe.preset("balanced").learns_tags
    assert Recipe.preset("accurate").learns_tags
    for name in PRESETS:
        assert Recipe.from_toml(Recipe.preset(name).to_toml()) == Recipe.preset(name)
    with pytest.raises(InputError, match=r"No preset 'acurate'\. Did you mean 'accurate'\?"):
        Recipe.preset("acurate")
    with pytest.raises(InputError, match=r"No preset 'x'\. Available: fast, balanced, accurate."):
        Recipe.preset("x")


def test_a_recipe_with_a_guide() -> None:
    assert Recipe().updated({"model": {"guide": "transition"}}).parser.guided
    assert "[guide]" not in Recipe().to_toml()
    with pytest.raises(InputError, match="cannot be guided without a guide"):
        Recipe().updated({"parser": {"guided": True}})
    with pytest.raises(InputError, match="No guide 'tree'"):
        Recipe().updated({"model": {"guide": "tree"}})
