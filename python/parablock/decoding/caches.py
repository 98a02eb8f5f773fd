# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Buffers of keys and values that a model writes in place; NumPy alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.errors import Error
from parablock.native import get_core_module

if TYPE_CHECKING:
    from parablock._core import Tensor, TensorInfo

Array = np.ndarray[Any, Any]

#: Rows that buffers begin with, where nobody says how many there will be.
_FIRST_CAPACITY = 64
#: Rows that are taken at once because somebody expects them.
_MOST_EXPECTED = 1024
#: NumPy's types of elements; bf16 as its 16 bits.
STORED = {"f32": np.float32, "f16": np.float16, "bf16": np.uint16, "f64": np.float64}


@dataclasses.dataclass(frozen=True)
class BufferInfo:
    """A buffer [batch, capacity, width], and what the model calls it."""

    taken: str
    given: str
    width: int
    kind: str


def list_buffers(inputs: Sequence[TensorInfo]) -> list[BufferInfo]:
    """The buffers that a model takes and gives."""
    return [
        BufferInfo(i.name, i.name.removeprefix("past_"), i.shape[-1], i.type)
        for i in inputs
        if i.name.startswith(("past_key.", "past_value."))
    ]


class Caches:
    """Keys and values of all layers, for rows that go on side by side.

    Every row holds the same number of tokens, of which `starts` are padding in
    front. Buffers have room for more, and double where that is used up: what they
    hold is copied then alone.
    """

    def __init__(self, infos: Sequence[BufferInfo], expected: int = 0) -> None:
        self.infos = tuple(infos)
        #: Tokens that somebody expects.
        self._expected = expected
        self._arrays: list[Array] = []
        #: Other buffers of the same shapes, which rows are gathered in.
        self._spare: list[Array] = []
        self._tensors: dict[str, Tensor] = {}
        #: Tokens that each row holds, and its padding, for the call at hand.
        self._counts: Array = np.zeros((2, 0), np.int64)
        self.batch = 0
        self.held = 0
        self.starts: Array = np.zeros(0, np.int64)

    @property
    def capacity(self) -> int:
        """Tokens of a row that there is room for."""
        return int(self._arrays[0].shape[1]) if self._arrays else 0

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in (*self._arrays, *self._spare))

    def describe(self, starts: Array) -> dict[str, Tensor]:
        """What a model takes and gives of them, by name, where so much is padding."""
        if not self._tensors:
            make = get_core_module().Tensor
            self._counts = np.empty((2, self.batch), np.int64)
            self._tensors["past_lengths"] = make(self._counts[0], "i64")
            self._tensors["starts"] = make(self._counts[1], "i64")
            for info, array in zip(self.infos, self._arrays, strict=True):
                tensor = make(array, info.kind)
                self._tensors[info.taken] = self._tensors[info.given] = tensor
        self._counts[0], self._counts[1] = self.held, starts
        return self._tensors

    def reserve(self, batch: int, tokens: int) -> None:
        """Makes room for so many more tokens of each row."""
        if self.held == 0 and batch != self.batch:
            self._release()
            self.batch, self.starts = batch, np.zeros(batch, np.int64)
        if batch != self.batch:
            raise Error(
                f"past_key_values: expected {self.batch} rows, which the cache holds, "
                f"got {batch}"
            )
        needed = self.held + tokens
        if needed <= self.capacity:
            return
        expected = min(self._expected, _MOST_EXPECTED)
        capacity = max(needed, expected, 2 * self.capacity, _FIRST_CAPACITY)
        grown = self._allocate(capacity)
        for new, old in zip(grown, self._arrays, strict=self.held > 0):
            new[:, : self.held] = old[:, : self.held]
        self._replace(grown)
        self._spare = []

    def _allocate(self, capacity: int) -> list[Array]:
        """Zeros, which the system gives when they are first touched."""
        return [
            np.zeros((self.batch, capacity, info.width), STORED[info.kind])
            for info in self.infos
        ]

    def _replace(self, arrays: list[Array]) -> None:
        self._arrays, self._tensors = arrays, {}

    def _release(self) -> None:
        self._replace([])
        self._spare = []

    def crop(self, tokens: int) -> None:
        """Forgets the last tokens of each row."""
        if not 0 <= tokens <= self.held:
            raise Error(
                f"crop: expected at most the {self.held} tokens that the cache holds, "
                f"got {tokens}"
            )
        self.held -= tokens
        self.starts = np.minimum(self.starts, self.held)

    def reset(self) -> None:
        """Forgets all tokens, and keeps the memory."""
        self.held = 0
        self.starts = np.zeros(self.batch, np.int64)

    def reorder(self, rows: Array) -> None:
        """Row i becomes what row `rows[i]` was, for as many rows as there are."""
        rows = self._check_rows(rows)
        if len(rows) != self.batch:
            raise Error(f"expected {self.batch} rows to go on with, got {len(rows)}")
        if np.array_equal(rows, np.arange(self.batch)):
            return
        if not self._spare:
            self._spare = self._allocate(self.capacity)
        for new, old in zip(self._spare, self._arrays, strict=True):
            for row, source in enumerate(rows):
                new[row, : self.held] = old[source, : self.held]
        others, self._spare = self._spare, self._arrays
        self._replace(others)
        self.starts = self.starts[rows]

    def select(self, rows: Array) -> None:
        """Keeps those rows, in that order, any of them as often as it is named."""
        rows = self._check_rows(rows)
        self._gather(lambda array: array[rows], len(rows))
        self.starts = self.starts[rows]

    def repeat(self, times: int) -> None:
        """Each row becomes `times` rows, side by side."""
        if times < 1:
            raise Error(f"batch_repeat_interleave: expected 1 or more, got {times}")
        self._gather(lambda array: array.repeat(times, axis=0), self.batch * times)
        self.starts = self.starts.repeat(times)

    def copy(self) -> Caches:
        """The same tokens in other memory."""
        made = Caches(self.infos, self._expected)
        made.batch, made.held, made.starts = self.batch, self.held, self.starts.copy()
        made._arrays = [array.copy() for array in self._arrays]
        return made

    def _check_rows(self, rows: Array) -> Array:
        rows = np.asarray(rows)
        if rows.dtype == np.bool_:
            rows = np.flatnonzero(rows)
        rows = rows.astype(np.int64).reshape(-1)
        if rows.size and not 0 <= rows.min() <= rows.max() < self.batch:
            raise Error(f"expected numbers of {self.batch} rows, got {rows.tolist()}")
        return rows

    def _gather(self, move: Callable[[Array], Array], batch: int) -> None:
        """Makes buffers of another number of rows, which hold what `move` gives."""
        old, capacity = self._arrays, self.capacity
        self.batch = batch
        if not old:
            return
        made = self._allocate(capacity)
        for new, array in zip(made, old, strict=True):
            new[:, : self.held] = move(array[:, : self.held])
        self._release()
        self._replace(made)
