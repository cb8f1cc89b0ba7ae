"""A real browser, where there is one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NoReturn

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_program() -> str | None:
    return next(filter(None, map(shutil.which, _NAMES)), None)


def give_up(reason: str) -> NoReturn:
    """Skip; but where everything is to be tested, nothing is left out in silence."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if not (find_spec("playwright") and (program := find_program())):
        give_up("there is no playwright or no Chromium on this machine: apt install chromium")
    playwright = import_module("playwright.sync_api")
    # Chromium refuses to run as root with its sandbox on.
    arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=program, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Any, server: str) -> Iterator[Any]:
    """An empty page; at the end of the test the console must have been silent."""
    context = browser.new_context(base_url=server, viewport={"width": 1200, "height": 900})
    page = context.new_page()
    complaints: list[str] = []
    # A request that the server refuses is the browser's own remark, not a fault of the page.
    page.on(
        "console",
        lambda message: (
            "status of 400" in message.text or complaints.append(f"{message.type}: {message.text}")
        ),
    )
    page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    page.set_default_timeout(10_000)
    yield page
    context.close()
    assert complaints == []
