"""The page in a real browser: type, parse, click, step, download, by mouse and by keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from nets import model_of, neural_of
from plait import Pipeline, Sentence, derive
from serving import TEXT, serving, toy_pipeline

CROSSING = "The dog saw a cat today that slept."
EVIL = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
GOLD = "".join(
    f"{number}\t{EVIL if number == 1 else form}\t{EVIL}\t{EVIL}\t_\t_\t{head}\t{EVIL}\t_\t_\n"
    for number, (form, head) in enumerate(
        [("A", 2), ("hearing", 3), ("is", 0), ("scheduled", 3), ("on", 2), ("today", 4)], 1
    )
)


def step_of(page: Any) -> str:
    return page.locator(".counter").text_content()


def open_derivation(page: Any, **state: str) -> None:
    query = "&".join(f"{name}={quote(value)}" for name, value in state.items())
    page.goto(f"/#derivation?{query}")
    page.wait_for_selector(".player .derivation")


def test_type_parse_and_click(page: Any) -> None:
    page.goto("/")
    page.fill("#parse-text", TEXT)
    page.click("#view-parse button.main")
    page.wait_for_selector(".card")
    assert page.locator(".card").count() == 2
    assert page.locator(".card").first.locator(".word").count() == 7
    page.locator(".card").first.locator(".word .form").nth(1).click()
    panel = page.locator(".picked-word")
    assert panel.locator("h3").text_content().startswith("dog")
    assert "nsubj of saw" in panel.text_content()
    page.wait_for_selector(".picked-word .ranking")
    assert panel.locator(".ranking .chosen .name").text_content() == "LEFT-ARC(nsubj)"
    page.locator("summary").first.click()
    assert page.locator("table").first.locator("tbody tr").count() == 7


def test_copy_and_download(page: Any) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/#parse?text={quote(TEXT)}")
    page.wait_for_selector(".card")
    page.click("text=Copy CoNLL-U")
    page.wait_for_selector("text=Copied")
    assert page.evaluate("navigator.clipboard.readText()") == toy_pipeline()(TEXT).conllu
    with page.expect_download() as found:
        page.click("text=Download CoNLL-U")
    assert Path(found.value.path()).read_text(encoding="utf-8") == toy_pipeline()(TEXT).conllu
    with page.expect_download() as found:
        page.locator(".card").first.locator("text=SVG").click()
    assert found.value.suggested_filename == "sentence-1.svg"
    assert Path(found.value.path()).read_text(encoding="utf-8").startswith("<svg xmlns=")


def test_the_parsers_derivation_plays(page: Any) -> None:
    open_derivation(page, source="parser", text=CROSSING)
    assert step_of(page).startswith("0 / ")
    steps = int(step_of(page).split("/")[1])
    page.click('[aria-label^="One step on"]')
    assert step_of(page) == f"1 / {steps}"
    assert page.locator(".stack .chip").all_text_contents() == ["ROOT0", "The1"]
    assert page.locator(".ranking .chosen").count() == 1
    page.keyboard.press("End")
    assert step_of(page) == f"{steps} / {steps}"
    assert page.locator(".word.attached").count() == 9
    page.keyboard.press("Home")
    assert page.locator(".word.attached").count() == 0
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert step_of(page) == f"1 / {steps}"
    page.select_option('[aria-label="Speed"]', "4")
    page.locator(".player h3").click()
    page.keyboard.press("Space")
    page.wait_for_selector(f".counter:text-is('{steps} / {steps}')")
    page.locator('input[type="range"]').fill("3")
    assert step_of(page) == f"3 / {steps}"
    page.locator(".letter").nth(4).click()
    assert step_of(page) == f"5 / {steps}"


def test_the_keys_of_the_hint_work_after_a_click_on_the_tab(page: Any) -> None:
    page.goto("/")
    page.click("#tab-derivation")
    page.wait_for_selector(".player .derivation")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert step_of(page).startswith("2 / ")
    page.keyboard.press("ArrowLeft")
    assert step_of(page).startswith("1 / ")
    page.keyboard.press("Space")
    page.wait_for_selector(".counter:has-text('3 / ')")
    assert page.get_attribute("#tab-derivation", "aria-selected") == "true"
    page.focus("#tab-derivation")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "tab-derivation", "by keyboard one stays on the tab"
    page.keyboard.press("ArrowRight")
    assert page.get_attribute("#tab-lattice", "aria-selected") == "true"


def test_a_click_that_comes_before_the_models_are_known_counts(page: Any) -> None:
    waiting: list[Any] = []
    page.route("**/api/about", lambda route: waiting.append(route))
    page.goto("/")
    page.click("#tab-derivation")
    assert page.locator("#view-derivation").is_hidden()
    waiting[0].continue_()
    page.wait_for_selector(".player .derivation")
    assert page.get_attribute("#tab-derivation", "aria-selected") == "true"
    page.keyboard.press("ArrowRight")
    assert step_of(page).startswith("1 / ")


def test_a_click_on_the_tab_shows_what_the_parser_does(browser: Any) -> None:
    with serving({"en-toy": toy_pipeline()}) as url:
        page = browser.new_page(base_url=url)
        page.goto("/")
        page.click("#tab-derivation")
        page.wait_for_selector(".player .derivation")
        assert page.locator(".player h3").all_text_contents() == ["en-toy, greedy"]
        page.close()


def test_the_derivation_of_a_net_plays(browser: Any) -> None:
    nlp = Pipeline({"tokenizer": toy_pipeline()["tokenizer"], "neural": neural_of(model_of())})
    with serving({"en-net": nlp}) as url:
        page = browser.new_page(base_url=url)
        page.goto(f"/#parse?text={quote(CROSSING)}")
        page.wait_for_selector(".card")
        assert page.locator("#view-parse [name=beam] option").all_text_contents() == [
            "the model’s (spanning tree)"
        ]
        page.locator(".card .word .form").nth(1).click()
        page.wait_for_selector(".picked-word .ranking .chosen")
        open_derivation(page, source="parser", text=CROSSING)
        assert page.locator(".player h3").all_text_contents() == ["en-net, spanning tree"]
        page.keyboard.press("End")
        assert page.locator(".word.attached").count() == 9
        open_derivation(page, source="parser", text=CROSSING, beam="4")
        page.wait_for_selector(".beam circle")
        assert page.locator(".player h3").all_text_contents() == ["en-net, beam 4"]
        page.close()


def test_the_beam_is_shown(page: Any) -> None:
    open_derivation(page, source="parser", text=CROSSING, beam="4")
    assert page.locator(".beam circle").count() > 20
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.locator(".hypotheses li.won").count() == 1
    assert page.locator(".hypotheses li").count() >= 2


def test_two_oracles_step_together(page: Any) -> None:
    page.goto("/")
    page.click("#tab-derivation")
    page.check('[value="oracle"]')
    page.click("#view-derivation .of-oracle >> text=Show")
    page.wait_for_selector(".player.several")
    titles = page.locator(".player h3").all_text_contents()
    assert titles == ["EAGER", "LAZY"]
    assert page.locator(".count").all_text_contents() == [
        "30 transitions, 6 of them swaps",
        "22 transitions, 2 of them swaps",
    ]
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    current = page.locator(".letter.current").all_text_contents()
    assert current == ["W", "S"]
    page.keyboard.press("End")
    assert "The tree is complete." in page.locator(".derivation").nth(1).text_content()


def test_the_lattice(page: Any) -> None:
    page.goto("/#lattice")
    image = page.wait_for_selector(".lattice img")
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 300
    assert "6 derivations" in page.locator(".stage .summary").all_text_contents()[-1]
    page.select_option("#view-lattice [name=oracle]", "lazy")
    page.wait_for_selector("text=1 derivations, ")


def test_every_view_has_a_permalink(page: Any) -> None:
    page.goto(f"/#parse?text={quote(TEXT)}&beam=4")
    page.wait_for_selector(".card")
    assert page.input_value("#view-parse [name=beam]") == "4"
    page.locator(".card").nth(1).locator("text=How it was built").click()
    page.wait_for_selector(".player .derivation")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**step=2")
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(".player .derivation")
    assert step_of(page).startswith("2 / ")
    assert page.locator(".chip").all_text_contents()[:3] == ["ROOT0", "The1", "bird2"]
    page.click("#tab-parse")
    page.wait_for_selector("#view-parse")
    page.go_back()
    page.wait_for_selector(".player .derivation")


def test_nothing_typed_becomes_mark_up(page: Any) -> None:
    page.goto(f"/#parse?text={quote('The dog saw ' + EVIL + ' today.')}")
    page.wait_for_selector(".card")
    page.locator(".card .word .form").nth(3).click()
    page.wait_for_selector(".picked-word .ranking")
    open_derivation(page, source="oracle", conllu=GOLD, system="swap", first="eager", second="lazy")
    page.keyboard.press("End")
    page.goto(f"/#lattice?conllu={quote(GOLD)}")
    page.wait_for_selector(".lattice img")
    page.goto(f"/#lattice?conllu={quote('1' + EVIL)}")
    page.wait_for_selector("#view-lattice .problem:not(:empty)")
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img[src=x]").count() == 0


def test_every_control_is_reached_and_works_by_keyboard(page: Any) -> None:
    open_derivation(page, source="parser", text=TEXT)
    selector = "a[href], button, select, input, textarea, [tabindex='0']"
    wanted = page.evaluate(
        """selector => [...document.querySelectorAll(selector)].filter((each) =>
             each.checkVisibility() && each.tabIndex >= 0
             && !(each.type === "radio" && !each.checked)).map((each, index) => each.dataset.number = String(index))""",
        selector,
    )
    page.evaluate("document.activeElement.blur()")
    reached = set()
    outlined = True
    for _ in range(2 * len(wanted)):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.dataset?.number"))
        outlined &= page.evaluate(
            """(document.activeElement === document.body
               || getComputedStyle(document.activeElement).outlineStyle !== "none")"""
        )
    assert set(wanted) <= reached
    assert outlined
    page.focus("#tab-derivation")
    page.keyboard.press("ArrowRight")
    assert page.get_attribute("#tab-lattice", "aria-selected") == "true"
    page.locator("[role=tab]").last.focus()
    page.keyboard.press("ArrowRight")
    page.fill("#parse-text", TEXT)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".card")
    page.locator(".card .word").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".picked-word")


def test_it_is_there_soon_and_needs_nothing_from_elsewhere(browser: Any, server: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(server)
    page.wait_for_selector("#about:has-text('Plait')")
    assert page.evaluate("performance.now()") < 10_000
    sources = page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert all(source.startswith(server) for source in sources)
    context.close()


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (390, "dark"), (1200, "dark")])
def test_nothing_sticks_out_of_the_page(browser: Any, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    views = {
        f"#parse?text={quote(CROSSING)}": ".card",
        "#derivation?source=oracle": ".derivation",
        "#lattice": ".lattice",
    }
    with serving({"en-toy": toy_pipeline()}) as url:  # the examples are English
        for address, sign in views.items():
            page.goto(f"{url}/{address}")
            page.wait_for_selector(sign)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            for summary in page.locator("main summary:visible").all():
                summary.click()
            if "parse" in address:
                page.locator(".card .word .form").first.click()
                page.wait_for_selector(".ranking")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        context.close()


def test_a_problem_is_said_in_words(page: Any) -> None:
    page.goto("/#derivation?source=oracle&conllu=nonsense&system=swap&first=lazy")
    page.wait_for_selector("#view-derivation .problem:not(:empty)")
    assert "data:1" in page.locator("#view-derivation .problem").text_content()


def test_the_player_that_jupyter_shows(browser: Any) -> None:
    context = browser.new_context(viewport={"width": 900, "height": 600})
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    html = derive(
        Sentence(forms=[EVIL, "b", "c"], heads=[2, 0, 2], deprels=[EVIL, "root", "obj"])
    )._repr_html_()
    page.set_content(f"<p>A notebook</p>{html}")
    frame = page.frame_locator("iframe")
    frame.locator('[aria-label^="One step on"]').click()
    assert frame.locator(".counter").text_content() == "1 / 6"
    frame.locator(".player").press("End")
    assert frame.locator(".word.attached").count() == 3
    assert page.evaluate("window.hacked") is None
    assert complaints == []
    context.close()
