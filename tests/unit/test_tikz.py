"""Trees for LaTeX: arcs and words are all there, no text becomes a command, and LaTeX, where it is, takes them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawings import ARABIC, HEARING, PORTUGUESE, WHO, WHO_BY_A_SYSTEM
from plait import MultiwordToken, Sentence, write
from plait.drawing.picture import Drawing, drawing_of
from plait.drawing.tikz import draw_tikz, escape
from plait.errors import InputError
from plait.layers import DeepNode, DeepTree

EDGE = re.compile(r"\\depedge(\[.*?\])?\{(\d+)\}\{(\d+)\}\{(.*)\}")
ROOT = re.compile(r"\\deproot(\[.*?\])?\{(\d+)\}\{(.*)\}")
HOSTILE = r"\input{/etc/passwd} $x^2_3$ & % # ~ [a] |b| *c* \\ -- `` '' << >> {} \end{document}"


def rows(document: str) -> list[list[str]]:
    inside = document.split("\\begin{deptext}[column sep=.8em, row sep=.3ex]\n")[1].split("\\end{deptext}")[0]
    return [line.strip().removesuffix(" \\\\").split(" \\& ") for line in inside.splitlines()]


def test_words_tags_and_arcs_are_all_there() -> None:
    document = draw_tikz(WHO)
    assert rows(document) == [WHO.forms, WHO.upos]
    assert [match[1:] for match in ROOT.findall(document)] == [("2", "root")]
    found = {(int(word), int(head), label) for _, head, word, label in EDGE.findall(document)}
    wanted = zip(range(1, 9), WHO.heads, WHO.deprels, strict=True)
    assert found == {each for each in wanted if each[1]}


def test_arcs_that_are_not_projective_stand_out() -> None:
    document = draw_tikz(HEARING)
    marked = {
        int(word) for options, _, word, _ in EDGE.findall(document) if "plait-crossing, dashed" in options
    }
    assert marked == {5, 8}
    assert "\\definecolor{plait-crossing}{HTML}{C2410C}" in document
    assert "plait-crossing" not in draw_tikz(Sentence(forms=["a"], heads=[0], deprels=["root"]))


def test_a_comparison_has_the_other_arcs_below() -> None:
    document = draw_tikz(WHO, against=WHO_BY_A_SYSTEM)
    below = [match for match in EDGE.findall(document) if "edge below" in match[0]]
    assert len(below) == 7
    assert len(EDGE.findall(document)) == 14
    wrong = {(int(head), int(word)) for options, head, word, _ in below if "plait-wrong" in options}
    assert wrong == {(4, 1), (4, 8)}
    with pytest.raises(InputError, match="different words"):
        draw_tikz(WHO, against=HEARING)


def test_words_that_run_from_right_to_left_do_so_there() -> None:
    document = draw_tikz(ARABIC)
    assert rows(document)[0] == [escape(form) for form in reversed(ARABIC.forms)]
    assert [match[1:] for match in ROOT.findall(document)] == [("7", "root")]


def test_multiword_tokens_are_named_below() -> None:
    sentence = PORTUGUESE.copy()
    sentence.multiword_tokens = [MultiwordToken(3, 4, "do")]
    assert "\\wordgroup{1}{3}{4}{token1}" in draw_tikz(sentence)


def test_words_without_heads_and_labels() -> None:
    document = draw_tikz(Sentence(forms=["a", "b", "c"], heads=[None, 1, 0]))
    assert EDGE.findall(document) == [("[edge height=3ex, hide label]", "1", "2", "")]
    assert ROOT.findall(document) == [("[edge unit distance=2ex, hide label]", "3", "")]
    assert rows(document) == [["a", "b", "c"]]


PIECE = re.compile(
    r"\\(?:textbackslash|textasciicircum|textasciitilde|textless|textgreater|textbar|textquotedbl|textasciigrave"
    r"|textquotesingle|dots)\{\}|\\symbol\{38\}|\\[{}$#%_]|\{[\[\]*-]\}|~"
)


@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
    | st.text("a\\&%{}$#_^~[]|*-<>`'\"\n", max_size=30)
)
def test_no_text_is_more_than_words(text: str) -> None:
    assert not re.search(r"[\\{}$&#^_%\[\]|*\n\r]", PIECE.sub("", escape(text)))


@given(st.lists(st.text("ab \\&%{}$#_^~[]|*-'\"", min_size=1, max_size=6), min_size=1, max_size=5))
def test_there_are_as_many_cells_as_words(forms: list[str]) -> None:
    sentence = Sentence(forms=forms, heads=[0, *[1] * (len(forms) - 1)], deprels=forms)
    assert [len(row) for row in rows(draw_tikz(sentence))] == [len(forms)]


def test_it_is_saved_and_drawn_at_the_command_line(plait_command: Callable[..., Any], tmp_path: Path) -> None:
    write([WHO.copy()], tmp_path / "who.conllu", format="conllu")
    result = plait_command("draw", "who.conllu", "-o", "who.tex")
    assert (result.status, result.out) == (0, "who.tex: 8 words, 1 non-projective arc\n")
    assert (tmp_path / "who.tex").read_text(encoding="utf-8") == Drawing(WHO).tikz
    result = plait_command("draw", "who.conllu", "--against", "who.conllu", "-o", "both.tex")
    assert result.status == 0
    assert "edge below" in (tmp_path / "both.tex").read_text(encoding="utf-8")


def test_other_pictures_say_that_they_cannot(tmp_path: Path) -> None:
    sentence = Sentence(forms=["a"])
    sentence.put(DeepTree((DeepNode(1, (1,), "a", "N", "_", 0, "ROOT"),)))
    with pytest.raises(InputError, match="no such picture for LaTeX"):
        drawing_of(sentence, DeepTree).save(tmp_path / "deep.tex")
    assert not (tmp_path / "deep.tex").exists()


def has_package() -> bool:
    if shutil.which("pdflatex") is None or shutil.which("kpsewhich") is None:
        return False
    found = subprocess.run(["kpsewhich", "tikz-dependency.sty"], capture_output=True, check=False)
    return found.returncode == 0


@pytest.mark.skipif(not has_package(), reason="there is no LaTeX with tikz-dependency on this machine")
def test_latex_draws_it(tmp_path: Path) -> None:
    tokens = PORTUGUESE.copy()
    tokens.multiword_tokens = [MultiwordToken(3, 4, "do"), MultiwordToken(6, 7, "da_&")]
    forms = HOSTILE.split()
    hostile = Sentence(
        forms=[HOSTILE, *forms],
        heads=[0, *[1] * len(forms)],
        deprels=["root", *forms],
        upos=[*forms, HOSTILE],
    )
    documents = {
        "hearing": draw_tikz(HEARING),
        "both": draw_tikz(WHO, against=WHO_BY_A_SYSTEM),
        "tokens": draw_tikz(tokens),
        "hostile": draw_tikz(hostile),
    }
    for name, document in documents.items():
        (tmp_path / f"{name}.tex").write_text(document, encoding="utf-8")
        done = subprocess.run(
            ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", f"{name}.tex"],
            cwd=tmp_path,
            capture_output=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
        assert (tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF")
