# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where streams begin: embeddings of tokens and of patches, as block ops.

A model adds what it embeds step by step. Each sum is emitted as the whole that
it is so far; the steps before it are dead then.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import torch

from parablock.frontend.facts import (
    CountedRows,
    Embedding,
    Patches,
    Rows,
    Spread,
)
from parablock.frontend.ir import Value, count_elements
from parablock.frontend.lowering import Emitter, Operand


def emit_embedding(e: Emitter, embedding: Embedding) -> Value:
    """[batch, tokens, width] of ids [batch, tokens]."""
    value = e.function.emit_named(
        "block.embedding",
        [embedding.ids, embedding.table],
        {
            "positions": embedding.positions,
            "types": embedding.type_ids,
            "type_table": embedding.types,
        },
        f"{_describe_positions(embedding)}, scale = {embedding.scale:.17e} : f64",
        (*embedding.ids.shape, embedding.table.shape[1]),
        embedding.table.dtype,
        separator=" in ",
    )
    return e.remember(value, embedding)


def _describe_positions(embedding: Embedding) -> str:
    if embedding.padding is None:
        return f"position_offset = {embedding.offset} : i64"
    return f"pad_id = {embedding.padding} : i64"


def emit_patches(e: Emitter, patches: Patches) -> Value:
    """[batch, patches, width] of an image [batch, channels, height, width]."""
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


def scale_embedding(e: Emitter, a: Operand, b: Operand) -> Value | None:
    """The product of an embedding and a number, if it is one."""
    for x, number in ((a, b), (b, a)):
        embedding = e.recall(x, Embedding)
        factor = get_number(number)
        if embedding is None or factor is None:
            continue
        if embedding.positions is None and embedding.types is None:
            scale = embedding.scale * factor
            return emit_embedding(e, dataclasses.replace(embedding, scale=scale))
    return None


def get_number(operand: Operand) -> float | None:
    """The number that an operand is for every element."""
    if isinstance(operand, torch.Tensor) and operand.numel() == 1:
        return float(operand)
    if isinstance(operand, int | float) and not isinstance(operand, bool):
        return float(operand)
    return None


def extend_embedding(e: Emitter, a: Operand, b: Operand) -> Value | None:
    """The sum of an embedding and of positions or types, if it is one."""
    for x, other in ((a, b), (b, a)):
        embedding = e.recall(x, Embedding)
        wider = embedding and (
            _add_rows(e, embedding, other)
            or _add_counted(e, embedding, other)
            or _add_types(e, embedding, other)
        )
        if wider is not None:
            return emit_embedding(e, wider)
        patches = e.recall(x, Patches)
        table = _find_table(e, other)
        if patches is None or patches.positions is not None or table is None:
            continue
        if isinstance(x, Value) and table.shape == x.shape[1:]:
            return emit_patches(e, dataclasses.replace(patches, positions=table))
    return None


def _add_rows(e: Emitter, embedding: Embedding, other: Operand) -> Embedding | None:
    """With rows of a table that follow each other, or are all the same one."""
    rows = e.recall(other, Rows)
    if rows is None or rows.table.dtype != embedding.table.dtype:
        return None
    tokens = embedding.ids.shape[1]
    numbers = rows.numbers
    if numbers.dim() > 2 or numbers.shape[-1] != tokens:
        return None
    numbers = numbers.reshape(-1, tokens)
    first = int(numbers[0, 0])
    counted = torch.arange(first, first + tokens)
    if embedding.positions is None and bool((numbers == counted).all()):
        return dataclasses.replace(embedding, positions=rows.table, offset=first)
    if embedding.types is None and bool((numbers == first).all()):
        table = e.slice(rows.table, 0, first, rows.table.shape[0])
        return dataclasses.replace(embedding, types=table)
    return None


def _add_counted(
    e: Emitter, embedding: Embedding, other: Operand
) -> Embedding | None:
    """With rows of a table for tokens that are no padding."""
    rows = e.recall(other, CountedRows)
    if rows is None or rows.table.dtype != embedding.table.dtype:
        return None
    if rows.ids != embedding.ids or embedding.positions is not None:
        return None
    return dataclasses.replace(embedding, positions=rows.table, padding=rows.padding)


def _add_types(e: Emitter, embedding: Embedding, other: Operand) -> Embedding | None:
    """With rows of a second table, chosen by a second input."""
    types = e.recall(other, Embedding)
    plain = types is not None and types.positions is None and types.types is None
    if types is None or not plain or types.scale != 1 or embedding.types is not None:
        return None
    if types.table.dtype != embedding.table.dtype:
        return None
    return dataclasses.replace(embedding, type_ids=types.ids, types=types.table)


def _find_table(e: Emitter, operand: Operand) -> Value | None:
    """A parameter as a table with one row for each token."""
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


def start_embedding(e: Emitter, table: Value, ids: Value) -> Value | None:
    """A table of weights by an input of tokens, if it is that."""
    is_stream = e.function.is_input(ids) and ids.rank == 2 and ids.dtype == "i64"
    if not is_stream or not e.function.is_parameter(table) or table.rank != 2:
        return None
    return emit_embedding(e, Embedding(ids, table))


def start_patches(
    e: Emitter, pixels: Value, weight: Operand, bias: Operand | None
) -> Value | None:
    """A projection of whole patches of an input image, if it is that."""
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
    """A class token before the patches, if it is that."""
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
