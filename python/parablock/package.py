# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packages on a GPU, without the compiler; PyTorch is used for its own tensors only."""

from __future__ import annotations

import ctypes
import dataclasses
import math
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from parablock.arguments import read_path, read_whole
from parablock.calling import CallingByName
from parablock.copying import NotCopied
from parablock.device import DeviceView, allocate_like, view_device
from parablock.errors import Error
from parablock.device_memory import OpenDevice
from parablock.launcher import LaunchDim, LaunchFacts, LaunchTensor, call, get_library, give_back
from parablock.tensors import (
    convert,
    find_numpy_type,
    from_stored,
    get_dense,
    get_type,
    is_torch,
    refuse_gradient,
    refuse_traces,
    to_stored,
)

#: Beside the manifest: parameters as the code wants them.
PACKED_WEIGHTS = "weights.safetensors"

_INPUT, _PARAMETER, _RESULT = 0, 1, 2
_MOST_DEVICES = (1 << 31) - 1

#: Sizes whose sessions are kept; each has the memory of a whole run.
_MOST_SESSIONS = 16


@dataclasses.dataclass(frozen=True)
class Port:
    """An input or a result of a package."""

    name: str
    kind: str
    shape: tuple[int | str, ...]


def load(path: str | Path, device: int = 0) -> Package:
    """Loads a saved model on a GPU of this machine.

        package = parablock.load("model.pbk")
        logits = package(input_ids)["logits"]
    """
    return Package(read_path("path", path), read_whole("device", device, 0, _MOST_DEVICES))


class Package(NotCopied):
    """A callable of arrays; sessions are kept for the latest choices of sizes.

    Arrays on the device are read where they lie, on the stream that they come
    from, and results are there as well. Others are copied to it and back.
    Threads may share it: their calls take turns. Packages loaded apart run at once.
    """

    _instead = "load() it once more"
    __name__ = "parablock_package"

    def __init__(self, path: Path, device: int = 0) -> None:
        self._open(path, device)
        self._load_weights(path / PACKED_WEIGHTS)

    def _open(self, path: Path, device: OpenDevice | int) -> None:
        """Loads the code of a package."""
        #: The latest last.
        self._sessions: dict[tuple[Any, ...], int] = {}
        #: Addresses by name, of the latest call of each session.
        self._bound: dict[int, dict[tuple[str, str], int]] = {}
        self._handles: list[tuple[str, int]] = []
        # Inputs, launch and results of a call belong together.
        self._turn = threading.RLock()
        self._package = self._keep("package_close", "package_open", str(path).encode())
        #: The latest session that ran.
        self._latest: int | None = None
        self.device = OpenDevice(device) if isinstance(device, int) else device
        self._program = self._keep(
            "program_destroy", "program_create", self._package, self.device.handle, None
        )
        ports = self._read_ports()
        self.inputs = [port for role, port in ports if role == _INPUT]
        self.outputs = [port for role, port in ports if role == _RESULT]
        self._calling = CallingByName(
            {port.name: len(port.shape) for port in self.inputs}, {}
        )

    def _load_weights(self, path: Path) -> None:
        """Copies packed weights to the device, also in the place of earlier ones."""
        with self._turn:
            call("program_load_weights", self._program, str(path).encode())

    def _keep(self, close: str, name: str, *arguments: Any) -> int:
        handle: int = call(name, *arguments)
        self._handles.append((close, handle))
        return handle

    def close(self) -> None:
        """Releases memory and device, after running calls have ended."""
        with self._turn:
            while self._sessions:
                self._drop_session()
            while self._handles:
                give_back(*self._handles.pop())

    def __del__(self) -> None:
        # Not there where not even the handles came to be.
        if hasattr(self, "_turn"):
            self.close()

    def _read_ports(self) -> list[tuple[int, Port]]:
        library, handle = get_library(), ctypes.c_void_p(self._package)
        count = library.pbl_package_num_tensors(handle)
        tensors = [library.pbl_package_tensor(handle, i) for i in range(count)]
        return [(tensor.role, _read_port(tensor)) for tensor in tensors]

    def _read_weight_sizes(self) -> dict[str, int]:
        """Returns the bytes of weights by name."""
        weights = [port for role, port in self._read_ports() if role == _PARAMETER]
        # Sizes of weights are numbers.
        return {
            w.name: math.prod(map(int, w.shape)) * _find_stored_type(w.kind).itemsize
            for w in weights
        }

    def _read_result_shapes(self, session: int) -> dict[str, list[int]]:
        """Returns shapes by name; sizes may follow from those of the inputs."""
        library, handle = get_library(), ctypes.c_void_p(session)
        count = library.pbl_package_num_tensors(ctypes.c_void_p(self._package))
        tensors = [library.pbl_session_tensor(handle, i) for i in range(count)]
        return {
            tensor.name.decode(): list(tensor.shape[: tensor.rank])
            for tensor in tensors
            if tensor.role == _RESULT
        }

    def __call__(
        self, *args: Any, out: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        """Returns results by name; those in `out` are written to arrays on the device."""
        refuse_traces()
        return self._run_by_name(self._calling.flatten(args, kwargs), out or {})

    def _run_by_name(self, given: Mapping[str, Any], out: Mapping[str, Any]) -> dict[str, Any]:
        """Runs inputs of the CPU or the device, all of one place."""
        for name, array in given.items():
            self._check_place(f"input '{name}'", array)
        views = {name: view_device(name, array) for name, array in given.items()}
        on_device = any(view is not None for view in views.values())
        if out and not on_device:
            raise Error("out= is for inputs that lie on the device")
        with self._turn:
            if not self._handles:
                raise Error("expected an open package, got one after close()")
            if on_device:
                return self._run_on_device(given, views, out)
            return self._run_from_host(given)

    def _check_place(self, name: str, array: Any) -> None:
        """Rejects PyTorch's tensors of another device."""
        if not is_torch(array) or array.device.type == "cpu":
            return
        if (array.device.type, array.device.index) != ("cuda", self.device.number):
            raise Error(
                f"{name}: expected memory of the CPU or of cuda:{self.device.number}, which "
                f"the code is on, got {array.device}"
            )

    # Arrays of the CPU -----------------------------------------------------------

    def _run_from_host(self, given: Mapping[str, Any]) -> dict[str, Any]:
        torch_wanted = any(is_torch(array) for array in given.values())
        arrays, sizes = {}, dict[str, int]()
        for port in self.inputs:
            array = get_dense(port.name, _get_input(given, port))
            check_port(port, get_type(array), np.shape(array), sizes)
            # Kept, as the library is given its address alone.
            arrays[port] = np.ascontiguousarray(to_stored(array)[0])
        session = self._get_session(sizes, "host")
        for port, array in arrays.items():
            call(
                "session_set_input",
                session,
                port.name.encode(),
                array.ctypes.data,
                ctypes.c_uint64(array.nbytes),
            )
        call("session_replay", session, None)
        call("session_wait", session)
        shapes = self._read_result_shapes(session)
        return {
            port.name: self._get_result(session, port, shapes[port.name], torch_wanted)
            for port in self.outputs
        }

    def _get_result(
        self, session: int, port: Port, shape: Sequence[int], torch_wanted: bool
    ) -> Any:
        result = np.empty(shape, _find_stored_type(port.kind))
        call(
            "session_get_result",
            session,
            port.name.encode(),
            result.ctypes.data,
            ctypes.c_uint64(result.nbytes),
        )
        if torch_wanted:
            return from_stored(result, port.kind)
        # NumPy has no bf16; f32 has all its numbers.
        return convert(result, "bf16", "f32") if port.kind == "bf16" else result

    # Arrays of the device ----------------------------------------------------------

    def _read_on_device(
        self, given: Mapping[str, Any], views: Mapping[str, DeviceView | None]
    ) -> tuple[dict[str, DeviceView], dict[str, int]]:
        """Returns the inputs' memory by name, and the sizes that are open."""
        sizes: dict[str, int] = {}
        inputs: dict[str, DeviceView] = {}
        for port in self.inputs:
            array = _get_input(given, port)
            view = views.get(port.name)
            if view is None:
                raise Error(
                    f"input '{port.name}': expected memory of the device, as other "
                    f"inputs have, got {type(array).__name__} of the CPU"
                )
            check_port(port, view.kind, view.shape, sizes)
            inputs[port.name] = view
        return inputs, sizes

    def _run_on_device(
        self,
        given: Mapping[str, Any],
        views: Mapping[str, DeviceView | None],
        out: Mapping[str, Any],
    ) -> dict[str, Any]:
        inputs, sizes = self._read_on_device(given, views)
        first = next(iter(inputs.values()))
        # An input and a result may have one name.
        pointers = {("input", name): view.pointer for name, view in inputs.items()}
        results: dict[str, Any] = {}
        session = self._get_session(sizes, "device")
        shapes = self._read_result_shapes(session)
        for port in self.outputs:
            shape = shapes[port.name]
            array = out.get(port.name)
            if array is None:
                array = allocate_like(first, shape, port.kind)
            view = view_device(port.name, array)
            if view is None or view.kind != port.kind or list(view.shape) != shape:
                raise Error(
                    f"result '{port.name}': expected {port.kind} {shape} on the device"
                )
            results[port.name] = array
            pointers["result", port.name] = view.pointer
        for (role, name), pointer in pointers.items():
            call(f"session_bind_{role}", session, name.encode(), ctypes.c_uint64(pointer))
        # One graph for calls with the memory of the call before; to make one for memory
        # that may not come again would cost more than the launches.
        is_known = self._bound.get(session) == pointers
        self._bound[session] = pointers
        # A stream orders it behind the producers of inputs, so no wait is required.
        launch = "session_replay" if is_known else "session_launch"
        call(launch, session, first.stream)
        if first.stream is None:
            call("session_wait", session)
        return results

    def _get_session(self, sizes: Mapping[str, int], kind: str) -> int:
        """Returns the session for these sizes."""
        key = (kind, *sizes.values())
        if (known := self._sessions.pop(key, None)) is None:
            if len(self._sessions) == _MOST_SESSIONS:
                self._drop_session()
            dims = (LaunchDim * len(sizes))(
                *(LaunchDim(name.encode(), size) for name, size in sizes.items())
            )
            count = ctypes.c_uint32(len(sizes))
            known = call("session_create", self._program, dims, count)
        self._sessions[key] = self._latest = known
        return known

    def _drop_session(self) -> None:
        """Drops the least recently used session."""
        session = self._sessions.pop(next(iter(self._sessions)))
        self._bound.pop(session, None)
        if self._latest == session:
            self._latest = None
        give_back("session_destroy", session)

    def _read_facts(self) -> LaunchFacts | None:
        """Returns those of the latest call, if there was one."""
        if self._latest is None:
            return None
        facts: LaunchFacts = get_library().pbl_session_facts(ctypes.c_void_p(self._latest))
        return facts

    def report(self) -> dict[str, Any]:
        """Returns device, chip and bytes of the weights and of the latest call."""
        with self._turn:
            chip: bytes = get_library().pbl_program_chip(ctypes.c_void_p(self._program))
            made: dict[str, Any] = {
                "engine": "cuda",
                "device": self.device.name,
                "chip": chip.decode(),
            }
            if (facts := self._read_facts()) is not None:
                made["launches"] = facts.num_launches
                made["weights_bytes"] = facts.program_bytes
                made["session_bytes"] = facts.session_bytes
                made["arena_bytes"] = facts.arena_bytes
            return made


def _find_stored_type(kind: str) -> np.dtype[Any]:
    """Returns NumPy's type for elements in memory; bf16 is its 16 bits.

    >>> _find_stored_type("bf16").itemsize, _find_stored_type("i64").itemsize
    (2, 8)
    """
    return np.dtype(np.uint16) if kind == "bf16" else find_numpy_type(kind)


def _get_input(given: Mapping[str, Any], port: Port) -> Any:
    if given.get(port.name) is None:
        raise Error(f"expected the input '{port.name}', got none")
    refuse_gradient(port.name, given[port.name])
    return given[port.name]


def check_port(port: Port, kind: str, shape: Sequence[int], sizes: dict[str, int]) -> None:
    """Checks that an array fits the port; records open sizes."""
    if kind != port.kind or len(shape) != len(port.shape):
        raise Error(
            f"input '{port.name}': expected {port.kind} {list(port.shape)}, "
            f"got {kind} {list(shape)}"
        )
    for wanted, size in zip(port.shape, shape, strict=True):
        known = sizes.setdefault(wanted, size) if isinstance(wanted, str) else wanted
        if known != size:
            raise Error(
                f"input '{port.name}': expected '{wanted}' to be {known}, got {size}"
            )


def _read_port(tensor: LaunchTensor) -> Port:
    shape: Sequence[int | str] = [
        tensor.dim_names[d].decode() if tensor.shape[d] < 0 else tensor.shape[d]
        for d in range(tensor.rank)
    ]
    return Port(tensor.name.decode(), tensor.dtype.decode(), tuple(shape))
