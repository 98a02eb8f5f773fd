# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Backward half of a step, which runs layer by layer."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from parablock.compiled import find_shapes
from parablock.errors import Error
from parablock.native import get_core_module
from parablock.tensors import wrap

if TYPE_CHECKING:
    import torch

    from parablock._core import Program, Signature

_PREFIX = "grad."


@dataclasses.dataclass(frozen=True)
class Segment:
    """A part of backward that ends with a layer."""

    #: Launches of kernels.
    launches: int
    #: Gradients that it is the first segment to write, by the names of their arguments.
    begun: tuple[str, ...]
    #: Arguments whose gradients are final after it, and that no later segment reads.
    released: tuple[str, ...]
    #: Given values that it is the last segment to read.
    left: tuple[str, ...]


class Run(Protocol):
    """One run of backward, which goes on segment by segment."""

    #: The number of segments that have run.
    done: int

    def allocate(self, shape: Sequence[int], kind: str, /) -> torch.Tensor:
        """Returns memory for a gradient of a shape and an element type."""
        ...

    def proceed(self) -> dict[str, torch.Tensor]:
        """Runs the next segment, and returns the gradients that are final after it."""
        ...


class Backward:
    """A function of tensors by name that returns gradients, segment by segment."""

    def __init__(
        self,
        program: Program,
        signature: Signature,
        allocate: Callable[[Sequence[int], str], torch.Tensor],
    ) -> None:
        self.program = program
        self.signature = signature
        #: Memory for a gradient of a shape and an element type.
        self.allocate = allocate
        self.segments = read_segments(program)

    def begin(self, given: Mapping[str, torch.Tensor]) -> BackwardRun:
        """Begins a run."""
        return BackwardRun(self, given)

    def report(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self.program.report())
        return report


class BackwardRun:
    """One run, which may stop at any segment. One thread at a time may use it."""

    def __init__(self, backward: Backward, given: Mapping[str, torch.Tensor]) -> None:
        signature = backward.signature
        program = backward.program
        self._segments = backward.segments
        #: Memory for a gradient of a shape and an element type.
        self.allocate = backward.allocate
        self._given = {
            info.name: given[info.name]
            for info in (*signature.inputs, *signature.parameters)
        }
        self._versions = {
            name: tensor._version
            for name, tensor in self._given.items()
            if not tensor.is_inference()
        }
        inputs, parameters = (
            {info.name: wrap(given[info.name], info.type) for info in infos}
            for infos in (signature.inputs, signature.parameters)
        )
        #: The memory that is read, as long as it is.
        self._memory = {**inputs, **parameters}
        shapes = find_shapes(program, signature, list(inputs.values()))
        self._types = {
            info.name.removeprefix(_PREFIX): (shape, info.type)
            for info, shape in zip(signature.outputs, shapes, strict=True)
        }
        #: Gradients that are written, as long as they are not released.
        self._made: dict[str, Any] = {}
        self._run = get_core_module().Run(
            program, list(inputs.values()), list(parameters.values())
        )
        #: The number of segments that have run.
        self.done = 0

    def proceed(self) -> dict[str, torch.Tensor]:
        """Runs the next segment, and returns the gradients that are final after it."""
        self._check_versions()
        segment = self._segments[self.done]
        for name in segment.begun:
            shape, kind = self._types[name]
            self._made[name] = self.allocate(shape, kind)
        self._run.proceed([wrap(self._made[n], self._types[n][1]) for n in segment.begun])
        self.done += 1
        for name in segment.left:
            del self._memory[name], self._given[name]
        return {name: self._made.pop(name) for name in segment.released}

    def _check_versions(self) -> None:
        """Rejects in-place changes of tensors that later segments read."""
        for name, tensor in self._given.items():
            if name in self._versions and tensor._version != self._versions[name]:
                raise Error(
                    f"'{name}' was changed in place during backward, which still reads it"
                )


def read_segments(program: Program) -> list[Segment]:
    """Returns the parts of a program of the backward half, in order."""
    found: list[dict[str, Any]] = json.loads(program.list_segments())
    last = {name: i for i, segment in enumerate(found) for name in segment["leaves"]}
    released: list[list[str]] = [[] for _ in found]
    for number, segment in enumerate(found):
        for output in segment["finishes"]:
            name = output.removeprefix(_PREFIX)
            released[max(number, last.get(name, 0))].append(name)
    return [
        Segment(
            segment["launches"],
            tuple(output.removeprefix(_PREFIX) for output in segment["begins"]),
            tuple(names),
            tuple(segment["leaves"]),
        )
        for segment, names in zip(found, released, strict=True)
    ]
