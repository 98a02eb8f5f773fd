# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loop over tokens on a device, by the launcher's library."""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from parablock.copying import NotCopied
from parablock.decoding.sampling import Sampling
from parablock.device_program import DeviceProgram
from parablock.errors import make_error
from parablock.launcher import LaunchRequest, LaunchSampling, call, get_library, give_back
from parablock.native import get_core_module

Array = np.ndarray[Any, Any]


@dataclasses.dataclass(frozen=True)
class Request:
    """Rows to continue, and options."""

    #: [rows, width] tokens; the first `starts` of each row are padding.
    prompt: Array
    starts: Array
    #: Largest number of new tokens of each row.
    count: int
    sampling: Sampling
    seed: int
    #: Tokens that end a row.
    stops: Sequence[int]
    #: The token of rows that have ended.
    padding: int
    #: Largest number of pages, if caches are in pages and there is one.
    pages: int | None

    def describe(self) -> LaunchRequest:
        """Returns the library's form, whose pointers are to memory of this object."""
        rows, width = self.prompt.shape
        sampling = LaunchSampling(**dataclasses.asdict(self.sampling.check()))
        stops = (ctypes.c_int64 * len(self.stops))(*self.stops)
        return LaunchRequest(
            _point(self.prompt),
            rows,
            width,
            _point(self.starts),
            self.count,
            sampling,
            self.seed,
            stops,
            len(self.stops),
            self.padding,
            self.pages or 0,
            0,
        )


def _point(array: Array) -> Any:
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_int64))


class DeviceGeneration(NotCopied):
    """Rows of tokens that go on, as `Generation` of the extension."""

    _instead = "begin another one"

    def __init__(self, program: DeviceProgram, request: Request) -> None:
        self._program, self._request = program, request
        self._described = request.describe()
        self._handle: int | None = None
        self._kept = contextlib.ExitStack()

    def begin(self) -> None:
        """Starts the prompt; the weights stay from now on until `run` has ended."""
        request = ctypes.byref(self._described)
        with contextlib.ExitStack() as kept:
            program = kept.enter_context(self._program.generates())
            self._handle = call("generation_begin", program, request)
            self._kept = kept.pop_all()

    def run(self, tokens: Array, handler: Callable[[int], bool] | None) -> int:
        """Writes tokens [steps, rows], and returns the number of steps.

        A true result of `handler` ends them.
        """
        function = ctypes.cast(get_library().pbl_generation_next, ctypes.c_void_p).value
        run = get_core_module().run_on_device
        try:
            steps, code, message = run(function, self._handle, tokens, handler)
        finally:
            self._end()
        if code:
            raise make_error(code, message)
        made: int = steps
        return made

    def _end(self) -> None:
        """Waits for steps that run ahead, and frees memory and weights."""
        if self._handle is not None:
            facts = get_library().pbl_generation_facts(ctypes.c_void_p(self._handle))
            self._program.note_facts(facts)
            give_back("generation_free", self._handle)
            self._handle = None
        self._kept.close()

    def __del__(self) -> None:
        if hasattr(self, "_kept"):
            self._end()
