# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keys and values of a caller, as rows that a compiled model writes."""

from __future__ import annotations

import torch

from parablock.decoding.call_control import Call
from parablock.frontend.cached_appends import KEYS, Append


def lend_rows(call: Call, number: int, append: Append) -> torch.Tensor:
    """Returns [rows, capacity, width] with a buffer's content and room for new rows.

    It is the buffer's own memory where new rows are written into that. Of a window it
    is a ring, token t in row t modulo its rows.
    """
    buffer = call.buffers[number].detach().transpose(1, 2)
    if append.rows is not None:
        return buffer.flatten(2)
    used, tokens = call.used[number], call.tokens
    capacity = used + tokens
    if append.span is not None:
        # The first token sees all of its window yet when the last one is there.
        capacity = max(capacity, append.span + tokens - 1)
    batch, _, heads, size = buffer.shape
    rows = buffer.new_zeros(batch, capacity, heads, size)
    first = 1 if append.is_full else 0
    places = _get_places(append, call.held - used, call.held, capacity)
    rows[:, places] = buffer[:, first : first + used]
    return rows.flatten(2)


def take_rows(call: Call, number: int, append: Append, rows: torch.Tensor) -> torch.Tensor:
    """Returns the graph's result for a buffer, [rows, heads, ..]."""
    buffer = call.buffers[number]
    rows = rows.view(*rows.shape[:2], buffer.shape[1], buffer.shape[3])
    if append.kept is not None:
        end = call.held + call.tokens
        count = min(append.kept, call.used[number] + call.tokens)
        rows = rows[:, _get_places(append, end - count, end, rows.shape[1])]
    return rows.transpose(1, KEYS)


def _get_places(append: Append, begin: int, end: int, capacity: int) -> torch.Tensor:
    tokens = torch.arange(begin, end)
    return tokens if append.span is None else tokens % capacity
