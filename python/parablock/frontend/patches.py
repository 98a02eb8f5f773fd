# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Patches of images as tokens, as a block op.

A model adds what it embeds step by step. Each sum is emitted as the whole that
it is so far; the steps before it are dead then.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import torch

from parablock.frontend.facts import Patches, Rows, Spread
from parablock.frontend.ir import Value, count_elements
from parablock.frontend.lowering import Emitter, Operand


def emit_patches(e: Emitter, patches: Patches) -> Value:
    """Emits [batch, patches, width] of an image [batch, channels, height, width]."""
    batch, _, height, width = patches.pixels.shape
    features, _, rows, columns = patches.weight.shape
    count = (height // rows) * (width // columns)
    value = e.function.emit_named(
        "block.patch_embedding",
        [patches.pixels, patches.weight],
        {
            "bias": patches.bias,
            "class": patches.class_token,
            "positions": patches.positions,
        },
        "",
        (batch, count + (patches.class_token is not None), features),
        patches.pixels.dtype,
    )
    return e.remember(value, patches)


def extend_patches(e: Emitter, a: Operand, b: Operand) -> Value | None:
    """Returns the sum of patches and positions as a block op, if it is one."""
    for x, other in ((a, b), (b, a)):
        patches = e.recall(x, Patches)
        table = _find_table(e, other)
        if patches is None or patches.positions is not None or table is None:
            continue
        if isinstance(x, Value) and table.shape == x.shape[1:]:
            return emit_patches(e, dataclasses.replace(patches, positions=table))
    return None


def _find_table(e: Emitter, operand: Operand) -> Value | None:
    """Returns a parameter as a table with one row for each token."""
    rows = e.recall(operand, Rows)
    if rows is not None:
        counted = torch.arange(rows.table.shape[0])
        is_whole = torch.equal(rows.numbers.reshape(-1), counted)
        return rows.table if is_whole else None
    if not isinstance(operand, Value) or not e.function.is_parameter(operand):
        return None
    if operand.rank < 2 or count_elements(operand.shape[:-2]) != 1:
        return None
    return e.drop_ones(operand, 2)


def start_patches(
    e: Emitter, pixels: Value, weight: Operand, bias: Operand | None
) -> Value | None:
    """Emits a projection of whole patches of an input image, if it is one."""
    known = e.function.is_input(pixels) and e.function.is_parameter(weight)
    if not known or not isinstance(weight, Value) or pixels.rank != 4:
        return None
    if bias is not None and not e.function.is_parameter(bias):
        return None
    if pixels.shape[2] % weight.shape[2] or pixels.shape[3] % weight.shape[3]:
        return None
    given = bias if isinstance(bias, Value) else None
    return emit_patches(e, Patches(pixels, weight, given))


def prepend_class(e: Emitter, parts: Sequence[Operand], dim: int) -> Value | None:
    """Returns patches behind a class token, if it is that."""
    if len(parts) != 2 or dim != 1:
        return None
    patches, spread = e.recall(parts[1], Patches), e.recall(parts[0], Spread)
    if patches is None or spread is None or spread.dim != 0:
        return None
    if count_elements(spread.value.shape[:-1]) != 1:
        return None
    is_plain = patches.class_token is None and patches.positions is None
    if not is_plain or not e.function.is_parameter(spread.value):
        return None
    token = e.drop_ones(spread.value, 1)
    return emit_patches(e, dataclasses.replace(patches, class_token=token))
