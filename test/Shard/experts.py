#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""experts.py SCRATCH: experts divided over ranks compute what they do on one, and a parallel layer has one sum."""

import json
import sys

import expert_families
import tiers
import tools

scratch = sys.argv[1]
model, converted, split, report = (f"{scratch}.{name}" for name in ("model.mlir", "converted.mlir", "split.mlir", "report.json"))
SUMS = {"parallel": 1, "serial": 2}
# Three ranks divide neither 8 experts nor 128.
CASES = [(family, ranks, option, dtype) for number, family in enumerate(sorted(expert_families.NAMES)) for ranks in (2, 3, 4)
         for option, dtype in [("", "f32"), ("sequence-parallel=true", "f32"), ("", "bf16")]]


def check(family, ranks, option, dtype):
    heads = 3 if ranks == 3 else 4
    tools.require("block-gen", f"--family={family}", "--layers=2", "--width=48", f"--heads={heads}", "--vocab=33", "--positions=24",
                  "--batch=2", "--seq=12", "--seed=3", f"--dtype={dtype}", "-o", model)
    tools.require("block-opt", model, "--block-optimize=parallel=all", "-o", converted)
    for path in (model, converted):
        tools.require("block-opt", path, "--block-optimize", f"--block-shard=ranks={ranks} {option}".rstrip(),
                      f"--block-report=format=json file={report}", "-o", split)
        text = tools.require("block-run", split, "--engine=reference", f"--ranks={ranks}", "--seed=7", f"--baseline={path}")
        assert "PASS logits" in text, text
        with open(report, encoding="utf-8") as file:
            layers = json.load(file)["layers"]
        kind = "reduce_scatter" if option else "all_reduce"
        counted = [(layer["form"], layer["collectives"][kind]) for layer in layers]
        assert all(SUMS[form] == count for form, count in counted), (family, counted)


for case in tiers.take_turn(CASES, 24):
    check(*case)
    print(*case, "ok")
