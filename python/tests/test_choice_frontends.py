# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A choice serves one checkpoint through every frontend."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import parablock
import pytest
import torch
import transformers


def _make(family: str) -> torch.nn.Module:
    torch.manual_seed(0)
    sizes = {"vocab_size": 97, "use_cache": False}
    if family == "gpt2":
        # Its projections are transposed, one for queries, keys and values; its head is tied.
        config = transformers.GPT2Config(n_layer=3, n_embd=32, n_head=4, n_positions=64, **sizes)
        return transformers.GPT2LMHeadModel(config).eval()
    config = transformers.LlamaConfig(
        num_hidden_layers=3, hidden_size=32, intermediate_size=64, num_attention_heads=4,
        num_key_value_heads=2, **sizes,
    )
    return transformers.LlamaForCausalLM(config).eval()


@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_choices_agree(family: str, tmp_path: Path) -> None:
    module = _make(family)
    module.save_pretrained(tmp_path / "checkpoint")
    ids = torch.randint(1, 97, (64, 24), generator=torch.Generator().manual_seed(1))
    read = parablock.from_pretrained(tmp_path / "checkpoint")
    traced = parablock.from_torch(module, (ids[:2],))
    choice = tmp_path / "choice.json"
    found = read.drift(ids.numpy(), correction="refit", pairing="shifted", choice=choice)
    other = traced.drift(ids)
    assert found.to_dict()["model_hash"] == other.to_dict()["model_hash"]
    wanted = np.asarray(read.optimize(parallel=choice).compile()(ids[:2].numpy())["logits"])
    made = traced.optimize(parallel=choice).compile()(ids[:2]).logits.detach().numpy()
    np.testing.assert_allclose(made, wanted, rtol=1e-4, atol=1e-5)
    assert np.abs(made - module(ids[:2]).logits.detach().numpy()).max() > 1e-3


def test_other_models_differ(tmp_path: Path) -> None:
    """Sizes and wiring count, whatever parameters are called."""
    hashes = set()
    for heads, width in [(4, 32), (2, 32), (4, 64)]:
        config = transformers.GPT2Config(
            n_layer=2, n_embd=width, n_head=heads, n_positions=64, vocab_size=97, use_cache=False
        )
        module = transformers.GPT2LMHeadModel(config).eval()
        ids = torch.randint(1, 97, (4, 8))
        hashes.add(parablock.from_torch(module, (ids,)).drift(ids).to_dict()["model_hash"])
    assert len(hashes) == 3
