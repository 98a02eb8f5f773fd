#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs passes on a model called @main and on the same one called @unit: names.py FOLDER.

What comes out, on both outputs, may differ in that name alone.
"""

import pathlib
import re
import subprocess
import sys

LLAMA = "--family=llama --layers=2 --width=64 --heads=4 --kv-heads=2 --batch=1 --seq=16"
BART = "--family=bart-decoder --layers=1 --width=64 --heads=4 --batch=1 --seq=16"
#: Pass pipelines, by the model that they are for.
PIPELINES = {
    "model": [
        "--block-expand --block-explain",
        "--block-report",
        "--block-report=format=json",
        "--block-optimize --block-explain",
        "--block-optimize=parallel=all --block-explain=format=json",
        "--block-optimize=chip=sm_90a --block-prepack --block-form-leftovers",
        "--block-parallelize=blocks=all --block-require=fusions=block-parallelize",
        "--block-simplify=form=sas",
        "--block-quantize=form=int8",
        "--block-quantize=form=mxfp4 --block-optimize --block-prepack",
        "--block-prepack",
        "--block-shard=ranks=2",
        "--block-add-caches",
        "--block-add-dropout",
        "--block-differentiate=loss=sum",
        "--block-differentiate=loss=sum --block-checkpoint --block-split-step --block-report",
        "--block-prepack --block-differentiate=loss=sum",
        "--block-optimize --convert-block-kernels-to-cpu=cpu=x86-64",
        "--block-to-cpu=cpu=x86-64",
        "--block-to-gpu",
        "--verify-rewrites --block-optimize",
    ],
    "linalg": [
        "--block-raise --block-explain",
        "--block-form-leftovers",
        "--block-to-gpu",
        "--block-to-cpu=cpu=x86-64",
    ],
    "bart": ["--block-compute-memory"],
}


def run(command, folder):
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def rename(text):
    """Calls the model as the other one is called, its step and kernels with it."""
    return re.sub(r"\bmain(?![a-z])", "unit", text)


if __name__ == "__main__":
    top = pathlib.Path(sys.argv[1])
    folders = [top / name for name in ("main", "unit")]
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
    for name, flags in (("model", LLAMA), ("linalg", f"{LLAMA} --level=linalg"), ("bart", BART)):
        code, text, errors = run(f"block-gen {flags}", folders[0])
        assert code == 0 and "@main" in text, errors
        (folders[0] / f"{name}.mlir").write_text(text)
        # A name as long: logs hold places in lines.
        (folders[1] / f"{name}.mlir").write_text(text.replace("@main(", "@unit("))
    wrong = 0
    for name, pipelines in PIPELINES.items():
        for pipeline in pipelines:
            command = f"block-opt {name}.mlir {pipeline} --remarks-filter=.* --remark-format=emitRemark"
            expected, got = (run(command, folder) for folder in folders)
            if expected[0] != 0 or got[0] != expected[0]:
                print(f"{name}: {pipeline}: exits {expected[0]} and {got[0]}\n{got[2][-2000:]}")
                wrong += 1
                continue
            for stream, one, other in zip(("output", "errors"), expected[1:], got[1:]):
                if rename(one) != other:
                    lines = next(
                        (pair for pair in zip(rename(one).splitlines(), other.splitlines()) if pair[0] != pair[1]),
                        ("another length", ""),
                    )
                    print(f"{name}: {pipeline}: the {stream} differ:\n  {lines[0]}\n  {lines[1]}")
                    wrong += 1
    print(f"{sum(map(len, PIPELINES.values()))} pipelines, {wrong} depend on the name")
    sys.exit(wrong != 0)
