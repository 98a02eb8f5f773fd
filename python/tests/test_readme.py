# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lines that the README shows, word for word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch
import transformers

_ROOT = Path(__file__).parents[2]


def _find_lines(file: str) -> str:
    found = re.search(r"```python\n(.*?)```", (_ROOT / file).read_text(), re.DOTALL)
    assert found, file
    return found[1]


def test_readme_runs(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A small random model stands where the published one would be loaded."""
    config = transformers.GPT2Config(
        n_layer=2, n_embd=64, n_head=4, vocab_size=97, bos_token_id=None
    )
    module = transformers.GPT2LMHeadModel(config)
    load = transformers.AutoModelForCausalLM
    monkeypatch.setattr(load, "from_pretrained", lambda name: module)
    monkeypatch.chdir(tmp_path)
    lines = _find_lines("README.md")
    assert lines == _find_lines("docs/Python.md")
    assert len(lines.partition("\n\n")[2].splitlines()) == 5
    names: dict[str, object] = {}
    exec(lines, names)
    with torch.no_grad():
        expected = module(names["input_ids"]).logits
    assert torch.allclose(names["logits"], expected, atol=1e-4)
    assert "2 attention" in capsys.readouterr().out
    assert "GPT2LMHeadModel" in (tmp_path / "gpt2.html").read_text()
