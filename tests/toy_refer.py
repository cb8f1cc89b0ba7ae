"""Made trials as TUNA's XML, for what reads it."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from plait.generation.refer import made
from plait.generation.refer.trials import Trial


def tuna_xml(trial: Trial) -> str:
    """A file as TUNA has it, with its traps: a document type that is not there, blanks after values."""

    def thing(kind: str, values: dict[str, str]) -> str:
        attributes = "".join(
            f'<ATTRIBUTE NAME={quoteattr(name)} TYPE="{"boolean" if name.startswith("has") else "literal"}"'
            f" VALUE={quoteattr(value + ' ')}/>"
            for name, value in values.items()
        )
        return f'<ENTITY ID="1" TYPE="{kind}">{attributes}</ENTITY>'

    opens: dict[int, list[str]] = {}
    closes: dict[int, int] = {}
    for span in sorted(trial.spans, key=lambda each: each.start - each.end):
        opens.setdefault(span.start, []).append(f'<ATTRIBUTE NAME="{span.name}" VALUE="{span.value}">')
        closes[span.end - 1] = closes.get(span.end - 1, 0) + 1
    words = " ".join(
        "".join(opens.get(place, [])) + escape(word) + "</ATTRIBUTE>" * closes.get(place, 0)
        for place, word in enumerate(trial.words)
    )
    gold = "".join(f'<ATTRIBUTE NAME="{name}" VALUE="{value} "/>' for name, value in sorted(trial.gold))
    things = thing("target", dict(trial.scene.target))
    things += "".join(thing("distractor", dict(each)) for each in trial.scene.distractors)
    return (
        f'<?xml version="1.0"?>\n<!DOCTYPE TRIAL SYSTEM "shapes.dtd">\n'
        f'<TRIAL CARDINALITY="1" CONDITION="+LOC" DOMAIN="{trial.domain}" ID="{trial.name}">\n'
        f"<DOMAIN>{things}</DOMAIN>\n<STRING-DESCRIPTION>{escape(trial.phrase)}</STRING-DESCRIPTION>\n"
        f"<DESCRIPTION>{words}</DESCRIPTION>\n<ATTRIBUTE-SET>{gold}</ATTRIBUTE-SET>\n</TRIAL>\n"
    )


def write_corpus(folder: Path, count: int = 6, seed: int = 1) -> list[Trial]:
    """A folder like TUNA's, with the lists train.txt and dev.txt."""
    trials = made.make_trials(seed, count)
    (folder / made.DOMAIN).mkdir(parents=True)
    for trial in trials:
        (folder / made.DOMAIN / f"{trial.name}.xml").write_text(tuna_xml(trial), encoding="utf-8")
    names = [f"{made.DOMAIN}/{trial.name}" for trial in trials]
    (folder / "train.txt").write_text("\n".join(names[::2]) + "\n")
    (folder / "dev.txt").write_text("\n".join(names[1::2]) + "\n")
    return trials
