# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs side by side, which share files of tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_folders_change_behind_what_another_run_took(tmp_path: Path) -> None:
    """A file that somebody else runs stands between the files of two folders."""
    (tmp_path / "tests.test_progress.py").mkdir()
    files = ["tests/test_output.py", "tests/test_progress.py", "parablock/calling.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", f"--claims={tmp_path}", *files],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "parablock.calling.py").is_dir()
