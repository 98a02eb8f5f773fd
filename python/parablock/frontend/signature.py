# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls as the module itself takes them, and its own result structure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from torch.export import ExportedProgram
from torch.utils import _pytree as pytree

from parablock.errors import Error
from parablock.frontend.imported import Imported
from parablock.frontend.padding import PaddingMask


class TorchCalling:
    """The calling convention of an exported program."""

    def __init__(
        self, program: ExportedProgram, imported: Imported, masks: Sequence[PaddingMask]
    ) -> None:
        self._in_spec = program.call_spec.in_spec
        self._out_spec = program.call_spec.out_spec
        self._imported = imported
        self._masks = list(masks)

    def flatten(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        flat, spec = pytree.tree_flatten((tuple(args), dict(kwargs)))
        if spec != self._in_spec:
            flat, spec = self._reorder(args, kwargs)
        if spec != self._in_spec:
            raise Error(
                "expected arguments as in the example inputs: "
                f"{self._in_spec}, got {spec}"
            )
        inputs = {name: flat[i] for name, i in self._imported.inputs.items()}
        for mask in self._masks:
            inputs[mask.name] = mask.measure(flat[mask.position])
        for name, padding in self._imported.absent.items():
            self._check_absent(name, inputs, padding)
        return inputs

    def _check_absent(
        self, name: str, inputs: Mapping[str, Any], padding: set[int]
    ) -> None:
        """Real tokens are none of padding, or they would not have positions."""
        ids = np.asarray(inputs[name])
        real = np.ones(ids.shape, bool)
        if self._masks:
            lengths = np.asarray(inputs[self._masks[0].name])
            real = np.arange(ids.shape[1]) < lengths[:, None]
        if bool((np.isin(ids, list(padding)) & real).any()):
            raise Error(
                f"input '{name}': expected no padding ({sorted(padding)}) among real "
                "tokens: import the model with an attention_mask"
            )

    def _reorder(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Keywords in the order of the example inputs."""
        wanted = self._in_spec.child(1).context
        if set(wanted) != set(kwargs):
            return pytree.tree_flatten((tuple(args), dict(kwargs)))
        ordered = {name: kwargs[name] for name in wanted}
        return pytree.tree_flatten((tuple(args), ordered))

    def unflatten(self, outputs: Mapping[str, Any]) -> Any:
        flat = [
            outputs[output] if isinstance(output, str) else output
            for output in self._imported.outputs
        ]
        return pytree.tree_unflatten(flat, self._out_spec)
