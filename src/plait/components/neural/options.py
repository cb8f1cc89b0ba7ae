"""How nets learn and make trees of their scores: names, defaults, checks."""

from __future__ import annotations

from dataclasses import dataclass

from plait.errors import InputError
from plait.learning.options import LearningOptions

NETS = ("sru", "lstm", "medium", "small", "tiny", "nano", "encoder")
SPELLINGS = ("", "grams", "characters")
MOST_NETS = 16
DECODERS = ("tree", "swap")


@dataclass(frozen=True, slots=True, kw_only=True)
class NeuralOptions(LearningOptions):
    """Which `nets` learn, on a GPU at the same time; what they find is averaged. Of everything else, 0, an empty text
    and for shares -1 mean what was found to be good for such a net (see `presets`).

    A batch has so many `words`; the step rises to `rate` in `warmup` batches and falls like a cosine until the last of
    the `epochs`, or with `seconds` at the latest then, which makes the result depend on the machine. `unseen` is the
    share of words that are hidden from the net, `smoothing` the share that goes to heads and labels that are not right.
    Words seen `fewest` times have a vector of their own. Of labelled text, an epoch draws a `sample` of sentences.
    `encoder` is the folder of a pretrained encoder. On a CPU sums are split among `cores`, and depend on how many.

    An arc that crosses others must be better by `crossing_price` (a difference of logarithms) than what else there
    is: without a price a spanning tree crosses too freely. With `swap_head` a head that builds trees by transitions
    learns at the end: it shows derivations, and with the `decoder` `swap` makes the trees, with a `beam`.

    Lemmas are chosen among those that a word has in the treebank and in a `lexicon`: files of full forms, with commas
    between their names.
    """

    nets: str = "sru,lstm"
    epochs: int = 0
    patience: int = 0
    words: int = 0
    rate: float = 0.0
    encoder_rate: float = 0.0
    warmup: int = 0
    seconds: float = 0.0
    sample: int = 0
    fewest: int = 0
    layers: int = 0
    width: int = 0
    spelling: str = ""
    word_dim: int = 0
    part_dim: int = 0
    buckets: int = 0
    arc: int = 0
    label: int = 0
    dropout: float = -1.0
    input_dropout: float = -1.0
    unseen: float = -1.0
    smoothing: float = 0.0
    encoder: str = ""
    cores: int = 2
    crossing_price: float = 1.5
    swap_head: bool = True
    decoder: str = "tree"
    beam: int = 1
    lexicon: str = ""

    def __post_init__(self) -> None:
        for name in ("epochs", "patience"):
            self._range(name, 0, 10_000)
        self._range("seed", 0, 2**31 - 1)
        self._range("words", 0, 1_000_000)
        for name in ("rate", "encoder_rate"):
            self._range(name, 0, 1)
        for name in ("warmup", "sample", "fewest"):
            self._range(name, 0, 10**9)
        self._range("seconds", 0, 10**7)
        self._range("layers", 0, 64)
        for name in ("width", "word_dim", "part_dim", "arc", "label"):
            self._range(name, 0, 8192)
        self._range("buckets", 0, 1 << 22)
        for name in ("dropout", "input_dropout", "unseen"):
            self._range(name, -1, 0.95)
        self._range("smoothing", 0, 0.5)
        self._range("cores", 1, 256)
        self._range("crossing_price", 0, 1000)
        self._choose("decoder", DECODERS)
        self._range("beam", 1, 4096)
        self._choose("spelling", SPELLINGS)
        if self.width % 16:
            raise InputError(f"width is {self.width} but must be a multiple of 16.")
        for net in self.each:
            if net not in NETS:
                raise InputError(f"No net {net!r}. Available: {', '.join(NETS)}.")
        if len(self.each) > MOST_NETS:
            raise InputError(f"There are {len(self.each)} nets, and {MOST_NETS} at most can work together.")
        if self.decoder == "swap" and not self.swap_head:
            raise InputError("The decoder 'swap' is the swap head, which is not to be learned.")
        if ("encoder" in self.each) != bool(self.encoder):
            raise InputError("A net 'encoder' and the folder of one (encoder) go together.")

    @property
    def each(self) -> list[str]:
        return [name.strip() for name in self.nets.split(",")]
