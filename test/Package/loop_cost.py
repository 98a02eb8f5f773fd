#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The host's share of a step of the loop: processor time with a driver that does nothing.

usage: loop_cost.py BUILD FOLDER CXX_COMPILER
       loop_cost.py BUILD FOLDER CXX_COMPILER MODEL ROWS   in a process of its own
"""

import shutil
import sys
import time

import token_loop  # noqa: I001

import loops
import packages

FOLDER, ROOT, run = packages.FOLDER, token_loop.ROOT, packages.run
STEPS, TRIES, LIMIT = 400, 5, 10e-6
# Tokens chosen by the host, and by the function.
MODELS = ("llama", "llama-choice")


def build():
    FOLDER.mkdir(parents=True, exist_ok=True)
    run(packages.COMPILER, "-std=c++17", "-O2", "-shared", "-fPIC", f"-I{ROOT / 'include'}",
        *(ROOT / "test" / "Package" / f"null_{name}.cpp" for name in ("driver", "memory")), "-o", "libnull.so")
    for name in MODELS:
        token_loop.make_model(name)


def measure(name, rows):
    """Seconds of a step, of the quickest try."""
    device = token_loop.open_device(name)
    request = loops.make_request([[1, 2, 3]] * rows, STEPS)
    best = 1.0
    for _ in range(TRIES):
        with device.begin(request) as handle:
            step = device.bind_next(handle, rows)
            for _ in range(50):
                step()
            before = time.process_time()
            for _ in range(STEPS - 60):
                step()
            best = min(best, (time.process_time() - before) / (STEPS - 60))
    print(f"{name}, {rows} rows: {best * 1e6:.1f} us a step")
    assert best < LIMIT, f"expected at most {LIMIT} s of a step"


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    build()
    for name in MODELS:
        for rows in (1, 4):
            print(run(sys.executable, __file__, *sys.argv[1:4], name, rows, PARABLOCK_CUDA_DRIVER=FOLDER / "libnull.so"), end="")


if __name__ == "__main__":
    if len(sys.argv) > 4:
        measure(sys.argv[4], int(sys.argv[5]))
    else:
        main()
