# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A graph of ONNX in the making: nodes, constants and weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from parablock.exporting import protobuf

#: Operators are those of this set of ONNX: the first with Attention and RMSNormalization.
OPSET = 23


class Graph:
    """Nodes in their order; a value is its name."""

    def __init__(self) -> None:
        self.nodes: list[bytes] = []
        self.constants: list[bytes] = []
        self._known: dict[Any, str] = {}
        self._rows: dict[str, str] = {}
        self._count = 0

    def add(self, kind: str, *inputs: str, **values: protobuf.Value) -> str:
        """Adds a node with one result; an empty name is an input that is left out."""
        return self.add_many(kind, 1, *inputs, **values)[0]

    def add_many(self, kind: str, count: int, *inputs: str, **values: protobuf.Value) -> list[str]:
        # The same of the same is computed once: positions, masks and rotations of all layers.
        key = (kind, inputs, tuple((n, str(v)) for n, v in sorted(values.items())), count)
        if key in self._known:
            return self._known[key].split(" ")
        names = [f"{kind.lower()}_{self._count + place}" for place in range(count)]
        self._count += count
        self.nodes.append(protobuf.node(kind, inputs, names, **values))
        self._known[key] = " ".join(names)
        return names

    def keep_rows(self, value: str, source: str) -> None:
        """Notes that the first two sizes of a value are those of another one."""
        self._rows.setdefault(value, self._rows.get(source, source))

    def find_rows(self, value: str) -> str:
        """Returns the first value with the first two sizes of `value`."""
        return self._rows.get(value, value)

    def alias(self, value: str, name: str) -> None:
        """Gives a value the name of an output."""
        self.nodes.append(protobuf.node("Identity", [value], [name]))

    def constant(self, value: Any, dtype: type = np.float32) -> str:
        array: np.ndarray[Any, Any] = np.asarray(value, dtype)
        key = (array.dtype.name, array.shape, array.tobytes())
        if key not in self._known:
            name = f"constant_{len(self.constants)}"
            self.constants.append(protobuf.tensor(name, array.shape, array.dtype, array.tobytes()))
            self._known[key] = name
        return self._known[key]

    def whole(self, *numbers: int) -> str:
        """Returns a list of whole numbers."""
        return self.constant(numbers, np.int64)

    # Parts of several ops --------------------------------------------------------

    def scale(self, x: str, factor: float) -> str:
        return x if factor == 1.0 else self.add("Mul", x, self.constant(factor))

    def linear(self, x: str, weight: str, bias: str | None) -> str:
        """Returns x W^T + b of a weight by rows of outputs."""
        y = self.add("MatMul", x, self.add("Transpose", weight, perm=[1, 0]))
        return y if bias is None else self.add("Add", y, bias)

    def cap(self, x: str, limit: float) -> str:
        """Returns limit tanh(x / limit)."""
        return self.scale(self.add("Tanh", self.scale(x, 1 / limit)), limit)

    def size(self, x: str, dim: int) -> str:
        """Returns a size of a value as a number without dimensions."""
        shape = self.add("Shape", x, start=dim, end=dim + 1)
        return self.add("Squeeze", shape, self.whole(0))

    def count_up(self, size: str) -> str:
        """Returns 0, 1, .. below `size`."""
        zero, one = self.constant(0, np.int64), self.constant(1, np.int64)
        return self.add("Range", zero, size, one)

    def split_heads(self, x: str, heads: int) -> str:
        """Returns [batch, heads, tokens, width] of [batch, tokens, heads * width]."""
        parts = self.add("Reshape", x, self.whole(0, 0, heads, -1))
        return self.add("Transpose", parts, perm=[0, 2, 1, 3])

    def merge_heads(self, x: str) -> str:
        turned = self.add("Transpose", x, perm=[0, 2, 1, 3])
        return self.add("Reshape", turned, self.whole(0, 0, -1))

    def activate(self, kind: str, x: str) -> str | None:
        """Returns an activation; None if there is none of this kind."""
        simple = {
            "relu": "Relu",
            "sigmoid": "Sigmoid",
            "tanh": "Tanh",
            "hardswish": "HardSwish",
            "mish": "Mish",
            "softplus": "Softplus",
        }
        if kind in simple:
            return self.add(simple[kind], x)
        if kind == "identity":
            return x
        if kind == "relu_squared":
            y = self.add("Relu", x)
            return self.add("Mul", y, y)
        if kind in ("gelu_erf", "gelu_tanh"):
            return self.add("Gelu", x, approximate="tanh" if kind == "gelu_tanh" else "none")
        if kind in ("silu", "quick_gelu"):
            inner = self.scale(x, 1.702) if kind == "quick_gelu" else x
            return self.add("Mul", x, self.add("Sigmoid", inner))
        return None


def list_slopes(heads: int, most: float) -> list[float]:
    """Returns the slopes of ALiBi (`#block.scores`).

    >>> list_slopes(4, 8.0), list_slopes(3, 8.0)
    ([0.25, 0.0625, 0.015625, 0.00390625], [0.0625, 0.00390625, 0.25])
    """
    power = 2 ** math.ceil(math.log2(heads))
    slopes = [2.0 ** (-most * k / power) for k in range(1, power + 1)]
    return slopes if power == heads else [*slopes[1::2], *slopes[::2]][:heads]


def find_frequencies(rope: dict[str, Any]) -> list[float]:
    """Returns the frequencies of a rotation (`#block.rope`)."""
    given = rope.get("inv_freq")
    if given is not None:
        return [float(each) for each in (given if isinstance(given, Sequence) else [given])]
    base, dim = float(rope.get("base", 10000.0)), int(rope["dim"])
    return [base ** (-2.0 * i / dim) for i in range(dim // 2)]
