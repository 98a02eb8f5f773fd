# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memory of a step: predicted by its plans, and allocated by the engine."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from parablock.native import get_core_module
from parablock.training.backward import Segment

if TYPE_CHECKING:
    import torch

    from parablock._core import Memory

#: Shape and element type.
Kind = tuple[Sequence[int], str]
_SIZES = {"f64": 8, "i64": 8, "f32": 4, "i32": 4, "bf16": 2, "f16": 2, "i16": 2}


@dataclasses.dataclass(frozen=True)
class MemoryParts:
    """Bytes at one moment. Inputs, parameters and adjoints are the caller's."""

    #: Values between launches, and weights that were packed for them.
    arena: int = 0
    #: Scratch memory of a launch's threads.
    scratch: int = 0
    #: Results of the model.
    results: int = 0
    #: Values that forward saves for backward.
    saved: int = 0
    gradients: int = 0

    @property
    def total(self) -> int:
        return sum(dataclasses.astuple(self))


@dataclasses.dataclass(frozen=True)
class MemoryReport:
    """The peak of a step as its plans predict it, and the most that steps have allocated."""

    predicted: MemoryParts
    #: The most of the arena that packed weights take at a time.
    packed: int
    allocated: MemoryParts

    def __str__(self) -> str:
        lines = [f"{'bytes at the peak':<36}{'predicted':>14}{'allocated':>14}"]
        for name, text in _TEXTS.items():
            predicted, allocated = (
                getattr(parts, name) for parts in (self.predicted, self.allocated)
            )
            lines.append(f"{text:<36}{predicted:>14}{allocated:>14}")
            if name == "arena":
                lines.append(f"{'  of these packed weights, at most':<36}{self.packed:>14}")
        lines.append("inputs, parameters and gradients of results are not among them")
        return "\n".join(lines)


_TEXTS = {
    "arena": "arena: between launches",
    "scratch": "scratch of all threads",
    "results": "results",
    "saved": "saved for backward",
    "gradients": "gradients",
    "total": "all",
}


class StepMemory:
    """Memory that both halves of a step share."""

    def __init__(self) -> None:
        self.core: Memory = get_core_module().Memory()

    def allocate(self, shape: Sequence[int], kind: str, use: str) -> torch.Tensor:
        """Allocates an uninitialised tensor, which counts as one of `use` as long as it lives."""
        tensor: torch.Tensor = self.core.allocate(list(shape), kind, use)
        return tensor

    def read_peak(self) -> MemoryParts:
        """Returns the allocations at the peak."""
        peak = json.loads(self.core.report())["peak"]
        return MemoryParts(
            **{each.name: peak[f"{each.name}_bytes"] for each in dataclasses.fields(MemoryParts)}
        )

    def forget_peak(self) -> None:
        self.core.forget_peak()


@dataclasses.dataclass(frozen=True)
class StepPlan:
    """Facts that determine the memory of a step. Tensors are by name."""

    #: Of forward and backward: `arena_bytes`, `scratch_bytes`, `packed_bytes`.
    halves: Sequence[Mapping[str, int]]
    results: Mapping[str, Kind]
    saved: Mapping[str, Kind]
    gradients: Mapping[str, Kind]
    #: Element types of the tensors that gradients are by.
    types: Mapping[str, str]
    segments: Sequence[Segment]

    @property
    def packed(self) -> int:
        return max(half["packed_bytes"] for half in self.halves)

    @property
    def least(self) -> int:
        """Bytes that are there between forward and backward, without their rounding."""
        kinds = (*self.results.values(), *self.saved.values())
        return sum(math.prod(shape) * _SIZES.get(kind, 1) for shape, kind in kinds)

    def predict(self) -> MemoryParts:
        """Returns the peak of any step but the first, whose results the caller keeps."""
        rest = MemoryParts(
            arena=max(half["arena_bytes"] for half in self.halves),
            scratch=max(half["scratch_bytes"] for half in self.halves),
            results=_sum(self.results.values()),
        )
        return max(
            (
                dataclasses.replace(rest, saved=saved, gradients=gradients)
                for saved, gradients in self._follow()
            ),
            key=lambda parts: parts.total,
        )

    def _follow(self) -> Iterator[tuple[int, int]]:
        """Bytes saved and of gradients, as a step goes on."""
        saved, gradients = _sum(self.saved.values()), 0
        yield saved, gradients
        for segment in self.segments:
            gradients += _sum(self.gradients[name] for name in segment.begun)
            yield saved, gradients
            saved -= _sum(self.saved[name] for name in segment.left if name in self.saved)
            for name in segment.released:
                shape, kind = self.gradients[name]
                if kind == self.types[name]:
                    continue
                gradients += _count((shape, self.types[name]))
                yield saved, gradients
                gradients -= _count((shape, kind))


def _sum(kinds: Iterator[Kind] | Any) -> int:
    return sum(_count(kind) for kind in kinds)


def _count(kind: Kind) -> int:
    """Bytes that the engine allocates for a tensor."""
    shape, element = kind
    bytes_: int = get_core_module().Memory.round(math.prod(shape) * _SIZES.get(element, 1))
    return bytes_
