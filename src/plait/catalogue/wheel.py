"""A wheel that carries a model: `pip install plait_model_pt-1.0-py3-none-any.whl`, and `pt` is a name.

It holds the archive of the model, its card, and an entry point by which it is found (PyPA's specifications of wheels,
core metadata and entry points); there is no Python in it.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from plait import folders
from plait.catalogue.names import GROUP, require_name
from plait.errors import InputError, OutputError
from plait.learning import store
from plait.learning.archive import NO_DATE, PLAIN_FILE, SUFFIX
from plait.release import release

_VERSION = re.compile(r"\d+(?:\.\d+){0,4}(?:(?:a|b|rc)\d+)?(?:\.post\d+)?(?:\.dev\d+)?")
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n+", re.DOTALL)


def write_wheel(
    model: Path, folder: Path, *, name: str, version: str, licence: str, summary: str, force: bool = False
) -> Path:
    """Write the wheel of a model into a folder; never over another file, unless by `force`."""
    require_name(name)
    if not _VERSION.fullmatch(version):
        raise InputError(f"{version!r} is no version, such as 1.0 or 1.0.post1.")
    module = "plait_model_" + name.replace("-", "_")
    target = folder / f"{module}-{version}-py3-none-any.whl"
    if target.exists() and not force:
        raise OutputError(f"{target}: this is there already; --force replaces it.")
    about = f"{module}-{version}.dist-info"
    files = {
        f"{module}/{name}{SUFFIX}": store.packed(model),
        f"{about}/METADATA": _metadata(module, version, licence, summary, store.read_card(model)).encode(),
        f"{about}/WHEEL": b"Wheel-Version: 1.0\nGenerator: plait\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{about}/entry_points.txt": f"[{GROUP}]\n{name} = {module}\n".encode(),
    }
    files[f"{about}/RECORD"] = _record(files, f"{about}/RECORD").encode()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folders.write_file(target, _zipped(files))
    except OSError as error:
        raise OutputError(f"{target}: cannot be written: {error}.") from None
    return target


def _metadata(module: str, version: str, licence: str, summary: str, card: str) -> str:
    known = release()
    plait = f"plait>={known}" if _VERSION.fullmatch(known) else "plait"
    fields = {
        "Metadata-Version": "2.1",
        "Name": module.replace("_", "-"),
        "Version": version,
        "Summary": summary,
        "License": licence or "unknown",
        "Requires-Python": ">=3.11",
        "Requires-Dist": plait,
        "Description-Content-Type": "text/markdown",
    }
    # A field is a line, whatever a model says of itself.
    lines = [f"{field}: {' '.join(value.split())}" for field, value in fields.items()]
    return "\n".join([*lines, "", _FRONT_MATTER.sub("", card)])


def _record(files: dict[str, bytes], own: str) -> str:
    """What pip checks every file by."""
    rows = []
    for name, content in files.items():
        digest = urlsafe_b64encode(sha256(content).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(content)}\n")
    return "".join([*rows, f"{own},,\n"])


def _zipped(files: dict[str, bytes]) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as target:
        for name, content in files.items():
            entry = ZipInfo(name, NO_DATE)
            entry.create_system, entry.external_attr, entry.compress_type = 3, PLAIN_FILE, ZIP_DEFLATED
            target.writestr(entry, content)
    return packed.getvalue()
