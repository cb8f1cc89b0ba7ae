"""Models that were changed on purpose, with checksums that are right again: only the contents can tell."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from plait.learning.store import CHECKED


def sign(folder: Path) -> None:
    names = [name for name in CHECKED if (folder / name).is_file()]
    lines = [f"{sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def edit(folder: Path, **changes: Any) -> None:
    """Change entries of a manifest, wherever they stand in it; `...` takes one away."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for name, value in changes.items():
        places = (manifest, manifest.get("state") or {}, manifest.get("origin") or {})
        place = next((each for each in places if name in each), manifest)
        if value is ...:
            del place[name]
        else:
            place[name] = value
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    sign(folder)
