# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""captured_rows.py LIBRARY PACKAGE RANK RANKS: prints the error of rows that are exchanged on a captured stream.

The first rank prints the id by which ranks join, the others read it.
"""

import ctypes
import os
import sys


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("message", ctypes.c_char * 1016)]


library, driver = ctypes.CDLL(sys.argv[1]), ctypes.CDLL(os.environ["PARABLOCK_CUDA_DRIVER"])
rank, ranks = int(sys.argv[3]), int(sys.argv[4])
error = Error()


def call(name, *arguments):
    function = getattr(library, f"pbl_{name}")
    function.restype = ctypes.c_void_p
    return ctypes.c_void_p(function(*arguments, ctypes.byref(error)))


def must(name, *arguments):
    made = call(name, *arguments)
    assert error.code == 0, (name, error.message)
    return made


package, device = must("package_open", sys.argv[2].encode()), must("device_open", 0)
own_id = ctypes.create_string_buffer(128)
if rank == 0:
    must("group_make_id", own_id)
    print(own_id.raw.hex(), flush=True)
else:
    own_id.raw = bytes.fromhex(sys.stdin.readline())
group = must("group_join", device, rank, ranks, 20, own_id)
program = must("program_create_rank", package, device, group, None)
session = must("session_create", program, None, 0)
for name, size in ((b"x", 2 * 8 * 8 * 4), (b"c", 2 * 8 * 2 * 8)):
    must("session_set_input", session, name, bytes(size), ctypes.c_uint64(size))
stream = ctypes.c_void_p()
assert driver.cuCtxPushCurrent_v2(None) == 0
assert driver.cuStreamCreate(ctypes.byref(stream), 0) == 0
assert driver.cuStreamBeginCapture_v2(stream, 2) == 0
for name in ("session_launch", "session_replay"):
    call(name, session, stream)
    print(error.code, error.message.decode())
