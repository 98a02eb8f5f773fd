# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How arguments of a call become inputs, and outputs its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from parablock.errors import Error


class Calling(Protocol):
    """A calling convention."""

    def flatten(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Inputs by name."""

    def unflatten(self, outputs: Mapping[str, Any]) -> Any:
        """The call's result."""


class CallingByName:
    """Inputs in order or by name; the result is a dictionary."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)

    def flatten(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Inputs by name.

        >>> CallingByName(["ids", "lengths"]).flatten([1], {"lengths": 2})
        {'ids': 1, 'lengths': 2}
        """
        if len(args) > len(self.names):
            raise Error(f"expected at most {len(self.names)} inputs, got {len(args)}")
        inputs = dict(zip(self.names, args, strict=False))
        for name, value in kwargs.items():
            if name not in self.names or name in inputs:
                raise Error(
                    f"expected the inputs {', '.join(self.names)}, got '{name}'"
                )
            inputs[name] = value
        return inputs

    def unflatten(self, outputs: Mapping[str, Any]) -> Any:
        return dict(outputs)
