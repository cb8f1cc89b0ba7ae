"""What every SVG picture needs: text that cannot break out of it."""

from __future__ import annotations

import re
from html import escape

# Characters that XML 1.0 does not allow, not even as references, and the controls that it advises against.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def text(content: str) -> str:
    """Any text as the content of an element or of an attribute in quotes."""
    return escape(_FORBIDDEN.sub("\ufffd", content))


def isolated(content: str) -> str:
    """A piece of a line, set off so that a word written from right to left leaves its neighbours in place."""
    return f'<tspan style="unicode-bidi:isolate">{text(content)}</tspan>'
