#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""faults.py BUILD FOLDER: programs on a device that fails, at each of their allocations, launches and calls.

The driver that stands in for a GPU fails on request, and counts what is not freed. A launcher that meets a fault
describes it in one line, frees everything, and runs the next program in the same process.
"""

import ctypes
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

BUILD, FOLDER = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
DRIVER = BUILD / "lib" / "libparablock-fake-driver.so"
os.environ |= {"PARABLOCK_CUDA_DRIVER": str(DRIVER), "PARABLOCK_FAKE_CHIP": "sm_80", "PARABLOCK_FAKE_MEMORY": "1000000"}
KINDS = ("allocation", "launch", "call")
VALUES = struct.pack("<64f", *range(64))
WEIGHT = struct.pack("<1024f", *((7 * index % 13) / 4 for index in range(1024)))
MODEL = """
func.func @main(%x: tensor<1x2x32xf32> {block.input = "x"}, %w: tensor<32x32xf32> {block.param = "w"})
    -> (tensor<1x2x32xf32> {block.output = "y"}) {
  %y = block.kernel "linear" (%a = %x : tensor<1x2x32xf32>, %v = %w : tensor<32x32xf32>) -> tensor<1x2x32xf32> {
    %p = block.linear %a, %v : (tensor<1x2x32xf32>, tensor<32x32xf32>) -> tensor<1x2x32xf32>
    block.yield %p : tensor<1x2x32xf32>
  }
  %z = block.kernel "rows" (%a = %y : tensor<1x2x32xf32>, %b = %x : tensor<1x2x32xf32>) -> tensor<1x2x32xf32> {
    %sum = block.residual %a, %b : (tensor<1x2x32xf32>, tensor<1x2x32xf32>) -> tensor<1x2x32xf32>
    block.yield %sum : tensor<1x2x32xf32>
  }
  return %z : tensor<1x2x32xf32>
}
"""


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("message", ctypes.c_char * 1016)]


class Failed(Exception):
    """The message of the launcher."""


class Run:
    """One program from the driver's first call to the last."""

    def __init__(self, library, package):
        self.library, self.package, self.handles = library, package, []

    def call(self, name, *arguments):
        error = Error()
        words = [ctypes.c_void_p(word) if isinstance(word, int) and word > 1 << 31 else word for word in arguments]
        result = getattr(self.library, f"pbl_{name}")(*words, ctypes.byref(error))
        if error.code:
            assert error.code == 1, error.code
            raise Failed(error.message.decode())
        return result

    def make(self, name, free, *arguments):
        getattr(self.library, f"pbl_{name}").restype = ctypes.c_void_p
        handle = self.call(name, *arguments)
        self.handles.append((free, handle))
        return handle

    def compute(self, graph):
        package = self.make("package_open", "package_close", str(self.package).encode())
        device = self.make("device_open", "device_close", 0)
        program = self.make("program_create", "program_destroy", package, device, None)
        for offset in (0, len(WEIGHT) // 2):
            part = WEIGHT[offset:offset + len(WEIGHT) // 2]
            self.call("program_set_weight_part", program, b"packed.w", ctypes.c_uint64(offset), part, ctypes.c_uint64(len(part)))
        session = self.make("session_create", "session_destroy", program, None, 0)
        self.call("session_set_input", session, b"x", VALUES, ctypes.c_uint64(len(VALUES)))
        for _ in range(2):
            self.call("session_replay" if graph else "session_launch", session, None)
        result = ctypes.create_string_buffer(len(VALUES))
        self.call("session_get_result", session, b"y", result, ctypes.c_uint64(len(VALUES)))
        return result.raw

    def free(self):
        for name, handle in self.handles:
            getattr(self.library, f"pbl_{name}")(ctypes.c_void_p(handle))


def describe(kind, message, graph):
    """Whether a message has what its reader has to know."""
    if kind == "allocation":
        what = "the weights|inputs and results|workspaces|what lies between launches"
        wanted = rf"not enough device memory for ({what}): expected \d+ bytes, got \d+ of 1000000 free"
    elif kind == "launch" and graph:
        wanted = r"a launch of .*p\.pbk \(2 from 'linear_0' to 'rows_0'\): cuGraphLaunch: CUDA_ERROR_LAUNCH_FAILED"
    elif kind == "launch":
        wanted = r"kernel '(linear|rows)_0': cuLaunchKernelEx: CUDA_ERROR_LAUNCH_FAILED"
    else:
        wanted = r".*\bcu[A-Z]\w+: CUDA_ERROR_UNKNOWN.*"
    return re.fullmatch(wanted, message)


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    (FOLDER / "m.mlir").write_text(MODEL)
    subprocess.run(["block-translate", "--block-to-package", "--chip=sm_80", "m.mlir", "-o", "p.pbk"], cwd=FOLDER, check=True)
    library, driver = ctypes.CDLL(str(BUILD / "lib" / "libparablock-launch.so")), ctypes.CDLL(str(DRIVER))
    driver.parablockFakeGetCount.restype = driver.parablockFakeGetUsed.restype = ctypes.c_uint64
    driver.parablockFakeGetObjects.restype = ctypes.c_int64
    tried = dict.fromkeys(KINDS, 0)

    def run(fault, graph):
        """(result, message, events by kind)."""
        assert driver.parablockFakeSetFault(fault.encode()), fault
        one = Run(library, FOLDER / "p.pbk")
        try:
            outcome = one.compute(graph), None
        except Failed as failed:
            outcome = None, str(failed)
        counts = [driver.parablockFakeGetCount(kind) for kind in range(len(KINDS))]
        one.free()
        left = driver.parablockFakeGetUsed(), driver.parablockFakeGetObjects()
        assert left == (0, 0), f"{fault}: {left[0]} bytes and {left[1]} objects are not freed"
        return *outcome, counts

    for graph in (True, False):
        wanted, message, counts = run("", graph)
        assert message is None, message
        for kind, count in zip(KINDS, counts):
            assert count > 0, kind
            for number in range(1, count + 1):
                fault = f"{kind}:{number}"
                result, message, _ = run(fault, graph)
                # The last two calls only make other contexts current again: the result is there.
                if kind == "call" and number > count - 2:
                    assert (result, message) == (wanted, None), message
                    continue
                assert result is None and describe(kind, message, graph), f"{fault}: {message}"
            assert run(f"{kind}:{count + 1}", graph)[0] == wanted, "no fault"
            assert run("", graph)[0] == wanted, f"another program after {kind}"
            tried[kind] += count if graph or kind != "allocation" else 0
    for kind, count in tried.items():
        print(f"{kind}: {count} faults")
    for fault in ("launch", "launch:0", "launch:x", "none:1", ":"):
        assert not driver.parablockFakeSetFault(fault.encode()), fault


main()
