# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes to import a program at, where it was exported for many.

PyTorch computes what depends on no data at known sizes. A program for any size is
imported at two choices of them, and block-raise makes one function of both.
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

#: Beyond the distances that tell bucketings apart, and a batch that is no usual
#: number of heads.
_LARGE = 150
_SMALL = 11
#: How far a size may be from the one that is wanted.
_NEAR = 40


def choose_sizes(program: ExportedProgram, largest_number: int = 0) -> list[Sizes]:
    """One empty choice for a program of known sizes, else two.

    They are beyond the numbers that positions are compared with, where these are at
    most `largest_number`: what is computed of positions is as large as their square.
    """
    ranges = {str(s): r for s, r in program.range_constraints.items()}
    used = [symbol for symbol in get_symbols(program) if symbol in ranges]
    if not used:
        return [{}]
    numbers = [number for number in _integers(program) if number <= largest_number]
    large = max(_LARGE, 2 * _NEAR + max(numbers, default=0))
    choices: list[Sizes] = [{}, {}]
    batches = get_symbols(program, leading=True)
    for symbol in used:
        upper = ranges[symbol].upper
        most = int(upper) if upper.is_Integer else 1 << 62
        least = max(int(ranges[symbol].lower), 2)
        # Batches stay small; no two dimensions look alike.
        wanted = _SMALL if symbol in batches else min(large, most)
        taken = {size for choice in choices for size in choice.values()}
        near = _find_near(wanted, least, most, taken)
        if len(near) < 2:
            raise Error(
                f"dimension '{symbol}': expected at least two sizes to choose "
                f"from, got {least} to {most}"
            )
        choices[0][symbol], choices[1][symbol] = sorted(near[:2])
    _refuse_larger_numbers(program, max(choices[0].values()), ranges)
    _refuse_switches(program, ranges)
    return choices


def _find_near(wanted: int, least: int, most: int, taken: set[int]) -> list[int]:
    """Sizes from nearest to farthest, primes first: heads are few of those."""
    near = [
        size
        for size in range(max(least, wanted - _NEAR), min(most, wanted + _NEAR) + 1)
        if size not in taken
    ]
    return sorted(near, key=lambda size: (not _is_prime(size), abs(size - wanted)))


def _is_prime(number: int) -> bool:
    """
    >>> [n for n in range(2, 20) if _is_prime(n)]
    [2, 3, 5, 7, 11, 13, 17, 19]
    """
    return all(number % d for d in range(2, int(number**0.5) + 1))


def get_symbols(program: ExportedProgram, *, leading: bool = False) -> list[str]:
    """Symbols of input sizes, all or the leading, in the order of inputs."""
    found: dict[str, None] = {}
    for node in program.graph.nodes:
        example = node.meta.get("val")
        if node.op != "placeholder" or not isinstance(example, torch.Tensor):
            continue
        for size in example.shape[:1] if leading else example.shape:
            if isinstance(size, torch.SymInt):
                for symbol in size.node.expr.free_symbols:
                    found[str(symbol)] = None
    return list(found)


def get_dimension_names(program: ExportedProgram) -> list[str]:
    """Names of open dimensions, in the order in which arguments have them."""
    batches = get_symbols(program, leading=True)[:1]
    names: list[str] = []
    for number, symbol in enumerate(get_symbols(program)):
        usual = "batch" if symbol in batches else "seq"
        names.append(f"seq{number}" if usual in names else usual)
    return names


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


_COMPARISONS = tuple(f"aten.{name}.Scalar" for name in ("lt", "le", "gt", "ge"))


def _refuse_switches(program: ExportedProgram, ranges: Any) -> None:
    """What a size decides as a whole, two choices of sizes do not tell."""
    for node in program.graph.nodes:
        example = node.meta.get("val")
        if str(node.target) not in _COMPARISONS or example.dim() > 0:
            continue
        number = node.args[1]
        for symbol in _find_sources(node):
            if symbol in ranges and ranges[symbol].lower <= number < ranges[symbol].upper:
                raise Error(
                    f"the graph does something else beyond {number} tokens: give the "
                    "dimension's max= in Dim(), or import the model at a known size"
                )


def _find_sources(node: torch.fx.Node) -> set[str]:
    """Symbols of the sizes that a node's value is computed from."""
    found: set[str] = set()
    seen: set[torch.fx.Node] = set()
    waiting = [node]
    while waiting:
        source = waiting.pop()
        if source in seen:
            continue
        seen.add(source)
        example = source.meta.get("val")
        if isinstance(example, torch.SymInt):
            found |= {str(symbol) for symbol in example.node.expr.free_symbols}
        else:
            waiting += source.all_input_nodes
    return found
