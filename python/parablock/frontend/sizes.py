# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes to import a program at, where it was exported for many.

block-raise knows functions of known sizes. A program for any size is imported
at two choices of them, and is one function if both agree in all but sizes.
They are large enough to tell bucketed distances and windows apart; where a
number in the graph is larger, the function might be another beyond it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch.export import ExportedProgram

from parablock.errors import Error

Sizes = dict[str, int]

#: Beyond the distances that tell bucketings apart.
_LARGE = 150


def choose_sizes(program: ExportedProgram) -> list[Sizes]:
    """One empty choice for a program of known sizes, else two."""
    ranges = {str(s): r for s, r in program.range_constraints.items()}
    used = [symbol for symbol in _find_symbols(program) if symbol in ranges]
    if not used:
        return [{}]
    choices: list[Sizes] = [{}, {}]
    for number, symbol in enumerate(used):
        upper = ranges[symbol].upper
        most = int(upper) if upper.is_Integer else 1 << 62
        least = max(int(ranges[symbol].lower), 2)
        # Batches come first and stay small.
        wanted = 2 if number == 0 else min(_LARGE + 10 * number, most - 1)
        choices[0][symbol] = max(least, wanted)
        choices[1][symbol] = choices[0][symbol] + 1
        if choices[1][symbol] > most:
            raise Error(
                f"dimension '{symbol}': expected at least two sizes to choose "
                f"from, got {least} to {most}"
            )
    _refuse_larger_numbers(program, max(choices[0].values()), ranges)
    return choices


def _find_symbols(program: ExportedProgram) -> list[str]:
    """Symbols of input sizes, in the order in which inputs have them."""
    found: dict[str, None] = {}
    for node in program.graph.nodes:
        example = node.meta.get("val")
        if node.op != "placeholder" or not isinstance(example, torch.Tensor):
            continue
        for size in example.shape:
            if isinstance(size, torch.SymInt):
                for symbol in size.node.expr.free_symbols:
                    found[str(symbol)] = None
    return list(found)


def get_dimension_names(program: ExportedProgram) -> list[str]:
    """Names of open dimensions, in the order in which arguments have them."""
    usual = ("batch", "seq")
    count = len(_find_symbols(program))
    return [usual[i] if i < len(usual) else f"seq{i}" for i in range(count)]


def _integers(program: ExportedProgram) -> Iterator[int]:
    """Numbers that positions are compared with or moved by."""
    names = ("add", "sub", "rsub", "lt", "le", "gt", "ge", "eq", "ne", "clamp", "min")
    for node in program.graph.nodes:
        packet = str(getattr(node.target, "overloadpacket", "")).removeprefix("aten.")
        example = node.meta.get("val")
        if node.op != "call_function" or packet not in names:
            continue
        if not isinstance(example, torch.Tensor) or example.is_floating_point():
            continue
        yield from (abs(a) for a in node.args if isinstance(a, int))


def _refuse_larger_numbers(program: ExportedProgram, size: int, ranges: Any) -> None:
    most = max(
        (int(r.upper) for r in ranges.values() if r.upper.is_Integer), default=1 << 62
    )
    for number in _integers(program):
        if size <= number < most:
            raise Error(
                f"the graph compares positions with {number}, and sizes up to "
                f"{size} were looked at: give the dimension's max= in Dim(), or "
                "import the model at a known size"
            )
