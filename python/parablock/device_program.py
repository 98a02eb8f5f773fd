# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of a target 'cuda': a package that is compiled for the device that is there."""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.calling import OF_SIZES, Calling
from parablock.copying import NotCopied
from parablock.device import DeviceView, allocate_like, view_device
from parablock.device_code import UploadedWeights, compile_package, is_later, upload_weights
from parablock.device_memory import OpenDevice
from parablock.device_packing import DevicePacking
from parablock.errors import Error
from parablock.launcher import LaunchFacts, call, get_library
from parablock.package import Package, Port, check_port
from parablock.tensors import get_type, is_torch, refuse_traces, to_stored

if TYPE_CHECKING:
    from parablock._core import Module, Signature
    from parablock.compiled import GivenWeights
    from parablock.target import Target
    from parablock.weight_watch import WeightWatch

Array = np.ndarray[Any, Any]


@dataclasses.dataclass(frozen=True)
class Argument:
    """An array of the CPU or of the device, and its element type in the IR."""

    array: Any
    kind: str


@dataclasses.dataclass(frozen=True)
class _StaticMemory:
    """PyTorch's tensors that a CUDA graph reads and writes."""

    inputs: Mapping[str, Any]
    results: Mapping[str, Any]


class DeviceProgram(Package):
    """A function on a device, with the arguments of the engines' programs.

    An argument may lie in the device's memory, which is read and written in place, or
    in the CPU's, which is copied. A call returns when its results are there.
    """

    _instead = "compile the model once more"
    __name__ = "parablock_device_program"

    def __init__(
        self,
        module: Module,
        signature: Signature,
        device: OpenDevice,
        target: Target,
        weights: GivenWeights | None,
    ) -> None:
        """Without `weights`, every call gives them."""
        self._module = module
        #: Generations that run, each of which reads the weights.
        self._generations = 0
        #: Those of the latest generation, if none has run a session since.
        self._facts: LaunchFacts | None = None
        #: With mode "reduce-overhead", the memory of the graph of each session.
        self._has_graphs = target.mode is not None
        self._static: dict[int, _StaticMemory] = {}
        self._input_names = [info.name for info in signature.inputs]
        self._output_names = [info.name for info in signature.outputs]
        # The package's recipe packs weights that have changed.
        self._files = contextlib.ExitStack()
        self._uploaded = UploadedWeights()
        #: Whether all weights are those of one moment.
        self._has_weights = False
        capability = device.find_capability()
        package = compile_package(module, target.chip, capability, target.cache)
        self._folder = self._files.enter_context(package)
        self._packing = DevicePacking(
            device, target, self._folder, is_later=is_later(capability)
        )
        self._open(self._folder, device)
        #: Bytes of weights by name.
        self._sizes = self._read_weight_sizes()
        if weights is not None:
            self.set_weights(weights)

    def run_with_weights(
        self, given: Mapping[str, Any], weights: GivenWeights
    ) -> dict[str, Any]:
        """Returns results by name, with these weights, of arrays of the CPU or the device.

        The inputs lie where the results are wanted, all of them.
        """
        with self._turn:
            self.set_weights(weights)
            # A graph would be one of weights that the next call has elsewhere.
            self._bound.clear()
            return self._run_by_name(given, {})

    def set_weights(self, weights: GivenWeights) -> None:
        """Packs weights, and copies them to the device."""
        with self._turn:
            if self._generations:
                raise Error(
                    "refresh: expected weights that stay while a generation runs on "
                    f"'{self.device.name}', got others: change them behind it"
                )
            self._has_weights = False
            uploaded = upload_weights(
                self._program,
                self._folder,
                self._module,
                weights.source,
                packing=self._packing,
            )
            # Those of before are read no more.
            self._uploaded = uploaded
            self._wait_for_weights()
            self._has_weights = True

    def _check_weights(self) -> None:
        """Rejects weights of which some are packed again and others are not."""
        if not self._has_weights:
            raise Error(
                "expected packed weights, got a packing that failed: refresh() packs them again"
            )

    def _wait_for_weights(self) -> None:
        """Waits for PyTorch's work on weights that are read where it has them."""
        for tensor in (*self._uploaded.lent.values(), *self._uploaded.copied.values()):
            import torch

            torch.cuda.current_stream(tensor.device).synchronize()
            return

    def memory(self) -> dict[str, int]:
        """Returns bytes on the device, as DeviceModel.memory() describes them."""
        with self._turn:
            library, sessions = get_library(), [*self._sessions.values()]
            facts = [library.pbl_session_facts(ctypes.c_void_p(each)) for each in sessions]
            device = self.device.read_facts()
            in_place = sum(tensor.nbytes for tensor in self._uploaded.lent.values())
            return {
                "weights": sum(self._sizes.values()) - in_place,
                "weights_in_place": in_place,
                "weights_packed_by_cpu": sum(self._sizes[name] for name in self._packing.reasons),
                "originals": sum(self._uploaded.originals.values()),
                "sessions": sum(each.session_bytes for each in facts),
                "free": device.free_bytes,
                "total": device.total_bytes,
            }

    def report(self) -> dict[str, Any]:
        made = super().report()
        made["packed_by_cpu"] = dict(self._packing.reasons)
        return made

    def _run_from_host(self, given: Mapping[str, Any]) -> dict[str, Any]:
        self._check_weights()
        # Sessions have a stream of their own.
        self._wait_for_weights()
        return super()._run_from_host(given)

    def note_facts(self, facts: LaunchFacts) -> None:
        """Sets what `report` returns of the latest generation."""
        with self._turn:
            self._facts = facts

    def _read_facts(self) -> LaunchFacts | None:
        return self._facts or super()._read_facts()

    @contextlib.contextmanager
    def generates(self) -> Iterator[int]:
        """Yields the library's program for a generation, which other calls run beside."""
        with self._turn:
            if not self._handles:
                raise Error("expected an open program, got one after close()")
            self._check_weights()
            self._generations += 1
        try:
            yield self._program
        finally:
            with self._turn:
                self._generations -= 1

    def close(self) -> None:
        super().close()
        self._files.close()

    # Graphs --------------------------------------------------------------------------

    def _run_on_device(
        self,
        given: Mapping[str, Any],
        views: Mapping[str, DeviceView | None],
        out: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Replays a graph over memory of its own, if the mode is that and PyTorch copies."""
        self._check_weights()
        arrays = [*given.values(), *out.values()]
        if not self._has_graphs or not all(map(is_torch, arrays)):
            return super()._run_on_device(given, views, out)
        inputs, sizes = self._read_on_device(given, views)
        first = next(iter(inputs.values()))
        session = self._get_session(sizes, "graph")
        if (static := self._static.get(session)) is None:
            static = self._make_static(session, inputs)
        for name, array in out.items():
            _check_result(name, static.results.get(name), array)
        for name, view in inputs.items():
            static.inputs[name].copy_(view.owner)
        call("session_replay", session, first.stream)
        # The next call writes the graph's own memory.
        return {
            name: out[name].copy_(found) if name in out else found.clone()
            for name, found in static.results.items()
        }

    def _make_static(self, session: int, inputs: Mapping[str, DeviceView]) -> _StaticMemory:
        first = next(iter(inputs.values()))
        shapes = self._read_result_shapes(session)
        made = _StaticMemory(
            {name: allocate_like(first, v.shape, v.kind) for name, v in inputs.items()},
            {p.name: allocate_like(first, shapes[p.name], p.kind) for p in self.outputs},
        )
        for role, tensors in (("input", made.inputs), ("result", made.results)):
            for name, tensor in tensors.items():
                address = ctypes.c_uint64(tensor.data_ptr())
                call(f"session_bind_{role}", session, name.encode(), address)
        self._static[session] = made
        return made

    def _drop_session(self) -> None:
        session = next(iter(self._sessions.values()))
        super()._drop_session()
        self._static.pop(session, None)

    # Memory of the CPU or the device ---------------------------------------------------

    def run(self, inputs: Sequence[Argument], outputs: Sequence[Argument]) -> None:
        """Writes the results of inputs; both are in the order of the model."""
        given = dict(zip(self._input_names, inputs, strict=True))
        results = dict(zip(self._output_names, outputs, strict=True))
        with self._turn:
            self._facts = None
            self._check_weights()
            self._wait_for_weights()
            self._run_in_place(given, results)

    def _run_in_place(
        self, given: Mapping[str, Argument], results: Mapping[str, Argument]
    ) -> None:
        sizes: dict[str, int] = {}
        pointers: dict[tuple[str, str], int] = {}
        copied: list[tuple[Port, Array]] = []
        for port in self.inputs:
            argument = given[port.name]
            view = self._view(port, argument)
            check_port(port, argument.kind, _find_shape(argument, view), sizes)
            if view is None:
                copied.append((port, np.ascontiguousarray(to_stored(argument.array)[0])))
            else:
                pointers["input", port.name] = view.pointer
        fetched: list[tuple[Port, Array]] = []
        shapes: dict[str, tuple[int, ...]] = {}
        for port in self.outputs:
            view = self._view(port, results[port.name])
            shapes[port.name] = _find_shape(results[port.name], view)
            if view is None:
                fetched.append((port, _get_host_memory(results[port.name].array)))
            else:
                pointers["result", port.name] = view.pointer
        session = self._get_session(sizes, " ".join(f"{r}:{name}" for r, name in pointers))
        self._check_shapes(session, results, shapes)
        # A session allocates what is not bound when the first input is set.
        is_known = self._bind(session, pointers)
        for port, array in copied:
            size = ctypes.c_uint64(array.nbytes)
            call("session_set_input", session, port.name.encode(), array.ctypes.data, size)
        # A graph for memory that may not come again would cost more than the launches.
        call("session_replay" if is_known else "session_launch", session, None)
        call("session_wait", session)
        for port, array in fetched:
            size = ctypes.c_uint64(array.nbytes)
            call("session_get_result", session, port.name.encode(), array.ctypes.data, size)

    def _bind(self, session: int, pointers: Mapping[tuple[str, str], int]) -> bool:
        """Binds memory of the device, and returns whether all of it was bound before."""
        known = self._bound.setdefault(session, {})
        if known == pointers:
            return True
        for (role, name), pointer in pointers.items():
            if known.get((role, name)) != pointer:
                address = ctypes.c_uint64(pointer)
                call(f"session_bind_{role}", session, name.encode(), address)
                known[role, name] = pointer
        return False

    def _view(self, port: Port, argument: Argument) -> DeviceView | None:
        """Returns memory of this device, after the work that PyTorch has begun on it."""
        self._check_place(f"'{port.name}'", argument.array)
        view = view_device(port.name, argument.array)
        if view is None or not is_torch(argument.array):
            if view is not None and view.stream is not None:
                raise Error(
                    f"'{port.name}': expected memory of the device whose content is there, got "
                    f"a {type(argument.array).__name__} in the order of stream {view.stream}"
                )
            return view
        if view.owner.data_ptr() != argument.array.data_ptr():
            raise Error(f"'{port.name}': expected dense memory of the device, got a view")
        import torch

        torch.cuda.current_stream(argument.array.device).synchronize()
        return view

    def _check_shapes(
        self,
        session: int,
        results: Mapping[str, Argument],
        shapes: Mapping[str, tuple[int, ...]],
    ) -> None:
        """Rejects memory that results do not fit into."""
        wanted = self._read_result_shapes(session)
        for port in self.outputs:
            found = results[port.name].kind, list(shapes[port.name])
            if found != (port.kind, wanted[port.name]):
                raise Error(
                    f"result '{port.name}': expected {port.kind} {wanted[port.name]}, got "
                    f"{found[0]} {found[1]}"
                )


class DeviceModel(NotCopied):
    """A program on a device with the calling convention of its model.

    Arrays of the device are used where they lie, on their stream, and results are there
    as well. Arrays of the CPU are copied, and results are what they are. Weights of a
    module that have changed are packed again.

        logits = model.compile("cuda")(input_ids)["logits"]
    """

    __name__ = "parablock_device_model"

    def __init__(
        self,
        program: DeviceProgram,
        give_weights: Callable[[], GivenWeights],
        calling: Calling,
        watch: WeightWatch | None = None,
    ) -> None:
        """The program has the weights already."""
        self._program = program
        self._give_weights = give_weights
        self._calling = calling
        self._watch = watch

    def refresh(self) -> None:
        """Packs the current weights; a call does so if it detects a change."""
        self._program.set_weights(self._give_weights())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        refuse_traces()
        if self._watch is not None:
            self._watch.refresh_where_changed(self.refresh)
        inputs = self._calling.flatten(args, kwargs)
        names = {port.name for port in self._program.inputs}
        given = {name: array for name, array in inputs.items() if name in names}
        _move_made(given)
        return self._calling.unflatten(self._program(**given))

    def memory(self) -> dict[str, int]:
        """Returns bytes on the device.

        `weights` are the program's own, `weights_in_place` those that it reads where
        PyTorch has them, `sessions` what calls need besides, and `free` and `total` are
        the device's. `originals` are PyTorch's tensors of the device that some of
        `weights` were packed from, which are in memory beside these. Of `weights`,
        `weights_packed_by_cpu` were packed there, as `run_report()` explains.
        """
        return self._program.memory()

    def run_report(self) -> dict[str, Any]:
        """Returns device and chip, and launches and bytes of the latest call."""
        return self._program.report()


def _check_result(name: str, found: Any, array: Any) -> None:
    """Rejects a tensor that is not like a result; there may be none of that name."""
    wanted, got = (f"{get_type(a)} {list(np.shape(a))}" for a in (found, array))
    if found is None or got != wanted:
        raise Error(f"result '{name}': expected {'none' if found is None else wanted}, got {got}")


def _move_made(given: dict[str, Any]) -> None:
    """Moves numbers that a call computes of sizes to where its tensors are."""
    devices = (a.device for a in given.values() if is_torch(a) and a.device.type == "cuda")
    if (device := next(devices, None)) is not None:
        for name, array in given.items():
            if name.startswith(OF_SIZES):
                given[name] = array.to(device)


def _find_shape(argument: Argument, view: DeviceView | None) -> tuple[int, ...]:
    """Returns the shape of an array; not every array of a device has a `shape` of its own."""
    return np.shape(argument.array) if view is None else view.shape


def _get_host_memory(array: Any) -> Array:
    """Returns memory of the CPU that a result is copied to."""
    if is_torch(array):
        import torch

        stored = array.view(torch.uint16) if get_type(array) == "bf16" else array
        array = stored.detach().numpy()
    if not array.flags.c_contiguous:
        raise Error("expected a result in one piece of memory")
    made: Array = array
    return made
