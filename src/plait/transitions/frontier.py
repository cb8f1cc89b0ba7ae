"""Parsing with scores from elsewhere: a net, a table, anything that can fill an array."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plait import _core
from plait.errors import InputError
from plait.transitions.addresses import Addresses
from plait.transitions.batch import Derivations
from plait.transitions.minimal import BUDGET
from plait.transitions.registry import oracle_name
from plait.transitions.repertoire import Repertoire
from plait.transitions.table import ORACLE_CODES, SYSTEM_FACTS

SLOTS = ("S0", "S1", "S2", "B0", "B1", "S0.left1", "S0.right1", "S1.left1", "S1.right1")


@dataclass(frozen=True, slots=True)
class Arcs:
    """Heads of all words of a batch, one sentence after the other, and the numbers of their labels; -1 is none."""

    heads: NDArray[np.int32]
    labels: NDArray[np.int32] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """Trees of the sentences that are finished, the best of all of them, then the second best ...; the others have
    heads of -1 and a score of -inf, as has a tree that was not found. `margins` of words: by how much the head of the
    best tree won. `derivations` are those of the best trees.
    """

    heads: NDArray[np.int32]
    labels: NDArray[np.int32]
    margins: NDArray[np.float32]
    scores: NDArray[np.float64]
    derivations: Derivations


class Frontier:
    """States of many sentences on their way through a transition system. It shows what they look at, takes scores of
    their transitions and advances all of them, until there are none left. A scorer at random:

    >>> import numpy as np
    >>> from plait.transitions import Frontier, Repertoire
    >>> chance = np.random.default_rng(7)
    >>> lengths, repertoire = [3, 5], Repertoire(["nsubj", "obj", "root"])
    >>> words = chance.normal(size=(sum(lengths) + 2, 8))  # a vector per word, one of the root, one of nothing
    >>> frontier = Frontier(lengths, repertoire)
    >>> weights = chance.normal(size=(len(frontier.slot_names) * 8, len(repertoire)))
    >>> while len(frontier):
    ...     slots = frontier.slots  # words count from 1 in their sentence, 0 is the root, -1 is nothing
    ...     rows = np.where(slots > 0, slots + frontier.offsets[frontier.sentences][:, None] - 1, slots - 1)
    ...     frontier.advance(words[rows].reshape(len(frontier), -1) @ weights)
    >>> outcome = frontier.outcome
    >>> [len(derivation) >= 2 * length for derivation, length in zip(outcome.derivations, lengths)]
    [True, True]

    With a `beam` of more than 1 every sentence has so many states, and may have as many trees as `best` says. Slots are
    addresses (`plait.transitions.addresses`). Given arcs are preferred to all others. With gold trees, an oracle
    tells which transitions are `correct`, also of states off the way to them (see `costs`), and `follow` takes
    transitions chosen in any way: this is how a scorer learns. Gold arcs without labels may get any.

    There is one row of everything per state; in systems with spines another one for every arc from deeper down,
    at the depth that `depths` has. `states` numbers the states of a sentence, the best first. Tags are not chosen here.
    """

    def __init__(
        self,
        lengths: Iterable[int],
        repertoire: Repertoire,
        *,
        single_root: bool = False,
        beam: int = 1,
        best: int = 1,
        slots: Sequence[str] = SLOTS,
        given: Arcs | None = None,
        gold: Arcs | None = None,
        oracle: str | None = None,
        budget: int = BUDGET,
        classes: NDArray[np.uint16] | None = None,
    ) -> None:
        """InputError if there is no such slot or oracle, or if a gold tree is none or cannot be derived."""
        self.repertoire = repertoire
        self.offsets = np.concatenate([[0], np.cumsum(np.fromiter(lengths, np.int64))]).astype(np.int64)
        self.slot_names = tuple(slots)
        addresses, shown = _addresses(slots)
        system = repertoire.system
        self.core = _core.Frontier(
            repertoire.core,
            self.offsets,
            SYSTEM_FACTS[system].code,
            single_root,
            beam,
            best,
            addresses,
            shown,
            classes,
        )
        if given is not None:
            labels = np.full(len(given.heads), -1, np.int32) if given.labels is None else given.labels
            self.core.keep(given.heads, labels)
        if gold is not None:
            code = ORACLE_CODES[oracle_name(system, oracle)]
            try:
                self.core.teach(gold.heads, gold.labels, code, budget)
            except ValueError as error:
                raise InputError(f"{error}.") from None

    def __len__(self) -> int:
        """The number of rows; 0 when all sentences are finished."""
        return len(self.core)

    @property
    def sentences(self) -> NDArray[np.int64]:
        """Of every row its sentence, counted from 0."""
        return self.core.sentences()

    @property
    def states(self) -> NDArray[np.int64]:
        return self.core.states()

    @property
    def depths(self) -> NDArray[np.int32]:
        return self.core.depths()

    @property
    def slots(self) -> NDArray[np.int32]:
        """Rows × slots: the position of a word in its sentence, counted from 1; 0 is the root, -1 nothing."""
        return self.core.slots()

    @property
    def permitted(self) -> NDArray[np.bool_]:
        """Rows × transitions."""
        return self.core.permitted().view(np.bool_)

    def correct(self) -> NDArray[np.bool_]:
        """Rows × transitions: what the oracle calls correct. Nothing, where the repertoire lacks the label."""
        return self.core.correct().view(np.bool_)

    def advance(self, scores: NDArray[np.floating]) -> None:
        """One step of all states by the scores, rows × transitions; those of what is not permitted do not matter."""
        self.core.advance(np.ascontiguousarray(scores, np.float32))

    def follow(self, choices: NDArray[np.integer]) -> None:
        """One step by the number of a transition in every row, -1 for rows of a state that are not chosen; without a
        beam only. It adds nothing to scores.
        """
        self.core.follow(np.ascontiguousarray(choices, np.int64))

    @property
    def outcome(self) -> Outcome:
        kinds, depths, bounds = self.core.derivations()
        derivations = Derivations(kinds, depths, bounds, np.zeros(len(bounds) - 1, np.bool_))
        return Outcome(*self.core.parses(), derivations)


def _addresses(slots: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    addresses = Addresses()
    try:
        shown = [addresses.number(name) for name in slots]
    except KeyError:
        raise InputError(
            f"The slots {', '.join(slots)} are not all places of a state, such as S0 or B0.left1."
        ) from None
    return addresses.array(), np.array(shown, np.int32)
