# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keys and values that a graph writes into buffers, or appends to given ones."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram

Node = torch.fx.Node

#: Where keys stand in a buffer.
KEYS = 2
_JOINS = ("aten.cat.default", "aten.concat.default")
_COPY = "aten.copy.default"
_SLICE = "aten.slice.Tensor"
#: Operations that hand on a tensor as it is.
_SAME = tuple(
    f"aten.{name}.default" for name in ("alias", "detach", "clone", "lift_fresh_copy")
)

#: Returns the tensor of a node that the graph brings along; None for other nodes.
FindTensor = Callable[[Node], torch.Tensor | None]


@dataclasses.dataclass(frozen=True, eq=False)
class Append:
    """Keys, or values, that are written into a buffer, or appended to its content."""

    #: The buffer: an input, or zeros that are made here; none where keys begin here.
    cache: Node | None
    #: Numbers of the rows of it that are written; none where keys are joined.
    rows: Node | None
    #: [rows, heads, tokens, size].
    new: Node
    #: Keys or values that attention reads: the buffer with new rows, or joined rows.
    joined: Node
    #: Operations between the buffer, or those of its rows that are joined, and the append.
    steps: Sequence[Node] = ()
    #: Whether the first row of the buffer gives way to a new one.
    is_full: bool = False
    #: How many of the last rows the caller keeps, where not all that are joined.
    kept: int | None = None
    #: Whether these are written where the buffer is, which has as many.
    is_rolled: bool = False
    #: Operations that return the rows which are kept.
    results: Sequence[Node] = ()

    @property
    def in_place(self) -> bool:
        """Whether a buffer keeps its size, and is written."""
        return self.rows is not None or self.is_rolled

    @property
    def span(self) -> int | None:
        """Number of visible earlier tokens, if older keys are not kept."""
        if self.kept is None:
            return None
        return self.kept if self.is_rolled else self.kept + 1


def list_appends(
    program: ExportedProgram, find_tensor: FindTensor
) -> Iterator[tuple[Node, Append]]:
    """Returns appends by the node from which attention reads keys, or values."""
    read = (_read_append(node, find_tensor) for node in program.graph.nodes)
    found = [append for append in read if append is not None]
    # A past that is joined to nothing first is no beginning.
    inner = {step for append in found for step in append.steps}
    for append in found:
        if append.joined not in inner:
            yield append.joined, _add_results(append)


def has_caches(program: ExportedProgram) -> bool:
    """Returns whether a graph has keys and values of earlier calls, or keeps this call's."""
    return any(_read_append(node, None) is not None for node in program.graph.nodes)


def takes_caches(program: ExportedProgram) -> bool:
    """Returns whether a graph has keys and values of earlier calls."""
    found = (_read_append(node, None) for node in program.graph.nodes)
    return any(append is not None and append.cache is not None for append in found)


def _read_append(node: Node, find_tensor: FindTensor | None) -> Append | None:
    """Reads an operation that adds rows of keys; without `find_tensor` it may add other rows."""
    if node.op != "call_function":
        return None
    name, args = str(node.target), node.args
    if name in _JOINS:
        return _read_join(node)
    if name == "aten.index_copy.default" and args[1] in (KEYS, KEYS - 4):
        return _make(args[0], args[2], args[3], node)
    if name == "aten.index_put.default":
        return _read_put(node, find_tensor)
    return _read_fresh(node) if name == _COPY else None


def _make(cache: Any, rows: Any, new: Any, joined: Node, **more: Any) -> Append | None:
    """Returns an append, or None if its rows cannot be keys."""
    if not has_rank(new, 4) or (rows is not None and not has_rank(rows, 1)):
        return None
    is_buffer = has_rank(cache, 4) and (cache.op == "placeholder" or _is_zeros(cache))
    return Append(cache, rows, new, joined, **more) if is_buffer or cache is None else None


def _read_join(node: Node) -> Append | None:
    given: Any = node.args[0]
    dim = node.args[1] if len(node.args) > 1 else 0
    # Keys that begin here are joined to a tensor of nothing.
    parts = [part for part in given if not has_rank(part, 1)]
    if dim not in (KEYS, KEYS - 4) or not 1 <= len(parts) <= 2:
        return None
    if len(parts) == 1:
        return _make(None, None, parts[0], node) if len(given) > 1 else None
    cache, new = parts
    steps: list[Node] = []
    is_full = False
    while isinstance(cache, Node) and cache.op == "call_function":
        steps.append(cache)
        if str(cache.target) in _JOINS:
            others: Any = cache.args[0]
            [cache, *more] = [part for part in others if not has_rank(part, 1)]
            if more:
                return None
            continue
        if str(cache.target) == _SLICE:
            dim, first, end, step = _read_slice(cache)
            source: Any = cache.args[0]
            if not is_whole(cache):
                is_first = first == 0 and not is_full
                is_rest = first == 1 and not is_full and end == sys.maxsize
                if dim != KEYS or step != 1 or not (is_first or is_rest):
                    return None
                is_full = is_rest
            cache = source
        elif str(cache.target) in _SAME:
            cache = cache.args[0]
        else:
            break
    is_input = isinstance(cache, Node) and cache.op == "placeholder"
    if not is_input:
        return None
    return _make(cache, None, new, node, steps=steps, is_full=is_full)


def _read_put(node: Node, find_tensor: FindTensor | None) -> Append | None:
    """Rows by number, or the last one of those that were rolled."""
    args: list[Any] = [*node.args]
    cache, many, new = args[:3]
    if list(many[:-1]) != [None] * KEYS or (len(args) > 3 and args[3]):
        return None
    rows = many[-1]
    if not isinstance(cache, Node) or str(cache.target) != "aten.roll.default":
        return _make(cache, rows, new, node)
    args = [*cache.args]
    rolled, by, dims = args[:3]
    is_by_one = list(by) == [-1] and list(dims) in ([KEYS], [KEYS - 4])
    if not is_by_one or not has_rank(new, 4) or get_sizes(new)[KEYS] != 1:
        return None
    if find_tensor is not None:
        numbers = _find_numbers(rows, find_tensor)
        if numbers not in ([-1], [get_sizes(cache)[KEYS] - 1]):
            return None
    return _make(rolled, None, new, node, steps=[cache], is_full=True)


def _find_numbers(node: Any, find_tensor: FindTensor) -> list[int] | None:
    while isinstance(node, Node) and str(node.target) in _SAME:
        node = node.args[0]
    found = find_tensor(node) if isinstance(node, Node) else None
    return None if found is None else found.flatten().tolist()


def _read_fresh(node: Node) -> Append | None:
    """Reads an append of more new keys than a buffer holds, which keeps the last ones."""
    cache, kept = node.args[:2]
    if not has_rank(cache, 4) or not has_rank(kept, 4):
        return None
    new: Any = kept
    while isinstance(new, Node) and (str(new.target) in _SAME or str(new.target) == _SLICE):
        if str(new.target) == _SLICE and not is_whole(new) and _read_cut(new) is None:
            return None
        new = new.args[0]
    if not has_rank(new, 4) or new is kept or _read_append(new, None) is not None:
        return None
    return _make(cache, None, new, new)


def _add_results(append: Append) -> Append:
    """Finds which joined rows are passed on: all of them, or the last ones."""
    node = append.joined
    if append.rows is not None:
        return append
    kept: set[int | None] = set()
    results, seen, waiting = [], {node}, [node]
    cut: dict[Node, int | None] = {node: None}
    is_rolled = False
    while waiting:
        at = waiting.pop()
        for user in at.users:
            name = str(user.target)
            if name == _COPY and append.cache is user.args[0] and user.args[1] is at:
                is_rolled = True
                kept.add(get_sizes(user)[KEYS])
            elif name in _SAME or (name == _SLICE and is_whole(user)):
                cut[user] = cut[at]
            elif name == _SLICE and cut[at] is None and _read_cut(user):
                cut[user] = _read_cut(user)
                kept.add(cut[user])
            else:
                continue
            if user not in seen:
                seen.add(user)
                results.append(user)
                if name != _COPY:
                    waiting.append(user)
    if not kept:
        return dataclasses.replace(append, results=[node, *results])
    results = [each for each in results if cut.get(each, 0) is not None]
    number = kept.pop() if len(kept) == 1 else 0
    return dataclasses.replace(append, kept=number, is_rolled=is_rolled, results=results)


def _read_slice(node: Node) -> tuple[int, Any, Any, Any]:
    """Returns dimension, beginning, end and step."""
    given: list[Any] = [*node.args[1:], None, None, None, None]
    dim, first, end, step = (given[0] or 0, given[1] or 0, given[2], given[3] or 1)
    rank = node.meta["val"].dim()
    return dim % rank, first, sys.maxsize if end is None else end, step


def _read_cut(node: Node) -> int | None:
    """Returns how many of the last rows a slice has."""
    dim, first, end, step = _read_slice(node)
    is_cut = dim == KEYS and isinstance(first, int) and first < 0 and step == 1
    return -first if is_cut and end == sys.maxsize else None


def is_whole(node: Node) -> bool:
    """Returns whether a slice is all of its operand, for any size."""
    _, first, end, step = _read_slice(node)
    return first == 0 and step == 1 and isinstance(end, int) and end == sys.maxsize


def get_sizes(node: Node) -> tuple[int, ...]:
    """Returns a shape; open sizes are those of an example."""
    return tuple(get_number(size) for size in node.meta["val"].shape)


def get_number(size: Any) -> int:
    return size if isinstance(size, int) else int(size.node.hint)


def is_size(node: Node) -> bool:
    return isinstance(node.meta.get("val"), int | torch.SymInt)


def has_rank(node: Any, rank: int) -> bool:
    value = node.meta.get("val") if isinstance(node, Node) else None
    return isinstance(value, torch.Tensor) and value.dim() == rank


def _is_zeros(node: Node) -> bool:
    name = str(node.target)
    return name == "aten.zeros.default" or (
        name == "aten.full.default" and bool(node.args[1] == 0)
    )
