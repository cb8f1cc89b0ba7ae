"""Aspects on the page, in a real browser: terms in colour, categories below, in the light and in the dark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from plait import Pipeline
from plait.components.aspects import AspectFinder
from serving import serving, toy_pipeline
from toy import written
from toy_aspects import with_aspects

TEXT = "The dog likes a bird today. The bird heard the fish that slept."


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    pytest.importorskip("starlette")
    toy = toy_pipeline()
    finder = AspectFinder().fit(with_aspects(written(120)))
    with serving({"toy": Pipeline({**toy.components, "aspects": finder}, toy.model), "plain": toy}) as url:
        yield url


def opened(page: Any, address: str, text: str, model: str = "toy") -> None:
    page.goto(f"{address}/#parse?text={quote(text)}&model={model}")
    page.wait_for_selector(".card")


def test_terms_stand_out_in_the_colour_of_what_is_thought_of_them(page: Any, address: str) -> None:
    opened(page, address, TEXT)
    cards = page.locator(".card .opinions")
    assert [" ".join(p.split()) for p in cards.locator("p").all_inner_texts()] == [
        "The dog likes a bird+ (positive) today.",
        "The bird heard the fish− (negative) that slept.",
    ]
    assert cards.locator("li .opinion").all_text_contents() == ["air+ (positive)", "ground− (negative)"]
    colours = [
        page.evaluate(f"getComputedStyle(document.querySelector('mark.{polarity}')).backgroundColor")
        for polarity in ("positive", "negative")
    ]
    assert colours == ["rgb(187, 247, 208)", "rgb(254, 205, 211)"]
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate("getComputedStyle(document.querySelector('mark.positive')).backgroundColor")
    assert dark == "rgb(22, 101, 52)"


def test_a_model_that_does_not_look_for_aspects_shows_none(page: Any, address: str) -> None:
    opened(page, address, TEXT, model="plain")
    assert page.locator(".opinions").count() == 0
    assert page.locator(".card svg").count() == 2


def test_words_of_a_review_never_become_mark_up(page: Any, address: str) -> None:
    opened(page, address, "The dog likes a <b>bird</b>.")
    assert page.locator(".opinions b").count() == 0
