"""Templates of parts: what they see, and what they refuse."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from plait.errors import FormatError, InputError
from plait.features import parts

FIRST, SIBLING, INNER, OUTER, ACROSS, CHILDREN, BELOW, CHAIN = range(8)
VALUES = np.array([[10, 20], [11, 21], [12, 20], [13, 23]], np.uint32)  # form, upos


def extract(source: str, kind: int, nodes: list[int], values: np.ndarray = VALUES) -> set[int]:
    name = {2: "first", 4: "third"}.get(len(nodes), "sibling" if kind in (SIBLING, ACROSS) else "grandchild")
    program = parts.parse({name: source}).compile(["form", "upos"], 1)
    return set(program.extract(kind, np.array(nodes, np.int32), values).tolist())


def changed(values: np.ndarray, word: int, column: int) -> np.ndarray:
    copy = values.copy()
    copy[word - 1, column] += 50
    return copy


def test_a_template_sees_its_nodes_and_nothing_else() -> None:
    plain = extract("H.form D.upos", FIRST, [2, 4])
    assert len(plain) == 1
    assert plain != extract("H.form D.upos", FIRST, [2, 4], changed(VALUES, 2, 0))
    assert plain != extract("H.form D.upos", FIRST, [2, 4], changed(VALUES, 4, 1))
    assert plain == extract("H.form D.upos", FIRST, [2, 4], changed(VALUES, 4, 0))
    assert plain == extract("H.form D.upos", FIRST, [2, 4], changed(VALUES, 3, 1))


def test_neighbours() -> None:
    plain = extract("H+1.upos D-1.upos", FIRST, [1, 4])
    assert plain != extract("H+1.upos D-1.upos", FIRST, [1, 4], changed(VALUES, 2, 1))
    assert plain != extract("H+1.upos D-1.upos", FIRST, [1, 4], changed(VALUES, 3, 1))
    # The root stands before the first word, and nothing after the last.
    assert extract("D-1.upos D+1.upos", FIRST, [4, 1]) != extract("D-1.upos D+1.upos", FIRST, [1, 4])


def test_apart_leaves_out_neighbours_that_are_in_the_part() -> None:
    source = "H+1.upos D.upos\nH.upos D-1.upos\nH.upos D.upos"

    def found(nodes: list[int], kind: int = FIRST) -> tuple[list[int], list[int]]:
        templates = parts.parse({"first" if kind == FIRST else "sibling": source})
        programs = (each.compile(["form", "upos"], 1) for each in (templates, templates.apart()))
        plain, apart = (each.extract(kind, np.array(nodes, np.int32), VALUES).tolist() for each in programs)
        return plain, apart

    plain, apart = found([1, 3])  # word 2 is beside both, and in no part
    assert apart == plain
    plain, apart = found([1, 2])  # H+1 is D, and D-1 is H
    assert apart == plain[2:]
    plain, apart = found([3, 1])  # D-1 is the root, which is not in this part
    assert apart == plain
    plain, apart = found([0, 1])  # but in this one
    assert apart == plain[2:]
    plain, apart = found([1, 4, 3], SIBLING)  # D-1 is the sibling
    assert apart == [plain[0], plain[2]]
    plain, apart = found([4, 1, -1], SIBLING)  # nothing stands after the last word, and no sibling there
    assert apart == plain


def test_a_sibling_that_is_not_there_is_seen() -> None:
    none = extract("X.upos D.upos", SIBLING, [1, 4, -1])
    assert none != extract("X.upos D.upos", SIBLING, [1, 4, 2])
    assert none == extract("X.upos D.upos", SIBLING, [1, 4, -1], changed(VALUES, 2, 1))
    with pytest.raises(ValueError, match="no such word"):
        extract("X.upos D.upos", SIBLING, [1, -1, 2])


def test_order_and_kind_belong_to_every_feature() -> None:
    same = np.full((4, 2), 7, np.uint32)
    seen = [
        extract("H.upos", SIBLING, [1, 4, 2], same),
        extract("H.upos", SIBLING, [4, 1, 2], same),
        extract("H.upos", SIBLING, [2, 4, 1], same),
        extract("H.upos", ACROSS, [1, 4, 2], same),
    ]
    assert len(set(map(frozenset, seen))) == len(seen)


def test_between_sees_every_value_once() -> None:
    assert len(extract("between.upos", FIRST, [0, 4])) == 2  # 20, 21 and 20 again
    assert len(extract("between.upos", FIRST, [1, 2])) == 0
    assert extract("between.upos", FIRST, [4, 0]) != extract("between.upos", FIRST, [0, 4])


def test_four_words() -> None:
    plain = extract("H.upos Y.form", CHAIN, [1, 2, 3, 4])
    assert plain != extract("H.upos Y.form", CHAIN, [1, 2, 3, 4], changed(VALUES, 4, 0))
    assert plain != extract("H.upos Y.form", BELOW, [1, 2, 3, 4])


SETS = [[*range(30, 30 + size), *[0] * (12 - size)] for size in (2, 3, 0, 12)]  # the features of four words


def crossed(source: str, kind: int, nodes: list[int], sets: list[list[int]] = SETS) -> list[int]:
    templates = parts.parse({"first" if len(nodes) == 2 else "sibling": source})
    assert len(templates.columns) % 12 in (0, 1, 6)
    program = templates.compile(templates.columns, 1)
    upos = [[7]] * 4 if "upos" in templates.columns else [[]] * 4
    columns = [[*own, *members][: len(templates.columns)] for own, members in zip(upos, sets, strict=True)]
    found: list[int] = program.extract(kind, np.array(nodes, np.int32), np.array(columns, np.uint32)).tolist()
    return found


def test_a_product_is_a_feature_for_every_pair() -> None:
    found = crossed("H.feats*D.feats", FIRST, [1, 2])
    assert len(found) == len(set(found)) == 2 * 3
    assert crossed("H.feats*D.feats", FIRST, [2, 3]) == []  # of nothing
    assert len(crossed("H.feats*D.feats", FIRST, [0, 2])) == 3  # the root is one of a kind
    assert len(crossed("H.feats*D.feats", FIRST, [4, 4])) == 64  # of 144: the most
    assert len(crossed("D.feats*X.feats", SIBLING, [1, 2, 4])) == 3 * 12
    assert len(crossed("H.upos H.feats*D.feats", FIRST, [1, 2])) == 6
    assert set(crossed("H.upos H.feats*D.feats", FIRST, [1, 2])).isdisjoint(found)
    less = [row.copy() for row in SETS]
    less[1][2] = 0
    assert set(crossed("H.feats*D.feats", FIRST, [1, 2], less)) < set(found)


def test_a_line_has_one_product() -> None:
    with pytest.raises(ValueError, match="one product"):
        crossed("H.feats*D.feats H.feats*H.feats", FIRST, [1, 2])
    with pytest.raises(ValueError, match="words between"):
        crossed("between.upos H.feats*D.feats", FIRST, [1, 2])


def test_agreement_is_none_one_or_several() -> None:
    members = [[30], [31], [30, 31], [30, 31, 32], []]

    def agreement(one: int, other: int) -> int:
        sets = [[*members[i], *[0] * (6 - len(members[i]))] for i in (one, other, 4, 4)]
        (found,) = crossed("agree.Case", FIRST, [1, 2], sets)
        assert crossed("H~D.agree.Case", FIRST, [1, 2], sets) == [found]
        return found

    none, one, several, unknown = agreement(0, 1), agreement(0, 2), agreement(2, 3), agreement(0, 4)
    assert len({none, one, several, unknown}) == 4
    assert agreement(0, 0) == agreement(2, 1) == one
    assert agreement(3, 3) == several
    assert agreement(4, 4) == unknown


def test_sets_that_are_empty_everywhere_are_not_looked_at() -> None:
    templates = parts.parse({"first": "H.upos H.feats*D.feats\nD.upos agree.Case\nD.upos"})
    left = templates.without(["feats#0", "feats#1", "feats.Case#0"])
    assert left.columns == ["upos"]
    assert len(left.lists["first"]) == 1


@pytest.mark.parametrize(
    ("name", "line", "told"),
    [
        ("first", "X.upos", "no address 'X'"),
        ("first", "H+2.upos", "no address 'H+2'"),
        ("sibling", "Y.upos", "no address 'Y'"),
        ("third", "Y.upso", "Did you mean 'upos'"),
        ("fourth", "H.upos", "no list 'fourth'"),
        ("first", "H.feats*X.feats", "no word 'X'"),
        ("first", "H+1.feats*D.feats", "no word 'H+1'"),
        ("first", "H.feats*D.form", "products are of features"),
        ("first", "H~X.agree.Case", "no word 'X'"),
        ("sibling", "H~X.agree", "agreement of a feature"),
        ("sibling", "H~X.distance", "agreement of a feature"),
    ],
)
def test_faults_are_named(name: str, line: str, told: str) -> None:
    with pytest.raises(FormatError, match=re.escape(told)):
        parts.parse({name: f"H.upos\n{line}"})


def test_lists_are_template_files_like_others() -> None:
    block = parts.parse({"first": "for X in H, D:  # both\n    X.form X.upos"})
    assert block.lists == parts.parse({"first": "H.form H.upos\nD.form D.upos"}).lists
    with pytest.raises(FormatError, match="sibling: there are no templates in it"):
        parts.parse({"first": "H.form", "sibling": "# none"})


def test_silent_columns_leave_no_trace() -> None:
    templates = parts.load(parts.LISTS)
    without = templates.without(["xpos", "lemma"])
    assert {"xpos", "lemma"} <= set(templates.columns)
    assert not {"xpos", "lemma"} & set(without.columns)
    for lines in without.lists.values():
        assert all(lines)
        assert len(set(lines)) == len(lines)


GRAPH = ("first", "sibling", "grandchild")


def lines_of(templates: parts.PartTemplates) -> dict[str, int]:
    return {name: len(lines) for name, lines in templates.lists.items()}


def test_own_lists_stand_for_those_of_plait(tmp_path: Path) -> None:
    (tmp_path / "first.txt").write_text("# mine\nH.form D.form\n")
    (tmp_path / "heads.txt").write_text("for X in H, D:\n    X.lower\n")
    usual = lines_of(parts.load(GRAPH))
    assert lines_of(parts.load(GRAPH, str(tmp_path))) == usual | {"first": 1}
    assert parts.load_ranking(GRAPH, str(tmp_path)).columns == ["lower"]
    alone = str(tmp_path / "first.txt")
    assert lines_of(parts.load(GRAPH, alone)) == usual | {"first": 1}
    assert parts.load_ranking(GRAPH, alone) == parts.load_ranking(GRAPH)


def test_own_lists_see_clusters_and_guide_only_where_they_are(tmp_path: Path) -> None:
    path = tmp_path / "first.txt"
    path.write_text("H.form D.form\n")
    more = parts.load(GRAPH, str(path), clusters=True, guided=True)
    assert {"cluster", "guide.head"} <= set(more.columns)
    path.write_text("H.cluster4 D.cluster4\nD.guide.deprel\n")
    assert len(parts.load(GRAPH, str(path), clusters=True, guided=True).lists["first"]) == 2
    with pytest.raises(
        InputError, match=r"first\.txt: the templates look at a guide's tree, but the parser is"
    ):
        parts.load(GRAPH, str(path), clusters=True)
    heads = tmp_path / "heads.txt"
    heads.write_text("H.upos D.upos\n")
    assert parts.load_ranking(GRAPH, str(heads), guided=True).is_guided
    heads.write_text("guided\n")
    with pytest.raises(InputError, match="not guided"):
        parts.load_ranking(GRAPH, str(heads))


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("first.txt", "H.upos\nH.upso", "first.txt:2: H.upso: no attribute 'upso'. Did you mean 'upos'?"),
        ("sibling.txt", "\n\nY.upos", "sibling.txt:3: Y.upos: no address 'Y'"),
        ("first.txt", "# nothing", "first.txt: there are no templates in it."),
        (
            "first.txt",
            "between.form\nbetween.upos",
            "first.txt: only one column can be seen between words, not form and",
        ),
        ("heads.txt", "X.upos", "heads.txt:1: X.upos: no address 'X'"),
        ("siblings.txt", "H.upos", "siblings.txt: no list 'siblings' of parts. Did you mean 'sibling'?"),
        ("third.txt", "H.upos", "third.txt: no list 'third' of parts."),
        ("first.conllu", "H.upos", "no file in this folder ends in .txt."),
    ],
)
def test_faults_of_own_files_are_named(name: str, text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    load = parts.load_ranking if name == "heads.txt" else parts.load
    with pytest.raises(InputError) as caught:
        load(GRAPH, str(tmp_path))
    assert str(caught.value).startswith(str(tmp_path))
    assert told in str(caught.value)


@pytest.mark.parametrize("features", ["contxt", "no/such", "a\0b"])
def test_a_name_that_is_no_file_is_told_what_there_is(features: str) -> None:
    with pytest.raises(
        InputError, match=r"cannot be read as a template file .* plait: agreement, context, crossed, plain\."
    ):
        parts.load(GRAPH, features)
