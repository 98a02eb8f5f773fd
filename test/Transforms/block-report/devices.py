#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The predictions of a report, computed once more from the formulas of docs/use/Scale.md."""

import json
import math
import sys

STEP, RATE, LAYERS = 2e-6, 450e9, 2
BYTES = 4 * 64 * 256

with open(sys.argv[1], encoding="utf-8") as file:
    devices = json.load(file)["model"]["devices"]
assert [entry["ranks"] for entry in devices] == list(range(1, 9)), devices
for entry in devices:
    p = entry["ranks"]
    ring = 2 * (p - 1) * (STEP + BYTES / p / RATE)
    tree = 2 * math.ceil(math.log2(p)) * STEP + 2 * BYTES / RATE if p > 1 else 0
    wanted = min(ring, tree)
    assert math.isclose(entry["all_reduce_us"], 1e6 * wanted, abs_tol=1e-9), (entry, wanted)
    for name, sums in (("serial_ms", 2), ("parallel_ms", 1)):
        total = entry["compute_ms"] + 1e3 * sums * LAYERS * wanted
        assert math.isclose(entry[name], total, rel_tol=1e-9), (entry, name, total)
assert devices[-1]["compute_ms"] < devices[0]["compute_ms"]
