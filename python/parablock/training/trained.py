# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that PyTorch trains."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from parablock.calling import SEED, Calling
from parablock.compiled import CompiledFunction, check_inputs
from parablock.copying import NotCopied
from parablock.dtypes import KEYWORDS
from parablock.errors import Error
from parablock.interrupts import call_interruptibly
from parablock.progress import show_progress
from parablock.target import Target
from parablock.tensors import from_stored, refuse_traces
from parablock.training.device_steps import DeviceFunction, DeviceStep
from parablock.training.dropout import refuse_dropout
from parablock.training.function import run_step
from parablock.training.memory import MemoryReport
from parablock.training.steps import FLOATS, HostStep, Step, StepChoices, make_forward
from parablock.training.stops import refuse_stops
from parablock.weight_watch import ModuleWeights

if TYPE_CHECKING:
    from parablock._core import Module, Signature, TensorInfo
    from parablock.rewriting import WeightSource


class TrainingStep:
    """Forward and backward of a model, compiled for the requested gradients."""

    def __init__(self, module: Module, choices: StepChoices, target: Target) -> None:
        self._module = module
        self._choices = choices
        self._target = target
        self.signature = module.get_signature()
        self._steps: dict[tuple[str, ...], Step] = {}
        self._alone: CompiledFunction | DeviceFunction | None = None
        self._served: TrainingStep | None = None
        self._lock = threading.RLock()

    @property
    def drops(self) -> bool:
        """Whether elements are dropped at random."""
        return any(info.name == SEED for info in self.signature.inputs)

    def serve(self) -> TrainingStep:
        """Returns the step without dropout, for evaluation."""
        with self._lock:
            if self._served is None:
                module = self._module.clone()
                module.run_passes("func.func(block-remove-dropout)")
                self._served = TrainingStep(module, self._choices, self._target)
            return self._served

    def run(self, given: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """Results by name of inputs and parameters by name."""
        wanted = self._find_wanted(given)
        if not wanted or not torch.is_grad_enabled():
            return self._get_forward().run_with_parameters(given)
        return run_step(self._get_step(wanted), given)

    def collect(
        self, given: Mapping[str, Any], parameters: Mapping[str, torch.Tensor]
    ) -> dict[str, torch.Tensor]:
        """Returns the tensors of a call by name, which lie where the parameters do."""
        place = self.find_place(parameters)
        given = dict(given)
        if self.drops:
            given[SEED] = torch.as_tensor(given[SEED]).to(place)
        way_out = "move it to the CPU" if place.type == "cpu" else "move it to the parameters"
        inputs = check_inputs(given, self.signature.inputs, way_out, str(place))
        return {**{n: torch.as_tensor(array) for n, array in inputs.items()}, **parameters}

    def find_place(self, parameters: Mapping[str, torch.Tensor]) -> torch.device:
        """Returns where the parameters are, all of them; rejects places without a step."""
        places = [torch.device("cpu")]
        if self._target.engine == "cuda":
            places.append(torch.device("cuda", self._target.device))
        first: torch.device | None = None
        for name, tensor in parameters.items():
            first = first or tensor.device
            if tensor.device not in places:
                wanted = " or of ".join("the CPU" if p.type == "cpu" else str(p) for p in places)
                raise Error(
                    f"parameter '{name}': a step on '{self._target}' requires memory of {wanted}, "
                    f"got {tensor.device}: move the module there"
                )
            if tensor.device != first:
                raise Error(
                    f"parameter '{name}': expected memory of {first}, as other parameters have, "
                    f"got {tensor.device}: move the module to one device"
                )
        return first or places[-1]

    def prepare(self, given: Mapping[str, torch.Tensor]) -> None:
        """Compiles the step for these tensors, some of those of a call."""
        if wanted := self._find_wanted(given):
            self._get_step(wanted)

    def count(self, given: Mapping[str, torch.Tensor]) -> dict[str, Any]:
        """Returns block-report's JSON of the step for these tensors."""
        report: dict[str, Any] = json.loads(self._get_wanted_step(given).report)
        return report

    def report_memory(self, given: Mapping[str, torch.Tensor]) -> MemoryReport:
        """Returns the memory of the step for these tensors."""
        return self._get_wanted_step(given).report_memory()

    def forget_peak(self) -> None:
        with self._lock:
            for step in self._steps.values():
                step.forget_peak()
            if self._served is not None:
                self._served.forget_peak()

    def list_released(self, given: Mapping[str, torch.Tensor]) -> list[list[str]]:
        """Returns the parameters of each segment of backward, in order."""
        wanted = self._find_wanted(given)
        segments = self._get_step(wanted).segments if wanted else []
        return [list(segment.released) for segment in segments]

    def _find_wanted(self, given: Mapping[str, torch.Tensor]) -> tuple[str, ...]:
        """Returns the arguments of the requested gradients, in the order of the signature."""
        return tuple(
            info.name
            for info in (*self.signature.inputs, *self.signature.parameters)
            if info.type in FLOATS and info.name in given and given[info.name].requires_grad
        )

    def _get_wanted_step(self, given: Mapping[str, torch.Tensor]) -> Step:
        wanted = self._find_wanted(given)
        if not wanted:
            raise Error("expected a parameter that requires grad, got none")
        return self._get_step(wanted)

    def _get_step(self, wanted: tuple[str, ...]) -> Step:
        with self._lock:
            if wanted not in self._steps:
                with show_progress("compiling a step of training"):
                    self._steps[wanted] = call_interruptibly(self._make_step, wanted)
            return self._steps[wanted]

    def _make_step(self, wanted: tuple[str, ...]) -> Step:
        if self._target.engine == "cuda":
            return DeviceStep(self._module, wanted, self._choices, self._target)
        return HostStep(self._module, wanted, self._choices, self._target)

    def _get_forward(self) -> CompiledFunction | DeviceFunction:
        with self._lock:
            if self._alone is None:
                self._alone = call_interruptibly(self._make_forward)
            return self._alone

    def _make_forward(self) -> CompiledFunction | DeviceFunction:
        if self._target.engine == "cuda":
            return DeviceFunction(self._module, self.signature, self._target)
        return make_forward(self._module, self._target)


class TrainedModel(NotCopied, torch.nn.Module):
    """A model whose results belong to autograd, and whose parameters are a module's.

        step = model.compile("cpu", training=True)
        loss_of(step(input_ids).logits).backward()
        optimizer.step()
    """

    _instead = "copy the module, and import that"

    def __init__(
        self,
        step: TrainingStep,
        weights: WeightSource,
        calling: Calling,
        module: torch.nn.Module | None = None,
        make_narrow: Callable[[], TrainingStep] | None = None,
        compute_type: str | None = None,
    ) -> None:
        super().__init__()
        self._step = step
        #: The same as autocast to bf16 has it, once that is wanted.
        self._narrow: TrainingStep | None = None
        self._make_narrow = make_narrow
        self._compute_type = compute_type
        self._calling = calling
        self._was_training = module is not None and module.training
        #: The first call looks for gradients that the module keeps back.
        self._is_watched = module is not None
        if module is None:
            module = _Parameters(weights, step.signature.parameters)
            weights = module.find
        #: Module that the model was imported from; it keeps the parameters.
        self.module = module
        self._weights = weights
        self._refuse_twins()
        self.training = module.training
        step.find_place(self._tensors)
        self._choose_step(compute_type).prepare(self._tensors)

    @property
    def _tensors(self) -> dict[str, torch.Tensor]:
        """The parameters by name, as the module has them now."""
        if isinstance(self._weights, ModuleWeights):
            self._weights.check()
        return {info.name: self._weights(info) for info in self._step.signature.parameters}

    def _choose_step(self, compute_type: str | None) -> TrainingStep:
        if compute_type is None:
            return self._step
        if self._narrow is None:
            assert self._make_narrow is not None
            with show_progress(f"recognising blocks in {compute_type}"):
                made = call_interruptibly(self._make_narrow)
            _check_alike(made.signature, self._step.signature)
            self._narrow = made
        return self._narrow

    def _find_type(self, parameters: Mapping[str, torch.Tensor]) -> str | None:
        """Returns the compute type: the requested one, or that of autocast."""
        kind = self._step.find_place(parameters).type
        if not torch.is_autocast_enabled(kind):
            return self._compute_type
        wanted = KEYWORDS.get(torch.get_autocast_dtype(kind))
        if wanted != "bf16":
            raise Error(f"autocast: expected torch.bfloat16, got {wanted}")
        return wanted

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        refuse_traces()
        parameters = self._tensors
        step = self._choose_step(self._find_type(parameters))
        if step.drops:
            step = step if self.module.training else step.serve()
        elif self.module.training and not self._was_training:
            refuse_dropout(
                self.module,
                "it was imported in evaluation mode, where nothing is dropped: import it "
                "in training mode, or set the rate to 0",
            )
            self._was_training = True
        elif not self.module.training:
            self._was_training = False
        given = self._calling.flatten(args, kwargs)
        given = {name: given[name] for name in given if name != SEED or step.drops}
        tensors = step.collect(given, parameters)
        if self._is_watched and torch.is_grad_enabled():
            with torch.random.fork_rng(devices=[]):
                refuse_stops(self.module, args, kwargs)
            self._is_watched = False
        return self._calling.unflatten(step.run(tensors))

    def memory(self) -> MemoryReport:
        """Returns the peak of a step's memory, from its plans and as steps allocated it.

            print(step.memory())
            step.memory().predicted.total
        """
        parameters = self._tensors
        step = self._choose_step(self._find_type(parameters))
        if step.drops and not self.module.training:
            step = step.serve()
        return step.report_memory(parameters)

    def forget_peak(self) -> None:
        """Restarts the count of memory()."""
        for step in (self._step, self._narrow):
            if step is not None:
                step.forget_peak()

    def count(self) -> dict[str, Any]:
        """Returns block-report's JSON of the step: saved values and the peak of its arena.

            step.count()["step"]["peak_bytes"]
        """
        return self._step.count(self._tensors)

    def list_released(self) -> list[list[str]]:
        """Names of parameters whose gradients come together, in the order of backward.

        Hooks of one list run before the layer of the next one has run.
        """
        return self._step.list_released(self._tensors)

    def _refuse_twins(self) -> None:
        """Rejects two parameters that share memory."""
        owners = {
            (p.data_ptr(), tuple(p.shape), p.stride()): p for p in self._tensors.values()
        }
        for name, other in self.module.named_parameters():
            key = (other.data_ptr(), tuple(other.shape), other.stride())
            if owners.get(key, other) is not other and other.numel():
                raise Error(
                    f"'{name}' is a second parameter over the memory of another one: "
                    "tie them by the parameter itself"
                )


def _check_alike(found: Signature, wanted: Signature) -> None:
    """Rejects a model whose signature changes under autocast."""
    made, expected = (
        {(info.name, info.type) for info in (*s.inputs, *s.parameters)}
        | {(info.name, "") for info in s.outputs}
        for s in (found, wanted)
    )
    if made != expected:
        raise Error(
            "the module under autocast is another model than without: only one has "
            + ", ".join(f"'{name}' {kind}".strip() for name, kind in sorted(made ^ expected))
        )


class _Parameters(torch.nn.Module):
    """Parameters that are copies of arrays, by name."""

    def __init__(self, weights: WeightSource, infos: Sequence[TensorInfo]) -> None:
        super().__init__()
        for info in infos:
            tensor = from_stored(np.array(weights(info)), info.type)
            *path, last = info.name.split(".")
            owner: torch.nn.Module = self
            for part in path:
                if part not in owner._modules:
                    owner.add_module(part, torch.nn.Module())
                owner = owner.get_submodule(part)
            parameter = torch.nn.Parameter(tensor, tensor.is_floating_point())
            owner.register_parameter(last, parameter)

    def find(self, info: TensorInfo) -> torch.nn.Parameter:
        """Returns the parameter of a name."""
        return self.get_parameter(info.name)
