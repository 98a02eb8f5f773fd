# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions with a backward of their own in graphs of torch.compile."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import transformers as hf

import parablock


class _Square(torch.autograd.Function):
    """x**2, whose backward is so many times its derivative."""

    factor = 1.0

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * x * grad


class _Double(_Square):
    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        (x,) = ctx.saved_tensors
        return 4 * x * grad


class _Sum(torch.autograd.Function):
    """The derivative of a function that joins elements."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x + x.sum(-1, keepdim=True)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return grad + grad.sum(-1, keepdim=True)


class _Model(torch.nn.Module):
    def __init__(self, function: type[torch.autograd.Function]) -> None:
        super().__init__()
        self.function = function
        self.layer = torch.nn.TransformerEncoderLayer(32, 4, 48, dropout=0.0, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layer(self.function.apply(x))
        return result


@pytest.mark.parametrize(
    ("function", "runs"), [(_Square, True), (_Double, False), (_Sum, False)]
)
def test_gradients(function: type[torch.autograd.Function], runs: bool) -> None:
    """Only a derivative runs here; gradients are PyTorch's in any case."""
    torch.compiler.reset()
    torch.manual_seed(0)
    module, before = _Model(function), parablock.stats()
    x = torch.randn(2, 7, 32, requires_grad=True)
    other = x.detach().clone().requires_grad_()
    weight = torch.randn(x.shape)
    (module(x) * weight).sum().backward()
    (torch.compile(module, backend="parablock")(other) * weight).sum().backward()
    after = parablock.stats()
    assert (after["differentiated"] > before["differentiated"]) == runs
    assert x.grad is not None and other.grad is not None
    assert float((other.grad - x.grad).norm() / x.grad.norm()) < 1e-5
    said = "the graph has a function with a backward of its own, which is not known to be"
    new = after["fallbacks"].keys() - before["fallbacks"].keys()
    assert any(said in reason for reason in (new if runs else after["fallbacks"])) != runs


def test_bloom() -> None:
    torch.compiler.reset()
    torch.manual_seed(0)
    config = hf.BloomConfig(vocab_size=97, hidden_size=32, n_layer=1, n_head=4, use_cache=False)
    module = hf.BloomForCausalLM(config).train()
    ids, before = torch.randint(1, 97, (2, 9)), parablock.stats()
    mask = torch.ones_like(ids)
    mask[0, :3] = 0
    real = mask.bool()
    module(ids, attention_mask=mask).logits[real].square().mean().backward()
    wanted = [p.grad for p in module.parameters()]
    module.zero_grad(set_to_none=True)
    compiled = torch.compile(module, backend="parablock")
    compiled(ids, attention_mask=mask).logits[real].square().mean().backward()
    after = parablock.stats()
    assert after["differentiated"] == before["differentiated"] + 1
    assert after["eager_operations"] == before["eager_operations"]
    for parameter, grad in zip(module.parameters(), wanted, strict=True):
        assert parameter.grad is not None and grad is not None
        assert torch.allclose(parameter.grad, grad, atol=1e-5)
