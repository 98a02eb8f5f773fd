# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of tensors, written in the way of different tools.

A writer has the operations of an array library; each of its subclasses (tosa_writers, linalg_writers, hlo_writer)
prints them as one kind of tool does.
"""

import math


class Value:
    def __init__(self, name, shape, element):
        self.name, self.shape, self.element = name, tuple(shape), element

    @property
    def type(self):
        return f"tensor<{''.join(f'{size}x' for size in self.shape)}{self.element}>"


def is_float(element):
    return element[0] in "fb"


def number(value, element):
    """A number as MLIR reads it in the type `element`."""
    if element == "i1":
        return "true" if value else "false"
    if not is_float(element):
        return str(int(value))
    if math.isinf(value):
        digits = {"f32": "7F800000", "f64": "7FF0000000000000", "f16": "7C00", "bf16": "7F80"}[element]
        return "0x" + (format(int(digits, 16) | 8 << 4 * (len(digits) - 1), "X") if value < 0 else digits)
    return f"{value:.9e}"


def broadcast_shape(*shapes):
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    return tuple(max(sizes) for sizes in zip(*padded))


COMPARISONS = ("ge", "gt", "le", "lt", "eq", "ne")


class Writer:
    def __init__(self):
        self.lines, self.arguments, self.names = [], [], 0

    # Values

    def fresh(self):
        self.names += 1
        return f"%v{self.names}"

    def emit(self, text, shape, element):
        value = Value(self.fresh(), shape, element)
        self.lines += f"{value.name} = {text.replace('RESULT', value.type)}".splitlines()
        return value

    def argument(self, name, shape, element="f32", attributes=""):
        value = Value(f"%{name}", shape, element)
        self.arguments.append(f"{value.name}: {value.type}{attributes and ' {' + attributes + '}'}")
        return value

    def dense(self, values, element):
        if isinstance(values, (list, tuple)):
            return "[" + ", ".join(self.dense(value, element) for value in values) + "]"
        return number(values, element)

    def module(self, results):
        """The text of a function that returns `results`."""
        types = ", ".join(result.type for result in results)
        body = "".join(f"  {line}\n" for line in self.lines)
        names = ", ".join(result.name for result in results)
        arguments = ", ".join(self.arguments)
        return f"func.func @main({arguments}) -> ({types}) {{\n{body}  return {names} : {types}\n}}\n"

    # What every tool says with the operations of its own

    def lift(self, x, like):
        """Numbers are constants of one element."""
        return x if isinstance(x, Value) else self.constant(x, (), like.element)

    def spread_alike(self, a, b, *shapes):
        """Both in the shape that they and `shapes` are broadcast to, for tools whose operations want that; it, and
        their element."""
        tensors = [x for x in (a, b) if isinstance(x, Value)]
        element, shape = tensors[0].element, broadcast_shape(*shapes, *(x.shape for x in tensors))
        return self.spread(a, shape, element), self.spread(b, shape, element), shape, element

    def add(self, a, b):
        return self.binary("add", a, b)

    def sub(self, a, b):
        return self.binary("sub", a, b)

    def mul(self, a, b):
        return self.binary("mul", a, b)

    def div(self, a, b):
        return self.binary("div", a, b)

    def swap(self, x, i, j):
        order = list(range(len(x.shape)))
        order[i], order[j] = order[j], order[i]
        return self.transpose(x, order)

    def part(self, x, axis, start, size, stride=1):
        starts, sizes, strides = [0] * len(x.shape), list(x.shape), [1] * len(x.shape)
        starts[axis], sizes[axis], strides[axis] = start, size, stride
        return self.slice(x, starts, sizes, strides)

    def einsum(self, spec, a, b):
        """By transpositions, reshapes and a product of matrices."""
        inputs, out = spec.split("->")
        left, right = inputs.split(",")
        sizes = dict(zip(left, a.shape)) | dict(zip(right, b.shape))
        batch = [d for d in left if d in right and d in out]
        summed = [d for d in left if d in right and d not in out]
        rows = [d for d in left if d not in right]
        columns = [d for d in right if d not in left]
        count = lambda dims: math.prod(sizes[d] for d in dims)
        a = self.transpose(a, [left.index(d) for d in batch + rows + summed])
        b = self.transpose(b, [right.index(d) for d in batch + summed + columns])
        a = self.reshape(a, (count(batch), count(rows), count(summed)))
        b = self.reshape(b, (count(batch), count(summed), count(columns)))
        order = batch + rows + columns
        product = self.reshape(self.matmul(a, b), [sizes[d] for d in order])
        return self.transpose(product, [order.index(d) for d in out])
