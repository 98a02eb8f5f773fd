# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the lines that a page shows, word for word, here or where a wheel is installed.

    python readme.py README.md
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import torch
import transformers


def find_lines(page: Path) -> str:
    found = re.search(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert found, page
    return found[1]


def run_lines(page: Path) -> dict[str, Any]:
    """The names after the lines of `page`, whose logits are those of PyTorch.

    A small random model stands where the published one would be loaded.
    """
    config = transformers.GPT2Config(
        n_layer=2, n_embd=64, n_head=4, vocab_size=97, bos_token_id=None
    )
    module = transformers.GPT2LMHeadModel(config)
    kind = transformers.AutoModelForCausalLM
    load = kind.from_pretrained
    kind.from_pretrained = lambda name: module
    names: dict[str, Any] = {}
    try:
        exec(find_lines(page), names)
    finally:
        kind.from_pretrained = load
    with torch.no_grad():
        expected = module(names["input_ids"]).logits
    assert torch.allclose(names["logits"], expected, atol=1e-4)
    return names


if __name__ == "__main__":
    run_lines(Path(sys.argv[1]))
