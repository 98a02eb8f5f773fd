# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch modules that take keys and values of earlier calls and return more."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.utils import _pytree as pytree

from parablock.decoding.caches import list_buffers
from parablock.decoding.call_control import (
    Call,
    CallControl,
    Eager,
    check_padding,
    note_padding,
)
from parablock.decoding.lent_rows import lend_rows, take_rows
from parablock.errors import Error
from parablock.frontend.cached_graph import CachedGraph
from parablock.frontend.imported import Imported
from parablock.frontend.placeholders import list_input_names
from parablock.frontend.signature import TorchCalling
from parablock.frontend.whole_sequence import WholeSequence, write_whole_sequence


def read_cached(program: ExportedProgram) -> tuple[CachedGraph, WholeSequence]:
    """Returns the module for whole sequences; an error has the reason why it cannot."""
    graph = CachedGraph(program, list_input_names(program), (), ())
    examples = program.example_inputs
    args = None if examples is None else pytree.tree_leaves(examples)
    return graph, write_whole_sequence(graph, {}, args)


class CachedCalling(TorchCalling):
    """The calling convention of a module with caches, for a function of blocks that has some.

    Caches [rows, heads, tokens, size] are the function's [rows, tokens, width]. Results of
    the module are new memory; buffers that it changes in place are changed.
    """

    def __init__(
        self, program: ExportedProgram, graph: CachedGraph, whole: WholeSequence, inputs: Any
    ) -> None:
        super().__init__(program, Imported("", {}, {}, [], []))
        self._control = CallControl(graph, whole, list_buffers(inputs))
        self._changed = [append.cache in graph.changed for append in graph.kept]
        self._program: ExportedProgram | None = program
        #: The call that a thread is in, and what PyTorch makes of it if it is the first.
        self._calls = threading.local()

    def flatten(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        flat = self._flatten(args, kwargs)
        self._guards.check(flat)
        call = self._control.read(flat)
        check_padding(call)
        self._calls.call, self._calls.wanted = call, self._run_first(call)
        given = {
            "input_ids": call.ids,
            "past_lengths": torch.full((len(call.starts),), call.held),
            "starts": torch.from_numpy(call.starts),
            "logits_to_keep": torch.from_numpy(call.rows),
        }
        control = self._control
        for number, (info, append) in enumerate(
            zip(control.infos, control.appends, strict=True)
        ):
            given[info.taken] = lend_rows(call, number, append)
        return given

    @torch.no_grad()
    def _run_first(self, call: Call) -> Eager | None:
        """Runs the first call by PyTorch, for a comparison."""
        if self._program is None:
            return None
        module: Any = self._program.module()
        spec = self._in_spec

        def run(*flat: Any) -> Any:
            args, kwargs = pytree.tree_unflatten(flat, spec)
            return module(*args, **kwargs)

        return self._control.run_by_pytorch(call, run)

    def bind_data(
        self, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> dict[str, Any]:
        if not args:
            raise Error("caches: expected the module's inputs in order")
        return self.flatten(args, {})

    def unflatten(self, outputs: Mapping[str, Any]) -> Any:
        control, call = self._control, self._calls.call
        buffers = [
            take_rows(call, number, append, outputs[info.given])
            for number, (info, append) in enumerate(
                zip(control.infos, control.appends, strict=True)
            )
        ]
        if (wanted := self._calls.wanted) is not None:
            problem = control.find_difference(call, outputs["logits"], buffers, wanted)
            if problem is not None:
                raise Error(f"caches: {problem}")
            self._program = None
        note_padding(call, buffers)
        for old, new, changed in zip(call.buffers, buffers, self._changed, strict=True):
            if changed:
                old.copy_(new)
                note_padding(call, [old])
        for number, node in control.changes.items():
            call.args[number].copy_(call.values[node])
        results = [
            control.get_result(result, call, outputs["logits"], buffers)
            for result in control.results
        ]
        return self._unflatten(results)
