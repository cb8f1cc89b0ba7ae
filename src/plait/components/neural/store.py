"""Nets between steps of a training: a folder with `net.json` and `net.safetensors`."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from plait.components.neural.corpus import Classes
from plait.components.neural.inputs import CharWords, GramWords, Lexicon
from plait.components.neural.net import Net, Shape, recurrent_net
from plait.components.neural.words import Words


def new_net(
    shape: Shape, classes: Classes, counts: Counter[str], fewest: int, encoder: Path | None = None
) -> Net:
    """Of the forms that were counted, those that occur often enough have vectors of their own."""
    words = Words.of(counts, fewest)
    letters: Counter[str] = Counter()
    for form, count in counts.items():
        for letter in form:
            letters[letter] += count
    characters = "".join(sorted(letter for letter in letters if letters[letter] >= 2))
    return assemble(shape, classes, words, characters, encoder)


def assemble(shape: Shape, classes: Classes, words: Words, characters: str, encoder: Path | None) -> Net:
    dims = (shape.word_dim, shape.part_dim)
    inputs: GramWords | CharWords
    if shape.spelling == "grams":
        inputs = GramWords(words, shape.buckets, dims, unseen=shape.unseen, dropout=shape.input_dropout)
    else:
        inputs = CharWords(words, characters, dims, unseen=shape.unseen, dropout=shape.input_dropout)
    if shape.body != "encoder":
        return recurrent_net(shape, inputs, classes.sizes())
    if encoder is None:
        raise ValueError("a net with an encoder needs the folder of one")
    from plait.components.neural.encoder import encoder_net

    return encoder_net(encoder, shape, inputs, classes.sizes())


def lexicon_of(net: Net, types: list[str], device: torch.device) -> Lexicon:
    """What a net reads of these forms."""
    columns = net.words.columns(types)
    if hasattr(net.body, "columns"):
        columns |= net.body.columns(types)
    return Lexicon(columns, device)


def save_net(net: Net, classes: Classes, folder: Path, *, half: bool = False) -> None:
    """With `half`, in 16 bits: half the size, for the way from one machine to another."""
    folder.mkdir(parents=True, exist_ok=True)
    about = {
        "shape": asdict(net.shape),
        "classes": asdict(classes),
        "words": list(net.words.list.forms),
        "characters": net.words.characters if isinstance(net.words, CharWords) else "",
    }
    (folder / "net.json").write_text(json.dumps(about, ensure_ascii=False), encoding="utf-8")
    kind = torch.float16 if half else torch.float32
    tensors = {name: tensor.detach().cpu().to(kind).contiguous() for name, tensor in net.state_dict().items()}
    save_file(tensors, folder / "net.safetensors")


def load_net(folder: Path, encoder: Path | None = None) -> tuple[Net, Classes]:
    about = json.loads((folder / "net.json").read_text(encoding="utf-8"))
    classes = Classes(**about["classes"])
    net = assemble(Shape(**about["shape"]), classes, Words(about["words"]), about["characters"], encoder)
    tensors = load_file(folder / "net.safetensors")
    net.load_state_dict({name: tensor.float() for name, tensor in tensors.items()})
    return net, classes
