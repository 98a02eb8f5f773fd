# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Buffers that grow, rings that do not, and rows that are moved between them."""

from __future__ import annotations

import random
import weakref

import numpy as np
import pytest

import parablock
from parablock.decoding.caches import BufferInfo, Caches

WINDOWS = (None, 3, 80, 700)
#: Of rows: caches of the wide ones have large pages.
NARROW, WIDE = 1, 1024


def describe(width: int) -> list[BufferInfo]:
    return [
        BufferInfo(f"past_key.{number}", f"key.{number}", width, "f32", window)
        for number, window in enumerate(WINDOWS)
    ]



class Writer:
    """Does what a model does: writes new tokens, and sees those of its windows."""

    def __init__(self, width: int = NARROW) -> None:
        self.caches = Caches(describe(width))
        #: What each row has been told.
        self.texts: list[list[float]] = []
        self.draw = random.Random(5)

    def add(self, batch: int, tokens: int) -> None:
        if not self.caches.held:
            self.texts = [[] for _ in range(batch)]
        none = np.zeros(batch, np.int64)
        for part in self.caches.split(tokens):
            self.caches.reserve(batch, part)
            held = self.caches.held
            for text in self.texts:
                text += [self.draw.random() for _ in range(part)]
            for info, array in zip(self.caches.infos, self.caches.arrays, strict=True):
                rows = array.shape[1]
                # As engines check it before a call.
                assert part <= rows
                assert held + part <= rows or (info.window or part) + part - 1 <= rows
                for row, text in enumerate(self.texts):
                    for place in range(held, held + part):
                        array[row, place % rows] = text[place]
            self.caches.note(part, none)
            self.check()

    def check(self) -> None:
        """Every key that the next token sees is there."""
        held = self.caches.held
        for info, array in zip(self.caches.infos, self.caches.arrays, strict=True):
            first = 0 if info.window is None else max(0, held - info.window + 1)
            places = np.arange(first, held)
            for row, text in enumerate(self.texts):
                assert len(text) == held
                seen = array[row, places % array.shape[1], 0]
                np.testing.assert_array_equal(seen, np.array(text[first:], np.float32))


@pytest.mark.parametrize("width", [NARROW, WIDE])
@pytest.mark.parametrize("first", [1, 50, 90, 1500])
def test_keys_that_are_seen_are_there(first: int, width: int) -> None:
    writer, draw = Writer(width), random.Random(first)
    writer.add(2, first)
    for _ in range(60):
        caches = writer.caches
        step = draw.choice(["one", "one", "some", "crop", "order", "choose", "copy"])
        if step in ("one", "some"):
            writer.add(caches.batch, 1 if step == "one" else draw.randint(2, 120))
        elif step == "crop":
            count = draw.randint(0, min(caches.most_removed, caches.held - 1))
            caches.crop(count)
            writer.texts = [text[: len(text) - count] for text in writer.texts]
        elif step == "order":
            rows = [draw.randrange(caches.batch) for _ in range(caches.batch)]
            caches.reorder(np.array(rows))
            writer.texts = [[*writer.texts[row]] for row in rows]
        elif step == "choose":
            rows = [draw.randrange(caches.batch) for _ in range(draw.randint(1, 3))]
            caches.select(np.array(rows))
            writer.texts = [[*writer.texts[row]] for row in rows]
        else:
            writer.caches = caches.copy()
            caches.crop(min(1, caches.most_removed))
        writer.check()
    assert [array.shape[1] for array in writer.caches.arrays[1:3]] == [67, 160]


def test_large_caches_lie_together() -> None:
    caches = Caches(describe(WIDE))
    caches.reserve(1, 1500)
    buffers = caches.arrays
    assert not any(array.any() for array in buffers)
    assert buffers[0].ctypes.data % (2 << 20) == 0
    ends = [array.ctypes.data + array.nbytes for array in buffers]
    assert [buffers[2].ctypes.data, buffers[3].ctypes.data] == ends[1:3]
    # Rings stay where they are, and what has grown does not stay with them.
    held = weakref.ref(find_owner(buffers[0]))
    caches.note(1500, np.zeros(1, np.int64))
    caches.reserve(1, 5000)
    assert [array is old for array, old in zip(caches.arrays, buffers, strict=True)] == [
        False,
        True,
        True,
        True,
    ]
    assert held() is not None
    del buffers
    assert held() is None


def find_owner(array: np.ndarray) -> np.ndarray:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def test_what_is_gone_cannot_come_back() -> None:
    writer = Writer()
    writer.add(1, 500)
    caches = writer.caches
    # Of the ring of 67 rows, tokens from 433 on are there: 435 sees two before it.
    assert caches.most_removed == 65
    with pytest.raises(parablock.Error, match="crop: expected at most 65 tokens, .* got 66"):
        caches.crop(66)
    caches.crop(65)
    writer.texts = [text[:435] for text in writer.texts]
    writer.check()
    assert caches.most_removed == 0
    with pytest.raises(parablock.Error, match="crop: expected at most 0 tokens"):
        caches.crop(1)
    # All of them can always be forgotten.
    caches.crop(435)
    writer.add(1, 300)
    caches.reset()
    writer.add(1, 10)
    assert caches.most_removed == 10
