#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of kernels as block-explain, block-report, block-translate and plans count them."""

import json
import pathlib
import re
import subprocess
import sys

import tiers

SIZES = "--layers=2 --width=64 --heads=4 --batch=1 --seq=16"
#: What makes level 3 of a family, by the family.
MODELS = {
    "gpt2": "--block-optimize=chip=sm_90a",
    "llama": "--block-quantize=form=int8 --block-optimize=chip=sm_90a",
    "gptj": "--block-optimize",
    "bert": "--block-optimize=chip=sm_80",
    "palm": "--block-optimize='parallel=all chip=sm_90a'",
    "t5-encoder --level=tosa": "--block-raise --block-optimize=chip=sm_90a",
    "gpt2 --level=linalg": "--block-form-leftovers",
    "gpt2 --vocab=97": "--block-add-caches --block-optimize=chip=sm_90a",
    "llama --vocab=97": "--block-parallelize=blocks=1 --block-add-caches --block-optimize=chip=sm_80",
}
MORE = ["opt", "bloom", "gemma2", "olmo2", "falcon-7b", "gpt-neox", "phi", "vit", "mpt", "stablelm"]


def run(command, folder):
    return subprocess.run(command, shell=True, cwd=folder, check=True, capture_output=True, text=True).stderr


def count_launches(value):
    """The launches of few rows of each plan of a manifest, which skip those that have no kernel for few."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "launches" and isinstance(inner, list):
                yield sum("kernel" in launch.get("few", launch) or "step" in launch for launch in inner)
            yield from count_launches(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from count_launches(inner)


def check(family, passes, folder):
    run(f"block-gen --family={family} {SIZES} | block-opt {passes} -o k.mlir", folder)
    run("block-opt k.mlir --block-explain='format=json file=e.json' "
        "--block-report='format=json chip=sm_90a file=r.json' -o /dev/null", folder)
    said = run("block-translate --block-to-package --chip=sm_90a k.mlir -o k.pbk", folder)
    explained = json.loads((folder / "e.json").read_text())
    reported = json.loads((folder / "r.json").read_text())
    plans = set(count_launches(json.loads((folder / "k.pbk/manifest.json").read_text())))
    counts = {
        "explain": explained["launches"],
        "report": reported["model"]["launches"],
        "translate": int(re.search(r"^launches: (\d+)", said, re.M).group(1)),
    }
    layers = [layer["launches"]["after"] for layer in explained["layers"]]
    if plans != set(counts.values()) or layers != [layer["launches"] for layer in reported["layers"]]:
        return f"{family} {passes}: plans have {plans} launches, got {counts}, layers {layers}"
    return None


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    models = dict(tiers.take_turn(MODELS.items(), 3))
    models.update((family, "--block-optimize=chip=sm_90a") for family in tiers.take_turn(MORE, 10))
    for number, (family, passes) in enumerate(models.items()):
        own = folder / str(number)
        own.mkdir()
        if failure := check(family, passes, own):
            sys.exit(failure)
    print(f"{len(models)} models: one count of launches")
