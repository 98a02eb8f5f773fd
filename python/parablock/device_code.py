# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code of models for the device that is there, and their weights on it."""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import itertools
import logging
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent import futures
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parablock.device_packing import (
    DevicePacking,
    is_on_device,
    is_readable,
    make_readable,
    wait_for_device,
)
from parablock.errors import make_error
from parablock.interrupts import call_interruptibly
from parablock.launcher import call, get_library
from parablock.native import get_core_module
from parablock.origin import check_origin
from parablock.output import make_scratch
from parablock.progress import show_progress
from parablock.tensors import get_type, to_stored

if TYPE_CHECKING:
    from parablock._core import Module, Packing
    from parablock.rewriting import WeightSource

_log = logging.getLogger("parablock")

#: The latest devices that code is made for; later ones run PTX of an earlier one.
_LATEST = (9, 0)

#: More than these do not pack faster than a bus takes.
_MOST_THREADS = 8


def is_later(capability: tuple[int, int]) -> bool:
    """Returns whether a device is later than all that code is made for.

    >>> is_later((9, 0)), is_later((10, 0))
    (False, True)
    """
    return capability > _LATEST


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
    runs_ptx = is_later(capability)
    if runs_ptx:
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
                module.write_device_package, str(folder), chip, runs_ptx, cache
            )
        for said in module.context.take_diagnostics():
            log = _log.warning if said.severity == "warning" else _log.info
            log("%s", said)
        yield folder


@dataclasses.dataclass
class UploadedWeights:
    """Where a program has its weights, and what packed them."""

    #: Weights that the program reads where PyTorch has them, by name.
    lent: dict[str, Any] = dataclasses.field(default_factory=dict)
    #: Copies that it reads, of tensors of the device that kernels cannot read.
    copied: dict[str, Any] = dataclasses.field(default_factory=dict)
    #: Bytes of PyTorch's tensors of the device that others were packed from, by name.
    originals: dict[str, int] = dataclasses.field(default_factory=dict)


def upload_weights(
    program: int,
    package: Path,
    module: Module,
    weights: WeightSource,
    threads: int = 0,
    packing: DevicePacking | None = None,
) -> UploadedWeights:
    """Packs the weights of a module to a program of the launcher's library.

    `weights` returns the original ones, one after the other and from where they lie.
    With `packing` the device packs them, as far as it has programs for that, and the
    program reads PyTorch's tensors of its device in place that are packed as they are,
    as long as the result is kept. Threads of the CPU pack the others, no more of them at
    a time than one packed weight of each thread depends on; 0 are as many as have an
    effect.
    """
    check_origin(module, weights)
    threads = threads or min(_MOST_THREADS, os.cpu_count() or 1)
    upload = _Upload(program, package, module, weights)
    with show_progress("moving weights to the device"):
        if packing is not None:
            upload.bind(packing)
            upload.pack_on_device(packing)
        call_interruptibly(upload.run, threads)
    return upload.made


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
        #: Weights that are on the device already.
        self._done: set[str] = set()
        self.made = UploadedWeights()

    def bind(self, packing: DevicePacking) -> None:
        """Binds weights of a device that need no packing, before memory is allocated."""
        for index, (name, originals) in enumerate(packing.list_weights()):
            if not packing.is_original(index):
                continue
            info = self._infos[originals[0]]
            tensor = self._weights(info)
            if not is_on_device(tensor, packing.device.number) or get_type(tensor) != info.type:
                continue
            if not self._done:
                wait_for_device(tensor)
            kept = self.made.lent if is_readable(tensor) else self.made.copied
            kept[name] = tensor = make_readable(tensor)
            address, size = tensor.data_ptr(), tensor.nbytes
            call(
                "program_bind_weight",
                self._program,
                name.encode(),
                ctypes.c_uint64(address),
                ctypes.c_uint64(size),
            )
            self._done.add(name)

    def pack_on_device(self, packing: DevicePacking) -> None:
        """Lets the device pack what it has programs for."""
        with packing.begin() as run:
            for index, (name, names) in enumerate(packing.list_weights()):
                if not names:
                    # The package has it, and so has the program.
                    self._done.add(name)
                if packing.is_original(index) or name in self._done:
                    continue
                if (code := packing.find_program(index, name)) is None:
                    continue
                originals = [(self._infos[each], self._weights(self._infos[each])) for each in names]
                run.pack(self._program, name, code, originals)
                self._done.add(name)
                for info, weight in originals:
                    if is_on_device(weight, packing.device.number):
                        self.made.originals[info.name] = weight.nbytes
        for name, reason in packing.reasons.items():
            _log.info("weight '%s' is packed by the CPU: %s", name, reason)

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
                name, originals = packed[index]
                if name not in self._done:
                    self._pack(packing, index, originals)
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
