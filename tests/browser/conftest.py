"""A real browser, where there is one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        pytest.skip("there is no Chromium on this machine: apt install chromium")
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
