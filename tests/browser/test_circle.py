"""One sentence going all the way round, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import quote

import pytest

import plait
from components.quick import PLANS
from plait import Pipeline, Recipe
from plait.components.roles import RoleLabeler
from serving import serving, toy_pipeline
from toy import framed, written

SENTENCE = "The dog saw a cat today that slept."
PARTS = ("graph2tree", "lifter", "order", "inflector")


@cache
def toy_speaker() -> Pipeline:
    recipe = Recipe().only(*PARTS).updated({name: {**PLANS[name], "bits": 14, "epochs": 5} for name in PARTS})
    return plait.train(framed(written(200)), recipe=recipe)


@cache
def toy_reader() -> Pipeline:
    toy = toy_pipeline()
    roles = RoleLabeler(bits=14, small_bits=12, epochs=3, folds=2, fold_epochs=1).fit(framed(written(120)))
    return Pipeline({**toy.components, "roles": roles}, toy.model)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving({"xx-toy": toy_reader(), "xx-say": toy_speaker()}) as address:
        yield address


def test_a_sentence_goes_round(page: Any) -> None:
    page.goto("/")
    page.click("#tab-circle")
    assert page.locator("#view-circle select[name=model] option").all_text_contents() == ["xx-toy"]
    assert page.locator("#view-circle select[name=realizer] option").all_text_contents() == ["xx-say"]
    page.fill("#circle-text", SENTENCE)
    page.click("#view-circle button.main")
    page.wait_for_selector("#view-circle .stations")
    names = page.locator("#view-circle .stations h3").all_text_contents()
    assert names == ["Text", "Tree", "Meaning", "Tree of that meaning", "Text again"]
    assert page.locator("#view-circle .stations svg").count() == 3
    said = page.locator("#view-circle .said").all_text_contents()
    assert said[0] == SENTENCE
    assert sorted(said[1].lower().split()) == sorted(SENTENCE.lower().split())
    compared = page.locator("#view-circle .compared").text_content()
    assert (compared == "As it was.") == (said[1].lower() == SENTENCE.lower())
    assert "circle?text=" in page.url


def test_what_changed_stands_out(page: Any) -> None:
    """Whatever the model says: the answer is changed on its way."""

    def other(route: Any) -> None:
        answer = route.fetch().json()
        answer["back"]["words"][1]["form"] = "wolf"
        answer["back"]["text"] = "The wolf saw a cat today that slept."
        route.fulfill(json=answer)

    page.route("**/api/circle", other)
    page.goto(f"/#circle?text={quote(SENTENCE)}")
    page.wait_for_selector("#view-circle mark")
    assert "wolf" in page.locator("#view-circle mark").all_text_contents()


def test_a_text_without_sentence_is_told(page: Any) -> None:
    page.goto("/#circle")
    page.fill("#circle-text", "   ")
    page.click("#view-circle button.main")
    page.wait_for_selector("#view-circle .problem:has-text('no sentence')")


def test_without_such_models_the_page_says_how_to_get_them(browser: Any) -> None:
    with serving({"xx-toy": toy_pipeline()}) as address:
        page = browser.new_context(base_url=address).new_page()
        page.goto("/#circle")
        page.wait_for_selector("#view-circle .problem:has-text('--parts graph2tree')")
        page.context.close()
