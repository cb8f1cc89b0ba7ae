"""The workbench in a real browser: open the grammar, step through firings, ask nodes, edit a rule, meet errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plait.rules import load

CHAIR = "the large red chair in the top left corner"


def opened(page: Any, address: str = "/workbench") -> None:
    page.goto(address)
    page.wait_for_selector(".fired li")


def replace_text(page: Any, old: str, new: str) -> None:
    """Selects a text in the editor and types another one over it."""
    area = page.locator("#rules textarea")
    start = area.input_value().index(old)
    area.focus()
    area.evaluate("(area, [start, end]) => area.setSelectionRange(start, end)", [start, start + len(old)])
    page.keyboard.insert_text(new)


def test_the_packaged_grammar_speaks(page: Any) -> None:
    opened(page)
    assert page.locator(".said").text_content() == CHAIR
    mappings = page.locator(".mappings button").all_text_contents()
    assert mappings == ["Con → Sem", "Sem → DSynt", "DSynt → SSynt", "SSynt → DMorph", "DMorph → SMorph"]
    assert page.locator("#source .box").count() == 1
    assert page.locator("#target .box").count() == 7
    assert page.locator(".problems li").count() == 0
    examples = page.locator("#example option").all_text_contents()
    assert examples == [graph.title for graph in load("english").examples]
    page.select_option("#example", label=examples[4])
    page.wait_for_selector(f".said:text-is('{examples[4]}')")
    assert page.locator(".mappings button").count() == 4
    assert page.url.endswith("#english/5")


def test_firings_are_stepped_through(page: Any) -> None:
    opened(page)
    page.click(".mappings button:nth-child(2)")
    fired = page.locator(".fired li").count()
    assert page.locator(".now").text_content().startswith(f"{fired} of {fired}: ")
    page.click("[data-go=first]")
    assert page.locator("#target .box:not(.later)").count() == 0
    assert page.locator("[data-go=back]").is_disabled()
    page.click("[data-go=on]")
    assert page.locator(".now .link").text_content() == "noun"
    assert page.locator("#target .box:not(.later)").count() == 1
    assert page.locator("#source .box.lit").count() == 1
    assert page.locator(".fired li.current").count() == 1
    # The rule is shown where it stands, in its file.
    assert page.locator(".files [aria-selected=true]").text_content() == "2-sem-dsynt"
    assert page.locator("#rules .line.here").text_content().startswith("rule noun (Sem -> DSynt)")
    page.keyboard.press("Alt+ArrowRight")
    assert page.locator("#target .box:not(.later)").count() == 2
    page.click("[data-go=last]")
    assert page.locator("#target .later").count() == 0
    assert page.locator("#target .box").count() == 7


def test_a_node_tells_what_it_corresponds_to_and_who_touched_it(page: Any) -> None:
    opened(page)
    page.click(".mappings button:nth-child(3)")
    page.click("#source .box[data-node=x]")
    assert page.locator(".node .partners").text_content() == "Corresponds to x."
    assert "definite-article (consumes definite)" in page.locator(".node").text_content()
    assert page.locator("#target .box.partner").get_attribute("data-node") == "x"
    page.click(".node .link >> text=definite-article")
    assert page.locator(".now .link").text_content() == "definite-article"
    page.click("#target .box[data-node=x_d]")
    assert "lex = the" in page.locator(".node").text_content()
    assert page.locator(".node .partners").text_content() == "Corresponds to nothing."
    page.locator("#target .box[data-node=x]").press("Enter")
    assert page.locator("#source .box.partner").count() == 1


def test_a_rule_that_did_not_fire_says_why_and_leads_to_its_line(page: Any) -> None:
    opened(page)
    first = page.locator(".failed li").first
    assert first.text_content() == "con-one not ?X.type does not hold with ?X = x: ?X.type is chair."
    first.locator(".link").click()
    assert page.locator("#rules .line.here").text_content().strip().endswith("not ?X.type")


def test_a_changed_rule_is_applied_at_once(page: Any) -> None:
    opened(page)
    replace_text(page, "?P { sem = ?X.size }", "?P { sem = small }")
    page.wait_for_selector(".said:has-text('the small red chair')")
    graph = page.locator("#graph textarea")
    graph.fill(graph.input_value().replace("colour = red", "colour = blue"))
    page.wait_for_selector(".said:has-text('the small blue chair in the top left corner')")
    # Another example leaves the changed rules as they are.
    page.select_option("#example", "2")
    page.wait_for_selector(".said:has-text('the small grey desk')")
    assert "sem = small" in page.locator("#rules textarea").input_value()
    page.select_option("#grammar", "english")  # chosen anew, the grammar is as it came
    page.wait_for_selector(f".said:text-is('{CHAIR}')")
    assert "sem = small" not in page.locator("#rules textarea").input_value()


def test_own_files_are_opened_and_saved(page: Any, tmp_path: Path) -> None:
    opened(page)
    rule = "rule r (A -> B) { left: ?X { w }; right: ?Y { form = ?X.w }; correspondence: ?X <=> ?Y }"
    (tmp_path / "b.rules").write_text(rule, encoding="utf-8")
    (tmp_path / "a.rules").write_text("# nothing", encoding="utf-8")
    (tmp_path / "c.graphs").write_text("graph A { n { w = hello } }", encoding="utf-8")
    page.set_input_files("#chosen", sorted(tmp_path.iterdir()))
    page.wait_for_selector(".said:text-is('hello')")
    assert page.locator(".files button").all_text_contents() == ["a", "b"]
    page.click(".files button:nth-child(2)")
    replace_text(page, "form = ?X.w", 'form = ?X.w + "!"')
    page.wait_for_selector(".said:text-is('Hello!')")
    with page.expect_download() as saved:
        page.click("#save")
    assert saved.value.suggested_filename == "b.rules"
    assert saved.value.path().read_text(encoding="utf-8") == rule.replace("?X.w", '?X.w + "!"')


def test_errors_stand_at_their_lines(page: Any) -> None:
    opened(page, "/workbench#own/1")
    replace_text(page, "Lex::(?X.sem).cat = adj", "Lex::(?X.sem).cat = adk")
    page.wait_for_selector("#rules .line.error")
    assert (
        "no entry of Lex has cat = adk; did you mean adj?"
        in page.locator("#rules .line.error").text_content()
    )
    assert page.locator("#rules .line.error").get_attribute("data-number") == "16"
    assert page.locator(".watch.stale").count() == 0  # what only looks wrong is applied all the same
    assert (
        page.locator(".failed li")
        .last.text_content()
        .startswith("property Lex::(?X.sem).cat = adk does not hold")
    )
    replace_text(page, "?Y <=> ?Yd", "?Z <=> ?Yd }")
    page.wait_for_selector(".watch.stale")
    assert page.locator(".files .faulty").count() == 1
    page.locator(".problems button").last.click()
    assert page.evaluate("document.activeElement.tagName") == "TEXTAREA"
    graph = page.locator("#graph textarea")
    graph.fill("graph Sem {\n  a -1-> b\n}")
    page.wait_for_selector("#graph .line.error:has-text('that is not there')")


def test_what_rules_say_is_never_mark_up(page: Any) -> None:
    opened(page, "/workbench#own/1")
    bad = "<img src=x onerror=document.title='bad'>"
    page.locator("#graph textarea").fill(f'graph Sem {{ n {{ sem = "{bad}" }} }}')
    page.wait_for_selector("#target .box")
    page.wait_for_selector("#source .box:has-text('<img')")
    page.click("#source .box")
    assert bad in page.locator(".node").text_content()
    assert page.title() == "Plait workbench"


def test_a_grammar_without_an_end_is_told_so(page: Any) -> None:
    opened(page, "/workbench#own/1")
    page.locator("#graph textarea").fill("graph Sem { " + "; ".join(f"n{i}" for i in range(40)) + " }")
    page.locator("#rules textarea").fill(
        "rule r (Sem -> B) { left: " + "; ".join(f"?X{i}" for i in range(12)) + " }"
    )
    page.wait_for_selector(".problems :has-text('match more than 4,000 times')")


@pytest.mark.parametrize("width", [390, 768, 1440])
def test_it_fits_every_width(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 850})
    opened(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for number in (2, 4):
        page.click(f".mappings button:nth-child({number})")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_page_leads_to_it_and_back(page: Any) -> None:
    page.goto("/")
    page.click("text=Workbench")
    page.wait_for_selector(".fired li")
    page.click(".brand")
    page.wait_for_selector("#view-parse:not([hidden])")
