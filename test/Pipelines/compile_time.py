# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The floor of compile time: 96 layers of width 12288 through --block-optimize, and the
time per layer not growing with their number."""

import pathlib
import resource
import subprocess
import sys
import tempfile
import time

MOST_SECONDS, MOST_MEGABYTES = 10, 1500
SIZES = ("--width=12288", "--heads=96", "--positions=2048", "--batch=1", "--seq=2048")


def measure(folder, layers):
    """The least of three times: others may be busy on this machine."""
    model = folder / "model.mlir"
    subprocess.run(
        ["block-gen", "--family=gpt2", f"--layers={layers}", *SIZES, "-o", model], check=True
    )
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        command = ["block-opt", "--block-optimize=chip=sm_90a", model, "-o", folder / "out.mlir"]
        subprocess.run(command, check=True)
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        few, many = measure(folder, 12), measure(folder, 96)
        kernels = (folder / "out.mlir").read_text(encoding="utf-8").count("block.kernel")
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"12 layers {few:.2f} s, 96 layers {many:.2f} s, at most {megabytes:.0f} MB")
    complaints = []
    if kernels < 5 * 96:
        complaints.append(f"expected five kernels a layer, got {kernels}")
    if many > MOST_SECONDS:
        complaints.append(f"96 layers took more than {MOST_SECONDS} s")
    if megabytes > MOST_MEGABYTES:
        complaints.append(f"96 layers took more than {MOST_MEGABYTES} MB")
    # Eight times the layers; half as much again for a busy machine.
    if many > 1.5 * 8 * few:
        complaints.append("time grows faster than the number of layers")
    for complaint in complaints:
        print(f"FAILED {complaint}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
