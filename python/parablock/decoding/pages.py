# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Caches in pages that rows share; requires NumPy alone."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from parablock.arguments import read_whole
from parablock.decoding.caches import BufferInfo, Caches, bound_expected, count_ring_rows
from parablock.decoding.spaces import HOST, Space
from parablock.errors import Error

Array = np.ndarray[Any, Any]

#: An entry of a table that is no page.
_NONE = -1
#: Rows of a page, and pages of a pool, are 32-bit numbers at most.
_MOST = (1 << 31) - 1


@dataclasses.dataclass(frozen=True)
class Paging:
    """Options of caches in pages."""

    #: Tokens of a page.
    rows: int
    #: Largest number of pages; None is unlimited.
    most: int | None = None
    #: How many tokens back are seen, where no layer sees all.
    window: int | None = None

    @functools.cached_property
    def kept(self) -> int | None:
        """Number of the latest tokens that keep their pages, or None for all."""
        return None if self.window is None else count_ring_rows(self.window)


def read_paging(page_rows: Any, pool_pages: Any) -> Paging | None:
    """Returns the paging of two options; None for contiguous caches."""
    if pool_pages is not None:
        pool_pages = read_whole("pool_pages", pool_pages, 1, _MOST)
    if page_rows is not None:
        return Paging(read_whole("page_rows", page_rows, 1, _MOST), pool_pages)
    if pool_pages is not None:
        raise Error("option 'pool_pages' requires page_rows")
    return None


class PagedCaches(Caches):
    """Keys and values of all layers in pools of pages, and one table for all of them.

    A page is taken when a token comes that has none, and given back when no row has it:
    those of tokens that are taken back, of rows that are left out, of padding, and far
    behind the window, where every layer has one. Rows that are repeated or reordered
    share their pages; who writes into one that others have gets a copy of it first.
    """

    def __init__(
        self,
        infos: Sequence[BufferInfo],
        paging: Paging,
        expected: int = 0,
        space: Space = HOST,
    ) -> None:
        super().__init__(infos, expected, space)
        self._paging = paging
        #: [batch, entries] pages.
        self._table: Array = np.full((0, 0), _NONE, np.int64)
        #: How many entries have a page, for each of them.
        self._users: Array = np.zeros(0, np.int64)
        #: How many entries of every row have lost their page to a window.
        self._lost = 0

    # Properties --------------------------------------------------------------------

    @property
    def capacity(self) -> int:
        return int(self._table.shape[1]) * self._paging.rows

    @property
    def table(self) -> Array:
        """[batch, entries] pages, in no order; -1 where a row has none."""
        return self._table

    @property
    def pages_held(self) -> int:
        """Number of pages in use."""
        return int(np.count_nonzero(self._users))

    @property
    def nbytes_held(self) -> int:
        """Bytes of the pages in use."""
        return sum(self.pages_held * int(array.nbytes // len(array)) for array in self._arrays)

    @property
    def most_removed(self) -> int:
        if self._paging.window is None or not self._lost:
            return self.held
        first = self._lost * self._paging.rows
        return max(0, self.held - first - self._paging.window + 1)

    def split(self, tokens: int) -> list[int]:
        return [tokens]

    def describe(self, starts: Array) -> dict[str, Any]:
        if not self._tensors:
            super().describe(starts)
            self._tensors["pages"] = self._space.describe(self._table, "i64")
        return super().describe(starts)

    # Room --------------------------------------------------------------------------

    def reserve(self, batch: int, tokens: int) -> None:
        if self.held == 0 and batch != self.batch:
            self._replace_table(np.full((batch, self._table.shape[1]), _NONE, np.int64))
            self.batch, self.starts = batch, np.zeros(batch, np.int64)
        self._check_batch(batch)
        size = self._paging.rows
        end = self.held + tokens
        self._widen(-(-end // size))
        entries = self._table[:, self.held // size : -(-end // size)]
        missing, shared = entries == _NONE, self._find_shared(entries[:, 0])
        wanted = int(missing.sum()) + len(shared)
        if not wanted:
            return
        taken = self._take_pages(wanted, end)
        copies, entries[missing] = taken[: len(shared)], taken[len(shared) :]
        for array in self._arrays:
            self._copy_pages(array, copies, array, entries[shared, 0])
        entries[shared, 0] = copies
        self._count_users()

    def _find_shared(self, pages: Array) -> list[int]:
        """Returns rows that must leave a shared page: all but the last."""
        own = pages[pages != _NONE]
        if not (self._users[own] > 1).any():
            return []
        kept = {page: row for row, page in enumerate(pages)}
        return [row for row, page in enumerate(pages) if page != _NONE and kept[page] != row]

    def _widen(self, entries: int) -> None:
        """Widens the table; the expected width is allocated at once."""
        had = self._table.shape[1]
        if entries <= had:
            return
        expected = -(-bound_expected(self._expected) // self._paging.rows)
        table = np.full((self.batch, max(entries, expected, 2 * had)), _NONE, np.int64)
        table[:, :had] = self._table
        self._replace_table(table)

    def _take_pages(self, count: int, tokens: int) -> Array:
        """Returns free pages, touched ones first."""
        pages, most = len(self._users), self._paging.most
        needed = self.pages_held + count
        if needed > pages:
            if most is not None and needed > most:
                raise Error(
                    f"pool_pages: expected room for {count} more pages of "
                    f"{self._paging.rows} tokens, for {self.batch} rows of {tokens} tokens, "
                    f"got {most} pages, {self.pages_held} of which are held"
                )
            self._grow_pools(most or max(needed, self._table.size, 2 * pages))
        taken: Array = np.flatnonzero(self._users == 0)[:count]
        return taken

    def _grow_pools(self, pages: int) -> None:
        had = len(self._users)
        arrays = [self._allocate_pool(info, pages) for info in self.infos]
        for new, old in zip(arrays, self._arrays, strict=False):
            self._copy_pages(new, range(had), old, range(had))
        self._users = np.concatenate([self._users, np.zeros(pages - had, np.int64)])
        self._replace(arrays)

    def _allocate_pool(self, info: BufferInfo, pages: int) -> Any:
        """Zeros, which the system gives when they are first touched."""
        shape = (pages, self._paging.rows, info.width)
        return self._space.allocate_pool("pool_pages", shape, info.kind)

    def _copy_pages(
        self, target: Any, places: Iterable[int], source: Any, pages: Iterable[int]
    ) -> None:
        self._space.copy_rows(target, places, source, pages, self._paging.rows)

    def _replace_table(self, table: Array) -> None:
        """Replaces the table and frees pages that are not in it any more."""
        self._table, self._tensors = np.ascontiguousarray(table), {}
        self._count_users()

    def _count_users(self) -> None:
        pages = self._table[self._table != _NONE]
        self._users = np.bincount(pages, minlength=len(self._users))

    # Changes -----------------------------------------------------------------------

    def note(self, tokens: int, starts: Array) -> None:
        super().note(tokens, starts)
        size, kept = self._paging.rows, self._paging.kept
        if kept is not None:
            self._lost = max(self._lost, (self.held - kept) // size)
        hidden = np.maximum(np.minimum(starts, self.held) // size, self._lost)
        if hidden.any():
            places = np.arange(self._table.shape[1])
            if (self._table[places < hidden[:, None]] != _NONE).any():
                self._table[places < hidden[:, None]] = _NONE
                self._count_users()

    def _forget_unheld(self) -> None:
        """Frees pages of tokens that are not held: taken back, or of a call
        that failed."""
        self._table[:, -(-self.held // self._paging.rows) :] = _NONE
        self._count_users()

    def crop(self, tokens: int) -> None:
        super().crop(tokens)
        self._lost = self._lost if self.held else 0
        self._forget_unheld()

    def reset(self) -> None:
        super().reset()
        self._lost = 0
        self._table[:] = _NONE
        self._count_users()

    def reorder(self, rows: Array) -> None:
        rows = self._check_order(rows)
        if not np.array_equal(rows, np.arange(self.batch)):
            memory = self._find_memory(rows)
            self._forget_unheld()
            self._table[:] = self._table[rows]
            self._count_users()
            self._take(rows, memory)

    def _move(self, rows: Array) -> None:
        self.batch = len(rows)
        self._forget_unheld()
        self._replace_table(self._table[rows])

    def copy(self) -> PagedCaches:
        """Returns a copy of the tokens with no more pages than required."""
        made = PagedCaches(self.infos, self._paging, self._expected, self._space)
        made._copy_state(self)
        made._lost = self._lost
        made._table, made._users = self._table.copy(), self._users.copy()
        made._arrays = [self._allocate_pool(i, len(self._users)) for i in self.infos]
        held = np.flatnonzero(self._users)
        for new, old in zip(made._arrays, self._arrays, strict=False):
            self._copy_pages(new, held, old, held)
        return made
