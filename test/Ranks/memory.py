#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memory.py SCRATCH WIDTH: each of N ranks holds about 1/N of the weights.

`peak_bytes` is what the engine holds, for which all else is replicated; the process holds more.
"""

import sys

import mpi

scratch, width = sys.argv[1], int(sys.argv[2])
FLAGS = f"--family=gptj --layers=2 --width={width} --heads=8 --vocab=512 --positions=32 --batch=1 --seq=4".split()


# Runs what follows, and says what that process held at its fullest.
MEASURE = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print("held", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
sys.exit(code)
"""


def measure(launcher, module, weights):
    """The bytes that the engine and that the process held, of the fullest rank."""
    report = f"{module}.json"
    code, text = mpi.run([*launcher, sys.executable, "-c", MEASURE, "block-run", module, "--engine=cpu", "--threads=1",
                          "--seed=3", f"--weights={weights}", f"--json={report}"])
    assert code == 0, text
    held = [int(line.split()[1]) for line in text.splitlines() if line.startswith("held ")]
    return mpi.read(report)["peak_bytes"], max(held)


def measure_ranks(count, before):
    names = mpi.split(f"{scratch}.{count}", FLAGS, count, before=before)
    return measure([*mpi.MPIRUN, "-n", str(count)], names["split.mlir"], names["weights.safetensors"])


# Of weights that were packed before the model was split, a rank packs its part.
OPTIMIZED, PACKED = ["--block-optimize"], ["--block-optimize", "--block-prepack"]
CASES = [(2, PACKED)] if width < 1024 else [(2, OPTIMIZED), (2, PACKED), (4, OPTIMIZED), (4, PACKED)]
peaks = [(count, measure_ranks(count, before)) for count, before in CASES]
mpi.must("block-opt", f"{scratch}.2.model.mlir", "--block-optimize", "-o", f"{scratch}.one.mlir")
one = measure([], f"{scratch}.one.mlir", f"{scratch}.2.weights.safetensors")
print("one", one, peaks)
# What is not split, activations above all, is the less the wider the model is.
more = 1.2 if width < 1024 else 1.1
for count, peak in peaks:
    assert peak[0] < one[0] / count * more, f"{count} ranks: {peak[0]} of {one[0]} bytes each"
if width >= 1024:
    # What does not depend on the model is less than 150 MB.
    fixed = 150e6
    for count, peak in peaks:
        assert peak[1] < fixed + one[1] / count * 1.1, f"{count} ranks: {peak[1]} of {one[1]} bytes each"
