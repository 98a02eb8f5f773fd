# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A smaller budget never has a larger peak or less work, and gradients are the same bit for bit.

So it is of a dozen budgets, of families of one kind of layers and of several; of steps after the
exact rewrites, and in bf16. With PARABLOCK_FULL in the environment there are 20 and more families.
"""

import json
import subprocess
import sys

import tiers
from tools import require as run

SIZES = "--layers=3 --width=32 --heads=4 --vocab=37 --positions=64 --batch=2 --seq=48".split()
FAMILIES = ["gptj", "gpt2", "bart-decoder"]
# Percent between one budget and the next.
STEP = 6 if tiers.FULL else 12
if tiers.FULL:
    FAMILIES = ["llama", "gemma2", "qwen3", *FAMILIES]


def checkpoint(step, budget, report, output):
    run("block-opt", step, f"--block-checkpoint=memory-budget={budget}", f"--block-report=format=json file={report}", "-o", output)
    with open(report) as file:
        return json.load(file)["step"]


def compute(step, outputs):
    run("block-run", step, "--engine=reference", "--function=main_step", "--seed=1", f"--outputs={outputs}")
    with open(outputs, "rb") as file:
        return file.read()


def check(step, folder, is_fused=False):
    report, output = f"{folder}.json", f"{folder}.c.mlir"
    before = compute(step, f"{folder}.out")
    peak, flops, different = 0, float("inf"), set()
    most = checkpoint(step, "100%", report, output)["peak_bytes"]
    for budget in ["min", *(f"{share}%" for share in range(0, 100, STEP)), "100%", most, most + 12345]:
        found = checkpoint(step, budget, report, output)
        # Kernels are done again as a whole: fewer output projections may be more work.
        if found["peak_bytes"] < peak or (found["recompute_flops"] > flops and not is_fused):
            sys.exit(f"{step}: budget {budget} has {found}, the one before a peak of {peak} and {flops} flops")
        # The report, on the function that came out, finds the peak that was decided by.
        if isinstance(budget, int) and found["peak_bytes"] > budget:
            sys.exit(f"{step}: budget {budget} has {found}")
        peak, flops = found["peak_bytes"], found["recompute_flops"]
        if (peak, flops) not in different and compute(output, f"{folder}.out") != before:
            sys.exit(f"{step}: numbers at {budget} differ")
        different.add((peak, flops))
    # What the least peak was is a budget, a byte less is none.
    least = min(peak for peak, _ in different)
    if checkpoint(step, least, report, output)["peak_bytes"] != least:
        sys.exit(f"{step}: expected the least peak {least} to be a budget")
    refused = subprocess.run(["block-opt", step, f"--block-checkpoint=memory-budget={least - 1}"], capture_output=True, text=True)
    if f"expected a memory budget of at least {least} bytes" not in refused.stderr or not refused.returncode:
        sys.exit(f"{step}: expected {least - 1} to be refused, got {refused.stderr}")
    return len(different)


def check_segments(folder, step):
    """Layers computed again in twos and threes have smaller streams to keep, and the same gradients."""
    report, output, before = f"{folder}.json", f"{folder}.c.mlir", compute(step, f"{folder}.out")
    one, saved = checkpoint(step, "min", report, output), []
    for every in (2, 3):
        for budget in ("min", "50%", "100%"):
            found = checkpoint(step, f"{budget} every={every}", report, output)
            if compute(output, f"{folder}.out") != before:
                sys.exit(f"{step}: numbers at {budget} every={every} differ")
            if budget == "min" and found["peak_bytes"] >= one["peak_bytes"]:
                sys.exit(f"{step}: every={every} needs {found}, layer by layer {one}")
            if found["recompute_flops"] <= 0:
                sys.exit(f"{step}: every={every} computes nothing again")
        saved.append(found["saved_bytes"])
    if not one["saved_bytes"] > saved[0] > saved[1]:
        sys.exit(f"{step}: expected less to be saved by longer segments, got {one['saved_bytes']}, {saved}")


def main(folder):
    model, step, fused = f"{folder}.m.mlir", f"{folder}.s.mlir", f"{folder}.k.mlir"
    plans = 0
    for family in FAMILIES:
        dtype = "bf16" if family == "gpt2" else "f32"
        run("block-gen", f"--family={family}", *SIZES, f"--dtype={dtype}", "-o", model)
        run("block-opt", model, "--block-differentiate=wrt=params loss=sum", "-o", step)
        found = check(step, folder)
        if found < 3:
            sys.exit(f"{family}: expected several plans, got {found}")
        plans += found
    run("block-opt", step, "--block-optimize", "-o", fused)
    check(fused, folder, is_fused=True)
    for family in ("llama", "gptj"):
        # Enough tokens that gradients are not all of the peak.
        run("block-gen", f"--family={family}", *SIZES, "--layers=6", "--batch=8", "-o", model)
        run("block-opt", model, "--block-differentiate=wrt=params loss=sum", "-o", step)
        check_segments(folder, step)
    print(plans, "plans")


if __name__ == "__main__":
    main(sys.argv[1])
