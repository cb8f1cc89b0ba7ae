"""What notebooks show, in a real one: documents, treebanks, scores, pipelines; and that no text can break out of it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plait
from plait import Document, Pipeline, Sentence, Treebank
from plait.layers import Argument, Frame, Frames
from serving import toy_pipeline
from strategies import sentences
from toy import toy

HOSTILE = "<script>alert(1)</script><img src=x onerror='alert(1)'>\"&\x00\x1b"
VOID = {"br", "rect", "path", "line", "circle"}


class Elements(HTMLParser):
    """The elements of a page, all of which must be closed in order, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def require_harmless(html: str) -> Elements:
    found = Elements(html)
    assert not found.names & {"script", "img", "iframe", "object", "a"}
    assert not any(name.startswith("on") for name in found.attributes)
    return found


def hostile_sentence(size: int = 2) -> Sentence:
    cells = [HOSTILE.replace("\x00", "")] * size
    return Sentence(
        forms=cells,
        lemmas=cells,
        upos=cells,
        xpos=cells,
        feats=cells,
        heads=[0, *[1] * (size - 1)],
        deprels=cells,
        misc=["_"] * size,
        comments=[f"# sent_id = {HOSTILE}", f"# text = {HOSTILE}"],
        layers={Frames: Frames((Frame(1, HOSTILE, (Argument(2, HOSTILE, HOSTILE),), HOSTILE),))},
    )


def run(cells: list[str], tmp_path: Path) -> list[list[Any]]:
    """The outputs of the cells of a notebook, run by Jupyter."""
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    )
    client.execute()
    return [cell["outputs"] for cell in notebook.cells]


# Jupyter's own libraries warn of what they will change.
@pytest.mark.filterwarnings("ignore")
def test_a_notebook_shows_everything(tmp_path: Path) -> None:
    plait.write(toy(12), tmp_path / "toy.conllu")
    cells = [
        "import plait, sys\nnlp = plait.load('en')\nnlp",
        "doc = nlp('Who did you send the letter to?\\n\\n<b>Bold</b> move.')\ndoc",
        "doc[0]",
        "doc[0].draw()",
        "treebank = plait.read('toy.conllu')\ntreebank",
        "plait.evaluate('toy.conllu', treebank)",
        "plait.write(treebank[:1], sys.stdout)",
        "doc.to_pandas().head(2)",
        "doc[0].words[0:2], doc[0].root",
    ]
    outputs = run(cells, tmp_path)
    shown = [each[-1].get("data", {}) for each in outputs]
    pipeline, document, sentence, picture, treebank, scores = shown[:6]
    for data in (pipeline, document, treebank, scores):
        require_harmless(data["text/html"])
        assert data["text/plain"]
    assert "neural" in Elements(pipeline["text/html"]).text
    page = Elements(document["text/html"])
    assert page.names >= {"details", "summary", "svg", "bdi"}
    assert "b" not in page.names
    assert "2 sentences" in page.text
    assert "send.01" in page.text
    assert re.search(r"background:#[0-9a-f]{8}", document["text/html"])
    assert sentence["image/svg+xml"].startswith("<svg")
    assert picture["image/svg+xml"].startswith("<svg")
    assert "toy-1" in Elements(treebank["text/html"]).text
    assert "… and 2 more sentences" in treebank["text/html"]
    assert "LAS" in Elements(scores["text/html"]).text
    assert "100.00" in scores["text/html"]
    assert outputs[6][0]["text"] == toy(1).to_conllu()
    assert "<table" in shown[7]["text/html"]
    assert "Span of words 1 to 2" in shown[8]["text/plain"]


def test_hostile_text_stays_text() -> None:
    document = Document([hostile_sentence()])
    document.labels[HOSTILE] = HOSTILE
    require_harmless(document._repr_html_())
    treebank = Treebank([hostile_sentence()], path=HOSTILE)
    require_harmless(treebank._repr_html_())
    made = toy_pipeline()
    pipeline = Pipeline(
        made.components, made.model.updated({"name": HOSTILE.replace("\x00", "").replace("\x1b", "")})
    )
    pipeline.scores_ = {HOSTILE: {HOSTILE: 1.0}}
    require_harmless(pipeline._repr_html_())


@given(st.lists(sentences(), max_size=3))
def test_any_sentences_are_shown(some: list[Sentence]) -> None:
    for sentence in some:
        sentence.comments = []
    require_harmless(Treebank(some)._repr_html_())
    require_harmless(Document(some)._repr_html_())


def test_much_is_cut_short() -> None:
    long = Document([Sentence(forms=["a"] * 500, heads=[0, *[1] * 499])])
    assert "svg" not in require_harmless(long._repr_html_()).names
    many = Document([Sentence(forms=["a", "b"], heads=[0, 1]) for _ in range(100)])
    html = many._repr_html_()
    assert html.count("<svg") == 5
    assert "… and 80 more sentences" in html
    assert len(html) < 100_000
    assert require_harmless(Document(text="")._repr_html_()).text == "0 sentences, 0 words"
    assert require_harmless(Treebank()._repr_html_()).text == "0 sentences, 0 words"


def test_a_score_has_a_row_for_each_metric() -> None:
    gold = toy(5)
    html = plait.evaluate(gold, gold)._repr_html_()
    assert html.count("<tr>") == 1 + 13 + 1
    assert "punctuation counted" in html
    assert "roles" not in html
    assert require_harmless(toy_pipeline()._repr_html_()).text
