# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that are imported with one token: their attention is recognised."""

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
    """Attention is recognised with its projections, of which every weight is read."""
    torch.manual_seed(1)
    module, x = FAMILIES[name]().eval(), _draw(name, batch)
    imported = parablock.from_torch(module, (x,))
    found = imported.explain().to_dict()
    assert found["recognised"]["attention"] == 1
    assert not found["missed"]
    [attention] = [line for line in str(imported).splitlines() if "block.attention" in line]
    assert all(f" {role} %" in attention for role in ("q", "k", "v", "o"))
    model = imported.optimize()
    other = _draw(name, batch)
    wanted = module(other)[0]
    for target in ("cpu", "reference"):
        result = model.compile(target)(other)[0]
        torch.testing.assert_close(result, wanted, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", ["llama", "cohere2", "exaone4", "mbart", "gpt2"])
@torch.no_grad()
def test_parallelized(name: str) -> None:
    """Conversions take the layers of one token."""
    torch.manual_seed(1)
    module, x = FAMILIES[name]().eval(), _draw(name, 3)
    model = parablock.from_torch(module, (x,)).optimize("all")
    result = model.compile("cpu")(x)[0]
    torch.testing.assert_close(result, model.compile("reference")(x)[0], atol=1e-5, rtol=1e-4)


class Attention(torch.nn.Module):
    """Attention with a mask that is an argument."""

    def __init__(self) -> None:
        super().__init__()
        self.project = torch.nn.Linear(16, 48)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        q, k, v = self.project(x).unflatten(-1, (3, 2, 8)).permute(2, 0, 3, 1, 4)
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)


@pytest.mark.parametrize("dtype", [torch.bool, torch.float32])
@torch.no_grad()
def test_hidden_key(dtype: torch.dtype) -> None:
    """A mask may hide the only key."""
    module, x = Attention().eval(), torch.randn(4, 1, 16)
    seen = torch.tensor([True, False, True, False])[:, None, None, None]
    mask = seen if dtype == torch.bool else torch.where(seen, 0.5, -torch.inf)
    model = parablock.from_torch(module, (x, mask))
    assert model.explain().to_dict()["recognised"]["attention"] == 1
    for target in ("cpu", "reference"):
        torch.testing.assert_close(model.compile(target)(x, mask), module(x, mask))


def test_trained() -> None:
    """Gradients of queries and keys are 0, and of values those of PyTorch."""
    torch.manual_seed(1)
    module, x = FAMILIES["bert"]().train(False), torch.randint(3, 97, (2, 1))
    module(x)[0].square().sum().backward()
    wanted = {name: weight.grad for name, weight in module.named_parameters()}
    module.zero_grad()
    compiled = parablock.from_torch(module, (x,)).compile(training=True)
    compiled(x)[0].square().sum().backward()
    for name, weight in module.named_parameters():
        if wanted[name] is not None:
            torch.testing.assert_close(weight.grad, wanted[name], atol=1e-4, rtol=1e-3)
