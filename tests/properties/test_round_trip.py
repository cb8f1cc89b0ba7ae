"""write(read(x)) == x, byte for byte, whatever a valid file holds."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import plait
from memory import parse, render
from plait.formats.losses import losses
from strategies import sentences


@given(st.lists(sentences(), min_size=1, max_size=4), st.integers(1, 80))
def test_conllu_comes_back_however_it_is_cut_into_pieces(treebank: list[plait.Sentence], piece: int) -> None:
    data = render(treebank)
    again = parse(data, piece)
    assert again == treebank
    assert render(again) == data


@given(st.lists(sentences(), min_size=1, max_size=3), st.sampled_from(["", "\n", "\n\n", "\n\n\n"]))
def test_the_end_of_the_file_comes_back(treebank: list[plait.Sentence], ending: str) -> None:
    treebank[-1].newline = "\n"
    treebank[-1].ending = ending
    data = render(treebank)
    assert render(parse(data)) == data


@given(st.lists(sentences(), min_size=1, max_size=3), st.sampled_from(["\n", "\r\n\r\n"]))
def test_blank_lines_before_the_first_sentence_come_back(
    treebank: list[plait.Sentence], leading: str
) -> None:
    treebank[0].leading = leading
    data = render(treebank)
    assert render(parse(data)) == data


@given(sentences())
def test_json_lines_keep_everything_but_the_layout(sentence: plait.Sentence) -> None:
    (again,) = parse(render([sentence], "jsonl"), format="jsonl")
    again.newline, again.ending = sentence.newline, sentence.ending
    assert again == sentence


@given(sentences())
def test_the_formats_without_comments_keep_their_columns(sentence: plait.Sentence) -> None:
    for format in ("conllx", "conll09"):
        data = render([sentence], format)
        (again,) = parse(data, format=format)
        assert again.forms == sentence.forms
        assert again.heads == sentence.heads
        assert again.deprels == sentence.deprels
        assert render([again], format) == data


def test_files_come_back_compressed_or_not(tmp_path: Path) -> None:
    data = "# text = ä\n1\tä\t_\t_\t_\t_\t0\troot\t_\t_\n\n".encode()
    plain = tmp_path / "a.conllu"
    plain.write_bytes(data)
    for name in ("b.conllu.gz", "b.conllu.xz", "b.conllu"):
        plait.write(plait.read(plain), tmp_path / name)
        plait.write(plait.read(tmp_path / name), tmp_path / "again.conllu")
        assert (tmp_path / "again.conllu").read_bytes() == data


@given(
    st.lists(sentences(), min_size=1, max_size=4),
    st.sampled_from(["horizontal", "vertical"]),
    st.integers(1, 80),
)
def test_words_alone_come_back_but_for_white_space_that_is_named(
    treebank: list[plait.Sentence], format: str, piece: int
) -> None:
    data = render(treebank, format)
    again = parse(data, piece, format)
    assert len(again) == len(treebank)
    for before, after in zip(treebank, again, strict=True):
        assert len(after) == len(before)
        changed = sum(a != b for a, b in zip(after.forms, before.forms, strict=True))
        assert changed == losses(before, format)["white space in words"]
    assert render(again, format) == data
