# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of indices that a graph computes.

Engines look at indices that are inputs themselves. Others are within their bounds by
how they are computed, or are computed by PyTorch before each call, or are refused.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true

from parablock.errors import Error
from parablock.frontend.computations import Computation, list_sources
from parablock.frontend.index_bounds import BoundFinder
from parablock.frontend.size_symbols import evaluate, find_places
from parablock.frontend.table import bind

#: Operations that read elements at the places that an operand has.
_INDEXED = {
    "aten.index.Tensor": "indices",
    "aten.index_select.default": "index",
    "aten.gather.default": "index",
    "aten.embedding.default": "indices",
}
#: Operations that write or add elements at such places, of which engines know nothing.
_WRITTEN = {
    "aten.index_put.default": "indices",
    "aten.index_add.default": "index",
    "aten.scatter_add.default": "index",
    "aten.scatter.src": "index",
    "aten.scatter.value": "index",
}
#: Operations behind which engines still see that indices are an input.
_MOVES = tuple(
    f"aten.{name}"
    for name in "view reshape expand unsqueeze squeeze permute transpose clone".split()
)


@dataclasses.dataclass(frozen=True)
class IndexCheck:
    """Indices that inputs determine, computed before each call."""

    path: str
    indices: Computation
    #: A size, or what symbols of torch.export make of one.
    size: Any
    #: The inputs and dimensions that these symbols are, by their names.
    symbols: Mapping[str, tuple[int, int]]
    counts_from_end: bool

    def check(self, read: Callable[[int], Any]) -> None:
        """Rejects an index out of range; `read` returns inputs by their place."""
        sizes = {s: read(place).shape[dim] for s, (place, dim) in self.symbols.items()}
        size = evaluate(self.size, sizes)
        check_range(self.path, self.indices.compute(read), size, self.counts_from_end)


def check_range(path: str, indices: torch.Tensor, size: int, counts_from_end: bool) -> None:
    """Rejects indices beyond a dimension of that size, whose last one may be -1."""
    least = -size if counts_from_end else 0
    wrong = indices[(indices < least) | (indices >= size)]
    if wrong.numel():
        raise Error(
            f"{path}: expected indices from {least} to {size - 1}, got {int(wrong.flatten()[0])}"
        )


def reads_at(node: torch.fx.Node) -> bool:
    """Returns whether an operation reads elements at the places that an operand contains."""
    return str(node.target) in _INDEXED


def list_indices(node: torch.fx.Node) -> Iterator[tuple[torch.fx.Node, Any, bool]]:
    """Returns an operation's indices, their dimension's size, and whether -1 is valid."""
    op = str(node.target)
    name = _INDEXED.get(op) or _WRITTEN[op]
    arguments = bind(node.target, node.args, node.kwargs)
    table = arguments["weight" if "weight" in arguments else "self"]
    shape = table.meta["val"].shape
    given: Any = arguments[name]
    if name == "indices" and isinstance(given, list | tuple):
        for dim, each in enumerate(given):
            if isinstance(each, torch.fx.Node) and each.meta["val"].dtype.is_signed:
                yield each, shape[dim], True
    elif isinstance(given, torch.fx.Node):
        dim = arguments.get("dim", 0)
        yield given, shape[dim] if shape else 1, False


def make_checks(
    node: torch.fx.Node,
    path: str,
    positions: Mapping[torch.fx.Node, int],
    fixed: Collection[int],
    values: Mapping[torch.fx.Node, Any],
    computed: Collection[str] = (),
) -> list[IndexCheck]:
    """Returns checks of an operation's indices; raises NotImplementedError if it cannot.

    `positions` are the places of the module's inputs, of which those in `fixed` never
    change, and `values` what is known of nodes. Those in `computed`, by name, are checked
    where they are computed.
    """
    if not reads_at(node) and str(node.target) not in _WRITTEN:
        return []
    inputs = {n: place for n, place in positions.items() if place not in fixed}
    known = {
        n: value
        for n, value in values.items()
        if n.op in ("placeholder", "get_attr")
        and n not in inputs
        and isinstance(value, torch.Tensor)
    }
    made = []
    for index, size, counts_from_end in list_indices(node):
        if index.name in computed:
            continue
        if reads_at(node) and _is_input(index, inputs):
            continue
        if _is_within(index, size, counts_from_end, known):
            continue
        sources = list_sources([index], known)
        if not _is_of_integers(sources, inputs, known):
            raise NotImplementedError(
                "an index that floats decide and that may be beyond the tensor: limit it, as "
                "by .clamp(0, n - 1)"
            )
        symbols = _find_symbols(size, inputs)
        if symbols is None:
            raise NotImplementedError(f"an index of a size, {size}, that no input has")
        computation = Computation(sources, inputs, {n: known[n] for n in sources if n in known})
        size = size.node.expr if symbols else int(size)
        made.append(IndexCheck(path, computation, size, symbols, counts_from_end))
    return made


def _is_input(index: torch.fx.Node, inputs: Mapping[torch.fx.Node, int]) -> bool:
    while str(index.target).startswith(_MOVES) and isinstance(index.args[0], torch.fx.Node):
        index = index.args[0]
    return index in inputs


def _is_within(
    index: torch.fx.Node, size: Any, counts_from_end: bool, known: Mapping[torch.fx.Node, Any]
) -> bool:
    bounds = BoundFinder(known).find(index)
    if bounds is None:
        return False
    least = -size if counts_from_end else 0
    return statically_known_true(bounds[0] >= least) and statically_known_true(bounds[1] < size)


def _is_of_integers(
    sources: Sequence[torch.fx.Node],
    inputs: Mapping[torch.fx.Node, int],
    known: Mapping[torch.fx.Node, Any],
) -> bool:
    """Returns whether only integer inputs and constants determine the indices."""
    for source in sources:
        if source.op != "placeholder" or source in known:
            continue
        value = source.meta.get("val")
        if source not in inputs:
            return False
        if isinstance(value, torch.Tensor) and value.is_floating_point():
            return False
    return True


def _find_symbols(
    size: Any, inputs: Mapping[torch.fx.Node, int]
) -> dict[str, tuple[int, int]] | None:
    """Returns where the symbols of a size are read from; None if one is unknown."""
    if isinstance(size, int):
        return {}
    places = find_places(inputs)
    names = [str(symbol) for symbol in size.node.expr.free_symbols]
    if not all(name in places for name in names):
        return None
    return {name: places[name] for name in names}
