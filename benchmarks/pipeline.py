"""From raw text to trees: Plait and UDPipe 1, trained on the same files, measured in the same run.

    python benchmarks/pipeline.py TREEBANK_FOLDER [--models FOLDER] [--config RECIPE] [--rounds 3] [--part test]

Models that FOLDER has already are used again; others are trained: Plait's by `plait train`, once with a beam and once
greedy, UDPipe's part by part with its own options, but for the number of passes (`--udpipe-passes`, which its log in
the folder tells too). Scores are those of CoNLL 2018 on the dev set, or once, at the end, on the test set; speeds are
those of one thread, the best of some rounds in turn, in gold words per second.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plait
from plait.components.tokenizer import raw_text
from plait.formats.folder import find_sections
from plait.sentence import Sentence

METRICS = ("words", "sentences", "upos", "xpos", "ufeats", "alltags", "lemmas", "uas", "las", "mlas", "blex")
UDPIPE = {
    "tokenizer": "epochs={passes}",
    "tagger": "iterations={passes}",
    "parser": "iterations={passes};transition_system=swap;transition_oracle=static_lazy",
}
PASSES = {"tokenizer": 100, "tagger": 20, "parser": 10}  # UDPipe's own


def main() -> None:
    arguments = _arguments()
    parts = find_sections(arguments.treebank)
    folder = arguments.models
    folder.mkdir(parents=True, exist_ok=True)
    gold = plait.read(parts[arguments.part][0])
    text = raw_text(gold).text
    words = sum(map(len, gold))
    candidates: dict[str, Any] = {}
    for name, beam in ("plait greedy", 1), ("plait beam 8", 8):
        model = folder / f"plait-beam{beam}.plait"
        if not model.exists():
            _train_plait(arguments, model, beam)
        candidates[name] = Plait(model)
    if not arguments.without_udpipe:
        candidates["udpipe greedy"] = UDPipe(folder, parts["train"][0], parts["dev"][0], arguments.passes, 1)
        candidates["udpipe beam 5"] = UDPipe(folder, parts["train"][0], parts["dev"][0], arguments.passes, 5)
    report = {name: _measure(candidate, gold, text) for name, candidate in candidates.items()}
    for _ in range(arguments.rounds):
        for name, candidate in candidates.items():
            for step, run in candidate.steps(text).items():
                start = time.perf_counter()
                run()
                speed = words / (time.perf_counter() - start)
                report[name][step] = max(report[name].get(step, 0), speed)
    (folder / f"report-{arguments.part}.json").write_text(json.dumps(report, indent=1), encoding="utf-8")
    _print(report)


class Plait:
    """A pipeline, and what its steps cost."""

    def __init__(self, model: Path) -> None:
        self._pipeline = plait.load(model)

    def of_words(self, gold: plait.Treebank) -> list[Sentence]:
        return list(self._pipeline.parse(gold))

    def of_text(self, text: str) -> list[Sentence]:
        return list(self._pipeline.stream([text]))

    def steps(self, text: str) -> dict[str, Callable[[], object]]:
        pipeline = self._pipeline
        tokenized = list(pipeline.tokenize([text]))
        tagger = pipeline["tagger"]
        return {
            "tokenize": lambda: list(pipeline.tokenize([text])),
            "tag": lambda: list(tagger.annotate(tokenized)),
            "tag and lemmatize": lambda: list(pipeline.annotate(tokenized, layers=("tags", "lemmas"))),
            "text to trees": lambda: list(pipeline.stream([text])),
        }


class UDPipe:
    """Three models, one for each part, so that they can be trained apart; the tagger finds lemmas too."""

    def __init__(self, folder: Path, train: Path, dev: Path, passes: dict[str, int], beam: int) -> None:
        import ufal.udpipe as udpipe

        self._udpipe = udpipe
        self._search = f"beam_search={beam}"
        self._models = {}
        for part in UDPIPE:
            path = folder / f"udpipe-{part}.udpipe"
            if not path.exists():
                _train_udpipe(part, train, dev, path, passes[part], folder / "udpipe-tagger.udpipe")
            self._models[part] = udpipe.Model.load(str(path))

    def of_words(self, gold: plait.Treebank) -> list[Sentence]:
        bare = [sentence.copy() for sentence in gold]
        for sentence in bare:
            sentence.heads = [None] * len(sentence)
        lines = "".join(map(plait.formats.format_for("conllu").render, bare))
        return self._annotate(self._udpipe.InputFormat.newInputFormat("conllu"), lines)

    def of_text(self, text: str) -> list[Sentence]:
        return self._annotate(self._tokenizer(), text)

    def steps(self, text: str) -> dict[str, Callable[[], object]]:
        tagger, parser = self._models["tagger"], self._models["parser"]
        tokenized = self._read(self._tokenizer(), text)

        def whole() -> None:
            for sentence in self._read(self._tokenizer(), text):
                tagger.tag(sentence, "")
                parser.parse(sentence, self._search)

        return {
            "tokenize": lambda: self._read(self._tokenizer(), text),
            "tag and lemmatize": lambda: [tagger.tag(sentence, "") for sentence in tokenized],
            "text to trees": whole,
        }

    def _tokenizer(self) -> Any:
        return self._models["tokenizer"].newTokenizer("")

    def _read(self, reader: Any, text: str) -> list[Any]:
        reader.setText(text)
        found, error = [], self._udpipe.ProcessingError()
        sentence = self._udpipe.Sentence()
        while reader.nextSentence(sentence, error):
            found.append(sentence)
            sentence = self._udpipe.Sentence()
        if error.occurred():
            raise RuntimeError(error.message)
        return found

    def _annotate(self, reader: Any, text: str) -> list[Sentence]:
        writer = self._udpipe.OutputFormat.newOutputFormat("conllu")
        lines = []
        for sentence in self._read(reader, text):
            self._models["tagger"].tag(sentence, "")
            self._models["parser"].parse(sentence, self._search)
            lines.append(writer.writeSentence(sentence))
        path = Path(f"{id(self)}.conllu")
        try:
            path.write_text("".join(lines) + writer.finishDocument(), encoding="utf-8")
            return list(plait.read(path))
        finally:
            path.unlink(missing_ok=True)


def _measure(candidate: Plait | UDPipe, gold: plait.Treebank, text: str) -> dict[str, float]:
    from_words = plait.evaluate(gold, candidate.of_words(gold))
    from_text = plait.evaluate(gold, candidate.of_text(text))
    return {f"{name}, gold tokens": getattr(from_words, name) for name in METRICS} | {
        f"{name}, raw text": getattr(from_text, name) for name in METRICS
    }


def _train_plait(arguments: argparse.Namespace, model: Path, beam: int) -> None:
    command = [sys.executable, "-m", "plait", "train", str(arguments.treebank), "-o", str(model)]
    command += ["--beam", str(beam)] + (["--config", arguments.config] if arguments.config else [])
    with Path(f"{model}.log").open("w", encoding="utf-8") as log:
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=log, stderr=subprocess.STDOUT)
        log.write(f"{time.perf_counter() - start:.0f} s\n")


def _train_udpipe(part: str, train: Path, dev: Path, model: Path, passes: int, tagger: Path) -> None:
    """As UDPipe does it when all are trained at once: its parser learns from the tags that its tagger gives."""
    import ufal.udpipe as udpipe

    def read(path: Path) -> Any:
        reader = udpipe.InputFormat.newInputFormat("conllu")
        reader.setText(path.read_text(encoding="utf-8"))
        found, error = [], udpipe.ProcessingError()
        sentence = udpipe.Sentence()
        while reader.nextSentence(sentence, error):
            found.append(sentence)
            sentence = udpipe.Sentence()
        return udpipe.Sentences(found)

    options = dict.fromkeys(UDPIPE, "none") | {part: UDPIPE[part].format(passes=passes)}
    if part == "parser":
        options["tagger"] = f"from_model=file:{tagger}"
    error = udpipe.ProcessingError()
    start = time.process_time()
    data = udpipe.Trainer.train(
        "morphodita_parsito", read(train), read(dev), *(options[name] for name in UDPIPE), error
    )
    if error.occurred():
        raise RuntimeError(error.message)
    model.write_bytes(data)
    log = f"{options[part]}: {time.process_time() - start:.0f} CPU s\n"
    Path(f"{model}.log").write_text(log, encoding="utf-8")


def _print(report: dict[str, dict[str, float]]) -> None:
    rows = list(dict.fromkeys(key for values in report.values() for key in values))
    print("| | " + " | ".join(report) + " |")
    print("|---|" + "---:|" * len(report))
    for row in rows:
        cells = [values.get(row) for values in report.values()]
        shown = ["–" if cell is None else f"{cell:.2f}" if cell <= 100 else f"{cell:,.0f}" for cell in cells]
        print(f"| {row} | " + " | ".join(shown) + " |")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("treebank", type=Path)
    parser.add_argument("--models", type=Path, default=Path("benchmark-results/pipeline"))
    parser.add_argument("--config")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--part", choices=("dev", "test"), default="dev")
    parser.add_argument("--without-udpipe", action="store_true")
    parser.add_argument("--udpipe-passes", type=json.loads, default={}, help='such as {"tagger": 6}')
    arguments = parser.parse_args()
    arguments.passes = PASSES | arguments.udpipe_passes
    return arguments


if __name__ == "__main__":
    main()
