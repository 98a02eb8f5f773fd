# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes that torch.compile leaves open, and what calls have in their place."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram

from parablock.frontend.placeholders import list_inputs
from parablock.frontend.size_symbols import evaluate


def list_open(graph: torch.fx.GraphModule, known: Collection[int]) -> tuple[Any, ...]:
    """Which sizes of a graph's inputs are open, as exporting takes it.

    Those of the inputs in `known` are not, nor are numbers of rows.
    """
    found: list[Any] = []
    auto = torch.export.Dim.AUTO
    for number, node in enumerate(graph.graph.find_nodes(op="placeholder")):
        example = node.meta.get("example_value")
        if number in known:
            found.append(None)
        elif isinstance(example, torch.Tensor):
            dims = range(1, example.dim())
            open_dims = [d for d in dims if isinstance(example.shape[d], torch.SymInt)]
            found.append(dict.fromkeys(open_dims, auto) or None)
        else:
            found.append(auto if isinstance(example, torch.SymInt) else None)
    return tuple(found)


class OpenSizes:
    """The sizes that a program with open ones is for."""

    def __init__(self, program: ExportedProgram, known: Collection[int]) -> None:
        """Inputs in `known` are tensors of the module."""
        given = [node.meta.get("val") for node in list_inputs(program)]
        self._examples = [(i, val) for i, val in enumerate(given) if i not in known]
        self._ranges = {
            str(symbol): (limits.lower, limits.upper)
            for symbol, limits in program.range_constraints.items()
        }

    def fit(self, args: Sequence[Any]) -> bool:
        """Whether a call is one for which the program was made."""
        known: dict[str, int] = {}
        return all(self._fits(val, args[i], known) for i, val in self._examples)

    def _fits(self, example: Any, given: Any, known: dict[str, int]) -> bool:
        if isinstance(example, torch.Tensor):
            if not isinstance(given, torch.Tensor) or given.dtype != example.dtype:
                return False
            pairs = zip(example.shape, given.shape, strict=False)
            is_like = example.dim() == given.dim()
            return is_like and all(self._fits(*pair, known) for pair in pairs)
        if not isinstance(example, torch.SymInt):
            return type(given) is type(example) and bool(given == example)
        if not isinstance(given, int):
            return False
        expression = example.node.expr
        if expression.is_Symbol:
            lower, upper = self._ranges.get(str(expression), (0, given))
            is_known = known.setdefault(str(expression), given) == given
            return is_known and bool(lower <= given <= upper)
        symbols = expression.free_symbols
        if any(str(symbol) not in known for symbol in symbols):
            return False
        return evaluate(expression, known) == given
