# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Moves of positions and of tables, for parablock/frontend/size_proof.py."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from parablock.frontend import size_forms
from parablock.frontend.size_forms import Fixed, Form, Kind, Mixed, Steps
from parablock.frontend.size_symbols import Ranges, get_expression, list_sizes, name_symbols

Node = torch.fx.Node


#: Elements in another order, or some of them.
MOVES = ("unsqueeze", "squeeze", "expand", "view", "reshape", "_unsafe_view", "permute") + (
    *("transpose", "t", "slice", "select", "flatten", "unflatten", "expand_as", "view_as"),
    *("split", "chunk", "unbind", "split_with_sizes", "diagonal", "movedim", "mT", "numpy_T"),
)


def get_value(node: Any) -> torch.Tensor:
    """Returns an operation's traced result."""
    value: torch.Tensor = node.meta["val"]
    return value


def get_shape(node: Node) -> list[int | None]:
    value = node.meta.get("val")
    if not isinstance(value, torch.Tensor):
        return []
    return [size if isinstance(size, int) else None for size in value.shape]


def move_steps(node: Node, name: str, form: Steps, first: int | None) -> Form:
    """Applies a move to positions, which are counted along a dimension or in any order."""
    args: Any = node.args
    rank, along = args[0].meta["val"].dim(), form.along
    if name == "slice":
        dim = (args[1] if len(args) > 1 else 0) % rank - rank
        first = first or 0
        step = args[4] if len(args) > 4 else 1
        size = node.meta["val"].shape[dim]
        if along is None or step != 1:
            is_whole = first == 0 and step == 1 and size == args[0].meta["val"].shape[dim]
            return form if is_whole else size_forms.reorder(form)
        if dim != along:
            return form
        last = first + size if isinstance(size, int) else None
        return size_forms.collapse(size_forms.cut(form, first, last)) if first or last else form
    if name in ("expand", "expand_as"):
        return form
    if name == "repeat" and along is not None and args[1][along] == 1:
        return form
    if name == "unsqueeze":
        dim = args[1] % (rank + 1) - rank - 1
        if along is not None:
            return dataclasses.replace(form, along=along - (along <= dim))
        return form if dim == -rank - 1 else size_forms.reorder(form)
    if name == "transpose" and along is not None:
        one, two = (d % rank - rank for d in args[1:3])
        swapped = {one: two, two: one}
        return dataclasses.replace(form, along=swapped.get(along, along))
    if name == "permute" and along is not None:
        order = [d % rank - rank for d in args[1]]
        return dataclasses.replace(form, along=order.index(along) - rank)
    return size_forms.reorder(form)


def compose(table: Steps, rows: Any) -> Form:
    """Composes a table with the positions that another function gives."""
    if isinstance(rows, Fixed) and rows.value is not None and rows.is_number:
        number = int(rows.value)
        if 0 <= number < len(table.table):
            return Fixed(table.table[number : number + 1])
    if not isinstance(rows, Steps) or table.line.shifts or rows.line.shifts:
        return Mixed(Kind.OTHER, shifts=True)
    if not size_forms.is_affine(rows) or int(rows.table.min()) < 0:
        return Mixed(Kind.OTHER, shifts=True)
    # There is nothing behind a whole table: such positions are in no call.
    kept = rows
    if int(rows.table.max()) >= len(table.table):
        kept = size_forms.cut(rows, 0, int((rows.table < len(table.table)).sum()))
        is_whole = table.line.is_whole
        line = dataclasses.replace(kept.line, sums={}, is_whole=is_whole)
        kept = dataclasses.replace(kept, line=line)
    return size_forms.collapse(
        Steps(
            kept.line,
            table.table[kept.table],
            rows.along,
            table.is_affine,
            table.is_monotone,
            table.bound,
            table.is_given,
        )
    )


def opens(node: Node, name: str) -> bool:
    """Returns whether the number of rows of a table is open."""
    if name == "slice":
        source: Any = node.args[0]
        dim: Any = node.args[1] if len(node.args) > 1 else 0
        return get_shape(source)[dim] is not None and get_shape(node)[dim] is None
    return name not in MOVES and name not in ("repeat", "repeat_interleave")


def read_rows(
    table: torch.Tensor, symbols: frozenset[str], along: int | None = None
) -> Form:
    """Rows of a table, from the first on."""
    if bool((table == table[:1]).all()):
        return Fixed(None)
    if table[0].numel() == 1:
        return size_forms.look_up(table.reshape(-1), symbols, 0, along)
    kind = Kind.SCALED if _is_ramp(table) else Kind.ROWS
    return Mixed(kind, is_given=True, symbols=symbols)


def _is_ramp(table: torch.Tensor) -> bool:
    """Returns whether all rows of a table have one slope up to rounding, as ALiBi has."""
    if table.dtype not in (torch.float32, torch.float64) or len(table) < 3:
        return False
    exact = table.double()
    steps = torch.arange(len(table), dtype=torch.float64).reshape(-1, *[1] * (table.dim() - 1))
    rule = exact[0] + steps * (exact[-1] - exact[0]) / (len(table) - 1)
    return bool(((exact - rule).abs() <= 4e-7 * exact.abs().max()).all())


def cut_corner(node: Node, name: str, form: Any, number: Any, ranges: Ranges) -> Form:
    """Returns the lower or upper corner of a table, from the diagonal `number` on."""
    if not isinstance(number, Fixed) or number.value is None:
        return Mixed(Kind.OTHER, shifts=True)
    diagonal = int(number.value)
    if isinstance(form, Fixed) and form.value is not None and form.is_number:
        sizes = [get_expression(size) for size in get_value(node).shape[-2:]]
        symbols = name_symbols(sizes[0].free_symbols | sizes[1].free_symbols)
        rows, columns = (ranges.get(size)[1] for size in sizes)
        places = size_forms.count(1 - rows, columns - 1, symbols)
        kept = places.table <= diagonal if name == "tril" else places.table >= diagonal
        one = form.value.reshape([])
        table = torch.where(kept, one, torch.zeros_like(one))
        return dataclasses.replace(places, table=table)
    settled = size_forms.settle(form) if isinstance(form, Fixed | Steps | Mixed) else size_forms.OTHER
    if settled.kind in (Kind.FLAT, Kind.AFFINE):
        return dataclasses.replace(settled, bound=settled.bound + abs(diagonal))
    return Mixed(Kind.OTHER, shifts=True)


def cumulate(node: Node, form: Any, ranges: Ranges) -> Form:
    """Sums of ones, which count positions."""
    args: Any = node.args
    value = get_value(node)
    size = value.shape[args[1]]
    is_number = isinstance(form, Fixed) and form.value is not None and form.is_number
    if not is_number or not isinstance(size, torch.SymInt):
        return Mixed(Kind.OTHER, shifts=True)
    term = int(form.value)
    if term == 0:
        return size_forms.number(0, value.dim(), value.dtype)
    if term != 1:
        return Mixed(Kind.OTHER, shifts=True)
    high = ranges.get(size)[1]
    dim = args[1] % value.dim() - value.dim()
    symbols = name_symbols(size.node.expr.free_symbols)
    made = size_forms.count(0, high - 1, symbols, dtype=value.dtype, along=dim)
    return dataclasses.replace(made, table=made.table + 1)


@dataclasses.dataclass(frozen=True, eq=False)
class Cut:
    """The first rows of a table of the module, as many as a size says."""

    table: torch.Tensor
    #: Its open dimensions.
    dims: tuple[int, ...]
    symbols: frozenset[str] = frozenset()

    def resolve(self) -> Form:
        order = [*self.dims, *(d for d in range(self.table.dim()) if d not in self.dims)]
        table = self.table.permute(order)
        if bool((table == table.flatten()[0]).all()):
            return size_forms.number(table.flatten()[0], table.dim())
        if len(self.dims) == 1:
            return read_rows(table, self.symbols, self.dims[0] - self.table.dim())
        if len(self.dims) == 2 and table[0, 0].numel() == 1:
            matrix = table.reshape(table.shape[:2])
            return _read_differences(matrix, self.symbols)
        return Mixed(Kind.ROWS, is_given=True, symbols=self.symbols)

    def move(self, node: Node, name: str, start: int | None, is_open: bool) -> Cut | Mixed | None:
        """Applies a move to a table with an open number of rows; None if it is no such move.

        A slice has a `start`, unless that depends on a size, as the number of its rows does
        if it `is_open`.
        """
        args: Any = node.args
        rank = self.table.dim()
        if name == "slice":
            return self._slice(node, start, is_open)
        if name == "unsqueeze":
            dim = args[1] % (rank + 1)
            dims = tuple(d + (d >= dim) for d in self.dims)
            return Cut(self.table.unsqueeze(dim), dims, self.symbols)
        if name in ("transpose", "permute"):
            order = list(range(rank))
            if name == "transpose":
                one, two = (d % rank for d in args[1:3])
                order[one], order[two] = order[two], order[one]
            else:
                order = [d % rank for d in args[1]]
            dims = tuple(sorted(order.index(d) for d in self.dims))
            return Cut(self.table.permute(order), dims, self.symbols)
        return None

    def _slice(self, node: Node, start: int | None, is_open: bool) -> Cut | Mixed:
        args: Any = node.args
        dim = (args[1] if len(args) > 1 else 0) % self.table.dim()
        step = args[4] if len(args) > 4 else 1
        last = args[3] if len(args) > 3 else None
        symbols = name_symbols(
            {s for size in list_sizes(node) for s in size.node.expr.free_symbols}
        )
        if start is None or step != 1 or (isinstance(last, int) and last < 0):
            is_ramp = not self.dims and step == 1 and _is_ramp(self.table.movedim(dim, 0))
            kind = Kind.SCALED if is_ramp else Kind.OTHER
            return Mixed(kind, shifts=True, symbols=symbols)
        end = last if isinstance(last, int) and dim not in self.dims else None
        index = [slice(None)] * self.table.dim()
        index[dim] = slice(start, end)
        if not is_open:
            return Cut(self.table[tuple(index)], self.dims, self.symbols)
        dims = tuple(sorted({*self.dims, dim}))
        return Cut(self.table[tuple(index)], dims, self.symbols | symbols)


def _read_differences(matrix: torch.Tensor, symbols: frozenset[str]) -> Form:
    """Reads a table of two positions, which may depend on their difference alone."""
    rows, columns = matrix.shape
    values = torch.cat([matrix[1:, 0].flip(0), matrix[0]])
    places = torch.arange(columns) - torch.arange(rows)[:, None] + rows - 1
    if torch.equal(values[places], matrix):
        return size_forms.look_up(values, symbols, 1 - rows)
    return Mixed(Kind.ROWS, is_given=True, symbols=symbols)


def apply(name: str, given: Sequence[Any], compute: size_forms.Compute) -> Any:
    """Applies an elementwise operation, to whole tables if the other operands are numbers."""
    tables = [form for form in given if isinstance(form, Cut)]
    others = [form for form in given if not isinstance(form, Cut)]
    if len(tables) == 1 and all(isinstance(f, Fixed) and f.is_number for f in others):
        result = compute([form.table if isinstance(form, Cut) else form.value for form in given])
        if result.shape == tables[0].table.shape:
            return dataclasses.replace(tables[0], table=result)
    return size_forms.apply(
        name, [form.resolve() if isinstance(form, Cut) else form for form in given], compute
    )


def call(target: Any, arguments: Mapping[str, Any]) -> Any:
    """Calls an operation with its arguments by name."""
    values = dict(arguments)
    positional = [
        values.pop(argument.name)
        for argument in target._schema.arguments
        if not argument.kwarg_only and argument.name in values
    ]
    return target(*positional, **values)
