#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of attention whose sequences are whole tiles on sm_90a, on the emulator, against the reference.

usage: whole_tile_gradients.py FOLDER
"""

import pathlib
import sys

import engine_cases
import tiers
from attention_gradients import check, write_changed
from gradient_forms import Form, Shape, write

CASES = [
    (Form(), Shape(batch=1, queries=128, keys=256, heads=2, kv_heads=1, size=64, value_size=64), "bf16"),
    (Form("causal = true"), Shape(batch=2, queries=256, keys=256, heads=2, kv_heads=1, size=64, value_size=64), "f16"),
    (Form("causal = true"), Shape(batch=1, queries=384, keys=384, heads=2, kv_heads=2, size=64, value_size=64), "bf16"),
    (Form(), Shape(batch=2, queries=256, keys=128, heads=2, kv_heads=2, size=128, value_size=128), "f16"),
    (Form("causal = true"), Shape(batch=1, queries=256, keys=256, heads=4, kv_heads=2, size=128, value_size=128), "bf16"),
    (Form("causal = true"), Shape(batch=1, queries=128, keys=128, heads=2, kv_heads=1, size=128, value_size=128), "f16"),
]
# Values far from 0 beside what differs between them.
CHANGED = [
    (CASES[1][0], Shape(batch=1, queries=128, keys=128, heads=2, kv_heads=1, size=64, value_size=64), dtype, "sm_90a",
     {"value": (1, offset)}, None) for dtype, offset in [("bf16", 10), ("f16", 30)]
]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    cases = [(folder / f"{number}-{forward}", write(form, shape, dtype, forward), "sm_90a", [])
             for number, (form, shape, dtype) in enumerate(CASES) for forward in (False, True)]
    cases = tiers.take_turn(cases, 3)
    cases += write_changed(folder, CHANGED)
    return engine_cases.try_all(check, cases, "gradients")


if __name__ == "__main__":
    sys.exit(main())
