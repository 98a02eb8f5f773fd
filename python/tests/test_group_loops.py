# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops over groups of sorted rows, whose sizes are a list that data decide."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from oracle import get_distance, run_exactly
from torch.nn import functional

import parablock

Counting = Callable[[torch.Tensor, torch.Tensor], Any]


def _count_by_scatter(ids: torch.Tensor, logits: torch.Tensor) -> Any:
    return torch.zeros(logits.shape).scatter(1, ids, 1).long().sum(0)


def _count_by_one_hot(ids: torch.Tensor, logits: torch.Tensor) -> Any:
    return functional.one_hot(ids.flatten(), 4).sum(0)


class Looped(torch.nn.Module):
    """Experts on rows sorted by expert, in a loop over parts."""

    def __init__(self, count: Counting) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.count = count
        self.router = torch.nn.Linear(8, 4, bias=False)
        self.up = torch.nn.Parameter(torch.randn(4, 12, 8))
        self.down = torch.nn.Parameter(torch.randn(4, 8, 6))

    def multiply(self, rows: torch.Tensor, stack: torch.Tensor, sizes: list[int]) -> torch.Tensor:
        parts = rows.split(sizes)
        return torch.cat([functional.linear(parts[i], stack[i]) for i in range(4)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        logits = self.router(x)
        best, ids = logits.topk(2, dim=1)
        sizes = self.count(ids, logits).tolist()
        order = ids.flatten().sort(0).indices
        rows = order.div(2, rounding_mode="trunc")
        gate, up = self.multiply(x[rows], self.up, sizes).chunk(2, -1)
        made = self.multiply(functional.silu(gate) * up, self.down, sizes)
        made = made * best.softmax(1).flatten()[order][:, None]
        return x + torch.zeros_like(x).index_add(0, rows, made)


@pytest.mark.parametrize("count", [_count_by_scatter, _count_by_one_hot])
@pytest.mark.parametrize("is_open", [False, True])
def test_loops(count: Counting, is_open: bool) -> None:
    module, x = Looped(count), torch.randn(7, 8)
    shapes = {"x": {0: torch.export.Dim("rows", min=2, max=50)}} if is_open else None
    made = parablock.from_torch(module, (x,), dynamic_shapes=shapes)
    assert made.explain().to_dict()["recognised"]["experts"] == 1
    run = made.optimize().compile("cpu", threads=1)
    for rows in (7, 3, 19) if is_open else (7,):
        x = torch.randn(rows, 8)
        assert get_distance(run(x), run_exactly(module, (x,))) < 2e-6


def _count_twice(ids: torch.Tensor, logits: torch.Tensor) -> Any:
    return torch.zeros(logits.shape).scatter(1, ids[:, :1], 1).long().sum(0) * 2


def _count_both(ids: torch.Tensor, logits: torch.Tensor) -> Any:
    """Places that are not of a topk may be the same in one row."""
    return torch.zeros(logits.shape).scatter(1, ids * -1 + 3, 1).long().sum(0)


@pytest.mark.parametrize("count", [_count_twice, _count_both])
def test_other_counts(count: Counting) -> None:
    """Sizes that are not counts of ids stay numbers that data decide."""
    with pytest.raises(parablock.Error, match=r"'aten\.item\.default', a number that data decide"):
        parablock.from_torch(Looped(count), (torch.randn(7, 8),))


class Swapped(Looped):
    def multiply(self, rows: torch.Tensor, stack: torch.Tensor, sizes: list[int]) -> torch.Tensor:
        parts = rows.split(sizes)
        return torch.cat([functional.linear(parts[i], stack[3 - i]) for i in range(4)])


def test_other_order() -> None:
    """Matrices in another order than the parts are no stack of groups."""
    with pytest.raises(parablock.Error, match="a number that data decide"):
        parablock.from_torch(Swapped(_count_by_scatter), (torch.randn(7, 8),))


def _count_less(ids: torch.Tensor, logits: torch.Tensor) -> Any:
    counts = _count_by_one_hot(ids, logits)
    moved = torch.minimum(counts[0], torch.ones_like(counts[0]))
    counts[0] -= moved
    counts[1] += moved
    return counts


def _count_some(ids: torch.Tensor, logits: torch.Tensor) -> Any:
    """A capacity, set through a view."""
    counts = _count_by_scatter(ids, logits)
    over = (counts[:3] - 2).clamp(min=0).sum()
    counts[:3].clamp_(max=2)
    counts[3] += over
    return counts


def _count_more(ids: torch.Tensor, logits: torch.Tensor) -> Any:
    zeros = torch.zeros(logits.shape)
    zeros[0].scatter_(0, (-logits).topk(2, dim=1).indices[0], torch.tensor([1.0, -1.0]))
    return zeros.scatter(1, ids, 1).long().sum(0)


def _count_early(ids: torch.Tensor, logits: torch.Tensor) -> Any:
    counts = _count_by_one_hot(ids, logits)
    ids.reshape(-1).mul_(0)
    return counts


@pytest.mark.parametrize("count", [_count_less, _count_some, _count_more, _count_early])
def test_written_counts(count: Counting) -> None:
    """Counts of which a part was written in place are not those of the ids."""
    with pytest.raises(parablock.Error):
        parablock.from_torch(Looped(count), (torch.randn(7, 8),))


class Overwritten(Looped):
    """Writes values of the loop after they were read, and others."""

    def __init__(self, which: str) -> None:
        super().__init__(_count_by_scatter)
        self.which = which

    def multiply(self, rows: torch.Tensor, stack: torch.Tensor, sizes: list[int]) -> torch.Tensor:
        rows, stack, other = rows * 1, stack * 1, rows * 2
        parts = rows.split(sizes)
        made = [functional.linear(parts[i], stack[i]) for i in range(4)]
        values = {"rows": rows[1:], "stack": stack.mT, "part": parts[1], "product": made[2], "other": other}
        functional.dropout(values[self.which], training=False).mul_(0)
        return torch.cat(made)


@pytest.mark.parametrize("which", ["rows", "stack", "part", "product"])
def test_written_values(which: str) -> None:
    with pytest.raises(parablock.Error):
        parablock.from_torch(Overwritten(which), (torch.randn(7, 8),))


def test_written_others() -> None:
    """What is written besides hides no loop."""
    module, x = Overwritten("other"), torch.randn(7, 8)
    made = parablock.from_torch(module, (x,))
    assert made.explain().to_dict()["recognised"]["experts"] == 1


class Checked(Looped):
    """Checks a size itself."""

    def __init__(self, check: Callable[[list[int]], bool]) -> None:
        super().__init__(_count_by_scatter)
        self.check = check

    def multiply(self, rows: torch.Tensor, stack: torch.Tensor, sizes: list[int]) -> torch.Tensor:
        torch._check(self.check(sizes))  # type: ignore[no-untyped-call]
        return super().multiply(rows, stack, sizes)


@pytest.mark.parametrize("check", [lambda n: n[0] >= 2, lambda n: n[3] <= 5, lambda n: n[0] + n[1] == 7])
def test_own_checks(check: Callable[[list[int]], bool]) -> None:
    with pytest.raises(parablock.Error, match="nothing else reads or checks the counts"):
        parablock.from_torch(Checked(check), (torch.randn(7, 8),))


class Lone(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        torch._check((x > 0).sum().item() >= 1000)  # type: ignore[no-untyped-call]
        return x * 2


def test_lone_check() -> None:
    """A check without a loop stays too."""
    with pytest.raises(parablock.Error, match="a number that data decide"):
        parablock.from_torch(Lone(), (torch.randn(7, 8),))


class Given(Looped):
    """Experts that the caller names, which may be none of them."""

    def forward(self, x: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        return self.multiply(x[ids.sort(0).indices], self.up, self.count(ids, x).tolist())


class Apart(Looped):
    """Rows of one input, of which another has the experts."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        logits = self.router(y)
        return self.multiply(x, self.up, self.count(logits.topk(1, dim=1).indices, logits).tolist())


def _count_in_more(ids: torch.Tensor, logits: torch.Tensor) -> Any:
    return _count_by_scatter(torch.cat([logits, -logits], dim=1).topk(2, dim=1).indices, logits)


def test_ids_outside() -> None:
    """Only a product whose ids are places of as many as there are matrices takes no check."""
    x = torch.randn(7, 8)
    with pytest.raises(parablock.Error, match="places of a topk in as many"):
        parablock.from_torch(Given(_count_by_one_hot), (x, torch.arange(7) % 4))
    with pytest.raises(parablock.Error, match="places of a topk in as many"):
        parablock.from_torch(Looped(_count_in_more), (x,))


def test_other_rows() -> None:
    dims = {name: {0: torch.export.Dim(f"of_{name}", min=2, max=50)} for name in "xy"}
    with pytest.raises(parablock.Error, match="may only split rows"):
        parablock.from_torch(Apart(_count_by_scatter), (torch.randn(7, 8), torch.randn(7, 8)), dynamic_shapes=dims)


def test_one_group() -> None:
    """One size is the number of rows."""

    class One(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.stack = torch.nn.Parameter(torch.randn(1, 6, 8))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            ids = x[:, :1].topk(1, dim=1).indices
            parts = x.split(functional.one_hot(ids.flatten(), 1).sum(0).tolist())
            return torch.cat([functional.linear(parts[0], self.stack[0])])

    module, x = One(), torch.randn(7, 8)
    run = parablock.from_torch(module, (x,)).compile("cpu", threads=1)
    assert get_distance(run(x), run_exactly(module, (x,))) < 2e-6


class Read(Looped):
    def multiply(self, rows: torch.Tensor, stack: torch.Tensor, sizes: list[int]) -> torch.Tensor:
        return super().multiply(rows, stack, sizes) * sizes[0]


class Scaled(Looped):
    """Parts and products written in the loop, whose sizes tracing cannot compare."""

    def multiply(self, rows: torch.Tensor, stack: torch.Tensor, sizes: list[int]) -> torch.Tensor:
        parts = rows.clone().split(sizes)
        return torch.cat([functional.linear(parts[i].mul_(i + 1), stack[i]) for i in range(4)])


@pytest.mark.parametrize("kind", [Read, Scaled])
@pytest.mark.parametrize("count", [_count_by_scatter, _count_by_one_hot])
def test_reasons(kind: type[Looped], count: Counting) -> None:
    """Errors are of the sizes, whatever else has no rule."""
    with pytest.raises(parablock.Error, match="counts of ids may only split rows"):
        parablock.from_torch(kind(count), (torch.randn(7, 8),))


def test_unknown_sizes() -> None:
    """What decomposing asks of other sizes of data is an error of Parablock."""
    with pytest.raises(parablock.Error, match="depends on a number that data decide: "):
        parablock.from_torch(Scaled(_count_both), (torch.randn(7, 8),))
