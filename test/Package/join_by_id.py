# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""join_by_id.py LIBRARY RANK RANKS: an application that hands the id from rank to rank itself.

The first rank prints it, the others read it. Each then says what came of a meeting in which the last one fails.
"""

import ctypes
import sys


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("message", ctypes.c_char * 1016)]


library = ctypes.CDLL(sys.argv[1])
rank, ranks = int(sys.argv[2]), int(sys.argv[3])
for name in ("pbl_device_open", "pbl_group_join"):
    getattr(library, name).restype = ctypes.c_void_p
error = Error()


def check(made):
    assert made, error.message
    return ctypes.c_void_p(made)


device = check(library.pbl_device_open(0, ctypes.byref(error)))
own_id = ctypes.create_string_buffer(128)
if rank == 0:
    assert library.pbl_group_make_id(own_id, ctypes.byref(error)) == 0, error.message
    print(own_id.raw.hex(), flush=True)
else:
    own_id.raw = bytes.fromhex(sys.stdin.readline())
group = check(library.pbl_group_join(device, rank, ranks, 20, own_id, ctypes.byref(error)))
assert library.pbl_group_meet(group, None, ctypes.byref(error)) == 0, error.message
failure = b"out of paper" if rank == ranks - 1 else None
code = library.pbl_group_meet(group, failure, ctypes.byref(error))
print(code, error.message.decode())
library.pbl_group_leave(group)
library.pbl_device_close(device)
