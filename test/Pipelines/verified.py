# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every exact pass between two executions (--verify-rewrites): the families through the
pipeline, and random models through random orders of passes.

PARABLOCK_FULL in the environment asks for 2000 random models instead of 24, others in each of ten weeks.
"""

import concurrent.futures
import os
import pathlib
import random
import sys
import tempfile

import tiers
import tools

MANY = 2000
SIZES = ("--layers=2", "--width=32", "--heads=4", "--vocab=31", "--positions=20", "--seq=9")
PASSES = (
    "--block-shift",
    "--block-share-norm-stats",
    "--block-fold-norm",
    "--block-fold-norm=assume-max-mean-over-std=1",
    "--block-fold-scales",
    "--block-fold-scales=score-scale=true",
    "--block-fuse-input-projections",
    "--block-fuse-output-projections",
    "--block-form-kernels",
    "--block-form-kernels=chip=sm_90a",
    "--canonicalize",
    "--cse",
)


def random_order(seed):
    """Any passes in any order, block-expand at any place among them."""
    draw = random.Random(seed)
    order = [draw.choice(PASSES) for _ in range(draw.randint(1, 6))]
    place = draw.randint(0, len(order))
    # Layers in steps are refused by block-shift.
    return [*order[:place], "--block-expand", *(each for each in order[place:] if each != "--block-shift")]


def check(folder, case):
    """What went wrong, or nothing."""
    name, flags, order = case
    model = folder / f"{name}.mlir"
    try:
        tools.run("block-gen", *flags, "-o", model)
        tools.run("block-opt", model, "--verify-rewrites", *order, "-o", os.devnull)
    except tools.Failure as failure:
        return f"FAILED {name}: {failure}"
    finally:
        model.unlink(missing_ok=True)
    return ""


def cases(kind):
    if kind == "families":
        for family in tools.families():
            yield family, (f"--family={family}", *SIZES), ["--block-optimize"]
        return
    # Other ones each week, or each day.
    first = tiers.TURN // 7 % 10 * MANY if tiers.FULL else tiers.TURN % 800 * 24
    for seed in range(first, first + (MANY if tiers.FULL else 24)):
        flags = ("--family=random", f"--seed={seed}", "--batch=2", "--seq=13")
        yield f"random-{seed}", flags, random_order(seed)


def main():
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(2) as pool:
        folder = pathlib.Path(name)
        found = list(pool.map(lambda case: check(folder, case), cases(sys.argv[1])))
    complaints = [text for text in found if text]
    for text in complaints:
        print(text)
    print(f"{len(found) - len(complaints)} passed, {len(complaints)} failed")
    return 1 if complaints or not found else 0


if __name__ == "__main__":
    sys.exit(main())
