"""The way back in a real browser: parse, shuffle, watch domains being ordered, see the best sentences."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import quote

import pytest

import plait
from components.quick import PLANS
from plait import Pipeline, Recipe
from serving import serving, toy_pipeline
from toy import written

CROSSING = "The dog saw a cat today that slept."
PARTS = ("lifter", "order", "inflector")


@cache
def toy_realizer() -> Pipeline:
    recipe = Recipe().only(*PARTS).updated({name: PLANS[name] for name in PARTS})
    return plait.train(written(200), recipe=recipe)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving({"xx-toy": toy_pipeline(), "xx-say": toy_realizer()}) as address:
        yield address


def test_a_sentence_is_taken_apart_and_said_again(page: Any) -> None:
    page.goto("/")
    page.click("#tab-say")
    assert page.locator("#view-say select[name=model] option").all_text_contents() == ["xx-toy"]
    assert page.locator("#view-say select[name=realizer] option").all_text_contents() == ["xx-say"]
    page.fill("#say-text", CROSSING)
    page.click("#view-say button.main")
    page.wait_for_selector("#view-say .shuffled .chip")
    words = page.locator("#view-say .shuffled .chip").all_text_contents()
    assert sorted(words) == sorted(["the", "dog", "see", "a", "cat", "today", "that", "sleep", "."])
    page.click("text=To the end")
    page.wait_for_selector("#view-say .sentences li")
    assert page.locator("#view-say .domains li").count() >= 3
    assert page.locator("#view-say .domains .head").count() >= 2
    said = page.locator("#view-say .sentences li").all_text_contents()
    assert len(said) > 1
    assert said[0].startswith(CROSSING)


def test_domains_come_one_by_one_and_the_words_can_be_shuffled_again(page: Any) -> None:
    page.goto(f"/#say?text={quote(CROSSING)}")
    page.wait_for_selector("#view-say .domains li")
    page.wait_for_selector("#view-say .sentences li")  # without a click
    first = page.locator("#view-say .shuffled .chip").all_text_contents()
    page.click("text=Shuffle again")
    page.wait_for_function(
        "before => [...document.querySelectorAll('#view-say .shuffled .chip')].map((chip) => chip.textContent)"
        ".join() !== before",
        arg=",".join(first),
    )
    page.click("text=To the end")
    assert page.locator("#view-say .sentences li").first.text_content().startswith(CROSSING)


def test_without_a_realizer_the_page_says_how_to_get_one(browser: Any) -> None:
    with serving({"xx-toy": toy_pipeline()}) as address:
        page = browser.new_context(base_url=address).new_page()
        page.goto("/#say")
        page.wait_for_selector("#view-say .problem:has-text('--parts lifter,order,inflector')")
        page.context.close()
