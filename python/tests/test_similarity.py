# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The script that compares sentence vectors of codes with those of numbers."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tokenizers
import torch
import transformers as hf

_SCRIPT = Path(__file__).parents[2] / "scripts" / "measure_similarity.py"


def _make_folder(folder: Path) -> None:
    torch.manual_seed(0)
    config = hf.BertConfig(vocab_size=60, hidden_size=64, num_hidden_layers=1, num_attention_heads=2,
                           intermediate_size=96, initializer_range=0.3)
    hf.BertModel(config).eval().save_pretrained(folder)
    letters = {chr(97 + i): i for i in range(26)} | {" ": 26, "?": 27}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(letters, unk_token="?"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    tokenizer.save(str(folder / "tokenizer.json"))


def test_table(tmp_path: Path) -> None:
    """Codes of 8 bits are nearer to the numbers than those of 4 bits, and neither is the numbers."""
    _make_folder(tmp_path)
    done = subprocess.run(
        [sys.executable, _SCRIPT, tmp_path, "--sentences=12", "--forms=int8,int4-g32"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("12 sentences, ")
    rows = dict(re.findall(r"\| (int\S+) \| (\S+) \|", done.stdout))
    assert 0.5 < float(rows["int4-g32"]) < float(rows["int8"]) < 1


@pytest.mark.full
def test_pairs(tmp_path: Path) -> None:
    """A refit brings parallel layers nearer to the serial ones, and neither is the serial ones."""
    _make_folder(tmp_path)
    done = subprocess.run(
        [sys.executable, _SCRIPT, tmp_path, "--sentences=12", "--pairings=block", "--tokens=2000"],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = dict(re.findall(r"\| block \| 1 \| (\S+) \| \S+ \| (\S+) \|", done.stdout))
    assert 0.3 < float(rows["none"]) < float(rows["refit"]) < 1


def test_comparison() -> None:
    """Vectors that are turned together have the same similarities; others have not."""
    spec = importlib.util.spec_from_file_location("measure_similarity", _SCRIPT)
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    vectors = np.random.default_rng(0).standard_normal((20, 3))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert np.allclose(script.compare(vectors, vectors), 1)
    cosine, ranks, nearest = script.compare(vectors[:, [1, 2, 0]], vectors)
    assert cosine < 0.9 and np.isclose(ranks, 1) and nearest == 1
    _, ranks, nearest = script.compare(np.roll(vectors, 1, 0), vectors)
    assert ranks < 0.5 and nearest < 0.5
    states = np.ones((2, 3, 2))
    states[0, 2] = 1e6
    # Padding has no part in a mean.
    found = script.embed(lambda ids, mask: states, [[1, 2], [1, 2, 3]])
    assert np.allclose(found, np.sqrt(0.5))
