# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model's forward and backward pass as two compiled functions."""

from __future__ import annotations

import abc
import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from parablock.arguments import is_whole, make_error, read_choice, read_flag
from parablock.calling import SEED
from parablock.compiled import CompiledFunction
from parablock.errors import Error
from parablock.target import Target
from parablock.tensors import allocate, imagine
from parablock.training.backward import Backward, Run, Segment, read_segments
from parablock.training.budgets import Fitting, choose_kept
from parablock.training.memory import Kind, MemoryReport, StepMemory, StepPlan

if TYPE_CHECKING:
    import torch

    from parablock._core import Module, Program, Signature, TensorInfo

FLOATS = ("f64", "f32", "bf16", "f16")
_MOST_ROWS = (1 << 63) - 1


@dataclasses.dataclass(frozen=True)
class StepChoices:
    """The memory of a step, as compile() is told it."""

    #: In the form of block-checkpoint.
    budget: str | None = None
    #: Rows of feed-forwards at a time.
    chunk_rows: int | None = None
    #: Whether layers are reversible ones, whose streams backward computes again.
    reversible: bool = False


def choose_form(module: Module, choices: StepChoices) -> Module:
    """Returns the model that a step is one of."""
    if choices.reversible:
        if any(info.name == SEED for info in module.get_signature().inputs):
            raise Error(
                "option 'reversible' requires a module without dropout, got one that drops "
                "elements: import it with dropout=0"
            )
        module = module.clone()
        module.run_passes("block-reversible")
    return module


def check_step_choices(
    training: bool,
    memory_budget: int | str | None,
    chunk_rows: int | None,
    reversible: bool,
    compute_type: str | None,
) -> None:
    """Rejects wrong arguments of steps, and those without `training`."""
    read_flag("training", training)
    read_flag("reversible", reversible)
    given = (
        ("memory_budget", memory_budget),
        ("chunk_rows", chunk_rows),
        ("reversible", reversible or None),
        ("compute_type", compute_type),
    )
    for name, value in given:
        if value is not None and not training:
            raise Error(f"option '{name}' requires training=True")
    if chunk_rows is not None and (not is_whole(chunk_rows) or not 1 <= chunk_rows <= _MOST_ROWS):
        raise make_error("chunk_rows", "None or a positive number of rows", chunk_rows)
    read_choice("compute_type", compute_type, (None, "bf16"))


def check_device_step(target: str, memory_budget: int | str | None, mode: Any) -> None:
    """Rejects options that steps of a device do not have."""
    if memory_budget is not None:
        raise Error(f"option 'memory_budget' requires target 'cpu', got '{target}'")
    if mode is not None:
        raise Error("option 'mode' requires training=False: a step copies arrays of the CPU")


class Halves:
    """Forward and backward of a step with its checkpoint, for the CPU."""

    def __init__(self, step: Module, model: Signature) -> None:
        self.module = step
        step.run_passes("block-split-step")
        forward, backward = (f"{model.function}_{half}" for half in ("forward", "backward"))
        step.run_passes(f"symbol-privatize{{exclude={forward},{backward}}},symbol-dce")
        step.run_passes("block-optimize")
        self.forward = step.get_signature(forward)
        self.backward = step.get_signature(backward)
        self._results = [info.name for info in model.outputs]
        self._types = {info.name: info.type for info in (*model.inputs, *model.parameters)}

    def plan(self, forward: Program, backward: Program) -> StepPlan:
        """Plans the memory of both halves, whose sizes are static."""
        made = _list_kinds(self.forward.outputs)
        return StepPlan(
            halves=[
                json.loads(program.plan_memory([imagine(*each) for each in kinds.values()]))
                for program, kinds in (
                    (forward, _list_kinds(self.forward.inputs)),
                    (backward, _list_kinds(self.backward.inputs)),
                )
            ],
            results={name: made[name] for name in self._results},
            saved={name: kind for name, kind in made.items() if name not in self._results},
            gradients={
                name.removeprefix("grad."): kind
                for name, kind in _list_kinds(self.backward.outputs).items()
            },
            types=self._types,
            segments=read_segments(backward),
        )


class Step(abc.ABC):
    """Both halves of a step, for one set of wanted gradients.

    `names` are those of the tensors that it is called with: inputs, then parameters.
    """

    #: The parts of backward, in order.
    segments: Sequence[Segment]

    def __init__(
        self,
        model: Signature,
        wanted: Sequence[str],
        report: str,
        halves: tuple[Signature, Signature],
    ) -> None:
        """`halves` are forward and backward; `report` is of both together."""
        self.names = [info.name for info in (*model.inputs, *model.parameters)]
        self.results = [info.name for info in model.outputs]
        self.wanted = frozenset(wanted)
        #: block-report's JSON of both halves together.
        self.report = report
        #: Adjoints of results, by the inputs of backward that they are.
        self._adjoints = {
            f"grad.{info.name}": info for info in model.outputs if info.type in FLOATS
        }
        forward, backward = halves
        #: Adjoints among forward's inputs that neither half reads: no gradient passes through
        #: their results, such as an input that the model returns.
        self._idle = [i for i in forward.inputs if i.name in self._adjoints]
        #: Names of the values that backward reads beside adjoints.
        self.kept = [
            info.name
            for info in (*backward.inputs, *backward.parameters)
            if info.name not in self._adjoints
        ]

    @abc.abstractmethod
    def run_forward(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Returns results and saved values by name."""

    @abc.abstractmethod
    def begin_backward(self, kept: Mapping[str, Any], adjoints: Mapping[str, Any]) -> Run:
        """Begins a run that returns gradients by the names of their arguments."""

    @abc.abstractmethod
    def report_memory(self) -> MemoryReport:
        """Returns the peak of the memory of a step, predicted and allocated."""

    @abc.abstractmethod
    def forget_peak(self) -> None:
        """Restarts the count of what is allocated."""

    def needs_adjoint(self, name: str) -> bool:
        return f"grad.{name}" in self._adjoints

    def _make_idle(self) -> dict[str, torch.Tensor]:
        return {i.name: allocate(i.shape, i.type, torch_wanted=True) for i in self._idle}


class HostStep(Step):
    """A step for engines of the CPU."""

    def __init__(
        self,
        module: Module,
        wanted: Sequence[str],
        choices: StepChoices,
        target: Target,
    ) -> None:
        model = module.get_signature()
        step = module.clone()
        add_step(step, wanted, choices)
        step = fit_step(step, model, choices.budget, target)
        report = step.report("")
        self._halves = halves = Halves(step, model)
        super().__init__(model, wanted, report, (halves.forward, halves.backward))
        #: Memory of both halves and of their results.
        self.memory = StepMemory()
        core = self.memory.core
        self._forward = target.create(
            step, halves.forward, core, self._allocate_result
        )
        program = target.compile(step, halves.backward, target.engine, core)
        self._backward = Backward(program, halves.backward, self._allocate_gradient)
        self.segments = self._backward.segments

    def run_forward(self, given: Mapping[str, Any]) -> dict[str, Any]:
        return self._forward.run_with_parameters({**given, **self._make_idle()})

    def begin_backward(self, kept: Mapping[str, Any], adjoints: Mapping[str, Any]) -> Run:
        return self._backward.begin(
            {**kept, **{f"grad.{name}": value for name, value in adjoints.items()}}
        )

    def report_memory(self) -> MemoryReport:
        plan = self._halves.plan(self._forward.program, self._backward.program)
        return MemoryReport(plan.predict(), plan.packed, self.memory.read_peak())

    def forget_peak(self) -> None:
        self.memory.forget_peak()

    def _allocate_result(self, info: TensorInfo, shape: Sequence[int]) -> torch.Tensor:
        use = "results" if info.name in self.results else "saved"
        return self.memory.allocate(shape, info.type, use)

    def _allocate_gradient(self, shape: Sequence[int], kind: str) -> torch.Tensor:
        return self.memory.allocate(shape, kind, "gradients")


def _list_kinds(infos: Sequence[TensorInfo]) -> dict[str, Kind]:
    return {info.name: (info.shape, info.type) for info in infos}


def make_forward(module: Module, target: Target) -> CompiledFunction:
    """Compiles forward alone."""
    alone = module.clone()
    alone.run_passes("block-optimize")
    return target.create(alone, alone.get_signature())


def fit_step(step: Module, model: Signature, budget: str | None, target: Target) -> Module:
    """Returns the step of a model whose kept values fit a budget."""
    if budget is None:
        # Values without a product are cheaper to recompute than to write and read.
        choose_kept(step, "*:products")
        return step
    return Fitting(step, lambda trial: plan_step(trial, model, target)).fit(budget)


def plan_step(step: Module, model: Signature, target: Target) -> StepPlan:
    """Plans a step with its checkpoint, without compiling its code."""
    halves = Halves(step, model)
    planner = dataclasses.replace(target, engine="plan", cache=None)
    forward, backward = (
        planner.compile(step, half, "plan")
        for half in (halves.forward, halves.backward)
    )
    return halves.plan(forward, backward)


def add_step(
    module: Module, wanted: Sequence[str], choices: StepChoices = StepChoices()
) -> None:
    """Adds the step of the model whose gradients are by the `wanted` names.

    Of the choices, the budget is left to others.
    """
    for name in wanted:
        if re.search(r"[\s,{}'\"]", name):
            raise Error(f"'{name}': no gradient by what has such a name")
    module.run_passes(f"block-differentiate{{wrt={','.join(wanted)} loss=sum}}")
    options = ["invert"] if choices.reversible else []
    if choices.chunk_rows is not None:
        options.append(f"chunk-rows={choices.chunk_rows}")
    if options:
        module.run_passes(f"block-checkpoint{{{' '.join(options)} memory-budget=100%}}")
