# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Strides and memory of what torch.compile(backend="parablock") gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import transformers
from torch.nn.functional import scaled_dot_product_attention

import parablock

WIDTH, HEADS, TOKENS = 32, 4, 8
Step = Callable[["_Model", torch.Tensor], Any]


class _Model(torch.nn.Module):
    def __init__(self, step: Step) -> None:
        super().__init__()
        self.step = step
        self.norm = torch.nn.LayerNorm(WIDTH)
        self.mix = torch.nn.Linear(WIDTH, 3 * WIDTH)
        self.gate = torch.nn.Linear(WIDTH, HEADS)
        self.out = torch.nn.Linear(WIDTH, WIDTH)

    def attend(self, x: torch.Tensor) -> torch.Tensor:
        parts = self.mix(self.norm(x)).chunk(3, dim=-1)
        query, key, value = (p.unflatten(-1, (HEADS, -1)).transpose(1, 2) for p in parts)
        return scaled_dot_product_attention(query, key, value, is_causal=True)

    def block(self, x: torch.Tensor) -> torch.Tensor:
        heads = self.attend(x).transpose(1, 2).reshape(x.shape)
        result: torch.Tensor = x + self.out(heads)
        return result

    def forward(self, x: torch.Tensor) -> Any:
        return self.step(self, x)


def _join(model: _Model, x: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
    result: torch.Tensor = model.out(heads.transpose(1, 2).reshape(x.shape))
    return result


def _gate(model: _Model, x: torch.Tensor) -> torch.Tensor:
    gates = torch.sigmoid(model.gate(x)).transpose(1, 2)[..., None]
    return _join(model, x, model.attend(x) * gates)


def _overlap(x: torch.Tensor) -> torch.Tensor:
    """Windows of half as many tokens, by strides alone, as Longformer has them."""
    size, strides = list(x.shape), list(x.stride())
    size[1] = size[1] // 2
    return x.as_strided([3, *size], [strides[1] * 2, *strides])


#: What looks at strides behind a part that is compiled.
STEPS: dict[str, Step] = {
    "gated heads": _gate,
    "scaled heads": lambda m, x: _join(m, x, m.attend(x) * 1.5),
    "shifted heads": lambda m, x: _join(m, x, m.attend(x) + m.gate.bias[:, None, None]),
    "viewed heads": lambda m, x: m.attend(x).sin().transpose(1, 2).view(x.shape),
    "windows": lambda m, x: _overlap(torch.sort(m.block(x), -1).values),
    "windows of a part": lambda m, x: m.out(_overlap(m.block(x).mT.contiguous().mT)),
    "windows of turned rows": lambda m, x: _overlap(m.block(x.transpose(0, 1)).transpose(0, 1)),
    "windows of a piece": lambda m, x: _overlap(m.block(x)[:, :4]) + torch.sort(x).values.sum(),
}


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("trains", [False, True])
def test_numbers_behind_a_part(name: str, trains: bool) -> None:
    torch.compiler.reset()
    torch.manual_seed(2)
    module, x = _Model(STEPS[name]).eval(), torch.randn(2, TOKENS, WIDTH)
    with torch.set_grad_enabled(trains):
        expected = module(x)
        result = torch.compile(module, backend="parablock")(x)
    assert result.stride() == expected.stride()
    assert torch.allclose(result, expected, atol=1e-4)
    if trains:
        wanted = torch.autograd.grad(expected.square().mean(), module.mix.weight)[0]
        found = torch.autograd.grad(result.square().mean(), module.mix.weight)[0]
        assert torch.allclose(found, wanted, atol=1e-4)


#: Results whose memory or strides callers see.
RESULTS: dict[str, Step] = {
    "turned": lambda m, x: m.block(x).mT,
    "heads": lambda m, x: m.attend(x),
    "repeated": lambda m, x: m.block(x)[:, :1].expand(-1, 5, -1),
    "one of a batch": lambda m, x: m.block(x)[:1].transpose(0, 1),
}


@pytest.mark.parametrize("name", RESULTS)
@torch.no_grad()
def test_strides_of_results(name: str) -> None:
    torch.compiler.reset()
    module, x = _Model(RESULTS[name]).eval(), torch.randn(2, TOKENS, WIDTH)
    expected, before = module(x), parablock.stats()["compiled"]
    result = torch.compile(module, backend="parablock")(x)
    assert parablock.stats()["compiled"] > before
    assert result.stride() == expected.stride()
    assert torch.allclose(result, expected, atol=1e-4)


def _both_halves(model: _Model, x: torch.Tensor) -> Any:
    result = model.block(x)
    return result[:, :5], result[:, 3:]


#: Results of which one changes with another one, or with the input.
SHARED: dict[str, Step] = {
    "a view of the input": lambda m, x: (m.block(x), x.view(-1)),
    "a turned part of the input": lambda m, x: (m.block(x), x[:, 1:].mT),
    "a view of a result": lambda m, x: (y := m.block(x), y.mT),
    "two views": _both_halves,
    "parts": lambda m, x: m.block(x).split(4, dim=1),
    "a copy": lambda m, x: (y := m.block(x), y.mT.contiguous()),
}


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.parametrize("trains", [False, True])
def test_memory_of_results(name: str, trains: bool) -> None:
    """What is written to a result in place is seen as PyTorch's own results show it."""
    torch.compiler.reset()
    module, x = _Model(SHARED[name]).eval(), torch.randn(2, TOKENS, WIDTH)
    inputs = x.clone(), x.clone()
    before = parablock.stats()["compiled"]
    with torch.set_grad_enabled(trains):
        expected = module(inputs[0])
        results = torch.compile(module, backend="parablock")(inputs[1])
    assert parablock.stats()["compiled"] > before
    with torch.no_grad():
        for given in (expected, results):
            given[1].data.mul_(3)
    for result, wanted in zip((*results, inputs[1]), (*expected, inputs[0]), strict=True):
        assert result.stride() == wanted.stride()
        assert torch.allclose(result, wanted, atol=1e-4)


@torch.no_grad()
def test_inputs_that_are_views() -> None:
    torch.compiler.reset()
    module, x = _Model(_gate).eval(), torch.randn(TOKENS, 2, WIDTH).transpose(0, 1)
    before = parablock.stats()
    result = torch.compile(module, backend="parablock")(x)
    assert torch.allclose(result, module(x), atol=1e-4)
    assert parablock.stats()["compiled"] > before["compiled"]


@pytest.mark.full
@pytest.mark.parametrize("kind", ["Longformer", "LED"])
@torch.no_grad()
def test_windows_by_strides(kind: str) -> None:
    torch.compiler.reset()
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"attention_window": [8, 8], "vocab_size": 97, "pad_token_id": 1}
    if kind == "LED":
        sizes |= {"d_model": 64, "encoder_layers": 2, "decoder_layers": 1}
        sizes |= {"encoder_attention_heads": 4, "decoder_attention_heads": 4}
        sizes |= {"encoder_ffn_dim": 128, "decoder_ffn_dim": 128}
        sizes |= {"max_encoder_position_embeddings": 64}
    else:
        sizes |= {"num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4}
        sizes |= {"intermediate_size": 128, "max_position_embeddings": 130}
    config = getattr(transformers, f"{kind}Config")(**sizes)
    module = getattr(transformers, f"{kind}Model")(config).eval()
    for parameter in module.parameters():
        parameter.normal_(0, 0.3)
    ids = torch.randint(2, 97, (2, 24))
    expected = module(ids).last_hidden_state
    result = torch.compile(module, backend="parablock")(ids).last_hidden_state
    assert float((result - expected).norm() / expected.norm()) < 1e-5
