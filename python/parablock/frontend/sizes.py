# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes to import a program at, where it was exported for many.

PyTorch computes what depends on no data at known sizes. A program for any size is
imported at two choices of them, and block-raise makes one function of both. That
nothing but these two would tell is seen to beforehand: see
parablock/frontend/size_proof.py for constants; sizes themselves are expressions of
symbols, and two of them that are the same at both choices are refused here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram

from parablock.errors import Error
from parablock.frontend.computations import list_sources
from parablock.frontend.imported import Choices
from parablock.frontend.places import describe_place
from parablock.frontend.size_inputs import describe_sizes
from parablock.frontend.size_proof import find_needs
from parablock.frontend.size_symbols import (
    Needs,
    OpenSizeError,
    make_limit_error,
    refuse_ambiguous_sizes,
)

Sizes = dict[str, int]

#: Beyond the distances that tell bucketings apart, and a batch that is no usual
#: number of heads.
_LARGE = 150
_SMALL = 11
#: How far a size may be from the one that is wanted.
_NEAR = 40
#: Numbers that sizes are made larger than without being asked for.
_LOOKED_AT = 1024
#: Rows that a table of the module is read to.
_LONGEST_TABLE = 4096


@dataclasses.dataclass(frozen=True)
class ChosenSizes:
    """Sizes to import a program at: one empty choice if they are known, else two."""

    sizes: Sequence[Sizes]
    #: Constants and numbers that each call computes, by name.
    computed: frozenset[str] = frozenset()
    #: Sizes and offsets that follow from open sizes, as affine maps.
    maps: str = ""
    #: Constants that calls could compute, by the names of the operations that read them.
    reads: Mapping[str, Collection[str]] = dataclasses.field(default_factory=dict)


def choose_sizes(program: ExportedProgram, choices: Choices) -> ChosenSizes:
    """Sizes beyond the numbers that positions are compared with.

    These are at most `largest_number`: what is computed of positions is as large as their
    square.
    """
    ranges = {str(s): r for s, r in program.range_constraints.items()}
    used = [symbol for symbol in get_symbols(program) if symbol in ranges]
    if not used:
        return ChosenSizes([{}])
    masks = {mask.name: not mask.hides for mask in choices.masks}
    needs = find_needs(program, choices.constants, masks, choices.computed)
    first: OpenSizeError | None = None
    # Two primes hide remainders, an even size beside a prime shows them.
    for is_mixed in (False, True) if choices.computed is not None else (False,):
        chosen = _choose(program, choices, needs, used, is_mixed=is_mixed)
        try:
            names = dict(zip(get_symbols(program), get_dimension_names(program), strict=True))
            refuse_ambiguous_sizes(program, needs, chosen, names)
        except OpenSizeError as problem:
            first = first or problem
            continue
        computed = frozenset(node.name for node in needs.computed)
        maps = describe_sizes(program, needs, get_symbols(program))
        return ChosenSizes(chosen, computed, maps, needs.reads)
    assert first is not None
    raise first


def _choose(
    program: ExportedProgram,
    choices: Choices,
    needs: Needs,
    used: Sequence[str],
    *,
    is_mixed: bool,
) -> list[Sizes]:
    ranges = {str(s): r for s, r in program.range_constraints.items()}
    numbers = list(_integers(program, needs.data))
    largest = max(choices.largest_number, _LOOKED_AT)
    chosen: list[Sizes] = [{}, {}]
    names = dict(zip(get_symbols(program), get_dimension_names(program), strict=True))
    batches = get_symbols(program, leading=True)
    for symbol in used:
        upper = ranges[symbol].upper
        most = int(upper) if upper.is_Integer else 1 << 62
        # Batches stay small; no two dimensions look alike.
        is_batch = symbol in batches
        bends = [b for b in needs.bends.get(symbol, []) if b.node not in needs.computed]
        for bend in bends:
            is_far = bend.number - 1 > largest or bend.number + 3 > most
            if is_far and choices.computed is not None and bend.node not in needs.padded:
                needs.computed.add(bend.node)
            elif bend.number - 1 > largest:
                raise make_limit_error(bend.place, bend.first)
        bends = [bend for bend in bends if bend.node not in needs.computed]
        if not is_batch:
            _refuse_larger_numbers(numbers, largest, most)
        bounds = [bend.number for bend in bends if bend.number - 1 <= largest]
        bounds += [] if is_batch else [number for number in numbers if number <= largest]
        beyond = max(bounds, default=0)
        usual = _SMALL if is_batch else _LARGE
        wanted = max(usual, beyond + 2 * _NEAR if 2 * beyond > usual else 0)
        least = max(int(ranges[symbol].lower), 2, beyond + 2)
        taken = {size for choice in chosen for size in choice.values()}
        gaps = {two - one for one, two in zip(chosen[0].values(), chosen[1].values(), strict=True)}
        near = _find_near(min(wanted, most), least, most, taken)
        pair = _choose_pair(near, gaps, is_mixed=is_mixed)
        if pair is None:
            raise OpenSizeError(
                f"dimension '{names[symbol]}': expected at least two sizes to choose "
                f"from, got {least} to {most}"
            )
        end = needs.ends.get(symbol)
        if end is not None and end not in needs.computed:
            if most > _LONGEST_TABLE and choices.computed is not None:
                needs.computed.add(end)
            else:
                _refuse_long_tables(end, most)
                pair = [min(pair), most]
        chosen[0][symbol], chosen[1][symbol] = pair
    _refuse_switches(program, ranges)
    return chosen


def _choose_pair(near: list[int], gaps: set[int], *, is_mixed: bool) -> list[int] | None:
    """Returns the first two sizes whose distance no other two sizes have.

    One of them is even if they are mixed.
    """
    for first in near:
        for second in near:
            is_other = second != first and abs(second - first) not in gaps
            if is_other and (not is_mixed or (first - second) % 2):
                return sorted((first, second))
    return None


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


def _integers(program: ExportedProgram, data: Collection[torch.fx.Node]) -> Iterator[int]:
    """Numbers that positions in data are compared with or moved by."""
    names = (
        *("add", "sub", "rsub", "lt", "le", "gt", "ge", "eq", "ne", "clamp", "min", "max"),
        *("clamp_min", "clamp_max", "remainder", "floor_divide", "div", "fmod"),
    )
    for node in program.graph.nodes:
        packet = str(getattr(node.target, "overloadpacket", "")).removeprefix("aten.")
        example = node.meta.get("val")
        if node not in data or packet not in names:
            continue
        if not isinstance(example, torch.Tensor) or example.is_floating_point():
            continue
        yield from (abs(a) for a in node.args if isinstance(a, int))


def _refuse_larger_numbers(numbers: Iterable[int], largest: int, most: int) -> None:
    for number in numbers:
        if largest < number < most:
            raise OpenSizeError(
                f"the graph compares positions with {number}, and sizes up to "
                f"{largest} were looked at: give the dimension's max= in Dim(), or "
                "import the model at a known size",
                number,
            )


def _refuse_long_tables(node: torch.fx.Node, most: int) -> None:
    if most > _LONGEST_TABLE:
        raise OpenSizeError(
            f"{describe_place(node)}: rows of a table are read to the largest size, up to "
            f"{_LONGEST_TABLE} of them: give the dimension's max={_LONGEST_TABLE} or less in "
            "Dim(), or import the model at a known size",
            _LONGEST_TABLE,
        )


_COMPARISONS = tuple(f"aten.{name}.Scalar" for name in ("lt", "le", "gt", "ge"))


def _refuse_switches(program: ExportedProgram, ranges: Any) -> None:
    """Rejects comparisons of a size that change the graph: two imports cannot detect them."""
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

    def list_operands(source: torch.fx.Node) -> Sequence[torch.fx.Node]:
        is_size = isinstance(source.meta.get("val"), torch.SymInt)
        return () if is_size else source.all_input_nodes

    values = [source.meta.get("val") for source in list_sources([node], (), list_operands)]
    sizes = [value for value in values if isinstance(value, torch.SymInt)]
    return {str(symbol) for size in sizes for symbol in size.node.expr.free_symbols}
