# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indices that are data: those that PyTorch takes, and an error for all others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.export import Dim
from torch.nn import functional as F

import parablock
from parablock.frontend.index_bounds import BoundFinder

Function = Callable[..., torch.Tensor]


class _Table(torch.nn.Module):
    def __init__(self, function: Function) -> None:
        super().__init__()
        self.function = function
        self.table = torch.nn.Parameter(torch.randn(8, 4))

    def forward(self, x: torch.Tensor, i: torch.Tensor) -> torch.Tensor:
        return self.function(x, i, self.table)


#: Functions of x [2, 8, 4], two indices and a table of 8 rows.
FUNCTIONS: dict[str, Function] = {
    "rows": lambda x, i, table: x[:, i] * table[0],
    "elements": lambda x, i, table: x[torch.arange(2), i] * table[0],
    "with-constants": lambda x, i, table: x[:, i, torch.tensor([1, 2])] * table[0, 0],
    "of-all-rows": lambda x, i, table: x.flatten(0, 1)[i - 8] * table[0],
    "table": lambda x, i, table: table[i] + x[:, :2],
    "moved": lambda x, i, table: x[:, i.reshape(2, 1).flip(0)[:, 0]] * table[0],
    "shifted": lambda x, i, table: x[:, i - 1] * table[0],
    "embedding": lambda x, i, table: F.embedding(i, table) + x[:, :2],
    "shifted-embedding": lambda x, i, table: F.embedding(i + 1, table) + x[:, :2],
    "index-select": lambda x, i, table: x.index_select(1, i) * table[0],
    "shifted-index-select": lambda x, i, table: x.index_select(1, i * 2) * table[0],
    "gather": lambda x, i, table: x.gather(1, i[None, :, None].expand(2, 2, 4)) * table[0],
    "chosen-gather": lambda x, i, table: (
        x.gather(1, torch.where(i > 3, i, i + 1)[None, :, None].expand(2, 2, 4)) * table[0]
    ),
}
INDICES = [[0, 7], [1, 2], [-1, -8], [8, 0], [0, 100], [-9, 3], [6, 6], [9, -7]]


def _call(
    function: Callable[..., torch.Tensor], *args: torch.Tensor, is_ours: bool = False
) -> torch.Tensor | None:
    """What a function gives; None where it rejects its arguments."""
    kinds = (parablock.Error,) if is_ours else (parablock.Error, IndexError, RuntimeError)
    try:
        return function(*args)
    except kinds:
        return None


@pytest.mark.parametrize("way", ["cpu", "emulate:sm_90a", "training"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_indices_are_those_of_pytorch(name: str, way: str) -> None:
    torch.manual_seed(1)
    module, x = _Table(FUNCTIONS[name]).eval(), torch.randn(2, 8, 4)
    example = x, torch.tensor([1, 2])
    model = parablock.from_torch(module, example)
    if way == "training":
        compiled: Any = model.compile("cpu", training=True)
    else:
        compiled = model.optimize().compile(way)
    accepted = rejected = 0
    for numbers in INDICES:
        i = torch.tensor(numbers)
        with torch.set_grad_enabled(way == "training"):
            wanted, found = _call(module, x, i), _call(compiled, x, i, is_ours=True)
        if wanted is None:
            assert found is None, f"{numbers}: expected an error, got numbers"
            rejected += 1
        elif found is None:
            # Engines take rows of weights from the front alone, and say so.
            assert name == "table" and min(numbers) < 0, f"{numbers}: expected numbers"
        else:
            torch.testing.assert_close(found, wanted)
            accepted += 1
    assert accepted and rejected


class _Encoder(torch.nn.Module):
    """Rows of what a layer gives, of which torch.compile makes one part."""

    def __init__(self, function: Function) -> None:
        super().__init__()
        self.layer = torch.nn.TransformerEncoderLayer(16, 2, 24, batch_first=True)
        self.function = function

    def forward(self, x: torch.Tensor, i: torch.Tensor) -> torch.Tensor:
        return self.function(self.layer(x), i)


@pytest.mark.parametrize(
    "function", [lambda x, i: x[:, i], lambda x, i: x[torch.arange(2), i - 1] * 2]
)
@torch.no_grad()
def test_indices_through_torch_compile(function: Function) -> None:
    torch.compiler.reset()
    module, x = _Encoder(function).eval(), torch.randn(2, 8, 16)
    compiled: Any = torch.compile(module, backend="parablock")
    for numbers in INDICES:
        wanted, found = (_call(each, x, torch.tensor(numbers)) for each in (module, compiled))
        assert (wanted is None) == (found is None), numbers
        if wanted is not None:
            torch.testing.assert_close(found, wanted)


def test_the_error_says_which() -> None:
    x = torch.randn(2, 8, 4)
    direct = parablock.from_torch(_Table(FUNCTIONS["rows"]).eval(), (x, torch.tensor([1, 2])))
    with pytest.raises(parablock.Error, match=r"input 'i': expected -8 to 7, got 8 at \[1\]"):
        direct.compile()(x, torch.tensor([0, 8]))
    shifted = parablock.from_torch(
        _Table(FUNCTIONS["shifted"]).eval(), (x, torch.tensor([1, 2]))
    )
    with pytest.raises(parablock.Error, match="expected indices from -8 to 7, got -9"):
        shifted.compile()(x, torch.tensor([0, -8]))


def test_packages_say_the_same(tmp_path: Path) -> None:
    """A launcher, which has no compiler, reads limits in the manifest."""
    x = torch.randn(2, 8, 4)
    model = parablock.from_torch(_Table(FUNCTIONS["rows"]).eval(), (x, torch.tensor([1, 2])))
    path = model.optimize(chip="sm_90a").save(tmp_path / "model.pbk", "sm_90a")
    manifest = json.loads((path / "manifest.json").read_text())
    text = json.dumps(manifest, sort_keys=True)
    assert '"from_end": true, "kind": "rows", "size": 8' in text


def test_no_indices() -> None:
    """Nothing is read where there is no index."""
    x, i = torch.randn(2, 8, 4), torch.zeros(0, dtype=torch.int64)
    module = _Table(lambda x, i, table: torch.cat([x * table[0], x[:, i]], 1)).eval()
    found = parablock.from_torch(module, (x, i)).compile()(x, i)
    torch.testing.assert_close(found, module(x, i))


#: Indices that floats decide, and that are within the tensor by what computes them.
BOUND: list[Function] = [
    lambda x: x[torch.arange(2), x.sum(-1).argmax(-1)],
    lambda x: x.gather(1, x.argmin(1, keepdim=True)),
    lambda x: x[:, (x[0, :3, 0] * 4).long().clamp(0, 7)],
    lambda x: x[:, (x[0, :3, 0] > 0).long() + 2],
    lambda x: x[:, torch.cat([x[0].argmax(0), x[1].argmin(0)]) * 1 - 0],
    lambda x: x[:, torch.where(x[0, :3, 0] > 0, 1, 5)],
    lambda x: x[:, torch.minimum((x[0, :3, 0].abs() * 9).long(), torch.tensor(3)).clamp_min(0)],
]


@pytest.mark.parametrize("number", range(len(BOUND)))
def test_indices_within_bounds(number: int) -> None:
    torch.manual_seed(2)
    x = torch.randn(2, 8, 4)
    module = _Table(lambda x, i, table: BOUND[number](x) * i).eval()
    factor = torch.tensor([2.0])
    model = parablock.from_torch(module, (x, factor))
    torch.testing.assert_close(model.compile()(x, factor), module(x, factor))


def _truth(x: torch.Tensor) -> torch.Tensor:
    return (x[0, :3, 0] > 0).long()


def _whole(x: torch.Tensor) -> torch.Tensor:
    return (x[0, :3, 0] * 9).long()


#: Whole numbers that floats decide, with the least and the largest that they can be.
ENDS: dict[str, tuple[Function, Any]] = {
    "truths": (_truth, (0, 1)),
    "sum": (lambda x: _truth(x) + torch.arange(5, 8), (5, 8)),
    "sum with a factor": (lambda x: torch.add(_truth(x), _truth(-x), alpha=3), None),
    "difference": (lambda x: _truth(x) * 2 - torch.arange(3), (-2, 2)),
    "difference of unlike": (lambda x: torch.arange(2, 5) - _truth(x), (1, 4)),
    "product": (lambda x: (_truth(x) - 2) * torch.arange(-1, 2), (-2, 2)),
    "positive product": (lambda x: (_truth(x) + 1) * torch.arange(1, 4), (1, 6)),
    "negative product": (lambda x: (_truth(x) + 1) * -3, (-6, -3)),
    "from 0 on": (lambda x: torch.arange(3) + 0 * _truth(x), (0, 2)),
    "from a number on": (lambda x: torch.arange(4, 7) + 0 * _truth(x), (4, 6)),
    "clamp": (lambda x: _whole(x).clamp(-2, 3), (-2, 3)),
    "clamp of some": (lambda x: (_truth(x) + 4).clamp(0, 4), (4, 4)),
    "clamp below all": (lambda x: (_truth(x) + 4).clamp(max=2), (2, 2)),
    "clamp above all": (lambda x: (_truth(x) - 4).clamp(min=0), (0, 0)),
    "clamp at one end": (lambda x: _whole(x).clamp(min=0), None),
    "clamp in two steps": (lambda x: _whole(x).clamp_max(5).clamp_min(-5), (-5, 5)),
    "minimum": (
        lambda x: torch.minimum(_whole(x), torch.tensor(3)).clamp_min(1),
        (1, 3),
    ),
    "maximum": (
        lambda x: torch.maximum(_whole(x), torch.tensor([1, 2, 3])).clamp_max(9),
        (1, 9),
    ),
    "choice": (lambda x: torch.where(x[0, :3, 0] > 0, _truth(x) - 3, 5), (-3, 5)),
    "choice of any": (lambda x: torch.where(x[0, :3, 0] > 0, _whole(x), 5), None),
    "parts": (lambda x: torch.cat([_truth(x) + 7, _truth(x) - 7]), (-7, 8)),
    "place": (lambda x: x.argmax(1), (0, 7)),
    "place in all": (lambda x: x.argmin(), (0, 63)),
    "magnitude": (lambda x: _whole(x).abs().clamp_max(6), (0, 6)),
    "any": (_whole, None),
}


@pytest.mark.parametrize("name", ENDS)
def test_ends_of_whole_numbers(name: str) -> None:
    """Bounds are the least and the largest number, and no call has others."""
    function, wanted = ENDS[name]
    module = _Table(lambda x, i, table: function(x)).eval()
    x = torch.randn(2, 8, 4)
    program = torch.export.export(module, (x, torch.tensor([2.0]))).run_decompositions({})
    *_, output = program.graph.nodes
    known = {
        n: program.constants[program.graph_signature.inputs_to_lifted_tensor_constants[n.name]]
        for n in program.graph.nodes
        if n.name in program.graph_signature.inputs_to_lifted_tensor_constants
    }
    found = BoundFinder(known).find(output.args[0][0])  # type: ignore
    assert found == wanted
    for _ in range(20):
        values = function(torch.randn(2, 8, 4))
        assert wanted is None or wanted[0] <= values.min() <= values.max() <= wanted[1]


def test_indices_that_floats_decide() -> None:
    x = torch.randn(2, 8, 4)
    module = _Table(lambda x, i, table: x[:, (x[0, :3, 0] * 4).long()] * i).eval()
    with pytest.raises(parablock.Error, match=r"an index that floats decide .*\.clamp\(0, n"):
        parablock.from_torch(module, (x, torch.tensor([2.0])))


def test_bounds_of_open_sizes() -> None:
    """A bound that is a number is none of a size that may be smaller."""

    def trace(function: Function) -> torch.fx.Node:
        module = _Table(lambda x, i, table: function(x) * i).eval()
        sizes = ({1: Dim("tokens", min=4)}, None)
        args = torch.randn(2, 8, 4), torch.tensor([2.0])
        program = torch.export.export(module, args, dynamic_shapes=sizes)
        return next(
            n for n in program.graph.nodes if str(n.target) == "aten.index.Tensor"
        )

    def is_within(node: torch.fx.Node) -> bool:
        from torch.fx.experimental.symbolic_shapes import statically_known_true

        index: Any = [each for each in node.args[1] if each is not None][-1]  # type: ignore
        bounds = BoundFinder({}).find(index)
        size = node.args[0].meta["val"].shape[1]  # type: ignore
        return bounds is not None and statically_known_true(bounds[1] < size)

    assert is_within(trace(lambda x: x[torch.arange(2), x.sum(-1).argmax(-1)]))
    assert not is_within(trace(lambda x: x[:, x[0, :3, 0].long().clamp(0, 7)]))
