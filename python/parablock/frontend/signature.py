# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls as the module itself takes them, and its own result structure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.utils import _pytree as pytree

from parablock.errors import Error
from parablock.frontend.guards import InputGuards
from parablock.frontend.imported import Imported
from parablock.frontend.padding import PaddingMask


class TorchCalling:
    """The calling convention of an exported program."""

    def __init__(
        self,
        program: ExportedProgram,
        imported: Imported,
        masks: Sequence[PaddingMask],
        known: Collection[int] = (),
    ) -> None:
        self._in_spec = program.call_spec.in_spec
        self._out_spec = program.call_spec.out_spec
        self._imported = imported
        self._masks = list(masks)
        self._guards = InputGuards(program, known)

    def flatten(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        flat, spec = pytree.tree_flatten((tuple(args), dict(kwargs)))
        if spec != self._in_spec:
            flat, spec = self._reorder(args, kwargs)
        if spec != self._in_spec:
            raise Error(
                "expected arguments as in the example inputs: "
                f"{self._in_spec}, got {spec}"
            )
        self._guards.check(flat)
        inputs = {name: flat[i] for name, i in self._imported.inputs.items()}
        for mask in self._masks:
            inputs[mask.name] = mask.measure(flat[mask.position])
        return inputs

    def _reorder(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Keywords in the order of the example inputs."""
        wanted = self._in_spec.child(1).context
        if set(wanted) != set(kwargs):
            return pytree.tree_flatten((tuple(args), dict(kwargs)))
        ordered = {name: kwargs[name] for name in wanted}
        return pytree.tree_flatten((tuple(args), ordered))

    def unflatten(self, outputs: Mapping[str, Any]) -> Any:
        flat = [_get_result(output, outputs) for output in self._imported.outputs]
        return pytree.tree_unflatten(flat, self._out_spec)


def _get_result(output: Any, outputs: Mapping[str, Any]) -> Any:
    """An output by its name, or a constant, of which every call has its own."""
    if isinstance(output, str):
        return outputs[output]
    return output.clone() if isinstance(output, torch.Tensor) else output
