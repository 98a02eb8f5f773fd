# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lines that the README shows, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest
from readme import find_lines, run_lines

_ROOT = Path(__file__).parents[2]


def test_readme_runs(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = find_lines(_ROOT / "README.md")
    assert lines == find_lines(_ROOT / "docs" / "use" / "Python.md")
    assert len(lines.partition("\n\n")[2].splitlines()) == 5
    run_lines(_ROOT / "README.md")
    assert "2 attention" in capsys.readouterr().out
    assert "GPT2LMHeadModel" in (tmp_path / "gpt2.html").read_text()
