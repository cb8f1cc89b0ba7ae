"""The playground of referring in a real browser: click a thing, choose a speaker, read the phrase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from plait.generation.refer import made
from serving import serving, toy_pipeline


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with serving({"xx-toy": toy_pipeline()}) as address:
        yield address


def spoken(page: Any, before: str = "") -> str:
    page.wait_for_function(
        "before => { const said = document.querySelector('#view-refer .phrase q')?.textContent;"
        " return said && said !== before; }",
        arg=before,
    )
    return str(page.locator("#view-refer .phrase q").text_content())


def test_what_is_clicked_is_called_as_the_speaker_would(page: Any) -> None:
    page.goto("/")
    page.click("#tab-refer")
    first = spoken(page)
    assert page.locator("#view-refer .thing").count() == 7
    assert page.locator("#view-refer .thing[aria-pressed=true]").count() == 1
    last = page.locator("#view-refer .thing").last
    last.click()
    second = spoken(page, first)
    assert last.get_attribute("aria-pressed") == "true"
    kind = str(last.get_attribute("aria-label")).split(",")[0].split()[2]
    assert kind in second
    assert page.locator("#view-refer select option").all_text_contents()[1:] == sorted(made.PEOPLE)
    page.select_option("#view-refer select", "Ben")
    third = spoken(page, second)
    assert " at the " in third  # Ben always tells the place
    assert page.locator("#view-refer .phrase .hint").text_content() == "Ben: "
    assert "speaker=Ben" in page.url
    assert "target=6" in page.url


def test_a_permalink_shows_the_same_and_another_scene_is_another(page: Any) -> None:
    page.goto("/#refer?seed=4&target=2&speaker=Dan")
    first = spoken(page)
    assert not first.startswith(("the ", "a "))  # Dan has no articles
    labels = [each.get_attribute("aria-label") for each in page.locator("#view-refer .thing").all()]
    page.click("text=Another scene")
    page.wait_for_function(
        "before => document.querySelector('#view-refer .thing').getAttribute('aria-label') !== before",
        arg=labels[0],
    )
    assert "seed=5" in page.url
    page.go_back()
    page.wait_for_function(
        "before => document.querySelector('#view-refer .thing').getAttribute('aria-label') === before",
        arg=labels[0],
    )
    assert spoken(page) == first


def test_it_works_with_the_keyboard_and_fits_a_phone(page: Any) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/#refer?seed=2")
    first = spoken(page)
    page.locator("#view-refer .thing").nth(3).focus()
    page.keyboard.press("Enter")
    spoken(page, first)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
