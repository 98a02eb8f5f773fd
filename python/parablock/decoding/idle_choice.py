# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls without a choice of functions that choose tokens; requires NumPy alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from parablock.decoding.spaces import Space

#: Inputs that block-add-caches adds to functions that choose tokens.
CHOICE_INPUTS = {
    "sampling",
    "random",
    "stops",
    "padding",
    "past_seen",
    "past_ended",
    "past_step",
}
CHOICE_RESULTS = {"tokens", "seen", "ended", "lengths", "step"}


class IdleChoice:
    """Arguments with which a function computes logits and chooses no token.

    Its memory is that of the latest number of rows.
    """

    def __init__(self, space: Space, vocabulary: int) -> None:
        self._space, self._vocabulary = space, vocabulary
        self._batch = 0
        self._tensors: dict[str, Any] = {}

    def describe(self, batch: int) -> dict[str, Any]:
        """Returns inputs and results by name."""
        if batch != self._batch:
            # The memory of before is free for the new one.
            self._tensors, self._batch = {}, 0
            self._tensors = self._make(batch)
            self._batch = batch
        return self._tensors

    def _make(self, batch: int) -> dict[str, Any]:
        shapes = {
            "sampling": ((batch, 5), "f64"),
            "random": ((batch, 2), "i64"),
            "stops": ((1,), "i64"),
            "padding": ((1,), "i64"),
            "past_seen": ((batch, self._vocabulary), "i8"),
            "past_ended": ((batch,), "i64"),
            "past_step": ((batch,), "i64"),
            "tokens": ((batch, 1), "i64"),
            "ended": ((batch,), "i64"),
            "lengths": ((batch,), "i64"),
            "step": ((batch,), "i64"),
        }
        arrays = dict(zip(shapes, self._space.allocate([*shapes.values()]), strict=True))
        # Steps below 0 are parts of a prompt, behind which nothing is chosen.
        arrays["past_step"].write(np.full(batch, -1, np.int64))
        # Written in place, so that the marks of all tokens are not copied.
        arrays["seen"] = arrays["past_seen"]
        kinds = {name: kind for name, (_, kind) in shapes.items()} | {"seen": "i8"}
        return {name: self._space.describe(each, kinds[name]) for name, each in arrays.items()}
