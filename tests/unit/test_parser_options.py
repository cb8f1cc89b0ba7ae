"""What a parser is told: strict names and values, and what the treebank itself decides."""

from __future__ import annotations

from pathlib import Path

import pytest

import plait
from plait import InputError, TransitionParser
from plait.components.transition import TransitionOptions
from plait.features.templates import text_of
from plait.learning import epochs
from plait.learning.epochs import Epoch
from plait.learning.lessons import Lessons
from plait.learning.options import read_toml
from plait.learning.plan import Plan
from toy import quick_parser, toy

TRAIN, DEV = toy(80), toy(30, seed=2)


def test_options_are_strict() -> None:
    for message, options in (
        ("No option 'sistem'. Did you mean 'system'?", {"sistem": "swap"}),
        ("No option 'zzz'. Available: epochs, ", {"zzz": 1}),
        ("beam must be a whole number, not '8'", {"beam": "8"}),
        ("beam must be a whole number, not True", {"beam": True}),
        ("beam is 0 but must be from 1 to 4,096", {"beam": 0}),
        ("No oracle 'dynamic' for system 'swap'. Available: eager, lazy,", {"oracle": "dynamic"}),
        ("No system 'hybrid'. Available: swap, standard, eager, spine, spine-swap.", {"system": "hybrid"}),
        ("projectivize goes with the others", {"projectivize": "head"}),
    ):
        with pytest.raises(InputError) as caught:
            TransitionParser(**options)
        assert message in str(caught.value)


def test_options_survive_their_file() -> None:
    options = TransitionOptions(beam=3, explore=0.25, features='odd "path"\\here.txt')
    assert TransitionOptions.from_dict(read_toml(options.to_toml())) == options
    plan = Plan("transition", options)
    assert Plan.of(read_toml(plan.to_toml("parser"))["parser"]) == plan
    with pytest.raises(InputError, match="not TOML"):
        read_toml("[parser")
    assert TransitionOptions.parse_setting("explore=0.5") == ("explore", 0.5)
    for setting in "beam", "beam=x", "bem=3":
        with pytest.raises(InputError):
            TransitionOptions.parse_setting(setting)


def test_the_small_list_is_that_of_the_system_or_its_usual_one() -> None:
    for system, features in (("swap", "swap-small"), ("eager", "eager"), ("spine", "spine-small")):
        assert TransitionOptions(system=system, features="small").chosen_features == features
    parser = quick_parser(features="small").fit(TRAIN)
    assert parser.state.setup.templates.source == text_of("swap-small")


@pytest.mark.parametrize(
    ("system", "beam", "oracle"),
    [
        ("swap", 1, "nd-all"),
        ("swap", 8, "lazy"),
        ("eager", 1, "dynamic"),
        ("spine", 1, "static"),
        ("spine", 8, "nd-all"),
        ("spine-swap", 1, "nd-all"),
    ],
)
def test_the_usual_oracle(system: str, beam: int, oracle: str) -> None:
    assert TransitionOptions(system=system, beam=beam).chosen_oracle == oracle


def test_what_has_not_learned_cannot_parse(tmp_path: Path) -> None:
    for use in (
        lambda: TransitionParser().apply(DEV),
        lambda: TransitionParser().trace(DEV[0]),
        lambda: TransitionParser().save(tmp_path / "x"),
        lambda: TransitionParser().compact(),
    ):
        with pytest.raises(InputError, match="has not learned anything yet"):
            use()
    for search in {"beam": 0}, {"threads": 0}:
        with pytest.raises(InputError, match="must be from 1"):
            quick_parser(epochs=1).fit(TRAIN).apply(DEV, **search)


def test_columns_that_say_nothing_are_left_out_of_the_features(tmp_path: Path) -> None:
    parser = quick_parser(epochs=1).fit(TRAIN)
    assert {"lemma", "feats"} <= set(parser.state.setup.silent)
    assert not {"form", "upos", "xpos"} & set(parser.state.setup.silent)
    parser.save(tmp_path / "toy")
    seen = TransitionParser.load(tmp_path / "toy").state.setup.templates
    assert seen.lines == parser.state.setup.templates.lines
    assert "lemma" not in seen.columns


def test_more_features_than_the_core_can_hold_are_bad_input(tmp_path: Path) -> None:
    sides = [f"S{i}.{side}{j}.{side}1.form" for i in range(10) for side in ("left", "right") for j in (1, 2)]
    (tmp_path / "deep.txt").write_text("\n".join(sides))
    with pytest.raises(InputError, match=r"deep.txt, toy1.conllu: too many addresses"):
        quick_parser(features=str(tmp_path / "deep.txt")).fit(TRAIN)


def test_the_metric_chooses_the_epoch() -> None:
    """Where only subtypes are hard to learn, LAS without them has long found its best epoch."""
    train, dev = toy(60), toy(40, seed=2)
    for sentence in (*train, *dev):
        sentence.deprels = [f"{label}:{len(set(sentence.forms))}" for label in sentence.deprels]
    chosen = {}
    for metric in "las", "las_full":
        parser = quick_parser(metric=metric, patience=6).fit(train, dev=dev)
        scores = [epoch.scores[metric] for epoch in parser.history_]
        chosen[metric] = parser.best_epoch_
        assert parser.best_epoch_ == scores.index(max(scores)) + 1
        found = plait.evaluate(dev, parser.apply(dev))
        best = parser.history_[parser.best_epoch_ - 1]
        assert best.scores == pytest.approx(
            {name: getattr(found, name) for name in ("las", "uas", "las_full")}
        )
        assert parser.scores_ == best.scores
    assert chosen["las"] != chosen["las_full"]


def test_patience_is_of_the_same_mind() -> None:
    """LAS is best in the first epoch, with whole labels in the second."""
    scores = [(90.0, 70.0), (89.0, 80.0), (88.0, 79.0)]
    history = [Epoch(i, 0.0, {}, {"las": las, "las_full": full}) for i, (las, full) in enumerate(scores, 1)]
    for metric, best, done in ("las", 1, True), ("las_full", 2, False):
        parser = quick_parser(epochs=10, patience=2, metric=metric)
        learner = parser.prepare(Lessons.of(TRAIN), Lessons.of(DEV))
        assert epochs._best(learner, history).number == best
        assert epochs._is_enough(learner, history, parser.options) is done


def test_a_parser_forgets_scores_that_are_not_its_own() -> None:
    parser = quick_parser(precision="float32", epochs=1).fit(TRAIN, dev=DEV)
    parser.compact()
    assert parser.scores_ == {}
