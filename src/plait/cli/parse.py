"""`plait parse`: trees for a text, or for the sentences of files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from plait import formats
from plait.cli.common import write_and_name_losses
from plait.cli.corpus import Shard, Tell, Write, is_folder
from plait.cli.deep import require_deep
from plait.cli.drawings import print_drawing, save_all
from plait.cli.options import (
    TREE,
    as_text_option,
    from_option,
    lenient_option,
    model_option,
    text_options,
    threads_option,
    to_or_tree_option,
)
from plait.cli.source import Input, Reading, SentenceSource, exists, find_inputs
from plait.drawing.picture import Drawing, drawing_of
from plait.drawing.saving import Picture
from plait.errors import InputError, excerpt
from plait.formats.files import STANDARD, display_name, open_sink
from plait.layers import Alternatives, DeepTree
from plait.learning.attachment import attach
from plait.learning.given import fault_of
from plait.learning.request import Request
from plait.pipeline import Pipeline
from plait.pipeline.identity import identity_of
from plait.release import release
from plait.sentence import EMPTY, Sentence

_LONG = 5000  # words; beam search copies its states, so its time grows with the square of the length


@click.command()
@click.argument("arguments", nargs=-1, metavar="[TEXT | FILE | FOLDER]...")
@model_option
@click.option("-o", "--output", default="-", show_default=True,
              help="Where to write; .gz and .xz compress, .svg, .png and .tex are pictures of the trees. Into a "
              "folder (parsed/), every file is written by its own name, and one that is there stays.")  # fmt: skip
@to_or_tree_option
@threads_option("Two or more read and write while the model works; the result is the same.")
@click.option("--beam", type=click.IntRange(1, 4096), help="Another beam than the one trained with.")
@click.option("--nbest", type=click.IntRange(1, 4096), default=1, metavar="K",
              help="Write the K best trees of every sentence, with their scores in comments.")  # fmt: skip
@click.option("--confidence", is_flag=True,
              help="Write to MISC, or show in the drawing, how sure the parser is of every head.")  # fmt: skip
@click.option("--keep", type=click.Choice(["tags", "heads", "predicates"]), multiple=True,
              help="Keep the tags and lemmas, the heads and labels, or which words are predicates, of the input, and "
              "find the others.")  # fmt: skip
@click.option("--deep", is_flag=True, help="Write or draw the deep-syntactic trees (--to deep).")
@click.option("--jobs", type=click.IntRange(1, 4096), default=1, show_default=True,
              help="Processes that work on the files of a folder side by side.")  # fmt: skip
@click.option("--shard", metavar="I/N",
              help="Of a folder, the files of the I-th of N shards: for N machines.")  # fmt: skip
@click.option("--force", is_flag=True, help="Make the files of a folder that are there anew.")
@as_text_option
@text_options
@from_option
@lenient_option
def parse(
    arguments: tuple[str, ...],
    model: str,
    output: str,
    to_format: str | None,
    threads: int,
    beam: int | None,
    nbest: int,
    confidence: bool,
    keep: tuple[str, ...],
    deep: bool,
    jobs: int,
    shard: str | None,
    force: bool,
    as_text: bool,
    tokenized: bool,
    lines: bool,
    ranges: bool,
    from_format: str | None,
    lenient: bool,
) -> None:
    """Parse a TEXT, the text or the sentences in FILES or all files of a FOLDER, or standard input.

    Plain text is cut into sentences and words first. Words of a treebank stay as they are, and so do its comments;
    what the model finds (tags, lemmas, trees) replaces what was there.

    From a FOLDER to a folder (-o parsed/), every file and those of sub-folders are parsed into a file of the same name.
    What is finished stays when the command is given again; a file that fails is told, and the others are parsed.
    """
    if nbest > 1 and confidence:
        raise click.UsageError("--confidence is about one tree per sentence: it does not go with --nbest.")
    request = Request(
        threads=threads,
        beam=beam,
        nbest=nbest,
        confidence=confidence,
        keep_tags="tags" in keep,
        keep_heads="heads" in keep,
        keep_predicates="predicates" in keep,
    )
    reading = Reading(from_format, tokenized, lines, ranges, lenient)
    if is_folder(output) and arguments and not as_text and all(map(exists, arguments)):
        from plait.cli.folder import parse_folder  # here, since most runs have no need of processes and bars

        target = to_format or ("deep" if deep else "conllu")
        if target == TREE:
            raise click.UsageError("--to tree draws in the terminal or into one file, and not into a folder.")
        work = Work(model, request, reading, target, deep)
        parse_folder(
            work, arguments, output, jobs=jobs, shard=Shard.read(shard) if shard else None, force=force
        )
        return
    inputs = find_inputs(arguments, output, as_text=as_text)
    if is_folder(output):
        name = next((each.text for each in inputs if each.text is not None), None)
        what = "standard input" if name is None else f"the text {excerpt(name)}, which is no file or folder,"
        raise InputError(f"{output}: {what} cannot be written into a folder; give the name of a file.")
    if jobs > 1 or shard or force:
        raise click.UsageError(
            "--jobs, --shard and --force are for files into a folder: end its name with a slash (-o parsed/)."
        )
    target = to_format or _default_target(inputs, output)
    if deep and to_format is None and target != TREE:
        target = "deep"
    Work(model, request, reading, target, deep).ready().write(inputs, output)


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be done, whatever the files; it may travel to other processes."""

    model: str
    request: Request
    reading: Reading
    target: str
    deep: bool

    def ready(self) -> Parsing:
        """The model is loaded, and can do all this."""
        return Parsing(self)

    def writer(self) -> Write:
        return self.ready().write_file

    def made(self) -> dict[str, object]:
        """All that changes what is written."""
        wishes = {name: getattr(self.request, name) for name in self.request.wishes}
        reading = {name: value for name, value in asdict(self.reading).items() if value}
        model = f"{Path(self.model).name} {identity_of(self.model)[:16]}"
        return {"plait": release(), "model": model, "to": self.target} | wishes | reading


class Parsing:
    """A model at work."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._pipeline = Pipeline.load(work.model)
        if work.deep or work.target == "deep":
            require_deep(self._pipeline, work.model)
        if self._pipeline.parser is None:
            raise InputError(f"{work.model}: this model has no parser.")
        self._pipeline.check(work.request)

    def write_file(self, source: str, target: str, tell: Tell) -> int:
        """From a file to a file; tells on the way, and at the end, how many words were written."""
        return self.write([Input(source)], target, tell)

    def write(self, inputs: Sequence[Input], output: str, tell: Tell | None = None) -> int:
        work, request = self._work, self._work.request
        source = SentenceSource(self._pipeline, work.reading)
        name = display_name(inputs[0].name) if len(inputs) == 1 else "input"
        sentences = self._warned(source.of(inputs), name)
        if request.keep_heads:
            sentences = _keepable(sentences, name, source)
        parsed = self._pipeline.annotate(sentences, request)
        count = Counted(parsed, source, tell)
        parsed = _repeated(count) if request.nbest > 1 else iter(count)
        try:
            with formats.without_garbage_collection():
                if work.target == TREE:
                    drawings = (drawing_of(each, DeepTree) if work.deep else Drawing(each) for each in parsed)
                    _draw(drawings, output)
                else:
                    write_and_name_losses(parsed, output, work.target)
        finally:
            source.sentences.report()
        return count.words

    def _warned(self, sentences: Iterator[Sentence], path: str) -> Iterator[Sentence]:
        request, parser = self._work.request, self._pipeline.parser
        beam = max(request.beam or getattr(parser.options if parser else None, "beam", 1), request.nbest)
        needs_tags = self._pipeline.giving("tags") is None and "upos" in getattr(parser, "columns_", ())
        for number, sentence in enumerate(sentences):
            if number == 0 and needs_tags and set(sentence.upos) == {EMPTY}:
                click.echo(
                    f"plait: {path}:{sentence.line}: warning: the words have no UPOS, but the model has "
                    "learned from tags and needs them",
                    err=True,
                )
            if len(sentence) > _LONG and beam > 1:
                click.echo(
                    f"plait: {path}:{sentence.line}: warning: this sentence has {len(sentence):,} words and "
                    f"will take long with beam {beam}; --beam 1 is faster",
                    err=True,
                )
            yield sentence


class Counted:
    """Sentences that are counted on their way."""

    def __init__(self, sentences: Iterator[Sentence], source: SentenceSource, tell: Tell | None) -> None:
        self.words = 0
        self._sentences, self._source, self._tell = sentences, source, tell

    def __iter__(self) -> Iterator[Sentence]:
        for sentence in self._sentences:
            yield sentence
            self.words += len(sentence)
            if self._tell:
                self._tell(self.words, self._source.position)


def _default_target(inputs: Sequence[Input], output: str) -> str:
    if Path(output).suffix in formats.PICTURES:
        return TREE
    if output == STANDARD and all(each.text is not None for each in inputs):
        return TREE
    return formats.format_of_suffix(output)


def _draw(drawings: Iterator[Picture], output: str) -> None:
    if Path(output).suffix in formats.PICTURES:
        save_all(drawings, Path(output))
    elif output == STANDARD:
        for number, drawing in enumerate(drawings):
            if number:
                click.echo()
            print_drawing(drawing)
    else:
        with open_sink(output) as sink:
            for number, drawing in enumerate(drawings):
                sink.write(f"{chr(10) if number else ''}{drawing}\n".encode())


def _keepable(sentences: Iterator[Sentence], path: str, source: SentenceSource) -> Iterator[Sentence]:
    for sentence in sentences:
        if reason := fault_of(sentence):
            source.sentences.bad_tree(path, sentence, reason)
        else:
            yield sentence


def _repeated(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Every sentence once for each of its trees."""
    for sentence in sentences:
        for rank, tree in enumerate(sentence.take(Alternatives) or (), 1):
            one = sentence.copy()
            attach(one, tree)
            one.comments += [f"# nbest = {rank}", f"# score = {tree.score:.4f}"]
            yield one
