# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code of models for the device that is there, and their weights on it."""

from __future__ import annotations

import contextlib
import ctypes
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from parablock.errors import make_error
from parablock.interrupts import call_interruptibly
from parablock.launcher import get_library
from parablock.native import get_core_module
from parablock.origin import check_origin
from parablock.output import make_scratch
from parablock.progress import show_progress
from parablock.tensors import to_stored

if TYPE_CHECKING:
    from parablock._core import Module
    from parablock.rewriting import WeightSource

_log = logging.getLogger("parablock")

#: The latest devices that code is made for; later ones run PTX of an earlier one.
_LATEST = (9, 0)


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
    program: int, package: Path, module: Module, weights: WeightSource
) -> None:
    """Packs the weights of a module to a program of the launcher's library.

    `weights` returns the original ones, one after the other and from where they lie;
    no more of them are held at a time than one packed weight depends on.
    """
    check_origin(module, weights)
    core = get_core_module()
    infos = {info.name: info for info in module.get_signature().parameters}
    function = ctypes.cast(get_library().pbl_program_set_weight_part, ctypes.c_void_p)
    packing = core.Packing(module.context, str(package / "recipe.mlir"))
    with show_progress("moving weights to the device"):
        for index, (_, names) in enumerate(packing.list()):
            originals = [
                core.Tensor(to_stored(weights(infos[name]))[0], infos[name].type)
                for name in names
            ]
            code, message = call_interruptibly(
                packing.upload, index, originals, function.value, program
            )
            if code:
                raise make_error(code, message)
