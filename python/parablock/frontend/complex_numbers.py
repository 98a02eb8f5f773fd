# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex numbers as two values, for rotations of queries and keys."""

from __future__ import annotations

import dataclasses
from typing import Any

import torch

from parablock.frontend.ir import Value
from parablock.frontend.lowering import Emitter, Operand


@dataclasses.dataclass(frozen=True)
class Complex:
    """Real and imaginary parts of one shape."""

    real: Value
    imaginary: Value


def is_complex(node: torch.fx.Node) -> bool:
    """Returns whether an operation's result is one complex tensor."""
    example = node.meta.get("val")
    return isinstance(example, torch.Tensor) and example.is_complex()


def spell(e: Emitter, op: str, args: tuple[Any, ...]) -> Complex | Value | None:
    """Returns the result of an operation on complex numbers, or None if it is unknown."""
    if op == "aten.view_as_complex.default":
        x: Value = args[0]
        first, second = (
            e.reshape(e.slice(x, x.rank - 1, i, i + 1), x.shape[:-1]) for i in (0, 1)
        )
        return Complex(first, second)
    if op == "aten.view_as_real.default":
        parts = (args[0].real, args[0].imaginary)
        return e.concatenate([e.reshape(x, (*x.shape, 1)) for x in parts], parts[0].rank)
    if op == "aten.mul.Tensor" and not _is_real(args[0]) and not _is_real(args[1]):
        return _multiply(e, _split(args[0]), _split(args[1]))
    return None


def _is_real(operand: Any) -> bool:
    is_constant = isinstance(operand, torch.Tensor) and operand.is_complex()
    return not is_constant and not isinstance(operand, Complex)


def _split(operand: Any) -> tuple[Operand, Operand]:
    if isinstance(operand, Complex):
        return operand.real, operand.imaginary
    return operand.real.contiguous(), operand.imag.contiguous()


def _multiply(
    e: Emitter, first: tuple[Operand, Operand], second: tuple[Operand, Operand]
) -> Complex:
    (a, b), (c, d) = first, second
    real = e.subtract(e.multiply(a, c, "f32"), e.multiply(b, d, "f32"), "f32")
    return Complex(real, e.add(e.multiply(a, d, "f32"), e.multiply(b, c, "f32"), "f32"))
