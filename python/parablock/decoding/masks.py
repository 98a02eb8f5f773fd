# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comparison of a call's masks and positions with the content of caches."""

from __future__ import annotations

from typing import Any

import numpy as np

from parablock.errors import Error

Array = np.ndarray[Any, Any]


def measure_starts(mask: Array) -> Array:
    """Returns the tokens of padding in front of each row.

    >>> measure_starts(np.array([[0, 0, 1], [1, 1, 1]]))
    array([2, 0])
    """
    if mask.ndim != 2:
        raise Error(
            "attention_mask: expected a mask of padding [batch, tokens], got shape "
            f"{list(mask.shape)}"
        )
    real = mask != 0
    width = real.shape[1]
    starts: Array = width - real.sum(1, dtype=np.int64)
    wrong = (real != (np.arange(width) >= starts[:, None])).any(1)
    if wrong.any():
        row = int(wrong.argmax())
        raise Error(
            "attention_mask: expected the real tokens of a row to be the last ones, with "
            "all its padding in front (tokenizer.padding_side = 'left'), got "
            f"{_draw(real[row])} in row {row}"
        )
    return starts


def _draw(real: Array) -> str:
    """Returns a row of a mask, shortened for a message.

    >>> _draw(np.array([True, False, True])), _draw(np.ones(99, bool))
    ('1 0 1', '1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 ..')
    """
    words = ["1" if each else "0" for each in real[:16]]
    return " ".join(words) + (" .." if len(real) > 16 else "")


def check_starts(mask: Array | None, held: Array, past: int, tokens: int) -> Array:
    """Returns the padding in front of each row after a call of that many tokens.

    `held` is that of the `past` tokens. A mask is of all tokens, of those of the past
    as well; without one, what is new is real.
    """
    if mask is None:
        return held
    if mask.ndim == 2 and mask.shape != (len(held), past + tokens):
        raise Error(
            f"attention_mask: expected [{len(held)}, {past + tokens}], for {past} tokens of "
            f"the past and {tokens} new ones, got {list(mask.shape)}"
        )
    starts = measure_starts(mask)
    # A row that was padding until now may have more of it.
    fits = (starts == held) | ((held == past) & (starts >= past))
    if not fits.all():
        row = int((~fits).argmax())
        raise Error(
            f"attention_mask: expected {held[row]} tokens of padding in front of row {row}, "
            f"as they are in the cache, got {starts[row]}"
        )
    return starts


def check_positions(positions: Array, starts: Array, past: int, tokens: int) -> None:
    """Rejects positions that do not count real tokens."""
    shape = positions.shape
    if len(shape) != 2 or shape[0] not in (1, len(starts)) or shape[1] != tokens:
        raise Error(f"position_ids: expected [{len(starts)}, {tokens}], got {list(shape)}")
    expected = past + np.arange(tokens) - starts[:, None]
    wrong = (expected >= 0) & (positions != expected)
    if wrong.any():
        row, token = np.argwhere(wrong)[0]
        given = np.broadcast_to(positions, wrong.shape)[row, token]
        raise Error(
            "position_ids: expected positions that count the real tokens of a row, "
            f"{expected[row, token]} for token {token} of row {row}, got {given}"
        )


def measure_padding(mask: Array, batch: int, held: int) -> Array:
    """Returns the padding in front of each row of a mask [rows, tokens, keys].

    >>> measure_padding(np.array([[[0, 1, 1, 0]], [[0, 0, 0, 0]]], bool), 2, 2)
    array([1, 3])
    """
    last = np.broadcast_to(mask[:, -1], (batch, mask.shape[-1]))
    end = held + mask.shape[1]
    starts: Array = np.where(last.any(1), last.argmax(1), end).astype(np.int64)
    return starts


def check_counts(
    mask: Array, held: int, starts: Array, first: int = 0, window: int | None = None
) -> None:
    """Rejects a mask that is not causal for real tokens.

    `held` tokens came before, and the first `starts` of each row are padding. Keys are
    numbered from `first`; a window has the latest of them. Rows of padding are not checked.
    """
    ends = held + 1 + np.arange(mask.shape[1])
    keys = first + np.arange(mask.shape[-1])
    begins = starts[:, None]
    if window is not None:
        begins = np.maximum(begins, ends - window)
    expected = (keys >= begins[..., None]) & (keys < ends[:, None])
    wrong = (mask != expected).any(-1) & (ends > starts[:, None])
    if wrong.any():
        row, token = np.argwhere(wrong)[0]
        got = np.broadcast_to(mask, expected.shape)[row, token]
        raise Error(
            f"caches: expected a mask that lets token {token} of row {row} see the keys "
            f"{np.broadcast_to(begins, wrong.shape)[row, token]} to {ends[token] - 1}"
            f"{f' of those from {first} on' if first else ''}, got {_draw(got)}"
        )
