# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes of an exported graph as expressions of symbols, and what is wrong with them."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import sympy  # type: ignore[import-untyped]
import torch
from torch.export import ExportedProgram
from torch.fx.node import map_aggregate
from torch.utils._sympy.value_ranges import bound_sympy

from parablock.errors import Error
from parablock.frontend.places import describe_place

SYMBOLS = torch.SymInt | torch.SymFloat | torch.SymBool

#: Sizes of a range that are looked at one by one.
_MOST_SIZES = 1 << 16


class OpenSizeError(Error):
    """Something that other sizes than the imported ones would change."""

    def __init__(self, message: str, most: int | None = None) -> None:
        super().__init__(message)
        #: The largest size that a model can be imported for.
        self.most = most


@dataclasses.dataclass(frozen=True)
class Bend:
    """A number of positions beyond which a constant is affine."""

    number: int
    #: The largest size for which it does not bend, and where it is computed.
    first: int
    place: str
    node: torch.fx.Node


@dataclasses.dataclass
class Needs:
    """Requirements on imported sizes."""

    #: Lower bounds of both sizes, by symbol.
    bends: dict[str, list[Bend]] = dataclasses.field(default_factory=dict)
    #: Symbols of which one size is the largest there is, as a table is read to its end,
    #: with what reads it.
    ends: dict[str, torch.fx.Node] = dataclasses.field(default_factory=dict)
    #: Operations on data.
    data: set[torch.fx.Node] = dataclasses.field(default_factory=set)
    #: Constants and numbers that each call computes.
    computed: set[torch.fx.Node] = dataclasses.field(default_factory=set)
    #: Constants of open sizes by the names of the operations on data that read them.
    reads: dict[str, set[str]] = dataclasses.field(default_factory=dict)
    #: Values that depend on masks of padding, which no call computes beforehand.
    padded: set[torch.fx.Node] = dataclasses.field(default_factory=set)


class Ranges:
    """Ranges of sizes by symbol."""

    #: Where a range has no end.
    far = 1 << 17

    def __init__(self, program: ExportedProgram) -> None:
        self._ranges = dict(program.range_constraints)

    def has(self, symbols: Collection[Any]) -> bool:
        return all(symbol in self._ranges for symbol in symbols)

    def get_most(self, name: str) -> int:
        """Returns the largest size of a symbol."""
        found = (self.get(symbol)[1] for symbol in self._ranges if str(symbol) == name)
        return next(found, self.far)

    def get(self, size: Any) -> tuple[int, int]:
        """Returns the least and the largest value of a size; `far` if it has no bound."""
        found = bound_sympy(get_expression(size), self._ranges)
        low = int(found.lower) if found.lower.is_Integer else -self.far
        high = int(found.upper) if found.upper.is_Integer else self.far
        return low, high


def get_expression(size: Any) -> Any:
    """Returns a number, a size, or an operation that computes one, as an expression."""
    value = size.meta["val"] if isinstance(size, torch.fx.Node) else size
    return value.node.expr if isinstance(value, SYMBOLS) else sympy.sympify(value)


def evaluate(size: Any, sizes: Mapping[str, int]) -> int:
    """Returns the number of a size, or of an expression of sizes."""
    if isinstance(size, int):
        return size
    expression = get_expression(size)
    return int(expression.subs({s: sizes[str(s)] for s in expression.free_symbols}))


def find_places(inputs: Mapping[torch.fx.Node, int]) -> dict[str, tuple[int, int]]:
    """Returns the first place of each symbol: an input's number and a dimension."""
    places: dict[str, tuple[int, int]] = {}
    for node, position in inputs.items():
        value = node.meta.get("val")
        for dim, size in enumerate(value.shape if isinstance(value, torch.Tensor) else ()):
            expression = get_expression(size)
            if expression.is_Symbol:
                places.setdefault(str(expression), (position, dim))
    return places


def make_limit_error(place: str, most: int) -> OpenSizeError:
    return OpenSizeError(
        f"{place}: what is computed of positions changes beyond {most} tokens: give the "
        f"dimension's max={most} in Dim(), or import the model at a known size",
        most,
    )


def refuse_ambiguous_sizes(
    program: ExportedProgram,
    needs: Needs,
    chosen: Sequence[Mapping[str, int]],
    names: Mapping[str, str],
) -> None:
    """Refuses sizes and numbers that data meet and two choices do not tell from others.

    `names` are those of symbols.
    """
    data = needs.data
    inputs = {
        size.node.expr
        for node in program.graph.find_nodes(op="placeholder")
        for size in list_sizes(node)
    }
    known = {_evaluate(expression, chosen): expression for expression in inputs}
    seen = set(inputs)
    for node in program.graph.nodes:
        if node not in data or node.op != "call_function":
            continue
        for expression in list_expressions(node, needs.computed):
            if expression in seen:
                continue
            seen.add(expression)
            pair = _evaluate(expression, chosen)
            other = known.get(pair, pair[0] if pair[0] == pair[1] else expression)
            if not _are_same(program, expression, other):
                what, like = (_name_symbols(each, names) for each in (expression, other))
                raise OpenSizeError(
                    f"{describe_place(node)}: '{what}' of open sizes has no rule, as it is '{like}' "
                    "at some of them: import the model at a known size"
                )


def _name_symbols(expression: Any, names: Mapping[str, str]) -> Any:
    symbols = sympy.sympify(expression).free_symbols
    return sympy.sympify(expression).xreplace(
        {s: sympy.Symbol(names.get(str(s), str(s)), integer=True, positive=True) for s in symbols}
    )


def list_expressions(node: torch.fx.Node, computed: Collection[torch.fx.Node] = ()) -> list[Any]:
    """Returns sizes of an operation's operands and results, and bounds of slices.

    Numbers that are `computed` in each call are no matter where they are elements alone.
    """
    sources = [
        source
        for source in node.all_input_nodes
        if not (source in computed and takes_number(node, source))
    ]
    found = [size.node.expr for each in (node, *sources) for size in list_sizes(each)]
    return found + [size - number for size, number in _list_ends(node)]


def _list_ends(node: torch.fx.Node) -> list[tuple[Any, int]]:
    """Returns open sizes with the numbers that are counted from their ends."""
    name, args = get_name(node), [*node.args, None, None]
    source: Any = args[0]
    if name not in ("slice", "select", "narrow", "roll") or not isinstance(source, torch.fx.Node):
        return []
    shape = source.meta["val"].shape
    if name == "roll":
        dims: Any = args[2]
        shifts: Any = args[1]
        pairs = list(zip(shifts, dims or (), strict=False)) if isinstance(shifts, list) else []
    else:
        dim: Any = args[1] or 0
        pairs = [(number, dim) for number in args[2:4]]
    return [
        (shape[dim].node.expr, abs(number))
        for number, dim in pairs
        if isinstance(number, int)
        and isinstance(shape[dim], torch.SymInt)
        and (name == "roll" or number < 0)
    ]


def get_name(node: torch.fx.Node) -> str:
    """Returns an operation's name without its overload."""
    packet = getattr(node.target, "overloadpacket", None)
    if packet is not None:
        return str(packet).removeprefix("aten.")
    return getattr(node.target, "__name__", str(node.target))


#: Operations whose operands may be numbers that are known at a call.
_OF_NUMBERS = tuple(
    f"aten.{name}.{form}"
    for name in ("add", "sub", "mul", "div", "lt", "le", "gt", "ge", "eq", "ne")
    for form in ("Tensor", "Scalar")
)


def takes_number(reader: torch.fx.Node, source: torch.fx.Node) -> bool:
    """Returns whether an operation reads a number as an element alone."""
    operands, others = list(reader.args[:2]), [*reader.args[2:], *reader.kwargs.values()]
    return str(reader.target) in _OF_NUMBERS and source in operands and source not in others


def list_sizes(node: torch.fx.Node) -> list[Any]:
    """Sizes and numbers of an operation's results that depend on symbols."""
    leaves: list[Any] = []
    map_aggregate(node.meta.get("val"), leaves.append)
    sizes = [
        size
        for leaf in leaves
        for size in (leaf.shape if isinstance(leaf, torch.Tensor) else [leaf])
    ]
    return [s for s in sizes if isinstance(s, SYMBOLS) and s.node.expr.free_symbols]


def _evaluate(expression: Any, chosen: Sequence[Mapping[str, int]]) -> tuple[Any, ...]:
    return tuple(
        expression.subs({symbol: sizes[str(symbol)] for symbol in expression.free_symbols})
        for sizes in chosen
    )


def _are_same(program: ExportedProgram, one: Any, two: Any) -> bool:
    """Returns whether two expressions are equal at all sizes."""
    if one == two:
        return True
    difference = sympy.expand(one - two)
    if difference == 0:
        return True
    symbols = list(difference.free_symbols)
    given = program.range_constraints.get(symbols[0]) if len(symbols) == 1 else None
    if given is None or not given.upper.is_Integer or int(given.upper) > _MOST_SIZES:
        return False
    sizes = range(int(given.lower), int(given.upper) + 1)
    return all(difference.subs({symbols[0]: size}) == 0 for size in sizes)


def name_symbols(symbols: Collection[Any]) -> frozenset[str]:
    return frozenset(str(symbol) for symbol in symbols)
