# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gradients of every family are held against central differences.

So are those with padded rows, of packed sequences where a family has them, and of random
models; after the exact rewrites the step is what it was, its gradients are checked once more
where norms have folded, and what rewrites have made of a model has gradients, too. Families
take turns with all these, but for PARABLOCK_FULL in the environment.

    families.py FOLDER [random]     all families and some random models, or 120 other random models each of four weeks
"""

import collections
import subprocess
import sys

import expert_families
import tiers
from tools import require as run

SIZES = "--layers=2 --width=32 --heads=4 --vocab=37 --positions=24".split()
FORMS = {
    "plain": ["--batch=2", "--seq=7"],
    "padding": ["--batch=2", "--seq=5", "--padding"],
    "varlen": ["--seq=9", "--varlen=2"],
}
RANDOM = 40 if tiers.FULL else 12  # models
MORE_RANDOM = 120  # a week


def generates(form, *command):
    """Whether a family has a form: block-gen refuses to pack sequences of some."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode and (done.returncode != 1 or f"error: expected no --{form} with" not in done.stderr):
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return done.returncode == 0


def check(step):
    found = run("block-run", step, "--engine=reference", "--function=main_step", "--seed=1", "--check-gradients")
    if "PASS" not in found:
        sys.exit(f"{step}: no gradient was checked\n{found}")
    return found.count("PASS")


def main(folder, only=""):
    model, step, fused = f"{folder}.m.mlir", f"{folder}.s.mlir", f"{folder}.k.mlir"
    folds = ["--block-fold-norm-grad", "--block-fold-norm"]
    differentiate = "--block-differentiate=wrt=all loss=sum"
    models, checked, refused = (collections.Counter() for _ in range(3))

    def count(kind, path):
        models[kind] += 1
        checked[kind] += check(path)

    def compare():
        run("block-opt", step, "--verify-rewrites", "--block-optimize", "-o", fused)
        run("block-run", fused, "--engine=reference", "--function=main_step", "--seed=1", f"--baseline={step}")

    def fold():
        run("block-opt", step, "--verify-rewrites", *folds, "-o", fused)
        count("folded", fused)

    def optimize():
        run("block-opt", model, "--block-optimize", differentiate, "-o", fused)
        count("optimized", fused)

    families = [name for name in expert_families.leave_out(run("block-gen", "--list-families").split()) if name != "random"]
    for number, family in enumerate([] if only else families):
        for form in FORMS if tiers.FULL else ["plain", ["padding", "varlen"][number % 2]]:
            if not generates(form, "block-gen", f"--family={family}", *SIZES, *FORMS[form], "-o", model):
                refused[form] += 1
                continue
            run("block-opt", model, differentiate, "-o", step)
            count(form, step)
            if form == "plain":
                turns = [compare, fold, optimize]
                for turn in turns if tiers.FULL else [turns[number % 3]]:
                    turn()
    first = RANDOM + tiers.TURN // 7 % 4 * MORE_RANDOM
    for seed in range(first, first + MORE_RANDOM) if only else range(RANDOM):
        run("block-gen", "--family=random", f"--seed={seed}", "--batch=2", "--seq=6", "-o", model)
        run("block-opt", model, differentiate, "-o", step)
        count("random", step)
        fold()
        optimize()
    for kind in [*FORMS, "random", "folded", "optimized"]:
        print(f"{kind}: {checked[kind]} gradients of {models[kind]} models, {refused[kind]} families without the form")


if __name__ == "__main__":
    main(*sys.argv[1:])
