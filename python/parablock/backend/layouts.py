# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Strides of a graph's results, and the memory that they share.

This file gives results of compiled code the strides that PyTorch traced, which
operations behind a part of a graph may depend on (`view`, `as_strided`). A result that
is a view of an input, or of what another result is a view of, stays one.
"""

from __future__ import annotations

import collections
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import OutputKind
from torch.utils import _pytree as pytree

from parablock.frontend.placeholders import list_inputs, list_lifted
from parablock.frontend.size_symbols import evaluate, find_places

Node = torch.fx.Node


def find_base(node: Node) -> Node:
    """Returns the node that a chain of views begins with; the node itself if it is none."""
    while is_view(node):
        node = node.all_input_nodes[0]
    return node


def is_view(node: Node) -> bool:
    """Returns whether a node's result may lie in the memory of its first operand."""
    if node.op != "call_function":
        return False
    if node.target is operator.getitem:
        return is_view(node.all_input_nodes[0])
    return bool(getattr(node.target, "is_view", False))


def list_partly_read(graph: torch.fx.Graph) -> list[Node]:
    """Returns the nodes of which `as_strided` reads a part of the memory."""
    found = []
    for node in graph.nodes:
        if str(node.target).startswith("aten.as_strided"):
            part = node.all_input_nodes[0]
            base = find_base(part)
            if part.meta["val"].numel() != base.meta["val"].numel():
                found.append(base)
    return found


class Layouts:
    """The traced strides of a program's results, and what these are views of.

    Open sizes are those of a call's arguments.
    """

    def __init__(self, program: ExportedProgram) -> None:
        signature = program.graph_signature
        #: Placeholders by their number among the arguments, and tensors of the program.
        self._places = {node: place for place, node in enumerate(list_inputs(program))}
        self._own = {each.node: each.value for each in list_lifted(program)}
        #: Where the open sizes stand, by their symbols.
        self._open = find_places(self._places)
        output = next(node for node in reversed(program.graph.nodes) if node.op == "output")
        given: Any = output.args[0]
        #: Nodes of the results, in order; anything else is a number or None.
        self._results: list[Any] = [
            node
            for spec, node in zip(signature.output_specs, given, strict=True)
            if spec.kind == OutputKind.USER_OUTPUT
        ]
        #: Results by the node in whose memory they lie.
        self._groups: dict[Node, list[int]] = collections.defaultdict(list)
        for number, node in enumerate(self._results):
            if isinstance(node, Node) and isinstance(node.meta.get("val"), torch.Tensor):
                self._groups[find_base(node)].append(number)

    def apply(self, results: Sequence[Any], args: Sequence[Any]) -> list[Any]:
        """Returns the results of a call in PyTorch's layout."""
        laid = list(results)
        sizes = {s: int(args[place].shape[dim]) for s, (place, dim) in self._open.items()}
        for base, numbers in self._groups.items():
            if base.op == "placeholder":
                values: dict[Node, Any] = {base: self._find_input(base, args)}
                for number in numbers:
                    laid[number] = self._replay(self._results[number], values, sizes)
            elif len(numbers) == 1:
                strides = self._results[numbers[0]].meta["val"].stride()
                laid[numbers[0]] = lay_out(laid[numbers[0]], _evaluate(strides, sizes))
            else:
                self._share(base, numbers, laid, sizes)
        return laid

    def _find_input(self, node: Node, args: Sequence[Any]) -> Any:
        return args[self._places[node]] if node in self._places else self._own[node]

    def _replay(self, node: Node, values: dict[Node, Any], sizes: Mapping[str, int]) -> Any:
        """Applies a chain of views to known values."""
        if isinstance(size := node.meta.get("val"), torch.SymInt):
            return evaluate(size, sizes)
        if node not in values:
            look_up: Callable[[Node], Any] = lambda other: self._replay(other, values, sizes)
            given, named = torch.fx.node.map_arg((node.args, node.kwargs), look_up)
            target: Any = node.target
            values[node] = target(*given, **named)
        return values[node]

    def _share(
        self, base: Node, numbers: Sequence[int], laid: list[Any], sizes: Mapping[str, int]
    ) -> None:
        """Stores results in one memory, that of their base."""
        own = [number for number in numbers if self._results[number] is base]
        example = base.meta["val"]
        strides = _evaluate(example.stride(), sizes)
        if own:
            whole = lay_out(laid[own[0]], strides)
        else:
            whole = torch.empty_strided(
                _evaluate(example.shape, sizes),
                strides,
                dtype=example.dtype,
                device=laid[numbers[0]].device,
            )
        with torch.no_grad():
            values: dict[Node, Any] = {base: whole.detach()}
            places = [self._replay(self._results[n], values, sizes) for n in numbers]
        for number, place in zip(numbers, places, strict=True):
            is_inside = place.untyped_storage().data_ptr() == whole.untyped_storage().data_ptr()
            if not is_inside:
                # Some views are copies at some strides.
                laid[number] = lay_out(laid[number], place.stride())
                continue
            view = whole.as_strided(place.shape, place.stride(), place.storage_offset())
            if not own:
                _copy(view, laid[number])
            laid[number] = view


class LaidOut:
    """Compiled code whose results have the memory layout of its graph's."""

    def __init__(self, compiled: Callable[..., Any], program: ExportedProgram) -> None:
        self._compiled = compiled
        self._layouts = Layouts(program)

    def __call__(self, *args: Any) -> Any:
        flat, spec = pytree.tree_flatten(self._compiled(*args))
        return pytree.tree_unflatten(self._layouts.apply(flat, args), spec)


def _evaluate(numbers: Sequence[Any], sizes: Mapping[str, int]) -> tuple[int, ...]:
    """Returns sizes or strides of a call."""
    return tuple(evaluate(number, sizes) for number in numbers)


def lay_out(result: Any, strides: Sequence[int]) -> Any:
    """Returns the same numbers with these strides.

    >>> lay_out(torch.ones(2, 3), (1, 2)).stride()
    (1, 2)
    """
    if result.stride() == tuple(strides):
        return result
    pairs = zip(result.shape, result.stride(), strides, strict=True)
    if all(size <= 1 or own == wanted for size, own, wanted in pairs):
        return result.as_strided(result.shape, strides)
    made = torch.empty_strided(
        [1 if stride == 0 else size for size, stride in zip(result.shape, strides, strict=True)],
        strides,
        dtype=result.dtype,
        device=result.device,
    )
    made.copy_(_drop_repeated(result, strides))
    return made.expand(result.shape)


def _copy(place: torch.Tensor, result: torch.Tensor) -> None:
    """Writes a result; repeated elements once."""
    _drop_repeated(place, place.stride()).copy_(_drop_repeated(result, place.stride()))


def _drop_repeated(tensor: torch.Tensor, strides: Sequence[int]) -> torch.Tensor:
    for dim, stride in enumerate(strides):
        if stride == 0 and tensor.shape[dim] > 1:
            tensor = tensor.narrow(dim, 0, 1)
    return tensor
