# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Facts that rules record on values, for later rules.

A fact says what a value is in other words; rules that know better ones than
those the value was spelled in start from there. Unread values are dead then.
"""

from __future__ import annotations

import dataclasses

import torch

from parablock.frontend.ir import Value
from parablock.frontend.lowering import Operand


@dataclasses.dataclass(frozen=True)
class Masked:
    """Data plus a mask that hides by fixed numbers."""

    data: Value
    mask: torch.Tensor


@dataclasses.dataclass(frozen=True)
class Narrowed:
    """A value that was rounded to 16 bits."""

    value: Value


@dataclasses.dataclass(frozen=True)
class Summands:
    """Summands of a rounded sum, if one operation reads it."""

    parts: tuple[Operand, ...]


@dataclasses.dataclass(frozen=True)
class Scaled:
    """A value times a number, if one operation reads it."""

    value: Value
    factor: float


@dataclasses.dataclass(frozen=True)
class Spread:
    """A value whose dimension of size 1 is repeated."""

    value: Value
    dim: int
    times: int


@dataclasses.dataclass(frozen=True)
class Part:
    """A slice of a value."""

    value: Value
    dim: int
    start: int


@dataclasses.dataclass(frozen=True)
class LayerNorm:
    """A norm over the last dimension."""

    value: Value
    weight: Operand | None
    bias: Operand | None
    epsilon: float


@dataclasses.dataclass(frozen=True)
class Rows:
    """Rows of a table at constant positions."""

    table: Value
    numbers: torch.Tensor


@dataclasses.dataclass(frozen=True)
class Patches:
    """Patches of an image as tokens: block.patch_embedding."""

    pixels: Value
    weight: Value
    bias: Value | None = None
    class_token: Value | None = None
    positions: Value | None = None


@dataclasses.dataclass(frozen=True)
class PatchColumns:
    """Patches with tokens in the last dimensions, as a convolution gives them."""

    tokens: Value
