#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forms, types, lengths and processors of the CPU engine, in pairs.

usage: pairs.py FOLDER [FAMILY...]

Each model is run as it is drawn, optimised, or made parallel with open sizes and
padding, and held against the exact original on the reference engine. Forms, types,
lengths and processors take turns, so that pairs of them occur; without families,
all are run.
"""

import concurrent.futures
import itertools
import json
import os
import pathlib
import subprocess
import sys

FORMS = ["plain", "optimized", "parallel"]
DTYPES = ["f32", "bf16", "f16"]
LENGTHS = ["1", "17", "65"]
PROCESSORS = ["host", "x86-64", "x86-64-v3"]
SIZES = "--layers=2 --width=64 --heads=4 --vocab=97 --positions=96"


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


def cases(families):
    every = list(itertools.product(FORMS, DTYPES, LENGTHS, PROCESSORS))
    for number, family in enumerate(families):
        # Coprime to the number of settings: all get their turn.
        yield family, *every[number * 34 % len(every)]


def check(folder, number, family, form, dtype, length, processor):
    """What went wrong, or an empty string."""
    drawn, run_ir, report = (folder / f"{number}.{kind}" for kind in ("mlir", "run.mlir", "json"))
    baseline, dims = drawn, []
    flags = [f"--family={family}", *SIZES.split(), f"--dtype={dtype}"]
    if form == "parallel":
        flags += ["--batch=?", "--seq=?", "--padding"]
        dims = [f"--dims=batch=2,seq={length}"]
    else:
        flags += ["--batch=2", f"--seq={length}"]
    steps = [["block-gen", *flags, "-o", drawn]]
    if form == "parallel":
        # An approximation is judged by its own meaning.
        baseline = folder / f"{number}.parallel.mlir"
        steps.append(["block-opt", drawn, "--block-parallelize=blocks=all", "-o", baseline])
    if form == "plain":
        run_ir = drawn
    else:
        steps.append(["block-opt", baseline, "--block-optimize", "-o", run_ir])
    steps.append(["block-run", run_ir, "--engine=cpu", f"--cpu={processor}", *dims, "--seed=7", f"--baseline={baseline}",
                  f"--json={report}", "--threads=2"])
    for step in steps:
        done = run(*step)
        if done.returncode:
            return f"{' '.join(str(part) for part in step)}\n{done.stdout[-800:]}{done.stderr[-1200:]}"
    result = json.loads(report.read_text())
    if result["engine"] != "cpu" or not result["kernels"]:
        return f"{family}: expected kernels on engine cpu, got {result['engine']}"
    return ""


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    families = sys.argv[2:] or run("block-gen", "--list-families").stdout.split()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = [pool.submit(check, folder, number, *case) for number, case in enumerate(cases(families))]
        faults = [fault for fault in (future.result() for future in futures) if fault]
    for fault in faults:
        print(fault)
    print(f"{len(futures) - len(faults)} of {len(futures)} passed")
    return 1 if faults or not futures else 0


if __name__ == "__main__":
    sys.exit(main())
