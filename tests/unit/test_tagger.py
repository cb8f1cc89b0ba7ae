"""The tagger: what it learns, keeps and refuses."""

from __future__ import annotations

import json
import random
import tomllib
from itertools import pairwise
from pathlib import Path
from threading import Thread

import pytest

from plait import InputError, Sentence, Treebank, evaluate
from plait.components.tagger import ScoredTag, Tagger, TaggerOptions, templates
from plait.components.tagger.encoding import case_kind, shape
from plait.components.tagger.lexicon import UNKNOWN, Lexicon
from plait.components.tagger.spacing import guess_spaces
from plait.components.tagger.tags import Tag, Tags
from plait.learning.lessons import Lessons
from plait.learning.request import Request
from signing import edit
from toy import toy


def ambiguous(size: int, seed: int = 1) -> Treebank:
    """The toy language with features, and a noun that is spelled like a verb."""
    treebank = toy(size, seed)
    for sentence in treebank:
        sentence.forms = ["saw" if form == "fish" else form for form in sentence.forms]
        sentence.feats = ["Number=Sing" if tag == "NOUN" else "_" for tag in sentence.upos]
    return treebank


def quick_tagger(**options: object) -> Tagger:
    return Tagger(**({"bits": 14, "epochs": 5} | options))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return quick_tagger().fit(ambiguous(120), dev=ambiguous(30, 2))


def folder_bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_learns_the_toy_language(tagger: Tagger) -> None:
    dev = ambiguous(50, 3)
    scores = evaluate(dev, tagger.apply(dev))
    assert (scores.upos, scores.xpos, scores.ufeats, scores.alltags) == (100, 100, 100, 100)
    assert tagger.scores_ == dict.fromkeys(("upos", "xpos", "ufeats", "alltags"), 100.0)
    assert tagger.tags_ == sorted(tagger.tags_)
    assert Tag("NOUN", "noun", "Number=Sing") in tagger.tags_
    assert tagger.origin_.words == sum(map(len, ambiguous(120)))


def test_scores_of_the_dev_set_are_those_of_evaluate() -> None:
    train, dev = ambiguous(6), ambiguous(40, 5)
    for sentence in dev[:10]:
        sentence.upos[0] = "X"
        sentence.feats[1] = "Typo=Yes|Number=Sing"  # not universal, so not counted
    tagger = quick_tagger(epochs=1).fit(train, dev=dev)
    scores = evaluate(dev, tagger.apply(dev))
    assert tagger.scores_ == pytest.approx(
        {name: getattr(scores, name) for name in ("upos", "xpos", "ufeats", "alltags")}
    )


def test_annotate_changes_its_sentences_and_tag_does_not(tagger: Tagger) -> None:
    sentence = Sentence(forms=["the", "dog", "saw", "a", "saw"])
    tagged = tagger.apply([sentence])[0]
    assert sentence.upos == ["_"] * 5
    assert tagged.upos == ["DET", "NOUN", "VERB", "DET", "NOUN"]
    assert next(tagger.annotate(iter([sentence]))) is sentence
    assert (sentence.upos, sentence.xpos, sentence.feats) == (tagged.upos, tagged.xpos, tagged.feats)


def test_kbest_is_sorted_and_begins_with_the_tag_given(tagger: Tagger) -> None:
    dev = ambiguous(20, 4)
    for (sentence, found), tagged in zip(tagger.kbest(dev, 3), tagger.apply(dev), strict=True):
        assert len(found) == len(sentence)
        for number, options in enumerate(found):
            assert 1 <= len(options) <= 3
            assert all(one.score >= other.score for one, other in pairwise(options))
            first = options[0]
            assert (first.upos, first.xpos, first.feats) == (
                tagged.upos[number],
                tagged.xpos[number],
                tagged.feats[number],
            )


def test_kbest_within_a_margin(tagger: Tagger) -> None:
    dev = ambiguous(20, 4)
    widths = [
        sum(len(options) for _, found in tagger.kbest(dev, 5, margin=margin) for options in found)
        for margin in (0.0, 2.0, None)
    ]
    assert widths == sorted(widths)
    assert widths[0] < widths[2]
    for _, found in tagger.kbest(dev, 5, margin=2.0):
        assert all(options[0].score - options[-1].score <= 2 for options in found)


def naive_scores(tagger: Tagger, sentence: Sentence, place: int, before: list[Tag]) -> dict[Tag, float]:
    """The score of every tag, from the definition: hash, window, sum over parts."""
    setup = tagger.state.setup
    program = setup.templates.compile()
    rows = setup.encoder.encode([sentence]).values.tolist()
    views = setup.tags.views(program.views).tolist()
    numbers = {tag: number for number, tag in enumerate(tagger.tags_)}
    weights = tagger.state.weights.table.tolist()
    full = 2**64 - 1

    def mix(x: int) -> int:
        x = (x + 0x9E3779B97F4A7C15) & full
        x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & full
        x = ((x ^ x >> 27) * 0x94D049BB133111EB) & full
        return x ^ x >> 31

    cells = []
    first = 0
    for number, end in enumerate(program.ends.tolist()):
        value = mix(tagger.options.hash_seed * 0x10001 + number)
        for atom in program.joined[first:end].tolist():
            of_tag, distance, argument = program.atoms[atom].tolist()
            at = place + distance
            seen = 0
            if 0 <= at < len(sentence):
                seen = views[numbers[before[at]]][argument] + 1 if of_tag else rows[at][argument]
            value = ((value ^ seen) * 0x9E3779B97F4A7C15) & full
            value ^= value >> 32
        cells.append((value * 0xD6E8FEB86659FD93 & full) >> 64 - tagger.options.bits)
        first = end
    pieces, _ = setup.tags.pieces()
    return {
        tag: sum(weights[cell + piece] for cell in cells for piece in pieces[numbers[tag]])
        for tag in tagger.tags_
    }


def test_the_core_scores_as_the_definition_says() -> None:
    tagger = quick_tagger(precision="float32", frequent=10**6).fit(ambiguous(40))
    for sentence, found in tagger.kbest(ambiguous(5, 7), 100):
        before: list[Tag] = []
        for place, options in enumerate(found):
            expected = naive_scores(tagger, sentence, place, before)
            for option in options:
                tag = Tag(option.upos, option.xpos, option.feats)
                assert option.score == pytest.approx(expected[tag], abs=1e-3)
            before.append(Tag(options[0].upos, options[0].xpos, options[0].feats))


def test_save_and_load(tagger: Tagger, tmp_path: Path) -> None:
    tagger.save(tmp_path / "one", licence="CC0-1.0")
    loaded = Tagger.load(tmp_path / "one")
    dev = ambiguous(20, 6)
    assert list(loaded.apply(dev)) == list(tagger.apply(dev))
    assert loaded.scores_ == tagger.scores_
    assert loaded.origin_.licence == "CC0-1.0"
    loaded.save(tmp_path / "two")
    assert folder_bytes(tmp_path / "one") == folder_bytes(tmp_path / "two")
    assert "# A tagger trained on toy1.conllu" in (tmp_path / "one" / "README.md").read_text()


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in "one", "two":
        quick_tagger(epochs=2).fit(ambiguous(30), dev=ambiguous(5, 2)).save(tmp_path / name)
    quick_tagger(epochs=2, seed=2).fit(ambiguous(30), dev=ambiguous(5, 2)).save(tmp_path / "other")
    assert folder_bytes(tmp_path / "one") == folder_bytes(tmp_path / "two")
    assert folder_bytes(tmp_path / "one") != folder_bytes(tmp_path / "other")


def test_threads_give_the_same(tagger: Tagger) -> None:
    dev = ambiguous(2000, 8)
    assert list(tagger.apply(dev)) == list(tagger.apply(dev, threads=3))


def test_two_taggers_learn_in_two_threads(tmp_path: Path) -> None:
    taggers = [quick_tagger(epochs=2, seed=seed) for seed in (1, 2)]
    threads = [Thread(target=tagger.fit, args=(ambiguous(40),)) for tagger in taggers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, tagger in enumerate(taggers, 1):
        tagger.save(tmp_path / f"thread{number}")
        quick_tagger(epochs=2, seed=number).fit(ambiguous(40)).save(tmp_path / f"alone{number}")
        assert folder_bytes(tmp_path / f"thread{number}") == folder_bytes(tmp_path / f"alone{number}")


@pytest.mark.parametrize("column", ["upos", "xpos", "feats"])
def test_an_empty_column_stays_empty(column: str) -> None:
    train = ambiguous(40)
    for sentence in train:
        setattr(sentence, column, ["_"] * len(sentence))
    tagged = quick_tagger(epochs=2).fit(train).apply(ambiguous(5, 2))
    assert {cell for sentence in tagged for cell in getattr(sentence, column)} == {"_"}
    assert any(
        cell != "_" for sentence in tagged for name in ("upos", "xpos") for cell in getattr(sentence, name)
    )


def test_words_without_tags_teach_nothing() -> None:
    train = ambiguous(60)
    for sentence in train[::2]:
        sentence.upos[1] = "_"
    tagger = quick_tagger().fit(train)
    assert all(tag.upos != "_" for tag in tagger.tags_)
    assert tagger.history_[0].counts["words"] == sum(map(len, train)) - 30


def test_extreme_sentences(tagger: Tagger) -> None:
    long_word = Sentence(forms=["x" * 100_000, "é" * 100_000])
    many = Sentence(forms=["the", "dog"] * 50_000)
    empty = Sentence(forms=[])
    tagged = tagger.apply([empty, long_word, many, empty])
    assert [len(sentence.upos) for sentence in tagged] == [0, 2, 100_000, 0]
    assert list(tagger.apply([])) == []
    assert [found for _, found in tagger.kbest([empty], 2)] == [[]]


def test_learning_from_extreme_sentences() -> None:
    train = Treebank([Sentence(forms=[]), Sentence(forms=["a" * 100_000], upos=["X"]), *ambiguous(5)])
    tagged = quick_tagger(epochs=1).fit(train, dev=[Sentence(forms=[])]).apply(train)
    assert len(tagged) == 7


def test_columns_from_outside(tmp_path: Path) -> None:
    """Words never seen are told apart by their clusters alone."""
    clusters = dict.fromkeys(("dog", "cat", "bird", "wug"), "0110") | {"likes": "1000", "blicks": "1000"}
    columns = {"cluster": clusters, "mine": {"wug": "yes"}}
    path = tmp_path / "mine.txt"
    path.write_text("bias\nW0.form\nW0.cluster\nW0.mine\nT-1.tag\n")
    tagger = quick_tagger(features=str(path)).fit(Lessons.of(ambiguous(80), columns=columns))
    tagger.save(tmp_path / "model")
    for each in tagger, Tagger.load(tmp_path / "model"):
        tagged = each.apply([Sentence(forms=["the", "Wug", "blicks", "a", "dog"])])[0]
        assert tagged.upos == ["DET", "NOUN", "VERB", "DET", "NOUN"]
    with pytest.raises(InputError, match="cannot be called 'form'"):
        quick_tagger().fit(Lessons.of(ambiguous(5), columns={"form": {}}))
    with pytest.raises(InputError, match=r"No model can keep the text 'a\\n' of the column mine"):
        quick_tagger().fit(Lessons.of(ambiguous(5), columns={"mine": {"a": "a\n"}}))


def test_damaged_models_are_refused(tagger: Tagger, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    tagger.save(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    for change in (
        {"tags": manifest["state"]["tags"][:-1]},
        {"tags": []},
        {"tags": "abc"},
        {"features": "W0.nothing"},
        {"columns": ["cluster"]},
        {"unit": "x"},
        {"history": [{"what": 1}]},
    ):
        edit(folder, **change)
        with pytest.raises(InputError, match="damaged or incomplete"):
            Tagger.load(folder)
        edit(folder, **{name: manifest["state"].get(name, manifest.get(name)) for name in change})
    (folder / "weights.safetensors").write_bytes(b"nothing")
    with pytest.raises(InputError):
        Tagger.load(folder)


@pytest.mark.parametrize("text", ["", "a b", "a\tb", "a\n", "\0", "\x1b", 5, None])
def test_tags_that_would_break_a_treebank_are_refused(tagger: Tagger, tmp_path: Path, text: object) -> None:
    folder = tmp_path / "model"
    tagger.save(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    for column in range(3):
        tags = [list(tag) for tag in manifest["state"]["tags"]]
        tags[0][column] = text
        edit(folder, tags=tags)
        with pytest.raises(InputError, match="damaged or incomplete: tags"):
            Tagger.load(folder)


def test_tags_no_model_can_keep_are_not_learned() -> None:
    odd = [Sentence(forms=["a", "b"], upos=["X", "Y Z"])]
    with pytest.raises(InputError, match="a tag holds white space or a control character: 'Y Z'"):
        quick_tagger().fit(odd)
    many = [Sentence(forms=["a"] * 5000, upos=[f"T{number}" for number in range(5000)])]
    with pytest.raises(InputError, match="the tags have 5,002 different pieces, and 4,096 are the most"):
        quick_tagger().fit(many)


def test_forms_no_model_can_keep_are_unknown(tmp_path: Path) -> None:
    odd = Sentence(forms=["dog", "a\nb", "\ud800", "\x1b"], upos=["NOUN", "X", "X", "X"])
    quick_tagger(epochs=1).fit([odd] * 3).save(tmp_path / "model")
    assert Tagger.load(tmp_path / "model").apply([odd])[0].upos[0] == "NOUN"


def test_options_are_checked() -> None:
    assert TaggerOptions.from_dict(tomllib.loads(TaggerOptions(epochs=3).to_toml())) == TaggerOptions(
        epochs=3
    )
    with pytest.raises(InputError, match="Did you mean 'epochs'"):
        Tagger(epoch=3)  # type: ignore[call-arg]
    for name, value in ("epochs", 0), ("bits", 40), ("dropout", 1.0), ("precision", "int4"), ("frequent", 0):
        with pytest.raises(InputError, match=name):
            Tagger(**{name: value})  # type: ignore[arg-type]


def test_what_cannot_be_done_is_said(tagger: Tagger) -> None:
    sentence = Sentence(forms=["a"])
    with pytest.raises(InputError, match="has not learned"):
        next(Tagger().annotate([sentence]))
    with pytest.raises(InputError, match="there are no tags"):
        quick_tagger().fit([sentence])
    with pytest.raises(InputError, match="k is 0"):
        next(tagger.kbest([sentence], 0))
    with pytest.raises(InputError, match="margin"):
        next(tagger.kbest([sentence], 1, margin=-1.0))
    with pytest.raises(InputError, match="threads"):
        next(tagger.annotate([sentence], Request(threads=0)))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("W0.frm", "mine.txt:2: W0.frm: no attribute 'frm'. Did you mean 'form'?"),
        ("T+1.upos", "only the tags to the left"),
        ("T0.upos", "only the tags to the left"),
        ("S0.form", "a word such as W0"),
        ("T-1.form", "no attribute 'form'"),
    ],
)
def test_faults_of_templates(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(f"W0.form  # fine\n{line}\n")
    with pytest.raises(InputError) as caught:
        templates.load(path)
    assert message in str(caught.value)


def test_template_files() -> None:
    assert "default" in templates.built_in()
    with pytest.raises(InputError, match=r"Lists that come with plait: .*default"):
        templates.load("nothing.txt")
    with pytest.raises(InputError, match="no templates"):
        templates.parse("# nothing\n")
    assert len(templates.parse("bias\nW0.cluster\nT-1.feats.Case\n").lines) == 2
    assert len(templates.parse("bias\nW0.cluster\n", given=["cluster"]).lines) == 2
    block = templates.parse("for X in W-1, W+1:\n    X.lower W0.lower\nbias")
    assert block.lines == templates.parse("W-1.lower W0.lower\nW+1.lower W0.lower\nbias").lines


def test_the_lexicon_forgets_one_occurrence() -> None:
    lexicon = Lexicon.of(["Saw", "saw", "saw", "the"], [0, 0, 1, 2])
    assert lexicon.ambiguity("SAW") == "0 1"
    assert lexicon.ambiguity("saw", 1) == "0"
    assert lexicon.ambiguity("the", 2) == UNKNOWN
    assert lexicon.form_ambiguity("Saw") == "0 lower"
    assert lexicon.form_ambiguity("Saw", 0) == f"{UNKNOWN} lower"
    assert lexicon.form_ambiguity("the", 2) == UNKNOWN
    sets, chosen = lexicon.candidates(3, frequent=3, open_words=1)
    assert sets[0] == [0, 1, 2]
    assert sets[chosen["saw"]] == [0, 1]
    assert "the" not in chosen


def test_parts_and_views_of_tags() -> None:
    tags = Tags([Tag("N", "_", "Case=Acc|Number=Sing"), Tag("N", "_", "Number=Sing"), Tag("V", "_", "_")])
    pieces, width = tags.pieces()
    assert set(pieces[1]) < set(pieces[0])
    assert width == 6
    assert tags.views(["upos", "fine", "feats.Number"]).tolist() == [[0, 0, 0], [0, 1, 0], [1, 2, 1]]


def test_spaces_tell_words_apart(tmp_path: Path) -> None:
    path = tmp_path / "spaces.txt"
    path.write_text("W0.form W0.space\n")
    glued = Sentence(
        forms=["a", "-", "b"], upos=["X", "HYPH", "X"], misc=["SpaceAfter=No", "SpaceAfter=No", "_"]
    )
    apart = Sentence(forms=["a", "-", "b!"], upos=["X", "DASH", "X"], misc=["_", "_", "SpaceAfter=No"])
    unknown = Sentence(forms=["a", "-", "b"], upos=["X", "MARK", "X"], comments=["# text = a - b"])
    tagger = quick_tagger(features=str(path), epochs=10, dropout=0.0).fit([glued, apart, unknown] * 5)
    assert [sentence.upos[1] for sentence in tagger.apply([glued, apart, unknown])] == [
        "HYPH",
        "DASH",
        "MARK",
    ]
    # A sentence of a format without spaces, such as CoNLL-09: they are guessed.
    assert tagger.apply([Sentence(forms=["a", "-", "b"])])[0].upos[1] == "HYPH"


def test_spaces_are_guessed_from_words() -> None:
    forms = ["He", "said", "(", '"', "well", "-", "known", '"', ")", ",", "$", "5", "."]
    spaces = guess_spaces(forms)
    assert "".join(form + " " * space for form, space in zip(forms, spaces, strict=True)).rstrip() == (
        'He said ("well-known"), $5.'
    )


def test_templates_may_look_at_tags_only(tmp_path: Path) -> None:
    path = tmp_path / "tags.txt"
    path.write_text("bias\nT-1.upos\n")
    tagger = quick_tagger(features=str(path)).fit(ambiguous(20))
    assert tagger.apply(ambiguous(1, 2))[0].upos[:2] == ["DET", "NOUN"]


def test_kin_of_words() -> None:
    lexicon = Lexicon.of(["amigos", "amigos", "amigo", "dia"], [0, 0, 1, 2])
    assert lexicon.kin_ambiguity("Amigas", 2) == "as os 0"
    assert lexicon.kin_ambiguity("amigos", 1) == "s  1"
    assert lexicon.kin_ambiguity("dias", 2) == UNKNOWN


def test_shapes() -> None:
    assert [shape(form) for form in ("Word", "20-year", "iPhone", "文字")] == ["Xx", "9-x", "xXx", "a"]
    assert [case_kind(form) for form in ("U.S.", "Word", "e-mail", "4th", "文")] == [
        "U.",
        "T",
        "l-",
        "l9",
        "o",
    ]


def test_scored_tags_are_plain_values() -> None:
    assert ScoredTag("X", "_", "_", 1.0) == ScoredTag("X", "_", "_", 1.0)


def test_kin_are_the_most_frequent_words_with_the_same_beginning() -> None:
    words = ["amigo"] * 3 + ["amigos"] * 5 + ["Amiga"] * 4 + ["amistades"] * 9 + ["am"] * 20
    tags = [len(word) for word in words]
    lexicon = Lexicon.of(words, tags)
    assert lexicon.kin_ambiguity("amigas", 2) == "as os 6"
    assert lexicon.kin_ambiguity("amigos", 2) == "os a 5"  # of others than the word itself
    assert lexicon.kin_ambiguity("amix", 1) == "x gos 6"  # amistades has too long an ending
    assert lexicon.kin_ambiguity("amx", 1) == "?"  # too short a beginning


def test_a_lexicon_tells_what_unknown_words_may_be(tmp_path: Path) -> None:
    """Nothing but the lexicon tells new nouns from new verbs here; a model keeps what it read."""
    words = [f"{letter}{number}" for number in range(10, 50) for letter in "qw"]
    random.Random(1).shuffle(words)
    tags = {word: ("NOUN", "VERB")[number % 2] for number, word in enumerate(words)}
    path = tmp_path / "lexicon.tsv"
    path.write_text("".join(f"{word}\t{tag}\n" for word, tag in tags.items()))

    def sentences(known: list[str]) -> list[Sentence]:
        return [Sentence(forms=[word], upos=[tags[word]]) for word in known]

    train, new = sentences(words[:60]), sentences(words[60:])

    def score(tagger: Tagger) -> float:
        return sum(a.upos == b.upos for a, b in zip(tagger.apply(new), new, strict=True)) / len(new)

    assert score(Tagger(bits=14).fit(train)) < 0.8
    tagger = Tagger(bits=14, lexicon=str(path)).fit(train)
    assert score(tagger) > 0.95
    tagger.save(tmp_path / "model")
    path.unlink()
    assert score(Tagger.load(tmp_path / "model")) > 0.95
    with pytest.raises(InputError, match="lexicon"):
        Tagger(lexicon=str(path)).check(Lessons.of(train))


def test_classes_of_a_lexicon_tell_what_sets_of_tags_do_not(tmp_path: Path) -> None:
    lexicon, features = tmp_path / "lexicon.tsv", tmp_path / "features.txt"
    lexicon.write_text("aa\tN;NOM;SG\nab\tN;GEN\nba\tV;PST\nbb\tV;PRS\nxx\tN;DAT;PL\nyy\tV;IMP\n")
    features.write_text("W0.lexclass\n")
    known = [Sentence(forms=["aa", "ba", "ab", "bb"], upos=["NOUN", "VERB"] * 2)] * 5
    tagger = quick_tagger(lexicon=str(lexicon), features=str(features), dropout=0.0).fit(known)
    assert tagger.apply([Sentence(forms=["xx", "yy"])])[0].upos == ["NOUN", "VERB"]
    tagger.save(tmp_path / "model")
    again = Tagger.load(tmp_path / "model")
    assert again.apply([Sentence(forms=["xx", "yy"])])[0].upos == ["NOUN", "VERB"]
