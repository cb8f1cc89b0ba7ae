"""Which attributes identify the target, as a given speaker would choose them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from plait.errors import InputError
from plait.evaluation.attributes import dice
from plait.generation.refer.choosing import CHOOSERS
from plait.generation.refer.loglinear import Example, LogLinear
from plait.generation.refer.memory import Memory, learn_memories
from plait.generation.refer.options import CENTRAL, LOG_LINEAR, ReferOptions
from plait.generation.refer.scene import Scene
from plait.generation.refer.trials import Trial


class AttributeSelector:
    """Learned attributes: `memories` by domain, and for the log-linear method its `model`."""

    def __init__(
        self, options: ReferOptions, memories: Mapping[str, Memory], model: LogLinear | None
    ) -> None:
        self.options = options
        self.memories = memories
        self.model = model

    @classmethod
    def fit(cls, trials: Sequence[Trial], options: ReferOptions | None = None) -> AttributeSelector:
        options = options or ReferOptions()
        if not trials:
            raise InputError("There are no trials to learn from.")
        truths: dict[str, set[str]] = defaultdict(set)
        for trial in trials:
            truths[trial.domain] |= trial.scene.truths
        memories = learn_memories(((each.domain, each.speaker, each.said) for each in trials), truths)
        model = None
        if options.method == LOG_LINEAR:
            examples: dict[str, list[Example]] = defaultdict(list)
            for trial in trials:
                examples[trial.domain].append(Example(trial.scene, trial.speaker, frozenset(trial.said)))
            model = LogLinear.learn(examples, memories, options.epochs, options.penalty)
        return cls(options, memories, model)

    @property
    def speakers(self) -> list[str]:
        return sorted({speaker for memory in self.memories.values() for speaker in memory.expressions})

    def central_speaker(self, domain: str = "") -> str:
        """The speaker who is most like all others."""
        return self._memory(domain, ()).central

    def domain(self, scene: Scene) -> str:
        """The domain of a scene: the one it names, or the one whose attributes are most like those of the target."""
        return self._memory(scene.domain, scene.names).domain

    def _memory(self, domain: str, names: Iterable[str]) -> Memory:
        if domain in self.memories:
            return self.memories[domain]
        if domain:
            known = ", ".join(self.memories)
            raise InputError(f"No domain {domain!r} was learned. Available: {known}.")
        told = set(names)
        return max(self.memories.values(), key=lambda memory: dice(memory.names, told))

    def select(self, scene: Scene, speaker: str | None = None) -> dict[str, str]:
        """The attributes to tell, with their values. Nobody, or somebody unknown, is taken for the central speaker,
        unless the option `stranger` says otherwise.
        """
        memory = self._memory(scene.domain, scene.names)
        if self.model is not None:
            mask = self.model.choose(scene, memory, self.voice(memory, speaker))
        else:
            choose = CHOOSERS[self.options.method]
            mask = choose(scene, memory, memory.speaker(speaker), self.options)
        return _values(scene, mask)

    def likeliest(
        self, scene: Scene, speaker: str | None = None, count: int = 6
    ) -> list[tuple[dict[str, str], float]]:
        """Several sets with the logarithm of how probable they are; one, if the method knows no probabilities."""
        if self.model is None:
            return [(self.select(scene, speaker), 0.0)]
        memory = self._memory(scene.domain, scene.names)
        found = self.model.likeliest(scene, memory, self.voice(memory, speaker), count)
        return [(_values(scene, mask), share) for mask, share in found]

    def voice(self, memory: Memory, speaker: str | None) -> str:
        """As whom the log-linear model speaks: it also knows somebody from another domain."""
        if speaker is not None and any(speaker in each.expressions for each in self.memories.values()):
            return speaker
        return memory.central if self.options.stranger == CENTRAL else ""


def _values(scene: Scene, mask: int) -> dict[str, str]:
    return {name: scene.target[name] for name in scene.named(mask)}
