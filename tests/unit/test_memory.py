"""What is remembered of words: computed once, within bounds, shared by threads."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from plait import Sentence
from plait.features import memory
from plait.features.encoding import Encoder
from plait.features.memory import Memory, RowMemory


def rows_of(word: str) -> tuple[list[int], int]:
    return [len(word), ord(word[0])], int(word[1:])


def test_a_word_is_looked_up_once() -> None:
    asked: list[str] = []
    found = Memory(lambda word: asked.append(word) or len(word))
    assert [found[word] for word in ("a", "bb", "a", "bb")] == [1, 2, 1, 2]
    assert asked == ["a", "bb"]


def test_without_a_way_to_find_it_a_new_word_is_unknown() -> None:
    found: Memory[str, int] = Memory()
    found.learn({"a": 1})
    assert found["a"] == 1
    with pytest.raises(KeyError):
        found["b"]


@pytest.mark.parametrize("learns", [True, False], ids=["together", "one by one"])
def test_many_words_or_long_ones_fill_it(learns: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_MOST_WORDS", 3)
    monkeypatch.setattr(memory, "_MOST_CHARACTERS", 10)

    def filled(*words: tuple[str, ...]) -> bool:
        found: Memory[tuple[str, ...], int] = Memory(len)
        if learns:
            found.learn(dict.fromkeys(words, 2))
        else:
            list(map(found.__getitem__, words))
        return found.is_full

    assert not filled(("a", "b"), ("c", "d"), ("e", "f"))
    assert filled(*[("a", letter) for letter in "abcd"])
    assert not filled(("aaaaa", "bbbbb"))
    assert filled(("aaaaa", "bbbbbb"))


def test_rows_of_several_tables_grow_together() -> None:
    words = [f"w{number % 3000}" for number in range(5000)]
    memory_of_two = RowMemory(rows_of, np.empty((0, 2), np.uint32), np.empty(0, np.int32))
    values, sets = memory_of_two.rows(words, len(words))
    assert values.dtype == np.uint32
    assert values.tolist() == [rows_of(word)[0] for word in words]
    assert sets.dtype == np.int32
    assert sets.tolist() == [rows_of(word)[1] for word in words]


def test_a_full_memory_starts_anew_with_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_MOST_WORDS", 4)
    encoder = Encoder(["form", "suffix2"])
    sentences = [Sentence(forms=[f"{letter}{number}" for number in range(3)]) for letter in "abcabc"]
    one_by_one = [encoder.encode([sentence])[0].tolist() for sentence in sentences]
    assert one_by_one[:3] == one_by_one[3:]
    assert one_by_one == [Encoder(["form", "suffix2"]).encode([each])[0].tolist() for each in sentences]
    assert len(encoder._words._numbers) <= 4 + 3


def test_threads_share_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_MOST_WORDS", 50)

    def slow(word: str) -> tuple[list[int], int]:
        time.sleep(0.0001)  # another thread may go on
        return rows_of(word)

    shared = RowMemory(slow, np.empty((0, 2), np.uint32), np.empty(0, np.int32))

    def work(start: int) -> bool:
        numbers = list(range(start, start + 40))
        return shared.rows([f"w{number}" for number in numbers], 40)[1].tolist() == numbers

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(0, 400, 40)))
