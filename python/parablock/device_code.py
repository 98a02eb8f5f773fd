# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code of models for the device that is there, and their weights on it."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import logging
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent import futures
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parablock.errors import make_error
from parablock.interrupts import call_interruptibly
from parablock.launcher import call, get_library
from parablock.native import get_core_module
from parablock.origin import check_origin
from parablock.output import make_scratch
from parablock.progress import show_progress
from parablock.tensors import get_type, is_torch, to_stored

if TYPE_CHECKING:
    from parablock._core import Module, Packing
    from parablock.rewriting import WeightSource

_log = logging.getLogger("parablock")

#: The latest devices that code is made for; later ones run PTX of an earlier one.
_LATEST = (9, 0)

#: Addresses that kernels read from are multiples of this.
_ALIGNMENT = 16

#: More than these do not pack faster than a bus takes.
_MOST_THREADS = 8


@contextlib.contextmanager
def compile_package(
    module: Module, chip: str, capability: tuple[int, int], cache: str | None = ""
) -> Iterator[Path]:
    """Yields a package of a module for one device, without weights.

    `chip` and `capability` are those of the device, as pbl_device_get_facts returns
    them. The folder that keeps code of CPUs keeps that of devices, too; `cache` is a
    folder, "" for that of the environment, or None. The package can be removed once a
    program of it exists and has its weights.
    """
    is_later = capability > _LATEST
    if is_later:
        _log.info(
            "a device of compute capability %d.%d is later than all that code is made "
            "for: its driver compiles PTX of %s",
            *capability,
            chip,
        )
    with make_scratch() as scratch:
        folder = Path(scratch, "model.pbk")
        with show_progress(f"compiling for {chip}"):
            call_interruptibly(
                module.write_device_package, str(folder), chip, is_later, cache
            )
        for said in module.context.take_diagnostics():
            log = _log.warning if said.severity == "warning" else _log.info
            log("%s", said)
        yield folder


def upload_weights(
    program: int,
    package: Path,
    module: Module,
    weights: WeightSource,
    threads: int = 0,
    device: int | None = None,
) -> dict[str, Any]:
    """Packs the weights of a module to a program of the launcher's library.

    `weights` returns the original ones, one after the other and from where they lie;
    no more of them are held at a time than one packed weight of each thread depends
    on. 0 threads are as many as have an effect.

    PyTorch's tensors on the `device`, by its number, that are packed as they are have no
    second memory: the program reads them in place as long as the result is kept, which
    has them by name.
    """
    check_origin(module, weights)
    threads = threads or min(_MOST_THREADS, os.cpu_count() or 1)
    upload = _Upload(program, package, module, weights)
    with show_progress("moving weights to the device"):
        if device is not None:
            upload.bind(device)
        call_interruptibly(upload.run, threads)
    return upload.bound


def _is_readable(tensor: Any, kind: str, device: int) -> bool:
    """Returns whether kernels can read a weight where it lies."""
    if not is_torch(tensor) or tensor.device.type != "cuda":
        return False
    is_dense = tensor.is_contiguous() and not tensor.is_neg() and tensor.numel() > 0
    is_there = (tensor.device.index or 0) == device and tensor.data_ptr() % _ALIGNMENT == 0
    return is_dense and is_there and get_type(tensor) == kind


class _Upload:
    """Packed weights, each of which goes to the device by one of several threads."""

    def __init__(
        self, program: int, package: Path, module: Module, weights: WeightSource
    ) -> None:
        self._program, self._weights = program, weights
        self._recipe = str(package / "recipe.mlir")
        self._infos = {info.name: info for info in module.get_signature().parameters}
        function = get_library().pbl_program_set_weight_part
        self._function = ctypes.cast(function, ctypes.c_void_p).value or 0
        # Sources of weights need not be for several threads.
        self._turn = threading.Lock()
        self._next = itertools.count()
        self._has_failed = False
        #: Weights that the program reads where PyTorch has them.
        self.bound: dict[str, Any] = {}

    def bind(self, device: int) -> None:
        """Binds weights of a device that need no packing, before memory is allocated."""
        core = get_core_module()
        packing = core.Packing(core.Context(), self._recipe)
        for index, (name, originals) in enumerate(packing.list()):
            if not packing.is_original(index):
                continue
            info = self._infos[originals[0]]
            tensor = self._weights(info)
            if not _is_readable(tensor, info.type, device):
                continue
            tensor = tensor.detach()
            address, size = tensor.data_ptr(), tensor.nbytes
            call(
                "program_bind_weight",
                self._program,
                name.encode(),
                ctypes.c_uint64(address),
                ctypes.c_uint64(size),
            )
            self.bound[name] = tensor

    def run(self, threads: int) -> None:
        with futures.ThreadPoolExecutor(threads) as pool:
            for future in [pool.submit(self._work) for _ in range(threads)]:
                future.result()

    def _work(self) -> None:
        """Packs one weight after the other that no other thread has taken."""
        core = get_core_module()
        # A context is for one thread.
        packing = core.Packing(core.Context(), self._recipe)
        packed = packing.list()
        try:
            while not self._has_failed and (index := next(self._next)) < len(packed):
                if packed[index][0] not in self.bound:
                    self._pack(packing, index, packed[index][1])
        except BaseException:
            self._has_failed = True
            raise

    def _pack(self, packing: Packing, index: int, names: Sequence[str]) -> None:
        core = get_core_module()
        with self._turn:
            originals = [
                core.Tensor(
                    to_stored(self._weights(self._infos[name]))[0],
                    self._infos[name].type,
                )
                for name in names
            ]
        code, message = packing.upload(index, originals, self._function, self._program)
        if code:
            raise make_error(code, message)
