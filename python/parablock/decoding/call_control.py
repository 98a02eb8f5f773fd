# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a call of a graph with caches says of them, and what of it is PyTorch's."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.export.graph_signature import OutputKind
from torch.utils import _pytree as pytree
from torch.utils.weak import WeakTensorKeyDictionary

from parablock.decoding.caches import BufferInfo
from parablock.decoding.masks import check_counts, measure_padding
from parablock.errors import Error
from parablock.frontend.cached_graph import CachedGraph, Mask, Node, Role
from parablock.frontend.dtypes import DTYPES
from parablock.frontend.whole_sequence import WholeSequence

Array = np.ndarray[Any, Any]

#: How far a first call may be from PyTorch's: in the L2 norm, for types of 32 bits and
#: of 16. Another function is as far as numbers are large.
_FAR = {torch.float32: 1e-3}
_FAR_IN_16_BITS = 5e-2

#: Stands for the model's own result.
LOGITS = object()

#: Padding in front of rows whose keys were computed here, by the buffers that callers
#: have of them. What is computed for padding is not what PyTorch computes for it.
_PADDING: Any = WeakTensorKeyDictionary()


class ContradictionError(Error):
    """A call that PyTorch could not go on with, either."""


@dataclasses.dataclass(frozen=True)
class Call:
    """Arguments, and what they say."""

    args: Sequence[Any]
    ids: torch.Tensor
    #: What PyTorch has computed of them.
    values: Mapping[Node, Any]
    buffers: Sequence[torch.Tensor]
    #: Tokens that buffers hold, and padding in front of each row.
    held: int
    starts: Array
    #: Numbers of the tokens whose results are wanted.
    rows: Array


@dataclasses.dataclass(frozen=True)
class Eager:
    """What PyTorch makes of a call."""

    #: Arguments, those that change among them.
    args: Sequence[Any]
    buffers: Sequence[torch.Tensor]
    #: The leaves of its result.
    results: Sequence[Any]


def check_padding(call: Call) -> None:
    """What was padding when its keys were computed is no token later."""
    for buffer in call.buffers:
        before = _PADDING.get(buffer)
        if before is not None and (call.starts < np.minimum(before, call.held)).any():
            raise ContradictionError(
                f"caches: expected padding of {before.tolist()} tokens in front, as it was "
                f"when the cache was filled, got {call.starts.tolist()}"
            )


def note_padding(call: Call, buffers: Iterable[torch.Tensor]) -> None:
    """Keeps what is padding in buffers that hold the keys of a call."""
    for buffer in buffers:
        _PADDING[buffer] = call.starts


class Fixed:
    """A result that is the same in every call."""

    def __init__(self, value: Any) -> None:
        self.value = value


class CallControl:
    """Computes what masks, positions and counts of a call are, and checks them."""

    def __init__(
        self, graph: CachedGraph, whole: WholeSequence, infos: Sequence[BufferInfo]
    ) -> None:
        self.graph = graph
        self.infos = infos
        self._places = {node: number for number, node in enumerate(graph.inputs)}
        #: Where buffers stand among the arguments; none of those that are made here.
        self.places = [self._places.get(node) for node in graph.caches]
        self._tokens = self._places[graph.tokens]
        self._rows = whole.rows
        self._check_buffers()
        attentions = graph.attentions.values()
        appends = graph.appends.values()
        self._written = _unite(a.rows for a in appends if a.rows is not None)
        #: Whether new keys come behind all of a buffer, which is made anew.
        self.grows = not self._written
        if self.grows != any(a.rows is None for a in appends):
            raise Error("caches: expected all of them to grow, or none")
        #: All masks of an attention hide keys of it.
        self._masks: list[tuple[Mask, ...]] = _unite(
            tuple(a.masks) for a in attentions if a.masks
        )
        self._has_causal = any(a.is_causal for a in attentions)
        self._sees_all = any(not a.masks and not a.is_causal for a in attentions)
        self._positions = _unite(whole.positions)
        #: Other inputs that change, by their number, and what the graph gives.
        self.changes: dict[int, Node] = {}
        self.results: list[Any] = []
        self._read_results()
        self._wanted = _unite(
            [
                *self._written,
                *(mask.node for together in self._masks for mask in together),
                *self._positions,
                *self.changes.values(),
                *(result for result in self.results if isinstance(result, Node)),
            ]
        )
        self._part = _extract(graph, self._wanted)
        #: Operations of a call that PyTorch runs.
        self.operations = sum(n.op == "call_function" for n in self._part.graph.nodes)

    def _check_buffers(self) -> None:
        """Buffers are such as the compiled model has them."""
        infos, nodes = self.infos, self.graph.caches
        if len(infos) != len(nodes):
            raise Error(f"caches: expected {len(infos)} buffers, got {len(nodes)}")
        for info, node in zip(infos, nodes, strict=True):
            example = node.meta["val"]
            _, heads, _, size = example.shape
            if heads * size != info.width or example.dtype != DTYPES[info.kind]:
                raise Error(
                    f"caches: expected {info.width} of {info.kind} for each token in "
                    f"'{self.graph.get_name(node)}', got {heads} x {size} of {example.dtype}"
                )

    def _read_results(self) -> None:
        graph = self.graph
        named = {node.name: node for node in graph.inputs}
        for spec, node in graph.list_results():
            is_append = isinstance(node, Node) and node in graph.appends
            if spec.kind == OutputKind.USER_INPUT_MUTATION:
                if not is_append:
                    if graph.roles[node] is Role.DATA:
                        raise Error(f"caches: '{spec.target}' changes beside them")
                    self.changes[self._places[named[spec.target]]] = node
            elif spec.kind != OutputKind.USER_OUTPUT:
                raise Error(f"caches: '{spec.target}' changes beside them")
            elif is_append:
                self.results.append(graph.caches.index(graph.appends[node].cache))
            elif isinstance(node, Node) and graph.roles[node] is not Role.DATA:
                self.results.append(node)
            else:
                self.results.append(LOGITS if isinstance(node, Node) else Fixed(node))

    def read(self, args: Sequence[Any]) -> Call:
        """A call, or an error for one that says something else than it may."""
        values = dict(zip(self._wanted, self._part(*args), strict=True))
        ids = args[self._tokens]
        tokens = int(ids.shape[1])
        buffers = self._list_buffers(args)
        if self.grows:
            held = int(buffers[0].shape[2])
            capacity = held + tokens
        else:
            held = self._read_rows([values[node].numpy() for node in self._written], tokens)
            capacity = int(buffers[0].shape[2])
        if held + tokens > capacity:
            raise Error(
                f"caches: expected at most {capacity} tokens, got {held} that a cache "
                f"holds and {tokens} new ones"
            )
        masks = [
            np.logical_and.reduce(
                [_read_mask(values[m.node], m.hides, (tokens, capacity)) for m in together]
            )
            for together in self._masks
        ]
        if self._sees_all:
            masks.append(np.ones((1, tokens, capacity), np.bool_))
        if self._has_causal:
            masks.append(np.tri(tokens, capacity, dtype=np.bool_)[None])
        starts = measure_padding(masks[0], self.graph.batch, held)
        for mask in masks:
            check_counts(mask, held, starts)
        for node in self._positions:
            _check_positions(values[node].numpy(), tokens, held, starts)
        rows = np.arange(tokens)[self._rows]
        return Call(args, ids, values, buffers, held, starts, rows)

    def _list_buffers(self, args: Sequence[Any]) -> list[torch.Tensor]:
        """Keys and values that the caller has, or that are yet to be."""
        buffers = []
        for number, node in zip(self.places, self.graph.caches, strict=True):
            if number is None:
                rows, heads, capacity, size = node.meta["val"].shape
                dtype = node.meta["val"].dtype
                made = torch.zeros(rows, capacity, heads, size, dtype=dtype)
                buffers.append(made.transpose(1, 2))
            else:
                buffers.append(args[number])
        return buffers

    def _read_rows(self, rows: Sequence[Array], tokens: int) -> int:
        """Tokens that caches hold, where new ones are written right behind them."""
        held = int(rows[0][0])
        for each in rows:
            if not np.array_equal(each, held + np.arange(tokens)):
                raise Error(
                    "caches: expected new keys right behind those that are there, in all "
                    f"layers, got {each.tolist()} and {rows[0].tolist()}"
                )
        return held

    def run_by_pytorch(self, call: Call, eager: Callable[..., Any]) -> Eager:
        """Runs a call on copies of what it changes."""
        changed = {*(place for place in self.places if place is not None), *self.changes}
        args = [
            a.clone(memory_format=torch.contiguous_format) if number in changed else a
            for number, a in enumerate(call.args)
        ]
        results = pytree.tree_leaves(eager(*args))
        buffers: list[Any] = [None if n is None else args[n] for n in self.places]
        # It may make them as well.
        for result, leaf in zip(self.results, results, strict=True):
            if isinstance(result, int):
                buffers[result] = leaf
        return Eager(args, buffers, results)

    def find_difference(
        self, call: Call, logits: Any, buffers: Sequence[torch.Tensor], wanted: Eager
    ) -> str | None:
        """How a call's result, or keys, are further from PyTorch's than roundings can be."""
        begin, end = call.held, call.held + call.ids.shape[1]
        real = torch.from_numpy(np.arange(begin, end) >= call.starts[:, None])
        kept = real[:, torch.from_numpy(call.rows)]
        other = wanted.results[self.results.index(LOGITS)]
        pairs: list[tuple[Any, ...]] = [("the result", logits[kept], other[kept])]
        for node, *both in zip(self.graph.caches, buffers, wanted.buffers, strict=True):
            new = [b[:, :, begin:end].transpose(1, 2)[real] for b in both]
            pairs.append((f"'{self.graph.get_name(node)}'", *new))
        for name, one, two in pairs:
            far = float((one.double() - two.double()).norm())
            limit = _FAR.get(two.dtype, _FAR_IN_16_BITS) * float(two.double().norm())
            if not far <= limit:
                return f"{name} is not what PyTorch computes, {far:.1e} from it"
        return None

    def get_result(self, result: Any, call: Call, logits: Any, buffers: Sequence[Any]) -> Any:
        """One of `results`, of what was computed."""
        if isinstance(result, Node):
            return call.values[result]
        if isinstance(result, Fixed):
            return result.value
        return logits if result is LOGITS else buffers[result]


def _unite(items: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(items))


def _extract(graph: CachedGraph, wanted: Sequence[Node]) -> torch.fx.GraphModule:
    """The part of a graph that gives some of its values."""
    part = torch.fx.Graph()
    root = torch.nn.Module()
    copies: dict[Node, Node] = {}
    for node in graph.inputs:
        copies[node] = part.placeholder(node.name)
    needed: set[Node] = set()
    waiting = list(wanted)
    while waiting:
        node = waiting.pop()
        if node not in needed:
            needed.add(node)
            waiting += node.all_input_nodes
    for node in graph.nodes:
        if node not in needed or node in copies:
            continue
        tensor = graph.find_tensor(node)
        if tensor is None:
            copies[node] = part.node_copy(node, copies.__getitem__)
        else:
            name = f"own{len(copies)}"
            root.register_buffer(name, tensor)
            copies[node] = part.get_attr(name)
    part.output(tuple(copies[node] for node in wanted))
    return torch.fx.GraphModule(root, part)


def _read_mask(mask: torch.Tensor, hides: bool, shape: tuple[int, int]) -> Array:
    """Which keys a mask lets a query see, [rows, tokens, keys]."""
    if mask.dtype != torch.bool:
        hidden = mask <= torch.finfo(mask.dtype).min
        if not bool((hidden | (mask == 0)).all()):
            raise Error("caches: expected a mask that hides keys, got one that weighs them")
        mask, hides = hidden, True
    allowed: Array = (~mask if hides else mask)[:, 0].expand(-1, *shape).numpy()
    return allowed


def _check_positions(positions: Array, tokens: int, held: int, starts: Array) -> None:
    expected = held + np.arange(tokens) - starts[:, None]
    given = np.broadcast_to(positions.reshape(-1, tokens), expected.shape)
    if ((given != expected) & (expected >= 0)).any():
        raise Error("caches: expected positions that count the real tokens of a row")
