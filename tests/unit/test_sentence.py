"""Sentences, words, tokens, and what they say about themselves."""

import pytest

from plait import EmptyNode, MultiwordToken, NotATreeError, Sentence, Treebank
from plait.sentence import format_pairs, parse_pairs


@pytest.fixture
def sentence() -> Sentence:
    return Sentence(
        forms=["Vou", "a", "o", "mar", "."],
        upos=["VERB", "ADP", "DET", "NOUN", "PUNCT"],
        heads=[0, 4, 4, 1, 1],
        deprels=["root", "case", "det", "obl", "punct"],
        misc=["_", "_", "_", "SpaceAfter=No", "_"],
        comments=["# newpar", "# sent_id = pt-1", "# sent_id = again", "#weird"],
        multiword_tokens=[MultiwordToken(2, 3, "ao")],
        empty_nodes=[EmptyNode(1, 1, "eu")],
    )


def test_words_count_from_one_and_are_views(sentence: Sentence) -> None:
    assert len(sentence) == 5
    assert [word.id for word in sentence] == [1, 2, 3, 4, 5]
    word = sentence[4]
    assert (word.form, word.upos, word.head, word.deprel) == ("mar", "NOUN", 1, "obl")
    word.head, word.feats = 3, "Gender=Masc|Number=Sing"
    assert sentence.heads[3] == 3
    assert word.features == {"Gender": "Masc", "Number": "Sing"}
    assert word == sentence.words[3]
    with pytest.raises(IndexError, match="no word 0: the words are numbered 1 to 5"):
        sentence[0]


def test_tokens_are_what_the_text_shows(sentence: Sentence) -> None:
    assert [token.form for token in sentence.tokens] == ["Vou", "ao", "mar", "."]
    assert sentence.text == "Vou ao mar."
    assert [token.id for token in sentence.multiword_tokens] == ["2-3"]
    assert [node.id for node in sentence.empty_nodes] == ["1.1"]


def test_comments_are_found_by_key(sentence: Sentence) -> None:
    assert sentence.sent_id == "pt-1"
    assert sentence.comment("newpar") == ""
    assert sentence.comment("text") is None
    sentence.comments.append("# text = Vou  ao mar.")
    assert sentence.text == "Vou  ao mar."


def test_a_copy_is_independent(sentence: Sentence) -> None:
    twin = sentence.copy()
    assert twin == sentence
    twin.heads[0], twin.multiword_tokens[0].form = 2, "AO"
    assert sentence.heads[0] == 0
    assert sentence.multiword_tokens[0].form == "ao"


def test_columns_must_fit_the_words() -> None:
    with pytest.raises(ValueError, match="lemmas has 1 entries but the sentence has 2 words"):
        Sentence(forms=["a", "b"], lemmas=["a"])
    with pytest.raises(ValueError, match="heads has 3 entries but the sentence has 2 words"):
        Sentence(forms=["a", "b"], heads=[0, 1, 1])


def test_a_tree_needs_every_head() -> None:
    with pytest.raises(NotATreeError, match="word 2 has no head"):
        Sentence(forms=["a", "b"], heads=[0, None]).tree()


def test_pairs_keep_what_has_no_value() -> None:
    for text in ("_", "A=1", "A=1|B", "A=b=c|SpaceAfter=No"):
        assert format_pairs(parse_pairs(text)) == text


def test_a_treebank_is_a_list_with_a_name(sentence: Sentence) -> None:
    treebank = Treebank([sentence, sentence], path="pt.conllu")
    assert len(treebank) == 2
    assert treebank[0] is sentence
    assert len(treebank[1:]) == 1
    assert repr(treebank) == "<Treebank pt.conllu: 2 sentences, 10 words>"
