"""The view of predicates and roles in a real browser: by mouse, by keyboard, on a phone, in the dark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from plait import Pipeline
from plait.components.roles import RoleLabeler
from serving import TEXT, serving, toy_pipeline
from toy import framed, written

CROSSING = "The dog saw a cat today that slept."


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    pytest.importorskip("starlette")
    toy = toy_pipeline()
    labeler = RoleLabeler(bits=14, small_bits=12, epochs=4, folds=2, fold_epochs=2).fit(framed(written(120)))
    with serving({"toy": Pipeline({**toy.components, "roles": labeler}, toy.model), "plain": toy}) as url:
        yield url


def opened(page: Any, address: str, text: str, model: str = "toy") -> None:
    page.goto(f"{address}/#meaning?text={quote(text)}&model={model}")
    page.wait_for_selector(".card")


def test_type_and_see_who_did_what(page: Any, address: str) -> None:
    page.goto(address)
    page.click("#tab-meaning")
    page.fill("#meaning-text", TEXT)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".card .frame")
    first = page.locator(".card").first.locator(".frame").first
    assert first.locator("h3").text_content().startswith("see.")
    assert first.locator(".segment .role").all_text_contents() == ["A0", "A1", "AM-TMP"]
    assert first.locator(".segment .words").all_text_contents() == ["The dog", "saw", "a cat", "today"]


def test_a_discontinuous_argument_is_drawn_in_pieces(page: Any, address: str) -> None:
    opened(page, address, CROSSING)
    frame = page.locator(".frame").first
    pieces = frame.locator(".segment.role-0")
    assert pieces.locator(".words").all_text_contents() == ["The dog", "that slept"]
    assert pieces.locator(".role").all_text_contents() == ["A0", "…A0"]


def test_a_click_lights_the_path_and_another_one_puts_it_out(page: Any, address: str) -> None:
    opened(page, address, CROSSING)
    button = page.locator(".frame").first.locator(".segment.role-0").first
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    lit = page.locator(".word.lit .form")
    assert sorted(lit.all_text_contents()) == ["dog", "saw"]
    button.focus()
    page.keyboard.press("Enter")
    assert button.get_attribute("aria-pressed") == "false"
    assert lit.count() == 0
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert page.locator(".word.lit").count() > 0


def test_the_graph_of_meaning_is_shown(page: Any, address: str) -> None:
    page.emulate_media(color_scheme="dark")
    opened(page, address, CROSSING)
    assert page.locator(".layer figcaption").all_text_contents() == ["Graph of meaning"]
    labels = page.locator(".layer .node text").all_text_contents()
    assert {"dog", "see.02", "cat", "TIME"} <= set(labels)
    colour = "getComputedStyle(document.querySelector('.layer .node rect.role-0')).fill"
    assert page.evaluate(colour) == "rgb(30, 64, 175)"


def test_a_model_without_roles_says_so(page: Any, address: str) -> None:
    opened(page, address, TEXT, model="plain")
    assert "No predicates were found" in page.locator("#view-meaning .hint").last.text_content()


def test_on_a_phone_and_in_the_dark(page: Any, address: str) -> None:
    page.set_viewport_size({"width": 360, "height": 700})
    page.emulate_media(color_scheme="dark")
    opened(page, address, TEXT)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    colour = "getComputedStyle(document.querySelector('.segment.role-0')).backgroundColor"
    assert page.evaluate(colour) == "rgb(30, 64, 175)"


def test_words_are_never_mark_up(page: Any, address: str) -> None:
    opened(page, address, "The <b>dog</b> saw <img src=x onerror=window.hacked=1> today.")
    assert page.evaluate("window.hacked") is None
    assert page.locator(".card b").count() == 0
