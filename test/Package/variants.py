#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each experiment of bench/variants.py on steps with caches changes what runs, and computes the same.

    variants.py FOLDER

Prints the launches and clusters of a package, and of each of its variants, and how results of the emulator compare.
"""

import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))
import variants  # noqa: E402
from tools import call as run  # noqa: E402

LLAMA = "--family=llama --layers=1 --width=256 --heads=4 --vocab=97 --positions=64 --dtype=bf16 --seq=1".split()
# A step in numbers, its head included, and one in codes; what each does apart, or otherwise.
STEPS = {
    "bf16": ([], ["appends-apart", "joins-in-memory", "rows-left", "rows-apart",
                  "appends-apart+joins-in-memory+late-signal"]),
    "int4": (["--block-quantize=form=int4-g32"], ["rows-apart"]),
}


def count(package):
    chips = json.loads((package / "manifest.json").read_text(encoding="utf-8"))["chips"]
    [launches] = (code["plan"]["launches"] for code in chips if code["chip"] == variants.CHIP)
    return len(launches), sum(launch.get("cluster", 1) > 1 for launch in launches)


def check(*command):
    done = run(*map(str, command))
    if done.returncode:
        sys.exit(f"error: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    folder = pathlib.Path(sys.argv[1])
    os.makedirs(folder, exist_ok=True)
    for name, (passes, names) in STEPS.items():
        model, step, package = folder / "model.mlir", folder / f"{name}.mlir", folder / f"{name}.pbk"
        check("block-gen", *LLAMA, "-o", model)
        check("block-opt", model, *passes, "--block-add-caches", "-o", step)
        check("block-translate", "--block-to-package", "--quiet", "--chip=sm_90a", step, "-o", package)

        def execute(made, *judged):
            out = folder / "out.safetensors"
            check("block-run", made, "--engine=emulate", "--chip=sm_90a", "--dims=past=8,kept=1", "--seed=3",
                  f"--outputs={out}", *judged)
            return out.read_bytes()
        # What has the same bits needs no judge of its own.
        want = execute(package, f"--baseline={step}")
        print(name, "as made: launches %d, clusters %d" % count(package))
        for variant in names:
            made = variants.make_variant(package, variant, step, {}, folder)
            same = "same bits" if execute(made) == want else "other bits"
            print(name, variant + ": launches %d, clusters %d," % count(made), same)


if __name__ == "__main__":
    main()
