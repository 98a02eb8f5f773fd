# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops over groups of sorted rows, as one product of groups.

    parts = rows.split(counts.tolist())
    torch.cat([F.linear(part, matrices[i]) for i, part in enumerate(parts)])

exports as sizes that data decide. If the counts are those of ids, which have a row each,
it becomes one operation on all rows and the ends of their groups, without a size of data.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true

from parablock.frontend.imported import MissingRule
from parablock.frontend.places import describe_path
from parablock.frontend.table import bind, normalise_dim
from parablock.frontend.written_values import find_written

_ATEN = torch.ops.aten
_CASTS = (_ATEN.to.dtype, _ATEN._to_copy.default)
_VIEWS = (_ATEN.flatten.using_ints, _ATEN.reshape.default, _ATEN.view.default, _ATEN.squeeze.dim)
_ZEROS = (_ATEN.zeros.default, _ATEN.new_zeros.default)

_COUNTED = (
    "no rule for the operation 'aten.item.default', a number that data decide; counts of ids may only split rows for "
    "products with a stack of matrices, joined in order, if the ids are places of a topk in as many, nothing else "
    "reads or checks the counts, and nothing of these is written in place"
)


@torch.library.custom_op("parablock::multiply_groups", mutates_args=())
def multiply_groups(input: torch.Tensor, weight: torch.Tensor, offs: torch.Tensor) -> torch.Tensor:
    """Returns products of rows by the matrix of their group, which ends before a given row.

    torch._grouped_mm is the same, and has rules on types and strides.
    """
    starts = [0, *offs.tolist()]
    parts = [input[a:b] @ own for a, b, own in zip(starts, starts[1:], weight, strict=False)]
    return torch.cat(parts)


@multiply_groups.register_fake
def _make_products(input: torch.Tensor, weight: torch.Tensor, offs: torch.Tensor) -> torch.Tensor:
    return input.new_empty(input.shape[0], weight.shape[2])


def join_group_loops(graph: torch.fx.Graph) -> None:
    """Replaces joined products of rows that counts split by a product of groups."""
    written = find_written(graph)
    loops = []
    for node in list(graph.nodes):
        parts = _read_parts(node)
        if parts is None:
            continue
        rows, sizes, matrices = parts
        ids = _find_counted(_read_list(sizes))
        if ids is None or not _are_below(ids, len(sizes)):
            continue
        count = ids.meta["val"].numel()
        if not statically_known_true(rows.meta["val"].shape[0] == count):
            continue
        # The product is of values at the loop's end, the counts are of ids.
        if not written.isdisjoint(_list_computed(node, (rows, ids, matrices))):
            continue
        with graph.inserting_before(node):
            product = _emit_product(graph, rows, ids, matrices, len(sizes))
        product.meta["nn_module_stack"] = node.meta.get("nn_module_stack")
        node.replace_all_uses_with(product)
        loops.append((sizes, count))
    _drop_sizes(graph, loops)
    _refuse_sizes(graph)


def _list_computed(node: torch.fx.Node, known: Sequence[torch.fx.Node]) -> set[torch.fx.Node]:
    """Returns what a node is computed from, up to and with known values."""
    found: set[torch.fx.Node] = set()
    left = list(node.all_input_nodes)
    while left:
        value = left.pop()
        if value not in found:
            found.add(value)
            left += [] if value in known or value.target in _ZEROS else value.all_input_nodes
    return found


def _call(node: Any, *targets: Any) -> dict[str, Any] | None:
    """Returns the arguments of a call of one of the operations."""
    if isinstance(node, torch.fx.Node) and node.target in targets:
        return bind(node.target, node.args, node.kwargs)
    return None


def _read_parts(node: torch.fx.Node) -> tuple[torch.fx.Node, list[Any], torch.fx.Node] | None:
    """Returns the rows, their number in each part, and the stacked matrices of parts in their order."""
    joined = _call(node, _ATEN.cat.default)
    if joined is None or joined["dim"] != 0:
        return None
    found: set[tuple[torch.fx.Node, ...]] = set()
    for place, each in enumerate(joined["tensors"]):
        product = _call(each, _ATEN.linear.default)
        if product is None or product["bias"] is not None:
            return None
        matrix = _call(product["weight"], _ATEN.select.int)
        split = _get_item(product["input"], place)
        if matrix is None or split is None or (matrix["dim"], matrix["index"]) != (0, place):
            return None
        found.add((split, matrix["self"]))
    if len(found) != 1:
        return None
    split, matrices = found.pop()
    given = _call(split, _ATEN.split_with_sizes.default)
    if given is None or given["dim"] != 0 or given["self"].meta["val"].dim() != 2:
        return None
    sizes = list(given["split_sizes"])
    is_whole = len(sizes) == len(joined["tensors"]) == matrices.meta["val"].shape[0]
    return (given["self"], sizes, matrices) if is_whole else None


def _get_item(node: Any, place: int) -> torch.fx.Node | None:
    is_item = isinstance(node, torch.fx.Node) and node.target is operator.getitem
    return node.args[0] if is_item and node.args[1] == place else None


def _read_list(sizes: Sequence[Any]) -> torch.fx.Node | None:
    """Returns the vector whose numbers, in their order, are a list of sizes."""
    vectors = set()
    for place, size in enumerate(sizes):
        number = _call(size, _ATEN.item.default)
        unbound = _call(_get_item(number["self"], place), _ATEN.unbind.int) if number else None
        vectors.add(unbound["self"] if unbound else None)
    found = vectors.pop()
    return found if not vectors and found is not None and found.meta["val"].shape[0] == len(sizes) else None


def _find_counted(counts: torch.fx.Node | None) -> torch.fx.Node | None:
    """Returns the numbers of which `counts` has how many equal 0, 1, ..; None if unknown."""
    total = _call(counts, _ATEN.sum.dim_IntList)
    if total is None or total["keepdim"] or list(total["dim"]) != [0]:
        return None
    ones = total["self"]
    while (cast := _call(ones, *_CASTS)) is not None:
        ones = cast["self"]
    if (one_hot := _call(ones, _ATEN.one_hot.default)) is not None:
        ids: torch.fx.Node = one_hot["self"]
        return ids if ids.meta["val"].dim() == 1 else None
    put = _call(ones, _ATEN.scatter.value)
    is_ones = put is not None and put["value"] == 1 and _call(put["self"], *_ZEROS) is not None
    if put is None or not is_ones or ones.meta["val"].dim() != 2 or normalise_dim(put["dim"], 2) != 1:
        return None
    # A row has a number once: its places are those of its largest.
    chosen: torch.fx.Node = put["index"]
    largest = _call(_get_item(chosen, 1), _ATEN.topk.default)
    is_of_rows = largest is not None and normalise_dim(largest["dim"], 2) == 1
    has_all = is_of_rows and statically_known_true(chosen.meta["val"].shape[0] == ones.meta["val"].shape[0])
    return chosen if has_all else None


def _are_below(ids: torch.fx.Node, groups: int) -> bool:
    """Returns whether operations found the numbers as places in a dimension of at most that size.

    Others raise an error where they are counted, which a product of groups does not.
    """
    while (view := _call(ids, *_VIEWS)) is not None:
        ids = view["self"]
    found = _call(_get_item(ids, 1), _ATEN.topk.default, _ATEN.sort.default, _ATEN.max.dim)
    found = found or _call(ids, _ATEN.argmax.default)
    if found is None:
        return False
    searched = found["self"].meta["val"]
    size = searched.numel() if found["dim"] is None else searched.shape[found["dim"]]
    return statically_known_true(size <= groups)


def _emit_product(
    graph: torch.fx.Graph, rows: torch.fx.Node, ids: torch.fx.Node, matrices: torch.fx.Node, groups: int
) -> torch.fx.Node:
    flat = graph.call_function(_ATEN.reshape.default, (ids, [-1]))
    numbers = graph.call_function(_ATEN.to.dtype, (flat, torch.float32))
    counts = graph.call_function(_ATEN.histc.default, (numbers, groups, 0, groups - 1))
    ends = graph.call_function(_ATEN.cumsum.default, (counts, 0), {"dtype": torch.int32})
    columns = graph.call_function(_ATEN.transpose.int, (matrices, 1, 2))
    return graph.call_function(torch.ops.parablock.multiply_groups.default, (rows, columns, ends))


def _drop_sizes(graph: torch.fx.Graph, loops: Sequence[tuple[Sequence[torch.fx.Node], Any]]) -> None:
    """Removes what counts hold by themselves: the sizes of joined loops, by the number of rows."""
    graph.eliminate_dead_code()
    for node in list(graph.nodes):
        if node.target is _ATEN._assert_scalar.default:
            if any(_holds(node.args[0], sizes, rows) for sizes, rows in loops):
                graph.erase_node(node)
    graph.eliminate_dead_code()


def _holds(asserted: Any, sizes: Sequence[torch.fx.Node], rows: Any) -> bool:
    """Returns whether an assertion holds for numbers from 0 on whose sum is `rows`."""
    if not isinstance(asserted, torch.fx.Node) or len(asserted.args) != 2:
        return False
    number: Any = asserted.args[0]
    limit: Any = asserted.args[1]
    if isinstance(limit, torch.fx.Node):
        limit = limit.meta["val"]
    if number in sizes and asserted.target is operator.ge:
        return statically_known_true(limit <= (rows if len(sizes) == 1 else 0))
    if number in sizes and asserted.target is operator.le:
        return statically_known_true(rows <= limit)
    is_sum = asserted.target is operator.eq and set(_list_terms(number)) == set(sizes)
    return is_sum and statically_known_true(rows == limit)


def _list_terms(number: Any) -> list[Any]:
    """Returns the terms of a sum; none where one appears twice."""
    terms: list[Any] = []
    left = [number]
    while left:
        term = left.pop()
        is_sum = isinstance(term, torch.fx.Node) and term.target is operator.add
        (left if is_sum else terms).extend(term.args if is_sum else [term])
    return terms if len(set(terms)) == len(terms) else []


def _refuse_sizes(graph: torch.fx.Graph) -> None:
    """Raises an error for counts of ids that something reads besides loops that were joined."""
    for node in graph.nodes:
        number = _call(node, _ATEN.item.default)
        vector = number["self"] if number else None
        if vector is not None and vector.target is operator.getitem:
            unbound = _call(vector.args[0], _ATEN.unbind.int)
            if unbound is not None and _find_counted(unbound["self"]) is not None:
                raise MissingRule(describe_path(node), _COUNTED)
