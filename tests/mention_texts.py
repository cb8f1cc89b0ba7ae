"""Texts with slots, made for tests: a few in the form of GREC-2.0 (one main subject), a few in that of GREC-People."""

from __future__ import annotations

from random import Random

PLACES = ("Arnstein", "Bergholm", "Castleton", "Dorfmark", "Elmsford", "Fairhaven", "Grimsby", "Holmwood")
PEOPLE = (("Anna", "Miller", "she"), ("Carl", "Berg", "he"), ("Dora", "Lind", "she"), ("Emil", "Voss", "he"))
FORMS = {"she": ("she", "her", "her"), "he": ("he", "him", "his"), "it": ("it", "it", "its")}


def refex(kind: str, case: str, text: str, head: str = "nominal", entity: str = "") -> str:
    case = "" if kind == "empty" else f' EMPHATIC="no" HEAD="{head}" CASE="{case}"'
    entity = f' ENTITY="{entity}"' if entity else ""
    return f'<REFEX REG08-TYPE="{kind}"{case}{entity}>{text}</REFEX>'


def alternatives(name: str, short: str, common: str, pronoun: str, syncat: str) -> dict[str, str]:
    """What may be said at a slot, by a short name of each."""
    subject, other, owner = FORMS[pronoun]
    if syncat == "subj-det":
        return {
            "name": refex("name", "genitive", f"{name}'s"),
            "pronoun": refex("pronoun", "genitive", owner, "pronoun"),
        }
    case, form = ("nominative", subject) if syncat == "np-subj" else ("accusative", other)
    found = {
        "name": refex("name", "plain", name),
        "empty": refex("empty", "", "_"),
        "pronoun": refex("pronoun", case, form, "pronoun"),
        "common": refex("common", "plain", common),
        "relative": refex("pronoun", case, "who" if pronoun != "it" else "which", "rel-pron"),
    }
    if short != name:
        found["short"] = refex("name", "plain", short)
    return found


def text(number: int, random: Random) -> str:
    """A text whose subject is named first, then a pronoun; `and` has an empty one, and a new paragraph a name."""
    if number % 2:
        first, last, pronoun = random.choice(PEOPLE)
        name, short, common, semcat = f"{first} {last}", last, "the inventor", "person"
    else:
        name = short = random.choice(PLACES)
        pronoun, common, semcat = "it", "the town", "city"
    slots = 0

    def slot(syncat: str, chosen: str) -> str:
        nonlocal slots
        slots += 1
        listed = alternatives(name, short, common, pronoun, syncat)
        return (
            f'<REF ID="{number}.{slots}" SEMCAT="{semcat}" SYNCAT="{syncat}">{listed[chosen]}\n'
            f"<ALT-REFEX>\n{chr(10).join(listed.values())}\n</ALT-REFEX></REF>"
        )

    sentences = [f"{slot('np-subj', 'name')} is known in the north, and {slot('np-subj', 'empty')} is old."]
    for verb in random.sample(["has two rivers", "was seen by many", "lies far away", "grew fast"], 2):
        sentences.append(f"{slot('np-subj', 'pronoun')} {verb}.")
    sentences.append(f"Many like {slot('subj-det', 'pronoun')} long story.")
    closing = f"{slot('np-subj', 'short' if short != name else 'name')} is loved. Some saw {slot('np-obj', 'pronoun')}."
    return (
        f'<TEXT FILE="t{number}.xml" ID="{number}">\n<TITLE>{name}</TITLE>\n<PARAGRAPH>\n{" ".join(sentences)}\n'
        f"</PARAGRAPH>\n<PARAGRAPH>\n{closing}\n</PARAGRAPH>\n</TEXT>\n"
    )


def grec(count: int, seed: int = 1) -> str:
    random = Random(seed)
    return "<GREC>\n" + "".join(text(number, random) for number in range(count)) + "</GREC>\n"


def people(count: int, seed: int = 1) -> str:
    """Texts about two people, in the form of GREC-People: one has a father, who is said with a reference inside."""
    random = Random(seed)
    items = []
    for number in range(count):
        first, last, pronoun = random.choice(PEOPLE)
        subject, _, owner = FORMS[pronoun]
        own = {
            "name": refex("name", "plain", f"{first} {last}", entity="0"),
            "short": refex("name", "plain", last, entity="0"),
            "he": refex("pronoun", "nominative", subject, entity="0"),
            "his": refex("pronoun", "genitive", owner, entity="0"),
            "empty": refex("empty", "", "_", entity="0"),
        }

        def slot(entity: str, synfunc: str, chosen: str, mention: int = 1) -> str:
            return (
                f'<REF ENTITY="{entity}" MENTION="{mention}" SEMCAT="person" SYNCAT="np" SYNFUNC="{synfunc}">'
                f"{chosen}</REF>"
            )

        inner = slot("0", "subj-det", own["his"], 2)
        father = refex("common", "plain", f"{inner} father", entity="1")
        open_father = refex("common", "plain", f"{slot('0', 'subj-det', '')} father", entity="1")
        rest = [refex("pronoun", "nominative", "he", entity="1"), refex("name", "plain", "Tom", entity="1")]
        extra = random.choice(["in May", "in spring", "at home"])
        items.append(
            f'<GREC-ITEM FILE="p{number}.xml"><TEXT ID="{number}"><TITLE>{first} {last}</TITLE><PARAGRAPH>\n'
            f"{slot('0', 'subj', own['name'])} was a cook. {slot('0', 'subj', own['he'], 3)} worked {extra}. "
            f"{slot('1', 'subj', father)} wrote books, and {slot('1', 'subj', rest[0], 2)} sang.\n"
            f"</PARAGRAPH></TEXT><ALT-REFEX>\n{chr(10).join([*own.values(), open_father, *rest])}\n"
            "</ALT-REFEX></GREC-ITEM>\n"
        )
    return f"<GREC-NEG>\n{''.join(items)}</GREC-NEG>\n"
