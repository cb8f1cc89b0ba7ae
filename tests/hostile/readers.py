"""All that reads text which somebody else wrote, found in the source of the package, and how it is called."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import plait
from mention_texts import grec, people
from plait.errors import PlaitError
from plait.generation.refer import made
from toy_refer import tuna_xml

PACKAGE = Path(plait.__file__).parent
_NAMES = re.compile(
    r"(read|parse|load|loads|from|split|stream|tokens|tokenize|segment|unroll|unescape|graphs|open_archive|validate"
    r"|detect|replay|cut|sentences|norm|normalized|script)(_\w+)?"
)
_TAKES = ("str", "bytes", "str | Path", "Path", "str | bytes", "Source")


def all_readers() -> list[str]:
    """Functions and methods that are called so and take text, bytes, or a file."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        module = (
            path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        )
        found += [f"{module}:{name}" for name in _functions(tree, "")]
    return found


def _functions(node: ast.AST, inside: str) -> Iterator[str]:
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.ClassDef) and not each.name.startswith("_"):
            yield from _functions(each, f"{each.name}.")
        elif isinstance(each, ast.FunctionDef) and _NAMES.fullmatch(each.name):
            taken = [
                one for one in (*each.args.posonlyargs, *each.args.args) if one.arg not in ("self", "cls")
            ]
            if taken and taken[0].annotation and ast.unparse(taken[0].annotation) in _TAKES:
                yield inside + each.name


@dataclass(frozen=True)
class Reader:
    """How one is called with a text, and texts that it can read. With a suffix, the text is in a file."""

    samples: tuple[str, ...]
    suffix: str = ""
    binary: bool = False
    more: tuple[Any, ...] = ()
    named: tuple[tuple[str, Any], ...] = ()

    def on(self, name: str, text: str, folder: Path) -> Callable[[], object]:
        module, _, qualified = name.split(" ")[0].partition(":")
        function: Any = import_module(f"plait.{module}")
        for each in qualified.split("."):
            function = getattr(function, each)
        given: Any = text.encode("utf-8", "surrogateescape") if self.binary else text
        if self.suffix:
            path = folder / f"text{self.suffix}"
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
            given = str(path)
        return partial(_use, partial(function, given, *self.more, **dict(self.named)))


def _use(read: Callable[[], Any]) -> None:
    with suppress(PlaitError, ValueError):
        found = read()
        if hasattr(found, "__next__"):
            for _ in found:
                pass


_CONLLU = (
    "# sent_id = 1\n# text = Ab don't.\n"
    "1\tAb\tab\tNOUN\tNN\tCase=Nom|Number=Sing\t2\tnsubj\t2:nsubj|3:x\tX=1|SpaceAfter=No\n"
    "2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n2\tdo\tdo\tVERB\tVB\t_\t0\troot\t0:root\t_\n2.1\te\te\tX\tX\t_\t_\t_\t2:dep\t_\n"
    "3\tn't\tnot\tPART\tRB\t_\t2\tadvmod\t2:advmod\t_\n\n"
)
_CONLLX = "1\ta\ta\tN\tNN\tcase=nom\t2\tSBJ\t_\t_\n2\tb\tb\tV\tVB\t_\t0\tROOT\t_\t_\n\n"
_CONLL09 = (
    "1\ta\ta\ta\tNN\tNN\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\tA0\n"
    "2\tb\tb\tb\tVB\tVB\t_\t_\t0\t0\tROOT\tROOT\tY\tb.01\t_\n\n"
)
_SEMANTICS = (
    "# text = a b\nwords\ta\tb\n1\tshe\tPRON\t1\t_\n2\tsell.01\tVERB\t2\tA1=1 A2=1\t3\ntheme_1\t1 2\n\n"
)
_JSON = (
    '{"forms": ["a", "b"], "heads": [2, 0], "deprels": ["x", "root"], "comments": ["# x"], "layers": {}}\n'
)
SAMPLES = {
    "conllu": _CONLLU,
    "conllx": _CONLLX,
    "conll09": _CONLL09,
    "deep": "1\ta\ta\ta\tNN\tNN\tid0=1|x=y\t_\t2\t2\tI\tI\t_\t_\n"
    "2\tb\tb\tb\tVB\tVB\tid0=2\t_\t0\t0\tROOT\tROOT\t_\t_\n\n",
    "semantics": _SEMANTICS,
    "jsonl": _JSON,
    "text": 'A dog\'s tail. It was, "he" said;\tred!\n\nA new one...\n',
    "horizontal": "A dog barks .\nIt was red .\n",
    "vertical": "A\ndog\nbarks\n\nIt\n",
}
_RULES = (
    'strata A -> B\nstratum A ordered { attributes: lex, number = sg | pl; edges: I, "a b" } # so\n'
    "lexicon Lex { adjective { cat = adj } red: adjective { class = 3 } }\n"
    "rule one (A -> B) {\n left: ?X -I-> ?Y\n conditions: not Lex::(?X.sem).cat = adj or ?X.a != -5\n"
    " right: ?Yd -ATTR-> ?Xd { c = ?X.lex }\n correspondence: ?X <=> ?Xd; ?Y <=> ?Yd\n}\n"
    'graph A "a title" { r { sem = red }; c { sem = "the \\" chair" }; r -I-> c }\n'
)
_GRAPH = '{"stratum": "A", "nodes": {"a": {"lex": "x"}, "b": {}}, "edges": [["a", "I", "b"]]}'
_ATOMS = "# a list\nS0.form\nS0.form S1.upos B0.left1.deprel\nfor X in S0, B0:\n  X.form X.upos\n"
_TOML = 'a = 1\nb.c = "x\\u0041"\n[d.e]\nf = [1, 2.5, {g = true}] # x\n[[h]]\ni = 1979-05-27T07:32:00Z\nj = """a"""\n'
_SCENE = (
    '{"domain": "d", "target": {"type": "chair", "colour": "red"}, "distractors": [{"type": "fan", "x": 1}]}'
)
_CLUSTERS = "0\ta\t1\n01\tb\t2\n10\tc d\t3\n"
_FRAMES = "# frames\nsee.01\tA0: seer\tA1: thing seen\nsee.02\tA0: x\n"
_LEXICON = "# words\nAb\tab\tNOUN\tNN\tCase=Nom|Number=Sing\nrun\trun\tVERB\tVB\t_\n"
_REVIEWS = (
    '<sentences>\n<sentence id="1"><text>The soup &amp; bread was good.</text>\n<aspectTerms>'
    '<aspectTerm term="soup" polarity="positive" from="4" to="8"/></aspectTerms>\n'
    '<aspectCategories><aspectCategory category="food" polarity="positive"/></aspectCategories></sentence>\n'
    "</sentences>\n"
)
_CHAINS = "\t".join(["t1", "0", "1", *["x"] * 22, "name", "Anna Miller"]) + "\n\n"


def _built_in(module: str, *names: str) -> tuple[str, ...]:
    """The beginnings of lists that come with the package."""
    folder = PACKAGE / Path(*module.split(".")[:-1]) / "lists"
    texts = [(folder / f"{name}.txt").read_text(encoding="utf-8") for name in names]
    return tuple("\n".join(text.split("\n")[:14]) + "\n" for text in texts)


READERS: dict[str, Reader] = {
    "checks:parse_json": Reader((_JSON,), binary=True),
    "checks:parse_toml": Reader((_TOML,)),
    "cli.corpus:Shard.read": Reader(("3/16",)),
    "cli.texts:read_lines": Reader((SAMPLES["text"],), ".txt"),
    "cli.texts:read_nbest": Reader(("0 ||| a b c ||| x=1 ||| -2.5\n1 ||| d ||| 3\n",), ".txt"),
    "components.deep.rules:read": Reader(('{"rule": [{"relation": "x", "lemma": "a{x}"}]}',)),
    "components.deep.rules:parse": Reader(('[[rule]]\nrelation = "x"\nlemma = "a{x}"\n',)),
    "components.deep.templates:parse": Reader(_built_in("components.deep.templates", "nodes", "relations")),
    "components.function_words.analysis:read": Reader(
        ('[["a", "DET", "DT", "_", "det", 0], ["b", "x", "y", "z", "w", 1]]',)
    ),
    "components.function_words.templates:parse": Reader(
        _built_in("components.function_words.templates", "default")
    ),
    "components.graph2tree.templates:parse": Reader(_built_in("components.graph2tree.templates", "default")),
    "components.lifter.templates:parse": Reader(_built_in("components.lifter.templates", "default")),
    "components.order.templates:parse": Reader(_built_in("components.order.templates", "default")),
    "components.relabel.sight:parse": Reader(_built_in("components.relabel.sight", "default")),
    "components.roles.frame_list:FrameList.read": Reader((_FRAMES,), ".tsv"),
    "components.roles.templates:parse": Reader(_built_in("components.roles.templates", "default")),
    "components.tagger.templates:parse": Reader(("W0.form\nT-1.upos W0.form\nW0.feats.Case W+1.lower\n",)),
    "experiments.document:read_document": Reader((_TOML,), ".toml"),
    "features.chains:ChainTemplates.parse": Reader(
        ("W0.form\nW-1.form W0.lower\n",), more=("templates", ("form", "lower"))
    ),
    "features.clusters:Clusters.load": Reader((_CLUSTERS,), ".tsv"),
    "features.full_forms:read_full_forms": Reader((_LEXICON, _CONLLU), ".tsv"),
    "features.full_forms:script_of": Reader(("megkezd",), more=("megkezdett",)),
    "features.lexicon:Lexicon.parse": Reader((_LEXICON, _CONLLU)),
    "features.morphology:split_names": Reader(("Case,Number",), more=("feats",)),
    "features.reading:unroll": Reader((_ATOMS,), more=("list",)),
    "features.scripts:EditScript.parse": Reader(("lower|-1+ab|-2+c\\|d",)),
    "features.templates:parse": Reader((_ATOMS,)),
    "formats:from_text": Reader((_CONLLU,)),
    **{
        f"formats:stream as {name}": Reader((sample,), ".txt", named=(("format", name),))
        for name, sample in SAMPLES.items()
    },
    "formats.detection:detect": Reader((_CONLLU, _JSON), binary=True, more=("name",)),
    "formats.grec:read_mentions": Reader((grec(1), people(1)), ".xml"),
    "formats.jsonl:loads": Reader((_JSON,)),
    "formats.mention_columns:read_chains": Reader((_CHAINS,), ".tsv"),
    "formats.semeval:read_reviews": Reader((_REVIEWS,), ".xml"),
    "formats.spaces:unescape": Reader(("\\s\\u0020\\n\\p",)),
    "formats.xml:read_xml": Reader((grec(1),), ".xml"),
    "generation.refer.scene:read_scene": Reader((_SCENE,), ".json"),
    "generation.refer.trials:read_tuna": Reader((tuna_xml(made.make_trials(1, 1)[0]),), ".xml"),
    "learning.options:Options.parse_setting": Reader(("epochs=3",)),
    "pipeline.recipe:Recipe.from_toml": Reader(('[model]\nname = "x"\n[tagger]\nepochs = 3\n',)),
    "pipeline.writing_systems:script_of": Reader(("aбא",)),
    "rules.grammar:graphs_of": Reader((_RULES,), more=("a.rules",)),
    "rules.graph:read_json": Reader((_GRAPH,)),
    "rules.parser:parse_leniently": Reader((_RULES,)),
    "rules.tokens:tokens": Reader((_RULES,)),
    "sentence.cells:parse_pairs": Reader(("Case=Nom|Number=Sing",)),
    "server.sentences:cut": Reader((SAMPLES["text"],)),
    "server.udpipe_names:read_name": Reader(("english-ewt-ud-2.5-191206", "en_ewt-2.5")),
    "transitions.kinds:read_letters": Reader(("sslw12r",)),
    "validation:validate": Reader((_CONLLU, _CONLLX, _CONLL09, _JSON), ".conllu"),
}
# What is measured through another, or reads no text of strangers, with the reason.
ELSEWHERE = {
    **dict.fromkeys(
        (
            *("cli.lessons:read_both", "cli.raw:read_recipe", "components.aspects.lexicon:from_folder"),
            *("experiments.domains.spec:read_domains", "experiments.ladder.spec:read_ladder"),
            *("experiments.lifting:read_lifting", "experiments.spec:read_experiment"),
            *(
                "features.columns:ColumnTemplates.parse",
                "features.reading:read_lines",
                "features.word_lists:parse_rows",
            ),
            *("features.lexicon:Lexicon.read", "features.reading:read_file", "features.word_lists:read_rows"),
            *("features.word_lists:read_file", "formats:sentences_of", "formats:read"),
            *("formats.blocks:split_sentences", "formats.blocks:split_lines", "formats.words:split_vertical"),
            *(
                "formats.files:read_whole",
                "generation.refer.scene:Scene.read",
                "generation.refer.trials:TunaCorpus.read",
            ),
            *(
                "generation.refer.trials:read_trials",
                "learning.options:read_toml",
                "rules.grammar:read_graphs",
            ),
            *("rules.parser:parse", "sentence.conversion:ConvertibleSentence.from_json"),
            *(
                "sentence.conversion:ConvertibleSentence.from_conllu",
                "sentence.conversion:ConvertibleTreebank.from_json",
            ),
            *("sentence.conversion:ConvertibleTreebank.from_conllu", "server.sentences:read_sentences"),
            *("server.questions:Question.read", "transitions.derivation:replay", "semantics.rules:load"),
            *(
                f"components.{kind}.{module}:load"
                for kind, module in (
                    *(("deep", "rules"), ("deep", "templates"), ("function_words", "templates")),
                    *(("graph2tree", "templates"), ("lifter", "templates"), ("order", "templates")),
                    *(("relabel", "sight"), ("roles", "templates"), ("tagger", "templates")),
                )
            ),
            "features.templates:load",
        ),
        "through what it reads a file or a text with",
    ),
    **dict.fromkeys(
        (
            *("cli.refer:load_model", "cli.trial:load_any", "generation.mentions.filler:MentionFiller.load"),
            *(
                "generation.realizer:Realizer.load",
                "generation.refer.model:Referrer.load",
                "learning.archive:Archive.read",
            ),
            *(
                "learning.archive:open_archive",
                "learning.checkpoint:Checkpoint.load",
                "learning.component:Component.load",
            ),
            *("learning.store:read_manifest", "learning.store:read_config", "learning.store:read_card"),
            *("learning.store:load", "learning.tensors:read_tensors", "pipeline.pipeline:Pipeline.load"),
            *("pipeline.pipeline:load", "integrations.spacy:PlaitComponent.from_bytes"),
            *("integrations.spacy:PlaitComponent.from_disk", "components.neural.corpus:Corpus.load"),
            *(
                "components.neural.encoder:read_encoder",
                "components.neural.store:load_net",
                "folders:read_file",
            ),
            *("features.morphology:Morphology.from_tensors", "components.aspects.lexicon:Lexicon.read"),
        ),
        "models: tests/hostile/models.py",
    ),
    **dict.fromkeys(
        (
            *("components.neural.pieces:Pieces.cut", "components.tokenizer.assembly:Assembler.sentences"),
            *(
                "components.tokenizer.component:Tokenizer.tokenize",
                "components.tokenizer.segmentation:Segmenter.segment",
            ),
            *("features.spelling:Spelling.norm", "server.normal:normalized"),
        ),
        "objects with a model, measured below",
    ),
}


def inputs(sample: str) -> Iterator[tuple[str, Callable[[int], str]]]:
    """A name, and an input of about so many characters: a piece of the sample again and again where it stands, with
    what follows and without.
    """
    pieces = [(found.start(), found[0]) for found in re.finditer(r"\w+\W|\w+$|\W", sample)]
    units: dict[str, int] = {sample: 0}
    for start, piece in pieces:
        for unit in (piece, piece[-1:], piece[:1]):
            units.setdefault(unit, start)
    lines = sample.splitlines(keepends=True)
    for number, line in enumerate(lines[:12]):
        units.setdefault(line, sum(map(len, lines[:number])))
    for unit, start in list(units.items())[:60]:
        for rest in (sample[start + len(unit) :], ""):

            def make(size: int, unit: str = unit, start: str = sample[:start], rest: str = rest) -> str:
                return start + unit * (size // len(unit)) + rest

            yield f"{unit!r} * n at {start}, {'then the rest' if rest else 'and no more'}", make
