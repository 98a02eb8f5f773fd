# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command that converts a checkpoint and writes a card of one page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
import tokenizers
import torch
import transformers as hf
from oracle import check_near, run_exactly

import parablock
from parablock.__main__ import main


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small Llama of random weights, with a tokenizer of one token a letter."""
    path = tmp_path_factory.mktemp("checkpoint")
    torch.manual_seed(0)
    config = hf.LlamaConfig(num_hidden_layers=3, hidden_size=16, intermediate_size=32, num_attention_heads=2,
                            num_key_value_heads=2, vocab_size=30, initializer_range=0.2, max_position_embeddings=64)
    hf.LlamaForCausalLM(config).eval().save_pretrained(path)
    letters = {chr(97 + i): i for i in range(26)} | {" ": 26, "?": 27}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(letters, unk_token="?"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    tokenizer.save(str(path / "tokenizer.json"))
    return path


def _write_text(path: Path, count: int) -> Path:
    letters = np.random.default_rng(0).integers(97, 123, count).astype(np.uint8)
    path.write_bytes(letters.tobytes())
    return path


def test_card(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The card has what the drift report has; the folder runs in transformers."""
    text = _write_text(tmp_path / "text.txt", 96 * 32)
    flags = [f"--data={text}", "--seq=32", "--rows=64", f"--json={tmp_path / 'drift.json'}"]
    assert main(["convert", str(folder), "-o", str(tmp_path / "out"), *flags]) == 0
    card = capsys.readouterr().out
    assert card == (tmp_path / "out" / "README.md").read_text()
    drift = json.loads((tmp_path / "drift.json").read_text())
    assert drift["chosen"] == ["0+", "1+"] and drift["correction"] == "refit"
    # Half of 64 rows is to fit, a quarter to choose by.
    assert drift["split"]["report"]["tokens"] == 16 * 32
    assert re.findall("## (.*)", card) == [
        "What changed", "What it costs", "What it saves", "What it is not for", "How to run it"
    ]
    generation = drift["generation"]
    for line in (
        "In the pairs `0+ 1+` attention and MLP read the same stream.",
        f"| KL divergence, nats a token | 0 | {drift['measured_kl']:.4g} |",
        f"| perplexity | {drift['perplexity']['serial']:.4g} | {drift['perplexity']['parallel']:.4g} |",
        f"stay the same | {generation['sequences']} of {generation['sequences']} | {generation['same']} of",
        "Measured on 512 tokens",
        # Six sublayers are two pairs, an attention and an MLP; none of their sums is hidden.
        "| sums over devices | 6 | 4 |",
        "| sums that nothing is computed beside | 6 | 4 |",
        "ms less in this form",
        "one CPU it saves 0 to 2 %",
        "exact work were not measured",
    ):
        assert line in card, line
    there = hf.AutoModelForCausalLM.from_pretrained(tmp_path / "out", trust_remote_code=True).eval()
    ids = torch.arange(9)[None]
    model = parablock.from_pretrained(tmp_path / "out")
    check_near(model.compile()(ids.numpy())["logits"], run_exactly(there, (ids,)).logits)


def test_ladders_and_codes(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A ladder has as many sums, of which all but the last run beside a branch."""
    text = _write_text(tmp_path / "text.txt", 96 * 32)
    flags = [f"--data={text}", "--seq=32", "--pairing=ladder", "--correction=none", "--weights=int8"]
    assert main(["convert", str(folder), "-o", str(tmp_path / "out"), *flags]) == 0
    card = capsys.readouterr().out
    assert "(a ladder)" in card and "codes of the form int8" in card and "before they became codes" in card
    assert "| sums over devices | 6 | 6 |" in card and "| sums that nothing is computed beside | 6 | 1 |" in card


def test_refusals(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = _write_text(tmp_path / "text.txt", 96 * 32)
    out = tmp_path / "out"
    flags = ["convert", str(folder), "-o", str(out), "--seq=32"]
    assert main([*flags, f"--data={text}", "--budget-kl=1e-9", "--correction=none"]) == 1
    assert "no pair fits the budget: nothing is written" in capsys.readouterr().err
    assert main([*flags, f"--data={_write_text(tmp_path / 'short.txt', 100)}"]) == 1
    assert "expected at least 4 rows of 32 tokens, got 100 tokens: give a longer text" in capsys.readouterr().err
    assert main([*flags, f"--data={tmp_path / 'none.txt'}"]) == 1
    assert "cannot read" in capsys.readouterr().err
    assert not out.exists()
