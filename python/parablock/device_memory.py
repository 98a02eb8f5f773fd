# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Devices that the launcher opens, and arrays in their memory; requires NumPy alone."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from parablock.copying import NotCopied
from parablock.errors import Error, MissingError
from parablock.launcher import LaunchCopy, LaunchDeviceFacts, call, get_library, give_back

Array = np.ndarray[Any, Any]

#: NumPy's types for elements of arrays on a device; bf16 as its 16 bits.
_STORED = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "bf16": np.uint16,
    "i64": np.int64,
    "i8": np.int8,
}


class OpenDevice(NotCopied):
    """A device of this machine, by the driver's number."""

    _instead = "open it once more"

    def __init__(self, number: int) -> None:
        self.number = number
        self.handle: int = call("device_open", ctypes.c_int(number))
        self.name: str = get_library().pbl_device_name(ctypes.c_void_p(self.handle)).decode()

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            give_back("device_close", self.handle)

    def read_facts(self) -> LaunchDeviceFacts:
        """Returns the chip, multiprocessors and memory."""
        facts = LaunchDeviceFacts()
        call("device_get_facts", self.handle, ctypes.byref(facts))
        return facts

    def find_chip(self) -> str:
        """Returns the chip that code for this device is made for."""
        facts = self.read_facts()
        if facts.chip is None:
            raise MissingError(
                f"target 'cuda:{self.number}' requires compute capability 8.0 or later, got "
                f"{facts.major}.{facts.minor} ('{self.name}')"
            )
        chip: str = facts.chip.decode()
        return chip

    def find_capability(self) -> tuple[int, int]:
        """Returns the compute capability."""
        facts = self.read_facts()
        return facts.major, facts.minor


class DeviceArray(NotCopied):
    """A dense array of zeros on a device, as long as the object lives."""

    _instead = "copy_rows() writes another array"

    def __init__(self, device: OpenDevice, shape: Sequence[int], kind: str, use: str) -> None:
        """`use` is what errors call the array if there is too little memory."""
        self.shape, self.kind = tuple(shape), kind
        self.dtype: np.dtype[Any] = np.dtype(_STORED[kind])
        self.nbytes = math.prod(self.shape) * self.dtype.itemsize
        if self.nbytes >= 2**63:
            raise Error(
                f"not enough device memory for {use}: requires {self.nbytes} bytes for "
                f"{list(self.shape)} numbers of {self.dtype}, which is more than any device has"
            )
        # Memory outlives the device's handle; this keeps it open for other arrays.
        self.device = device
        self._handle: int = call(
            "memory_allocate", device.handle, ctypes.c_uint64(self.nbytes), use.encode()
        )
        self.pointer: int = get_library().pbl_memory_pointer(ctypes.c_void_p(self._handle))

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            give_back("memory_release", self._handle)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.kind} {list(self.shape)}, '{self.device.name}')"

    def numpy(self) -> Array:
        """Returns a copy in the CPU's memory; bf16 as its 16 bits."""
        made = np.empty(self.shape, self.dtype)
        size = ctypes.c_uint64(made.nbytes)
        call("memory_download", self._handle, ctypes.c_uint64(0), made.ctypes.data, size)
        return made

    def write(self, values: Array) -> None:
        """Copies values of the CPU's memory to the array."""
        values = np.ascontiguousarray(values)
        if values.shape != self.shape or values.dtype != self.dtype:
            raise Error(
                f"expected {self.dtype} {list(self.shape)} for an array on the device, got "
                f"{values.dtype} {list(values.shape)}"
            )
        size = ctypes.c_uint64(values.nbytes)
        call("memory_upload", self._handle, ctypes.c_uint64(0), values.ctypes.data, size)

    def copy_rows(
        self, places: Iterable[int], source: DeviceArray, rows: Iterable[int], used: int
    ) -> None:
        """Copies the first `used` entries of `source[rows[i]]` to those of `self[places[i]]`."""
        if self.shape[2:] != source.shape[2:] or self.kind != source.kind:
            raise Error(f"expected arrays of alike rows, got {self} and {source}")
        entry = math.prod(self.shape[2:]) * self.dtype.itemsize
        sizes = (entry * self.shape[1], entry * source.shape[1])
        copies = [
            LaunchCopy(int(place) * sizes[0], int(row) * sizes[1], used * entry)
            for place, row in zip(places, rows, strict=True)
        ]
        whole = (LaunchCopy * len(copies))(*copies)
        count = ctypes.c_uint32(len(copies))
        call("memory_copy", self._handle, source._handle, whole, count)
