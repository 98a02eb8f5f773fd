# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of graphs with caches, whose buffers are written in place."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch.export import ExportedProgram
from torch.utils import _pytree as pytree

from parablock.backend.placement import list_devices
from parablock.decoding.caches import BufferInfo, Caches
from parablock.decoding.call_control import (
    LOGITS,
    Call,
    CallControl,
    check_padding,
    note_padding,
)
from parablock.decoding.decoder import Decoder, read_target
from parablock.decoding.lent_rows import lend_rows, take_rows
from parablock.decoding.spaces import Space
from parablock.dtypes import DTYPES
from parablock.errors import Error
from parablock.frontend.cached_graph import CachedGraph
from parablock.frontend.imported import Choices
from parablock.frontend.programs import read_program
from parablock.frontend.whole_sequence import write_whole_sequence
from parablock.model import ModelValue
from parablock.statistics import STATISTICS
from parablock.weight_watch import TensorState

Array = np.ndarray[Any, Any]

class BorrowedCaches(Caches):
    """Rows of a caller that a decoder writes; their capacity is fixed."""

    def __init__(
        self,
        infos: Sequence[BufferInfo],
        rows: Sequence[torch.Tensor],
        held: int,
        space: Space,
    ) -> None:
        super().__init__(infos, space=space)
        self.rows = rows
        self.held = held

    def reserve(self, batch: int, tokens: int) -> None:
        """Does nothing, because the capacity was checked before."""

    def split(self, tokens: int) -> list[int]:
        return [tokens]

    def describe(self, starts: Array) -> dict[str, Any]:
        held, describe = np.full(len(starts), self.held, np.int64), self._space.describe
        tensors = {"past_lengths": describe(held, "i64"), "starts": describe(starts, "i64")}
        for info, rows in zip(self.infos, self.rows, strict=True):
            tensors[info.taken] = tensors[info.given] = describe(rows, info.kind)
        return tensors


class CachedCall:
    """Runs a graph with caches by a decoder of the same model."""

    def __init__(
        self,
        control: CallControl,
        decoder: Decoder,
        eager: Callable[..., Any],
        out_spec: pytree.TreeSpec,
    ) -> None:
        self._control = control
        self._decoder = decoder
        self._eager = eager
        self._out_spec = out_spec
        graph = control.graph
        inputs = {a.cache for a in graph.kept if a.in_place and a.cache in graph.names}
        if inputs != graph.changed:
            raise Error("caches: expected buffers that change in place")
        #: Numbers of the buffers that are written where they lie.
        self._in_place = [n for n, a in enumerate(control.appends) if a.rows is not None]
        self._is_known = False
        self._reason: str | None = None

    def __call__(self, *args: Any) -> Any:
        if self._reason is not None:
            raise Error(self._reason)
        call = self._control.read(args)
        check_padding(call)
        for number in self._in_place:
            _check_memory(call.buffers[number])
        return self._run(call)[0] if self._is_known else self._compare(call)

    def _run(self, call: Call) -> tuple[Any, list[torch.Tensor]]:
        """Returns the result, and keys and values in the graph's form."""
        control, decoder = self._control, self._decoder
        for number in self._in_place:
            _turn(call.buffers[number])
        appends = [*enumerate(control.appends)]
        rows = [lend_rows(call, number, append) for number, append in appends]
        caches = BorrowedCaches(decoder.buffers, rows, call.held, decoder.space)
        shape = (len(call.starts), len(call.rows), decoder.vocabulary)
        logits = torch.empty(shape, dtype=DTYPES[decoder.kind])
        decoder.run(call.ids.to(torch.int64), caches, call.starts, call.rows, logits)
        given = [self._give(call, number, rows[number]) for number, _ in appends]
        note_padding(call, given)
        for number, node in control.changes.items():
            call.args[number].copy_(call.values[node])
        results = [control.get_result(r, call, logits, given) for r in control.results]
        return pytree.tree_unflatten(results, self._out_spec), given

    def _give(self, call: Call, number: int, rows: torch.Tensor) -> torch.Tensor:
        """Returns the caller's buffer, or the new rows, after the call."""
        append, buffer = self._control.appends[number], call.buffers[number]
        if append.rows is not None:
            return buffer
        taken = take_rows(call, number, append, rows)
        return buffer.copy_(taken) if append.is_rolled else taken

    # The first call ------------------------------------------------------------------

    def _compare(self, call: Call) -> Any:
        """Compares a call with PyTorch's; PyTorch runs all calls if they differ."""
        control = self._control
        wanted = control.run_by_pytorch(call, self._eager)
        result, given = self._run(call)
        self._is_known = True
        logits = pytree.tree_leaves(result)[control.results.index(LOGITS)]
        problem = control.find_difference(call, logits, given, wanted)
        if problem is None:
            return result
        self._reason = f"caches: {problem}"
        STATISTICS.fallbacks[self._reason] += 1
        for number in control.changes:
            call.args[number].copy_(wanted.args[number])
        kept = [append.in_place for append in control.appends]
        for buffer, other, is_own in zip(call.buffers, wanted.buffers, kept, strict=True):
            if is_own:
                buffer.copy_(other)
        leaves = [
            call.buffers[result] if isinstance(result, int) and kept[result] else leaf
            for result, leaf in zip(control.results, wanted.results, strict=True)
        ]
        return pytree.tree_unflatten(leaves, self._out_spec)


def _check_memory(buffer: torch.Tensor) -> None:
    """Rejects a buffer whose memory another tensor shares."""
    if _is_turned(buffer):
        return
    whole = buffer.numel() * buffer.element_size()
    if buffer._base is not None or buffer.untyped_storage().nbytes() != whole:
        raise Error("caches: expected buffers of their own, got a part of another tensor")


def _is_turned(buffer: torch.Tensor) -> bool:
    return buffer.transpose(1, 2).is_contiguous()


def _turn(buffer: torch.Tensor) -> None:
    """Reorders a buffer in place so that the keys of a token are adjacent."""
    if not _is_turned(buffer):
        turned = buffer.detach().transpose(1, 2).contiguous()
        buffer.data = turned.transpose(1, 2)


#: Decoders of models that are the same, for graphs of other numbers of tokens.
_DECODERS: weakref.WeakValueDictionary[Any, Decoder] = weakref.WeakValueDictionary()


def compile_cached(
    program: ExportedProgram,
    choices: Choices,
    args: Sequence[Any],
    eager: torch.fx.GraphModule,
    target: str = "cpu",
) -> CachedCall:
    """Compiles a graph with caches; an error has the reason why it cannot.

    `args` are those of its first call, and `eager` is the graph by PyTorch, which that is
    held against.
    """
    if any(device.type != "cpu" for device in list_devices(args)):
        raise Error(
            "caches: expected memory of the CPU, got a GPU's: parablock.generation has "
            "caches there"
        )
    names = [str(node.target) for node in eager.graph.nodes if node.op == "placeholder"]
    graph = CachedGraph(program, names, choices.weights, choices.constants)
    whole = write_whole_sequence(graph, {**choices.weights, **choices.constants}, args)
    model = ModelValue(*read_program(whole.program, whole.choices), "graph")
    if left := model.list_left(beside_blocks=False):
        raise Error(f"not recognised: {left[0]}")
    decoder = _find_decoder(model, graph.batch, target)
    control = CallControl(graph, whole, decoder.buffers)
    call = CachedCall(control, decoder, eager, program.call_spec.out_spec)
    STATISTICS.recognised.update(model.explain().to_dict()["recognised"])
    STATISTICS.recognised["cache"] += len(graph.kept)
    STATISTICS.eager_operations += control.operations
    return call


def _find_decoder(model: ModelValue, batch: int, target: str) -> Decoder:
    """Returns the decoder of a model, which has one set of packed weights."""
    infos, weights = model.list_weights()
    state = [
        (info.name, TensorState(weight).key)
        for info, weight in zip(infos, weights, strict=True)
    ]
    key = (str(model), batch, target, tuple(state))
    decoder = _DECODERS.get(key)
    if decoder is None:
        decoder = Decoder(model, read_target(target, 0), rows=batch)
        _DECODERS[key] = decoder
    return decoder
