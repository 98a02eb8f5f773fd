#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""expert_parallel.py SCRATCH: ranks that exchange rows compute what one does, and the report counts what they send."""

import json
import math
import sys

import expert_families
import tiers
import tools

scratch = sys.argv[1]
model, converted, split, report = (f"{scratch}.{name}" for name in ("model.mlir", "converted.mlir", "split.mlir", "report.json"))
CASES = [(family, ranks, form, dtype) for number, family in enumerate(sorted(expert_families.NAMES)) for ranks in (2, 4)
         for form in ("plain", "optimized", "parallel") for dtype in ("f32", "bf16")]
WIDTH = 48
#: Experts, and those of a row.
CHOICES = {"cohere2-moe": (8, 2), "deepseek-v3": (256, 8), "glm4-moe": (128, 8), "gpt-oss": (32, 4), "granitemoe": (40, 8),
           "mixtral": (8, 2), "olmoe": (64, 8), "qwen3-moe": (128, 8)}


def count_bytes(family, ranks, dtype):
    """Expected and at most: a row is sent to each other rank once in its own type, and returns as f32."""
    experts, chosen = CHOICES[family]
    row = WIDTH * ((4 if dtype == "f32" else 2) + 4)
    unread = math.comb(experts - experts // ranks, chosen) / math.comb(experts, chosen)
    return (ranks - 1) * (1 - unread) * row, min(ranks - 1, chosen) * row


def check(family, ranks, form, dtype):
    tools.require("block-gen", f"--family={family}", "--layers=2", f"--width={WIDTH}", "--heads=4", "--vocab=33",
                  "--positions=24", "--batch=2", "--seq=12", "--seed=3", f"--dtype={dtype}", "-o", model)
    path, passes = model, ["--block-optimize"] if form == "optimized" else []
    if form == "parallel":
        tools.require("block-opt", model, "--block-optimize=parallel=all", "-o", converted)
        path = converted
    tools.require("block-opt", path, *passes, f"--block-shard=ranks={ranks} sequence-parallel=true expert-parallel=true",
                  f"--block-report=format=json file={report}", "-o", split)
    text = tools.require("block-run", split, "--engine=reference", f"--ranks={ranks}", "--seed=7", f"--baseline={path}")
    assert "PASS logits" in text, text
    with open(report, encoding="utf-8") as file:
        layers = json.load(file)["layers"]
    # The first layers of some models have no experts.
    assert [layer["collectives"]["all_to_all"] for layer in layers] in ([2, 2], [0, 2]), layers
    assert all((layer["exchanged_bytes_per_row"] is None) == (layer["collectives"]["all_to_all"] == 0) for layer in layers), layers
    for layer in layers[1:]:
        got = layer["exchanged_bytes_per_row"]
        for name, wanted in zip(("expected", "most"), count_bytes(family, ranks, dtype)):
            assert math.isclose(got[name], wanted, rel_tol=1e-12), (family, ranks, name, wanted, got)


for case in tiers.take_turn(CASES, 23):
    check(*case)
    print(*case, "ok")
