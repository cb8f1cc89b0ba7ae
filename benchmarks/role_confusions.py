"""Which roles are taken for which: a picture.

    python benchmarks/role_confusions.py GOLD.conll09 SYSTEM.conll09 docs/pictures/role-confusions.svg

Rows are gold roles, columns what the system has; a cell is dark by its share of the row. – is no argument.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import plait
from plait.drawing.page import TAG, WORD, number, page, writing
from plait.evaluation.roles import NOTHING

_CELL, _LEFT, _TOP, _MOST = 30.0, 80.0, 70.0, 18


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("gold")
    parser.add_argument("system")
    parser.add_argument("picture", type=Path)
    asked = parser.parse_args()
    scores = plait.evaluate(plait.read(asked.gold), plait.read(asked.system)).roles
    if scores is None:
        raise SystemExit("There are no predicates in these files.")
    counts = scores.confusions()
    names = [*list(scores.by_role())[:_MOST], NOTHING]
    parts = []
    for row, gold in enumerate(names):
        y = _TOP + row * _CELL
        total = sum(count for (one, _), count in counts.items() if one == gold)
        parts.append(writing(gold, _LEFT - 8, y + 20, 11, WORD, anchor="end"))
        parts.append(
            f'<g transform="translate({number(_LEFT + row * _CELL + 18)} {number(_TOP - 8)}) rotate(-60)">'
            f"{writing(gold, 0, 0, 11, WORD, anchor='start')}</g>"
        )
        for column, system in enumerate(names):
            count = counts[gold, system]
            share = count / total if total else 0
            x = _LEFT + column * _CELL
            parts.append(
                f'<rect x="{number(x)}" y="{number(y)}" width="{number(_CELL - 2)}" height="{number(_CELL - 2)}" '
                f'fill="#2563eb" fill-opacity="{share**0.5:.2f}"><title>{gold} as {system}: {count}</title></rect>'
            )
            if count:
                parts.append(
                    writing(str(count), x + _CELL / 2 - 1, y + 18, 8.5, TAG if share < 0.4 else WORD)
                )
    size = _CELL * len(names)
    text = "Arguments by gold role (rows) and by the role that was found (columns)."
    asked.picture.write_text(
        page(_LEFT + size + 70, _TOP + size + 10, "Roles taken for others", text, parts), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
