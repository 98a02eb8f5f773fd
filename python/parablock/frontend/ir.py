# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text of an MLIR function, written value by value."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence

Shape = tuple[int, ...]

#: Values of `differentiate.frozen_row` for lookups of a table that freeze no row, or
#: different ones.
_NO_ROW, SEVERAL_ROWS = -1, -2


@dataclasses.dataclass(frozen=True)
class Value:
    """A tensor of the function that is being written."""

    name: str
    shape: Shape
    dtype: str

    @property
    def type(self) -> str:
        return tensor_type(self.shape, self.dtype)

    @property
    def rank(self) -> int:
        return len(self.shape)


def tensor_type(shape: Iterable[int], dtype: str) -> str:
    """Returns MLIR's text of a tensor type.

    >>> tensor_type((2, 3), "bf16")
    'tensor<2x3xbf16>'
    """
    return f"tensor<{''.join(f'{size}x' for size in shape)}{dtype}>"


def quote(text: str) -> str:
    """Returns a string literal of MLIR.

    >>> quote('a "b"')
    '"a \\\\"b\\\\""'
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class FunctionBuilder:
    """Collects arguments, operations and results."""

    def __init__(self) -> None:
        self._arguments: list[str] = []
        self._lines: list[str] = []
        self._roles: dict[Value, str] = {}
        #: Rows of arguments that lookups leave out of gradients.
        self._frozen_rows: dict[Value, int] = {}
        self._count = 0
        self._location = ""

    def set_location(self, file: str, line: int) -> None:
        """Sets the location of the following operations."""
        self._location = f" loc({quote(file)}:{line}:1)"

    def add_argument(
        self, shape: Iterable[int], dtype: str, role: str, name: str
    ) -> Value:
        """Adds an argument that is a `block.input` or a `block.param`."""
        value = Value(f"%arg{len(self._arguments)}", tuple(shape), dtype)
        attribute = f"{{{role} = {quote(name)}}}"
        self._roles[value] = role
        self._arguments.append(f"{value.name}: {value.type} {attribute}")
        return value

    def freeze_row(self, table: Value, row: int) -> None:
        """Marks a row of an argument whose lookups give no gradient; -1 marks none."""
        before = self._frozen_rows.setdefault(table, row)
        self._frozen_rows[table] = row if row == before else SEVERAL_ROWS

    def is_input(self, value: object) -> bool:
        return isinstance(value, Value) and self._roles.get(value) == "block.input"

    def is_parameter(self, value: object) -> bool:
        return isinstance(value, Value) and self._roles.get(value) == "block.param"

    def emit(
        self,
        op: str,
        operands: Sequence[Value],
        shape: Iterable[int],
        dtype: str,
        properties: str = "",
    ) -> Value:
        """Emits an operation with one tensor result, in the generic form."""
        names = ", ".join(operand.name for operand in operands)
        types = ", ".join(operand.type for operand in operands)
        inherent = f" <{{{properties}}}>" if properties else ""
        return self.emit_text(
            f"{quote(op)}({names}){inherent} : ({types}) ->", shape, dtype
        )

    def emit_text(self, text: str, shape: Iterable[int], dtype: str) -> Value:
        """Emits an operation in its own form, whose text ends before its type."""
        value = self._make_value(shape, dtype)
        self._lines.append(f"    {value.name} = {text} {value.type}{self._location}")
        return value

    def emit_named(
        self,
        op: str,
        operands: Sequence[Value],
        named: Mapping[str, Value | None],
        attributes: str,
        shape: Iterable[int],
        dtype: str,
    ) -> Value:
        """Emits a block op: operands, then optional ones behind their keywords."""
        text = self._spell_named(op, operands, named, attributes)
        return self.emit_text(text, shape, dtype)

    def emit_several(
        self,
        op: str,
        operands: Sequence[Value],
        named: Mapping[str, Value | None],
        attributes: str,
        results: Sequence[tuple[Shape, str]],
    ) -> tuple[Value, ...]:
        """Emits a block op with several results, of these shapes and types."""
        values = tuple(self._make_value(shape, dtype) for shape, dtype in results)
        names = ", ".join(value.name for value in values)
        types = ", ".join(value.type for value in values)
        text = self._spell_named(op, operands, named, attributes)
        self._lines.append(f"    {names} = {text} ({types}){self._location}")
        return values

    def _spell_named(
        self,
        op: str,
        operands: Sequence[Value],
        named: Mapping[str, Value | None],
        attributes: str,
    ) -> str:
        given = {word: value for word, value in named.items() if value is not None}
        text = ", ".join(operand.name for operand in operands)
        text += "".join(f" {word} {value.name}" for word, value in given.items())
        types = ", ".join(value.type for value in (*operands, *given.values()))
        return f"{op} {text} {{{attributes}}} : ({types}) ->"

    def emit_shape(self, shape: Sequence[int]) -> Value:
        """Emits a shape operand of TOSA."""
        value = self._make_value((), "index")
        rank = len(shape)
        numbers = f"dense<[{', '.join(map(str, shape))}]> : tensor<{rank}xindex>"
        if rank == 0:
            numbers = "dense<> : tensor<0xindex>"
        self._lines.append(
            f"    {value.name} = tosa.const_shape {{values = {numbers}}} : "
            f"() -> !tosa.shape<{rank}>{self._location}"
        )
        return value

    def finish(
        self, results: Sequence[tuple[str, Value]], name: str, attributes: str = ""
    ) -> str:
        """Returns the function's text; results are by name."""
        names = ", ".join(value.name for _, value in results)
        types = ", ".join(value.type for _, value in results)
        outputs = ", ".join(
            f"{value.type} {{block.output = {quote(name)}}}" for name, value in results
        )
        for table, row in self._frozen_rows.items():
            number = int(table.name.removeprefix("%arg"))
            if row != _NO_ROW:
                row = -1 if row == SEVERAL_ROWS else row
                text = self._arguments[number].removesuffix("}")
                self._arguments[number] = f"{text}, differentiate.frozen_row = {row} : i64}}"
        return "\n".join(
            [
                f"  func.func @{name}({', '.join(self._arguments)}) -> ({outputs}){attributes} {{",
                *self._lines,
                f"    return {names} : {types}",
                "  }",
                "",
            ]
        )

    def _make_value(self, shape: Iterable[int], dtype: str) -> Value:
        self._count += 1
        return Value(f"%{self._count}", tuple(shape), dtype)


def count_elements(shape: Iterable[int]) -> int:
    return math.prod(shape)
