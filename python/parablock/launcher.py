# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libparablock-launch by ctypes (include/parablock-launch/Launch.h)."""

from __future__ import annotations

import ctypes
import functools
from importlib import resources
from typing import Any

from parablock.errors import MissingError, make_error

_MESSAGE_BYTES = 1016


class LaunchError(ctypes.Structure):
    """pbl_error."""

    _fields_ = (("code", ctypes.c_int), ("message", ctypes.c_char * _MESSAGE_BYTES))


class LaunchTensor(ctypes.Structure):
    """pbl_tensor."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("dtype", ctypes.c_char_p),
        ("role", ctypes.c_int),
        ("rank", ctypes.c_uint32),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("dim_names", ctypes.POINTER(ctypes.c_char_p)),
        ("bytes", ctypes.c_uint64),
    )


class LaunchDim(ctypes.Structure):
    """pbl_dim."""

    _fields_ = (("name", ctypes.c_char_p), ("size", ctypes.c_int64))


class LaunchDeviceFacts(ctypes.Structure):
    """pbl_device_facts."""

    _fields_ = (
        ("chip", ctypes.c_char_p),
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("multiprocessors", ctypes.c_uint32),
        ("total_bytes", ctypes.c_uint64),
        ("free_bytes", ctypes.c_uint64),
    )


class LaunchCopy(ctypes.Structure):
    """pbl_copy."""

    _fields_ = (
        ("target", ctypes.c_uint64),
        ("source", ctypes.c_uint64),
        ("bytes", ctypes.c_uint64),
    )


class LaunchFacts(ctypes.Structure):
    """pbl_facts."""

    _fields_ = (
        ("num_launches", ctypes.c_uint32),
        ("arena_bytes", ctypes.c_uint64),
        ("arena_sum_bytes", ctypes.c_uint64),
        ("session_bytes", ctypes.c_uint64),
        ("program_bytes", ctypes.c_uint64),
    )


class LaunchSampling(ctypes.Structure):
    """pbl_sampling, with the fields of `Sampling` by name."""

    _fields_ = (
        ("repetition_penalty", ctypes.c_double),
        ("temperature", ctypes.c_double),
        ("top_k", ctypes.c_int64),
        ("top_p", ctypes.c_double),
        ("min_p", ctypes.c_double),
    )


class LaunchRequest(ctypes.Structure):
    """pbl_request."""

    _fields_ = (
        ("ids", ctypes.POINTER(ctypes.c_int64)),
        ("rows", ctypes.c_uint64),
        ("width", ctypes.c_uint64),
        ("starts", ctypes.POINTER(ctypes.c_int64)),
        ("max_new_tokens", ctypes.c_int64),
        ("sampling", LaunchSampling),
        ("seed", ctypes.c_uint64),
        ("stops", ctypes.POINTER(ctypes.c_int64)),
        ("num_stops", ctypes.c_uint64),
        ("padding", ctypes.c_int64),
        ("pool_pages", ctypes.c_int64),
        ("reserved_tokens", ctypes.c_int64),
    )


_RETURNS_HANDLE = (
    "package_open",
    "device_open",
    "memory_allocate",
    "program_create",
    "session_create",
    "generation_begin",
)


@functools.cache
def get_library() -> Any:
    """Returns the library beside the package."""
    # The package may lie in several folders, of sources and of what was built.
    path = resources.files("parablock").joinpath("libparablock-launch.so")
    if not path.is_file():
        raise MissingError("the launcher's library is not beside the package")
    library = ctypes.CDLL(str(path))
    for name in _RETURNS_HANDLE:
        getattr(library, f"pbl_{name}").restype = ctypes.c_void_p
    library.pbl_memory_pointer.restype = ctypes.c_uint64
    library.pbl_device_name.restype = ctypes.c_char_p
    library.pbl_program_chip.restype = ctypes.c_char_p
    library.pbl_session_facts.restype = LaunchFacts
    library.pbl_generation_facts.restype = LaunchFacts
    library.pbl_package_tensor.restype = LaunchTensor
    library.pbl_session_tensor.restype = LaunchTensor
    return library


def call(name: str, *arguments: Any) -> Any:
    """Calls a function whose last argument is an error; raises it as an exception."""
    error = LaunchError()
    converted = [
        ctypes.c_void_p(argument)
        if isinstance(argument, int) and not isinstance(argument, bool)
        else argument
        for argument in arguments
    ]
    result = getattr(get_library(), f"pbl_{name}")(*converted, ctypes.byref(error))
    if error.code != 0:
        raise make_error(error.code, error.message.decode(errors="replace"))
    return result


def give_back(name: str, handle: int) -> None:
    """Calls a function that takes a handle back, which cannot fail."""
    getattr(get_library(), f"pbl_{name}")(ctypes.c_void_p(handle))
