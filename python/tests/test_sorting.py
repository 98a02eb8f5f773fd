# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sorts, counts, rows added or put at places, and products of sorted rows, with PyTorch's results."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

import parablock

pytest.importorskip("transformers.integrations.moe")

Function = Callable[..., torch.Tensor]


class Made(torch.nn.Module):
    """A function of tensors, and one matrix for each of three groups."""

    def __init__(self, function: Function) -> None:
        super().__init__()
        self.function = function
        self.stack = torch.nn.Parameter(torch.randn(3, 4, 5))

    def forward(self, *given: torch.Tensor) -> torch.Tensor:
        return self.function(self, *given)


_multiply_groups: Any = torch.ops.transformers.grouped_mm_fallback


def _choose(x: torch.Tensor) -> torch.Tensor:
    """Two of three groups for each row, one after the other."""
    return x[:, :3].topk(2, -1).indices.reshape(-1)


def _count(ids: torch.Tensor) -> torch.Tensor:
    return torch.histc(ids.float(), bins=3, min=0, max=2)


def _put(x: torch.Tensor, places: torch.Tensor, rows: torch.Tensor, adds: bool = False) -> torch.Tensor:
    return torch.ops.aten.index_put(x, [places], rows, adds)


def _multiply(module: Made, x: torch.Tensor) -> torch.Tensor:
    ids, order = torch.sort(_choose(x))
    ends = torch.cumsum(_count(ids), 0, dtype=torch.int32)
    return _multiply_groups(x[order // 2], module.stack, ends)


def _multiply_some(module: Made, x: torch.Tensor) -> torch.Tensor:
    """The last rows are of no group; their products are undefined."""
    rows = x.repeat(2, 1)
    ends = torch.cumsum(_count(_choose(x)), 0, dtype=torch.int32) - 2
    return _multiply_groups(rows, module.stack, ends)[: rows.shape[0] - 2]


FUNCTIONS: dict[str, Function] = {
    "sort": lambda m, x, n: n.sort(-1).values,
    "places": lambda m, x, n: n.sort(dim=-1, stable=True).indices,
    "descending": lambda m, x, n: torch.stack(n.sort(dim=-1, descending=True, stable=True)),
    "columns": lambda m, x, n: torch.stack(n.sort(dim=0, stable=True)),
    "argsort": lambda m, x, n: n.argsort(dim=-1, stable=True),
    "floats": lambda m, x, n: x.sort(-1).values,
    "places of floats": lambda m, x, n: x.argsort(-1, descending=True),
    "counts": lambda m, x, n: _count(_choose(x)),
    "quotients": lambda m, x, n: n // 3,
    "quotients towards 0": lambda m, x, n: torch.div(n - 2, 3, rounding_mode="trunc"),
    "quotients down": lambda m, x, n: torch.div(n - 2, 3, rounding_mode="floor"),
    "quotients of no mode": lambda m, x, n: torch.div(x, 3, rounding_mode=None),
    "rows put": lambda m, x, n: _put(x, _choose(x), x.repeat(2, 1).abs()[:12].clone().fill_(2.0)),
    "rows put where": lambda m, x, n: _put(x, x[:, 0] > 0, x[1]),
    "one put where": lambda m, x, n: _put(x, x > 0, torch.tensor([7.0])),
    "rows added where": lambda m, x, n: _put(x, x[:, 0] > 0, x[1:2], adds=True),
    "rows put at known": lambda m, x, n: _put(x, torch.tensor([True, False, False, True, False, False]), x[4:]),
    "nothing put": lambda m, x, n: _put(x, torch.zeros(0, dtype=torch.int64), x[:0]),
    "rows added": lambda m, x, n: _put(x, _choose(x), x.repeat(2, 1), adds=True),
    "index_add": lambda m, x, n: torch.ones_like(x).index_add(0, _choose(x), x.repeat(2, 1)),
    "scatter_add": lambda m, x, n: torch.zeros_like(x).scatter_add(0, x.argsort(0), x),
    "inverse": lambda m, x, n: _put(torch.empty_like(_choose(x)), _choose(x).sort().indices, torch.arange(12)),
    "numbers in each row": lambda m, x, n: _put(n.repeat(1, 2)[:, :6], _choose(x)[:6], torch.arange(6)),
    "rows in their order": lambda m, x, n: x[torch.argsort(_choose(x))[:6] // 2],
    "least quotients": lambda m, x, n: torch.where(n > 0, torch.iinfo(n.dtype).min, n) // 3,
    "count of one": lambda m, x, n: torch.histc(n.float(), bins=1),
    "groups": lambda m, x, n: _multiply(m, x),
    "groups that end early": lambda m, x, n: _multiply_some(m, x),
}


def _draw() -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(0)
    # Equal numbers, and some that f32 does not have.
    numbers = torch.randint(-3, 3, (6, 5)) + torch.randint(0, 2, (6, 5)) * (2**40 + 1)
    return torch.randn(6, 4), numbers


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str) -> None:
    module, given = Made(FUNCTIONS[name]), _draw()
    found = parablock.from_torch(module, given).compile("cpu", threads=1)(*given)
    torch.testing.assert_close(found, module(*given).detach(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda m, x, n: torch.histc(x, bins=3, min=0, max=2), "histc of other than whole numbers"),
        (lambda m, x, n: torch.histc(n.float(), bins=3, min=0, max=5), "histc of other than whole numbers"),
        (lambda m, x, n: torch.histc(n.float(), bins=4), "histc of other than whole numbers"),
        (lambda m, x, n: _put(x, x[:, 0] > x[0, 0] - 1e9, x + 1), "other elements for each place of a mask"),
        (lambda m, x, n: _put(x, n[:4, :2].clamp(0, 1), x[0]), "at places of 2 dimensions"),
        (lambda m, x, n: torch.ops.aten.index_put(x, [None, n[0].clamp(0, 3)], x[:, :1]), "of other dimensions"),
        (lambda m, x, n: n // n.abs(), "by one above 0"),
        (lambda m, x, n: torch.nn.functional.avg_pool1d(n, 2), "numbers with a fraction in an operation of i64"),
        (lambda m, x, n: x.index_add(1, n[0, :4].clamp(0, 3), x), "along another dimension than the first"),
        (lambda m, x, n: _multiply_groups(x, m.stack[:0], n[0, :0].int()), "of no rows or matrices"),
    ],
    ids=["floats", "bins", "range", "mask", "places", "column", "divisor", "means", "dimension", "no groups"],
)
def test_refusals(function: Function, said: str) -> None:
    with pytest.raises(parablock.Error, match=said):
        parablock.from_torch(Made(function), _draw())


@pytest.mark.parametrize(
    ("function", "least"),
    [
        (lambda m, x, n: _put(x, n, 2 * x), -6),
        (lambda m, x, n: _put(x, n, x, adds=True), -6),
        (lambda m, x, n: x.index_add(0, n, x), 0),
        (lambda m, x, n: x[:, 0].scatter_add(0, n, x[:, 1]), 0),
        (lambda m, x, n: x[:, 0].scatter(0, n, x[:, 1]), 0),
        (lambda m, x, n: x[:, 0].scatter(0, n, 3.0), 0),
    ],
    ids=["put", "put to add", "index_add", "scatter_add", "scatter", "scatter number"],
)
def test_places_out_of_range(function: Function, least: int) -> None:
    torch.manual_seed(3)
    module, x, places = Made(function), torch.randn(6, 4), torch.tensor([0, 2, 5, 1, 4, 3])
    compiled = parablock.from_torch(module, (x, places)).compile("cpu", threads=1)
    torch.testing.assert_close(compiled(x, places), module(x, places), rtol=1e-5, atol=1e-5)
    for wrong in (6, least - 1):
        places[3] = wrong
        with pytest.raises(parablock.Error, match=f"expected indices from {least} to 5, got {wrong}"):
            compiled(x, places)


def _sum_experts(x: torch.Tensor, module: Made, order: torch.Tensor, ends: torch.Tensor, back: str) -> torch.Tensor:
    hidden = torch.nn.functional.silu(_multiply_groups(x[order // 2], module.stack, ends))
    rows = _multiply_groups(hidden, module.stack.mT, ends)
    if back == "added":
        return x + torch.zeros_like(x).index_add(0, order // 2, rows)
    inverse = _put(torch.empty_like(order), order, torch.arange(order.shape[0]))
    return x + rows[order if back == "forth" else inverse].view(x.shape[0], 2, -1).sum(1)


@pytest.mark.parametrize(
    ("wrong", "back", "count"),
    [
        ("", "back", 1),
        ("", "added", 1),
        ("", "forth", 0),
        ("counts", "back", 0),
        ("order", "back", 0),
        ("order", "added", 0),
        ("descending", "back", 0),
        ("unsorted", "added", 0),
        ("one token", "added", 1),
    ],
)
def test_experts_of_sorted_rows(wrong: str, back: str, count: int) -> None:
    """Sorted rows are experts where all of them agree, and else what they are."""

    def compute(module: Made, x: torch.Tensor) -> torch.Tensor:
        ids, other = _choose(x), _choose(-x)
        keys = other if wrong == "order" else ids
        order = keys.sort(descending=wrong == "descending", stable=True).indices
        if wrong == "unsorted":
            order = torch.arange(ids.shape[0])
        ends = torch.cumsum(_count(other if wrong == "counts" else ids), 0, dtype=torch.int32)
        return _sum_experts(x, module, order, ends, back)

    torch.manual_seed(1)
    module, x = Made(compute), torch.randn(1 if wrong == "one token" else 6, 4)
    made = parablock.from_torch(module, (x,))
    assert made.explain().to_dict()["recognised"].get("experts", 0) == count
    found: Any = made.compile("cpu", threads=1)(x)
    torch.testing.assert_close(found, module(x).detach(), rtol=1e-4, atol=1e-4)


def test_grouped_mm_of_short_floats() -> None:
    """PyTorch's own products of groups, of rows that 16 bytes divide."""

    class Short(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.stack = torch.nn.Parameter(torch.randn(3, 16, 8).bfloat16())

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            ids, order = torch.sort(_choose(x))
            ends = torch.cumsum(_count(ids), 0, dtype=torch.int32)
            return torch._grouped_mm(x[order // 2], self.stack, offs=ends)

    torch.manual_seed(2)
    module, x = Short(), torch.randn(6, 16).bfloat16()
    found: Any = parablock.from_torch(module, (x,)).compile("cpu", threads=1)(x)
    torch.testing.assert_close(found, module(x).detach(), rtol=1e-2, atol=1e-2)
