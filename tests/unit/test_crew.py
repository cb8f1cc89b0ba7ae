"""The processes that make files of files; what a whole run does is in test_folder_cli.py."""

from __future__ import annotations

import subprocess
import sys


def test_a_worker_that_leaves_and_is_told_to_leave_is_silent() -> None:
    """Its parent has closed the connection, and then terminates it: as it may, before the process has ended."""
    script = """if True:
        import os, signal
        from multiprocessing import Pipe
        from plait.cli.crew import _member
        ours, theirs = Pipe()
        ours.close()
        _member(lambda: None, theirs)
        os.kill(os.getpid(), signal.SIGTERM)
        """
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
