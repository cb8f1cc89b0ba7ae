"""The template language: what can be written, what it means, and how a mistake is explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from plait import FormatError, InputError
from plait.features.compiler import compile_templates
from plait.features.templates import COLUMNS, Atom, Templates, built_in, load, parse
from plait.transitions.table import SYSTEM_FACTS


def atoms(line: str, system: str = "swap") -> list[tuple[str, ...]]:
    (found,) = parse(line, system=system).lines
    return [tuple(part for part in (atom.address, atom.attribute, atom.other) if part) for atom in found]


@pytest.mark.parametrize("column", [*COLUMNS, "feats.Case", "feats.Number[psor]"])
def test_every_column_can_be_seen_everywhere(column: str) -> None:
    for address in "S0", "S9", "B0", "B3", "S0.left1", "S1.right2", "S0.left1.left2", "B0.right1":
        assert atoms(f"{address}.{column}") == [(address, column)]
    assert parse(f"S0.{column} S1.{column} S0.upos").columns == list(dict.fromkeys([column, "upos"]))


@pytest.mark.parametrize("attribute", ["deprel", "nleft", "nright", "leftlabels", "rightlabels"])
def test_what_is_built_can_be_seen(attribute: str) -> None:
    assert atoms(f"S0.{attribute}") == [("S0", attribute)]
    assert parse(f"S0.{attribute}").columns == []


def test_short_words_for_two() -> None:
    assert atoms("S0.valency") == [("S0", "nleft"), ("S0", "nright")]
    assert atoms("S0.labels") == [("S0", "leftlabels"), ("S0", "rightlabels")]


def test_between_two_places() -> None:
    assert atoms("S1~S0.distance") == [("S1", "distance", "S0")]
    assert atoms("S0~B0.left1.inorder") == [("S0", "inorder", "B0.left1")]
    assert atoms("S0.upos distance") == [("S0", "upos"), ("S1", "distance", "S0")]
    assert atoms("distance", "eager") == [("S0", "distance", "B0")]


def test_comments_blank_lines_and_repetitions() -> None:
    found = parse("# all\n\nS0.form  # the top\nS0.form\n  \nS1.form S0.form\nbias\n")
    assert found.lines == ((Atom("S0", "form"),), (Atom("S1", "form"), Atom("S0", "form")), ())


def test_blocks_stand_for_their_lines() -> None:
    text = "for X in S0.left1, B0:\n    X.form\n    S0.upos X.upos\nS1.form\nfor Y in S2:\n  Y~S0.distance\n"
    lines = "S0.left1.form\nS0.upos S0.left1.upos\nB0.form\nS0.upos B0.upos\nS1.form\nS2~S0.distance\n"
    assert parse(text).lines == parse(lines).lines


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("S0.form\nS0.from", 2, "S0.from: no attribute 'from'. Did you mean 'form'?"),
        ("S0.zzz", 1, "no attribute 'zzz'. Available: form, lower,"),
        ("S0.upso", 1, "Did you mean 'upos'?"),
        ("S0.suffix9", 1, "no attribute 'suffix9'."),
        ("form", 1, "no address ''; addresses begin with S0 to S9 or B0 to B9."),
        ("X0.form", 1, "no address 'X0'"),
        ("S10.form", 1, "no address 'S10'"),
        ("S0.left3.form", 1, "no relative 'left3'. Did you mean 'left"),
        ("S0.S1.form", 1, "no relative 'S1'."),
        ("S0~S1.form", 1, "S0~S1.form: between two places there are only distance"),
        ("S0.distance", 1, "no attribute 'distance'"),
        ("  S0.form", 1, "the line is indented but stands in no `for` block."),
        ("S0.form\n  S1.form", 2, "the line is indented"),
        ("for X in S0, Q0:\n  X.form", 2, "Q0.form: no address 'Q0'"),
        ("for X of S0:\n  X.form", 1, ""),
        ("S0.head.form", 1, "in the system 'swap' words of stack and buffer have no head yet."),
        ("", 0, "there are no templates in it."),
        ("# nothing\n", 0, "there are no templates in it."),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse(text, "my.txt")
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"my.txt:{line}: " if line else "my.txt: ")


def test_heads_are_there_only_in_systems_that_keep_attached_words() -> None:
    for system in "eager", "spine", "spine-swap":
        assert atoms("S0.head.head.form", system) == [("S0.head.head", "form")]
    for system in "swap", "standard":
        with pytest.raises(FormatError, match=f"in the system '{system}'"):
            parse("S0.head.form", system=system)


def test_what_is_above_an_arc_is_there_in_the_spine_systems_only() -> None:
    assert atoms("GP.upos GG.form depth", "spine") == [("GP", "upos"), ("GG", "form"), ("S0", "depth")]
    assert parse("GP.left1.form depth", system="spine-swap").columns == ["form"]
    for system in "swap", "standard", "eager":
        for line in "GP.form", "S0.form GG.upos", "depth":
            with pytest.raises(FormatError, match=f"in the system '{system}' all arcs come from roots"):
                parse(line, system=system)


def test_a_list_is_part_of_the_one_it_was_chosen_from() -> None:
    """Selection begins with the whole one."""
    chosen = {facts.features: facts.whole for facts in SYSTEM_FACTS.values() if facts.whole}
    assert chosen == {"spine-small": "spine"}
    for few, all_ in chosen.items():
        assert set(load(few, system="spine").lines) < set(load(all_, system="spine").lines)


def test_files_and_lists(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("S0.form\n")
    assert load(tmp_path / "mine.txt").lines == ((Atom("S0", "form"),),)
    with pytest.raises(InputError, match=r"nowhere.txt: cannot be read .*Lists that come with plait: .*swap"):
        load("nowhere.txt")
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path / "binary.txt")


def system_of(name: str) -> str:
    return "swap" if name == "basic" else name.removeprefix("zn-").split("-")[0]


def lists_for(name: str) -> Templates:
    return load(name, system=system_of(name))


@pytest.mark.parametrize("name", built_in())
def test_the_lists_that_come_with_plait_are_sound(name: str) -> None:
    found = lists_for(name)
    assert len(compile_templates(found)) == len(found.lines)
    twin = {"swap": "standard", "spine": "spine-swap"}.get(system_of(name), "eager")
    assert load(name, system=twin).lines == found.lines
    if system_of(name) != "swap":
        with pytest.raises(FormatError):
            load(name, system="swap")


def test_small_lists_are_parts_of_the_whole() -> None:
    small = [name for name in built_in() if name.endswith("-small")]
    assert small
    for name in small:
        whole, lines = set(lists_for(system_of(name)).lines), lists_for(name).lines
        assert set(lines) < whole
        assert len(lines) < 0.52 * len(whole)


def test_the_rich_lists_have_the_size_of_the_paper() -> None:
    """Zhang and Nivre (2011), Tables 1 and 2: 72 templates; adapted to arc-standard, 76; with the nodes above the head
    of an arc for the spine system (Sartorio, Satta and Nivre 2013, section 4.3), 85. Ours are a list of their own.
    """
    assert len(load("zn-eager", system="eager").lines) == 72
    assert len(load("zn-swap").lines) == 76
    spine = load("zn-spine", system="spine").lines
    assert set(load("zn-swap").lines) < set(spine)
    assert len(spine) == 85
    waiting = load("zn-spine-wait", system="spine").lines
    assert waiting[:85] == spine
    assert len(waiting) == 100


def test_a_program_needs_what_the_core_can_hold() -> None:
    deep = "\n".join(
        f"S{i}.{side}{j}.{side}1.form" for i in range(10) for side in ("left", "right") for j in (1, 2)
    )
    with pytest.raises(ValueError, match="too many"):
        compile_templates(parse(deep))
