# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays on a GPU: PyTorch's, and those with a standard interface.

That is by __cuda_array_interface__, or by __dlpack__ on a CUDA device.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from typing import Any

from parablock.device_memory import DeviceArray
from parablock.dlpack import find_device, is_on_cuda, read_array
from parablock.errors import Error
from parablock.tensors import get_type, is_torch

#: How the driver calls the stream that has no handle.
_DEFAULT_STREAM = 1

_TYPES = {
    "<f8": "f64",
    "<f4": "f32",
    "<f2": "f16",
    "<i8": "i64",
    "<i4": "i32",
    "<i2": "i16",
    "|i1": "i8",
    "|u1": "ui8",
    "|b1": "i1",
}


@dataclasses.dataclass(frozen=True)
class DeviceView:
    """Address, shape and type of an array on a device."""

    pointer: int
    kind: str
    shape: tuple[int, ...]
    #: The driver's stream that work on it is ordered by; none where it is ready.
    stream: int | None
    #: Object that keeps the memory.
    owner: Any


def view_device(name: str, array: Any) -> DeviceView | None:
    """Returns a view of the array's memory, or None if it is on the CPU."""
    if isinstance(array, DeviceArray):
        return DeviceView(array.pointer, array.kind, array.shape, None, array)
    if is_torch(array):
        if array.device.type != "cuda":
            return None
        torch = sys.modules["torch"]
        array = array.detach().contiguous()
        stream = torch.cuda.current_stream(array.device).cuda_stream or _DEFAULT_STREAM
        return DeviceView(
            array.data_ptr(), get_type(array), tuple(array.shape), stream, array
        )
    interface = getattr(array, "__cuda_array_interface__", None)
    if interface is not None:
        return _view_interface(name, array, interface)
    if is_on_cuda(array):
        return _view_exported(name, array)
    if (device := find_device(array)) is not None:
        raise Error(
            f"input '{name}': expected memory of the CPU or of a CUDA device, got "
            f"{device}"
        )
    return None


def _view_interface(name: str, array: Any, interface: dict[str, Any]) -> DeviceView:
    if interface.get("mask") is not None:
        raise Error(f"input '{name}': expected an array without a mask, got a masked one")
    kind = _TYPES.get(interface["typestr"])
    shape, strides = tuple(interface["shape"]), interface.get("strides")
    size = int(interface["typestr"][2:])
    steps = None if strides is None else [stride / size for stride in strides]
    if kind is None or not _is_dense(shape, steps):
        raise _refuse(name, kind or interface["typestr"], strides)
    pointer, stream = interface["data"][0], interface.get("stream")
    return DeviceView(pointer, kind, shape, stream, array)


def _view_exported(name: str, array: Any) -> DeviceView:
    """Returns the view of DLPack; the array is ready on the driver's default stream."""
    found = read_array(array, _DEFAULT_STREAM)
    if found.kind is None or not _is_dense(found.shape, found.strides):
        raise _refuse(name, found.kind or "others", found.strides)
    owner = (array, found.capsule)
    return DeviceView(found.pointer, found.kind, found.shape, _DEFAULT_STREAM, owner)


def _refuse(name: str, kind: str, strides: Sequence[int] | None) -> Error:
    known = ", ".join(_TYPES.values())
    return Error(
        f"input '{name}': expected dense elements of {known} or bf16 on the device, "
        f"got {kind} with strides {strides}"
    )


def _is_dense(shape: Sequence[int], strides: Sequence[float] | None) -> bool:
    """Returns whether strides, in elements, are those of contiguous rows.

    >>> _is_dense((2, 3), (3, 1)), _is_dense((2, 3), None)
    (True, True)
    >>> _is_dense((2, 3), (1, 2))
    False
    """
    step = 1
    for size, stride in zip(reversed(shape), reversed(strides or ()), strict=False):
        if stride != step and size != 1:
            return False
        step *= size
    return True


def allocate_like(example: DeviceView, shape: Sequence[int], kind: str) -> Any:
    """Allocates a PyTorch tensor on the device of another one."""
    if not is_torch(example.owner):
        raise Error(
            "arrays that are not PyTorch's require out= for their results: "
            "out={name: array}"
        )
    from parablock.dtypes import DTYPES

    torch = sys.modules["torch"]
    return torch.empty(
        tuple(shape), dtype=DTYPES[kind], device=example.owner.device
    )
