"""An SVG page: its colours in light and dark, and its frame with what a screen reader says.

The colours for light stand in the elements, where every renderer finds them; a style sheet changes them in the
dark. Its rules name the page, since the styles of a picture inside an HTML page hold for the whole page.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from math import ceil

from plait.drawing.svg import text


@dataclass(frozen=True, slots=True)
class Ink:
    """How something is drawn: a colour for light and one for dark, and for lines a width and a dash."""

    name: str
    light: str
    dark: str
    width: float = 1.3
    dash: str = ""


PAPER = Ink("paper", "#ffffff", "#0f172a")
WORD = Ink("form", "#111827", "#f1f5f9")
TAG = Ink("tag", "#64748b", "#94a3b8")
PLAIN = Ink("plain", "#475569", "#a8b5c7")
CROSSING = Ink("crossing", "#c2410c", "#fb923c", 1.7, "6 3")
QUIET = Ink("quiet", "#6b7a90", "#8391a7", 1.0)
MISSED = Ink("missed", "#15803d", "#4ade80", 2.0)
WRONG = Ink("wrong", "#b91c1c", "#f87171", 2.0, "6 3")
RELABELLED = Ink("relabelled", "#7c3aed", "#c4b5fd", 1.7, "1.5 3")
# Of segments: the predicate, A0 to A3, all other roles.
ROLE_INKS = (
    Ink("role-v", "#e2e8f0", "#334155"),
    Ink("role-0", "#bfdbfe", "#1e40af"),
    Ink("role-1", "#bbf7d0", "#166534"),
    Ink("role-2", "#fde68a", "#854d0e"),
    Ink("role-3", "#fecdd3", "#9f1239"),
    Ink("role-m", "#ddd6fe", "#5b21b6"),
)
# Of universal tags; those not named here, such as punctuation, are as quiet as a TAG.
TAG_INKS = {
    Ink("tag-noun", "#1d4ed8", "#93c5fd"): ("NOUN", "PROPN"),
    Ink("tag-verb", "#15803d", "#86efac"): ("VERB", "AUX"),
    Ink("tag-modifier", "#7e22ce", "#d8b4fe"): ("ADJ", "ADV"),
    Ink("tag-pronoun", "#0e7490", "#67e8f9"): ("PRON", "DET", "NUM"),
    Ink("tag-function", "#92600a", "#fcd34d"): ("ADP", "CCONJ", "SCONJ", "PART"),
}
_INK_OF_TAG = {tag: ink for ink, tags in TAG_INKS.items() for tag in tags}
INKS = (PLAIN, CROSSING, QUIET, MISSED, WRONG, RELABELLED, WORD, TAG, *TAG_INKS, *ROLE_INKS)

HALO = 5.0  # the gap that a line leaves in the one it crosses
TIP = 7.0  # length of an arrowhead


def ink_of_tag(upos: str) -> Ink:
    return _INK_OF_TAG.get(upos, TAG)


def number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def line(path: str, ink: Ink) -> str:
    """A line that passes over those drawn before it."""
    dash = f' stroke-dasharray="{ink.dash}"' if ink.dash else ""
    return (
        f'<path class="halo" d="{path}" fill="none" stroke="{PAPER.light}" stroke-width="{number(HALO)}"/>'
        f'<path class="arc {ink.name}" d="{path}" fill="none" stroke="{ink.light}" '
        f'stroke-width="{number(ink.width)}"{dash}/>'
    )


def tip(x: float, y: float, way: int, ink: Ink) -> str:
    """An arrowhead that ends at a point; `way` is 1 where it points down, -1 where it points up."""
    back = y - way * TIP
    return (
        f'<path class="ink {ink.name}" fill="{ink.light}" d="M{number(x)} {number(y)}'
        f'L{number(x - 4)} {number(back)}H{number(x + 4)}z"/>'
    )


def writing(content: str, x: float, y: float, size: float, ink: Ink, *, anchor: str = "middle") -> str:
    placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return (
        f'<text class="ink {ink.name}" x="{number(x)}" y="{number(y)}" font-size="{number(size)}"'
        f'{placed} fill="{ink.light}">{text(content)}</text>'
    )


def page(width: float, height: float, title: str, description: str, parts: Iterable[str]) -> str:
    """The whole picture. Its name comes from its content: pictures on one page do not disturb each other."""
    body = "\n".join(parts)
    content = "\n".join([title, description, body]).encode("utf-8", "replace")
    name = f"plait-{sha256(content).hexdigest()[:10]}"
    across, down = ceil(width), ceil(height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc" width="{across}" height="{down}" '
        f'viewBox="0 0 {across} {down}" font-family="sans-serif">\n'
        f'<title id="{name}-title">{text(title)}</title>\n<desc id="{name}-desc">{text(description)}</desc>\n'
        f"<style>{_style(name, body)}</style>\n"
        f'<rect class="paper" width="{across}" height="{down}" fill="{PAPER.light}"/>\n{body}\n</svg>\n'
    )


def style_sheet() -> str:
    """The rules of all pictures at once, for a page that keeps the styles of its pictures out of itself."""
    light, dark = ([_rules("", ink, colour) for ink in INKS] for colour in ("light", "dark"))
    return f"{''.join(light)}\n@media (prefers-color-scheme:dark){{{''.join(dark)}}}\n"


def _rules(scope: str, ink: Ink, colour: str) -> str:
    chosen = ink.dark if colour == "dark" else ink.light
    return f"{scope}.arc.{ink.name}{{stroke:{chosen}}}{scope}.ink.{ink.name}{{fill:{chosen}}}"


def _style(name: str, body: str) -> str:
    dark = [f"#{name} .paper{{fill:{PAPER.dark}}}", f"#{name} .halo{{stroke:{PAPER.dark}}}"]
    for ink in INKS:
        if f' {ink.name}"' not in body:
            continue
        dark.append(_rules(f"#{name} ", ink, "dark"))
    # Simple renderers read no media rules, and would take the size for that of the picture.
    return (
        f"#{name} .word:hover .arc,#{name} .word:focus .arc{{stroke-width:3}}"
        f"@media screen{{#{name}{{max-width:100%;height:auto}}}}"
        f"@media (prefers-color-scheme:dark){{{''.join(dark)}}}"
    )
