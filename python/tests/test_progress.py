# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines about long work."""

from __future__ import annotations

import sys

import pytest

from parablock.progress import show_progress


def test_line_is_erased_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with show_progress("working"):
        assert "working" in capsys.readouterr().err
    assert capsys.readouterr().err == "\r\033[K"


def test_nothing_is_shown_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress("working"):
        pass
    assert capsys.readouterr().err == ""
