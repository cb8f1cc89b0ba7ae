"""Plain text: one sentence per line. Reading takes the words as separated by white space."""

from __future__ import annotations

from plait.errors import Problem
from plait.formats.blocks import Block
from plait.sentence import Sentence


def render(sentence: Sentence) -> str:
    return sentence.text + "\n"


def parse(block: Block) -> Sentence | None:
    if block.suspect:
        return None
    forms = block.text.split()
    return Sentence(forms=forms, comments=["# text = " + " ".join(forms)], line=block.line)


def diagnose(block: Block) -> list[Problem]:
    if not block.suspect:
        return []
    message = "the line holds a NUL, a carriage return or bytes that are not UTF-8."
    return [Problem(message, line=block.line)]
