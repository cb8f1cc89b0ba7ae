"""The documentation as a site: `sphinx-build -W docs build/site`, with the extra `docs`.

Pages are the same Markdown that repositories show; notebooks run while the site is built; the player is live.
"""

from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from plait import derive
from plait.drawing.player import player_page, track_of_derivation

sys.path.insert(0, str(Path(__file__).parent))
from draw import labelled  # the sentences of the pictures

project = "Plait"
author = "The Plait developers"
copyright = author
version = release = version_of("plait")

extensions = ["myst_nb"]
exclude_patterns = ["papers/*", "reviews/*"]
html_theme = "furo"
html_title = f"Plait {version}"
html_static_path = ["pictures"]
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#b4530a", "color-brand-content": "#b4530a"},
    "dark_css_variables": {"color-brand-primary": "#f0a35e", "color-brand-content": "#f0a35e"},
}

myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nitpicky = True
# Lexers do not know every language of our examples, and drawings of trees are not to be coloured.
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]


def setup(app: Any) -> None:
    app.connect("build-finished", _write_player)


def _write_player(app: Any, error: Exception | None) -> None:
    """The player as a page of its own, which `player.md` has in a frame."""
    if error is None and app.builder.format == "html":
        derivations = (derive(labelled("hearing"), oracle=oracle) for oracle in ("eager", "lazy"))
        page = player_page([track_of_derivation(derivation) for derivation in derivations])
        Path(app.outdir, "hearing-player.html").write_text(page, encoding="utf-8")
