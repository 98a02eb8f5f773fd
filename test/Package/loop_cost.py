#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The host's share of a step of the loop: processor time and instructions, with a driver that does nothing.

usage: loop_cost.py BUILD FOLDER CXX_COMPILER
       loop_cost.py BUILD FOLDER CXX_COMPILER MODEL ROWS   in a process of its own
"""

import re
import shutil
import sys
import time

import token_loop  # noqa: I001

import loops
import packages

FOLDER, ROOT, run = packages.FOLDER, token_loop.ROOT, packages.run
STEPS, TRIES, LIMIT = 400, 5, 10e-6
# What takes 10 us at 3 GHz and one instruction in each cycle.
MOST_INSTRUCTIONS = 30_000
# Tokens chosen by the host, and by the function.
MODELS = ("llama", "llama-choice")


def build():
    FOLDER.mkdir(parents=True, exist_ok=True)
    run(packages.COMPILER, "-std=c++17", "-O2", "-shared", "-fPIC", f"-I{ROOT / 'include'}",
        *(ROOT / "test" / "Package" / f"null_{name}.cpp" for name in ("driver", "memory")), "-o", "libnull.so")
    run(packages.COMPILER, "-x", "c", "-O2", f"-I{ROOT / 'include'}", ROOT / "examples/serving/generate.c", f"-L{packages.BUILD}/lib",
        "-lparablock-launch", f"-Wl,-rpath,{packages.BUILD}/lib", "-o", "generate")
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


def count_instructions(name):
    """Instructions of a step of the loop in C, whose rest two numbers of steps have in common."""
    counts = []
    for steps in (50, 250):
        out = run("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "./generate", f"{name}.pbk",
                  f"{name}.safetensors", steps, "temperature=0.8", "top_k=20", 3, 1, 4, PARABLOCK_CUDA_DRIVER=FOLDER / "libnull.so")
        assert len(re.findall(r"^\d+$", out, re.MULTILINE)) == steps, out
        counts.append(int(re.search(r"I   refs: *([0-9,]+)", out)[1].replace(",", "")))
    found = (counts[1] - counts[0]) // 200
    print(f"{name}, 1 rows: {found} instructions a step")
    assert found < MOST_INSTRUCTIONS, f"expected at most {MOST_INSTRUCTIONS} instructions of a step"


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    build()
    for name in MODELS:
        for rows in (1, 4):
            print(run(sys.executable, __file__, *sys.argv[1:4], name, rows, PARABLOCK_CUDA_DRIVER=FOLDER / "libnull.so"), end="")
        count_instructions(name)


if __name__ == "__main__":
    if len(sys.argv) > 4:
        measure(sys.argv[4], int(sys.argv[5]))
    else:
        main()
