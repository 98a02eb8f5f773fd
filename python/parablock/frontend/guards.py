# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assumptions of an import on inputs, checked at every call."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import torch
from torch.export import ExportedProgram

from parablock.dtypes import KEYWORDS
from parablock.errors import Error
from parablock.frontend.export import holds, list_asserted
from parablock.frontend.placeholders import list_inputs
from parablock.frontend.size_symbols import evaluate
from parablock.frontend.sizes import get_dimension_names, get_symbols
from parablock.tensors import get_type


class InputGuards:
    """Sizes, types, and numbers of Python."""

    def __init__(self, program: ExportedProgram, known: Collection[int] = ()) -> None:
        """`known` are the indices of inputs that a call does not pass."""
        #: Number, name and example of each flattened input.
        self._examples = [
            (number, str(node.target), node.meta.get("val"))
            for number, node in enumerate(list_inputs(program))
            if number not in known
        ]
        names = dict(zip(get_symbols(program), get_dimension_names(program), strict=True))
        #: Of each symbol the name of its dimension and the sizes it may have.
        self._ranges = {
            str(symbol): (names.get(str(symbol), str(symbol)), given.lower, given.upper)
            for symbol, given in program.range_constraints.items()
        }

        #: Assertions of the export on sizes.
        self._asserted = list_asserted(program)

    def check(self, flat: Sequence[Any]) -> None:
        """Raises an error that names the first input that does not fit."""
        known: dict[str, int] = {}
        for number, name, example in self._examples:
            given = flat[number]
            if isinstance(example, torch.Tensor):
                self._check_tensor(name, example, given, known)
            elif not _are_same(example, given):
                raise Error(
                    f"input '{name}': expected {example!r} as in the example inputs, "
                    f"got {_describe(given)}"
                )
        for asserted in self._asserted:
            if all(str(s) in known for s in asserted.free_symbols):
                self._check_asserted(asserted, known)

    def _check_asserted(self, asserted: Any, known: dict[str, int]) -> None:
        """Rejects sizes that violate an assertion, such as 1 where at least 2 was traced."""
        if holds(asserted, {s: known[str(s)] for s in asserted.free_symbols}):
            return
        names = {s: self._ranges[str(s)][0] for s in asserted.free_symbols}
        given = ", ".join(f"{name} = {known[str(s)]}" for s, name in names.items())
        renamed = asserted.xreplace({s: type(s)(name) for s, name in names.items()})
        raise Error(f"expected sizes for which {renamed}, as exported, got {given}")

    def _check_tensor(
        self, name: str, example: torch.Tensor, given: Any, known: dict[str, int]
    ) -> None:
        if not _is_read(given):
            # The function that reads this input reports the problem.
            return
        kind = KEYWORDS.get(example.dtype, str(example.dtype))
        if get_type(given) != kind:
            raise Error(f"input '{name}': expected {kind}, got {get_type(given)}")
        wanted, shape = list(example.shape), list(given.shape)
        fits = len(shape) == len(wanted) and all(
            self._fits(name, size, own, known)
            for size, own in zip(wanted, shape, strict=True)
        )
        if not fits:
            words = [self._name_size(size) for size in wanted]
            is_fixed = all(isinstance(size, int) for size in wanted)
            hint = "; sizes that change are from_torch's dynamic_shapes"
            raise Error(
                f"input '{name}': expected shape {words}, got {shape}"
                f"{hint if is_fixed and len(shape) == len(wanted) else ''}"
            )

    def _fits(self, name: str, size: Any, own: int, known: dict[str, int]) -> bool:
        if isinstance(size, int):
            return size == own
        expression = size.node.expr
        symbols = [str(symbol) for symbol in expression.free_symbols]
        if not expression.is_Symbol:
            if any(symbol not in known for symbol in symbols):
                return True
            return evaluate(expression, known) == own
        symbol = str(expression)
        word, lower, upper = self._ranges.get(symbol, (symbol, 0, None))
        # torch.export uses a least size of 2 to distinguish sizes from 1.
        if own < lower and lower > 2:
            raise Error(f"input '{name}': expected at least {lower} for {word}, got {own}")
        if upper is not None and upper.is_Integer and own > upper:
            raise Error(f"input '{name}': expected at most {upper} for {word}, got {own}")
        return known.setdefault(symbol, own) == own

    def _name_size(self, size: Any) -> Any:
        if isinstance(size, int):
            return size
        text = str(size.node.expr)
        return self._ranges[text][0] if text in self._ranges else text


def _is_read(given: Any) -> bool:
    if isinstance(given, torch.Tensor):
        return not given.is_nested
    return isinstance(given, np.ndarray)


def _are_same(example: Any, given: Any) -> bool:
    """Returns whether a Python number is the imported one."""
    if isinstance(given, torch.Tensor | np.ndarray):
        return False
    return type(given) is type(example) and bool(given == example)


def _describe(given: Any) -> str:
    return type(given).__name__ if hasattr(given, "shape") else repr(given)
