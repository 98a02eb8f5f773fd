# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of StableHLO."""

import math

from writers import COMPARISONS, Value, Writer, is_float


class StableHlo(Writer):
    """The text of StableHLO, as JAX and torch-mlir print it."""

    NAMES = {
        "neg": "negate", "exp": "exponential", "log": "log", "tanh": "tanh", "sqrt": "sqrt", "rsqrt": "rsqrt", "sin": "sine",
        "cos": "cosine", "abs": "abs", "floor": "floor", "not": "not", "sigmoid": "logistic", "add": "add", "sub": "subtract", "mul": "multiply",
        "div": "divide", "max": "maximum", "min": "minimum", "pow": "power", "and": "and", "or": "or",
    }

    def constant(self, values, shape, element="f32"):
        return self.emit(f"stablehlo.constant dense<{self.dense(values, element)}> : RESULT", shape, element)

    def spread(self, x, shape, element):
        if not isinstance(x, Value):
            x = self.constant(x, (), element)
        if x.shape == tuple(shape):
            return x
        first = len(shape) - len(x.shape)
        places = list(range(first, len(shape)))
        return self.emit(f"stablehlo.broadcast_in_dim {x.name}, dims = {places} : ({x.type}) -> RESULT", shape, x.element)

    broadcast = lambda self, x, shape: self.spread(x, shape, x.element)

    def unary(self, name, x):
        if name == "reciprocal":
            return self.binary("div", 1.0, x)
        if name == "erf":
            return self.emit(f"chlo.erf {x.name} : {x.type} -> RESULT", x.shape, x.element)
        if name == "erfc":
            return self.emit(f"chlo.erfc {x.name} : {x.type} -> RESULT", x.shape, x.element)
        return self.emit(f"stablehlo.{self.NAMES[name]} {x.name} : RESULT", x.shape, x.element)

    def binary(self, name, a, b):
        a, b, shape, element = self.spread_alike(a, b)
        if name in COMPARISONS:
            kind = "FLOAT" if is_float(element) else "SIGNED"
            return self.emit(f"stablehlo.compare {name.upper()}, {a.name}, {b.name}, {kind} : ({a.type}, {b.type}) -> RESULT", shape, "i1")
        return self.emit(f"stablehlo.{self.NAMES[name]} {a.name}, {b.name} : RESULT", shape, element)

    def select(self, condition, a, b):
        a, b, shape, element = self.spread_alike(a, b, condition.shape)
        condition = self.spread(condition, shape, "i1")
        return self.emit(f"stablehlo.select {condition.name}, {a.name}, {b.name} : {condition.type}, RESULT", shape, element)

    def cast(self, x, element):
        return x if x.element == element else self.emit(f"stablehlo.convert {x.name} : ({x.type}) -> RESULT", x.shape, element)

    def reduce(self, name, x, axis, keep=False):
        start = self.constant({"sum": 0.0, "max": -math.inf, "and": 1, "or": 0}[name], (), x.element)
        op = {"sum": "add", "max": "maximum"}.get(name, name)
        shape = [size for d, size in enumerate(x.shape) if d != axis]
        reduced = self.emit(f"stablehlo.reduce({x.name} init: {start.name}) applies stablehlo.{op} across dimensions = [{axis}] : ({x.type}, {start.type}) -> RESULT", shape, x.element)
        return self.reshape(reduced, [1 if d == axis else size for d, size in enumerate(x.shape)]) if keep else reduced

    def einsum(self, spec, a, b):
        inputs, out = spec.split("->")
        left, right = inputs.split(",")
        sizes = dict(zip(left, a.shape)) | dict(zip(right, b.shape))
        batch = [d for d in left if d in right and d in out]
        summed = [d for d in left if d in right and d not in out]
        order = batch + [d for d in left if d not in right] + [d for d in right if d not in left]
        pair = lambda ds: f"{[left.index(d) for d in ds]} x {[right.index(d) for d in ds]}"
        words = ([f"batching_dims = {pair(batch)}"] if batch else []) + [f"contracting_dims = {pair(summed)}"]
        product = self.emit(f"stablehlo.dot_general {a.name}, {b.name}, {', '.join(words)} : ({a.type}, {b.type}) -> RESULT", [sizes[d] for d in order], a.element)
        return self.transpose(product, [order.index(d) for d in out])

    def matmul(self, a, b):
        return self.einsum("nij,njk->nik", a, b)

    def transpose(self, x, order):
        if list(order) == sorted(order):
            return x
        return self.emit(f"stablehlo.transpose {x.name}, dims = {list(order)} : ({x.type}) -> RESULT", [x.shape[d] for d in order], x.element)

    def reshape(self, x, shape):
        return x if tuple(shape) == x.shape else self.emit(f"stablehlo.reshape {x.name} : ({x.type}) -> RESULT", shape, x.element)

    def slice(self, x, starts, sizes, strides):
        ranges = [f"{start}:{start + (size - 1) * stride + 1}" + (f":{stride}" if stride > 1 else "") for start, size, stride in zip(starts, sizes, strides)]
        return self.emit(f"stablehlo.slice {x.name} [{', '.join(ranges)}] : ({x.type}) -> RESULT", sizes, x.element)

    def concat(self, parts, axis):
        shape = list(parts[0].shape)
        shape[axis] = sum(part.shape[axis] for part in parts)
        names, types = ", ".join(part.name for part in parts), ", ".join(part.type for part in parts)
        return self.emit(f"stablehlo.concatenate {names}, dim = {axis} : ({types}) -> RESULT", shape, parts[0].element)

    def iota(self, size, element="i64"):
        return self.emit("stablehlo.iota dim = 0 : RESULT", (size,), element)

    def rows(self, table, ids):
        shape = (*ids.shape, table.shape[1])
        indices = self.reshape(ids, (*ids.shape, 1))
        rank = len(shape)
        return self.emit(
            f'"stablehlo.gather"({table.name}, {indices.name}) <{{dimension_numbers = #stablehlo.gather<offset_dims = [{rank - 1}], '
            f"collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = {rank - 1}>, indices_are_sorted = false, "
            f"slice_sizes = array<i64: 1, {table.shape[1]}>}}> : ({table.type}, {indices.type}) -> RESULT", shape, table.element)
