"""Final models on test sets, once: CoNLL 2018 F1 from gold tokens and from raw text, beside the scores on the dev set.

    python benchmarks/test_sets.py en=UD_English-EWT results/hu=UD_Hungarian-Szeged …

A model is a name or a path, as for `plait parse -m`; what follows its last `=` is the folder of its treebank. Whoever
looks at a test set twice, and changes something between, has a second dev set.
"""

from __future__ import annotations

import sys
from pathlib import Path

import plait
from plait.formats.folder import find_sections
from plait.pipeline import measure

GIVEN = {
    "gold tokens": ("upos", "lemmas", "uas", "las", "mlas"),
    "raw text": ("sentences", "words", "upos", "las"),
}


def main() -> None:
    if not all("=" in argument for argument in sys.argv[1:]) or len(sys.argv) == 1:
        sys.exit(__doc__)
    columns = [f"{name}, {given}" for given, names in GIVEN.items() for name in names]
    print(f"| model | test sentences | {' | '.join(columns)} | dev: las, gold tokens | las, raw text |")
    print("|---|" + "---:|" * (len(columns) + 3))
    for argument in sys.argv[1:]:
        name, _, folder = argument.rpartition("=")
        parts = find_sections(Path(folder)) if Path(folder).is_dir() else {}
        if not parts.get("test"):
            sys.exit(f"{folder}: there is no test set")
        nlp, gold = plait.load(name), plait.read(parts["test"][0])
        scores = measure(nlp, gold)
        cells = [scores.get(given, {}).get(each) for given, names in GIVEN.items() for each in names]
        cells += [nlp.scores_.get(given, {}).get("las") for given in GIVEN]
        spelled = ["–" if cell is None else f"{cell:.2f}" for cell in cells]
        print(f"| {Path(name).name} | {len(gold):,} | {' | '.join(spelled)} |", flush=True)


if __name__ == "__main__":
    main()
