# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Buffers of keys and values that a model writes in place; requires NumPy alone."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.decoding.memory import Memory
from parablock.decoding.spaces import HOST, Space
from parablock.errors import Error
from parablock.native import get_core_module

if TYPE_CHECKING:
    from parablock._core import TensorInfo

Array = np.ndarray[Any, Any]

#: Initial rows of buffers if the final number is unknown.
_FIRST_CAPACITY = 64
#: Largest number of expected rows that are allocated at once.
_MOST_EXPECTED = 1024
#: Prefix of the name of a ring's size; the number of tokens in its window follows.
_RING = "past_"


@dataclasses.dataclass(frozen=True)
class BufferInfo:
    """A buffer [batch, rows, width], and its name in the model."""

    taken: str
    given: str
    width: int
    kind: str
    #: How many tokens back are seen, where not all are.
    window: int | None = None

    @functools.cached_property
    def ring_rows(self) -> int | None:
        """Returns the rows of a ring for that many tokens in one call."""
        return None if self.window is None else count_ring_rows(self.window)

    def count_rows(self, tokens: int) -> int:
        """Returns the number of rows that hold that many tokens of each batch row."""
        return tokens if self.ring_rows is None else min(tokens, self.ring_rows)


def count_ring_rows(window: int) -> int:
    """Returns how many tokens a ring keeps for a window: some more, which may be taken back."""
    rows: int = get_core_module().count_ring_rows(window)
    return rows


def list_buffers(inputs: Sequence[TensorInfo]) -> list[BufferInfo]:
    """Returns the buffers that a model takes and returns."""
    return [
        BufferInfo(
            i.name, i.name.removeprefix("past_"), i.shape[-1], i.type, _find_window(i.dims)
        )
        for i in inputs
        if i.name.startswith(("past_key.", "past_value."))
    ]


def _find_window(dims: Sequence[str]) -> int | None:
    """Returns the window in the name of a ring's size.

    >>> _find_window(["batch", "past_5"]), _find_window(["batch", "past"])
    (5, None)
    """
    found = [dim.removeprefix(_RING) for dim in dims if dim.startswith(_RING)]
    return int(found[0]) if found else None


def bound_expected(tokens: int) -> int:
    """Returns the number of expected tokens of a row that are allocated at once."""
    return min(tokens, _MOST_EXPECTED)


class Caches:
    """Keys and values of all layers, for rows that continue side by side.

    Every row holds the same number of tokens, of which `starts` are padding in
    front. Buffers have room for more, and double where that is used up: what they
    hold is copied then alone. A buffer that is seen through a window does not grow
    beyond it and some more: it is a ring, token t in row t modulo its rows.
    """

    def __init__(
        self, infos: Sequence[BufferInfo], expected: int = 0, space: Space = HOST
    ) -> None:
        self.infos = tuple(infos)
        #: The memory that buffers lie in.
        self._space = space
        #: Expected tokens.
        self._expected = expected
        self._arrays: list[Any] = []
        #: Tokens of a row that there is room for, in buffers that are no rings.
        self._room = 0
        #: The most tokens that a row has held: rings have no older ones any more.
        self._written = 0
        #: Other buffers of the same shapes, which rows are gathered in.
        self._spare: list[Any] = []
        self._tensors: dict[str, Any] = {}
        #: Tokens that each row holds, and its padding, for the call at hand.
        self._counts: Array = np.zeros((2, 0), np.int64)
        #: Keys and values of an encoder's results; None for a decoder without an encoder.
        self._memory: Memory | None = None
        self.batch = 0
        self.held = 0
        self.starts: Array = np.zeros(0, np.int64)

    @property
    def capacity(self) -> int:
        """Capacity of a row in tokens, apart from rings."""
        return self._room

    @property
    def most_removed(self) -> int:
        """Number of the latest tokens that can be taken back."""
        lost = [
            self._written - info.count_rows(self._written) + info.window - 1
            for info in self.infos
            if info.window is not None and info.count_rows(self._written) < self._written
        ]
        return max(0, self.held - max(lost, default=0))

    def split(self, tokens: int) -> list[int]:
        """Splits new tokens into parts that fit into rings."""
        rings = [(i.ring_rows, i.window) for i in self.infos if i.ring_rows and i.window]
        whole = min((rows for rows, _ in rings), default=None)
        if whole is None or self.held + tokens <= whole:
            return [tokens]
        part = min(rows - window for rows, window in rings)
        return [min(part, tokens - first) for first in range(0, tokens, part)]

    @property
    def arrays(self) -> tuple[Any, ...]:
        """Buffers, in the order of `infos`."""
        return tuple(self._arrays)

    @property
    def memory(self) -> Memory | None:
        return self._memory

    @memory.setter
    def memory(self, memory: Memory | None) -> None:
        self._memory, self._tensors = memory, {}

    @property
    def nbytes(self) -> int:
        own: int = sum(array.nbytes for array in (*self._arrays, *self._spare))
        return own + (self._memory.nbytes if self._memory else 0)

    def describe(self, starts: Array) -> dict[str, Any]:
        """Returns the model's inputs and results of the caches, by name."""
        if not self._tensors:
            make = self._space.describe
            self._counts = np.empty((2, self.batch), np.int64)
            self._tensors["past_lengths"] = make(self._counts[0], "i64")
            self._tensors["starts"] = make(self._counts[1], "i64")
            for info, array in zip(self.infos, self._arrays, strict=True):
                tensor = make(array, info.kind)
                self._tensors[info.taken] = self._tensors[info.given] = tensor
            if self._memory:
                self._tensors |= self._memory.describe()
        self._counts[0], self._counts[1] = self.held, starts
        return self._tensors

    def reserve(self, batch: int, tokens: int) -> None:
        """Reserves room for that many more tokens of each row."""
        if self.held == 0 and batch != self.batch:
            self._release()
            self.batch, self.starts = batch, np.zeros(batch, np.int64)
        self._check_batch(batch)
        needed = self.held + tokens
        if needed > self._room:
            self._grow(needed)
        # A call that fails may have overwritten what rings held.
        self._written = max(self._written if self.held else 0, needed)

    def _check_batch(self, batch: int) -> None:
        if batch != self.batch:
            raise Error(
                f"cache: expected {self.batch} rows, which it holds, "
                f"got {batch}"
            )

    def _grow(self, needed: int) -> None:
        """Replaces buffers by larger ones with the same content; complete rings stay."""
        expected = bound_expected(self._expected)
        room = max(needed, expected, 2 * self._room, _FIRST_CAPACITY)
        old = self._arrays
        rows = [info.count_rows(room) for info in self.infos]
        grown = [i for i, count in enumerate(rows) if not old or old[i].shape[1] != count]
        made = dict(zip(grown, self._allocate(grown, self.batch, room), strict=True))
        for number, new in made.items():
            if old:
                self._copy_rows(new, old[number], range(self.batch), self.held)
        self._replace([made[i] if i in made else old[i] for i in range(len(rows))])
        self._room, self._spare = room, []

    def _copy_rows(self, new: Any, old: Any, rows: Iterable[int], used: int) -> None:
        """Copies entries of the named rows, in that order."""
        rows = [*rows]
        self._space.copy_rows(new, range(len(rows)), old, rows, used)

    def _allocate(self, numbers: Sequence[int], batch: int, room: int) -> list[Any]:
        """Zeros, which the system gives when they are first touched. Rings, which stay when
        other buffers grow, have memory of their own. No state changes, as there may be too
        little memory."""
        made: dict[int, Any] = {}
        for is_ring in (False, True):
            own = [i for i in numbers if (self.infos[i].window is not None) == is_ring]
            shapes = [
                ((batch, info.count_rows(room), info.width), info.kind)
                for info in (self.infos[i] for i in own)
            ]
            made |= zip(own, self._space.allocate(shapes), strict=True)
        return [made[i] for i in numbers]

    def _allocate_all(self, batch: int) -> list[Any]:
        return self._allocate(range(len(self.infos)), batch, self._room)

    def _count_used(self, array: Any) -> int:
        """Returns the number of rows of a buffer in use."""
        rows = int(array.shape[1])
        return self.held if self._written <= rows else rows

    def _replace(self, arrays: list[Any]) -> None:
        self._arrays, self._tensors = arrays, {}

    def _release(self) -> None:
        self._replace([])
        self._spare, self._room, self._written = [], 0, 0

    def note(self, tokens: int, starts: Array) -> None:
        """Records that many written tokens, of rows with that much padding."""
        self.held += tokens
        self._written = max(self._written, self.held)
        self.starts = starts

    def crop(self, tokens: int) -> None:
        """Removes the last tokens of each row."""
        if not 0 <= tokens <= self.held:
            raise Error(
                f"crop: expected at most the {self.held} tokens that the cache holds, "
                f"got {tokens}"
            )
        if tokens > self.most_removed and tokens < self.held:
            raise Error(
                f"crop: expected at most {self.most_removed} tokens, since layers with a "
                f"window have none before them any more, got {tokens}"
            )
        self.held -= tokens
        if self.held == 0:
            self._written = 0
        self.starts = np.minimum(self.starts, self.held)

    def reset(self) -> None:
        """Removes all tokens and the memory of cross-attention, and keeps the buffers."""
        self.memory = None
        self.held = self._written = 0
        self.starts = np.zeros(self.batch, np.int64)

    def reorder(self, rows: Array) -> None:
        """Replaces row i by row `rows[i]`, for all rows."""
        rows = self._check_order(rows)
        if np.array_equal(rows, np.arange(self.batch)):
            return
        memory = self._find_memory(rows)
        if not self._spare:
            self._spare = self._allocate_all(self.batch)
        for new, old in zip(self._spare, self._arrays, strict=True):
            self._copy_rows(new, old, rows, self._count_used(old))
        others, self._spare = self._spare, self._arrays
        self._replace(others)
        self._take(rows, memory)

    def select(self, rows: Array) -> None:
        """Keeps the named rows, in that order, with repetitions."""
        self._select(self._check_rows(rows))

    def repeat(self, times: int) -> None:
        """Repeats each row `times` times, side by side."""
        if times < 1:
            raise Error(f"batch_repeat_interleave: expected 1 or more, got {times}")
        self._select(np.arange(self.batch).repeat(times))

    def _select(self, rows: Array) -> None:
        memory = self._find_memory(rows)
        self._move(rows)
        self._take(rows, memory)

    def _find_memory(self, rows: Array) -> Memory | None:
        """Returns that of those rows, before any state changes."""
        return self._memory.take(rows) if self._memory else None

    def _take(self, rows: Array, memory: Memory | None) -> None:
        """Selects those rows of the state beside the buffers."""
        self.starts = self.starts[rows]
        if memory:
            self.memory = memory

    def copy(self) -> Caches:
        """Returns a copy of the tokens in other memory."""
        made = Caches(self.infos, self._expected, self._space)
        made._copy_state(self)
        if self._arrays:
            made._arrays = made._allocate_all(made.batch)
        for new, old in zip(made._arrays, self._arrays, strict=True):
            self._copy_rows(new, old, range(self.batch), self._count_used(old))
        return made

    def _copy_state(self, other: Caches) -> None:
        """Copies the state beside the buffers."""
        self.batch, self.held, self.starts = other.batch, other.held, other.starts.copy()
        self._room, self._written = other._room, other._written
        self._memory = other._memory

    def _check_order(self, rows: Array) -> Array:
        rows = self._check_rows(rows)
        if len(rows) != self.batch:
            raise Error(f"expected {self.batch} rows to go on with, got {len(rows)}")
        return rows

    def _check_rows(self, rows: Array) -> Array:
        rows = np.asarray(rows)
        if rows.dtype == np.bool_:
            rows = np.flatnonzero(rows)
        rows = rows.astype(np.int64).reshape(-1)
        if rows.size and not 0 <= rows.min() <= rows.max() < self.batch:
            raise Error(f"expected numbers of {self.batch} rows, got {rows.tolist()}")
        return rows

    def _move(self, rows: Array) -> None:
        """Replaces the buffers by ones with copies of those rows."""
        made = self._allocate_all(len(rows)) if self._arrays else []
        for new, array in zip(made, self._arrays, strict=False):
            self._copy_rows(new, array, rows, self._count_used(array))
        self.batch, self._spare = len(rows), []
        self._replace(made)
