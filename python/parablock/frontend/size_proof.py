# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proofs that a graph which was imported at two sizes is correct at all others.

torch.export gives each size as an expression of symbols, and each constant is computed
from positions that are counted up to sizes. This file follows both. A constant that two
imports cannot distinguish from another one is an error with the line of code and the
largest correct size.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.fx.node import map_aggregate

from parablock.frontend import size_forms, size_tables
from parablock.frontend.index_checks import reads_at
from parablock.frontend.placeholders import list_inputs, list_lifted
from parablock.frontend.places import describe_place
from parablock.frontend.size_forms import Fixed, Form, Kind, Mixed, Steps, settle
from parablock.frontend.size_inputs import OF_SHAPES, make_example
from parablock.frontend.size_symbols import (
    SYMBOLS,
    Bend,
    Needs,
    OpenSizeError,
    Ranges,
    get_expression,
    get_name,
    make_limit_error,
    name_symbols,
    takes_number,
)
from parablock.frontend.size_tables import (
    MOVES,
    Cut,
    call,
    compose,
    cumulate,
    cut_corner,
    get_shape,
    get_value,
    move_steps,
    opens,
)
from parablock.frontend.table import bind

Node = torch.fx.Node

#: Positions that a computed table is read to; longer ones have no rule.
_FEW_ROWS = 256
#: Fewer tokens than these are no size to import a model for.
_FEW = 16

def find_needs(
    program: ExportedProgram,
    constants: Mapping[int, torch.Tensor],
    masks: Mapping[str, bool],
    computed: Collection[str] | None = None,
) -> Needs:
    """Follows a graph; `constants` are inputs by number that never change.

    `masks` are inputs of which each element is the given truth value. Constants that have
    no proof are for each call to compute, as are those in `computed`; they are refused if
    that is None.
    """
    return _Walk(program, constants, masks, computed).run()


_FILLED = {"ones": 1, "zeros": 0, "new_ones": 1, "new_zeros": 0, "ones_like": 1} | {
    "zeros_like": 0,
    "new_empty": 0,
    "empty_like": 0,
    "empty": 0,
}
#: Not tagged as element-wise operations by PyTorch.
_POINTWISE = ("to", "_to_copy", "type_as", "__and__", "__or__", "__xor__", "where") + (
    *("contiguous", "detach", "alias", "lift_fresh_copy", "rsub", "floor_divide", "clone"),
    *("masked_fill", "minimum", "maximum", "logical_not", "bitwise_not"),
)
#: Of these, operands that are numbers and no elements.
_OPTIONS = ("alpha", "dtype", "layout", "device", "pin_memory", "memory_format") + (
    *("non_blocking", "copy", "rounding_mode"),
)


class _Walk:
    def __init__(
        self,
        program: ExportedProgram,
        constants: Mapping[int, torch.Tensor],
        masks: Mapping[str, bool],
        computed: Collection[str] | None,
    ) -> None:
        self.program = program
        self.constants = constants
        self.masks = masks
        self.computed = computed
        self.ranges = Ranges(program)
        self.forms: dict[Node, Any] = {}
        self.needs = Needs()
        self.data = self.needs.data

    def run(self) -> Needs:
        self._read_placeholders()
        for node in self.program.graph.nodes:
            if node.op == "get_attr":
                value = operator.attrgetter(str(node.target))(self.program.graph_module)
                is_tensor = isinstance(value, torch.Tensor)
                self.forms[node] = size_forms.of_tensor(value.detach()) if is_tensor else value
            elif node.op == "call_function":
                self._visit(node)
            elif node.op == "output":
                self._check_results(node)
        return self.needs

    def _read_placeholders(self) -> None:
        for lifted in list_lifted(self.program):
            if lifted.is_parameter or not isinstance(lifted.value, torch.Tensor):
                self.data.add(lifted.node)
            else:
                self.forms[lifted.node] = size_forms.of_tensor(lifted.value.detach())
        for position, node in enumerate(list_inputs(self.program)):
            example = node.meta.get("val")
            if not isinstance(example, torch.Tensor):
                self.forms[node] = self._read_number(example)
            elif str(node.target) in self.masks:
                value = self.masks[str(node.target)]
                self.needs.padded.add(node)
                self.forms[node] = size_forms.number(value, example.dim(), example.dtype)
            elif position in self.constants:
                self.forms[node] = size_forms.of_tensor(self.constants[position])
            elif example.numel() == 0:
                self.forms[node] = Fixed(None)
            else:
                self.data.add(node)

    # Numbers -----------------------------------------------------------------

    def _read_number(self, value: Any) -> Form | Any:
        """Returns the form of a number of Python, or of sizes."""
        if isinstance(value, bool | int | float):
            return size_forms.number(value)
        if not isinstance(value, SYMBOLS):
            return value
        expression = value.node.expr
        symbols = expression.free_symbols
        if not symbols:
            return size_forms.number(value.node.pytype(expression))
        is_sum = isinstance(value, torch.SymInt) and all(
            expression.diff(symbol).is_Integer for symbol in symbols
        )
        if not is_sum or not self.ranges.has(symbols):
            return Mixed(Kind.OTHER, shifts=True, reason=f"the number '{expression}'")
        low, high = self.ranges.get(expression)
        if low == high:
            return size_forms.number(low)
        return size_forms.make_size(size_forms.count(low, high, name_symbols(symbols), shifts=True))

    # Operations --------------------------------------------------------------

    def _visit(self, node: Node) -> None:
        value = node.meta.get("val")
        if isinstance(value, bool | int | float | SYMBOLS):
            self.forms[node] = self._read_number(value)
            return
        name = get_name(node)
        sources = node.all_input_nodes
        if any(source in self.needs.padded for source in node.all_input_nodes):
            self.needs.padded.add(node)
        if name in OF_SHAPES:
            sources = [each for each in sources if each is not node.args[0]]
        depends = any(source in self.data for source in sources)
        if depends and not (isinstance(value, torch.Tensor) and value.numel() == 0):
            self.data.add(node)
            for source in sources:
                self._use(source, node)
            return
        self.forms[node] = self._derive(node, name)

    def _use(self, source: Node, reader: Node) -> None:
        """Notes that an operation on data reads a constant."""
        form = self.forms.get(source)
        is_tensor = isinstance(source.meta.get("val"), torch.Tensor)
        if source in self.data or form is None or isinstance(form, Fixed):
            return
        if not is_tensor:
            if takes_number(reader, source):
                self._compute_in_calls(source)
            return
        if source not in self.needs.padded and make_example(source) is not None:
            self.needs.reads.setdefault(reader.name, set()).add(source.name)
        if self.computed is not None and source.name in self.computed:
            self._compute_in_calls(source)
            return
        settled = settle(self._resolve(form))
        if reads_at(reader) and not self._is_count(form) and self._compute_in_calls(source):
            return
        is_given = settled.kind is Kind.ROWS and settled.limit is None
        if is_given or (settled.kind is Kind.OTHER and self._can_read(settled)):
            self.needs.ends.update(dict.fromkeys(settled.symbols, source))
            return
        if settled.kind is Kind.OTHER or settled.limit is not None:
            if not self._compute_in_calls(source):
                raise self._refuse(source, settled)
            return
        if settled.kind is not Kind.WAVES:
            bend = Bend(settled.bound, settled.first or settled.bound, describe_place(source), source)
            for symbol in settled.symbols:
                self.needs.bends.setdefault(symbol, []).append(bend)

    def _compute_in_calls(self, source: Node) -> bool:
        """Notes a constant that each call computes, if it can."""
        if self.computed is None or source in self.needs.padded or make_example(source) is None:
            return False
        self.needs.computed.add(source)
        return True

    def _is_count(self, form: Any) -> bool:
        """Returns whether indices increase by one, so they are a slice at all sizes."""
        form = self._resolve(form)
        is_line = isinstance(form, Steps) and form.along is not None and size_forms.is_affine(form)
        return is_line and (len(form.table) < 2 or int(form.table[1] - form.table[0]) == 1)

    def _can_read(self, settled: Mixed) -> bool:
        """Returns whether a table of all positions is small enough to be read."""
        most = [self.ranges.get_most(name) for name in settled.symbols]
        return not settled.shifts and max(most, default=_FEW_ROWS + 1) <= _FEW_ROWS

    def _refuse(self, node: Node, settled: Mixed) -> OpenSizeError:
        origin = self._find_origin(node)
        where, what = describe_place(origin), settled.reason or f"'{origin.target}'"
        if settled.limit is None or settled.limit < _FEW:
            return OpenSizeError(
                f"{where}: {what} of open sizes has no rule: import the model at a known size"
            )
        return make_limit_error(where, settled.limit)

    def _find_origin(self, node: Node) -> Node:
        """Returns the first operation without a form for all sizes."""
        for source in node.all_input_nodes:
            form = self.forms.get(source)
            if form is None or not isinstance(source.meta.get("val"), torch.Tensor):
                continue
            settled = settle(self._resolve(form))
            if settled.kind is Kind.OTHER or settled.limit is not None:
                return self._find_origin(source)
        return node

    def _check_results(self, output: Node) -> None:
        """Results that no data decide are those of the imported size."""
        for node in output.all_input_nodes:
            value = node.meta.get("val")
            if node in self.data or node not in self.forms:
                continue
            sizes = value.shape if isinstance(value, torch.Tensor) else [value]
            is_open = any(isinstance(size, SYMBOLS) for size in sizes)
            form = self.forms[node]
            if is_open or (isinstance(value, torch.Tensor) and not isinstance(form, Fixed)):
                settled = settle(self._resolve(form))
                if settled.limit is not None:
                    raise self._refuse(node, settled)
                raise OpenSizeError(
                    f"{describe_place(node)}: a result that depends on sizes alone ('{node.name}') "
                    "has no rule: return it for known sizes only, or import the model at one"
                )

    def _derive(self, node: Node, name: str) -> Any:
        value = node.meta.get("val")
        if isinstance(value, tuple | list):
            return self._derive_parts(node, name)
        if not isinstance(value, torch.Tensor):
            return Mixed(Kind.OTHER)
        known = [self.forms.get(source) for source in node.all_input_nodes]
        if self._is_static(node, known):
            return self._compute(node)
        return self._derive_tensor(node, name)

    def _derive_parts(self, node: Node, name: str) -> Any:
        """Results of a move, which are alike."""
        form = self._get(node.args[0])
        if name in MOVES:
            return form
        return Mixed(Kind.OTHER, shifts=True)

    def _is_static(self, node: Node, known: Sequence[Any]) -> bool:
        """Returns whether a constant is known entirely at all sizes."""
        if torch.Tag.nondeterministic_seeded in getattr(node.target, "tags", ()):
            return False
        is_known = all(
            isinstance(form, Fixed)
            and form.value is not None
            and get_shape(source) == list(form.value.shape)
            for form, source in zip(known, node.all_input_nodes, strict=True)
        )
        return is_known and None not in get_shape(node)

    def _compute(self, node: Node) -> Form:
        def look_up(argument: Any) -> Any:
            if not isinstance(argument, Node):
                return argument
            value = self.forms[argument].value
            return value if isinstance(argument.meta.get("val"), torch.Tensor) else value.item()

        args, kwargs = map_aggregate((node.args, node.kwargs), look_up)
        result = node.target(*args, **kwargs)  # type: ignore[operator]
        return size_forms.of_tensor(result) if isinstance(result, torch.Tensor) else Fixed(None)

    def _derive_tensor(self, node: Node, name: str) -> Form:
        value = node.meta["val"]
        if name == "getitem":
            parts: Form = self._get(node.args[0])
            return parts
        if name == "arange":
            return self._derive_count(node)
        if name in ("full", "new_full", "full_like", "fill", "scalar_tensor"):
            arguments = bind(node.target, node.args, node.kwargs)
            filled = next(arguments[k] for k in ("fill_value", "value", "s") if k in arguments)
            return self._fill(self._get(filled), value)
        if name in _FILLED:
            return size_forms.number(_FILLED[name], value.dim(), value.dtype)
        if name in MOVES or name in ("repeat", "repeat_interleave", "flip", "roll"):
            moved: Form = self._move(node, name)
            return moved
        if name in ("tril", "triu"):
            diagonal = self._get(node.args[1] if len(node.args) > 1 else 0)
            return cut_corner(node, name, self._get(node.args[0]), diagonal, self.ranges)
        if name in ("cat", "concat", "stack"):
            return self._concatenate(node)
        if name == "diff":
            return self._derive_difference(node)
        if name == "cumsum":
            return cumulate(node, self._get(node.args[0]), self.ranges)
        if name in ("matmul", "mm", "bmm", "outer"):
            return self._multiply(node, name)
        if name in ("index", "index_select", "gather", "embedding", "take"):
            return self._index(node, name)
        if name == "max" and len(node.args) == 1:
            form = self._get(node.args[0])
            if isinstance(form, Steps) and form.along is not None and not form.line.shifts:
                # The last position is known by the number of them.
                table = form.table.cummax(0).values
                line = dataclasses.replace(
                    form.line, sums={}, low=1, high=len(table), shifts=True, is_size=True
                )
                return dataclasses.replace(form, line=line, table=table, along=None)
        if name in ("any", "all", "amax", "amin", "max", "min") and len(node.args) < 3:
            form = self._get(node.args[0])
            if isinstance(form, Fixed) and form.value is not None and form.is_number:
                result = form.value if name not in ("any", "all") else form.value.bool()
                return size_forms.number(result, value.dim())
        if name == "sum":
            form = self._get(node.args[0])
            if isinstance(form, Fixed) and form.is_number and not bool(form.value):
                return size_forms.number(0, value.dim(), value.dtype)
        if torch.Tag.pointwise in getattr(node.target, "tags", ()) or name in _POINTWISE:
            return self._apply(node, name)
        return Mixed(Kind.OTHER, shifts=True)

    def _get(self, argument: Any) -> Any:
        if isinstance(argument, Node):
            return self._resolve(self.forms.get(argument))
        if isinstance(argument, bool | int | float):
            return size_forms.number(argument)
        return argument

    def _resolve(self, form: Any) -> Any:
        return form.resolve() if isinstance(form, Cut) else form

    def _fill(self, form: Form, value: torch.Tensor) -> Form:
        if isinstance(form, Fixed) and form.is_number:
            return size_forms.number(form.value, value.dim(), value.dtype)
        if isinstance(form, Steps):
            return dataclasses.replace(form, table=form.table.to(value.dtype))
        return form

    def _derive_count(self, node: Node) -> Form:
        arguments = bind(node.target, node.args, node.kwargs)
        dtype = node.meta["val"].dtype
        first, last, step = (
            get_expression(arguments.get(key, default))
            for key, default in (("start", 0), ("end", 0), ("step", 1))
        )
        numbers = [first, last, step]
        if not all(each.is_integer for each in numbers) or step.free_symbols:
            return Mixed(Kind.OTHER, shifts=True)
        shifts, symbols = bool(first.free_symbols), name_symbols(first.free_symbols | last.free_symbols)
        ends = [self.ranges.get(first), self.ranges.get(last)]
        if shifts or step != 1:
            low, high = min(ends[0][0], ends[1][0]), max(ends[0][1], ends[1][1])
            return size_forms.count(low, high - 1, symbols, shifts=shifts, dtype=dtype)
        # Numbers are counted from the first on.
        first_number = ends[0][0]
        made = size_forms.count(0, ends[1][1] - first_number - 1, symbols, dtype=dtype, along=-1)
        return dataclasses.replace(made, table=made.table + first_number)

    def _apply(self, node: Node, name: str) -> Form:
        arguments = bind(node.target, node.args, node.kwargs)
        operands = {
            key: self.forms.get(given) if isinstance(given, Node) else size_forms.number(given)
            for key, given in arguments.items()
            if key not in _OPTIONS and isinstance(given, Node | bool | int | float)
        }
        if any(form is None for form in operands.values()):
            return Mixed(Kind.OTHER, shifts=True)

        def compute(values: Sequence[torch.Tensor]) -> Any:
            given = iter(values)
            taken: dict[str, Any] = {}
            for key, argument in arguments.items():
                is_tensor = isinstance(argument, Node) and isinstance(
                    argument.meta.get("val"), torch.Tensor
                )
                if key in operands:
                    value = next(given)
                    taken[key] = value if is_tensor or value.dim() else value.item()
                elif key != "device":
                    taken[key] = argument
            return call(node.target, taken)

        made: Form = size_tables.apply(name, list(operands.values()), compute)
        return made

    def _move(self, node: Node, name: str) -> Any:
        form = self.forms.get(node.args[0])  # type: ignore[arg-type]
        dim = node.meta["val"].dim()
        if isinstance(form, Fixed) and form.is_number:
            return size_forms.number(form.value, dim)
        if isinstance(form, Fixed) and form.value is not None and name == "slice":
            form = Cut(form.value, ())
        if isinstance(form, Cut) and form.table.dim() == get_value(node.args[0]).dim():
            start = self.get_start(node) if name == "slice" else 0
            whole = form.move(node, name, start, self._is_open_slice(node, name))
            if whole is not None:
                return whole
        form = self._resolve(form)
        if name == "select" and isinstance(node.args[2], Node):
            return Mixed(Kind.OTHER, shifts=True)
        if isinstance(form, Fixed):
            return Mixed(Kind.OTHER, shifts=True) if opens(node, name) else Fixed(None)
        is_shifted = name in ("flip", "roll") or (
            name == "slice" and self.get_start(node) is None
        )
        if name in ("repeat", "repeat_interleave", "roll") and not self._spreads(node, name):
            return Mixed(Kind.OTHER, shifts=True)
        if isinstance(form, Mixed) and is_shifted:
            if form.kind is Kind.ROWS:
                return Mixed(Kind.OTHER, shifts=True)
            return dataclasses.replace(form, shifts=True)
        if isinstance(form, Mixed) and name == "slice":
            return dataclasses.replace(form, bound=form.bound + (self.get_start(node) or 0))
        if isinstance(form, Steps) and is_shifted:
            line = dataclasses.replace(form.line, sums={}, shifts=True)
            return dataclasses.replace(form, line=line, along=None)
        if not isinstance(form, Steps):
            return form
        return move_steps(node, name, form, self.get_start(node) if name == "slice" else 0)

    def _is_open_slice(self, node: Node, name: str) -> bool:
        """Returns whether the number of rows of a slice is open."""
        if name != "slice":
            return False
        dim: Any = node.args[1] if len(node.args) > 1 else 0
        low, high = self.ranges.get(node.meta["val"].shape[dim])
        return low != high

    def get_start(self, node: Node) -> int | None:
        """Returns the beginning of a slice; None if it depends on a size."""
        start: Any = (node.args[2] if len(node.args) > 2 else 0) or 0
        if isinstance(start, Node):
            low, high = self.ranges.get(start)
            start = low if low == high else -1
        return int(start) if start >= 0 else None

    def _spreads(self, node: Node, name: str) -> bool:
        """Returns whether the number of copies is the same at all sizes."""
        args: Any = node.args
        source = get_value(args[0]).shape
        if name == "repeat_interleave":
            return isinstance(args[1], int)
        times = list(args[1]) if name == "repeat" else []
        sizes = [1] * (len(times) - len(source)) + list(source)
        return bool(times) and all(
            time == 1 or isinstance(size, int) for time, size in zip(times, sizes, strict=True)
        )

    def _concatenate(self, node: Node) -> Form:
        args: Any = node.args
        parts: list[Any] = [self._get(part) for part in args[0]]
        if any(not isinstance(part, Fixed | Steps | Mixed) for part in parts):
            return Mixed(Kind.OTHER, shifts=True)
        numbers = [part.value for part in parts if isinstance(part, Fixed) and part.is_number]
        if len(numbers) == len(parts) and all(bool(n == numbers[0]) for n in numbers):
            return size_forms.number(numbers[0], node.meta["val"].dim())
        name = get_name(node)
        dim: Any = args[1] if len(args) > 1 else node.kwargs.get("dim", 0)
        sizes = [get_value(part).shape[dim] for part in args[0]] if name != "stack" else [1]
        is_open = any(isinstance(size, torch.SymInt) for size in sizes)
        kinds = [settle(part).kind for part in parts if not isinstance(part, Fixed)]
        kind = max(kinds, default=Kind.FLAT)
        if all(isinstance(part, Fixed) for part in parts) and not is_open:
            return Fixed(None)
        joined = size_forms.join(parts, kind)
        if not is_open:
            return joined
        has_waves = kind in (Kind.WAVES, Kind.ROWS, Kind.OTHER) or any(
            isinstance(part, Fixed) and not part.is_number for part in parts
        )
        first_open = isinstance(sizes[0], torch.SymInt)
        before = sum(size for size in sizes if isinstance(size, int))
        return dataclasses.replace(
            joined,
            kind=Kind.OTHER if has_waves else kind,
            bound=joined.bound + before,
            shifts=joined.shifts or first_open,
        )

    def _derive_difference(self, node: Node) -> Form:
        """Returns the form of the differences of adjacent numbers."""
        arguments = bind(node.target, node.args, node.kwargs)
        form, first = self._get(arguments["self"]), self._get(arguments.get("prepend"))
        dim = int(arguments.get("dim", -1)) % node.meta["val"].dim() - node.meta["val"].dim()
        is_plain = arguments.get("n", 1) == 1 and arguments.get("append") is None
        if not isinstance(form, Steps) or form.along != dim or not is_plain:
            return Mixed(Kind.OTHER, shifts=True)
        if first is None:
            return size_forms.collapse(
                dataclasses.replace(size_forms.cut(form, 1), table=form.table.diff())
            )
        if not isinstance(first, Fixed) or not first.is_number:
            return Mixed(Kind.OTHER, shifts=True)
        table = form.table.diff(prepend=first.value)
        return size_forms.collapse(dataclasses.replace(form, table=table))

    def _multiply(self, node: Node, name: str) -> Form:
        forms = [self._get(given) for given in node.args[:2]]
        if not all(isinstance(form, Fixed | Steps | Mixed) for form in forms):
            return Mixed(Kind.OTHER, shifts=True)
        if all(isinstance(form, Fixed) for form in forms):
            return Fixed(None)
        inner = 1 if name == "outer" else get_value(node.args[0]).shape[-1]
        settled = [settle(form) for form in forms]
        kinds = [e.kind for e, f in zip(settled, forms, strict=True) if not isinstance(f, Fixed)]
        if len(kinds) == 1 and isinstance(inner, int) and kinds[0] <= Kind.SCALED:
            return size_forms.join(forms, Kind.SCALED)
        return Mixed(Kind.OTHER, shifts=True)

    def _index(self, node: Node, name: str) -> Form:
        arguments = bind(node.target, node.args, node.kwargs)
        table = self._get(arguments["weight" if name == "embedding" else "self"])
        given = arguments.get("indices", arguments.get("index"))
        dim = int(arguments.get("dim", 0)) if name != "embedding" else 0
        if isinstance(given, list | tuple):
            dims = [d for d, each in enumerate(given) if each is not None]
            dim, given = dims[0], [given[d] for d in dims]
        rows = [self._get(each) for each in (given if isinstance(given, list) else [given])]
        if isinstance(table, Fixed) and table.is_number:
            return size_forms.number(table.value, node.meta["val"].dim())
        if any(not isinstance(each, Fixed | Steps | Mixed) for each in (table, *rows)):
            return Mixed(Kind.OTHER, shifts=True)
        moving = [each for each in rows if not isinstance(each, Fixed)]
        if isinstance(table, Steps) and table.along is not None and isinstance(given, list):
            rank = arguments["self"].meta["val"].dim()
            own = dict(zip(dims, rows, strict=True)).get(rank + table.along)
            if len(dims) == rank and own is not None:
                return compose(table, own)
        if not moving:
            return table if not isinstance(table, Fixed) else Fixed(None)
        shifts = any(size_forms.get_shifts(each) for each in (*moving, table))
        if isinstance(table, Fixed):
            return self._look_up(table, rows, dim)
        if all(isinstance(each, Steps) and size_forms.is_affine(each) for each in moving):
            settled = settle(table)
            moved = sum(abs(int(each.table[0]) - each.line.low) for each in moving)
            return dataclasses.replace(settled, bound=settled.bound + moved, shifts=shifts)
        return Mixed(Kind.OTHER, shifts=shifts)

    def _look_up(self, table: Fixed, rows: Sequence[Any], dim: int) -> Form:
        """Rows of a table of the module at positions."""
        moving = [each for each in rows if not isinstance(each, Fixed)]
        shifts = any(size_forms.get_shifts(each) for each in moving)
        if shifts or table.value is None:
            return Mixed(Kind.OTHER, shifts=True)
        if len(rows) == 1 and isinstance(rows[0], Steps) and size_forms.is_affine(rows[0]):
            first = int(rows[0].table[0])
            whole = table.value.movedim(dim, 0)[max(first, 0) :]
            return size_tables.read_rows(whole, rows[0].line.symbols)
        symbols = frozenset().union(*(size_forms.get_symbols(each) for each in moving))
        return Mixed(Kind.ROWS, is_given=True, symbols=symbols)
