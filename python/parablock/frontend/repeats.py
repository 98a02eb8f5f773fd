# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Repeated heads: what is done to every copy is done once, before the copies.

Grouped queries share heads of keys and values. Where a model repeats those
first and rotates the copies, the rotation is emitted of the heads themselves.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from parablock.frontend.facts import Repeat, Spread
from parablock.frontend.ir import Value
from parablock.frontend.lowering import Emitter
from parablock.frontend.table import Call, Result, Rule, normalise_dim

_TRANSPOSITIONS = ("aten.transpose.int", "aten.permute.default")
_POINTWISE = (
    "aten.mul.Tensor",
    "aten.add.Tensor",
    "aten.sub.Tensor",
    "aten.neg.default",
    "aten._to_copy.default",
)
#: Operations along one dimension.
_ALONG = ("aten.slice.Tensor", "aten.cat.default")


def note_repeat(e: Emitter, x: Value, result: Value) -> Value:
    """Keeps that a reshape joins a spread dimension with the one before it."""
    spread = e.recall(x, Spread)
    if spread is None or spread.dim == 0:
        return result
    dim = spread.dim - 1
    shape = (*x.shape[:dim], x.shape[dim] * spread.times, *x.shape[spread.dim + 1 :])
    if result.shape != shape:
        return result
    source = e.reshape(
        spread.value, (*x.shape[: spread.dim], *x.shape[spread.dim + 1 :])
    )
    return e.remember(result, Repeat(source, dim, spread.times))


def apply(e: Emitter, rule: Rule, call: Call) -> Result:
    """What the rule gives, of what is repeated where all operands agree."""
    if call.op in _TRANSPOSITIONS:
        return _transpose(e, rule, call)
    operands = _get_operands(call)
    found = {r for x in operands if (r := _get_repeat(e, x)) is not None}
    if call.op not in (*_POINTWISE, *_ALONG) or len(found) != 1:
        return rule(e, call)
    (from_end, times) = found.pop()
    dim = len(call.shape) + from_end
    blocked = call.op in _ALONG and dim == normalise_dim(
        call.get("dim", 0), len(call.shape)
    )
    sources = {x: _get_source(e, x, from_end) for x in operands}
    if blocked or any(source is None for source in sources.values()):
        return rule(e, call)
    shape = (*call.shape[:dim], call.shape[dim] // times, *call.shape[dim + 1 :])
    arguments = {k: _replace(a, sources) for k, a in call.arguments.items()}
    inner = rule(e, dataclasses.replace(call, arguments=arguments, shape=shape))
    return _repeat(e, inner, dim, times) if isinstance(inner, Value) else rule(e, call)


def _transpose(e: Emitter, rule: Rule, call: Call) -> Result:
    repeat = e.recall(call["self"], Repeat)
    if repeat is None:
        return rule(e, call)
    order = list(range(len(call.shape)))
    if call.op == "aten.permute.default":
        order = [normalise_dim(d, len(order)) for d in call["dims"]]
    else:
        a, b = (normalise_dim(call[d], len(order)) for d in ("dim0", "dim1"))
        order[a], order[b] = order[b], order[a]
    return _repeat(
        e, e.transpose(repeat.value, order), order.index(repeat.dim), repeat.times
    )


def _repeat(e: Emitter, x: Value, dim: int, times: int) -> Value:
    """Every index of a dimension so often in a row."""
    before, after = x.shape[: dim + 1], x.shape[dim + 1 :]
    spread = e.expand(e.reshape(x, (*before, 1, *after)), (*before, times, *after))
    result = e.reshape(spread, (*x.shape[:dim], x.shape[dim] * times, *after))
    return e.remember(result, Repeat(x, dim, times))


def _get_operands(call: Call) -> list[Any]:
    found: list[Any] = []
    for argument in call.arguments.values():
        parts = argument if isinstance(argument, list | tuple) else [argument]
        found += [part for part in parts if hasattr(part, "shape")]
    return found


def _get_repeat(e: Emitter, x: Any) -> tuple[int, int] | None:
    """The repeated dimension, counted from the end, and how often."""
    repeat = e.recall(x, Repeat)
    return None if repeat is None else (repeat.dim - len(x.shape), repeat.times)


def _get_source(e: Emitter, x: Any, from_end: int) -> Any:
    """What is repeated, or an operand that all copies share."""
    repeat = e.recall(x, Repeat)
    if repeat is not None:
        return repeat.value
    shared = len(x.shape) < -from_end or x.shape[from_end] == 1
    return x if shared else None


def _replace(argument: Any, sources: dict[Any, Any]) -> Any:
    if isinstance(argument, list | tuple):
        return [_replace(part, sources) for part in argument]
    return sources.get(argument, argument) if hasattr(argument, "shape") else argument
