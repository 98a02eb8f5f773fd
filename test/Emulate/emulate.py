#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device code of whole models computes what the model says.

usage: emulate.py FOLDER [FAMILY...] [--sizes=FLAGS] [--parallel] [--lengths=N,...] [--turns=N]

Each model is optimised, lowered and run on the emulator, and held against the exact
original on the reference engine. The emulator fails a run with races, missing waits,
accesses out of bounds or unwritten results. Chips, types and lengths take turns, so
that every pair of them occurs; with PARABLOCK_FULL set, each family meets all.
Without families, all are run.
"""

import concurrent.futures
import itertools
import json
import os
import pathlib
import subprocess
import sys

CHIPS = ["sm_80", "sm_90a"]
DTYPES = ["bf16", "f16", "f32"]
LENGTHS = ["1", "17", "65", "256"]
SIZES = "--layers=2 --width=64 --heads=4 --vocab=61 --positions=256"
FULL = bool(os.environ.get("PARABLOCK_FULL"))


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


def cases(families, sizes, lengths, count):
    every = list(itertools.product(CHIPS, DTYPES, lengths))
    for number, family in enumerate(families):
        # Seven is coprime to the number of settings: all get their turn.
        turns = range(len(every)) if FULL else range(count * number, count * number + count)
        for turn in turns:
            chip, dtype, length = every[turn * 7 % len(every)]
            yield chip, [f"--family={family}", *sizes.split(), f"--seq={length}", f"--dtype={dtype}"]


def check(folder, number, chip, flags, optimize):
    """What went wrong, or an empty string."""
    original, fused, report = (folder / f"{number}.{kind}" for kind in ("mlir", "fused.mlir", "json"))
    baseline = original
    steps = [["block-gen", *flags, "-o", original]]
    if optimize:
        # An approximation is judged by its own meaning: lowering must not add to it.
        baseline = folder / f"{number}.parallel.mlir"
        steps.append(["block-opt", original, "--block-parallelize=blocks=all", "-o", baseline])
    steps += [
        ["block-opt", baseline, f"--block-optimize=chip={chip}", "-o", fused],
        ["block-run", fused, "--engine=emulate", f"--chip={chip}", "--seed=7", f"--baseline={baseline}",
         f"--json={report}", "--threads=1"],
    ]
    for step in steps:
        done = run(*step)
        if done.returncode:
            return f"{' '.join(str(part) for part in step)}\n{done.stdout[-800:]}{done.stderr[-1200:]}"
    result = json.loads(report.read_text())
    if result["engine"] != "emulate" or not result["kernels"]:
        return f"{chip} {' '.join(flags)}: expected kernels on engine emulate, got {result['engine']}"
    return ""


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    words = sys.argv[2:]
    families = [word for word in words if not word.startswith("--")]
    families = families or run("block-gen", "--list-families").stdout.split()
    values = dict(word[2:].split("=", 1) for word in words if "=" in word)
    parallel = "--parallel" in words
    lengths = values["lengths"].split(",") if "lengths" in values else LENGTHS
    todo = list(cases(families, values.get("sizes", SIZES), lengths, int(values.get("turns", 4))))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = [pool.submit(check, folder, number, chip, flags, parallel)
                   for number, (chip, flags) in enumerate(todo)]
        faults = [fault for future in futures if (fault := future.result())]
    for fault in faults:
        print(fault)
    print(f"{len(todo) - len(faults)} of {len(todo)} models agree")
    sys.exit(1 if faults or not todo else 0)


if __name__ == "__main__":
    main()
