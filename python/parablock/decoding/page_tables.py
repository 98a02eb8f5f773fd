# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model over pages that the caller assigns to rows; requires NumPy alone."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.arguments import make_error, read_whole
from parablock.copying import NotCopied
from parablock.decoding.caches import BufferInfo
from parablock.decoding.decoder import Decoder, DecoderChoices, read_target
from parablock.decoding.elements import STORED
from parablock.decoding.pages import read_paging
from parablock.decoding.spaces import HOST
from parablock.device import allocate_like, view_device
from parablock.errors import Error
from parablock.tensors import is_torch

if TYPE_CHECKING:
    from parablock.model import ModelValue
    from parablock.target import CodeFolder

Array = np.ndarray[Any, Any]


def make_paged_decoder(
    model: ModelValue,
    page_rows: int,
    target: str,
    threads: int,
    form: str | None,
    cache: CodeFolder,
) -> PagedDecoder:
    """Returns the decoder of `Model.paged_decoder`."""
    paging = read_paging(page_rows, None)
    if paging is None:
        raise make_error("page_rows", "a whole number", None)
    choices = DecoderChoices(form, paging=paging)
    return PagedDecoder(Decoder(model, read_target(target, threads, cache), choices))


class PagedDecoder(NotCopied):
    """Computation of logits whose keys and values go to the pages of a table. Made by
    `Model.paged_decoder`.

    decoder = model.paged_decoder(page_rows=16)
    pools = decoder.allocate(pages=64)
    logits = decoder.run([[5, 7, 11]], pools, tables=[[3]], lengths=[0])
    """

    def __init__(self, decoder: Decoder) -> None:
        self.decoder = decoder

    def memory(self) -> dict[str, int]:
        """Returns bytes on the device: weights, and what calls need beside pools."""
        return self.decoder.memory()

    def allocate(self, pages: int) -> list[Any]:
        """Allocates pools [pages, tokens, width] of keys and values of each layer.

        They are arrays of NumPy, or on a GPU of this package. The system gives a page of
        the CPU's memory when it is first touched.
        """
        pages = read_whole("pages", pages, 1)
        rows = self.decoder.page_rows
        allocate = self.decoder.space.allocate_pool
        return [
            allocate("pages", (pages, rows, info.width), info.kind)
            for info in self.decoder.buffers
        ]

    def run(
        self,
        ids: Any,
        pools: list[Any],
        tables: Any,
        lengths: Any,
        starts: Any = None,
        kept: Any = None,
    ) -> Any:
        """Returns logits [rows, kept, vocabulary] of new tokens `ids`, [rows, tokens].

        `lengths` says how many tokens each row has already, `starts` how many of its
        first ones are padding. Token t of row b is that of number t modulo the tokens of
        a page in page `tables[b, t // tokens]`, in each of `pools`, which are written
        where they lie. Entries that no token reads may hold any value. Logits are of the new
        tokens with the numbers `kept`, by default of the last one. A row without a
        place, or with the place of another row, is an error before anything is written. On a GPU
        numbers may be PyTorch's tensors of the device; logits are such a tensor if ids are.
        """
        ids = self._read("ids", ids, 2)
        rows, tokens = ids.shape
        tables = self._read("tables", tables, 2)
        lengths = self._read("lengths", lengths, 1)
        starts = np.zeros(rows, np.int64) if starts is None else self._read("starts", starts, 1)
        kept = np.array([tokens - 1]) if kept is None else _read("kept", kept, 1)
        for name, array in (("tables", tables), ("lengths", lengths), ("starts", starts)):
            if len(array) != rows:
                raise Error(f"{name}: expected {rows} rows, as many as ids, got {len(array)}")
        describe = self.decoder.space.describe
        given = {
            "past_lengths": describe(lengths, "i64"),
            "starts": describe(starts, "i64"),
            "pages": describe(tables, "i64"),
        }
        for info, pool in zip(self.decoder.buffers, self._check(pools), strict=True):
            given[info.taken] = given[info.given] = describe(pool, info.kind)
        logits = self._allocate_logits(ids, rows, len(kept))
        self.decoder.call(given, ids, kept, logits)
        return logits

    def _read(self, name: str, numbers: Any, rank: int) -> Any:
        """Returns i64 numbers of the CPU, or of the device that the model is on."""
        view = None if self.decoder.space is HOST else view_device(name, numbers)
        if view is None or not is_torch(numbers):
            return _read(name, numbers, rank)
        kind = str(numbers.dtype).removeprefix("torch.")
        if numbers.dim() != rank or numbers.numel() == 0 or kind not in ("int32", "int64"):
            raise Error(
                f"{name}: expected int32 or int64 of {rank} dimensions, got {kind} "
                f"{list(numbers.shape)}"
            )
        return numbers.long().contiguous()

    def _allocate_logits(self, ids: Any, rows: int, kept: int) -> Any:
        """Allocates logits where the ids are."""
        if is_torch(ids) and (view := view_device("ids", ids)) is not None:
            shape = (rows, kept, self.decoder.vocabulary)
            return allocate_like(view, shape, self.decoder.kind)
        return self.decoder.allocate_logits(rows, kept)

    def _check(self, pools: list[Any]) -> list[Any]:
        """Rejects pools that cannot be written in place."""
        buffers = self.decoder.buffers
        if not isinstance(pools, list | tuple):
            raise make_error("pools", "a list of arrays, as allocate() returns it", pools)
        if len(pools) != len(buffers):
            raise Error(f"pools: expected {len(buffers)}, got {len(pools)}")
        check = _check_host if self.decoder.space is HOST else _check_device
        pages = _count_pages(pools[0])
        for info, pool in zip(buffers, pools, strict=True):
            check(info, pool, (pages, self.decoder.page_rows, info.width))
        _check_apart(pools)
        return pools


def _count_pages(pool: Any) -> int:
    """Returns the first size of a pool, or 0 for what is none."""
    view = view_device("pools", pool)
    shape = np.shape(pool) if view is None else view.shape
    return int(shape[0]) if shape else 0


def _check_host(info: BufferInfo, pool: Any, sizes: tuple[int, ...]) -> None:
    if not isinstance(pool, np.ndarray) or pool.ndim != 3:
        raise Error(
            f"pools: expected an array of 3 dimensions for {info.given}, got "
            f"{type(pool).__name__} of {np.ndim(pool)}"
        )
    wanted = np.dtype(STORED[info.kind])
    if pool.shape != sizes or pool.dtype != wanted:
        raise Error(
            f"pools: expected {wanted} {list(sizes)} for {info.given}, got "
            f"{pool.dtype} {list(pool.shape)}"
        )
    if not (pool.flags.c_contiguous and pool.flags.writeable and pool.flags.aligned):
        raise Error(f"pools: expected memory for {info.given} that lies in one piece")


def _check_device(info: BufferInfo, pool: Any, sizes: tuple[int, ...]) -> None:
    view = view_device(info.given, pool)
    if view is None:
        raise Error(
            f"pools: expected memory of the device for {info.given}, as allocate() returns "
            f"it, got a {type(pool).__name__} of the CPU"
        )
    if view.shape != sizes or view.kind != info.kind:
        raise Error(
            f"pools: expected {info.kind} {list(sizes)} for {info.given}, got "
            f"{view.kind} {list(view.shape)}"
        )


def _measure(pool: Any) -> tuple[int, int]:
    """Returns the address and the bytes of an array."""
    view = view_device("pools", pool)
    if view is None:
        size: int = pool.nbytes
        return pool.ctypes.data, size
    return view.pointer, math.prod(view.shape) * np.dtype(STORED[view.kind]).itemsize


def _check_apart(pools: Sequence[Any]) -> None:
    """Rejects pools that overlap."""
    for (begin, size), (following, _) in itertools.pairwise(sorted(map(_measure, pools))):
        if begin + size > following:
            raise Error("pools: expected memory of its own for each, got some that overlap")


def _read(name: str, numbers: Any, rank: int) -> Array:
    try:
        array = np.asarray(numbers)
    except (RuntimeError, TypeError, ValueError):
        raise make_error(name, f"whole numbers of {rank} dimensions", numbers) from None
    if array.ndim != rank or array.size == 0 or array.dtype.kind not in "iu":
        raise Error(
            f"{name}: expected whole numbers of {rank} dimensions, got {array.dtype} "
            f"{list(array.shape)}"
        )
    return np.ascontiguousarray(array, np.int64)
