# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scores of attention between operations, which blocks keep unrounded.

Eager attention in 16 bits rounds scores after their product, their scale, their
bias. What was there before is kept beside each result for the next operation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from parablock.frontend.facts import Unrounded
from parablock.frontend.ir import Value
from parablock.frontend.lowering import Emitter, Operand
from parablock.frontend.table import Call


@overload
def unround(e: Emitter, operand: Value) -> Value: ...
@overload
def unround(e: Emitter, operand: Operand) -> Operand: ...
def unround(e: Emitter, operand: Operand) -> Operand:
    """Returns an operand before its rounding, if it is known."""
    unrounded = e.recall(operand, Unrounded)
    return operand if unrounded is None else unrounded.value


def round_scores(
    e: Emitter, exact: Value, call: Call, operands: Sequence[Operand]
) -> Value:
    """Returns a call's result; for scores, records the unrounded value."""
    are_scores = any(e.recall(operand, Unrounded) for operand in operands)
    return keep_unrounded(e, exact, call) if are_scores else e.cast(exact, call.dtype)


def keep_unrounded(e: Emitter, exact: Value, call: Call) -> Value:
    result = e.cast(exact, call.dtype)
    if result != exact and call.has_one_user:
        e.remember(result, Unrounded(exact))
    return result
