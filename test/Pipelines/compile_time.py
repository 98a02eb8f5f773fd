# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What compiling takes: 96 layers of width 12288 through --block-optimize, and time per layer
that does not grow with their number.

Seconds are a processor's: other programs do not count.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

MOST_SECONDS, MOST_MEGABYTES = 0.5, 200
SIZES = ("--width=12288", "--heads=96", "--positions=2048", "--batch=1", "--seq=2048")


def run(*command):
    """Processor seconds and megabytes of a program."""
    child = subprocess.Popen([str(word) for word in command])
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{' '.join(map(str, command))}: exit code {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure(folder, layers):
    """The least processor seconds of three runs, as caches of a busy machine are cold, and the most megabytes."""
    model = folder / "model.mlir"
    run("block-gen", "--family=gpt2", f"--layers={layers}", *SIZES, "-o", model)
    command = ["block-opt", "--block-optimize=chip=sm_90a", model, "-o", folder / "out.mlir"]
    seconds, megabytes = zip(*(run(*command) for _ in range(3)))
    return min(seconds), max(megabytes)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (few, _), (many, megabytes) = measure(folder, 12), measure(folder, 96)
        kernels = (folder / "out.mlir").read_text(encoding="utf-8").count("block.kernel")
    print(f"12 layers {few:.2f} s, 96 layers {many:.2f} s, at most {megabytes:.0f} MB")
    complaints = []
    if kernels < 5 * 96:
        complaints.append(f"expected five kernels a layer, got {kernels}")
    if many > MOST_SECONDS:
        complaints.append(f"96 layers took more than {MOST_SECONDS} s")
    if megabytes > MOST_MEGABYTES:
        complaints.append(f"96 layers took more than {MOST_MEGABYTES} MB")
    # Eight times the layers, and half as much again for noise.
    if many > 1.5 * 8 * few:
        complaints.append("time grows faster than the number of layers")
    for complaint in complaints:
        print(f"FAILED {complaint}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
