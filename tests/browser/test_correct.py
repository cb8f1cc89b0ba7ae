"""Trees are corrected in a real browser: by dragging, by clicking labels, by keyboard; and the way back."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import plait
from plait import Pipeline
from plait.trees import find_fault
from serving import TEXT, serving, toy_pipeline

CROSSING = "The dog saw a cat today that slept."
EVIL = '<img/src=x/onerror="window.hacked=1">'


def open_page(page: Any, text: str = CROSSING) -> None:
    page.goto(f"/#parse?text={quote(text)}")
    page.wait_for_selector(".card .word")


def place(page: Any, number: int, card: int = 0) -> tuple[float, float]:
    word = page.locator(".card").nth(card).locator(".word").nth(number - 1)
    word.scroll_into_view_if_needed()
    box = word.locator(".form").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, min(start[1], end[1]) - 30, steps=4)
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def saved(page: Any) -> list[plait.Sentence]:
    with page.expect_download() as found:
        page.click("text=Download CoNLL-U")
    path = Path(found.value.path())
    return list(plait.read(path, format="conllu"))


def wait_for_given(page: Any, count: int) -> None:
    # The page's policy lets nobody evaluate texts within it, so one waits outside.
    for _ in range(100):
        if page.locator(".word.given").count() == count:
            return
        page.wait_for_timeout(50)
    pytest.fail(f"there are {page.locator('.word.given').count()} arcs set, not {count}")


def test_an_arc_is_dragged_and_the_parser_redoes_the_rest(page: Any) -> None:
    open_page(page)
    (before,) = toy_pipeline()(CROSSING)
    assert before[8].head == 2
    drag(page, place(page, 8), place(page, 5))
    wait_for_given(page, 1)
    (found,) = saved(page)
    bare = plait.Sentence(forms=before.forms)
    bare[8].head = 5
    (expected,) = toy_pipeline().parse([bare], keep_heads=True)
    assert (found.heads, found.deprels) == (expected.heads, expected.deprels)
    assert found[8].head == 5
    assert find_fault(found.heads) is None
    assert "set by you" in page.locator(".said-of-it").text_content()
    assert found.text == CROSSING
    assert page.locator(".picked-word").count() == 0, "a drag is no click"


def test_the_end_of_an_arc_can_be_grabbed(page: Any) -> None:
    open_page(page)
    end = place(page, 5)
    grip = page.locator(".card .word").nth(0).locator(".grip").last
    middle = grip.evaluate(
        """grip => { const at = grip.getPointAtLength(grip.getTotalLength() / 2).matrixTransform(grip.getScreenCTM());
                     return [at.x, at.y]; }"""
    )
    drag(page, (middle[0] + 4, middle[1]), end)  # near the line is near enough
    wait_for_given(page, 1)
    assert saved(page)[0][1].head == 5


def test_up_to_the_root(page: Any) -> None:
    open_page(page)
    start = place(page, 5)
    top = page.locator(".card .tree").bounding_box()
    drag(page, start, (top["x"] + 200, top["y"] + 6))
    wait_for_given(page, 1)
    (found,) = saved(page)
    assert found[5].head == 0
    assert found.heads.count(0) == 1
    start = place(page, 2)
    drag(page, start, (top["x"] + 200, page.locator(".card .tree").bounding_box()["y"] + 6))
    page.wait_for_selector(".word.given:has(.form:text-is('dog'))")
    (found,) = saved(page)
    assert (found[2].head, found.heads.count(0)) == (0, 1), "a new root takes the place of the other one"


@pytest.mark.parametrize("width", [1200, 390])
def test_the_place_of_the_root_hides_nothing(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 1400})
    open_page(page, "The dog saw a cat that heard a bird that saw a fish that slept today.")
    page.locator(".card .tree").evaluate("tree => { tree.scrollLeft = tree.scrollWidth; }")
    start = place(page, 15)
    tree = page.locator(".card .tree").bounding_box()
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0], start[1] - 40, steps=4)
    root = page.locator(".card .drop-root")
    assert root.is_visible()
    box = root.bounding_box()
    assert box["height"] > 10
    assert box["y"] >= tree["y"] - 1, "nothing of it is cut off"
    assert (round(box["x"]), round(box["width"])) == (round(tree["x"]), round(tree["width"])), "in sight"
    tops = page.locator(".card .tree svg text, .card .tree svg .arc").evaluate_all(
        "each => each.map((shape) => shape.getBoundingClientRect().y)"
    )
    assert min(tops) >= box["y"] + box["height"], "no label and no arc is below it"
    assert place(page, 15) == start, "and nothing moves when it appears"
    page.keyboard.press("Escape")
    page.mouse.up()
    assert not root.is_visible()


def test_circles_are_broken_by_what_came_last(page: Any) -> None:
    open_page(page)
    drag(page, place(page, 2), place(page, 5))
    wait_for_given(page, 1)
    drag(page, place(page, 5), place(page, 2))
    page.wait_for_selector(".word.given:has(.form:text-is('cat'))")
    (found,) = saved(page)
    assert found[5].head == 2
    assert find_fault(found.heads) is None


def test_only_what_must_changes_if_that_is_wanted(page: Any) -> None:
    open_page(page)
    (before,) = toy_pipeline()(CROSSING)
    page.uncheck(".summary input[type=checkbox]")
    drag(page, place(page, 1), place(page, 5))
    wait_for_given(page, 1)
    (found,) = saved(page)
    changed = [word.id for word, old in zip(found, before, strict=True) if word.head != old.head]
    assert (found[1].head, changed) == (5, [1])
    root = before.heads.index(0) + 1
    drag(page, place(page, root), place(page, 2))  # its own dependent
    wait_for_given(page, 2)
    (found,) = saved(page)
    assert found[root].head == 2
    assert find_fault(found.heads) is None


def test_a_new_root_alone(page: Any) -> None:
    open_page(page)
    (before,) = toy_pipeline()(CROSSING)
    page.uncheck(".summary input[type=checkbox]")
    start = place(page, 2)
    top = page.locator(".card .tree").bounding_box()
    drag(page, start, (top["x"] + 200, top["y"] + 6))
    wait_for_given(page, 1)
    (found,) = saved(page)
    changed = [word.id for word, old in zip(found, before, strict=True) if word.head != old.head]
    assert changed == [2, before.heads.index(0) + 1]
    assert found.heads.count(0) == 1


def test_a_drag_can_be_given_up(page: Any) -> None:
    open_page(page)
    page.mouse.move(*place(page, 8))
    page.mouse.down()
    page.mouse.move(*place(page, 2), steps=3)
    assert page.locator(".dragged").count() == 1
    assert page.locator(".word.aimed").count() == 1
    page.keyboard.press("Escape")
    page.mouse.up()
    assert page.locator(".dragged, .aimed, .dragging").count() == 0
    drag(page, place(page, 8), place(page, 8))
    assert page.locator(".word.given").count() == 0
    assert page.locator(".picked-word").count() == 0


def test_a_label_is_changed_by_a_click(page: Any) -> None:
    open_page(page)
    page.locator(".card .word").nth(4).locator(":scope > text").click()
    assert page.evaluate("document.activeElement.name") == "label"
    page.keyboard.type("mine")
    page.keyboard.press("Enter")
    wait_for_given(page, 1)
    assert page.evaluate("document.activeElement.classList.contains('word')"), "focus comes back to the word"
    (found,) = saved(page)
    (before,) = toy_pipeline()(CROSSING)
    assert (found[5].deprel, found[5].head) == ("mine", before[5].head)


def test_undo_and_redo(page: Any) -> None:
    open_page(page)
    before = saved(page)[0].heads
    drag(page, place(page, 8), place(page, 5))
    wait_for_given(page, 1)
    middle = saved(page)[0].heads
    drag(page, place(page, 4), place(page, 2))
    wait_for_given(page, 2)
    after = saved(page)[0].heads
    page.click("button:text-is('Undo')")
    assert saved(page)[0].heads == middle
    page.locator(".card .word").first.focus()
    page.keyboard.press("Control+z")
    assert saved(page)[0].heads == before
    assert page.locator(".word.given").count() == 0
    page.locator(".card .word").first.focus()
    page.keyboard.press("Control+Shift+Z")
    page.click("button:text-is('Redo')")
    assert saved(page)[0].heads == after
    assert page.locator("button:has-text('Redo')").is_disabled()


def test_all_of_it_by_keyboard(page: Any) -> None:
    open_page(page)
    page.locator(".card .word").first.focus()
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("h")
    assert page.evaluate("document.activeElement.name") == "head"
    page.keyboard.type("5")
    assert page.locator("[name=head]").input_value() == "5"
    page.keyboard.press("Tab")
    assert page.locator("[name=label]").input_value() == "", "another head, another label"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    wait_for_given(page, 1)
    assert saved(page)[0][8].head == 5
    page.locator(".card .word").nth(7).focus()
    page.keyboard.press("l")
    assert page.evaluate("document.activeElement.name") == "label"
    page.keyboard.press("Escape")
    assert page.evaluate("[...document.querySelectorAll('.word')].indexOf(document.activeElement)") == 7
    page.keyboard.press("Control+z")
    assert page.locator(".word.given").count() == 0


def test_other_sentences_stay_and_all_are_downloaded(page: Any) -> None:
    open_page(page, TEXT)
    start, end = place(page, 6), place(page, 5)
    drag(page, start, end)
    wait_for_given(page, 1)
    found = saved(page)
    assert found[0][6].head == 5
    assert found[1].heads == toy_pipeline()(TEXT)[1].heads


def test_labels_never_become_mark_up(page: Any) -> None:
    open_page(page)
    page.locator(".card .word").nth(4).locator(":scope > text").click()
    page.fill("[name=label]", EVIL)
    page.keyboard.press("Enter")
    wait_for_given(page, 1)
    assert saved(page)[0][5].deprel == EVIL
    page.locator(".card .word .form").nth(4).click()
    assert page.locator(".picked-word p").first.text_content().startswith(EVIL)
    page.locator("[name=label]").fill("two words")
    page.keyboard.press("Enter")
    assert page.locator("[name=label]:invalid").count() == 1
    assert page.evaluate("window.hacked") is None


def test_a_model_that_cannot_keep_heads_offers_nothing_of_it(browser: Any) -> None:
    toy = toy_pipeline()
    pieces = {name: each for name, each in toy.components.items() if name != "parser"}
    graph = plait.GraphParser(epochs=1, bits=14).fit(plait.Treebank([toy(TEXT)[0]]))
    with serving({"graph": Pipeline({**pieces, "parser": graph})}) as url:
        page = browser.new_page(base_url=url)
        open_page(page)
        assert page.locator(".corrects, .grip, .summary input").count() == 0
        page.locator(".card .word .form").nth(4).click()
        page.wait_for_selector(".picked-word")
        assert page.locator("[name=label]").count() == 0
        page.close()


def test_fingers_touch_words_and_scroll(browser: Any, server: str) -> None:
    context = browser.new_context(base_url=server, viewport={"width": 390, "height": 800}, has_touch=True)
    page = context.new_page()
    open_page(page, "The dog saw a cat that heard a bird that saw a fish that slept today.")
    tree = page.locator(".card .tree")
    assert tree.evaluate("tree => tree.scrollWidth > 1.5 * tree.clientWidth"), "one row, which scrolls"
    tops = page.locator(".word .form").evaluate_all(
        "each => each.map((form) => Math.round(form.getBoundingClientRect().y))"
    )
    assert len(set(tops)) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    word = page.locator(".card .word").nth(12)
    word.scroll_into_view_if_needed()
    word.locator(".form").tap()
    page.select_option("[name=head]", "2")
    page.click(".set")
    wait_for_given(page, 1)
    assert tree.evaluate("tree => tree.scrollLeft") > 0, "it stays where it was"
    context.close()


def test_corrections_are_not_lost_without_a_word(page: Any) -> None:
    open_page(page)
    drag(page, place(page, 8), place(page, 5))
    wait_for_given(page, 1)
    page.click("text=How it was built")
    page.wait_for_selector(".player .derivation")
    page.go_back()
    page.wait_for_selector(".card")
    assert page.locator(".word.given").count() == 1, "back from another view"
    asked: list[str] = []

    def refuse(dialog: Any) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", refuse)
    page.fill("#parse-text", "The cat slept.")
    page.click("#view-parse button.main")
    assert len(asked) == 1
    assert "not saved" in asked[0]
    assert page.locator(".word.given").count() == 1
    saved(page)
    page.click("#view-parse button.main")
    page.wait_for_selector(".card[aria-label='The cat slept.']")
    assert len(asked) == 1, "what was downloaded is not asked for"


def test_a_treebank_is_corrected_and_nothing_else_in_it_changes(page: Any) -> None:
    parsed = toy_pipeline()(TEXT)
    token = "1-2\tThedog\t_\t_\t_\t_\t_\t_\t_\tA=b\n1\t"
    gold = "# note = mine\n" + parsed.conllu.replace("\n1\t", f"\n{token}", 1)
    gold = gold.replace("\t_\n", "\tGloss=y|Ref=3\n", 1)
    open_page(page)
    page.locator("[name=gold]").set_input_files(
        {"name": "gold.conllu", "mimeType": "text/plain", "buffer": gold.encode()}
    )
    page.click("text=Correct the gold trees")
    page.wait_for_selector(".card:not(.compared) .grip", state="attached")
    assert not page.locator(".summary input[type=checkbox]").is_checked(), "the rest stays"
    drag(page, place(page, 6), place(page, 5))
    wait_for_given(page, 1)
    with page.expect_download() as found:
        page.click("text=Download CoNLL-U")
    assert found.value.suggested_filename == "gold.conllu"
    after = Path(found.value.path()).read_text(encoding="utf-8")
    changed = [
        (one.split("\t"), other.split("\t"))
        for one, other in zip(gold.splitlines(), after.splitlines(), strict=True)
        if one != other
    ]
    ((one, other),) = changed
    assert (one[0], other[6]) == ("6", "5")
    assert one[:6] + one[8:] == other[:6] + other[8:]


def test_words_that_run_from_the_right_begin_at_the_right(browser: Any, server: str) -> None:
    context = browser.new_context(base_url=server, viewport={"width": 390, "height": 800})
    page = context.new_page()
    words = ["الكتاب", "الجديد", "في", "المكتبة", "الكبيرة"] * 3
    rows = [f"{i}\t{word}\t_\t_\t_\t_\t{i - 1}\tdep\t_\t_\n" for i, word in enumerate(words, 1)]
    open_page(page)
    page.locator("[name=gold]").set_input_files(
        {"name": "a.conllu", "mimeType": "text/plain", "buffer": "".join([*rows, "\n"]).encode()}
    )
    page.click("text=Correct the gold trees")
    page.wait_for_selector(".card:not(.compared) .word")
    tree = page.locator(".card .tree").first
    assert tree.evaluate("tree => tree.scrollWidth > tree.clientWidth")
    forms = tree.locator(".word .form")
    first, last = forms.first.bounding_box()["x"], forms.last.bounding_box()["x"]
    assert 390 > first > 0 > last
    context.close()
