# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packing of weights by programs of the device that reads them."""

from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.copying import NotCopied
from parablock.device_memory import OpenDevice
from parablock.errors import Error
from parablock.interrupts import call_interruptibly
from parablock.launcher import call, get_library, give_back
from parablock.native import get_core_module
from parablock.output import make_scratch
from parablock.tensors import get_type, is_torch, to_stored

if TYPE_CHECKING:
    from parablock._core import TensorInfo
    from parablock.target import Target

#: Addresses that kernels read from are multiples of this.
_ALIGNMENT = 16

#: How the driver calls the stream that has no handle.
_DEFAULT_STREAM = 1


def is_on_device(tensor: Any, device: int) -> bool:
    """Returns whether a weight is PyTorch's, on that device."""
    if not is_torch(tensor) or tensor.device.type != "cuda":
        return False
    return (tensor.device.index or 0) == device


def wait_for_device(tensor: Any) -> None:
    """Waits for PyTorch's work, on whatever stream of the tensor's device it is.

    A stream that is current is one of its thread, and weights may be packed in another.
    """
    import torch

    torch.cuda.synchronize(tensor.device)


def is_readable(tensor: Any) -> bool:
    """Returns whether kernels can read a weight of the device where it lies."""
    is_dense = tensor.is_contiguous() and not tensor.is_neg() and tensor.numel() > 0
    return is_dense and tensor.data_ptr() % _ALIGNMENT == 0


def make_readable(tensor: Any) -> Any:
    """Returns a weight of the device as kernels read it, and a copy only where needed."""
    tensor = tensor.detach()
    if is_readable(tensor):
        return tensor
    import torch

    return tensor.resolve_neg().clone(memory_format=torch.contiguous_format)


@dataclasses.dataclass
class _Code:
    """A program that packs alike weights, and what it consists of, the latest last."""

    handles: list[tuple[str, int]] = dataclasses.field(default_factory=list)

    def keep(self, close: str, name: str, *arguments: Any) -> int:
        handle: int = call(name, *arguments)
        self.handles.append((close, handle))
        return handle

    def close(self) -> None:
        while self.handles:
            give_back(*self.handles.pop())


class _Copy:
    """A weight of the CPU in the device's memory, while it is packed."""

    def __init__(self, device: OpenDevice, array: np.ndarray[Any, Any]) -> None:
        size = ctypes.c_uint64(array.nbytes)
        use = b"a weight that is packed"
        self._handle: int = call("memory_allocate", device.handle, size, use)
        self.pointer: int = get_library().pbl_memory_pointer(ctypes.c_void_p(self._handle))
        try:
            call("memory_upload", self._handle, ctypes.c_uint64(0), array.ctypes.data, size)
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Frees the memory, whoever holds the object, as a traceback may."""
        give_back("memory_release", self._handle)


class DevicePacking(NotCopied):
    """The recipe of a package, by programs of a device.

    Weights of one form share one program, which is compiled once and kept. The CPU packs
    weights without a program; `reasons` names them.
    """

    _instead = "compile the model once more"

    def __init__(
        self, device: OpenDevice, target: Target, package: Path, *, is_later: bool
    ) -> None:
        """`is_later` is of the device, as compile_package finds it."""
        self.device, self._target, self._is_later = device, target, is_later
        core = get_core_module()
        self._packing = core.Packing(core.Context(), str(package / "recipe.mlir"))
        #: Programs by the number of the first weight that they pack.
        self._codes: dict[int, _Code] = {}
        #: Why the CPU packs a weight, by name.
        self.reasons: dict[str, str] = {}

    def __del__(self) -> None:
        for code in getattr(self, "_codes", {}).values():
            code.close()

    def list_weights(self) -> list[tuple[str, Sequence[str]]]:
        """Returns packed weights and the originals of each."""
        return list(self._packing.list())

    def is_original(self, index: int) -> bool:
        """Returns whether a weight has the bytes of its only original."""
        is_original: bool = self._packing.is_original(index)
        return is_original

    def begin(self) -> _Run:
        """Begins to pack weights."""
        return _Run(self)

    def find_program(self, index: int, name: str) -> int | None:
        """Returns the program that packs a weight; None if the CPU must."""
        first, reason = self._packing.find_device_program(index)
        if first >= 0:
            try:
                if first not in self._codes:
                    self._codes[first] = self._compile(first)
                return self._codes[first].handles[-1][1]
            except Error as problem:
                reason = str(problem)
        self.reasons[name] = reason
        return None

    def _compile(self, index: int) -> _Code:
        code = _Code()
        target = self._target
        with make_scratch() as scratch:
            folder = str(Path(scratch, "packing.pbk"))
            call_interruptibly(
                self._packing.write_device_package,
                *(index, folder, target.chip, self._is_later, target.cache),
            )
            try:
                package = code.keep("package_close", "package_open", folder.encode())
                code.keep(
                    "program_destroy", "program_create", package, self.device.handle, None
                )
            except BaseException:
                code.close()
                raise
        return code


class _Run:
    """Packing of weights by one thread, whose sessions and copies end with it."""

    def __init__(self, packing: DevicePacking) -> None:
        self._packing = packing
        self._sessions: dict[int, int] = {}
        #: Copies of the CPU's weights that the latest packed weight is made of, by name.
        self._copies: dict[str, _Copy] = {}
        self._stream: Any = None

    def __enter__(self) -> _Run:
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream is not None:
            self._stream.synchronize()
        self._keep_copies(())
        for session in self._sessions.values():
            give_back("session_destroy", session)

    def _keep_copies(self, names: Collection[str]) -> None:
        """Frees all other copies."""
        for name in [name for name in self._copies if name not in names]:
            self._copies.pop(name).release()

    def pack(
        self, target: int, name: str, code: int, originals: Sequence[tuple[TensorInfo, Any]]
    ) -> None:
        """Computes a weight of a program from its originals, wherever they lie."""
        if (session := self._sessions.get(code)) is None:
            session = call("session_create", code, None, ctypes.c_uint32(0))
            self._sessions[code] = session
        kept: list[Any] = []
        stream = None
        # The weight behind another one often reads the same copy.
        self._keep_copies([info.name for info, _ in originals])
        for number, (info, weight) in enumerate(originals):
            if is_on_device(weight, self._packing.device.number):
                _check(info, get_type(weight), weight)
                stream = self._find_stream(weight)
                weight = make_readable(weight)
                kept.append(weight)
                pointer = weight.data_ptr()
            else:
                if info.name not in self._copies:
                    self._copies[info.name] = self._copy(info, weight)
                pointer = self._copies[info.name].pointer
            place = ctypes.c_uint64(pointer)
            call("session_bind_input", session, str(number).encode(), place)
        call("program_compute_weight", target, name.encode(), session, b"packed", stream)
        if stream is None:
            call("session_wait", session)
        elif self._copies:
            self._stream.synchronize()

    def _copy(self, info: TensorInfo, weight: Any) -> _Copy:
        array = np.ascontiguousarray(to_stored(weight)[0])
        _check(info, info.type, array)
        # It may have the bits of the type alone, as files do.
        get_core_module().Tensor(array, info.type)
        return _Copy(self._packing.device, array)

    def _find_stream(self, weight: Any) -> int:
        import torch

        if self._stream is None:
            wait_for_device(weight)
            self._stream = torch.cuda.current_stream(weight.device)
        return self._stream.cuda_stream or _DEFAULT_STREAM


def _check(info: TensorInfo, kind: str, weight: Any) -> None:
    """Rejects a weight of another type or shape, as the CPU's packing does."""
    shape = list(np.shape(weight))
    if (kind, shape) != (info.type, list(info.shape)):
        raise Error(
            f"expected tensor '{info.name}' to be {info.type} {list(info.shape)}, got {kind} "
            f"{shape}"
        )
