# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of reversible layers, beside the same architecture in PyTorch."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
import torch
from gradients import take_gradients

import parablock


def _make_layers(count: int, **options: Any) -> tuple[torch.nn.TransformerEncoder, torch.Tensor]:
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(
        32, 2, 64, batch_first=True, **{"dropout": 0.0, "norm_first": True, **options}
    )
    stack = torch.nn.TransformerEncoder(layer, count, enable_nested_tensor=False).train()
    with torch.no_grad():
        for parameter in stack.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return stack, torch.randn(2, 24, 32)


def _run(stack: torch.nn.TransformerEncoder, x: torch.Tensor) -> torch.Tensor:
    """The reversible form: each branch reads one stream, and is added to the other."""
    first = second = x
    layer: Any
    for layer in stack.layers:
        first = first + layer._sa_block(layer.norm1(second), None, None)
        second = second + layer._ff_block(layer.norm2(first))
    return (first + second) / 2


def _differentiate(call: Any, stack: torch.nn.Module, x: torch.Tensor) -> dict[str, torch.Tensor]:
    x = x.clone().requires_grad_()
    result = call(x)
    result.square().mean().backward()
    assert x.grad is not None
    return {"x": x.grad, "result": result.detach(), **take_gradients(stack)}


@pytest.mark.parametrize("options", [{}, {"memory_budget": "min", "chunk_rows": 16}])
def test_gradients_are_those_of_torch(options: Any) -> None:
    stack, x = _make_layers(2)
    model = parablock.from_torch(stack, (x,))
    step = model.compile("cpu", training=True, reversible=True, **options)
    found = _differentiate(step, stack, x)
    wanted = _differentiate(lambda given: _run(stack, given), stack, x)
    # Streams have 16 digits behind the point.
    torch.testing.assert_close(found, wanted, rtol=1e-3, atol=1e-4)
    serial = _differentiate(stack, stack, x)
    assert (serial["result"] - wanted["result"]).abs().max() > 0.01
    with torch.no_grad():
        torch.testing.assert_close(step(x), found["result"], rtol=1e-3, atol=1e-4)


def test_gradients_on_a_device(fake_driver: ctypes.CDLL) -> None:
    stack, x = _make_layers(1)
    model = parablock.from_torch(stack, (x,))
    step = model.compile("cuda", training=True, reversible=True)
    found = _differentiate(step, stack, x)
    wanted = _differentiate(lambda given: _run(stack, given), stack, x)
    torch.testing.assert_close(found, wanted, rtol=1e-3, atol=1e-4)


def test_memory_does_not_grow_with_layers() -> None:
    """But for gradients, which are there until the end: a layer stands behind its inverse."""
    rest = {}
    for reversible in (False, True):
        for count in (2, 6):
            stack, _ = _make_layers(count)
            model = parablock.from_torch(stack, (torch.randn(4, 64, 32),))
            step = model.compile("cpu", training=True, memory_budget="min", reversible=reversible)
            parts = step.memory().predicted
            rest[reversible, count] = parts.arena + parts.saved
    assert rest[True, 6] < 1.05 * rest[True, 2]
    assert rest[False, 6] > 1.1 * rest[False, 2]


def test_dropout() -> None:
    stack, x = _make_layers(1, dropout=0.3)
    model = parablock.from_torch(stack, (x,))
    with pytest.raises(parablock.Error, match="'reversible' requires a module without dropout, got"):
        model.compile("cpu", training=True, reversible=True)


def test_layers_without_such_a_form() -> None:
    stack, x = _make_layers(1, norm_first=False)
    model = parablock.from_torch(stack, (x,))
    with pytest.raises(parablock.Error, match="no reversible form of layer '.*': .*post-layer-norm"):
        model.compile("cpu", training=True, reversible=True)
