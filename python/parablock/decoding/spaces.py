# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory that caches lie in: the CPU's or a device's; requires NumPy alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from parablock.arguments import take_memory
from parablock.decoding.elements import STORED
from parablock.decoding.zeros import make_zeros
from parablock.device_memory import DeviceArray, OpenDevice
from parablock.device_program import Argument, DeviceProgram
from parablock.tensors import wrap

Shape = Sequence[int]


class Space(Protocol):
    """Arrays of one memory, and how programs take them."""

    def allocate(self, shapes: Sequence[tuple[Shape, str]]) -> list[Any]:
        """Allocates zeros of element types, one array behind the other."""

    def allocate_pool(self, option: str, shape: Shape, kind: str) -> Any:
        """Allocates zeros whose size an option determines."""

    def copy_rows(
        self, target: Any, places: Iterable[int], source: Any, rows: Iterable[int], used: int
    ) -> None:
        """Copies the first `used` entries of `source[rows[i]]` to those of `target[places[i]]`.

        If both are one array, no place may be one of the rows.
        """

    def describe(self, array: Any, kind: str) -> Any:
        """Returns an array as an argument of programs."""


class HostSpace:
    """Arrays of NumPy."""

    def allocate(self, shapes: Sequence[tuple[Shape, str]]) -> list[Any]:
        return make_zeros([(tuple(shape), STORED[kind]) for shape, kind in shapes])

    def allocate_pool(self, option: str, shape: Shape, kind: str) -> Any:
        return take_memory(option, shape, STORED[kind], zeros=True)

    def copy_rows(
        self, target: Any, places: Iterable[int], source: Any, rows: Iterable[int], used: int
    ) -> None:
        for place, row in zip(places, rows, strict=True):
            target[place, :used] = source[row, :used]

    def describe(self, array: Any, kind: str) -> Any:
        return wrap(array, kind)


class DeviceSpace:
    """Arrays in a device's memory."""

    def __init__(self, device: OpenDevice) -> None:
        self._device = device

    def allocate(self, shapes: Sequence[tuple[Shape, str]]) -> list[Any]:
        return [DeviceArray(self._device, shape, kind, "the caches") for shape, kind in shapes]

    def allocate_pool(self, option: str, shape: Shape, kind: str) -> Any:
        return DeviceArray(self._device, shape, kind, f"the pools of option '{option}'")

    def copy_rows(
        self, target: Any, places: Iterable[int], source: Any, rows: Iterable[int], used: int
    ) -> None:
        target.copy_rows(places, source, rows, used)

    def describe(self, array: Any, kind: str) -> Any:
        return Argument(array, kind)


#: The CPU's memory.
HOST = HostSpace()


def get_space(program: Any) -> Space:
    """Returns the memory that a program's caches lie in."""
    return DeviceSpace(program.device) if isinstance(program, DeviceProgram) else HOST


def take_rows(space: Space, array: Any, kind: str, rows: np.ndarray[Any, Any]) -> Any:
    """Returns an array of the named rows of another one."""
    (made,) = space.allocate([((len(rows), *array.shape[1:]), kind)])
    space.copy_rows(made, range(len(rows)), array, rows, array.shape[1])
    return made
