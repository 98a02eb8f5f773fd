# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DLPack by ctypes.

The capsule is never consumed: it is kept, and gives the array back to its
library when nothing here needs it any more.
"""

from __future__ import annotations

import ctypes
import dataclasses
from typing import Any

#: Numbers of dlpack.h.
_NAMES = {
    1: "cpu",
    2: "cuda",
    3: "cuda_host",
    4: "opencl",
    7: "vulkan",
    8: "metal",
    10: "rocm",
    11: "rocm_host",
    13: "cuda_managed",
    14: "oneapi",
    15: "webgpu",
}
_ON_HOST = (1, 3, 11)
_ON_CUDA = (2, 13)

_KINDS = {
    (2, 64): "f64",
    (2, 32): "f32",
    (2, 16): "f16",
    (4, 16): "bf16",
    (0, 64): "i64",
    (0, 32): "i32",
    (0, 16): "i16",
    (0, 8): "i8",
    (1, 8): "ui8",
    (6, 8): "i1",
}


class _Device(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int32), ("ordinal", ctypes.c_int32))


class _DataType(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
    )


class Tensor(ctypes.Structure):
    """DLTensor, which a managed tensor begins with."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("rank", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


@dataclasses.dataclass(frozen=True)
class Exported:
    """An array of another library; `capsule` keeps its memory."""

    pointer: int
    #: The IR's word for the elements, or none that it has.
    kind: str | None
    shape: tuple[int, ...]
    #: In elements; none where rows follow each other.
    strides: tuple[int, ...] | None
    capsule: Any


def find_device(array: Any) -> str | None:
    """Returns the device of an array, as "cuda:0", or None for the CPU.

    >>> import numpy
    >>> find_device(numpy.zeros(3)) is None
    True
    """
    place = _ask(array)
    if place is None:
        interface = getattr(array, "__cuda_array_interface__", None)
        return None if interface is None else "cuda"
    kind, ordinal = place
    if kind in _ON_HOST:
        return None
    return f"{_NAMES.get(kind, f'device type {kind}')}:{ordinal}"


def is_on_cuda(array: Any) -> bool:
    """Returns whether the CUDA driver can access the array."""
    place = _ask(array)
    return place is not None and place[0] in _ON_CUDA


def _ask(array: Any) -> tuple[int, int] | None:
    ask = getattr(array, "__dlpack_device__", None)
    if ask is None:
        return None
    kind, ordinal = ask()
    return int(kind), int(ordinal)


def read_array(array: Any, stream: int) -> Exported:
    """Returns the array's memory, ready on a stream of the driver."""
    capsule = array.__dlpack__(stream=stream)
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype = ctypes.c_void_p
    get_pointer.argtypes = (ctypes.py_object, ctypes.c_char_p)
    tensor = Tensor.from_address(get_pointer(capsule, b"dltensor"))
    dtype, rank = tensor.dtype, tensor.rank
    return Exported(
        (tensor.data or 0) + tensor.byte_offset,
        _KINDS.get((dtype.code, dtype.bits)) if dtype.lanes == 1 else None,
        tuple(tensor.shape[:rank]) if rank else (),
        tuple(tensor.strides[:rank]) if rank and tensor.strides else None,
        capsule,
    )
