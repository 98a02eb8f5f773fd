# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gradients of every family, and of random models, are the same bit for bit at five budgets, and at two of them."""

import sys

import tiers
import tools
from budgets import checkpoint, compute, run

SIZES = "--layers=2 --width=32 --heads=4 --vocab=37 --positions=24 --batch=2 --seq=7".split()
BUDGETS = ("min", "25%", "50%", "75%", "100%")


def check(folder, budgets, *source):
    model, step, less = f"{folder}.m.mlir", f"{folder}.s.mlir", f"{folder}.c.mlir"
    run("block-gen", *source, "-o", model)
    run("block-opt", model, "--block-differentiate=wrt=all loss=sum", "-o", step)
    before = compute(step, f"{folder}.out")
    peaks = set()
    for budget in budgets:
        peaks.add(checkpoint(step, budget, f"{folder}.json", less)["peak_bytes"])
        if compute(less, f"{folder}.out") != before:
            sys.exit(f"{' '.join(source)}: numbers at {budget} differ")
    return len(peaks)


def main(folder, random):
    families = [family for family in tools.families() if family != "random"]
    models = [(BUDGETS, f"--family={family}", *SIZES) for family in families]
    for seed in range(random):
        # The least memory, and another budget in turn.
        budgets = "min", BUDGETS[1 + seed % 4]
        models.append((budgets, "--family=random", f"--seed={seed}", "--batch=2", "--seq=6"))
    plans = {model: check(folder, *model) for model in tiers.take_shard(models)}
    several = [plans[model] for model in plans if "--family=random" not in model]
    if sum(several) < 2 * len(several):
        sys.exit(f"expected most families to have several plans, got {sum(several)} of {len(several)}")
    print(sum(plans.values()), "plans")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
