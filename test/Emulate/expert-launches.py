#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""expert-launches.py SCRATCH: a parallel layer with experts is three launches beside those of the experts.

Experts are seven: the choice, counting, placing, gathering with the norm, two products and the sum. The report and the
emulator count alike. Routers with operands of f32 in a model of 16 bits, of DeepSeek's family, read normalised rows in
a product of their own: two more launches. Latent attention has three projections more.
"""

import json
import sys

import tiers
import tools

scratch = sys.argv[1]
model, converted, kernels, report, run = (f"{scratch}.{name}" for name in ("m.mlir", "p.mlir", "k.mlir", "r.json", "j.json"))
EXPERTS = 7
FURTHER = {"mixtral": 0, "qwen3-moe": 0, "gpt-oss": 0, "granitemoe": 0, "cohere2-moe": 0, "glm4-moe": 2, "deepseek-v3": 5}
CASES = [(family, chip) for family in sorted(FURTHER) for chip in ("sm_90a", "sm_80")]


def check(family, chip):
    tools.require("block-gen", f"--family={family}", "--layers=2", "--width=64", "--heads=4", "--vocab=61", "--positions=32",
                  "--seq=17", "--dtype=bf16", "-o", model)
    source = model
    # This family is parallel as it is.
    if family != "cohere2-moe":
        tools.require("block-opt", model, "--block-parallelize=blocks=all", "-o", converted)
        source = converted
    tools.require("block-opt", source, f"--block-optimize=chip={chip}", f"--block-report=format=json file={report}", "-o", kernels)
    text = tools.require("block-run", kernels, "--engine=emulate", f"--chip={chip}", "--seed=1", f"--baseline={source}",
                         f"--json={run}")
    assert "PASS logits" in text, text
    with open(report, encoding="utf-8") as file:
        counted = json.load(file)
    with open(run, encoding="utf-8") as file:
        launched = sum(kernel["count"] for kernel in json.load(file)["kernels"])
    assert counted["model"]["launches"] == launched, (counted["model"]["launches"], launched)
    assert counted["layers"][1]["launches"] == 3 + EXPERTS + FURTHER[family], counted["layers"]
    print(family, chip, launched, "ok")


for case in tiers.take_turn(CASES, 14):
    check(*case)
