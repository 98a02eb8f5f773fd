# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Targets of compiling: engine, processor or chip, threads, and kept code."""

from __future__ import annotations

import dataclasses
import logging
import os
import re
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from parablock.arguments import make_error, read_choice, read_text, read_whole
from parablock.compiled import CompiledFunction, GivenWeights
from parablock.device_memory import OpenDevice
from parablock.device_program import DeviceProgram
from parablock.errors import Error
from parablock.native import get_core_module

if TYPE_CHECKING:
    from parablock._core import Memory, Module, Program, Signature, TensorInfo

_log = logging.getLogger("parablock")
#: Value of the option `cache`.
CodeFolder = bool | str | os.PathLike[str] | None
_MOST_THREADS = (1 << 32) - 1
#: The mode of launches that is a choice: one CUDA graph for calls with any memory.
REDUCE_OVERHEAD = "reduce-overhead"
#: A device's, as PyTorch writes it.
_NUMBER = re.compile("0|[1-9][0-9]{0,8}")


@dataclasses.dataclass(frozen=True)
class Target:
    """Target of a compilation, and the folder that keeps code."""

    engine: str
    chip: str
    threads: int
    #: A folder, "" for that of the environment, or None.
    cache: str | None = ""
    #: Whether packed weights are kept there, too, whatever the environment says.
    keeps_weights: bool = False
    #: The driver's number of a device, with engine "cuda", and how calls are launched.
    device: int = 0
    mode: str | None = None

    def __str__(self) -> str:
        if self.engine == "cuda":
            return f"cuda:{self.device}"
        return f"{self.engine}:{self.chip}" if self.chip else self.engine

    def create(
        self,
        module: Module,
        signature: Signature,
        memory: Memory | None = None,
        allocate_result: Callable[[TensorInfo, Sequence[int]], Any] | None = None,
        weights: GivenWeights | None = None,
    ) -> CompiledFunction:
        program = self.compile(module, signature, self.engine, memory, weights)
        is_open = any(-1 in info.shape for info in signature.outputs)
        # The other engines know the shapes of results once those are there.
        shapes: Program | None = None
        if is_open and self.engine != "cpu":
            shapes = self.compile(module, signature, "cpu")
        parameters = weights.parameters if weights else ()
        return CompiledFunction(program, signature, shapes, allocate_result, parameters)

    def create_on_device(
        self, module: Module, signature: Signature, weights: GivenWeights
    ) -> DeviceProgram:
        """Compiles a function for the target's device."""
        return DeviceProgram(module, signature, OpenDevice(self.device), self, weights)

    def compile(
        self,
        module: Module,
        signature: Signature,
        engine: str,
        memory: Memory | None = None,
        weights: GivenWeights | None = None,
    ) -> Program:
        """Compiles a function for an engine of the CPU, with its weights."""
        core = get_core_module()
        chip = self.chip if engine == self.engine else ""
        program: Program = core.Program(
            module,
            signature.function,
            engine,
            chip,
            self.threads,
            self.cache,
            memory,
            self.keeps_weights,
            weights.parameters if weights else (),
            weights.identity if weights else None,
        )
        for said in module.context.take_diagnostics():
            log = _log.warning if said.severity == "warning" else _log.info
            log("%s", said)
        if weights:
            weights.keep(program)
        return program


def read_cache(cache: CodeFolder) -> str | None:
    """Returns the folder of `cache=` for compiled code, or None.

    >>> read_cache(None), read_cache(False), read_cache("codes")
    ('', None, 'codes')
    """
    if cache is None or cache is True:
        return ""
    if cache is False:
        return None
    folder = os.fspath(cache) if isinstance(cache, str | os.PathLike) else ""
    if not isinstance(folder, str) or not folder:
        raise make_error("cache", "a folder, True or False", cache)
    return read_text("cache", folder, "a folder")


def read_mode(mode: Any, target: str, *, is_device: bool) -> str | None:
    """Returns `mode=` of a target, or rejects it.

    >>> read_mode("reduce-overhead", "cuda", is_device=True)
    'reduce-overhead'
    """
    if read_choice("mode", mode, (REDUCE_OVERHEAD, None)) is None:
        return None
    if not is_device:
        raise Error(f"option 'mode' requires target 'cuda', got '{mode}' and '{target}'")
    return REDUCE_OVERHEAD


def make_target(
    engine: str, chip: str, threads: int, cache: CodeFolder, keep_weights: bool
) -> Target:
    """Returns the target that arguments of those names describe, or rejects one of them.

    With engine "cuda" `chip` is the number of a device, which has to be there.
    """
    threads = read_whole("threads", threads, 0, _MOST_THREADS, " (all cores)")
    folder = read_cache(cache)
    if engine != "cuda":
        return Target(engine, chip, threads, folder, keep_weights)
    if threads:
        raise Error(f"option 'threads' requires target 'cpu', got 'cuda' and {threads} threads")
    number = int(chip or 0)
    found = OpenDevice(number).find_chip()
    return Target(engine, found, 0, folder, keep_weights, number)


def split_target(
    target: Any, engines: Collection[str], requirement: str
) -> tuple[str, str]:
    """Returns the engine that a target names, and what is behind its colon.

    That is a processor, a chip, or the number of a device.

    >>> split_target("cpu:x86-64", ("cpu",), "cpu or cpu:PROCESSOR")
    ('cpu', 'x86-64')
    >>> split_target("cuda:1", ("cuda",), "cuda or cuda:NUMBER")
    ('cuda', '1')
    """
    engine, colon, chip = read_text("target", target, requirement).partition(":")
    if engine not in engines or (colon and (not chip or engine == "reference")):
        raise make_error("target", requirement, target)
    if engine == "cuda" and colon and not _NUMBER.fullmatch(chip):
        raise make_error("target", requirement, target)
    return engine, chip
