# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TOSA, in two ways."""

import math

from writers import COMPARISONS, Value, Writer, broadcast_shape, is_float


class Tosa(Writer):
    """TOSA, as torch-mlir and the TFLite converter print it: operands of one rank, no division."""

    def op(self, name, operands, shape, element, attributes=""):
        names = ", ".join(operand.name for operand in operands)
        types = ", ".join(getattr(operand, "type") for operand in operands)
        return self.emit(f"tosa.{name} {names}{attributes} : ({types}) -> RESULT", shape, element)

    def literal(self, text, shape, element):
        value = Value("", shape, element)
        return self.emit(f'"tosa.const"() <{{values = dense<{text}> : {value.type}}}> : () -> RESULT', shape, element)

    def constant(self, values, shape, element="f32"):
        return self.literal(self.dense(values, element), shape, element)

    def sizes(self, numbers):
        shape = Value(self.fresh(), (len(numbers),), "index")
        self.lines.append(f"{shape.name} = tosa.const_shape {{values = dense<{list(numbers)}> : {shape.type}}} : () -> !tosa.shape<{len(numbers)}>")
        return shape, f"!tosa.shape<{len(numbers)}>"

    def shaped(self, name, x, numbers, shape):
        given, kind = self.sizes(numbers)
        return self.emit(f"tosa.{name} {x.name}, {given.name} : ({x.type}, {kind}) -> RESULT", shape, x.element)

    def reshape(self, x, shape):
        return x if tuple(shape) == x.shape else self.shaped("reshape", x, shape, shape)

    def align(self, *operands):
        rank = max(len(operand.shape) for operand in operands)
        return [self.reshape(operand, (1,) * (rank - len(operand.shape)) + operand.shape) for operand in operands]

    def unary(self, name, x):
        if name == "neg":
            zero = self.constant(0.0, (1,), x.element)
            return self.op("negate", [x, zero, zero], x.shape, x.element)
        if name == "sqrt":
            return self.binary("pow", x, 0.5)
        if name == "not":
            return self.op("logical_not", [x], x.shape, x.element)
        return self.op(name, [x], x.shape, x.element)

    def binary(self, name, a, b):
        a, b = self.align(self.lift(a, b), self.lift(b, a))
        shape = broadcast_shape(a.shape, b.shape)
        if name == "div" and is_float(a.element):
            name, b = "mul", self.unary("reciprocal", b)
        if name == "mul":
            shift = self.constant(0, (1,), "i8")
            return self.op("mul", [a, b, shift], shape, a.element)
        if name in ("le", "lt"):
            a, b, name = b, a, {"le": "ge", "lt": "gt"}[name]
        if name == "ne":
            return self.unary("not", self.binary("eq", a, b))
        if name in COMPARISONS:
            name = {"ge": "greater_equal", "gt": "greater", "eq": "equal"}[name]
            return self.op(name, [a, b], shape, "i1")
        if name in ("and", "or"):
            return self.op(f"logical_{name}", [a, b], shape, "i1")
        name = {"max": "maximum", "min": "minimum", "div": "intdiv"}.get(name, name)
        return self.op(name, [a, b], shape, a.element)

    def select(self, condition, a, b):
        a, b = self.lift(a, b), self.lift(b, a)
        operands = self.align(condition, a, b)
        return self.op("select", operands, broadcast_shape(*(x.shape for x in operands)), a.element)

    def cast(self, x, element):
        return x if element == x.element else self.op("cast", [x], x.shape, element)

    def reduce(self, name, x, axis, keep=False):
        shape = [1 if d == axis else size for d, size in enumerate(x.shape)]
        name = {"and": "all", "or": "any"}.get(name, name)
        reduced = self.op(f"reduce_{name}", [x], shape, x.element, f" {{axis = {axis} : i32}}")
        return reduced if keep else self.reshape(reduced, [size for d, size in enumerate(x.shape) if d != axis])

    def matmul(self, a, b):
        zero = self.constant(0.0, (1,), a.element)
        wide = "f32" if a.element in ("bf16", "f16") else a.element
        return self.op("matmul", [a, b, zero, zero], (*a.shape[:2], b.shape[2]), wide)

    def transpose(self, x, order):
        if list(order) == sorted(order):
            return x
        numbers = ", ".join(map(str, order))
        return self.op("transpose", [x], [x.shape[d] for d in order], x.element, f" {{perms = array<i32: {numbers}>}}")

    def slice(self, x, starts, sizes, strides):
        if any(stride != 1 for stride in strides):
            return self.gather_elements(x, starts, sizes, strides)
        start, size = self.sizes(starts), self.sizes(sizes)
        return self.emit(f"tosa.slice {x.name}, {start[0].name}, {size[0].name} : ({x.type}, {start[1]}, {size[1]}) -> RESULT", sizes, x.element)

    def gather_elements(self, x, starts, sizes, strides):
        """A slice with strides is elements of a list, by their numbers."""
        places = [math.prod(x.shape[d + 1:]) for d in range(len(x.shape))]
        indices = [0]
        for start, size, stride, place in zip(starts, sizes, strides, places):
            indices = [index + (start + k * stride) * place for index in indices for k in range(size)]
        flat = self.reshape(x, (1, math.prod(x.shape), 1))
        chosen = self.gather(flat, self.constant([indices], (1, len(indices)), "i32"))
        return self.reshape(chosen, sizes)

    def gather(self, table, rows):
        shape = (table.shape[0], rows.shape[1], table.shape[2])
        return self.op("gather", [table, rows], shape, table.element)

    def rows(self, table, ids):
        ids = self.cast(self.reshape(ids, (1, math.prod(ids.shape))), "i32")
        chosen = self.gather(self.reshape(table, (1, *table.shape)), ids)
        return chosen

    def concat(self, parts, axis):
        shape = list(parts[0].shape)
        shape[axis] = sum(part.shape[axis] for part in parts)
        return self.op("concat", parts, shape, parts[0].element, f" {{axis = {axis} : i32}}")

    def broadcast(self, x, shape):
        x = self.reshape(x, (1,) * (len(shape) - len(x.shape)) + x.shape)
        return self.shaped("tile", x, [to // own for own, to in zip(x.shape, shape)], shape)

    def iota(self, size, element="i64"):
        return self.cast(self.constant(list(range(size)), (size,), "i64"), element)


class TfLite(Tosa):
    """TOSA as the TFLite converter prints it: projections are convolutions with a window of 1x1, copies are sums with
    -0.0."""

    def einsum(self, spec, a, b):
        if spec != "btd,ed->bte":
            return super().einsum(spec, a, b)
        rows, (columns, depth) = a.shape[0] * a.shape[1], b.shape
        zero = self.constant(0.0, (1,), a.element)
        operands = [self.reshape(a, (rows, 1, 1, depth)), self.reshape(b, (columns, 1, 1, depth)), zero, zero, zero]
        attributes = " {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}"
        return self.reshape(self.op("conv2d", operands, (rows, 1, 1, columns), "f32", attributes), (*a.shape[:2], columns))

    def broadcast(self, x, shape):
        return self.binary("add", x, self.constant(-0.0, shape, x.element)) if is_float(x.element) else super().broadcast(x, shape)
