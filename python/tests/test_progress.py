# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines about long work."""

from __future__ import annotations

import sys
import time

import pytest

from parablock.progress import show_progress, show_steps


def _pretend_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("parablock.progress._PATIENCE", 0.01)


def test_line_is_erased_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _pretend_terminal(monkeypatch)
    with show_progress("working"):
        time.sleep(0.2)
        assert "working (0 s)" in capsys.readouterr().err
    assert capsys.readouterr().err.endswith("\r\033[K")


def test_bar_counts_steps(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _pretend_terminal(monkeypatch)
    with show_steps("peers", 2) as step:
        step("one")
        assert "] 0/2 one" in capsys.readouterr().err
        step("two")
        assert "#." in capsys.readouterr().err
    assert capsys.readouterr().err == "\r\033[K"


def test_nothing_is_shown_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress("working"), show_steps("peers", 1) as step:
        step("one")
    assert capsys.readouterr().err == ""
