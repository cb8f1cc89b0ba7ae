"""A pretrained encoder as the body of a net: words per second of CPU time in the core and in ONNX Runtime, both int8.

    python benchmarks/encoder.py ENCODER en_ewt-ud-dev.conllu [--sentences 500] [--kernel avx2]

Needs plait[train], onnx and onnxruntime. The core computes the whole net, with fresh heads (tags, arcs, labels, trees
without a price, since what such heads cross takes long to mend), from words; ONNX Runtime computes the encoder alone,
from pieces, in batches of about so many pieces of sentences of the same length. Runs alternate, one thread; of each the
best counts.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

import plait
from plait.components.neural.corpus import Classes
from plait.components.neural.encoder import EncoderBody
from plait.components.neural.export import model_of
from plait.components.neural.net import Net
from plait.components.neural.presets import PRESETS
from plait.components.neural.store import new_net

_BATCHES = (1, 256, 1024)  # pieces


class Hidden(torch.nn.Module):
    """The mean of all layers, as a net mixes them."""

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, pieces: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        found = self.encoder(input_ids=pieces, attention_mask=mask, output_hidden_states=True)
        return torch.stack(found.hidden_states).mean(0)


def session(body: EncoderBody, folder: Path) -> Any:
    import onnxruntime
    from onnxruntime.quantization import QuantType, quantize_dynamic

    exact, rounded = folder / "exact.onnx", folder / "rounded.onnx"
    body.encoder.config._attn_implementation = "eager"
    some = torch.randint(5, 50, (2, 16))
    axes = {name: {0: "sentence", 1: "piece"} for name in ("pieces", "mask", "vectors")}
    torch.onnx.export(
        Hidden(body.encoder),
        (some, torch.ones_like(some)),
        str(exact),
        input_names=["pieces", "mask"],
        output_names=["vectors"],
        dynamic_axes=axes,
        dynamo=False,
    )
    quantize_dynamic(exact, rounded, weight_type=QuantType.QInt8, per_channel=True)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(str(rounded), options, providers=["CPUExecutionProvider"])


def batches(rows: Sequence[list[int]], most: int) -> Iterator[list[list[int]]]:
    chosen: list[list[int]] = []
    for row in sorted(rows, key=len):
        if chosen and len(row) * (len(chosen) + 1) > most:
            yield chosen
            chosen = []
        chosen.append(row)
    yield chosen


def run_batches(running: Any, rows: Sequence[list[int]], most: int, pad: int) -> None:
    for chosen in batches(rows, most):
        pieces = np.full((len(chosen), max(map(len, chosen))), pad, np.int64)
        for number, row in enumerate(chosen):
            pieces[number, : len(row)] = row
        running.run(None, {"pieces": pieces, "mask": (pieces != pad).astype(np.int64)})


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("encoder", type=Path)
    parser.add_argument("treebank")
    parser.add_argument("--sentences", type=int, default=500)
    parser.add_argument("--kernel", default="")
    parser.add_argument("--rounds", type=int, default=3)
    wishes = parser.parse_args()
    os.environ["PLAIT_KERNEL"] = wishes.kernel
    torch.set_num_threads(1)
    sentences = list(plait.read(wishes.treebank))[: wishes.sentences]
    words = sum(map(len, sentences))
    net: Net = new_net(
        PRESETS["encoder"].shape,
        Classes.of(sentences),
        Counter(form for sentence in sentences for form in sentence.forms),
        2,
        wishes.encoder,
    ).eval()
    body = net.body
    assert isinstance(body, EncoderBody)
    cut = body.pieces.cut
    rows = [
        [body.pieces.begin, *(piece for form in sentence.forms for piece in cut(form)), body.pieces.end]
        for sentence in sentences
    ]
    model = model_of([net], Classes.of(sentences))
    with tempfile.TemporaryDirectory() as folder:
        running = session(body, Path(folder))
        ways: dict[str, Callable[[], object]] = {"core": lambda: model.run(sentences, price=0.0)}
        for most in _BATCHES:
            ways[f"ONNX Runtime, {most} pieces"] = lambda most=most: run_batches(
                running, rows, most, body.pad
            )
        best = dict.fromkeys(ways, float("inf"))
        for _ in range(wishes.rounds):
            for name, work in ways.items():
                best[name] = min(best[name], seconds(work))
    print(f"{wishes.encoder.name}: {len(sentences)} sentences, {words} words, {sum(map(len, rows))} pieces")
    for name, time_taken in best.items():
        print(f"{name}: {words / time_taken:,.0f} words/s")


if __name__ == "__main__":
    main()
