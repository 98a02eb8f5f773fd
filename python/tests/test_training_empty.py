# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights that hold nothing, as configurations make them: MobileBERT joins a table
with one of no rows where two of its widths are equal."""

from __future__ import annotations

import pytest
import torch
from gradients import backpropagate, draw_adjoints, get_exact
from torch import nn
from torch.nn import functional

import parablock


class Block(nn.Module):
    """An MLP beside a weight of no rows, which each kind uses in its own way."""

    empty = (0, 24)
    wide = 24

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(24)
        self.up, self.down = nn.Linear(24, 48), nn.Linear(48, 24)
        self.weight = nn.Parameter(torch.randn(self.wide, 24))
        self.nothing = nn.Parameter(torch.randn(self.empty))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.enter(x)
        x = x + self.down(functional.gelu(self.up(self.norm(x))))
        return self.leave(x)

    def enter(self, x: torch.Tensor) -> torch.Tensor:
        return x

    def leave(self, x: torch.Tensor) -> torch.Tensor:
        return x


class Rows(Block):
    def leave(self, x: torch.Tensor) -> torch.Tensor:
        return functional.linear(x, torch.cat([self.weight, self.nothing]))


class Columns(Block):
    wide = 40
    empty = (0, 40)

    def leave(self, x: torch.Tensor) -> torch.Tensor:
        return x @ torch.cat([self.weight.t(), self.nothing])


class Gain(Block):
    empty = (0,)

    def leave(self, x: torch.Tensor) -> torch.Tensor:
        return x * torch.cat([self.weight[0], self.nothing])


class Beside(Block):
    def leave(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([x, functional.linear(x, self.nothing)], -1)


class Window(Block):
    empty = (0, 24, 1)

    def enter(self, x: torch.Tensor) -> torch.Tensor:
        weight = torch.cat([self.weight[:, :, None], self.nothing])
        return functional.conv1d(x.transpose(1, 2), weight).transpose(1, 2)


class Table(Block):
    wide = 30

    def enter(self, x: torch.Tensor) -> torch.Tensor:
        return functional.embedding(x, torch.cat([self.weight, self.nothing]))


class NarrowTable(Block):
    wide = 30
    empty = (30, 0)

    def enter(self, x: torch.Tensor) -> torch.Tensor:
        tables = [self.weight, self.nothing]
        return torch.cat([functional.embedding(x, table) for table in tables], -1)


class Narrow(Block):
    def leave(self, x: torch.Tensor) -> torch.Tensor:
        narrow = functional.linear(x, self.nothing)
        return x + functional.linear(narrow, self.nothing.t(), self.norm.bias)


def _make(kind: type[Block]) -> tuple[Block, torch.Tensor]:
    torch.manual_seed(3)
    ids = torch.randint(0, 30, (2, 9))
    return kind(), ids if issubclass(kind, Table | NarrowTable) else torch.randn(2, 9, 24)


@pytest.mark.parametrize("kind", [Rows, Columns, Gain, Beside, Window, Table, NarrowTable])
def test_weights_of_no_rows_train(kind: type[Block]) -> None:
    module, x = _make(kind)
    adjoints = draw_adjoints(module(x))
    exact = get_exact(module, (x,), adjoints)
    step = parablock.from_torch(module, (x,)).compile("cpu", training=True)
    backpropagate(step(x), adjoints)
    for name, parameter in module.named_parameters():
        if name == "nothing" or (kind is Beside and name == "weight"):
            continue
        assert parameter.grad is not None, name
        torch.testing.assert_close(parameter.grad.double(), exact[name], rtol=1e-4, atol=1e-5)


def test_a_product_over_nothing_is_named() -> None:
    module, x = _make(Narrow)
    with pytest.raises(parablock.Error, match=r"no elements, of shape \[2, 9, 0\]"):
        parablock.from_torch(module, (x,))
