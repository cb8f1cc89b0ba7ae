"""The tokenizer: raw text of treebanks, learning, sentences with all their white space, model files."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import plait
from plait import InputError, MultiwordToken, Sentence
from plait.components.tokenizer import Tokenizer, raw_text, restore
from plait.components.tokenizer.multiword import Multiwords, Rewriting, recased
from plait.components.tokenizer.raw import guess_joins
from plait.formats.spaces import escape, unescape
from plait.learning.store import CHECKED
from signing import sign
from toy_text import quick_tokenizer, toy_text


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return quick_tokenizer()


def tokens(sentences: list[Sentence]) -> list[list[str]]:
    return [[token.form for token in sentence.tokens] for sentence in sentences]


# The raw text of a treebank


def test_raw_text_follows_the_spaces_of_tokens() -> None:
    first = Sentence(forms=["Hi", "!"], misc=["SpaceAfter=No", "_"])
    second = Sentence(forms=["a", "b"], misc=[r"SpacesAfter=\s\n", "SpaceAfter=No"])
    third = Sentence(
        forms=["de", "o", "x"],
        misc=["_", "_", "_"],
        multiword_tokens=[MultiwordToken(1, 2, "do")],
        comments=["# newpar id = 3"],
    )
    raw = raw_text([first, second, third])
    assert raw.text == "Hi! a \nb\n\ndo x "
    assert not raw.guessed
    ends = {place: int(end) for place, end in enumerate(raw.ends) if end}
    assert ends == {1: 1, 2: 2, 4: 1, 7: 2, 11: 1, 13: 2}


@pytest.mark.parametrize("comment", ["# newpar", "# newdoc id = d", "# newdoc_id = CF1", "#newpar"])
def test_paragraphs_and_documents_begin_after_an_empty_line(comment: str) -> None:
    one, two = (Sentence(forms=["x"], misc=["SpaceAfter=No"], comments=[comment]) for _ in range(2))
    assert raw_text([one, two]).text == "x\n\nx"


def test_a_comment_that_only_resembles_one_begins_nothing() -> None:
    two = Sentence(forms=["y"], comments=["# newparts = 3", "# text = newpar"])
    assert raw_text([Sentence(forms=["x"], misc=["SpaceAfter=No"]), two]).text == "xy "


def test_spaces_are_guessed_only_where_a_treebank_does_not_tell() -> None:
    forms = ["He", "said", '"', "no", '"', "(", "twice", ")", "."]
    raw = raw_text([Sentence(forms=forms)])
    assert raw.text == 'He said "no" (twice). '
    assert raw.guessed
    assert guess_joins([]) == []


def test_white_space_before_a_text_is_kept() -> None:
    sentence = Sentence(forms=["x", "y"], misc=[r"SpacesBefore=\s\s", "SpaceAfter=No"])
    raw = raw_text([sentence])
    assert raw.text == "  x y"
    assert raw.ends.tolist() == [0, 0, 1, 0, 2]


# Learning


def test_a_toy_language_is_learned(tokenizer: Tokenizer) -> None:
    gold = toy_text(60, seed=9)
    found = tokenizer.tokenize(raw_text(gold).text)
    assert tokens(found) == tokens(list(gold))
    assert [sentence.forms for sentence in found] == [sentence.forms for sentence in gold]


@pytest.mark.parametrize("case", [str.lower, str.upper])
def test_text_in_one_case_is_no_obstacle(tokenizer: Tokenizer, case: Callable[[str], str]) -> None:
    gold = toy_text(60, seed=9)
    found = tokenizer.tokenize(case(raw_text(gold).text))
    assert tokens(found) == [[case(form) for form in forms] for forms in tokens(list(gold))]


def test_dev_scores_are_those_of_evaluate() -> None:
    dev = toy_text(60, seed=2)
    tokenizer = Tokenizer(bits=14, epochs=3).fit(toy_text(100), dev=dev)
    assert [epoch.number for epoch in tokenizer.history_] == [1, 2, 3]
    assert tokenizer.scores_ == {"words": 100, "sentences": 100}
    assert not tokenizer.state.spaces_guessed
    found = tokenizer.tokenize(raw_text(dev).text)
    for sentence in found:
        sentence.heads = list(range(len(sentence)))
    assert plait.evaluate(dev, found).words == 100


def test_training_needs_words() -> None:
    with pytest.raises(InputError, match="without words"):
        Tokenizer().fit([])
    with pytest.raises(InputError, match="call fit first"):
        Tokenizer().tokenize("x")


def test_options_are_checked() -> None:
    with pytest.raises(InputError, match="Did you mean 'longest'"):
        Tokenizer(longes=3)  # type: ignore[call-arg]
    with pytest.raises(InputError, match="bits is 40"):
        Tokenizer(bits=40)


# Sentences


def test_a_sentence_tells_its_text_and_its_white_space(tokenizer: Tokenizer) -> None:
    text = " They  don't see\nthe dog!\n\nMr. Smith won't hear the cat. They didn't find the bird."
    first, second, third = tokenizer.tokenize(text, ranges=True)
    assert first.comments == ["# newpar", "# sent_id = 1", "# text = They don't see the dog!"]
    assert second.comments[0] == "# newpar"
    assert third.comments == ["# sent_id = 3", "# text = They didn't find the bird."]
    token = first.multiword_tokens[0]
    assert (token.id, token.form, token.misc) == ("2-3", "don't", "TokenRange=7:12")
    assert first.forms == ["They", "do", "n't", "see", "the", "dog", "!"]
    assert first.misc == [
        r"SpacesAfter=\s\s|SpacesBefore=\s|TokenRange=1:5",
        "_",
        "_",
        r"SpacesAfter=\n|TokenRange=13:16",
        "TokenRange=17:20",
        "SpaceAfter=No|TokenRange=21:24",
        r"SpacesAfter=\n\n|TokenRange=24:25",
    ]
    assert third.misc[-1].startswith("SpaceAfter=No|")
    assert restore([first, second, third]) == text


def test_line_breaks_alone_change_nothing(tokenizer: Tokenizer) -> None:
    text = raw_text(toy_text(40, seed=5)).text
    wrapped = "\r\n\r\n".join(part.replace(" ", "\r\n") for part in text.split("\n\n"))
    assert tokens(tokenizer.tokenize(wrapped)) == tokens(tokenizer.tokenize(text))


def test_lines_are_sentences_when_asked(tokenizer: Tokenizer) -> None:
    text = "They see. They hear\n\n the dog!\r\nMr. Smith"
    found = tokenizer.tokenize(text, lines=True)
    assert [sentence.text for sentence in found] == ["They see. They hear", "the dog!", "Mr. Smith"]
    assert ["# newpar" in sentence.comments for sentence in found] == [True, True, False]
    assert restore(found) == text


@pytest.mark.parametrize("text", ["", " ", "\n\n\t\u3000\0"])
def test_a_text_without_characters_has_no_sentences(tokenizer: Tokenizer, text: str) -> None:
    assert tokenizer.tokenize(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "这是一个没有空格的句子。第二句！",
        "ภาษาไทยไม่มีช่องว่างระหว่างคำ",
        "مرحبا بالعالم. كيف حالك؟",
        "👨‍👩‍👧‍👦 and ❤️!!! 😀😀",
        "nbsp\u00a0and\u2003em\u2028line\u2029par\x85nel\x0bvt\x1cfs",
        "NUL\0and \ufeffBOM \u200bzero\u200dwidth",
        "e\u0301te\u0301 \u0130stanbul ǅ ﬁ",
    ],
)
def test_any_script_passes_and_white_space_stays_outside_forms(tokenizer: Tokenizer, text: str) -> None:
    found = tokenizer.tokenize(text)
    assert restore(found) == text
    for sentence in found:
        assert not any(
            character.isspace() or character == "\0" for form in sentence.forms for character in form
        )


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/a,b?c=d+e&f=g#h",
        "https://example.org/" + "long-path/" * 30 + "end.html",
        "www.example.org/~x",
        "first.last+tag@mail.example.org",
        "First.Last@example.com",
        "mail.example.com",
        "example.com/a_b",
        "#hashtag",
        "#2020vision",
        "#über_cool",
        "@john_doe",
        "@example.com",
        "2024-03-15",
        "2024-03-15T10:30:00Z",
        "15/03/2024",
        "31.12.1999",
        "👍🏽",
        "🇩🇪",
        "❤️",
    ],
)
def test_addresses_tags_names_dates_and_emoji_stay_whole(tokenizer: Tokenizer, address: str) -> None:
    assert address in tokens(tokenizer.tokenize(f"They see {address}, too.", lines=True))[0]


def test_joined_emoji_stay_whole(tokenizer: Tokenizer) -> None:
    assert "👨‍👩‍👧‍👦" in tokens(tokenizer.tokenize("They see 👨‍👩‍👧‍👦 too.", lines=True))[0]


def test_every_emoji_is_a_token(tokenizer: Tokenizer) -> None:
    found = tokens(tokenizer.tokenize("dog😀😀cat👍🏽👍🏽 🇩🇪🇫🇷 ❤️too", lines=True))[0]
    assert found == ["dog", "😀", "😀", "cat", "👍🏽", "👍🏽", "🇩🇪", "🇫🇷", "❤️", "too"]


@pytest.mark.parametrize(
    "letters", ["😀👍🏽🇩🇪\u200d\ufe0f#@aB1-/.: ", "#@", "2024-03-15.", "a1", "!?…", "\u0301\u200b\0 \n"]
)
def test_long_odd_text_comes_back(tokenizer: Tokenizer, letters: str) -> None:
    chance = random.Random(1)
    text = "x" + "".join(chance.choice(letters) for _ in range(100_000))
    assert restore(tokenizer.tokenize(text)) == text


def test_long_texts_without_ends_are_cut() -> None:
    tokenizer = quick_tokenizer(longest=20)
    words = tokenizer.tokenize("see " * 3000)
    assert max(map(len, words)) <= 20
    assert min(len(sentence) for sentence in words[:-1]) > 10
    assert restore(words) == "see " * 3000
    run = tokenizer.tokenize("a" * 200_000)
    assert restore(run) == "a" * 200_000
    assert max(len(form) for sentence in run for form in sentence.forms) == 1000


# Streaming


def test_a_stream_needs_no_more_than_it_shows(tokenizer: Tokenizer) -> None:
    given = 0

    def pieces() -> object:
        nonlocal given
        while True:
            given += 1
            yield "They see the dog. They hear the cat. "

    stream = tokenizer.stream(pieces())  # type: ignore[arg-type]
    assert next(stream).text == "They see the dog."
    assert given < 5000


def test_nothing_is_decided_before_it_was_seen_what_follows(tokenizer: Tokenizer) -> None:
    """A decision may look 160 characters ahead: no token of a text that may go on is nearer to its end."""
    segmenter = tokenizer.state.segmenter
    text = "They see the dog. They hear the cat. " * 20
    for size in range(300, len(text), 37):
        ends = segmenter.segment(text[:size], is_all=False).lasts
        assert 0 < ends[-1] <= size - 160
        assert segmenter.segment(text[:size]).lasts[-1] >= size - 1


# Multiword tokens


@pytest.mark.parametrize(
    ("form", "words", "expected"),
    [
        ("Don't", ("do", "n't"), ("Do", "n't")),
        ("DON'T", ("do", "n't"), ("DO", "N'T")),
        ("DAS", ("de", "as"), ("DE", "AS")),
        ("Das", ("de", "as"), ("De", "as")),
        ("No", ("em", "o"), ("Em", "o")),
        ("À", ("a", "a"), ("A", "a")),
        ("Trata-se", ("trata", "se"), ("Trata", "se")),
        ("Centrar-se-á", ("centrará", "se"), ("Centrará", "se")),
        ("das", ("de", "as"), ("de", "as")),
    ],
)
def test_words_have_the_case_of_their_form(
    form: str, words: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    assert recased(form, words) == expected


def single(*forms: str) -> Sentence:
    return Sentence(forms=list(forms))


def several(form: str, *words: str) -> Sentence:
    return Sentence(forms=list(words), multiword_tokens=[MultiwordToken(1, len(words), form)])


def test_suffixes_rewrite_forms_never_seen() -> None:
    learned = Multiwords.learn(
        [
            *(several(f"{verb}-se-á", f"{verb}á", "se") for verb in ("dar", "tornar", "juntar")),
            *(several(f"{verb}-se", verb, "se") for verb in ("dizer", "ver", "deu", "foi")),
            *(single(word) for word in ("classe", "fase", "esse", "má", "há", "lá", "está")),
        ],
        seed=1,
    )
    (found,) = learned.find([["Mostrar-se-á", "Chamou-se", "crise", "será", "-se"]])
    assert found == [(0, ("Mostrará", "se")), (1, ("Chamou", "se"))]


def test_words_seen_whole_stay_whole_whatever_their_suffix() -> None:
    verbs = ("mógł", "zrobił", "chciał", "widział")
    learned = Multiwords.learn([*(several(f"{verb}by", verb, "by") for verb in verbs), single("aby")], seed=1)
    assert learned.find([["pisałby", "aby", "Aby"]]) == [[(0, ("pisał", "by"))]]


def test_context_decides_where_a_form_is_sometimes_one_word() -> None:
    def sentence(before: str, after: str, split: bool) -> Sentence:
        if split:
            return Sentence(forms=[before, "em", "os", after], multiword_tokens=[MultiwordToken(2, 3, "nos")])
        return Sentence(forms=[before, "nos", after])

    train = [sentence("vive", "campos", True), sentence("ele", "disse", False)] * 10
    learned = Multiwords.learn(train, seed=1)
    found = learned.find([["vive", "nos", "campos"], ["ele", "nos", "disse"], ["mora", "nos", "campos"]])
    assert found == [[(1, ("em", "os"))], [], [(1, ("em", "os"))]]


def _contracted(form: str, *words: str, after: str) -> Sentence:
    several = [MultiwordToken(1, len(words), form)] if len(words) > 1 else []
    return Sentence(forms=[*words, after], multiword_tokens=several)


def test_contractions_may_lack_their_apostrophe() -> None:
    treebank = [
        _contracted("haven't", "have", "n't", after="seen"),
        _contracted("cat's", "cat", "'s", after="tail"),
    ]
    learned = Multiwords.learn(treebank, seed=1)
    assert learned.find([["Havent", "seen"], ["HAVEN'T", "seen"]]) == [
        [(0, ("Have", "nt"))],
        [(0, ("HAVE", "N'T"))],
    ]
    assert learned.find([["cats"]]) == [[]]


def test_a_word_that_looks_like_a_contraction_is_decided_by_its_neighbours() -> None:
    treebank = [_contracted("it's", "it", "'s", after=after) for after in ("not", "very", "so", "a")] * 10
    treebank += [_contracted("its", "its", after=after) for after in ("tail", "name", "colour")] * 10
    treebank += [_contracted("its", "it", "s", after="not")] * 2
    learned = Multiwords.learn(treebank, seed=1)
    assert learned.find([["its", "very"], ["its", "so"]]) == [[(0, ("it", "s"))], [(0, ("it", "s"))]]
    assert learned.find([["its", "tail"], ["its", "colour"]]) == [[], []]


def test_a_single_odd_splitting_is_not_imitated() -> None:
    learned = Multiwords.learn([several("years", "year", "s"), *[single("years")] * 50], seed=1)
    assert learned.find([["years"]]) == [[]]


def test_escapes_are_those_of_udpipe() -> None:
    space = " \t\n\r\0|\\\u00a0"
    assert escape(space) == r"\s\t\n\r\0\p\\" + "\u00a0"
    assert unescape(escape(space)) == space
    # A treebank may have the number of a character; half of a surrogate pair is none.
    assert unescape(r"\u00A0\s\u3000") == "\u00a0 \u3000"
    for kept in r"\uD83D", r"\u00", r"\uXYZW":
        assert unescape(kept) == kept
    assert unescape(escape(r"\u00A0")) == r"\u00A0"


def test_no_word_is_left_empty() -> None:
    assert Rewriting(2, "", ("x",)).apply("abc") == ("a", "x")
    assert Rewriting(3, "", ("x",)).apply("abc") is None
    assert Rewriting(10**30, "", ("x",)).apply("abc") is None


# Model files


@pytest.mark.parametrize("text", ["", "a\nb", "a\tb", "\0", "\x1b", "\ud800", 3, None])
@pytest.mark.parametrize("place", ["word", "ending", "other", "suffix", "whole"])
def test_multiword_tokens_that_would_break_a_treebank_are_refused(
    tokenizer: Tokenizer, tmp_path: Path, text: object, place: str
) -> None:
    tokenizer.save(tmp_path / "model")
    path = tmp_path / "model" / "weights.safetensors"
    tensors = load_file(path)
    known = json.loads(tensors["multiwords"].tobytes())
    if place == "word":
        next(iter(known["table"].values()))[0] = text
    elif place == "whole":
        known["whole"] = [text]
    elif place == "suffix":
        known["suffixes"][str(text)] = text
    else:
        known["suffixes"]["x"] = [1, text, "a"] if place == "ending" else [1, "a", text]
    tensors["multiwords"] = np.frombuffer(json.dumps(known).encode(), np.uint8)
    save_file(tensors, path)
    sign(tmp_path / "model")
    harmless = (place == "ending" and text == "") or (place == "suffix" and text is None)
    if harmless:
        Tokenizer.load(tmp_path / "model")
        return
    with pytest.raises(InputError, match="damaged or incomplete"):
        Tokenizer.load(tmp_path / "model")


def test_a_saved_model_does_the_same(tokenizer: Tokenizer, tmp_path: Path) -> None:
    tokenizer.save(tmp_path / "model", licence="CC0")
    loaded = Tokenizer.load(tmp_path / "model")
    text = raw_text(toy_text(50, seed=3)).text
    assert loaded.tokenize(text) == tokenizer.tokenize(text)
    assert loaded.origin_.licence == "CC0"
    loaded.save(tmp_path / "again")
    quick_tokenizer().save(tmp_path / "other", licence="CC0")
    for name in (*CHECKED, "README.md"):
        assert (tmp_path / "model" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
        assert (tmp_path / "model" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


def test_the_card_tells_when_spaces_were_guessed(tmp_path: Path) -> None:
    forms = ["the", "dog", "saw", "it", "."]
    Tokenizer(bits=12, epochs=1).fit([Sentence(forms=forms)] * 3).save(tmp_path / "model")
    assert "guessed" in (tmp_path / "model" / "README.md").read_text()


def test_damage_is_an_error_that_names_the_model(tokenizer: Tokenizer, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    tokenizer.save(folder)
    weights = (folder / "weights.safetensors").read_bytes()
    (folder / "weights.safetensors").write_bytes(weights[:-1])
    with pytest.raises(InputError, match="damaged"):
        Tokenizer.load(folder)
    (folder / "weights.safetensors").write_bytes(weights)
    with pytest.raises(InputError, match="not a 'transition'"):
        plait.TransitionParser.load(folder)


@pytest.mark.parametrize(
    "name", ["seams", "word_hashes", "word_kinds", "multiwords", "segmenter.weights", "context.weights"]
)
@pytest.mark.parametrize("how", ["missing", "short", "float"])
def test_tensors_that_do_not_fit_are_an_error(tmp_path: Path, name: str, how: str) -> None:
    train = [*toy_text(40), Sentence(forms=["don't"]), Sentence(forms=["won't"])]
    Tokenizer(bits=12, epochs=1).fit(train).save(tmp_path / "model")
    path = tmp_path / "model" / "weights.safetensors"
    tensors = load_file(path)
    tensor = tensors.pop(name)
    if how != "missing":
        tensors[name] = tensor[: len(tensor) // 2] if how == "short" else tensor.astype(np.float64)
    save_file(tensors, path)
    sign(tmp_path / "model")
    with pytest.raises(InputError, match="damaged or incomplete"):
        Tokenizer.load(tmp_path / "model")
