# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model's forward and backward pass as two programs of a device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch

from parablock.compiled import GivenWeights
from parablock.device_memory import OpenDevice
from parablock.device_program import DeviceProgram
from parablock.dtypes import DTYPES
from parablock.errors import Error
from parablock.target import Target
from parablock.training.backward import Segment
from parablock.training.memory import MemoryReport
from parablock.training.steps import Step, StepChoices, add_step, fit_step

if TYPE_CHECKING:
    from parablock._core import Module, Signature


class DeviceFunction:
    """A function on a device that is given its parameters with every call.

    Arguments are in the CPU's memory, or all in the device's, and results are there, too.
    """

    def __init__(self, module: Module, signature: Signature, target: Target) -> None:
        device = OpenDevice(target.device)
        self._infos = signature.parameters
        try:
            self.program = DeviceProgram(module, signature, device, target, None)
        except Error as problem:
            raise type(problem)(
                f"a step on '{target}': {problem}; target 'cpu' runs such a step"
            ) from problem

    def run_with_parameters(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Returns results by name, where the arguments are."""
        given = {name: tensor.detach() for name, tensor in given.items()}
        weights = GivenWeights(self._infos, lambda info: given[info.name], lambda: None)
        inputs = {port.name: given[port.name] for port in self.program.inputs}
        return self.program.run_with_weights(inputs, weights)


class DeviceStep(Step):
    """A step for a device, whose tensors and parameters are its own, or all the CPU's.

    Backward is one segment.
    """

    def __init__(
        self, module: Module, wanted: Sequence[str], choices: StepChoices, target: Target
    ) -> None:
        model = module.get_signature()
        step = module.clone()
        add_step(step, wanted, choices)
        step = fit_step(step, model, None, target)
        report = step.report("")
        step.run_passes("block-split-step")
        (forward, first), (backward, last) = (
            _take_out(step, f"{model.function}_{half}") for half in ("forward", "backward")
        )
        super().__init__(model, wanted, report, (first, last))
        self.forward = DeviceFunction(forward, first, target)
        self.backward = DeviceFunction(backward, last, target)
        names = tuple(info.name.removeprefix("grad.") for info in last.outputs)
        self.segments = [Segment(0, names, names, tuple(self.kept))]

    def run_forward(self, given: Mapping[str, Any]) -> dict[str, Any]:
        place = next(iter(given.values())).device
        idle = {name: tensor.to(place) for name, tensor in self._make_idle().items()}
        return self.forward.run_with_parameters({**given, **idle})

    def begin_backward(self, kept: Mapping[str, Any], adjoints: Mapping[str, Any]) -> DeviceRun:
        given = {f"grad.{name}": value for name, value in adjoints.items()}
        return DeviceRun(self.backward, {**kept, **given})

    def report_memory(self) -> MemoryReport:
        raise Error("memory() requires target 'cpu', got a step of a device")

    def forget_peak(self) -> None:
        """Memory of a device is not counted."""


class DeviceRun:
    """One run of backward."""

    def __init__(self, backward: DeviceFunction, given: Mapping[str, torch.Tensor]) -> None:
        self._backward, self._given = backward, given
        self.done = 0

    def allocate(self, shape: Sequence[int], kind: str) -> torch.Tensor:
        place = next(iter(self._given.values())).device
        return torch.empty(tuple(shape), dtype=DTYPES[kind], device=place)

    def proceed(self) -> dict[str, torch.Tensor]:
        made = self._backward.run_with_parameters(self._given)
        self.done += 1
        return {name.removeprefix("grad."): tensor for name, tensor in made.items()}


def _take_out(step: Module, function: str) -> tuple[Module, Signature]:
    """Returns a module of one function."""
    module = step.clone()
    module.run_passes(f"symbol-privatize{{exclude={function}}},symbol-dce")
    return module, module.get_signature(function)
