# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs and results of an import of a graph."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import torch

from parablock.errors import Error
from parablock.faults import report_fault
from parablock.frontend.index_checks import IndexCheck
from parablock.frontend.padding import PaddingMask
from parablock.frontend.size_inputs import SizeInputs
from parablock.frontend.targets import Targets


class UnknownOperation(Error):
    """An operation that the table does not support."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class MissingRule(UnknownOperation):
    """An operation that the table supports at no sizes."""


class InternalFault(UnknownOperation):
    """A rule of the table that ended with an error of its own, which is its cause."""

    def report(self) -> str:
        """Warns of the error, or raises it."""
        assert isinstance(self.__cause__, Exception)
        return report_fault(self.__cause__, f"{self.path}: {self.reason.partition(':')[0]}")


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A weight that is not used yet."""

    name: str
    tensor: torch.Tensor

    @property
    def shape(self) -> torch.Size:
        return self.tensor.shape


@dataclasses.dataclass(frozen=True)
class Unknown:
    """A result of an unknown operation that cannot be an input.

    It is a number that data determine, a tensor with such a size, or a complex tensor.
    """

    #: The end of the reason why no operation reads it.
    what: str


def is_empty(value: Any) -> bool:
    """Returns whether a value is a tensor without elements, at any size."""
    sizes = value.shape if isinstance(value, torch.Tensor) else ()
    return any(isinstance(size, int) and size == 0 for size in sizes)


def name_empty(inputs: Iterable[torch.fx.Node]) -> str:
    """Returns what an error adds about an input without elements, if there is one."""
    for node in inputs:
        value: Any = node.meta.get("val")
        if is_empty(value):
            shape = list(value.shape)
            return f": expected inputs of sizes from 1, got '{node.target}' {shape}"
    return ""


class OutputName(str):
    """The name of a result, which a string that the module returns is not."""


@dataclasses.dataclass
class Imported:
    """A program, and the meaning of its arguments and results."""

    #: Its function, or two of them that are one but for sizes.
    text: str
    #: The inputs by name, as numbers among the flattened inputs.
    inputs: dict[str, int]
    parameters: dict[str, torch.Tensor]
    #: For each flattened result an OutputName, or the constant that it is.
    outputs: list[Any]
    #: The masks whose lengths are inputs.
    masks: list[PaddingMask]
    #: Something is dropped at random: there is the input that says what.
    drops: bool = False
    #: Names of the sizes in which two functions differ.
    dims: Sequence[str] = ()
    #: Values that each call checks: classes of losses, and indices.
    checks: Sequence[Targets | IndexCheck] = ()
    #: Inputs that follow from the sizes of others.
    size_inputs: SizeInputs | None = None
    #: Constants that calls could compute, by the names of the operations that read them.
    reads: Mapping[str, Collection[str]] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Choices:
    """Assumptions of an import."""

    #: Sizes instead of symbols, by the symbols' names.
    sizes: Mapping[str, int] = dataclasses.field(default_factory=dict)
    #: Numbers that positions may be compared with: sizes beyond them are looked at.
    largest_number: int = 0
    #: Inputs that are masks of padding.
    masks: Sequence[PaddingMask] = ()
    #: Masks of padding are data like other inputs, and no lengths.
    keeps_masks: bool = False
    #: Inputs that are weights, and inputs that never change, by their number.
    weights: Mapping[int, torch.Tensor] = dataclasses.field(default_factory=dict)
    constants: Mapping[int, torch.Tensor] = dataclasses.field(default_factory=dict)
    #: Whether operations without a rule become inputs, so that their surroundings import.
    with_holes: bool = False
    #: Constants have the digits of f64, and floats are f32 whatever they were.
    exact: bool = False
    #: Constants of open sizes that each call computes, by the names of nodes; None where
    #: there are no such calls, and what has no proof is refused.
    computed: frozenset[str] | None = None
    #: Sizes and offsets that follow from open sizes, as affine maps.
    size_maps: str = ""
    #: The type of autocast, whose casts are in the graph: they are such as gradients pass.
    autocast: torch.dtype | None = None


@dataclasses.dataclass
class Probe:
    """A graph with holes where operations have no rule."""

    text: str
    #: Why an operation has no rule.
    holes: dict[torch.fx.Node, str]
    #: Values that depend on no data.
    constants: dict[torch.fx.Node, torch.Tensor]
