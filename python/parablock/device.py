# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that lie on a GPU: PyTorch's, and all with __cuda_array_interface__."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from typing import Any

from parablock.errors import Error
from parablock.tensors import get_type, is_torch

#: How the driver calls the stream that has no handle.
_DEFAULT_STREAM = 1

_TYPES = {"<f4": "f32", "<f2": "f16", "<i8": "i64", "<i4": "i32"}


@dataclasses.dataclass(frozen=True)
class DeviceView:
    """Where an array lies on a device, and what it is."""

    pointer: int
    kind: str
    shape: tuple[int, ...]
    #: The driver's stream that work on it is ordered by; none where it is ready.
    stream: int | None
    #: What keeps the memory.
    owner: Any


def view_device(name: str, array: Any) -> DeviceView | None:
    """The array's own memory, or none where it lies on the CPU."""
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
    if interface is None:
        return None
    kind = _TYPES.get(interface["typestr"])
    if kind is None or not _is_dense(interface):
        raise Error(
            f"input '{name}': expected dense elements of {', '.join(_TYPES.values())} "
            f"on the device, got {interface['typestr']} with strides "
            f"{interface.get('strides')}"
        )
    return DeviceView(
        interface["data"][0],
        kind,
        tuple(interface["shape"]),
        interface.get("stream"),
        array,
    )


def _is_dense(interface: dict[str, Any]) -> bool:
    """
    >>> _is_dense({"shape": (2, 3), "typestr": "<f4", "strides": (12, 4)})
    True
    >>> _is_dense({"shape": (2, 3), "typestr": "<f4", "strides": (4, 8)})
    False
    """
    strides = interface.get("strides")
    step = int(interface["typestr"][2:])
    for size, stride in zip(
        reversed(interface["shape"]), reversed(strides or ()), strict=False
    ):
        if stride != step and size != 1:
            return False
        step *= size
    return True


def allocate_like(example: DeviceView, shape: Sequence[int], kind: str) -> Any:
    """A tensor of PyTorch beside another one."""
    if not is_torch(example.owner):
        raise Error(
            "results of arrays that are not PyTorch's go where out= says: "
            "out={name: array}"
        )
    from parablock.frontend.dtypes import DTYPES

    torch = sys.modules["torch"]
    return torch.empty(
        tuple(shape), dtype=DTYPES[kind], device=example.owner.device
    )
