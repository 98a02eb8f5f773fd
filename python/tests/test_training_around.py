# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What stands around blocks: activations with corners, means of windows, lengths of vectors."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from gradients import backpropagate, draw_adjoints, find_limit, find_worst, get_exact
from torch.nn import functional

import parablock

#: Rows of 6 numbers, among them a row of zeros, and large ones.
_ROWS = torch.tensor(
    [
        [0.0, -1.0, 2.0, 0.5, -0.25, 1.5],
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [30.0, -30.0, 1e-4, -1e-4, 3.0, -2.0],
    ]
)


class Elements(torch.nn.Module):
    """Of rows: a result for each operation."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = torch.nn.Parameter(_ROWS.clone())
        self.slopes = torch.nn.Parameter(torch.linspace(-0.5, 0.5, 6))

    def forward(self, factor: torch.Tensor) -> tuple[torch.Tensor, ...]:
        x = self.rows * factor
        return (
            functional.leaky_relu(x, 0.1),
            functional.prelu(x, self.slopes),
            functional.prelu(x, self.slopes[1]),
            functional.elu(x, 0.7),
            functional.celu(x, 1.3),
            functional.selu(x),
            functional.logsigmoid(x),
            functional.glu(x, 1),
            torch.log1p(x.abs()),
            x.logsumexp((0, 1)),
            functional.normalize(x, dim=-1),
            torch.linalg.vector_norm(x, dim=0, keepdim=True),
            x.var(1),
            x.std((0, 1), correction=0),
            torch.roll(x, (1, -2), (0, 1)) * x,
            torch.roll(x, 4) * x,
            x.flip((0, 1)) * x,
        )


class Windows(torch.nn.Module):
    """Of images: means of windows of all kinds, and windows as columns."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.scale = torch.nn.Parameter(torch.rand(3, 1, 1) + 0.5)
        self.norm = torch.nn.BatchNorm2d(3).eval()
        self.norm.running_mean = torch.randn(3)
        self.norm.running_var = torch.rand(3) + 0.5
        torch.nn.init.normal_(self.norm.weight)
        torch.nn.init.normal_(self.norm.bias)

    def forward(self, image: torch.Tensor) -> tuple[torch.Tensor, ...]:
        x = self.norm(image * self.scale)
        line, average = x.flatten(2), functional.avg_pool2d
        return (
            functional.unfold(x, (3, 2), dilation=(1, 2), padding=(1, 0), stride=(2, 1)),
            average(x, 2),
            average(x, 3, stride=2, padding=1),
            average(x, 3, stride=2, padding=1, count_include_pad=False),
            average(x, (2, 3), stride=(3, 2), ceil_mode=True, divisor_override=5),
            functional.avg_pool1d(line, 5, stride=4, padding=2, ceil_mode=True),
            functional.adaptive_avg_pool2d(x, (3, 1)),
            functional.adaptive_avg_pool1d(line, 5),
        )


class _One(torch.nn.Module):
    """One of a module's results."""

    def __init__(self, module: torch.nn.Module, number: int) -> None:
        super().__init__()
        self.module, self.number = module, number

    def forward(self, *args: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.module(*args)[self.number]
        return result


@pytest.mark.parametrize(
    ("make", "args"),
    [
        (Elements, (torch.ones(3, 6),)),
        (Windows, (torch.randn(2, 3, 7, 8, generator=torch.Generator().manual_seed(3)),)),
    ],
)
def test_gradients(
    make: Callable[[], torch.nn.Module], args: tuple[torch.Tensor, ...]
) -> None:
    module = make()
    step = parablock.from_torch(module, args).compile("cpu", training=True)
    for number, (own, other) in enumerate(zip(step(*args), module(*args), strict=True)):
        torch.testing.assert_close(own, other, rtol=2e-6, atol=2e-6, msg=str(number))
        # One result at a time, so that no gradient hides behind a larger one.
        one = _One(module, number)
        adjoints = draw_adjoints(one(*args))
        exact = get_exact(one, args, adjoints)
        limit = find_limit(one, args, adjoints, exact)
        module.zero_grad()
        backpropagate(step(*args)[number], adjoints)
        found = {n: p.grad for n, p in one.named_parameters() if p.grad is not None}
        distance, whose = find_worst(found, exact)
        assert distance < limit, (number, whose)


def test_a_norm_by_the_batch_is_refused() -> None:
    module = torch.nn.Sequential(torch.nn.Conv2d(1, 3, 2), torch.nn.BatchNorm2d(3))
    with pytest.raises(parablock.Error, match="'?1'?: .*BatchNorm in training mode"):
        parablock.from_torch(module, (torch.randn(2, 1, 4, 4),))


def test_lengths_of_other_orders_are_refused() -> None:
    class Measure(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.linalg.vector_norm(x, 3, dim=-1)

    with pytest.raises(parablock.Error, match="a norm of order 3, expected 2"):
        parablock.from_torch(Measure(), (torch.randn(2, 4),))
