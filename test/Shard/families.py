#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""families.py SCRATCH [--full]: every family, split over ranks, is what it was on one.

The number of sums per layer is counted in the report and in the run.
"""

import json
import sys

import expert_families
import tools

SUMS = {"parallel": 1, "three-sublayer": 3, "three-sublayer-post-norm": 3}
# Norms behind each branch need the whole of each, so that converted layers have two sums as well.
BRANCH_NORMS = {"gemma2", "olmo2", "peri-ln"}
CONVERTED = ["--block-optimize=parallel=all"]
SMALL = "--layers=1 --width=32 --heads=4 --vocab=33 --positions=16".split()


def tool(*arguments):
    done = tools.call(*arguments)
    return done.returncode, done.stdout + done.stderr


def fail(*what):
    print("FAIL", *what)
    fail.count += 1


fail.count = 0


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def check(scratch, family, shape, before, shard, ranks, after=()):
    name = f"{family} {' '.join(shape)} {' '.join(before)} {shard}"
    model, split = f"{scratch}.mlir", f"{scratch}.split.mlir"
    report, run = f"{scratch}.report.json", f"{scratch}.run.json"
    code, text = tool("block-gen", f"--family={family}", *SMALL, *shape, "-o", model)
    if code:
        return fail(name, "block-gen:", text)
    baseline = model
    if before == CONVERTED:
        # A converted layer is compared with what it was converted to.
        baseline = f"{scratch}.converted.mlir"
        code, text = tool("block-opt", model, *before, "-o", baseline)
        if code:
            return fail(name, "block-opt:", text)
    code, text = tool("block-opt", model, *before, f"--block-shard=ranks={ranks} {shard}".rstrip(),
                      f"--block-report=format=json file={report}", *after, "-o", split)
    if code:
        return fail(name, "block-opt:", text)
    code, text = tool("block-run", split, "--engine=reference", f"--ranks={ranks}", "--seed=7",
                      f"--baseline={baseline}", f"--json={run}")
    if code:
        return fail(name, "block-run:", text)
    counted = 0
    kind = "reduce_scatter" if shard else "all_reduce"
    for layer in read(report)["layers"]:
        sums = 2 if family in BRANCH_NORMS else SUMS.get(layer["form"], 2)
        counted += layer["collectives"][kind]
        if layer["collectives"][kind] != sums:
            fail(name, f"layer {layer['name']} ({layer['form']}): expected {sums} {kind}, got", layer["collectives"])
    ran = {kernel["name"]: kernel["count"] for kernel in read(run)["kernels"]}
    # One more behind an embedding, of whose vocabulary each rank has a part.
    if ran.get(f"shard.{kind}", 0) - counted not in (0, 1):
        fail(name, f"expected {counted} {kind} in layers to run, got", ran)


def check_uneven(scratch, family):
    """Four heads on three ranks: padded, or refused with the numbers."""
    model, split = f"{scratch}.mlir", f"{scratch}.split.mlir"
    tool("block-gen", f"--family={family}", *SMALL, "--batch=2", "--seq=5", "-o", model)
    code, text = tool("block-opt", model, "--block-optimize", "--block-shard=ranks=3", "-o", split)
    if code:
        if "cannot be split over 3 ranks: expected" not in text:
            fail(family, "on three ranks:", text)
        return
    code, text = tool("block-run", split, "--engine=reference", "--ranks=3", "--seed=7", f"--baseline={model}")
    if code:
        fail(family, "on three ranks:", text)


def main():
    scratch, full = sys.argv[1], "--full" in sys.argv
    families = expert_families.leave_out(tool("block-gen", "--list-families")[1].split())
    assert len(families) > 40, families
    optimized = ["--block-optimize"]
    for number, family in enumerate(families):
        if not full:
            # Each family in one of the ways, by turns.
            before, after = [(optimized, []), ([], []), (optimized + ["--block-prepack"], []),
                             (optimized, ["--block-prepack"])][number % 4]
            check(scratch, family, ["--batch=2", "--seq=5"], before, "", 2, after)
            continue
        check_uneven(scratch, family)
        for dtype in ("f32", "bf16"):
            shape = ["--batch=2", "--seq=8", f"--dtype={dtype}"]
            for before in (optimized, [], ["--block-expand"], optimized + ["--block-prepack"]):
                for ranks in (2, 4):
                    check(scratch, family, shape, before, "", ranks)
            check(scratch, family, shape, optimized, "", 2, ["--block-prepack"])
            for ranks in (2, 4):
                check(scratch, family, shape, CONVERTED, "", ranks)
                check(scratch, family, shape, optimized, "sequence-parallel=true", ranks)
    print(f"{len(families)} families, {fail.count} failures")
    return 1 if fail.count else 0


if __name__ == "__main__":
    sys.exit(main())
