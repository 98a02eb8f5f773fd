# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that are imported with one token: numbers are right, and a reason is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import transformers as hf

import parablock

SIZES = {
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 1,
    "num_attention_heads": 4,
    "vocab_size": 97,
}
SHARED = {**SIZES, "num_key_value_heads": 2, "use_cache": False}
PAIR = {
    "vocab_size": 97,
    "d_model": 64,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 96,
    "decoder_ffn_dim": 96,
}
_IDS = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}


def _make_whisper() -> Any:
    config = hf.WhisperConfig(
        **PAIR, **_IDS, num_mel_bins=8, max_source_positions=1, decoder_start_token_id=1
    )
    return hf.WhisperModel(config).encoder


def _make_siglip() -> Any:
    sizes = {name: size for name, size in SIZES.items() if name != "vocab_size"}
    config = hf.SiglipVisionConfig(
        **sizes, image_size=8, patch_size=8, vision_use_head=False
    )
    return hf.SiglipVisionModel(config)


FAMILIES: dict[str, Callable[[], Any]] = {
    "llama": lambda: hf.LlamaForCausalLM(hf.LlamaConfig(**SHARED)),
    "cohere2": lambda: hf.Cohere2ForCausalLM(hf.Cohere2Config(**SHARED)),
    "exaone4": lambda: hf.Exaone4ForCausalLM(hf.Exaone4Config(**SHARED)),
    "bert": lambda: hf.BertModel(hf.BertConfig(**SIZES)),
    "electra": lambda: hf.ElectraModel(hf.ElectraConfig(**SIZES, embedding_size=64)),
    "mbart": lambda: hf.MBartForCausalLM(hf.MBartConfig(**PAIR, use_cache=False)),
    "siglip-text": lambda: hf.SiglipTextModel(hf.SiglipTextConfig(**SIZES)),
    "siglip": _make_siglip,
    "whisper": _make_whisper,
    "modernbert": lambda: hf.ModernBertModel(
        hf.ModernBertConfig(**SIZES, **_IDS, cls_token_id=1, sep_token_id=2)
    ),
    "gpt2": lambda: hf.GPT2Model(
        hf.GPT2Config(n_layer=1, n_embd=64, n_head=4, vocab_size=97, use_cache=False)
    ),
}


def _draw(name: str, batch: int) -> torch.Tensor:
    if name == "whisper":
        return torch.randn(batch, 8, 2)
    if name == "siglip":
        return torch.randn(batch, 3, 8, 8)
    return torch.randint(3, 97, (batch, 1))


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("name", FAMILIES)
@torch.no_grad()
def test_one_token(name: str, batch: int) -> None:
    torch.manual_seed(1)
    module, x = FAMILIES[name]().eval(), _draw(name, batch)
    model = parablock.from_torch(module, (x,)).optimize()
    explanation = model.explain()
    assert explanation.to_dict()["recognised"]["attention"] == 0
    missed = [miss for miss in explanation.to_dict()["missed"] if miss["kind"] == "attention"]
    assert len(missed) == 1
    assert "missed attention: a softmax over one key is 1 whatever" in str(explanation)
    other = _draw(name, batch)
    wanted = module(other)[0]
    for target in ("cpu", "reference"):
        result = model.compile(target)(other)[0]
        torch.testing.assert_close(result, wanted, atol=1e-5, rtol=1e-4)


def test_two_tokens() -> None:
    """The reason is of one key alone."""
    module = FAMILIES["bert"]().eval()
    explanation = parablock.from_torch(module, (torch.randint(3, 97, (1, 2)),)).explain()
    assert explanation.to_dict()["recognised"]["attention"] == 1
    assert "one key" not in str(explanation)
