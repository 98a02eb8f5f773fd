# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Digits of gradients that sum over many rows, keys or inputs, to float64."""

from __future__ import annotations

import statistics

import pytest
import torch
from gradients import backpropagate, get_exact
from oracle import get_distance
from torch.nn import functional

import parablock

ROWS, WIDTH, SEEDS = 1024, 768, 3


class Layer(torch.nn.Module):
    """Attention of many keys between products of a large depth."""

    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(WIDTH, 96)
        self.last = torch.nn.Linear(32, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        heads = self.first(x).view(1, ROWS, 3, 32).transpose(1, 2).split(1, 1)
        mixed = functional.scaled_dot_product_attention(*heads)
        result: torch.Tensor = self.last(functional.gelu(mixed[:, 0]))
        return result


class Repeats(torch.nn.Module):
    """Parameters that are repeated along rows, or along all that there is."""

    def __init__(self) -> None:
        super().__init__()
        self.last = torch.nn.Linear(32, WIDTH)
        self.factor = torch.nn.Parameter(torch.tensor([1.3]))
        self.row = torch.nn.Parameter(torch.rand(1, 1, WIDTH))
        self.column = torch.nn.Parameter(torch.rand(ROWS, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.last(functional.gelu(x[..., :32])) + x * self.factor
        return result * self.row + self.column


@pytest.mark.parametrize("kind", [Layer, Repeats])
def test_long_sums_keep_their_digits(kind: type[torch.nn.Module]) -> None:
    """Of every gradient, the median over seeds: sums one by one lose more."""
    torch.manual_seed(0)
    module = kind()
    step = parablock.from_torch(module, (torch.zeros(1, ROWS, WIDTH),)).compile(
        "cpu", training=True
    )
    shares: dict[str, list[float]] = {}
    for seed in range(SEEDS):
        generator = torch.Generator().manual_seed(seed)
        # Numbers above 0 add up to what is much larger than each of them.
        x = torch.rand(1, ROWS, WIDTH, generator=generator)
        adjoints = [torch.rand(1, ROWS, WIDTH, generator=generator)]
        exact = get_exact(module, (x,), adjoints)
        errors = []
        for call in (step, module):
            module.zero_grad()
            backpropagate(call(x), adjoints)
            errors.append(
                {n: get_distance(p.grad, exact[n]) for n, p in module.named_parameters()}
            )
        for name, error in errors[0].items():
            shares.setdefault(name, []).append(error / errors[1][name])
    for name, ratios in shares.items():
        assert statistics.median(ratios) < 1.5, (name, ratios)
