# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps in 16 bits stay within the judge's limits when the exact rewrites have been over them.

    narrow.py FOLDER [full]

Some families, or all with two seeds.
"""

import json
import subprocess
import sys

import expert_families
from tools import require as run

SIZES = "--layers=2 --width=32 --heads=4 --vocab=37 --positions=24 --batch=2 --seq=7".split()
# What was out of tolerance with the rounding errors of one evaluation as the floor, and a few others.
SOME = "gpt2 opt bert transformer-decoder t5-decoder gemma2 gptj sas shaped".split()


def has_loss(family):
    """Whether a family has a head, and with it a loss of its own."""
    command = ["block-gen", f"--family={family}", *SIZES, "--loss=cross-entropy", "-o", "-"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode and (done.returncode != 1 or "error: expected a model with logits for --loss" not in done.stderr):
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return done.returncode == 0


def check(folder, family, dtype, seeds):
    """Whether the step has a loss of its own, and how many gradients of the rewritten step were held against the
    original's."""
    model, step, fused, report = (f"{folder}.{name}" for name in ("m.mlir", "s.mlir", "k.mlir", "json"))
    loss = ["--loss=cross-entropy"] if has_loss(family) else []
    run("block-gen", f"--family={family}", *SIZES, f"--dtype={dtype}", *loss, "-o", model)
    run("block-opt", model, "--block-differentiate" + ("" if loss else "=loss=sum"), "-o", step)
    run("block-opt", step, "--block-optimize", "-o", fused)
    found = 0
    for seed in seeds:
        run("block-run", fused, "--engine=reference", "--function=main_step", f"--seed={seed}",
            f"--baseline={step}", f"--json={report}")
        with open(report, encoding="utf-8") as file:
            found += sum(output["name"].startswith("grad.") for output in json.load(file)["outputs"])
    return bool(loss), found


def main(folder, full=""):
    families = SOME
    if full:
        families = [name for name in expert_families.leave_out(run("block-gen", "--list-families").split()) if name != "random"]
    steps = found = losses = 0
    for family in families:
        for dtype in ("bf16", "f16"):
            seeds = (1, 2) if full else (1,)
            steps += len(seeds)
            has_own, gradients = check(folder, family, dtype, seeds)
            losses += has_own * len(seeds)
            found += gradients
    print(f"{found} gradients of {steps} steps, {losses} with a loss of their own")


if __name__ == "__main__":
    main(*sys.argv[1:])
