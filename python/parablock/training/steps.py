# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model's forward and backward pass as two compiled functions."""

from __future__ import annotations

import dataclasses
import json
import logging
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from parablock.compiled import CompiledFunction
from parablock.errors import Error
from parablock.native import get_core_module
from parablock.tensors import imagine
from parablock.training.backward import Backward, BackwardRun
from parablock.training.memory import Kind, StepMemory, StepPlan

if TYPE_CHECKING:
    import torch

    from parablock._core import Memory, Module, Program, Signature, TensorInfo

_log = logging.getLogger("parablock")
_FORWARD, _BACKWARD = "main_forward", "main_backward"
_UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
#: What `cache=` may be.
CodeFolder = bool | str | os.PathLike[str] | None
FLOATS = ("f64", "f32", "bf16", "f16")


@dataclasses.dataclass(frozen=True)
class Target:
    """What code is made for, and where it is kept."""

    engine: str
    chip: str
    threads: int
    #: A folder, "" for that of the environment, or None.
    cache: str | None = ""

    def create(
        self,
        module: Module,
        function: str,
        signature: Signature,
        memory: Memory | None = None,
        allocate_result: Callable[[TensorInfo, Sequence[int]], Any] | None = None,
    ) -> CompiledFunction:
        program = self.compile(module, function, self.engine, memory)
        is_open = any(-1 in info.shape for info in signature.outputs)
        # The other engines know the shapes of results once those are there.
        shapes: Program | None = None
        if is_open and self.engine != "cpu":
            shapes = self.compile(module, function, "cpu")
        return CompiledFunction(program, signature, shapes, allocate_result)

    def compile(
        self, module: Module, function: str, engine: str, memory: Memory | None = None
    ) -> Program:
        """A function's code for an engine, this one or another."""
        core = get_core_module()
        chip = self.chip if engine == self.engine else ""
        program: Program = core.Program(
            module, function, engine, chip, self.threads, self.cache, memory
        )
        for said in module.context.take_diagnostics():
            log = _log.warning if said.severity == "warning" else _log.info
            log("%s", said)
        return program


def read_cache(cache: CodeFolder) -> str | None:
    """What `cache=` says: where compiled code is kept, if anywhere.

    >>> read_cache(None), read_cache(False), read_cache("codes")
    ('', None, 'codes')
    """
    if cache is None or cache is True:
        return ""
    if cache is False:
        return None
    folder = os.fspath(cache) if isinstance(cache, str | os.PathLike) else ""
    if not isinstance(folder, str) or not folder:
        raise Error(f"cache: expected a folder, True or False, got {cache!r}")
    return folder


class Step:
    """Both halves of a step, for one set of wanted gradients.

    `names` are those of the tensors that it is called with: inputs, then parameters.
    """

    def __init__(
        self, module: Module, wanted: Sequence[str], budget: str | None, target: Target
    ) -> None:
        model = module.get_signature("main")
        self.names = [info.name for info in (*model.inputs, *model.parameters)]
        self.results = [info.name for info in model.outputs]
        self._types = {info.name: info.type for info in (*model.inputs, *model.parameters)}
        self.wanted = frozenset(wanted)
        step = module.clone()
        add_step(step, wanted)
        if budget is not None:
            step.run_passes(f"block-checkpoint{{memory-budget={budget}}}")
        #: block-report's JSON of both halves together.
        self.report: str = step.report("")
        step.run_passes("block-split-step")
        step.run_passes(f"symbol-privatize{{exclude={_FORWARD},{_BACKWARD}}},symbol-dce")
        step.run_passes("block-optimize")
        forward = step.get_signature(_FORWARD)
        backward = step.get_signature(_BACKWARD)
        #: What both halves and what they give lie in.
        self.memory = StepMemory()
        core = self.memory.core
        self._forward = target.create(step, _FORWARD, forward, core, self._allocate_result)
        program = target.compile(step, _BACKWARD, target.engine, core)
        self._backward = Backward(program, backward, self._allocate_gradient)
        #: The parts of backward, in order.
        self.segments = self._backward.segments
        #: Adjoints of results, by the inputs of backward that they are.
        self._adjoints = {
            f"grad.{info.name}": info for info in model.outputs if info.type in FLOATS
        }
        #: What backward reads beside adjoints, by name.
        self.kept = [
            info.name
            for info in (*backward.inputs, *backward.parameters)
            if info.name not in self._adjoints
        ]

    def run_forward(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Results and saved values by name."""
        return self._forward.run_with_parameters(given)

    def begin_backward(
        self, kept: Mapping[str, Any], adjoints: Mapping[str, Any]
    ) -> BackwardRun:
        """A run that gives gradients by the names of what they are by."""
        return self._backward.begin(
            {**kept, **{f"grad.{name}": value for name, value in adjoints.items()}}
        )

    def plan_memory(self) -> StepPlan:
        """What a step takes. Its sizes are known: block-differentiate wants them so."""
        forward, backward = self._forward, self._backward
        made = _list_kinds(forward.signature.outputs)
        return StepPlan(
            halves=[
                json.loads(
                    program.plan_memory([imagine(*kind) for kind in _list_kinds(infos).values()])
                )
                for program, infos in (
                    (forward.program, forward.signature.inputs),
                    (backward.program, backward.signature.inputs),
                )
            ],
            results={name: made[name] for name in self.results},
            saved={name: kind for name, kind in made.items() if name not in self.results},
            gradients={
                name.removeprefix("grad."): kind
                for name, kind in _list_kinds(backward.signature.outputs).items()
            },
            types=self._types,
            segments=self.segments,
        )

    def _allocate_result(self, info: TensorInfo, shape: Sequence[int]) -> torch.Tensor:
        use = "results" if info.name in self.results else "saved"
        return self.memory.allocate(shape, info.type, use)

    def _allocate_gradient(self, shape: Sequence[int], kind: str) -> torch.Tensor:
        return self.memory.allocate(shape, kind, "gradients")

    def needs_adjoint(self, name: str) -> bool:
        return f"grad.{name}" in self._adjoints


def _list_kinds(infos: Sequence[TensorInfo]) -> dict[str, Kind]:
    return {info.name: (info.shape, info.type) for info in infos}


def make_forward(module: Module, target: Target) -> CompiledFunction:
    """The results alone."""
    alone = module.clone()
    alone.run_passes("block-optimize")
    return target.create(alone, "main", alone.get_signature("main"))


def add_step(module: Module, wanted: Sequence[str]) -> None:
    """Adds the function main_step whose gradients are by the `wanted` names."""
    for name in wanted:
        if re.search(r"[\s,{}'\"]", name):
            raise Error(f"'{name}': no gradient by what has such a name")
    module.run_passes(f"block-differentiate{{wrt={','.join(wanted)} loss=sum}}")


def read_budget(budget: int | str | None) -> str | None:
    """As block-checkpoint takes it.

    >>> read_budget(2048), read_budget("40%"), read_budget("min"), read_budget(None)
    ('2048', '40%', 'min', None)
    """
    if budget is None:
        return None
    is_number = isinstance(budget, int) and not isinstance(budget, bool)
    if is_number and int(budget) >= 0:
        return str(budget)
    units = "|".join(_UNITS)
    if isinstance(budget, str) and re.fullmatch(rf"min|\d+(\.\d+)?%|\d+({units})?", budget):
        return budget
    raise Error(
        "memory_budget: expected None, bytes, a share such as '40%', or 'min', got "
        f"{budget!r}"
    )
