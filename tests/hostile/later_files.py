"""Files for the attack on the verbs beyond treebanks: XML of GREC, TUNA and SemEval, rules, scenes, lexicons."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import product
from random import Random

from hostile.input_files import ODD
from mention_texts import grec, people
from plait.formats import FORMATS
from plait.formats.deep import to_sentence
from plait.formats.mention_columns import FEATURES
from plait.generation.refer import made
from plait.layers import DeepTree
from plait.rules.grammar import packaged
from plait.semantics.complete import WordGraphs
from plait.semantics.hiding import hide_sentences
from toy import framed, written
from toy_deep import with_content
from toy_refer import tuna_xml

_NAMES = ("0", "1", "7", "-1", "", "_", "person", "np-subj", "subj-det", "genitive", "target", "9" * 30)
_XML = (
    *("<", "&", "&amp;", "]]>", "<!-- -->", "<![CDATA[x]]>", "<?x?>", "&#0;", "&#x110000;", "&#10;", "&lol;"),
    *('<!DOCTYPE x [<!ENTITY lol "ha">]>', '<?xml version="1.0" encoding="utf-7"?>', "<a>" * 300, "</REF>"),
)
_IN_XML = [text for text in ODD if not re.search("[\x00-\x1f\ufffe]", text) and len(text) < 100]
_POLARITIES = ("positive", "negative", "neutral", "conflict")


# --- XML


def _damaged_xml(chance: Random, text: str) -> str:
    """Elements and attributes of a document in other places, or with other values."""
    for _ in range(chance.choice((0, 0, 0, 0, 1, 1, 2, 5))):
        how = chance.randrange(6)
        tags = list(re.finditer(r"<[^<>]*>", text))
        values = list(re.finditer(r'"[^"<>]*"', text))
        if how == 0 and values:
            value = chance.choice(values)
            other = chance.choice((*_NAMES, chance.choice(values)[0][1:-1], chance.choice(_IN_XML)))
            text = f'{text[: value.start()]}"{_escaped(other)}"{text[value.end() :]}'
        elif how == 1 and tags:
            tag = chance.choice(tags)
            text = text[: tag.start()] + text[tag.end() :]
        elif how == 2 and tags:
            tag = chance.choice(tags)
            text = text[: tag.start()] + chance.choice(tags)[0] + text[tag.end() :]
        elif how == 3:
            text = _without_element(chance, text)
        elif how == 4:
            place = chance.randint(0, len(text))
            text = text[:place] + chance.choice((*_XML, *ODD)) + text[place:]
        elif values:
            value = chance.choice(values)
            start = text.rfind(" ", 0, value.start())
            text = text[:start] + text[value.end() :]  # an attribute less
    return text


def _without_element(chance: Random, text: str) -> str:
    """An element left out, emptied, or in itself."""
    found = list(re.finditer(r"<([A-Za-z-]+)[^<>]*>.*?</\1>", text, re.DOTALL))
    if not found:
        return text
    one = chance.choice(found)
    inner = (f"<{one[1]}></{one[1]}>", "", one[0] * 2, f"<{one[1]}>{one[0]}</{one[1]}>")
    return text[: one.start()] + chance.choice(inner) + text[one.end() :]


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def subject_mentions(chance: Random) -> str:
    return _damaged_xml(chance, grec(chance.choice((1, 1, 2)), chance.randrange(99)))


def people_mentions(chance: Random) -> str:
    return _damaged_xml(chance, people(chance.choice((1, 1, 2)), chance.randrange(99)))


def nested_mentions(chance: Random) -> str:
    """References inside references, which may be said in very many ways."""
    inner = '<REF ENTITY="{}" SEMCAT="person" SYNCAT="np" SYNFUNC="subj">{}</REF>'
    deep = chance.choice((1, 3, 9))
    others = [str(chance.randrange(4)) for _ in range(deep)]
    pieces = " ".join(inner.format(each, "") for each in others)
    expressions = [
        f'<REFEX REG08-TYPE="common" ENTITY="{entity}" CASE="plain">{pieces} x</REFEX>' for entity in range(4)
    ]
    slots = "".join(
        inner.format(each, expressions[0] if chance.random() < 0.3 else "") + ". " for each in others
    )
    return (
        f'<GREC-NEG><GREC-ITEM FILE="a"><TEXT ID="1"><TITLE>x</TITLE><PARAGRAPH>{slots}</PARAGRAPH></TEXT>'
        f"<ALT-REFEX>{''.join(expressions * chance.choice((1, 30)))}</ALT-REFEX></GREC-ITEM></GREC-NEG>"
    )


def tuna(chance: Random) -> str:
    return _damaged_xml(chance, tuna_xml(chance.choice(_trials())))


def reviews(chance: Random) -> str:
    items = []
    for number in range(chance.choice((1, 2, 5))):
        words = chance.choices(("the", "dog", "saw", "a", "great", "cat", "today", *_IN_XML), k=6)
        text = " ".join(words)
        start = chance.randrange(len(text))
        end = min(len(text), start + chance.choice((1, 3, 5)))
        told = chance.choice((*_POLARITIES, *_NAMES[:1]))
        items.append(
            f'<sentence id="{number}"><text>{_escaped(text)}</text><aspectTerms><aspectTerm polarity="{told}" '
            f'term="{_escaped(text[start:end])}" from="{start}" to="{end}"/></aspectTerms><aspectCategories>'
            f'<aspectCategory category="food" polarity="{told}"/></aspectCategories></sentence>\n'
        )
    return _damaged_xml(chance, f'<?xml version="1.0"?>\n<sentences>\n{"".join(items)}</sentences>\n')


# --- Rules


_TOKENS = (
    *(
        "{",
        "}",
        "(",
        ")",
        "->",
        "<=>",
        "-1->",
        "?X",
        "?S",
        "?Z",
        ".",
        ",",
        "=",
        "::",
        "|",
        "or",
        "not",
        "is",
        ":",
    ),
    *("rule", "lexicon", "strata", "stratum", "ordered", "graph", "left", "right", "context", "conditions"),
    *("correspondence", "Sem", "Con", "#", '"', "and", "before", "governs", "edges", "attributes", "1", "x"),
)


@cache
def _grammar() -> dict[str, str]:
    return packaged("english")


@cache
def _trials() -> list[made.Trial]:
    return made.make_trials(3, 2)


def _damaged_rules(chance: Random, text: str) -> str:
    pieces = re.split(r"(\s+)", text)
    for _ in range(chance.choice((0, 0, 0, 1, 1, 2, 8))):
        place = chance.randrange(len(pieces))
        other = chance.choice((*_TOKENS, *pieces[:200], chance.choice(ODD), chance.choice(ODD)))
        pieces[place : place + chance.randrange(3)] = [other, *chance.choice(([], [" "]))]
    return "".join(pieces)


def rules(chance: Random) -> str:
    """A grammar, or a few rules of it; and rules whose matches are many, or that never end."""
    if chance.random() < 0.25:
        return _damaged_rules(chance, _wild_rules(chance))
    texts = [text for name, text in _grammar().items() if name.endswith(".rules")]
    if chance.random() < 0.3:
        return _damaged_rules(chance, "\n".join(texts))
    blocks = re.split(r"\n(?=rule |lexicon )", "\n".join(texts[1:]))
    few = chance.sample(blocks, min(len(blocks), chance.choice((1, 3, 10))))
    return _damaged_rules(chance, texts[0] + "\n" + "\n".join(few))


def _wild_rules(chance: Random) -> str:
    size = chance.choice((1, 3, 8, 12))
    nodes = "\n".join(f"?N{number}" for number in range(size))
    chain = "\n".join(
        f"?N{number} -{chance.choice(('1', '2', 'and'))}-> ?N{number + 1}" for number in range(size)
    )
    made_ones = "\n".join(
        f"?M{number} {{ sem = ?N0.sem or x }}" for number in range(chance.choice((1, 4, 30)))
    )
    alternatives = " or ".join([f"?N0.a{number}" for number in range(chance.choice((1, 30, 500)))])
    parents = "\n".join(f"e{number} : e{number + 1} {{ a = b }}" for number in range(size))
    parents += f"\ne{size}{chance.choice((*[''] * 9, ' : e0'))} {{ a = b }}"
    return (
        "strata Con -> Sem -> Out\n"
        f"lexicon Lex {{\n{parents}\n}}\n"
        f"rule many (Con -> Sem) {{\n left: {chance.choice((nodes, chain))}\n"
        f" conditions: {'(' * chance.choice((0, 1, 300))}not {alternatives}\n"
        f" right: {made_ones}\n correspondence: ?N0 <=> ?M0\n}}\n"
        f"rule again (Sem -> Out) {{\n left: ?N0 {{ sem }}\n context: {nodes}\n right: ?M0 {{ form = ?N0.sem }}\n"
        f" correspondence: ?N0 <=> ?M0\n}}\n"
    )


def graphs(chance: Random) -> str:
    kind = chance.random()
    if kind < 0.3:
        return _damaged_rules(chance, _grammar()["7-examples.graphs"])
    size = chance.choice((1, 2, 6, 20, 60))
    names = [f"n{number}" for number in range(size)]
    stratum = chance.choice(("Con", "Sem", "Sem", "SSynt"))
    edges = [
        (chance.choice(names), chance.choice(("1", "2", "3", "and", "x")), chance.choice(names))
        for _ in range(chance.choice((0, size, 3 * size)))
    ]
    words = ("see", "dog", "cat", "not", "in", "old", "know", "two", chance.choice(ODD))
    known = {name: {"sem": chance.choice(words), "type": chance.choice(words)} for name in names}
    if kind < 0.5:
        nodes = "".join(f"  {name} {{ sem = {own['sem']} }}\n" for name, own in known.items())
        lines = "".join(f"  {head} -{label}-> {below}\n" for head, label, below in edges)
        return _damaged_rules(chance, f'graph {stratum} "x" {{\n{nodes}{lines}}}\n')
    told = {"stratum": stratum, "nodes": known, "edges": [list(each) for each in edges], "title": "x"}
    return json.dumps(_changed(chance, told if chance.random() < 0.5 else [told, told]))


# --- JSON and tables


def scene(chance: Random) -> str:
    found = made.make_scene(chance).to_json()
    if chance.random() < 0.3:
        found["speaker"] = chance.choice(("Ada", "Nobody", 7, ""))
    if chance.random() < 0.1:
        found["distractors"] *= chance.choice((20, 200))
    if chance.random() < 0.1:
        found["target"] |= {f"a{number}": "x" for number in range(chance.choice((5, 6, 7, 40)))}
    return json.dumps(_changed(chance, found))


def _changed(chance: Random, value: object) -> object:
    """A copy in which something deep inside is another thing."""
    value = json.loads(json.dumps(value))
    for _ in range(chance.choice((0, 0, 0, 1, 1, 3))):
        place = value
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = chance.choice(keys)
            if isinstance(place[key], dict | list) and place[key] and chance.random() < 0.8:
                place = place[key]
                continue
            how = chance.randrange(4)
            if how == 0:
                del place[key]
            elif how == 1 and isinstance(place, dict):
                place[chance.choice(ODD)] = place[key]
            else:
                odd = (None, True, 0, -1, 10**30, 1.5, [], {}, [[]], chance.choice(ODD), chance.choice(ODD))
                place[key] = chance.choice((*odd, 1, 2, 3, "1"))
            break
    return value


@cache
def _sentences(kind: str) -> list[dict[str, object]]:
    sentences = list(with_content(framed(written(6, seed=4))))
    if kind == "graph":
        maker = WordGraphs.learn(sentences)
        for sentence in sentences:
            sentence.put(maker.graph(sentence))
        sentences = list(hide_sentences(sentences, seed=1))
    return [json.loads(FORMATS["jsonl"].render(sentence)) for sentence in sentences]


def layered(chance: Random) -> str:
    """JSON lines whose sentences have frames, deep trees and graphs."""
    known = _sentences(chance.choice(("graph", "graph", "all")))
    chosen = chance.sample(known, chance.choice((1, 2, 4)))
    return "".join(json.dumps(_changed(chance, each)) + "\n" for each in chosen)


def deep_trees(chance: Random) -> str:
    """Deep trees as they come in CoNLL-09 columns."""
    found = [
        tree
        for each in with_content(framed(written(3, seed=chance.randrange(99))))
        if (tree := each.find(DeepTree))
    ]
    text = "".join(FORMATS["conll09"].render(to_sentence(tree)) for tree in found)
    cells = re.split(r"([\t\n])", text)
    for _ in range(chance.choice((0, 0, 1, 3))):
        place = 2 * chance.randrange(len(cells) // 2)
        cells[place] = chance.choice((chance.choice(ODD), str(chance.randrange(9)), chance.choice(cells)))
    return "".join(cells)


def chains(chance: Random) -> str:
    rows = []
    for text, entity in product(range(chance.choice((1, 3))), range(2)):
        for mention in range(chance.choice((1, 2, 5))):
            cells = [
                str(text),
                str(entity),
                str(mention),
                *chance.choices(("np", "no", "yes", ".", "_"), k=len(FEATURES)),
            ]
            cells += [chance.choice(("name_plain_full", "pronoun_nominative_he", "empty", "?")), "?"]
            if chance.random() < 0.05:
                cells[chance.randrange(len(cells))] = chance.choice(ODD)
            rows.append("\t".join(cells))
        rows.append("")
    return "\n".join(rows) + "\n"


def frames(chance: Random) -> str:
    rows = [
        "roleset\tname\taliases\troles",
        "see.01\tview\tv:see\tA0=viewer | A1=thing",
        "like.02\tx\tv:like\tA0=a",
    ]
    return _damaged_table(chance, rows)


def sentiwordnet(chance: Random) -> str:
    return _damaged_table(
        chance, ["a00001740\t0.5\t0\tgreat#1 fine#2", "n00002098\t0\t0.75\tbad_thing#1 evil#2"]
    )


def inquirer(chance: Random) -> str:
    return _damaged_table(chance, ["GREAT#1\tH4Lvd\tPositiv Pstv", "BAD\tH4Lvd\tNegativ", "SO\tH4\tOvrst\tx"])


def wordnet(chance: Random) -> str:
    """Nouns one above the other, now and then in a circle."""
    size = chance.choice((3, 9, 12, 3000))
    above = [f"n{number + 1}" for number in range(size)]
    if chance.random() < 0.3:
        above[-1] = "n0"
    rows = [
        f"n{number}\tnoun.animal\tdog#1 cat#2 w{number}#1\thypernym:{above[number]}/x"
        for number in range(size)
    ]
    return _damaged_table(chance, rows)


def _damaged_table(chance: Random, rows: list[str]) -> str:
    for _ in range(chance.choice((0, 0, 1, 2))):
        place = chance.randrange(len(rows))
        cells = rows[place].split("\t")
        if chance.random() < 0.3:
            del cells[chance.randrange(len(cells))]
        else:
            cells[chance.randrange(len(cells))] = chance.choice((*ODD, "nan", "inf", "1e999"))
        rows[place] = "\t".join(cells)
    return "\n".join(rows) + chance.choice(("\n", "", "\n\n"))
