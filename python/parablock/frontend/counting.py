# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Positions that count the tokens which are no padding, told step by step.

Models spell them `cumsum(ids != padding) * (ids != padding) + padding`; an
embedding has a name for that.
"""

from __future__ import annotations

import dataclasses
import enum

from parablock.frontend.ir import Value
from parablock.frontend.lowering import Emitter, Operand
from parablock.frontend.table import Call


class Step(enum.Enum):
    """How far the positions are."""

    REAL = enum.auto()
    SUMS = enum.auto()
    COUNTS = enum.auto()
    POSITIONS = enum.auto()


@dataclasses.dataclass(frozen=True)
class Count:
    """Of an input of tokens, with the number that is padding."""

    ids: Value
    padding: int
    step: Step


def start_count(e: Emitter, call: Call, result: Value) -> Value:
    """Keeps that a comparison tells tokens from padding."""
    ids, padding = call["self"], call["other"]
    is_count = isinstance(padding, int) and not isinstance(padding, bool)
    if not is_count or not e.function.is_input(ids) or ids.rank != 2:
        return result
    return e.remember(result, Count(ids, padding, Step.REAL))


def continue_count(
    e: Emitter, x: Operand, result: Value, step: Step | None = None
) -> Value:
    """The same numbers in another type, or their sums."""
    count = e.recall(x, Count)
    if count is None or (step is Step.SUMS and count.step is not Step.REAL):
        return result
    return e.remember(result, dataclasses.replace(count, step=step or count.step))


def multiply_count(e: Emitter, a: Operand, b: Operand, result: Value) -> Value:
    """Sums that are 0 where padding is."""
    for x, other in ((a, b), (b, a)):
        sums, real = e.recall(x, Count), e.recall(other, Count)
        if sums is None or real is None or sums.step is not Step.SUMS:
            continue
        if real == dataclasses.replace(sums, step=Step.REAL):
            e.remember(result, dataclasses.replace(sums, step=Step.COUNTS))
    return result


def add_to_count(e: Emitter, a: Operand, b: Operand, result: Value) -> Value:
    """Counts from the number of padding on; nothing that is added changes none."""
    for x, number in ((a, b), (b, a)):
        count = e.recall(x, Count)
        if count is None or not isinstance(number, int):
            continue
        if number == 0:
            e.remember(result, count)
        elif number == count.padding and count.step is Step.COUNTS:
            e.remember(result, dataclasses.replace(count, step=Step.POSITIONS))
    return result


def get_positions(e: Emitter, rows: Operand) -> Count | None:
    """What positions count, if they are such."""
    count = e.recall(rows, Count)
    return count if count and count.step is Step.POSITIONS else None
