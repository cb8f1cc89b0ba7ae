"""Scores of small sentences, counted by hand."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

import plait
from plait import InputError, MultiwordToken, Sentence, Treebank
from plait.cli import plait as command
from plait.evaluation import alignment
from plait.evaluation.document import Document


def sentence(forms: str, heads: Sequence[int | None], labels: str, upos: str = "") -> Sentence:
    return Sentence(forms=forms.split(), heads=list(heads), deprels=labels.split(), upos=upos.split())


GOLD = sentence(
    "She gave him the book .",
    [2, 0, 2, 5, 2, 2],
    "nsubj root iobj det obj punct",
    "PRON VERB PRON DET NOUN PUNCT",
)


def changed(**columns: Sequence[str | int | None]) -> Sentence:
    twin = GOLD.copy()
    for name, column in columns.items():
        setattr(twin, name, column)
    return twin


def contracted(words: str, *tokens: tuple[int, int, str]) -> Sentence:
    forms = words.split()
    heads: list[int | None] = [0, *[1] * (len(forms) - 1)]
    return Sentence(forms=forms, heads=heads, multiword_tokens=[MultiwordToken(*token) for token in tokens])


def pairs(gold: list[Sentence], system: list[Sentence]) -> list[tuple[int, int]]:
    result = alignment.align(Document(gold, "gold"), Document(system, "system"))
    return list(zip(result.gold_words.tolist(), result.system_words.tolist(), strict=True))


class TestAlignment:
    def test_spaces_are_the_unicode_category(self) -> None:
        everything = map(chr, range(0x110000))
        assert set(alignment._SPACES) == {ord(c) for c in everything if unicodedata.category(c) == "Zs"}

    def test_words_with_the_same_characters(self) -> None:
        gold = [sentence("a b cd e", [0, 1, 1, 1], "root x x x")]
        system = [sentence("ab c d e", [0, 1, 1, 1], "root x x x")]
        assert pairs(gold, system) == [(3, 3)]

    def test_spaces_do_not_count(self) -> None:
        gold = [Sentence(forms=["10 000", "b"], heads=[0, 1])]
        system = [Sentence(forms=["10\u00a0000", "b"], heads=[0, 1])]
        assert pairs(gold, system) == [(0, 0), (1, 1)]

    def test_words_of_multiword_tokens_by_their_forms(self) -> None:
        gold = [contracted("em O mar", (1, 2, "no"))]
        system = [contracted("o o mar", (1, 2, "no"))]
        assert pairs(gold, system) == [(1, 0), (2, 2)]

    def test_multiword_tokens_that_overlap_in_a_chain(self) -> None:
        gold = [contracted("w x y z", (1, 2, "abc"), (3, 4, "def"))]
        system = [contracted("ab y w ef", (2, 3, "cd"))]
        # One region from a to f: the common subsequence is y or w, and gold words are dropped first.
        assert pairs(gold, system) == [(2, 1)]

    def test_sentence_ends(self) -> None:
        gold = [sentence("a b", [0, 1], "r x"), sentence("c d", [0, 1], "r x"), sentence("e", [0], "r")]
        system = [sentence("a b c d", [0, 1, 1, 1], "r x x x"), sentence("e", [0], "r")]
        result = alignment.align(Document(gold, "gold"), Document(system, "system"))
        assert result.sentences == alignment.Overlap(1, 3, 2)
        assert result.same_sentences.tolist() == [False, False, True]
        assert result.home.tolist() == [0, 0, 1, 1, 2]


class TestSharedTask:
    def test_equal(self) -> None:
        scores = plait.evaluate([GOLD], [GOLD])
        assert scores.las == scores.mlas == scores.blex == scores.exact_labeled == 100

    def test_subtypes_do_not_count_in_las(self) -> None:
        system = changed(deprels="nsubj:pass root iobj det obj punct".split())  # noqa: SIM905
        scores = plait.evaluate([GOLD], [system])
        assert (scores.las, scores.uas) == (100, 100)
        assert scores.las_full == pytest.approx(100 * 5 / 6)
        assert scores.exact_labeled == 0
        assert scores.exact_unlabeled == 100

    def test_clas_leaves_out_function_words_and_punctuation(self) -> None:
        scores = plait.evaluate([GOLD], [changed(heads=[2, 0, 2, 2, 2, 5])])
        assert scores.uas == pytest.approx(100 * 4 / 6)
        assert scores.clas == 100
        assert scores.metrics["clas"].gold == 4

    def test_mlas_wants_more_than_as_many_function_words(self) -> None:
        """The determiner hangs where it should, but is tagged as something else."""
        scores = plait.evaluate([GOLD], [changed(upos=["PRON", "VERB", "PRON", "PRON", "NOUN", "PUNCT"])])
        assert scores.clas == 100
        assert scores.metrics["mlas"].correct == scores.metrics["clas"].correct - 1

    def test_mlas_wants_the_function_words_right(self) -> None:
        # "the" hangs wrongly: "book" misses it, "gave" has one too many.
        scores = plait.evaluate([GOLD], [changed(heads=[2, 0, 2, 2, 2, 2])])
        assert scores.mlas == 50

    def test_a_missing_gold_lemma_is_no_error(self) -> None:
        gold = changed(lemmas=["_", "give", "he", "the", "book", "."])
        system = changed(lemmas=["she", "give", "_", "the", "book", "."])
        assert plait.evaluate([gold], [system]).metrics["lemmas"].correct == 5

    def test_only_universal_features(self) -> None:
        gold = changed(feats=["Case=Nom|Person=3", "Foo=a", "_", "_", "_", "_"])
        system = changed(feats=["Person=3|Case=Nom", "Foo=b", "Case=Acc", "_", "_", "_"])
        scores = plait.evaluate([gold], [system])
        assert scores.metrics["ufeats"].correct == 5
        assert scores.metrics["pmlas"].correct == 4

    def test_precision_and_recall_differ_with_the_tokens(self) -> None:
        gold = [sentence("a b c", [0, 1, 1], "root obj obj")]
        system = [sentence("ab c", [0, 1], "root obj")]
        words = plait.evaluate(gold, system).metrics["words"]
        assert (words.precision, words.f1) == (50, 40)
        assert words.recall == pytest.approx(100 / 3)

    def test_nothing_to_count_is_zero(self) -> None:
        only_punctuation = [sentence(".", [0], "punct")]
        assert plait.evaluate(only_punctuation, only_punctuation).clas == 0
        assert plait.evaluate([], []).las == 0


class TestPapers:
    def test_tagged_attachment(self) -> None:
        scores = plait.evaluate([GOLD], [changed(upos="PRON VERB PRON DET VERB PUNCT".split())])  # noqa: SIM905
        assert scores.las == 100
        assert scores.tlas == scores.pmlas == pytest.approx(100 * 5 / 6)

    def test_exact_match_wants_the_same_sentence(self) -> None:
        gold = [sentence("a b", [0, 1], "root x"), sentence("c", [0], "root")]
        system = [sentence("a b c", [0, 1, 0], "root x root")]
        scores = plait.evaluate(gold, system)
        assert scores.las == 100
        assert scores.exact_labeled == 0

    def test_exact_match_wants_no_word_too_many(self) -> None:
        gold = [Sentence(forms=["x"], heads=[0], multiword_tokens=[MultiwordToken(1, 1, "xy")])]
        system = [Sentence(forms=["x", "y"], heads=[0, 1], multiword_tokens=[MultiwordToken(1, 2, "xy")])]
        assert plait.evaluate(gold, system).exact_unlabeled == 0

    def test_nonprojective_arcs(self) -> None:
        # Word 2 lies between 3 and 1 and hangs from 4, so the arc 3→1 is non-projective; 4→2 is not.
        gold = [sentence("a b c d", [3, 4, 4, 0], "x y z root")]
        system = [sentence("a b c d", [3, 4, 4, 0], "X y z root")]
        scores = plait.evaluate(gold, system)
        assert (scores.nonprojective.gold, scores.nonprojective.system) == (1, 1)
        assert (scores.nonprojective.f1, scores.nonprojective_unlabeled.f1) == (0, 100)
        assert plait.evaluate(gold, gold).nonprojective.f1 == 100

    def test_an_arc_may_be_nonprojective_on_one_side_only(self) -> None:
        # 2→4 is right; it is non-projective only in the system's tree, where 3 hangs from 1.
        gold = [sentence("a b c d", [0, 1, 2, 2], "r x y z")]
        system = [sentence("a b c d", [0, 1, 1, 2], "r x y z")]
        scores = plait.evaluate(gold, system)
        assert (scores.nonprojective.precision, scores.nonprojective.recall) == (100, 0)
        assert scores.nonprojective.f1 == 0
        assert scores.nonprojective_in_both.precision == 0

    def test_without_punctuation(self) -> None:
        scores = plait.evaluate([GOLD], [changed(heads=[2, 0, 2, 5, 2, 5])])
        assert scores.las == pytest.approx(100 * 5 / 6)
        assert scores.without_punctuation().las == 100
        assert scores.without_punctuation().exact_labeled == 100
        assert scores.without_punctuation().metrics["words"].gold == 5

    def test_the_gold_tag_decides_what_is_punctuation(self) -> None:
        system = changed(upos="PRON VERB PUNCT DET NOUN NOUN".split())  # noqa: SIM905
        upos = plait.evaluate([GOLD], [system]).without_punctuation().metrics["upos"]
        assert (upos.correct, upos.gold, upos.system) == (4, 5, 5)

    def test_by_label(self) -> None:
        gold = [sentence("a b c d", [0, 1, 1, 1], "root obj obj nmod:poss")]
        system = [sentence("a b c d", [0, 1, 1, 1], "root obj obl nmod")]
        table = plait.evaluate(gold, system).by_label()
        assert list(table) == ["obj", "nmod", "root", "obl"]
        assert (table["obj"].precision, table["obj"].recall) == (100, 50)
        assert table["nmod"].f1 == 100
        full = plait.evaluate(gold, system).with_full_labels()
        assert full.by_label()["nmod:poss"].recall == 0
        assert full.las == full.las_full == 50

    def test_by_arc_length(self) -> None:
        gold = [sentence("a b c d", [0, 1, 1, 3], "root x x x")]
        system = [sentence("a b c d", [0, 1, 1, 1], "root x x x")]
        table = plait.evaluate(gold, system).by_arc_length()
        assert (table["root"].recall, table["1"].recall, table["1"].precision) == (100, 50, 100)
        assert (table["3-6"].gold, table["3-6"].system, table["3-6"].precision) == (0, 1, 0)

    def test_by_sentence_length(self) -> None:
        long = sentence(" ".join("abcdefghijkl"), [0, *range(1, 12)], "root" + " x" * 11)
        table = plait.evaluate([GOLD, long], [GOLD, long]).by_sentence_length()
        assert {name: row.words for name, row in table.items()} == {"1-10": 6, "11-20": 12}
        assert table["11-20"].las == table["11-20"].exact == 100


class TestErrors:
    def test_no_head(self) -> None:
        with pytest.raises(InputError, match=r"^system: sentence 1: word 2 has no head"):
            plait.evaluate([GOLD], [changed(heads=[2, None, 2, 5, 2, 2])])

    def test_cycle(self) -> None:
        bad = changed(heads=[2, 1, 2, 5, 2, 2])
        bad.comments = ["# sent_id = s7"]
        with pytest.raises(
            InputError, match=r"^out\.conllu \(sent_id s7\): the heads form a cycle: 1 → 2 → 1"
        ):
            plait.evaluate([GOLD], Treebank([bad], path="out.conllu"))

    @pytest.mark.parametrize("head", [7, -1, 10**12])
    def test_head_outside(self, head: int) -> None:
        with pytest.raises(
            InputError, match=f"gold: sentence 1: word 1 has head {head} but the sentence has 6 words"
        ):
            plait.evaluate([changed(heads=[head, 0, 2, 5, 2, 2])], [GOLD])

    def test_different_text(self) -> None:
        system = [changed(forms="She gave her the book .".split())]  # noqa: SIM905
        with pytest.raises(InputError) as raised:
            plait.evaluate([GOLD], system)
        assert str(raised.value) == (
            "The two files hold different text (spaces aside), so their words cannot be aligned. "
            "gold: sentence 1: has 'Shegavehimthebook.'. system: sentence 1: has 'Shegaveherthebook.'."
        )

    def test_one_text_ends_early(self) -> None:
        with pytest.raises(InputError, match=r"system: ends after 'Shegavehimthebook\.'"):
            plait.evaluate([GOLD, GOLD], [GOLD])

    def test_unicode_normalization_is_named(self) -> None:
        gold, system = (
            [Sentence(forms=[unicodedata.normalize(form, "é")], heads=[0])] for form in ("NFC", "NFD")
        )
        with pytest.raises(InputError, match="Unicode normalization"):
            plait.evaluate(gold, system)

    def test_a_form_of_spaces(self) -> None:
        blank = [Sentence(forms=["a", " "], heads=[0, 1])]
        with pytest.raises(InputError, match="the token of word 2 has no form"):
            plait.evaluate(blank, blank)


class TestCommand:
    @pytest.fixture
    def files(self, tmp_path: Path) -> list[str]:
        paths = [tmp_path / "gold.conllu", tmp_path / "system.conllu"]
        plait.write([GOLD], paths[0])
        plait.write([changed(heads=[2, 0, 2, 5, 2, 5])], paths[1])
        return [str(path) for path in paths]

    def test_json(self, files: list[str]) -> None:
        options = ["--json", "--no-punct", "--full-deprel", "--by", "label", "--by", "arc", "--by", "length"]
        result = CliRunner().invoke(command, ["evaluate", *files, *options])
        assert result.exit_code == 0
        numbers = json.loads(result.output)
        assert numbers["las"] == 83.33
        assert numbers["no_punct"]["las"] == 100
        assert numbers["full_deprel"]["las"] == 83.33
        assert numbers["nonprojective"]["f1"] == 0
        assert numbers["metrics"]["las"]["correct"] == 5
        assert numbers["by_label"]["obj"]["recall"] == 100
        assert numbers["by_arc_length"]["root"]["gold"] == 1
        assert numbers["by_sentence_length"]["1-10"]["words"] == 5
        issue_keys = ("uas", "clas", "mlas", "blex", "words", "sentences", "upos", "xpos", "ufeats", "lemmas")
        assert all(isinstance(numbers[key], float) for key in (*issue_keys, "las_full", "exact_labeled"))

    def test_tables_name_their_convention(self, files: list[str]) -> None:
        options = ["--no-punct", "--full-deprel", "--by", "label", "--by", "arc", "--by", "length"]
        output = CliRunner().invoke(command, ["evaluate", *files, *options]).output
        assert (
            "CoNLL-18: words aligned by characters, labels without subtypes, punctuation counted." in output
        )
        assert "As in papers: whole labels, punctuation counted." in output
        assert output.count("whole labels, words with gold UPOS PUNCT not counted") == 3
