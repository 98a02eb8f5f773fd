# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that run."""

from __future__ import annotations

import functools
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.calling import Calling
from parablock.copying import NotCopied
from parablock.device_program import DeviceProgram
from parablock.dlpack import find_device
from parablock.errors import Error
from parablock.tensors import (
    allocate,
    bring_to_host,
    get_dense,
    get_type,
    is_torch,
    refuse_gradient,
    refuse_traces,
    wrap_all,
)

if TYPE_CHECKING:
    from parablock._core import Program, Signature, Tensor, TensorInfo
    from parablock.rewriting import WeightSource
    from parablock.weight_watch import WeightWatch


#: A text that is another one wherever a weight is; none where that is not known.
Identification = Callable[[], str | None]


class CompiledFunction:
    """A function of tensors by name, for an engine."""

    def __init__(
        self,
        program: Program,
        signature: Signature,
        shapes: Program | None = None,
        allocate_result: Callable[[TensorInfo, Sequence[int]], Any] | None = None,
        parameters: Sequence[Tensor] = (),
    ) -> None:
        """`parameters` are already in the program."""
        self.program = program
        #: Program that computes the shapes of results before a run.
        self._shapes = shapes or program
        self.signature = signature
        #: Allocates results; without it they are NumPy arrays or tensors, as inputs are.
        self._allocate_result = allocate_result
        # The program reads this memory as long as it runs.
        self._parameters = parameters
        self._lock = threading.Lock()

    def set_parameters(self, arrays: Sequence[Any]) -> None:
        """Packs the parameters, in the order of the signature."""
        parameters = wrap_all(map(bring_to_host, arrays), self.signature.parameters)
        self.program.set_parameters(parameters)
        self._parameters = parameters

    def run(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Returns results by name for checked inputs."""
        infos = self.signature.inputs
        torch_wanted = any(is_torch(given[info.name]) for info in infos)
        inputs = wrap_all((given[info.name] for info in infos), infos)
        shapes = find_shapes(self._shapes, self.signature, inputs)
        make = self._allocate_result or (
            lambda info, shape: allocate(shape, info.type, torch_wanted=torch_wanted)
        )
        results = {
            info.name: make(info, shape)
            for info, shape in zip(self.signature.outputs, shapes, strict=True)
        }
        self.program.run(inputs, wrap_all(results.values(), self.signature.outputs))
        return results

    def run_with_parameters(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Runs with the given parameters, which may have changed."""
        with self._lock:
            if infos := self.signature.parameters:
                self.set_parameters([given[info.name] for info in infos])
            return self.run(given)

    def report(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self.program.report())
        return report


class GivenWeights:
    """Parameters that are known at compile time, so they are packed meanwhile.

    Packed ones that were kept are known by what `identify` says of them, and kept where
    the environment or an argument wants it (docs/design/Cpu.md).
    """

    def __init__(
        self, infos: Sequence[TensorInfo], source: WeightSource, identify: Identification
    ) -> None:
        self._infos = tuple(infos)
        #: Returns the weights, one after the other.
        self.source = source
        self._identify = identify
        self.identity = identify()

    @functools.cached_property
    def parameters(self) -> list[Tensor]:
        """All weights' own memory, for programs of the CPU."""
        arrays = (bring_to_host(self.source(info)) for info in self._infos)
        return wrap_all(arrays, self._infos)

    def keep(self, program: Program) -> None:
        """Keeps the packed weights, unless the weights have changed meanwhile."""
        if self.identity and self._identify() == self.identity:
            program.keep_parameters(self.identity)


def pack_parameters(program: Program | DeviceProgram, weights: GivenWeights) -> None:
    """Loads kept packed weights, or packs these and keeps them."""
    if isinstance(program, DeviceProgram):
        program.set_weights(weights)
        return
    identity = weights.identity
    if identity is not None and program.find_parameters(weights.parameters, identity):
        return
    program.set_parameters(weights.parameters)
    weights.keep(program)


def find_shapes(
    program: Program, signature: Signature, inputs: Sequence[Tensor]
) -> list[list[int]]:
    """Returns the shapes of the results of a call with these inputs."""
    return [
        program.get_output_shape(inputs, number, len(info.shape))
        if -1 in info.shape
        else info.shape
        for number, info in enumerate(signature.outputs)
    ]


class CompiledModel(NotCopied):
    """A function of arrays. Weights and inputs are used where they lie.

    Results are what the inputs are: tensors of PyTorch if one of them is, arrays
    of NumPy otherwise. Weights of a module that have changed are packed again.

        logits = model.compile()(input_ids)["logits"]
    """

    #: torch.jit.trace reads this name before it calls the model, which then rejects the call.
    __name__ = "parablock_compiled_model"

    def __init__(
        self,
        function: CompiledFunction,
        list_weights: Callable[[], Sequence[Any]],
        calling: Calling,
        watch: WeightWatch | None = None,
    ) -> None:
        """The function has the weights already."""
        self._function = function
        self._list_weights = list_weights
        self._calling = calling
        self._watch = watch

    def refresh(self) -> None:
        """Packs the current weights; a call does so if it detects a change."""
        self._function.set_parameters(self._list_weights())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        refuse_traces()
        if self._watch is not None:
            self._watch.refresh_where_changed(self.refresh)
        given = self._calling.flatten(args, kwargs)
        for info in self._function.signature.inputs:
            if info.name in given:
                refuse_gradient(info.name, given[info.name])
        inputs = check_inputs(given, self._function.signature.inputs)
        return self._calling.unflatten(self._function.run(inputs))

    def run_report(self) -> dict[str, Any]:
        """Returns the report of the latest call: engine, kernels, times, memory."""
        return self._function.report()


def check_inputs(
    given: Mapping[str, Any],
    infos: Sequence[TensorInfo],
    way_out: str = "move it to the CPU, or compile for its chip",
    place: str = "cpu",
) -> dict[str, Any]:
    """Returns the inputs by name; an error names the wrong one.

    `way_out` is that of arrays that are not in the memory of `place`.
    """
    return {info.name: _check(given, info, way_out, place) for info in infos}


def _check(given: Mapping[str, Any], info: TensorInfo, way_out: str, place: str) -> Any:
    if info.name not in given or given[info.name] is None:
        raise Error(f"expected the input '{info.name}', got none")
    array = given[info.name]
    if (device := _find_device(array) or "cpu") != place:
        wanted, found = ("the CPU" if each == "cpu" else each for each in (place, device))
        raise Error(f"input '{info.name}': expected memory of {wanted}, got {found}: {way_out}")
    array = get_dense(info.name, array)
    kind = get_type(array)
    if kind != info.type:
        raise Error(f"input '{info.name}': expected {info.type}, got {kind}")
    _check_shape(list(array.shape), info)
    return array


def _check_shape(shape: list[int], info: TensorInfo) -> None:
    fits = len(shape) == len(info.shape) and all(
        wanted in (-1, size) for size, wanted in zip(shape, info.shape, strict=True)
    )
    if not fits:
        wanted = [
            name or size for name, size in zip(info.dims, info.shape, strict=True)
        ]
        raise Error(f"input '{info.name}': expected shape {wanted}, got {shape}")
    if 0 in shape:
        raise Error(f"input '{info.name}': expected sizes from 1, got {shape}")


def _find_device(array: Any) -> str | None:
    """Returns the device of an array that is not in the CPU's memory."""
    if not is_torch(array):
        return find_device(array)
    return None if array.device.type == "cpu" else str(array.device)
