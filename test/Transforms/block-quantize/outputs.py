#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every form of codes through every output: code for chips and processors, packages,
their recipes, and the engines, each held against the codes on the reference engine. One
form runs a day, without caches or with them.

usage: outputs.py FOLDER
"""

import pathlib
import sys

import kept_code
import tiers
from tools import require as run

FORMS = ["int8", "int4-g32", "int4-g128", "mxfp4", "fp8"]
CHIPS = ["sm_80", "sm_90a"]
# A dimension that is no multiple of a group's 128 columns is read in part.
LAYER = "--family=llama --layers=1 --scope=block --heads=4 --kv-heads=2".split()
SIZES = [*LAYER, "--width=160", "--hidden=288"]
# Kernels of GPUs read these codes.
SIZES_OF_GPUS = [*LAYER, "--width=256", "--hidden=384", "--dtype=bf16"]
FORMS_OF_GPUS = ["int8", "int4-g128"]


def judge(*command):
    if "\nPASS " not in run("block-run", *command, "--seed=3"):
        sys.exit(f"block-run {' '.join(map(str, command))}: expected PASS")


def check_outputs(model, flags, chip):
    """Code alone and in a package, by whatever engine runs it."""
    run("block-translate", "--block-to-ptx", f"--chip={chip}", model, "-o", model.with_suffix(".ptx"))
    run("block-translate", "--block-to-cubin", f"--chip={chip}", model, "-o", model.with_suffix(".cubin"))
    run("block-translate", "--block-to-object", model, "-o", model.with_suffix(".o"))
    package = model.with_suffix(".pbk")
    run("block-translate", "--block-to-package", f"--chip={chip}", model, "-o", package)
    baseline = [f"--baseline={model}", *flags]
    judge(model, "--engine=cpu", *kept_code.make_flags(), *baseline)
    judge(model, "--engine=emulate", f"--chip={chip}", *baseline)
    judge(package, "--engine=emulate", f"--chip={chip}", *baseline)
    return package


def check_recipe(folder, model, package, flags, sizes):
    """The recipe makes of a checkpoint what @prepack makes of it, bit for bit."""
    drawn, packed = folder / "drawn.safetensors", folder / "packed.safetensors"
    run("block-gen", *sizes, "--batch=1", "--seq=3", "--seed=3", f"--weights-out={drawn}", "-o", folder / "w.mlir")
    run("block-weights", f"--recipe={package / 'recipe.mlir'}", drawn, "-o", packed)
    results = []
    for weights in (drawn, packed):
        results.append(folder / f"{weights.stem}.out.safetensors")
        run("block-run", package, "--engine=reference", "--seed=3", f"--weights={weights}",
            f"--outputs={results[-1]}", *flags)
    if results[0].read_bytes() != results[1].read_bytes():
        sys.exit(f"{model.name}: the recipe packs other numbers than @prepack")


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    plain = folder / "m.mlir"
    # Ten days have each form without caches and with them, day by day, and each on both chips.
    cases = sorted(tiers.take_turn([(day % 2, day % len(FORMS)) for day in range(2 * len(FORMS))], 2 * len(FORMS)))
    for turn, number in cases:
        form = FORMS[number]
        sizes = SIZES_OF_GPUS if turn and form in FORMS_OF_GPUS else SIZES
        run("block-gen", *sizes, "--batch=1", "--seq=3", "-o", plain)
        codes, cached = folder / f"{form}.mlir", folder / f"{form}.cached.mlir"
        run("block-opt", plain, f"--block-quantize=form={form}", "-o", codes)
        run("block-opt", codes, "--block-add-caches", "-o", cached)
        model, flags = [(codes, []), (cached, ["--dims=past=5"])][turn]
        package = check_outputs(model, flags, CHIPS[(number + turn) % 2])
        check_recipe(folder, model, package, flags, sizes)
        print(f"{form}{' with caches' * turn}: passed")
    print(f"{len(cases)} passed")


if __name__ == "__main__":
    main()
