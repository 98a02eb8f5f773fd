# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads cache arguments from a graph call and passes the other arguments to PyTorch."""

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
from parablock.dtypes import DTYPES
from parablock.errors import Error
from parablock.frontend.alibi import check_alibi, is_hidden, split_heads
from parablock.frontend.cached_appends import KEYS, Append, get_sizes
from parablock.frontend.cached_graph import Attention, CachedGraph, Mask, Node, Role
from parablock.frontend.graph_part import extract_part
from parablock.frontend.whole_sequence import WholeSequence

Array = np.ndarray[Any, Any]

#: How far a first call may be from PyTorch's, relative, in the L2 norm. Roundings of both
#: leave about as much as PyTorch's own are from float64. Of results and keys of GPT-2, Llama,
#: Gemma, Mistral and Qwen3 with two layers the largest distances were 1.5e-2 in bf16 and
#: 2.1e-3 in f16; of Llama with eight layers 2.1e-2 and 2.4e-3. Growing by that 1.4 again and
#: again, a hundred layers keep below these limits. Another function is far away: one key
#: that is hidden, or a position off by one, was 1.3e-1 and more from the result.
_FAR = {torch.float32: 1e-3, torch.bfloat16: 6e-2, torch.float16: 1e-2}

#: Stands for the model's own result.
LOGITS = object()

#: Padding in front of rows whose keys were computed here, by the callers' buffers. Keys of
#: padding differ from PyTorch's.
_PADDING: Any = WeakTensorKeyDictionary()


class ContradictionError(Error):
    """A call that PyTorch could not continue either."""


@dataclasses.dataclass(frozen=True)
class Call:
    """Arguments of a call, and the caches that they describe."""

    args: Sequence[Any]
    ids: torch.Tensor
    #: Values that PyTorch has computed from the arguments.
    values: Mapping[Node, Any]
    #: Keys and values as the call has them: of some there may be none yet.
    buffers: Sequence[torch.Tensor]
    #: How many rows of each are joined to new ones.
    used: Sequence[int]
    #: Tokens that were there before, and padding in front of each row.
    held: int
    starts: Array
    #: Numbers of the tokens whose results are wanted.
    rows: Array

    @property
    def tokens(self) -> int:
        return int(self.ids.shape[1])


@dataclasses.dataclass(frozen=True)
class Eager:
    """The part of a call that PyTorch computes."""

    #: Arguments, those that change among them.
    args: Sequence[Any]
    buffers: Sequence[torch.Tensor]
    #: The leaves of its result.
    results: Sequence[Any]


def check_padding(call: Call) -> None:
    """Rejects a mask that shows tokens which were padding when their keys were computed."""
    for buffer in call.buffers:
        before = _PADDING.get(buffer)
        if before is not None and (call.starts < np.minimum(before, call.held)).any():
            raise ContradictionError(
                f"caches: expected padding of {before.tolist()} tokens in front, as it was "
                f"when the cache was filled, got {call.starts.tolist()}"
            )


def note_padding(call: Call, buffers: Iterable[torch.Tensor]) -> None:
    """Records the padding in buffers with the keys of a call."""
    for buffer in buffers:
        _PADDING[buffer] = call.starts


class Fixed:
    """A result that is the same in every call."""

    def __init__(self, value: Any) -> None:
        self.value = value


class CallControl:
    """Computation and checks of masks, positions and counts of a call."""

    def __init__(
        self, graph: CachedGraph, whole: WholeSequence, infos: Sequence[BufferInfo]
    ) -> None:
        self.graph = graph
        self.infos = infos
        self._places: dict[Any, int] = {n: number for number, n in enumerate(graph.inputs)}
        #: Appends whose keys and values are kept, in the order of `infos`.
        self.appends = graph.kept
        #: Where buffers stand among the arguments; none of those that are made here.
        self.places = [self._places.get(append.cache) for append in self.appends]
        self._tokens = self._places[graph.tokens]
        self._rows = whole.rows
        self._check_buffers()
        self._written = _unite(a.rows for a in self.appends if a.rows is not None)
        self._masks = _find_seen(graph.attentions.values())
        self._alibis = whole.alibis
        self._positions = _unite(whole.positions)
        #: Other inputs that change, by their number, and what the graph gives.
        self.changes: dict[int, Node] = {}
        self.results: list[Any] = []
        self._read_results()
        self._wanted = _unite(
            [
                *self._written,
                *(mask.node for seen in self._masks for mask in seen.masks),
                *self._positions,
                *self.changes.values(),
                *(result for result in self.results if isinstance(result, Node)),
            ]
        )
        self._part = extract_part(graph, self._wanted)
        #: Operations of a call that PyTorch runs.
        self.operations = sum(n.op == "call_function" for n in self._part.graph.nodes)

    def _check_buffers(self) -> None:
        """Rejects buffers that differ from the compiled model's."""
        infos = self.infos
        if len(infos) != len(self.appends):
            raise Error(f"caches: expected {len(infos)} buffers, got {len(self.appends)}")
        for info, append in zip(infos, self.appends, strict=True):
            example = append.new.meta["val"]
            _, heads, _, size = get_sizes(append.new)
            if heads * size != info.width or example.dtype != DTYPES[info.kind]:
                raise Error(
                    f"caches: expected {info.width} of {info.kind} for each token in "
                    f"'{self.get_name(append)}', got {heads} x {size} of {example.dtype}"
                )

    def get_name(self, append: Append) -> str:
        return self.graph.get_name(append.new if append.cache is None else append.cache)

    def _read_results(self) -> None:
        graph = self.graph
        named = {node.name: node for node in graph.inputs}
        for spec, node in graph.list_results():
            append = graph.find_append(node)
            if spec.kind == OutputKind.USER_INPUT_MUTATION:
                if append is None:
                    if graph.roles[node] is Role.DATA:
                        raise Error(f"caches: '{spec.target}' changes beside them")
                    self.changes[self._places[named[spec.target]]] = node
            elif spec.kind != OutputKind.USER_OUTPUT:
                raise Error(f"caches: '{spec.target}' changes beside them")
            elif append is not None:
                self.results.append(self.appends.index(append))
            elif isinstance(node, Node) and graph.roles[node] is not Role.DATA:
                self.results.append(node)
            else:
                self.results.append(LOGITS if isinstance(node, Node) else Fixed(node))

    def read(self, args: Sequence[Any]) -> Call:
        """Returns the call; rejects one that violates the rules of caches."""
        values = dict(zip(self._wanted, self._part(*args), strict=True))
        ids = args[self._tokens]
        tokens = int(ids.shape[1])
        buffers = self._list_buffers(args)
        used = [_count_used(*pair) for pair in zip(self.appends, buffers, strict=True)]
        positions = [values[node].numpy().reshape(-1, tokens) for node in self._positions]
        held = self._find_held(values, tokens, used)
        masks = {seen: self._read_masks(seen, values, tokens, buffers) for seen in self._masks}
        if held is not None:
            starts = self._measure_starts(masks, held, positions)
        else:
            # Only positions count tokens that no buffer holds any more.
            held, starts = self._count_back(buffers, used, tokens, positions)
        for seen, mask in masks.items():
            first = held + tokens - mask.shape[-1] if seen.keys.rows is None else 0
            check_counts(mask, held, starts, first, seen.window)
            self._check_alibis(seen, values, mask, held, starts, first)
        for each in positions:
            _check_positions(each, tokens, held, starts)
        self._check_used(used, held)
        rows = np.arange(tokens)[self._rows]
        return Call(args, ids, values, buffers, used, held, starts, rows)

    def _list_buffers(self, args: Sequence[Any]) -> list[torch.Tensor]:
        """Returns the caller's keys and values, or empty ones."""
        buffers = []
        for number, append in zip(self.places, self.appends, strict=True):
            if number is None:
                node = append.new if append.cache is None else append.cache
                rows, heads, capacity, size = get_sizes(node)
                capacity = 0 if append.cache is None else capacity
                dtype = node.meta["val"].dtype
                made = torch.zeros(rows, capacity, heads, size, dtype=dtype)
                buffers.append(made.transpose(1, 2))
            else:
                buffers.append(args[number])
        return buffers

    def _find_held(
        self, values: Mapping[Node, Any], tokens: int, used: Sequence[int]
    ) -> int | None:
        """Returns the number of earlier tokens, or None if it is unknown."""
        if self._written:
            held = self._read_rows([values[node].numpy() for node in self._written], tokens)
            for append in self.appends:
                capacity = get_sizes(append.cache)[KEYS] if append.cache else 0
                if append.rows is not None and held + tokens > capacity:
                    raise Error(
                        f"caches: expected at most {capacity} tokens, got {held} that a "
                        f"cache holds and {tokens} new ones"
                    )
            return held
        whole = [
            count
            for append, count in zip(self.appends, used, strict=True)
            if append.span is None or (count < append.span - 1 and not append.is_full)
        ]
        return whole[0] if whole else None

    def _check_used(self, used: Sequence[int], held: int) -> None:
        """Rejects buffers that do not hold the same tokens, or the last ones of them."""
        for append, count in zip(self.appends, used, strict=True):
            if append.rows is None:
                whole = held if append.span is None else min(held, append.span - 1)
                if count != whole:
                    raise Error(
                        f"caches: expected keys of {whole} tokens in "
                        f"'{self.get_name(append)}', as others have them, got {count}"
                    )

    def _read_masks(
        self, seen: _Seen, values: Mapping[Node, Any], tokens: int, buffers: Sequence[Any]
    ) -> Array:
        """Returns which keys an attention sees, [rows, tokens, keys]."""
        buffer = buffers[self.appends.index(seen.keys)]
        keys = int(buffer.shape[KEYS])
        if seen.keys.rows is None:
            keys = _count_used(seen.keys, buffer) + tokens
        masks = [_read_mask(m, values[m.node], (tokens, keys)) for m in seen.masks]
        if seen.is_causal:
            masks.append(np.tri(tokens, keys, dtype=np.bool_)[None])
        seen_by_all = [np.ones((1, tokens, keys), np.bool_)]
        allowed: Array = np.logical_and.reduce(masks or seen_by_all)
        return allowed

    def _check_alibis(
        self,
        seen: _Seen,
        values: Mapping[Node, Any],
        mask: Array,
        held: int,
        starts: Array,
        first: int,
    ) -> None:
        """Rejects masks that add other numbers than the slopes."""
        for each in seen.masks:
            if each.node in self._alibis:
                real = held + np.arange(mask.shape[1]) >= starts[:, None]
                check_alibi(
                    self._alibis[each.node],
                    split_heads(each, values[each.node]),
                    torch.from_numpy(mask & real[..., None]),
                    torch.from_numpy(starts),
                    first,
                )

    def _measure_starts(
        self, masks: Mapping[_Seen, Array], held: int, positions: Sequence[Array]
    ) -> Array:
        """Returns the visible padding in front of each row."""
        for seen, mask in masks.items():
            if seen.window is None or seen.window >= held + mask.shape[1]:
                return measure_padding(mask, self.graph.batch, held)
        return self._count_padding(held, positions)

    def _count_padding(self, held: int, positions: Sequence[Array]) -> Array:
        last = positions[0][:, -1] if positions else np.zeros(1, np.int64)
        starts: Array = np.zeros(self.graph.batch, np.int64)
        if positions:
            starts = starts + held + positions[0].shape[1] - 1 - last
        return np.maximum(starts, 0)

    def _count_back(
        self,
        buffers: Sequence[torch.Tensor],
        used: Sequence[int],
        tokens: int,
        positions: Sequence[Array],
    ) -> tuple[int, Array]:
        """Returns earlier tokens and padding, from the positions of the last tokens."""
        held = used[0] + (1 if self.appends[0].is_full else 0)
        if not positions:
            return held, np.zeros(self.graph.batch, np.int64)
        held = max(held, int(positions[0][:, -1].max()) + 1 - tokens)
        starts = self._count_padding(held, positions)
        before = _PADDING.get(buffers[0])
        if before is not None:
            # All rows may have had padding.
            more = max(0, int((before - starts).min()))
            held, starts = held + more, starts + more
        return held, starts

    def _read_rows(self, rows: Sequence[Array], tokens: int) -> int:
        """Returns the tokens that caches hold, if new ones are written right behind them."""
        held = int(rows[0][0])
        for each in rows:
            if not np.array_equal(each, held + np.arange(tokens)):
                raise Error(
                    "caches: expected new keys right behind those that are there, in all "
                    f"layers, got {each.tolist()} and {rows[0].tolist()}"
                )
        return held

    def run_by_pytorch(self, call: Call, eager: Callable[..., Any]) -> Eager:
        """Runs a call by PyTorch on copies of the tensors that it changes."""
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
        """Returns how a result or keys differ from PyTorch's by more than rounding, or None."""
        begin, end = call.held, call.held + call.tokens
        real = torch.from_numpy(np.arange(begin, end) >= call.starts[:, None])
        kept = real[:, torch.from_numpy(call.rows)]
        other = wanted.results[self.results.index(LOGITS)]
        pairs: list[tuple[Any, ...]] = [("the result", logits[kept], other[kept])]
        for append, *both in zip(self.appends, buffers, wanted.buffers, strict=True):
            last = end if append.rows is not None else both[1].shape[KEYS]
            count = min(call.tokens, last)
            shown = real[:, call.tokens - count :]
            new = [b[:, :, last - count : last].transpose(1, 2)[shown] for b in both]
            pairs.append((f"'{self.get_name(append)}'", *new))
        for name, one, two in pairs:
            far = float((one.double() - two.double()).norm())
            limit = _FAR[two.dtype] * float(two.double().norm())
            if not far <= limit:
                return f"{name} is not what PyTorch computes, {far:.1e} from it"
        return None

    def get_result(self, result: Any, call: Call, logits: Any, buffers: Sequence[Any]) -> Any:
        """Returns one of `results`."""
        if isinstance(result, Node):
            return call.values[result]
        if isinstance(result, Fixed):
            return result.value
        return logits if result is LOGITS else buffers[result]


@dataclasses.dataclass(frozen=True)
class _Seen:
    """The values that determine which keys an attention sees."""

    masks: tuple[Mask, ...]
    is_causal: bool
    window: int | None
    #: One of those with as many keys.
    keys: Append


def _find_seen(attentions: Iterable[Attention]) -> list[_Seen]:
    """Returns the distinct ones of several layers."""
    found: dict[Any, _Seen] = {}
    for each in attentions:
        masks, keys = tuple(each.masks), each.keys
        own = (masks, each.is_causal, each.window, keys.rows is None)
        seen = _Seen(masks, each.is_causal, each.window, keys)
        found.setdefault((*own, str(keys.joined.meta["val"].shape[KEYS])), seen)
    return list(found.values())


def _count_used(append: Append, buffer: torch.Tensor) -> int:
    """Returns the number of rows of a buffer that are joined to new ones."""
    if append.cache is None or append.rows is not None:
        return 0
    if not append.is_rolled:
        return int(buffer.shape[KEYS])
    return get_sizes(append.joined)[KEYS] - get_sizes(append.new)[KEYS]


def _unite(items: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(items))


def _read_mask(mask: Mask, value: torch.Tensor, shape: tuple[int, int]) -> Array:
    """Returns which keys a mask shows to a query, [rows, tokens, keys]."""
    hides = mask.hides
    if mask.rows is not None:
        hidden = is_hidden(split_heads(mask, value))
        value, hides = hidden.any(1, keepdim=True), True
        if bool((hidden != value).any()):
            raise Error("caches: expected a mask that hides keys of all heads")
    elif value.dtype != torch.bool:
        hidden = is_hidden(value)
        if not bool((hidden | (value == 0)).all()):
            raise Error("caches: expected a mask that hides keys, got one that weighs them")
        value, hides = hidden, True
    allowed: Array = (~value if hides else value)[:, 0].expand(-1, *shape).numpy()
    return allowed


def _check_positions(positions: Array, tokens: int, held: int, starts: Array) -> None:
    expected = held + np.arange(tokens) - starts[:, None]
    given = np.broadcast_to(positions.reshape(-1, tokens), expected.shape)
    if ((given != expected) & (expected >= 0)).any():
        raise Error("caches: expected positions that count the real tokens of a row")
