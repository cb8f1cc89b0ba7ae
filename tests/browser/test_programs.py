"""What leaves the page: pictures as files, questions for programs, examples, a file that is compared."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from plait import read
from plait.drawing.tikz import draw_tikz
from plait.formats import FORMATS
from plait.server.examples import EXAMPLES
from serving import TEXT, serving, toy_pipeline

QUOTES = "The dog's \"cat\" saw $HOME `id` \\n 'today'."
EVIL = '<img src=x onerror="window.hacked=1">'


def open_page(page: Any, text: str = TEXT) -> None:
    page.goto(f"/#parse?text={quote(text)}")
    page.wait_for_selector(".card .word")


def snippets(page: Any) -> tuple[str, str]:
    if page.locator("#snippet[open]").count() == 0:
        page.click("#snippet summary")
    curl, python = page.locator("#snippet pre").all_text_contents()
    return curl, python


def run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def upload(page: Any, content: str, name: str = "gold.conllu") -> None:
    page.locator("[name=gold]").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": content.encode()}
    )


@pytest.mark.parametrize("text", [TEXT, QUOTES, "Schöne Grüße, 世界 😀 today."])
def test_the_commands_that_are_shown_give_what_is_shown(page: Any, tmp_path: Path, text: str) -> None:
    open_page(page, text)
    curl, python = snippets(page)
    assert '"model": "toy-written-1.0"' in python
    expected = toy_pipeline()(text).conllu
    (tmp_path / "ask.py").write_text(python, encoding="utf-8")
    assert run([sys.executable, "-X", "utf8", "ask.py"], tmp_path) == expected
    if shutil.which("curl"):
        answer = json.loads(run(["bash", "-c", f"{curl} --silent --fail-with-body"], tmp_path))
        assert "".join(each["conllu"] for each in answer["sentences"]) == expected


def test_a_long_question_is_a_file(page: Any, tmp_path: Path) -> None:
    open_page(page, TEXT)
    text = " ".join([TEXT] * 100)
    page.fill("#parse-text", text)
    page.click("#view-parse button.main")
    page.wait_for_selector("text=200 sentences")
    curl, python = snippets(page)
    assert len(curl) + len(python) < 1000
    with page.expect_download() as found:
        page.click("text=Download question.json")
    found.value.save_as(tmp_path / "question.json")
    (tmp_path / "ask.py").write_text(python, encoding="utf-8")
    assert run([sys.executable, "-X", "utf8", "ask.py"], tmp_path) == toy_pipeline()(text).conllu
    if shutil.which("curl"):
        assert '"sentences"' in run(["bash", "-c", f"{curl} --silent --fail-with-body"], tmp_path)


@pytest.mark.parametrize(
    ("address", "sign"),
    [
        ("derivation?source=parser&text=The+dog+slept.", ".player .derivation"),
        ("derivation?source=oracle", ".player .derivation"),
        ("lattice", ".lattice img"),
        ("meaning?text=The+dog+slept.", "#view-meaning .card"),
    ],
)
def test_every_view_has_commands_that_work(page: Any, tmp_path: Path, address: str, sign: str) -> None:
    page.goto(f"/#{address}")
    page.wait_for_selector(sign)
    curl, python = snippets(page)
    (tmp_path / "ask.py").write_text(python, encoding="utf-8")
    assert run([sys.executable, "-X", "utf8", "ask.py"], tmp_path).strip()
    if shutil.which("curl"):
        assert run(["bash", "-c", f"{curl} --silent --fail-with-body"], tmp_path).startswith("{")


def test_pictures_as_files(page: Any) -> None:
    open_page(page)
    card = page.locator(".card").first
    with page.expect_download() as found:
        card.locator("button:text-is('PNG')").click()
    data = Path(found.value.path()).read_bytes()
    assert found.value.suggested_filename == "sentence-1.png"
    assert data.startswith(b"\x89PNG")
    width = int.from_bytes(data[16:20], "big")
    assert width == 2 * card.locator("svg").first.evaluate("svg => svg.width.baseVal.value")
    with page.expect_download() as found:
        card.locator("button:text-is('TikZ')").click()
    assert found.value.suggested_filename == "sentence-1.tex"
    assert Path(found.value.path()).read_text(encoding="utf-8") == draw_tikz(toy_pipeline()(TEXT)[0])


def test_the_menu_of_examples(browser: Any) -> None:
    with serving({"en-toy": toy_pipeline(), "other": toy_pipeline()}) as url:
        page = browser.new_page(base_url=url)
        page.goto("/")
        page.wait_for_selector(".card")
        options = page.locator("[name=example] option")
        assert options.evaluate_all("each => each.map((option) => option.value)") == ["", *EXAMPLES]
        page.select_option("[name=example]", "It is too cold to swim.")
        page.wait_for_selector(".card[aria-label='It is too cold to swim.']")
        assert page.input_value("#parse-text") == "It is too cold to swim."
        assert "cold" in page.url
        page.select_option("#view-parse [name=model]", "other")
        assert not page.locator("[name=example]").is_visible(), "examples are English"
        page.close()


def test_the_legend_tells_what_is_dashed(page: Any) -> None:
    open_page(page)
    page.click("#view-parse .legend summary")
    told = page.locator("#view-parse .legend").text_content()
    assert "non-projective" in told
    assert (
        page.locator(".legend .arc.crossing").evaluate("arc => getComputedStyle(arc).stroke")
        == "rgb(194, 65, 12)"
    )
    colours = page.locator(".card .word").evaluate_all(
        "each => each.map((word) => getComputedStyle(word.querySelectorAll(':scope > g text')[1]).fill)"
    )
    assert len(set(colours)) > 3


def test_a_file_of_gold_trees_is_compared(page: Any) -> None:
    parsed = toy_pipeline()(TEXT)
    gold = [each.copy() for each in parsed]
    gold[0][1].head, gold[0][4].deprel = 3, "mine"
    open_page(page)
    upload(page, "".join(map(FORMATS["conllu"].render, gold)))
    page.wait_for_selector(".compared")
    summary = page.locator("#view-parse .summary").text_content()
    words = sum(map(len, parsed))
    assert f"UAS {100 * (words - 1) / words:.1f}, LAS {100 * (words - 2) / words:.1f}" in summary
    assert page.locator(".compared").count() == 1, "the sentence with errors"
    assert page.locator(".compared .arc.wrong").count() > 0
    assert page.locator(".compared .arc.relabelled").count() > 0
    page.uncheck("#view-parse .summary input")
    assert page.locator(".compared").count() == 2
    with page.expect_download() as found:
        page.click("text=Download the parse")
    assert [each.heads for each in read(Path(found.value.path()), format="conllu")] == [
        each.heads for each in parsed
    ]
    with page.expect_download() as found:
        page.locator(".compared").first.locator("button:text-is('TikZ')").click()
    assert Path(found.value.path()).read_text(encoding="utf-8") == draw_tikz(gold[0], against=parsed[0])
    _, python = snippets(page)
    assert "api/compare" in python


def test_files_that_cannot_be_compared_are_told_and_nothing_in_them_is_mark_up(page: Any) -> None:
    open_page(page)
    upload(page, "1\tbroken\n\n", name=f"{EVIL.replace('/', '')}.conllu")
    page.wait_for_selector("#view-parse .problem")
    assert "data:1" in page.locator("#view-parse .problem").text_content()
    upload(page, "x" * (2 << 20) + "x")
    page.wait_for_selector("#view-parse .problem:has-text('larger than 2 MiB')")
    rows = "".join(f"{i}\t{EVIL}\t{EVIL}\t{EVIL}\t_\t_\t{i - 1}\t{EVIL}\t_\t_\n" for i in range(1, 5))
    upload(page, rows + "\n", name=f"{EVIL}.conllu")
    page.wait_for_selector(".compared")
    assert page.locator(".summary strong").text_content().startswith("toy-written-1.0 on <img")
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img[src=x]").count() == 0
