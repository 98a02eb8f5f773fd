# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experts in graphs of torch.compile, as the single operation that they are.

PyTorch traces there before a backend is asked, so that experts are what transformers'
implementations compute: products of sorted rows (grouped_mm), or of gathered matrices
(batched_mm). The steps are followed back from their sum over the slots of a row.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import torch
from torch.fx import Node

from parablock.frontend.expert_modules import INPUT, Tree, describe_form, make_tree
from parablock.frontend.graph_nodes import get_name, is_part, list_dims, skip_copies
from parablock.frontend.table import bind

_GROUPED = ("transformers.grouped_mm_fallback.default", "aten._grouped_mm.default")
_ONES = ("squeeze", "unsqueeze", "alias", "clone", "contiguous", "detach")
_VIEWS = ("view", "reshape", "_unsafe_view", "flatten")


@dataclasses.dataclass
class _Product:
    """A product of each row by the matrix of its expert."""

    rows: Any
    stack: Any
    transposed: bool
    bias: Any
    #: The experts of the rows, and where sorted products begin.
    experts: Any
    ends: Any


def join_experts(graph: torch.fx.Graph) -> None:
    """Replaces steps of experts by `parablock::experts`, where they are known."""
    for node in list(graph.nodes):
        if get_name(node) == "sum" and list_dims(node) == [-2]:
            _join(graph, node)
    graph.eliminate_dead_code()


def _join(graph: torch.fx.Graph, total: Node) -> None:
    slots = skip_ones(total.args[0], _VIEWS)
    rank = [each.meta["val"].dim() for each in (total.args[0], slots) if isinstance(each, Node)]
    found = _read(slots) if rank == [3, 2] else None
    if found is None:
        return
    arguments, hidden = found
    dtype = hidden.meta["val"].dtype
    result = total
    if total.meta["val"].dtype != dtype:
        users = list(total.users)
        is_cast = len(users) == 1 and get_name(users[0]) in ("_to_copy", "to")
        if not is_cast or users[0].meta["val"].dtype != dtype:
            return
        result = users[0]
    with graph.inserting_before(result):
        experts = graph.call_function(torch.ops.parablock.experts.default, arguments)
    experts.meta = dict(result.meta)
    result.replace_all_uses_with(experts)


def _read(slots: Any) -> tuple[tuple[Any, ...], Node] | None:
    """Returns the arguments of experts whose weighed results are `slots`."""
    order = None
    if get_name(slots) == "index":
        order = _read_order(slots.args[1])
        slots = skip_ones(slots.args[0])
        if order is None:
            return None
    if get_name(slots) != "mul":
        return None
    down, shares = _read_product(slots.args[0]), skip_ones(slots.args[1])
    if down is None:
        return None
    up, tree = _find_up(down.rows)
    if up is None or tree is None:
        return None
    if order is not None:
        if get_name(shares) != "index" or list(shares.args[1]) != [order]:
            return None
        shares = shares.args[0]
    weights, indices = skip_ones(shares, _VIEWS), _read_indices(down, order)
    if not _has_slots(weights) or indices is None:
        return None
    is_one = up.transposed == down.transposed and up.experts is down.experts
    count = indices.meta["val"].shape[-1]
    hidden = _read_rows(up.rows, order, count)
    if not is_one or up.ends is not down.ends or hidden is None:
        return None
    columns, width = (
        product.stack.meta["val"].shape[2 if is_out == up.transposed else 1]
        for product, is_out in ((up, True), (down, False))
    )
    form = describe_form(tree, columns == 2 * width, up.transposed)
    if form is None or (columns != width and columns != 2 * width):
        return None
    given = (hidden, indices, weights, up.stack, down.stack, up.bias, down.bias, form)
    return given, hidden


def _read_order(places: Any) -> Any:
    """Returns the order of sorted rows whose inverse `places` are."""
    node: Any = places[0] if len(places) == 1 else None
    if get_name(node) != "index_put" or len(node.args[1]) != 1:
        return None
    numbers, order = node.args[2], node.args[1][0]
    counts = get_name(numbers) == "arange" and str(numbers.target) == "aten.arange.default"
    return order if counts and is_part(order, 1) else None


def _read_product(given: Any, depth: int = 0) -> _Product | None:
    node = skip_ones(given)
    if get_name(node) == "add" and depth == 0:
        for product, bias in (node.args[:2], node.args[1::-1]):
            found = _read_product(product, 1)
            taken = skip_ones(bias)
            if found is None or get_name(taken) != "index" or len(taken.args[1]) != 1:
                continue
            if taken.args[1][0] is not found.experts or taken.args[0].meta["val"].dim() != 2:
                return None
            return dataclasses.replace(found, bias=taken.args[0])
        return None
    if str(getattr(node, "target", "")) in _GROUPED and len(node.args) == 3:
        rows, stack, ends = node.args
        is_turned = get_name(stack) == "transpose" and set(stack.args[1:]) in ({-2, -1}, {1, 2})
        experts = _read_ends(ends, stack.meta["val"].shape[0])
        if experts is None:
            return None
        return _Product(
            skip_ones(rows), stack.args[0] if is_turned else stack, not is_turned, None, experts, ends
        )
    if get_name(node) != "bmm":
        return None
    first, second = (skip_ones(operand) for operand in node.args)
    # Rows have one matrix each; those in front are turned.
    transposed = node.args[0].meta["val"].shape[1] == 1 and get_name(node.args[0]) == "unsqueeze"
    rows, taken = (first, second) if transposed else (second, first)
    if get_name(taken) != "index" or len(taken.args[1]) != 1:
        return None
    return _Product(rows, taken.args[0], transposed, None, taken.args[1][0], None)


def _read_ends(ends: Any, count: int) -> Node | None:
    """Returns the sorted experts whose numbers are summed up."""
    if get_name(ends) != "cumsum" or get_name(ends.args[0]) != "histc":
        return None
    given = bind(ends.args[0].target, ends.args[0].args, ends.args[0].kwargs)
    if (given["bins"], given["min"], given["max"]) != (count, 0, count - 1):
        return None
    experts = skip_copies(given["self"])
    return experts if is_part(experts, 0) and get_name(experts.args[0]) == "sort" else None


def _find_up(hidden: Any) -> tuple[_Product | None, Tree | None]:
    """Returns the product that hidden values are a function of, and that function."""
    for node in walk(skip_ones(hidden)):
        found = _read_product(node)
        if found is None:
            continue
        columns = node.meta["val"].shape[-1]
        try:
            return found, read_tree(skip_ones(hidden), skip_ones(node), columns)
        except (KeyError, TypeError, ValueError, RecursionError):
            return None, None
    return None, None


def walk(node: Node) -> Iterator[Node]:
    """Returns a node and what it is computed from, readers first."""
    seen, work = {node}, [node]
    for each in work:
        yield each
        for source in each.all_input_nodes:
            if source not in seen:
                seen.add(source)
                work.append(source)


def read_tree(node: Node, source: Node, columns: int) -> Tree:
    """Returns what a node computes of another one, as an expression."""
    node = skip_ones(node)
    if node is source:
        return INPUT
    trees = {each: read_tree(each, source, columns) for each in node.all_input_nodes}
    if not trees:
        raise ValueError(f"'{node}' does not depend on the product")
    return make_tree(node, trees, columns)


def _read_indices(product: _Product, order: Any) -> Node | None:
    """Returns the experts of each row's slots."""
    experts: Any = product.experts
    if order is not None:
        if not is_part(experts, 0) or experts.args[0] is not order.args[0]:
            return None
        sort = experts.args[0]
        given = bind(sort.target, sort.args, sort.kwargs)
        if get_name(sort) != "sort" or given.get("descending") or product.ends is None:
            return None
        experts = given["self"]
    elif product.ends is not None:
        return None
    indices = skip_ones(experts, _VIEWS)
    return indices if _has_slots(indices) else None


def _has_slots(node: Any) -> bool:
    return isinstance(node, Node) and node.meta["val"].dim() == 2


def _read_rows(node: Any, order: Any, count: int) -> Node | None:
    """Returns the rows of which each has `count` copies, in that order."""
    if order is None:
        is_repeated = get_name(node) == "repeat_interleave" and node.args[1:] == (count, 0)
        return node.args[0] if is_repeated else None
    if get_name(node) != "index" or len(node.args[1]) != 1:
        return None
    places, rows = node.args[1][0], node.args[0]
    is_divided = get_name(places) == "floor_divide" and tuple(places.args) == (order, count)
    return rows if is_divided and _has_slots(rows) else None


def skip_ones(node: Any, names: tuple[str, ...] = ()) -> Any:
    """Returns what a node is a copy of, with other dimensions of size 1."""
    while isinstance(node, Node) and get_name(node) in (*_ONES, *names):
        node = node.args[0]
    return node
