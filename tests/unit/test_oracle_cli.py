"""`plait oracle` and `plait lattice` as a user meets them."""

import json
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from plait import Sentence, TransitionParser, write
from plait.drawing.derivation import draw_derivation
from plait.drawing.growth import draw_growth
from plait.drawing.lattice import draw_lattice
from plait.errors import InputError, OutputError, PlaitError
from plait.transitions import SYSTEMS, LatticeTooLargeError, build_lattice, derive
from plait.transitions.comparison import fit_growth
from toy import toy

Command = Callable[..., Any]

AFTER = Sentence(
    forms=["That", "'s", "what", "they", "'re", "after"],
    heads=[2, 0, 6, 5, 2, 5],
    deprels=["nsubj", "root", "obj", "nsubj", "ccomp", "case"],
    comments=["# sent_id = after"],
)
LIKES = Sentence(forms=["A", "likes", "B"], heads=[2, 0, 2], deprels=["nsubj", "root", "obj"])
CYCLE = Sentence(forms=["a", "b"], heads=[2, 1], deprels=["x", "y"], comments=["# sent_id = cycle"])
SEVERAL = Sentence(forms=["a", "b"], heads=[0, 0], deprels=["root", "root"], comments=["# sent_id = several"])


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def make(*sentences: Sentence, name: str = "file.conllu") -> Path:
        write([sentence.copy() for sentence in sentences], tmp_path / name)
        return tmp_path / name

    return make


def test_derivations_are_readable_blocks(plait_command: Command, file: Callable[..., Path]) -> None:
    result = plait_command("oracle", file(LIKES, AFTER))
    assert (result.status, result.err) == (0, "")
    first, second, rest = result.out.split("\n\n")
    assert rest == ""
    assert first.splitlines() == [
        "# text = A likes B",
        "[ROOT₀]            [A₁ likes₂ B₃]  SHIFT",
        "[ROOT₀ A₁]         [likes₂ B₃]     SHIFT",
        "[ROOT₀ A₁ likes₂]  [B₃]            LEFT-ARC(nsubj)  likes₂ → A₁",
        "[ROOT₀ likes₂]     [B₃]            SHIFT",
        "[ROOT₀ likes₂ B₃]  []              RIGHT-ARC(obj)   likes₂ → B₃",
        "[ROOT₀ likes₂]     []              RIGHT-ARC(root)  ROOT₀ → likes₂",
    ]
    assert second.splitlines()[0] == "# sent_id = after"
    assert len(second.splitlines()) == 2 + 14


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (["--oracle", "eager"], ["SSLSRR", "SSLSSWSSWLSSLRRR"]),
        (["--oracle", "lazy"], ["SSLSRR", "SSLSSSLWSSLRRR"]),
        (["--oracle", "minimal", "--single-root"], ["SSLSRR", "SSLSSSLWSSLRRR"]),
        (["--system", "standard", "--projectivize", "head"], ["SSLSRR", "SSLSSSLLSRRR"]),
        (["--system", "eager", "--projectivize", "head+path"], ["SLSRDL", "SLSSSLLRRDDL"]),
        (["--system", "spine", "--projectivize", "head"], ["SSLRSR2", "SSLRSSSLLR2SR3"]),
        (["--system", "spine-swap"], ["SSLRSR2", "SSLRSSWSSWLR2SSLR3"]),
    ],
)
def test_letters(
    plait_command: Command, file: Callable[..., Path], options: list[str], lines: list[str]
) -> None:
    result = plait_command("oracle", file(LIKES, AFTER), "--derivations", *options)
    assert (result.status, result.out.split(), result.err) == (0, lines, "")


def test_json_counts_over_all_files(plait_command: Command, file: Callable[..., Path]) -> None:
    files = file(LIKES, CYCLE, AFTER), file(SEVERAL, name="second.conllu")
    result = plait_command("oracle", *files, "--oracle", "eager", "--json", "--lenient")
    assert result.status == 0
    assert json.loads(result.out) == {
        "sentences": 3,
        "words": 11,
        "transitions": 6 + 16 + 4,
        "swaps": 2,
        "skipped": 1,
        "over_budget": 0,
        "slope": 2.4898,
        "r_squared": 0.9487,
    }
    assert "(sent_id cycle): the heads form a cycle: 1 → 2 → 1." in result.err


def test_a_search_cut_short_is_counted(plait_command: Command, file: Callable[..., Path]) -> None:
    hard = Sentence(forms=list("abcdefgh"), heads=[4, 7, 0, 6, 3, 2, 5, 1], deprels=["x"] * 8)
    enough = plait_command("oracle", file(hard), "--oracle", "minimal", "--json")
    short = plait_command("oracle", file(hard), "--oracle", "minimal", "--json", "--budget", "0")
    assert (json.loads(enough.out)["over_budget"], json.loads(short.out)["over_budget"]) == (0, 1)
    table = plait_command("oracle", file(hard), "--compare", "--budget", "0")
    assert "MINIMAL was cut short on 1 sentences" in table.out


@pytest.mark.parametrize(
    ("sentence", "options", "message"),
    [
        (CYCLE, [], "(sent_id cycle): the heads form a cycle"),
        (AFTER, ["--system", "eager"], "(sent_id after): the tree is not projective, and the system 'eager'"),
        (SEVERAL, ["--single-root"], "(sent_id several): 2 words hang from the root"),
    ],
)
def test_what_cannot_be_derived_is_an_error_with_its_place(
    plait_command: Command, file: Callable[..., Path], sentence: Sentence, options: list[str], message: str
) -> None:
    path = file(LIKES, sentence)
    result = plait_command("oracle", path, "--derivations", *options)
    assert result.status == 2
    assert f"{path}:5 {message}" in result.err
    lenient = plait_command("oracle", path, "--derivations", "--lenient", *options)
    assert (lenient.status, lenient.out.count("\n")) == (0, 1)
    assert "1 bad sentence left out" in lenient.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--oracle", "dynamic"], "No oracle 'dynamic' for system 'swap'. Available: eager, lazy, minimal,"),
        (["--system", "arc"], "No transition system 'arc'. Available: swap, standard, eager, spine"),
        (["--compare", "--system", "eager"], "--compare speaks of the oracles of the swap system"),
        (["--compare", "--derivations"], "Only one of --compare, --derivations, --json"),
        (["--plot", "growth.xyz"], "growth.xyz: Format 'xyz' is not supported"),
        (["--projectivize", "tail"], "'tail' is not one of 'baseline', 'head', 'path', 'head+path'"),
    ],
)
def test_wrong_options(
    plait_command: Command, file: Callable[..., Path], options: list[str], message: str
) -> None:
    if "--plot" in options:
        pytest.importorskip("matplotlib")
    result = plait_command("oracle", file(LIKES), *options)
    assert (result.status, result.out) == (2, "")
    assert message in result.err


def test_a_missing_file(plait_command: Command) -> None:
    for verb in ("oracle", "lattice"):
        result = plait_command(verb, "missing.conllu")
        assert (result.status, result.err) == (2, "plait: missing.conllu: there is no such file.\n")


def test_comparison(plait_command: Command, file: Callable[..., Path]) -> None:
    files = file(LIKES, AFTER), file(LIKES, name="second.conllu")
    header, first, second, total, note = plait_command("oracle", "--compare", *files).out.splitlines()
    assert header.startswith("file")
    assert first.split()[1:] == ["2", "9", "50.00", "2", "50.0%", "50.0%", "0.00"]
    assert second.split()[1:] == ["1", "3", "100.00", "0", "–", "–", "0.00"]
    assert total.split()[1:3] == ["3", "12"]
    assert "ND-ALL" in note
    document = json.loads(plait_command("oracle", "--compare", "--json", *files).out)
    assert document["total"] == {
        "sentences": 3,
        "words": 12,
        "projective": 2,
        "eager_swaps": 2,
        "lazy_swaps": 1,
        "minimal_swaps": 1,
        "unique": 0,
        "over_budget": 0,
    }


def test_a_file_without_sentences(plait_command: Command, tmp_path: Path) -> None:
    path = tmp_path / "comments.conllu"
    path.write_text("\n\n")
    for arguments in (["oracle", "--json"], ["oracle", "--compare"], ["lattice"]):
        result = plait_command(*arguments, path)
        assert result.status in (0, 2), result.err
        assert "Traceback" not in result.err


def test_growth_is_least_squares_through_the_origin() -> None:
    growth = fit_growth([1, 2, 4], [2, 4, 8])
    assert (growth.slope, growth.r_squared) == (2.0, 1.0)
    assert str(fit_growth([1, 2, 3], [2, 5, 6])) == "m = 2.14·n (R² = 0.92)"
    assert fit_growth([3, 3], [6, 6]).r_squared == 1.0
    assert str(fit_growth([], [])) == "m = nan·n (R² = nan)"


def test_plot(plait_command: Command, file: Callable[..., Path], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    result = plait_command("oracle", file(LIKES, AFTER), "--plot", "growth.png")
    assert result.out.startswith("growth.png: 2 sentences, m = 2.27·n (R² = 0.9")
    assert (tmp_path / "growth.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(OutputError, match=r"no/growth.png: cannot be written: No such file"):
        draw_growth([1], [2], fit_growth([1], [2]), "no/growth.png")


def test_the_transitions_of_a_parser(plait_command: Command, tmp_path: Path) -> None:
    parser = TransitionParser(beam=1, bits=14, epochs=8).fit(toy(60))
    parser.save(tmp_path / "parser")
    new = toy(40, seed=2)
    write(new, tmp_path / "new.conllu")
    result = plait_command("oracle", tmp_path / "new.conllu", "--parser", tmp_path / "parser", "--json")
    assert result.status == 0, result.err
    found = json.loads(result.out)
    # The toy can be learned without a mistake, so every crossing clause is swapped into its place.
    assert found["words"] == sum(map(len, new))
    assert found["transitions"] == 2 * found["words"] + 2 * found["swaps"]
    assert found["swaps"] > 0
    result = plait_command("oracle", tmp_path / "new.conllu", "--parser", tmp_path / "parser")
    assert result.status == 2
    assert "--parser goes with --plot and --json" in result.err


def test_a_plot_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(PlaitError, match=r"pip install 'plait\[plot\]'"):
        draw_growth([1], [2], fit_growth([1], [2]), "growth.png")


def test_lattice(plait_command: Command, file: Callable[..., Path], tmp_path: Path) -> None:
    path = file(AFTER, LIKES)
    result = plait_command("lattice", path, "--sentence", "2", "-o", "lattice.svg")
    assert (result.status, result.out) == (0, "lattice.svg: 2 derivations, 9 states\n")
    assert ElementTree.parse(tmp_path / "lattice.svg").getroot().tag.endswith("svg")
    counts = json.loads(plait_command("lattice", path, "--sentence", "2", "--json").out)
    assert counts == {"derivations": 2, "states": 9, "transitions": 9}
    assert plait_command("lattice", path, "--sentence", "2").out == (tmp_path / "lattice.svg").read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--sentence", "3"], "there is no sentence 3; the file has 2."),
        (["--limit", "5"], ":1 (sent_id after): the lattice has more than 5 states; --limit allows more"),
        (["--system", "standard"], ":1 (sent_id after): the tree is not projective"),
        (["--sentence", "2"], "the heads form a cycle"),
    ],
)
def test_no_lattice(
    plait_command: Command, file: Callable[..., Path], options: list[str], message: str
) -> None:
    result = plait_command("lattice", file(AFTER, CYCLE), *options)
    assert (result.status, result.out) == (2, "")
    assert message in result.err


def test_a_lattice_has_a_limit() -> None:
    with pytest.raises(LatticeTooLargeError, match="more than 5 states"):
        build_lattice([2, 0, 2], limit=5)
    with pytest.raises(InputError, match="several words"):
        build_lattice([0, 0], single_root=True)


def test_nothing_in_a_sentence_breaks_out_of_the_picture() -> None:
    evil = ["<script>", "&amp;", "\"'>", "]]>", "\x00\x08\ufffe", "אבג"]
    sentence = Sentence(forms=evil, heads=[2, 0, 2, 3, 3, 3], deprels=["</svg>", "\x01", "<", ">", "&", '"'])
    for system in SYSTEMS:
        picture = draw_lattice(build_lattice(sentence, system=system))
        root = ElementTree.fromstring(picture)
        assert "script" not in {element.tag.rpartition("}")[2] for element in root.iter()}
        shown = "".join(root.itertext())
        assert all(form in shown for form in ("<script>", "&amp;", "אבג"))


def test_the_picture_of_a_sentence_without_words() -> None:
    assert "1 derivation, 1 states" in draw_lattice(build_lattice([]))


def test_the_pictures_of_the_pages_are_current() -> None:
    docs = Path(__file__).resolve().parents[2] / "docs"
    drawn = runpy.run_path(str(docs / "draw.py"))["pictures"]()
    kept = {path.name: path.read_text(encoding="utf-8") for path in (docs / "pictures").glob("*.svg")}
    for name, picture in drawn.items():
        assert kept.get(name) == picture, f"{name}: python docs/draw.py"


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_derivation_as_a_picture(system: str) -> None:
    evil = Sentence(forms=["<b>", "日本", "\x00"], heads=[2, 0, 2], deprels=["&", "root", "</svg>"])
    root = ElementTree.fromstring(draw_derivation(derive(evil, system=system)))
    shown = "".join(root.itertext())
    assert "<b>" in shown
    assert "LEFT-ARC(&)" in shown
    assert ElementTree.fromstring(draw_derivation([])) is not None
