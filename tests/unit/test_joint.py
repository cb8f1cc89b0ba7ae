"""Tags chosen while parsing: candidates, pruning in parts, what features see, learning, files."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from plait import FormatError, InputError, Sentence, TransitionParser, Treebank, _core
from plait.components.transition import TransitionOptions
from plait.components.transition.candidates import arrange
from plait.features import templates
from plait.features.compiler import compile_candidates, compile_templates
from plait.features.encoding import Encoder
from plait.layers import Alternatives, Candidate, Candidates
from plait.learning.attachment import attach
from plait.learning.candidates import spread
from plait.learning.component import from_content
from plait.learning.options import read_toml
from plait.learning.request import TagChoice
from plait.learning.workshop import Workshop
from toy import accuracy, best_trees, toy

_WRONG = {"NOUN": "VERB", "VERB": "NOUN", "DET": "PRON", "PRON": "DET", "ADV": "NOUN", "AUX": "VERB"}
SHIFT, LEFT, RIGHT, SWAP = range(4)


def doubted(size: int, seed: int, *, share: float = 0.3) -> tuple[Treebank, Treebank]:
    """A toy treebank, and the same with wrong tags in places and candidates among which the right ones are."""
    gold = toy(size, seed)
    chance = random.Random(seed)
    tagged = [sentence.copy() for sentence in gold]
    for sentence in tagged:
        others, right = {}, {}
        for word, tag in enumerate(list(sentence.upos), 1):
            wrong = _WRONG[tag]
            if chance.random() < share:
                sentence.upos[word - 1], sentence.xpos[word - 1] = wrong, wrong.lower()
                others[word] = [Candidate(tag, tag.lower(), "_", "_", 0.3)]
                right[word] = 1
            elif chance.random() < 0.5:
                others[word] = [Candidate(wrong, wrong.lower(), "_", "_", 0.3)]
        sentence.put(Candidates(others, right))
    return gold, Treebank(tagged, path=gold.path)


def choice_of(sentence: Sentence) -> Candidates:
    found = sentence.find(Candidates)
    assert found is not None
    return found


def joint_parser(**options: object) -> TransitionParser:
    return TransitionParser(**({"joint": True, "beam": 4, "bits": 16, "epochs": 8} | options))


@pytest.fixture(scope="module")
def learned() -> TransitionParser:
    _, tagged = doubted(150, 1)
    return joint_parser().fit(tagged)


def share_right(gold: Sequence[Sentence], found: Sequence[Sentence]) -> float:
    pairs = [
        pair
        for one, other in zip(gold, found, strict=True)
        for pair in zip(one.upos, other.upos, strict=True)
    ]
    return sum(one == other for one, other in pairs) / len(pairs)


def pruned(
    scores: Sequence[float],
    trees: Sequence[int],
    tags: Sequence[int],
    beam: int,
    tag_beam: int,
    feats_beam: int,
) -> list[int]:
    keys = (np.array(each, np.uint64) for each in (trees, tags))
    found: list[int] = _core.prune_in_parts(
        np.array(scores, np.float64), *keys, beam, tag_beam, feats_beam
    ).tolist()
    return found


def test_the_pruning_example_of_the_paper() -> None:
    # (A,x) 9, (A,y) 8, (A,z) 7, (B,x) 6, (C,x) 5, with room for two trees and one variant.
    assert pruned([9, 8, 7, 6, 5], [1, 1, 1, 2, 3], [1, 2, 3, 1, 1], 2, 1, 0) == [0, 1, 3]


def test_features_have_their_own_share_of_the_beam() -> None:
    # Tree, tags and features: (A,x,1) 9, (A,x,2) 8, (A,x,3) 7, (A,y,1) 6, (B,x,1) 5, (A,z,1) 4.
    trees, tags = [1, 1, 1, 1, 2, 1], [1, 1, 1, 2, 1, 3]
    scores = [9, 8, 7, 6, 5, 4]
    assert pruned(scores, trees, tags, 2, 1, 1) == [0, 1, 3, 4]
    assert pruned(scores, trees, tags, 2, 0, 2) == [0, 1, 2, 4]
    assert pruned(scores, trees, tags, 2, 2, 0) == [0, 1, 2, 4], "without their own they compete with tags"
    assert pruned(scores, trees, tags, 1, 2, 1) == [0, 1, 3, 4], "the second tree is a variant like others"
    assert pruned(scores, trees, tags, 2, 0, 0) == [0, 4]


def test_pruning_keeps_the_best_and_the_rest_in_order() -> None:
    chance = random.Random(5)
    for _ in range(200):
        size, beam, tag_beam = chance.randint(1, 20), chance.randint(1, 5), chance.randint(0, 4)
        scores = [float(chance.randint(0, 9)) for _ in range(size)]
        keys = [chance.randint(1, 6) for _ in range(size)]
        kept = pruned(scores, keys, keys, beam, tag_beam, 0)
        order = sorted(range(size), key=lambda i: (-scores[i], i))
        trees: list[int] = []
        for i in order:
            if len(trees) < beam and keys[i] not in [keys[j] for j in trees]:
                trees.append(i)
        rest = [i for i in order if i not in trees][:tag_beam]
        assert kept == sorted(trees + rest, key=order.index)
        if tag_beam == 0:
            assert len({keys[i] for i in kept}) == len(kept)


def test_no_share_is_taken_by_others() -> None:
    chance = random.Random(6)
    for _ in range(200):
        size = chance.randint(1, 30)
        shares = [chance.randint(1, 4), chance.randint(0, 3), chance.randint(1, 3)]
        scores = [float(chance.randint(0, 9)) for _ in range(size)]
        trees, tags = ([chance.randint(1, most) for _ in range(size)] for most in (5, 3))
        order = sorted(range(size), key=lambda i: (-scores[i], i))
        kept, used = [], [0, 0, 0]
        for i in order:
            new_tree = trees[i] not in [trees[j] for j in kept]
            new_tags = (trees[i], tags[i]) not in [(trees[j], tags[j]) for j in kept]
            wanted = [new_tree, new_tags, not new_tags]
            share = next((n for n in range(3) if wanted[n] and used[n] < shares[n]), None)
            if share is not None:
                used[share] += 1
                kept.append(i)
        assert pruned(scores, trees, tags, *shares) == kept


def test_a_parser_chooses_the_tags_that_fit_the_tree(learned: TransitionParser) -> None:
    gold, tagged = doubted(60, 2)
    found = learned.apply(tagged)
    assert share_right(gold, tagged) < 0.8
    assert share_right(gold, found) > 0.95
    assert [s.xpos for s in found] == [[tag.lower() for tag in s.upos] for s in found]


def test_a_parser_chooses_features_that_agree() -> None:
    """Nouns are singular or plural as their determiners are, which the tagger has not seen."""

    def agreeing(size: int, seed: int) -> tuple[Treebank, Treebank]:
        gold = toy(size, seed)
        chance = random.Random(seed)
        for sentence in gold:
            sentence.feats = ["_"] * len(sentence)
            for word, (tag, head) in enumerate(zip(sentence.upos, sentence.heads, strict=True)):
                if tag == "DET" and head:
                    number = chance.choice(["Number=Sing", "Number=Plur"])
                    sentence.feats[word] = sentence.feats[head - 1] = number
        tagged = [sentence.copy() for sentence in gold]
        for sentence in tagged:
            others, right = {}, {}
            for word, (tag, feats) in enumerate(zip(sentence.upos, list(sentence.feats), strict=True), 1):
                if tag == "NOUN" and feats != "_":
                    sentence.feats[word - 1] = "Number=Sing"
                    others[word] = [Candidate(tag, sentence.xpos[word - 1], "Number=Plur", "_", 0.0, 0.05)]
                    right[word] = int(feats == "Number=Plur")
            sentence.put(Candidates(others, right))
        return gold, Treebank(tagged, path=gold.path)

    _, tagged = agreeing(150, 1)
    parser = joint_parser().fit(tagged)
    gold, tagged = agreeing(60, 2)

    def right(found: Sequence[Sentence]) -> float:
        pairs = [
            one == other
            for a, b in zip(gold, found, strict=True)
            for one, other in zip(a.feats, b.feats, strict=True)
        ]
        return sum(pairs) / len(pairs)

    assert right(tagged) < 0.9
    assert right(parser.apply(tagged)) > 0.98


def test_parts_of_the_tree_help_to_choose() -> None:
    _, tagged = doubted(150, 1)
    parser = joint_parser(completion="2a").fit(tagged)
    gold, tagged = doubted(60, 2)
    assert share_right(gold, parser.apply(tagged)) > 0.95


def test_what_is_chosen_is_among_the_candidates(learned: TransitionParser) -> None:
    _, tagged = doubted(40, 3)
    for sentence, own in zip(learned.apply(tagged), tagged, strict=True):
        assert not sentence.layers
        for word in range(1, len(sentence) + 1):
            others = choice_of(own).others.get(word, ())
            possible = [own.upos[word - 1], *(tag.upos for tag in others)]
            assert sentence.upos[word - 1] in possible


def test_without_candidates_words_keep_their_tags(learned: TransitionParser) -> None:
    _, tagged = doubted(20, 4)
    bare = [sentence.copy() for sentence in tagged]
    for sentence in bare:
        sentence.take(Candidates)
    assert [s.upos for s in learned.apply(bare)] == [s.upos for s in tagged]
    none = [sentence.copy() for sentence in bare]
    for sentence in none:
        sentence.put(Candidates())
    assert learned.apply(none).sentences == learned.apply(bare).sentences


@pytest.mark.parametrize(
    ("update", "completion", "feats"),
    [("early", "", 0), ("max-violation", "", 0), ("max-violation", "", 2), ("early", "2a,2b,3a,+", 2)],
)
def test_one_candidate_and_no_more_room_is_the_plain_parser(
    tmp_path: Path, update: str, completion: str, feats: int
) -> None:
    """The same trees and scores: the lines for candidates never come to say anything."""
    plain, joint = tmp_path / "plain.txt", tmp_path / "joint.txt"
    lines = "S0.upos S1.upos\nS0.form\nB0.upos\nS0.upos B0.upos\nS1.form S0.form\n"
    plain.write_text(lines)
    joint.write_text(lines + "C.upos margin rank featsmargin featsrank\n")
    train = toy(60)
    options = {"beam": 4, "bits": 14, "epochs": 3, "update": update, "completion": completion}
    one = TransitionParser(features=str(plain), **options).fit(train)
    room = {"tag_beam": 0, "feats_beam": 0, "feats_per_word": feats}
    other = TransitionParser(features=str(joint), joint=True, **room, **options)
    other.fit(train)
    test = toy(40, 2)
    assert best_trees(one, test, 3) == best_trees(other, test, 3)


def test_the_result_does_not_depend_on_threads(learned: TransitionParser) -> None:
    _, tagged = doubted(60, 5)
    one, three = (learned.apply(tagged, threads=threads) for threads in (1, 3))
    assert one.sentences == three.sentences


def test_the_tagger_counts_as_much_as_its_weight_says(learned: TransitionParser) -> None:
    content = learned.content()
    assert "tag_weight = 2.0\n" in content.config
    _, tagged = doubted(20, 6)
    for weight, same in (0.0, False), (100.0, True):
        config = content.config.replace("tag_weight = 2.0\n", f"tag_weight = {weight}\n")
        parser = from_content(replace(content, config=config), "weighed")
        found = parser.apply(tagged)
        assert ([each.upos for each in found] == [each.upos for each in tagged]) == same


def test_a_model_from_before_features_were_apart_is_what_it_was() -> None:
    _, tagged = doubted(60, 1)
    options = {"feats_per_word": 0, "tag_weight": 0.0, "epochs": 3}
    parser = joint_parser(**options).fit(tagged)
    content = parser.content()
    lines = [line for line in content.config.splitlines() if not line.startswith(("feats_", "tag_weight"))]
    older = from_content(replace(content, config="\n".join(lines)), "older")
    assert older.options.tag_beams == (parser.options.tag_beam, 0)
    assert older.choice() == TagChoice(parser.options.tags_per_word, parser.options.tag_margin)
    _, tagged = doubted(20, 6)
    assert older.apply(tagged).sentences == parser.apply(tagged).sentences


def test_a_saved_parser_is_the_same(learned: TransitionParser, tmp_path: Path) -> None:
    _, tagged = doubted(30, 6)
    learned.save(tmp_path / "model")
    again = TransitionParser.load(tmp_path / "model")
    assert again.options == learned.options
    assert again.apply(tagged).sentences == learned.apply(tagged).sentences


def test_the_same_data_give_the_same_bytes(tmp_path: Path) -> None:
    _, tagged = doubted(40, 1)
    for name in ("one", "two"):
        joint_parser(epochs=2).fit(tagged).save(tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_several_trees_come_with_their_tags(learned: TransitionParser) -> None:
    _, tagged = doubted(10, 7)
    chosen = 0
    for sentence, best in zip(tagged, learned.apply(tagged, nbest=3), strict=True):
        parses = list(best.find(Alternatives) or ())
        assert 1 <= len(parses) <= 3
        assert len({(tuple(parse.heads), tuple(parse.labels)) for parse in parses}) == len(parses)
        chosen += len(parses[0].tags)
        twin = sentence.copy()
        attach(twin, parses[0])
        assert (twin.upos, twin.heads) == (best.upos, best.heads)
    assert chosen > 0


def test_a_derivation_is_shown_with_the_tags_of_the_sentence(learned: TransitionParser) -> None:
    sentence = toy(1, 8)[0]
    trace = learned.trace(sentence)
    assert trace.tree().heads == learned.apply([sentence])[0].heads
    doubtful = sentence.copy()
    doubtful.put(Candidates({1: [Candidate("VERB", "verb", "_", "_", 0.1)]}))
    assert learned.trace(doubtful).tree() == trace.tree()
    assert doubtful.find(Candidates) is not None


def test_a_training_can_be_resumed(tmp_path: Path) -> None:
    _, tagged = doubted(40, 1)
    _, dev = doubted(20, 2)
    whole = joint_parser(epochs=4).fit(tagged, dev=dev)
    joint_parser(epochs=2).fit(tagged, dev=dev, workshop=Workshop(tmp_path))
    again = joint_parser(epochs=4).fit(tagged, dev=dev, workshop=Workshop(tmp_path, resume=True))
    assert [epoch.scores for epoch in again.history_] == [epoch.scores for epoch in whole.history_]
    other = [sentence.copy() for sentence in tagged]
    other[0].put(Candidates())
    with pytest.raises(InputError, match="another treebank"):
        joint_parser(epochs=4).fit(other, dev=dev, workshop=Workshop(tmp_path, resume=True))


class TestFeatures:
    """What features see of tags: a word that was shifted its own, one that was not the best."""

    forms = ("a", "b", "c")

    def values(self, tags: dict[int, tuple[str, str]], lines: str) -> tuple[np.ndarray, np.ndarray]:
        upos = [tags.get(word, ("X", "Y"))[0] for word in (1, 2, 3)]
        others = {word: [Candidate(tags.get(word, ("X", "Y"))[1], "_", "_", "_", 0.2)] for word in (1, 2, 3)}
        sentence = Sentence(forms=list(self.forms), upos=upos)
        sentence.put(Candidates(others))
        columns = templates.parse(lines, joint=True).columns
        rows, _ = Encoder(columns).encode([spread(sentence)])
        found = arrange(rows, [sentence])
        return found.values, found.starts

    def seen(self, tags: dict[int, tuple[str, str]]) -> list[int]:
        """After SHIFT of the second candidate of word 1, with words 2 and 3 in the buffer."""
        lines = "S0.upos\nB0.upos\nB1.upos\nS0.upos B0.upos"
        state = _core.State(3, 0, False)
        state.apply(SHIFT, 1)
        values, starts = self.values(tags, lines)
        program = compile_templates(templates.parse(lines, joint=True))
        return program.extract(state, values, starts=starts).tolist()

    def test_a_word_on_the_stack_shows_the_tag_it_was_given(self) -> None:
        assert self.seen({1: ("P", "Y")}) == self.seen({1: ("Q", "Y")})
        assert self.seen({1: ("X", "P")}) != self.seen({1: ("X", "Q")})

    def test_a_word_in_the_buffer_shows_its_best_tag(self) -> None:
        for word in (2, 3):
            assert self.seen({word: ("X", "P")}) == self.seen({word: ("X", "Q")})
            assert self.seen({word: ("P", "Y")}) != self.seen({word: ("Q", "Y")})

    def test_a_word_that_swap_sent_back_keeps_its_tag(self) -> None:
        state = _core.State(3, 0, False)
        for kind, label in (SHIFT, 1), (SHIFT, 0), (SWAP, -1):
            state.apply(kind, label)
        lines = "B0.upos"
        program = compile_templates(templates.parse(lines, joint=True))
        found = [
            program.extract(
                state, *self.values({1: pair}, lines)[:1], starts=self.values({}, lines)[1]
            ).tolist()
            for pair in (("P", "Y"), ("Q", "Y"), ("X", "Z"))
        ]
        assert found[0] == found[1] != found[2]

    def test_a_candidate_is_seen_with_its_rank_and_margin(self) -> None:
        lines = "C.upos\nrank\nmargin\nC.upos B0.form"
        program = compile_candidates(templates.parse(lines, joint=True))
        values, starts = self.values({}, lines)
        state = _core.State(3, 0, False)
        first, second = (program.extract(state, values, starts=starts, tag=tag).tolist() for tag in (0, 1))
        assert len(first) == 4
        assert not set(first) & set(second)

    def test_tags_and_features_have_ranks_and_margins_of_their_own(self) -> None:
        sentence = Sentence(forms=["a"], upos=["X"], feats=["F=1"])
        rows = [
            Candidate("X", "_", "F=2", "_", 0.0, 0.1),
            Candidate("Y", "_", "F=1", "_", 0.3),
            Candidate("Y", "_", "F=2", "_", 0.3, 0.6),
            Candidate("Z", "_", "_", "_", 99.0),
        ]
        sentence.put(Candidates({1: rows}))
        encoded, _ = Encoder(["form"]).encode([spread(sentence)])
        found = arrange(encoded, [sentence])
        assert found.tags.tolist() == [0, 0, 1, 1, 2]
        assert (found.values[:, -4:] - 2).tolist() == [
            [0, 0, 0, 0],
            [0, 0, 1, 2],
            [1, 6, 0, 0],
            [1, 6, 1, 12],
            [2, 40, 0, 0],
        ]
        together = arrange(encoded, [sentence], apart=False)
        assert together.tags.tolist() == [0, 1, 2, 3, 4]
        assert (together.values[:, -4] - 2).tolist() == [0, 1, 2, 3, 4]
        assert np.allclose(found.margins, [0, 0.1, 0.3, 0.9, 2])

    def test_templates_of_candidates_are_for_joint_parsers(self) -> None:
        with pytest.raises(InputError, match="joint"):
            templates.parse("C.upos S0.upos")


class TestOptions:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"beam": 1}, "beam must be greater"),
            ({"system": "eager"}, "not in 'eager'"),
            ({"tag_margin": -1.0}, "tag_margin"),
            ({"tags_per_word": 0}, "tags_per_word"),
            ({"feats_per_word": -1}, "feats_per_word"),
            ({"feats_beam": 5000}, "feats_beam"),
            ({"tag_weight": -1.0}, "tag_weight"),
        ],
    )
    def test_what_does_not_go_together(self, options: dict[str, object], message: str) -> None:
        with pytest.raises(InputError, match=message):
            joint_parser(**options)

    def test_a_plain_parser_leaves_candidates_aside(self) -> None:
        gold, tagged = doubted(5, 1)
        parser = TransitionParser(bits=12, epochs=1).fit(tagged)
        assert parser.choice() is None
        assert [sentence.upos for sentence in parser.apply(tagged)] == [sentence.upos for sentence in tagged]
        assert gold.sentences != tagged.sentences

    def test_truths_are_written_and_read(self) -> None:
        options = TransitionOptions(joint=True, beam=2)
        assert TransitionOptions.from_dict(read_toml(options.to_toml())) == options
        assert TransitionOptions.parse_setting("joint=true") == ("joint", True)
        for wrong in ("joint=1", "joint=yes"):
            with pytest.raises(InputError, match="true or false"):
                TransitionOptions.parse_setting(wrong)
        with pytest.raises(InputError, match="true or false"):
            TransitionOptions.from_dict({"joint": 1})


def test_a_standard_parser_can_choose_too() -> None:
    gold, tagged = doubted(60, 1)
    parser = joint_parser(system="standard", projectivize="head", epochs=4)
    found = parser.fit(tagged).apply(tagged)
    assert share_right(gold, found) > 0.95
    assert accuracy(parser, gold) > 0.8


class TestFaults:
    """Candidates that cannot be."""

    @pytest.mark.parametrize(
        ("choice", "message"),
        [
            (Candidates({9: [Candidate("X", "_", "_", "_", 0.1)]}), "word 9"),
            (Candidates({1: [Candidate("X", "_", "_", "_", -0.1)]}), "margin of word 1"),
            (Candidates({1: [Candidate("X", "_", "_", "_", 0.0, float("nan"))]}), "margin of word 1"),
            (Candidates({1: [Candidate("X", "_", "_", "_", 0.1)] * 254}), "255 candidates"),
        ],
    )
    def test_in_parsing(self, learned: TransitionParser, choice: Candidates, message: str) -> None:
        sentence = Sentence(forms=["a", "b"], upos=["DET", "NOUN"])
        sentence.put(choice)
        with pytest.raises(FormatError, match=message):
            learned.apply([sentence])

    def test_in_learning(self) -> None:
        train = toy(3)
        train[0].put(Candidates({}, {1: 1}))
        with pytest.raises(FormatError, match="no such candidate"):
            joint_parser().fit(train)
