# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(backend="parablock")."""

from __future__ import annotations

import pytest
import torch

import parablock


class _Wrapped(torch.nn.Module):
    def __init__(self, norm_first: bool) -> None:
        super().__init__()
        self.layer = torch.nn.TransformerEncoderLayer(
            32, 4, 48, batch_first=True, norm_first=norm_first
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layer(x)
        return result


def _compare(module: torch.nn.Module, x: torch.Tensor) -> None:
    expected = module(x)
    result = torch.compile(module, backend="parablock")(x)
    assert torch.allclose(result, expected, atol=1e-4)


@torch.no_grad()
def test_recognised_graphs_run_here() -> None:
    before = parablock.stats()
    for norm_first in (False, True):
        torch.compiler.reset()
        _compare(_Wrapped(norm_first).eval(), torch.randn(2, 7, 32))
    after = parablock.stats()
    assert after["compiled"] == before["compiled"] + 2
    assert after["recognised"]["attention"] >= 2
    assert after["fallbacks"] == before["fallbacks"]


@torch.no_grad()
def test_others_run_eagerly_and_are_counted() -> None:
    torch.compiler.reset()

    class Sorts(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.sort(x).values

    _compare(Sorts(), torch.randn(3, 4))
    assert any("aten.sort" in reason for reason in parablock.stats()["fallbacks"])


class _Between(torch.nn.Module):
    """Blocks, with something between them that is none."""

    def __init__(self) -> None:
        super().__init__()
        self.first = _Wrapped(False)
        self.second = _Wrapped(True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = self.first(x)
        result: torch.Tensor = self.second(hidden + torch.sort(hidden, -1).values)
        return result


@torch.no_grad()
def test_blocks_of_a_graph_run_here() -> None:
    torch.compiler.reset()
    before = parablock.stats()
    module, x = _Between().eval(), torch.randn(2, 7, 32)
    compiled = torch.compile(module, backend="parablock")
    assert torch.allclose(compiled(x), module(x), atol=1e-4)
    after = parablock.stats()
    assert after["compiled"] == before["compiled"] + 2
    assert after["recognised"]["attention"] == before["recognised"]["attention"] + 2
    assert after["eager_operations"] > before["eager_operations"]
    # Weights that change are packed again.
    module.first.layer.linear1.weight.add_(0.1)
    assert torch.allclose(compiled(x), module(x), atol=1e-4)


@torch.no_grad()
def test_breaks_are_counted() -> None:
    torch.compiler.reset()

    class Breaks(_Between):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            hidden = self.first(x)
            torch._dynamo.graph_break()
            result: torch.Tensor = self.second(hidden)
            return result

    before = parablock.stats()
    _compare(Breaks().eval(), torch.randn(2, 7, 32))
    after = parablock.stats()
    assert after["graphs"] == before["graphs"] + 2
    assert after["breaks"] > before["breaks"]


def test_input_that_requires_grad_is_refused() -> None:
    torch.compiler.reset()
    compiled = torch.compile(_Wrapped(True).eval(), backend="parablock")
    with pytest.raises(parablock.Error, match="detach"):
        compiled(torch.randn(2, 7, 32, requires_grad=True))


def test_training_runs_eagerly() -> None:
    torch.compiler.reset()
    module = _Wrapped(True).eval()
    x = torch.randn(2, 7, 32)
    torch.compile(module, backend="parablock")(x).sum().backward()
    assert module.layer.linear1.weight.grad is not None
    assert any("no_grad" in reason for reason in parablock.stats()["fallbacks"])
