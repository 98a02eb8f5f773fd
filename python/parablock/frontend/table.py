# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of supported ATen operations."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import torch

from parablock.frontend.ir import Shape, Value
from parablock.frontend.lowering import Emitter

#: A constant where no data decides the result.
Result = Value | torch.Tensor | tuple[Value, ...]


@dataclasses.dataclass(frozen=True)
class Call:
    """A call of an operation, with arguments by the schema's names."""

    op: str
    arguments: dict[str, Any]
    shape: Shape
    dtype: str
    #: True where one operation alone reads the result.
    has_one_user: bool = False

    def __getitem__(self, name: str) -> Any:
        return self.arguments[name]

    def get(self, name: str, default: Any = None) -> Any:
        value = self.arguments.get(name)
        return default if value is None else value


Rule = Callable[[Emitter, Call], Result]

RULES: dict[str, Rule] = {}


def aten(*names: str) -> Callable[[Rule], Rule]:
    """Registers a rule for operations, such as `add.Tensor`."""
    return register(*(f"aten.{name}" for name in names))


def register(*names: str) -> Callable[[Rule], Rule]:
    """Registers a rule for operations by their whole names."""

    def add(rule: Rule) -> Rule:
        for name in names:
            RULES[name] = rule
        return rule

    return add


def wide(dtype: str) -> str:
    """Returns the type in which float arithmetic is computed before rounding.

    >>> wide("bf16"), wide("i64")
    ('f32', 'i64')
    """
    return "f32" if dtype in ("bf16", "f16") else dtype


def bind(target: Any, args: Any, kwargs: Any) -> dict[str, Any]:
    """Returns arguments by the names of the operation's schema."""
    bound: dict[str, Any] = {}
    for position, argument in enumerate(target._schema.arguments):
        if position < len(args):
            bound[argument.name] = args[position]
        elif argument.name in kwargs:
            bound[argument.name] = kwargs[argument.name]
        else:
            bound[argument.name] = argument.default_value
    return bound


def normalise_dim(dim: int, rank: int) -> int:
    """Returns a dimension counted from the front.

    >>> normalise_dim(-1, 3)
    2
    """
    return dim + rank if dim < 0 else dim
