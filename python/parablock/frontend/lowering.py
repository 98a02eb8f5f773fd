# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor arithmetic in TOSA, `tensor` and `linalg`, the ops of level 0.

Every function takes and gives values of an `Emitter`; broadcasting, ranks and
element types are put right here, so that the tables of ATen operations say only
what is computed.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import torch

from parablock.calling import SEED
from parablock.dtypes import DTYPES, get_keyword, is_float, widen
from parablock.frontend.ir import (
    FunctionBuilder,
    Shape,
    Value,
    count_elements,
    tensor_type,
)

Operand = Value | torch.Tensor | float | int | bool

Fact = TypeVar("Fact")


def broadcast_shapes(*shapes: Shape) -> Shape:
    return tuple(np.broadcast_shapes(*shapes))


def _pack(tensor: torch.Tensor) -> str:
    """Returns a constant's elements in MLIR's notation."""
    flat = tensor.detach().cpu().contiguous().reshape(-1)
    if flat.numel() and bool((flat == flat[0]).all()):
        return _format_number(flat[0])
    if flat.dtype == torch.bool:
        # Booleans are packed, the first in the lowest bit.
        padded = torch.zeros(math.ceil(flat.numel() / 8) * 8, dtype=torch.int64)
        padded[: flat.numel()] = flat.to(torch.int64)
        weights = 2 ** torch.arange(8, dtype=torch.int64)
        flat = (padded.reshape(-1, 8) * weights).sum(1).to(torch.uint8)
    return f'"0x{flat.view(torch.uint8).numpy().tobytes().hex().upper()}"'


def _shorten(tensor: torch.Tensor) -> torch.Tensor:
    """Returns the constant as f32 if that is exact."""
    short = tensor.float()
    return short if torch.equal(short.double(), tensor.double()) else tensor.double()


def _format_number(element: torch.Tensor) -> str:
    if element.dtype == torch.bool:
        return "true" if bool(element) else "false"
    if not element.dtype.is_floating_point:
        return str(int(element))
    if math.isfinite(float(element)):
        return f"{float(element):.17e}"
    width = element.element_size()
    raw = element.reshape(1).view(torch.uint8).numpy().tobytes()
    return f"0x{int.from_bytes(raw, 'little'):0{2 * width}X}"


@dataclasses.dataclass(frozen=True)
class WholeNumbers:
    """The whole numbers that a value was cast from."""

    source: Value


class Emitter:
    """Emitter of tensor operations into a function."""

    def __init__(
        self, function: FunctionBuilder, *, exact: bool = False, autocast: bool = False
    ) -> None:
        self.function = function
        #: Casts of floats are ops that have gradients.
        self.autocast = autocast
        #: Constants keep what f32 would round away.
        self.is_exact = exact
        self._constants: dict[tuple[str, Shape, str], Value] = {}
        self._facts: dict[tuple[Value, type], object] = {}
        #: The input that says what is dropped at random, once something is.
        self.seed: Value | None = None
        self._sites = 0

    # Facts about values -------------------------------------------------------

    def remember(self, value: Value, fact: object) -> Value:
        """Records a fact on a value, for later rules; returns the value."""
        self._facts[value, type(fact)] = fact
        return value

    def recall(self, value: object, kind: type[Fact]) -> Fact | None:
        """Returns the recorded fact of a kind on a value."""
        if not isinstance(value, Value):
            return None
        fact = self._facts.get((value, kind))
        return fact if isinstance(fact, kind) else None

    # Constants -------------------------------------------------------------

    def constant(self, tensor: torch.Tensor) -> Value:
        if tensor.numel() == 0:
            raise NotImplementedError(
                f"an operand of no elements, of shape {list(tensor.shape)}"
            )
        period = _find_period(tensor)
        if period:
            return self.expand(self.constant(tensor[:period]), tuple(tensor.shape))
        if self.is_exact and tensor.is_floating_point():
            return self.cast(self._emit_constant(_shorten(tensor)), "f32")
        return self._emit_constant(tensor)

    def _emit_constant(self, tensor: torch.Tensor) -> Value:
        dtype = get_keyword(tensor.dtype)
        shape = tuple(tensor.shape)
        text = _pack(tensor)
        key = (text, shape, dtype)
        if key not in self._constants:
            values = f"values = dense<{text}> : {tensor_type(shape, dtype)}"
            self._constants[key] = self.function.emit(
                "tosa.const", [], shape, dtype, values
            )
        return self._constants[key]

    def value(self, operand: Operand, dtype: str, rank: int = 0) -> Value:
        """Returns an operand as a tensor of a type, with at least that many dimensions."""
        if not isinstance(operand, Value):
            if not isinstance(operand, torch.Tensor):
                operand = torch.tensor(operand)
            if operand.is_floating_point() and not is_float(dtype) and dtype != "i1":
                _check_whole(operand, dtype)
            kind = DTYPES[dtype]
            operand = self.constant(operand.to(widen(kind) if self.is_exact else kind))
        result = self.cast(operand, dtype)
        if result.rank < rank:
            ones = (1,) * (rank - result.rank)
            result = self.reshape(result, ones + result.shape)
        return result

    def splat(self, number: float, dtype: str, rank: int) -> Value:
        return self.value(torch.full((1,) * rank, number), dtype)

    # Moves -----------------------------------------------------------------

    def cast(self, x: Value, dtype: str) -> Value:
        if x.dtype == dtype:
            return x
        if "ui8" in (x.dtype, dtype):
            raise NotImplementedError("elements of type torch.uint8")
        if {x.dtype, dtype} == {"bf16", "f16"}:
            x = self.cast(x, "f32")
        if is_float(x.dtype) and not is_float(dtype) and dtype != "i1":
            # TOSA rounds to the nearest whole number, PyTorch cuts.
            x = self.cast(x, "f32") if x.dtype in ("bf16", "f16") else x
            return self.function.emit("arith.fptosi", [x], x.shape, dtype)
        if self.autocast and {x.dtype, dtype} in ({"f32", "bf16"}, {"f32", "f16"}):
            op = "arith.extf" if dtype == "f32" else "arith.truncf"
            return self.function.emit(op, [x], x.shape, dtype)
        made = self.function.emit("tosa.cast", [x], x.shape, dtype)
        return made if is_float(x.dtype) else self.remember(made, WholeNumbers(x))

    def reshape(self, x: Value, shape: Sequence[int]) -> Value:
        shape = tuple(shape)
        if x.shape == shape:
            return x
        sizes = self.function.emit_shape(shape)
        return self.function.emit_text(
            f'"tosa.reshape"({x.name}, {sizes.name}) : '
            f"({x.type}, !tosa.shape<{len(shape)}>) ->",
            shape,
            x.dtype,
        )

    def drop_ones(self, weight: Value, rank: int) -> Value:
        """Returns a weight without its leading dimensions of size 1."""
        extra = weight.rank - rank
        if extra == 0:
            return weight
        groups = [list(range(extra + 1)), *([d] for d in range(extra + 1, weight.rank))]
        return self.function.emit_text(
            f"tensor.collapse_shape {weight.name} {groups} : {weight.type} into",
            weight.shape[extra:],
            weight.dtype,
        )

    def join_weights(self, vectors: Sequence[Value]) -> Value:
        """Concatenates vectors of weights."""
        names = ", ".join(vector.name for vector in vectors)
        types = ", ".join(vector.type for vector in vectors)
        return self.function.emit_text(
            f"tensor.concat dim(0) {names} : ({types}) ->",
            (sum(vector.shape[0] for vector in vectors),),
            vectors[0].dtype,
        )

    def transpose(self, x: Value, order: Sequence[int]) -> Value:
        if list(order) == list(range(x.rank)):
            return x
        perms = ", ".join(map(str, order))
        return self.function.emit(
            "tosa.transpose",
            [x],
            [x.shape[d] for d in order],
            x.dtype,
            f"perms = array<i32: {perms}>",
        )

    def swap_last(self, x: Value) -> Value:
        """Transposes each matrix."""
        order = [*range(x.rank - 2), x.rank - 1, x.rank - 2]
        return self.transpose(x, order)

    def expand(self, x: Value, shape: Sequence[int]) -> Value:
        shape = tuple(shape)
        x = self.reshape(x, (1,) * (len(shape) - x.rank) + x.shape)
        if x.shape == shape:
            return x
        multiples = [wanted // own for own, wanted in zip(x.shape, shape, strict=True)]
        sizes = self.function.emit_shape(multiples)
        return self.function.emit_text(
            f'"tosa.tile"({x.name}, {sizes.name}) : '
            f"({x.type}, !tosa.shape<{len(shape)}>) ->",
            shape,
            x.dtype,
        )

    def slice(self, x: Value, dim: int, start: int, end: int, step: int = 1) -> Value:
        size = max(0, math.ceil((end - start) / step))
        if start == 0 and size == x.shape[dim]:
            return x
        offsets, sizes, strides = [0] * x.rank, list(x.shape), [1] * x.rank
        offsets[dim], sizes[dim], strides[dim] = start, size, step
        return self.function.emit_text(
            f"tensor.extract_slice {x.name}{offsets} {sizes} {strides} : {x.type} to",
            sizes,
            x.dtype,
        )

    def concatenate(self, parts: Sequence[Value], dim: int) -> Value:
        if len(parts) == 1:
            return parts[0]
        shape = list(parts[0].shape)
        shape[dim] = sum(part.shape[dim] for part in parts)
        return self.function.emit(
            "tosa.concat", parts, shape, parts[0].dtype, f"axis = {dim} : i32"
        )

    def surround(
        self, x: Value, dim: int, before: int, after: int, number: float
    ) -> Value:
        """Pads a dimension with a number; a negative padding cuts."""
        x = self.slice(x, dim, max(0, -before), x.shape[dim] - max(0, -after))
        ends = [
            [self.value(torch.full((*x.shape[:dim], n, *x.shape[dim + 1 :]), number), x.dtype)]
            if n > 0
            else []
            for n in (before, after)
        ]
        return self.concatenate([*ends[0], x, *ends[1]], dim)

    def gather(self, table: Value, rows: Value) -> Value:
        """Emits a lookup of rows of a table [n, width] by integers of any shape."""
        shape = (*rows.shape, table.shape[1])
        rank = len(shape)
        loops = ", ".join(f"d{d}" for d in range(rank))
        outer = ", ".join(f"d{d}" for d in range(rank - 1))
        kinds = ", ".join(['"parallel"'] * rank)
        empty = self.function.emit_text("tensor.empty() :", shape, table.dtype)
        return self.function.emit_text(
            f"linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({outer})>, "
            f"affine_map<({loops}) -> ({loops})>], iterator_types = [{kinds}]}} "
            f"ins({rows.name} : {rows.type}) outs({empty.name} : {empty.type}) {{\n"
            f"    ^bb0(%row: {rows.dtype}, %old: {table.dtype}):\n"
            f"      %i = arith.index_cast %row : {rows.dtype} to index\n"
            f"      %j = linalg.index {rank - 1} : index\n"
            f"      %e = tensor.extract {table.name}[%i, %j] : {table.type}\n"
            f"      linalg.yield %e : {table.dtype}\n"
            f"    }} ->",
            shape,
            table.dtype,
        )

    def extract(
        self, x: Value, coordinates: Sequence[Value | int], shape: Shape
    ) -> Value:
        """Emits a lookup of single elements of `x`."""
        rows = [c for c in coordinates if isinstance(c, Value)]
        loops = ", ".join(f"d{d}" for d in range(len(shape)))
        whole = f"affine_map<({loops}) -> ({loops})>"
        kinds = ", ".join(['"parallel"'] * len(shape))
        empty = self.function.emit_text("tensor.empty() :", shape, x.dtype)
        body, places = "", []
        for number, place in enumerate(coordinates):
            places.append(f"%i{number}")
            body += (
                f"      %i{number} = arith.index_cast %row{rows.index(place)} : "
                f"{place.dtype} to index\n"
                if isinstance(place, Value)
                else f"      %i{number} = linalg.index {place} : index\n"
            )
        arguments = [f"%row{i}: {row.dtype}" for i, row in enumerate(rows)]
        return self.function.emit_text(
            f"linalg.generic {{indexing_maps = [{', '.join([whole] * (len(rows) + 1))}], "
            f"iterator_types = [{kinds}]}} "
            f"ins({', '.join(row.name for row in rows)} : "
            f"{', '.join(row.type for row in rows)}) "
            f"outs({empty.name} : {empty.type}) {{\n"
            f"    ^bb0({', '.join([*arguments, f'%old: {x.dtype}'])}):\n{body}"
            f"      %e = tensor.extract {x.name}[{', '.join(places)}] : {x.type}\n"
            f"      linalg.yield %e : {x.dtype}\n"
            f"    }} ->",
            shape,
            x.dtype,
        )

    def cumulate(self, x: Value) -> Value:
        """Emits cumulative sums along the last dimension."""
        loops = [f"d{d}" for d in range(x.rank + 1)]
        rows, source = loops[:-1], [*loops[:-2], loops[-1]]
        kinds = ", ".join(['"parallel"'] * x.rank + ['"reduction"'])
        suffix = "f" if is_float(x.dtype) else "i"
        zero = f"arith.constant {'0.0' if suffix == 'f' else '0'} : {x.dtype}"
        start = self.expand(self.splat(0, x.dtype, x.rank), x.shape)
        maps = ", ".join(
            f"affine_map<({', '.join(loops)}) -> ({', '.join(read)})>"
            for read in (source, rows)
        )
        return self.function.emit_text(
            f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
            f"ins({x.name} : {x.type}) outs({start.name} : {x.type}) {{\n"
            f"    ^bb0(%term: {x.dtype}, %sum: {x.dtype}):\n"
            f"      %row = linalg.index {x.rank - 1} : index\n"
            f"      %column = linalg.index {x.rank} : index\n"
            f"      %zero = {zero}\n"
            f"      %before = arith.cmpi sle, %column, %row : index\n"
            f"      %kept = arith.select %before, %term, %zero : {x.dtype}\n"
            f"      %total = arith.add{suffix} %sum, %kept : {x.dtype}\n"
            f"      linalg.yield %total : {x.dtype}\n"
            f"    }} ->",
            x.shape,
            x.dtype,
        )

    def places(self, shape: Sequence[int], dim: int) -> Value:
        """Emits the place of each element along a dimension; sizes may be open."""
        start = self.expand(self.splat(0, "i64", len(shape)), shape)
        loops = ", ".join(f"d{d}" for d in range(len(shape)))
        kinds = ", ".join(['"parallel"'] * len(shape))
        return self.function.emit_text(
            f"linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({loops})>], "
            f"iterator_types = [{kinds}]}} outs({start.name} : {start.type}) {{\n"
            f"    ^bb0(%before: i64):\n"
            f"      %place = linalg.index {dim} : index\n"
            f"      %number = arith.index_cast %place : index to i64\n"
            f"      linalg.yield %number : i64\n"
            f"    }} ->",
            shape,
            "i64",
        )

    # Arithmetic --------------------------------------------------------------

    def unary(self, op: str, x: Value) -> Value:
        return self.function.emit(f"tosa.{op}", [x], x.shape, x.dtype)

    def binary(
        self, op: str, a: Operand, b: Operand, dtype: str, result: str = ""
    ) -> Value:
        """Emits a binary operation; operands are broadcast and cast."""
        if dtype in ("bf16", "f16") and not (_has_type(a) and _has_type(b)):
            # Numbers of Python are not rounded, only what they make.
            return self.cast(self.binary(op, a, b, "f32", result), result or dtype)
        if dtype == "i1" and op in _OF_TRUTH:
            # Signed, the truth would be the lesser.
            a, b = self.value(a, dtype), self.value(b, dtype)
            op, dtype = _OF_TRUTH[op]
        rank = max(_get_rank(a), _get_rank(b))
        left, right = share_rows(a, b), share_rows(b, a)
        left, right = self.value(left, dtype, rank), self.value(right, dtype, rank)
        shape = broadcast_shapes(left.shape, right.shape)
        operands = [left, right]
        if op == "mul" and is_float(dtype) and (_is_nothing(a) or _is_nothing(b)):
            # TOSA takes the product with 0 for 0, also of what is no number.
            operands = [self.expand(left, shape), self.expand(right, shape)]
            return self.function.emit("arith.mulf", operands, shape, dtype)
        if op == "mul":
            operands.append(self.value(torch.zeros(1, dtype=torch.int8), "i8"))
        return self.function.emit(f"tosa.{op}", operands, shape, result or dtype)

    def add(self, a: Operand, b: Operand, dtype: str) -> Value:
        return self.binary("add", a, b, dtype)

    def subtract(self, a: Operand, b: Operand, dtype: str) -> Value:
        return self.binary("sub", a, b, dtype)

    def multiply(self, a: Operand, b: Operand, dtype: str) -> Value:
        return self.binary("mul", a, b, dtype)

    def divide(self, a: Operand, b: Operand, dtype: str) -> Value:
        if isinstance(b, Value):
            # Not by the reciprocal, which may have no number where the quotient has.
            left, right = self.value(a, dtype), self.cast(b, dtype)
            shape = broadcast_shapes(left.shape, right.shape)
            operands = [self.expand(left, shape), self.expand(right, shape)]
            return self.function.emit("arith.divf", operands, shape, dtype)
        return self.multiply(a, 1.0 / torch.as_tensor(b, dtype=torch.float64), dtype)

    def reciprocal(self, x: Value) -> Value:
        return self.unary("reciprocal", x)

    def negate(self, x: Value) -> Value:
        zero = self.splat(0, x.dtype, 1)
        return self.function.emit("tosa.negate", [x, zero, zero], x.shape, x.dtype)

    def select(self, condition: Operand, a: Operand, b: Operand, dtype: str) -> Value:
        rank = max(_get_rank(condition), _get_rank(a), _get_rank(b))
        data = a if isinstance(a, Value) else b
        operands = [
            self.value(share_rows(condition, data), "i1", rank),
            self.value(a, dtype, rank),
            self.value(b, dtype, rank),
        ]
        shape = broadcast_shapes(*(operand.shape for operand in operands))
        return self.function.emit("tosa.select", operands, shape, dtype)

    def reduce(self, op: str, x: Value, dim: int) -> Value:
        """Emits a reduction of one dimension, which stays with size 1."""
        shape = list(x.shape)
        shape[dim] = 1
        return self.function.emit(
            f"tosa.reduce_{op}", [x], shape, x.dtype, f"axis = {dim} : i32"
        )

    def mean(self, x: Value, dim: int) -> Value:
        return self.multiply(self.reduce("sum", x, dim), 1.0 / x.shape[dim], x.dtype)

    def matmul(self, a: Value, b: Value) -> Value:
        """Emits products of matrices, with broadcast batches; the result is f32."""
        dtype = a.dtype if a.dtype == b.dtype else "f32"
        a, b = self.cast(a, dtype), self.cast(b, dtype)
        batch = broadcast_shapes(a.shape[:-2], b.shape[:-2])
        count = count_elements(batch)
        rows, inner, columns = a.shape[-2], a.shape[-1], b.shape[-1]
        left = self.reshape(self.expand(a, (*batch, rows, inner)), (count, rows, inner))
        right = self.reshape(
            self.expand(b, (*batch, inner, columns)), (count, inner, columns)
        )
        zero = self.splat(0, dtype, 1)
        product = self.function.emit(
            "tosa.matmul", [left, right, zero, zero], (count, rows, columns), "f32"
        )
        return self.reshape(product, (*batch, rows, columns))

    def linear(
        self, x: Value, weight: Value, bias: Operand | None, factor: float = 1.0
    ) -> Value:
        """Emits factor x W^T + b for W of [out, in], rounded once."""
        rows = count_elements(x.shape[:-1])
        flat = self.reshape(x, (rows, x.shape[-1]))
        product = self.matmul(flat, self.transpose(weight, [1, 0]))
        result = self.reshape(product, (*x.shape[:-1], weight.shape[0]))
        if factor != 1.0:
            result = self.multiply(result, factor, "f32")
        if bias is not None:
            result = self.add(result, bias, "f32")
        return self.cast(result, x.dtype)

    def softmax(self, x: Value, dim: int) -> Value:
        shifted = self.subtract(x, self.reduce("max", x, dim), x.dtype)
        powers = self.unary("exp", shifted)
        total = self.reciprocal(self.reduce("sum", powers, dim))
        return self.multiply(powers, total, x.dtype)

    def find_shift(self, x: Value, dim: int) -> Value:
        """Emits the maximum along a dimension as a shift that has no gradient."""
        return self.function.emit_text(
            f'"tosa.reduce_max"({x.name}) <{{axis = {dim} : i32}}> '
            f"{{differentiate.constant = true}} : ({x.type}) ->",
            (*x.shape[:dim], 1, *x.shape[dim + 1 :]),
            x.dtype,
        )

    def log_softmax(self, x: Value, dim: int) -> Value:
        shifted = self.subtract(x, self.find_shift(x, dim), x.dtype)
        total = self.unary("log", self.reduce("sum", self.unary("exp", shifted), dim))
        return self.subtract(shifted, total, x.dtype)

    def safe_softmax(self, x: Value, dim: int) -> Value:
        """Emits a softmax that is 0 in rows of -inf alone."""
        hidden = self.binary("equal", x, float("-inf"), x.dtype, "i1")
        return self.select(
            self.reduce("all", hidden, dim), 0.0, self.softmax(x, dim), x.dtype
        )

    def drop(self, x: Value, rate: float) -> Value:
        """Emits dropout, at a site of its own."""
        if not 0 <= rate < 1:
            raise NotImplementedError(
                f"dropout of p = {rate:g} drops all elements, so that none is left to scale "
                "by 1 / (1 - p): use p below 1, or import the module in evaluation mode"
            )
        if rate == 0:
            return x
        if self.seed is None:
            self.seed = self.function.add_argument((1,), "i64", "block.input", SEED)
        form = f"form = #block.dropout<rate = {rate!r}, site = {self._sites}>"
        self._sites += 1
        return self.function.emit_named(
            "block.dropout", [x], {"seed": self.seed}, form, x.shape, x.dtype
        )


#: Logical operations that replace arithmetic and comparisons of truth values.
_OF_TRUTH = {
    "add": ("logical_or", "i1"),
    "mul": ("logical_and", "i1"),
    "maximum": ("logical_or", "i1"),
    "minimum": ("logical_and", "i1"),
    "bitwise_and": ("logical_and", "i1"),
    "bitwise_or": ("logical_or", "i1"),
    "bitwise_xor": ("logical_xor", "i1"),
    "greater": ("greater", "i32"),
    "greater_equal": ("greater_equal", "i32"),
}


def _check_whole(numbers: torch.Tensor, dtype: str) -> None:
    """Raises an error for numbers that a type of whole numbers would cut, as PyTorch does not."""
    if not bool((numbers == numbers.trunc()).all()):
        raise NotImplementedError(f"numbers with a fraction in an operation of {dtype}")


def _get_rank(operand: Operand) -> int:
    if isinstance(operand, Value):
        return operand.rank
    return operand.dim() if isinstance(operand, torch.Tensor) else 0


def get_dtype(operand: Value | torch.Tensor) -> str:
    """Returns the IR's keyword for an operand's elements."""
    return operand.dtype if isinstance(operand, Value) else get_keyword(operand.dtype)


def _has_type(operand: Operand) -> bool:
    return isinstance(operand, Value | torch.Tensor)


def _is_nothing(operand: Operand) -> bool:
    return not isinstance(operand, Value) and not bool(torch.as_tensor(operand).any())


def share_rows(operand: Operand, other: Operand) -> Operand:
    """Returns a constant without repeated rows, if `other` has them."""
    if not isinstance(operand, torch.Tensor) or not isinstance(other, Value):
        return operand
    for dim in range(-min(operand.dim(), other.rank), 0):
        size = operand.shape[dim]
        if size > 1 and other.shape[dim] == size:
            first = operand.narrow(dim, 0, 1)
            if bool((operand == first).all()):
                operand = first
    return operand


def _find_period(tensor: torch.Tensor) -> int:
    """Returns the period of a constant's rows, as heads repeat in each batch."""
    rows = tensor.shape[0] if tensor.dim() > 1 else 0
    # A constant tensor has a notation of its own.
    first = 1 if rows and bool((tensor[0] != tensor[0].reshape(-1)[0]).any()) else 2
    for period in range(first, rows // 2 + 1):
        if rows % period == 0 and torch.equal(tensor[period:], tensor[:-period]):
            return period
    return 0
