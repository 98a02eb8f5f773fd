# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packages on a GPU: no compiler, no PyTorch."""

from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from parablock.calling import CallingByName
from parablock.errors import Error
from parablock.launcher import LaunchDim, LaunchTensor, call, get_library
from parablock.tensors import convert, find_numpy_type, get_type

#: Beside the manifest: parameters as the code wants them.
PACKED_WEIGHTS = "weights.safetensors"

_INPUT, _RESULT = 0, 2


@dataclasses.dataclass(frozen=True)
class Port:
    """An input or a result of a package."""

    name: str
    kind: str
    shape: tuple[int | str, ...]


def load(path: str | Path, device: int = 0) -> Package:
    """A saved model on a GPU of this machine."""
    return Package(Path(path), device)


class Package:
    """A callable of NumPy arrays; one session is kept for each size."""

    def __init__(self, path: Path, device: int = 0) -> None:
        self._sessions: dict[tuple[int, ...], int] = {}
        self._handles: list[tuple[str, int]] = []
        self._package = self._keep("package_close", "package_open", str(path).encode())
        ordinal = ctypes.c_int(device)
        self._device = self._keep("device_close", "device_open", ordinal)
        self._program = self._keep(
            "program_destroy", "program_create", self._package, self._device, None
        )
        weights = str(path / PACKED_WEIGHTS).encode()
        call("program_load_weights", self._program, weights)
        ports = self._read_ports()
        self.inputs = [port for role, port in ports if role == _INPUT]
        self.outputs = [port for role, port in ports if role == _RESULT]
        self._calling = CallingByName([port.name for port in self.inputs])

    def _keep(self, close: str, name: str, *arguments: Any) -> int:
        handle: int = call(name, *arguments)
        self._handles.append((close, handle))
        return handle

    def close(self) -> None:
        """Gives memory and device back."""
        while self._handles:
            name, handle = self._handles.pop()
            getattr(get_library(), f"pbl_{name}")(ctypes.c_void_p(handle))

    def __del__(self) -> None:
        self.close()

    def _read_ports(self) -> list[tuple[int, Port]]:
        library, handle = get_library(), ctypes.c_void_p(self._package)
        count = library.pbl_package_num_tensors(handle)
        tensors = [library.pbl_package_tensor(handle, i) for i in range(count)]
        return [(tensor.role, _read_port(tensor)) for tensor in tensors]

    def __call__(self, *args: Any, **kwargs: Any) -> dict[str, np.ndarray[Any, Any]]:
        given = self._calling.flatten(args, kwargs)
        arrays, sizes = self._bind(given)
        session = self._get_session(sizes)
        for port, array in zip(self.inputs, arrays, strict=True):
            call(
                "session_set_input",
                session,
                port.name.encode(),
                array.ctypes.data,
                ctypes.c_uint64(array.nbytes),
            )
        call("session_replay", session, None)
        call("session_wait", session)
        return {
            port.name: self._get_result(session, port, sizes) for port in self.outputs
        }

    def _bind(
        self, given: dict[str, Any]
    ) -> tuple[list[np.ndarray[Any, Any]], dict[str, int]]:
        """Inputs as memory in order, and the sizes that they have."""
        arrays, sizes = [], dict[str, int]()
        for port in self.inputs:
            if port.name not in given:
                raise Error(f"expected the input '{port.name}', got none")
            array = np.ascontiguousarray(given[port.name])
            if get_type(array) != port.kind or array.ndim != len(port.shape):
                raise Error(
                    f"input '{port.name}': expected {port.kind} {list(port.shape)}, "
                    f"got {get_type(array)} {list(array.shape)}"
                )
            for wanted, size in zip(port.shape, array.shape, strict=True):
                known = (
                    sizes.setdefault(wanted, size)
                    if isinstance(wanted, str)
                    else wanted
                )
                if known != size:
                    raise Error(
                        f"input '{port.name}': expected '{wanted}' to be {known}, "
                        f"got {size}"
                    )
            arrays.append(array)
        return arrays, sizes

    def _get_session(self, sizes: dict[str, int]) -> int:
        key = tuple(sizes.values())
        if key not in self._sessions:
            dims = (LaunchDim * len(sizes))(
                *(LaunchDim(name.encode(), size) for name, size in sizes.items())
            )
            count = ctypes.c_uint32(len(sizes))
            self._sessions[key] = self._keep(
                "session_destroy", "session_create", self._program, dims, count
            )
        return self._sessions[key]

    def _get_result(
        self, session: int, port: Port, sizes: dict[str, int]
    ) -> np.ndarray[Any, Any]:
        shape = [sizes[d] if isinstance(d, str) else d for d in port.shape]
        is_narrow = port.kind == "bf16"
        dtype = np.dtype(np.uint16) if is_narrow else find_numpy_type(port.kind)
        result = np.empty(shape, dtype)
        call(
            "session_get_result",
            session,
            port.name.encode(),
            result.ctypes.data,
            ctypes.c_uint64(result.nbytes),
        )
        # NumPy has no bf16; f32 has all its numbers.
        return convert(result, "bf16", "f32") if is_narrow else result


def _read_port(tensor: LaunchTensor) -> Port:
    shape: Sequence[int | str] = [
        tensor.dim_names[d].decode() if tensor.shape[d] < 0 else tensor.shape[d]
        for d in range(tensor.rank)
    ]
    return Port(tensor.name.decode(), tensor.dtype.decode(), tuple(shape))
