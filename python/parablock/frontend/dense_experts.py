# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experts that all rows go through, as the single operation that they are.

Some models (Llama 4) compute every expert on every row, and a weight of 0 drops what was not
chosen: it multiplies what an expert reads, or what it returns. Such sums over all experts are
followed back to the rows and to the choice that the weights come from.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import torch
from torch.fx import Node

from parablock.frontend.expert_graphs import read_tree, skip_ones, walk
from parablock.frontend.expert_modules import describe_form
from parablock.frontend.expert_ops import ACTIVATIONS, parse_form
from parablock.frontend.graph_nodes import (
    get_name,
    is_last,
    is_part,
    list_dims,
    makes_number,
    skip_copies,
)
from parablock.frontend.table import normalise_dim

_MOVES = ("transpose", "permute", "t")
_COPIES = ("repeat", "expand")
_VIEWS = ("view", "reshape", "_unsafe_view", "unsqueeze", "squeeze", "alias", "clone", "detach")
#: Functions of weights that a choice of -inf gives 0, or leaves to the chosen ones.
_OF_CHOSEN = ("sigmoid", "softmax")


@dataclasses.dataclass
class _Product:
    """A product of each expert's rows by its matrix."""

    rows: Node
    stack: Node
    transposed: bool
    bias: Any


def join_dense_experts(graph: torch.fx.Graph) -> None:
    """Replaces experts computed on all rows by `parablock::experts`, where they are known."""
    for node in list(graph.nodes):
        is_sum = get_name(node) == "sum" and list_dims(node) == [-3] and len(node.args) == 2
        if is_sum and _has_rank(node.args[0], 3):
            _join(graph, node)
    graph.eliminate_dead_code()


def _join(graph: torch.fx.Graph, total: Node) -> None:
    results: Any = total.args[0]
    count, rows, _ = (_find_size(size) for size in results.meta["val"].shape)
    if not count or not rows:
        return
    node, scores = _read_weighed(_skip_views(results), count, rows)
    down = _read_product(node)
    found = down and _find_up(down)
    if not down or not found:
        return
    up, form = found
    read = up.rows
    if scores is None:
        read, scores = _read_weighed(_skip_views(up.rows), count, rows)
        given = parse_form(form)
        # Rows of weight 0 give 0 where nothing is added to the products.
        zero = torch.zeros(())
        is_zero = given["layout"] != "up" and "up_offset" not in given
        is_zero = is_zero or not ACTIVATIONS[given["activation"]](zero)
        if up.bias is not None or down.bias is not None or not is_zero:
            return
        form = form.replace(">", ", weigh = input>")
    hidden = _read_copied(read, count, rows)
    choice = _read_choice(scores) if scores is not None else None
    if hidden is None or choice is None or total.meta["val"].dtype != hidden.meta["val"].dtype:
        return
    places, chain, base = choice
    with graph.inserting_before(total):
        weights = base
        for step in reversed(chain):
            weights = _copy_step(graph, step, weights)
        arguments = (hidden, places, weights, up.stack, down.stack, up.bias, down.bias, form)
        experts = graph.call_function(torch.ops.parablock.experts.default, arguments)
    experts.meta = dict(total.meta)
    total.replace_all_uses_with(experts)


def _copy_step(graph: torch.fx.Graph, step: Node, source: Node) -> Node:
    """Returns a step of one operand on another one, of fewer columns."""
    node = graph.call_function(
        step.target,  # type: ignore[arg-type]
        (source, *step.args[1:]),
        step.kwargs,
    )
    shape = source.meta["val"].shape
    node.meta = {**step.meta, "val": step.meta["val"].new_empty(shape)}
    return node


# Products -----------------------------------------------------------------------


def _read_product(node: Any) -> _Product | None:
    """Returns a product by a stack of matrices, with a bias of each expert or none."""
    node = _skip_views(node)
    if get_name(node) == "add" and not node.kwargs:
        for given, bias in (node.args[:2], node.args[1::-1]):
            product = _read_product(given)
            if product is None or product.bias is not None:
                continue
            vector = skip_ones(bias)
            is_row = _has_rank(bias, 3) and _has_rank(vector, 2) and bias.meta["val"].shape[1] == 1
            return dataclasses.replace(product, bias=vector) if is_row else None
        return None
    if get_name(node) not in ("bmm", "matmul"):
        return None
    rows, stack = node.args
    if not _has_rank(rows, 3) or not _has_rank(stack, 3):
        return None
    is_turned = get_name(stack) == "transpose" and {
        normalise_dim(dim, 3) for dim in stack.args[1:]
    } == {1, 2}
    return _Product(rows, stack.args[0] if is_turned else stack, not is_turned, None)


def _find_up(down: _Product) -> tuple[_Product, str] | None:
    """Returns the product that hidden values are a function of, and the form of both."""
    hidden = skip_ones(down.rows)
    for node in walk(hidden):
        up = _read_product(node)
        if up is None or up.transposed != down.transposed:
            continue
        columns, width = (
            product.stack.meta["val"].shape[2 if is_out == up.transposed else 1]
            for product, is_out in ((up, True), (down, False))
        )
        try:
            tree = read_tree(hidden, node, node.meta["val"].shape[-1])
        except (KeyError, TypeError, ValueError, RecursionError):
            return None
        form = describe_form(tree, columns == 2 * width, up.transposed)
        return None if form is None or columns not in (width, 2 * width) else (up, form)
    return None


# Rows and weights ---------------------------------------------------------------


def _read_weighed(node: Any, count: int, rows: int) -> tuple[Any, Node | None]:
    """Returns what weights of rows, expert by expert, multiply, and the weights [rows, experts]."""
    if get_name(node) != "mul":
        return node, None
    for value, weights in (node.args, node.args[::-1]):
        source: Any = weights
        path = []
        while get_name(source) in (*_MOVES, *_VIEWS):
            path.append(source)
            source = source.args[0]
        if not _has_rank(source, 2) or tuple(source.meta["val"].shape) != (rows, count):
            continue
        probe = torch.arange(rows * count).reshape(rows, count)
        found = _repeat_steps(path, probe)
        if found is not None and found.shape[-1] == 1 and torch.equal(found.flatten(), probe.T.flatten()):
            return value, source
    return node, None


def _read_copied(node: Any, count: int, rows: int) -> Node | None:
    """Returns the rows that each expert has a copy of."""
    path: list[Node] = []
    while get_name(node) in _VIEWS:
        path.append(node)
        node = node.args[0]
    if get_name(node) not in _COPIES:
        return None
    path.append(node)
    source = node.args[0]
    while get_name(source) in ("unsqueeze", "alias", "clone", "detach") and not _has_rank(source, 2):
        path.append(source)
        source = source.args[0]
    if not _has_rank(source, 2) or source.meta["val"].shape[0] != rows:
        return None
    probe = torch.arange(source.meta["val"].numel()).reshape(source.meta["val"].shape)
    found = _repeat_steps(path, probe)
    is_copied = found is not None and torch.equal(found.flatten(), probe.repeat(count, 1).flatten())
    return source if is_copied else None


def _repeat_steps(path: list[Node], value: torch.Tensor) -> torch.Tensor | None:
    """Returns what steps of one operand make of a tensor, or None where sizes are open."""
    for step in reversed(path):
        rest = step.args[1:]
        numbers = [n for arg in rest for n in (arg if isinstance(arg, (list, tuple)) else [arg])]
        if not all(isinstance(number, int) for number in numbers):
            return None
        value = step.target(value, *rest, **step.kwargs)  # type: ignore[operator]
    return value


def _read_choice(scores: Node) -> tuple[Node, list[Node], Node] | None:
    """Returns chosen experts, and the steps and numbers that their weights come from."""
    chain: list[Node] = []
    node: Any = scores
    is_chosen = False
    while isinstance(node, Node) and get_name(node) != "scatter":
        name = get_name(node)
        of_last = name == "sigmoid" or (name == "softmax" and is_last(node.args[1], node))
        is_copy = skip_copies(node) is not node and name not in ("view", "reshape", "_unsafe_view")
        if not is_copy and (name not in _OF_CHOSEN or is_chosen or not of_last):
            return None
        is_chosen = is_chosen or not is_copy
        chain.append(node)
        node = node.args[0]
    if not isinstance(node, Node) or str(node.target) != "aten.scatter.src":
        return None
    base, dim, places, values = node.args
    fill = -math.inf if is_chosen else 0.0
    if not is_last(dim, node) or not makes_number(base, fill) or not isinstance(values, Node):
        return None
    chosen = skip_copies(places)
    is_topk = isinstance(chosen, Node) and is_part(chosen, 1) and get_name(chosen.args[0]) == "topk"
    if not is_topk or values.meta["val"].shape != places.meta["val"].shape:  # type: ignore[union-attr]
        return None
    return places, chain, values  # type: ignore[return-value]


# Nodes --------------------------------------------------------------------------


def _find_size(size: Any) -> int:
    """Returns a size, or 0 where it is open."""
    return size if isinstance(size, int) else 0


def _has_rank(node: Any, rank: int) -> bool:
    return isinstance(node, Node) and node.meta["val"].dim() == rank


def _skip_views(node: Any) -> Any:
    while get_name(node) in _VIEWS:
        node = node.args[0]
    return node
