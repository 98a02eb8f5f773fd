#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of attention by whole tiles on sm_90a, also of sequences that end within one, on the emulator, against the
reference. What is no number stays in its batch row.

usage: whole_tile_gradients.py FOLDER
"""

import pathlib
import sys

import engine_cases
import numpy as np
import safetensors_io
import tiers
from attention_gradients import check, write_changed
from gradient_forms import Form, Shape, write, write_inputs
from tools import call as run

CASES = [
    (Form(), Shape(batch=1, queries=128, keys=256, heads=2, kv_heads=1, size=64, value_size=64), "bf16"),
    (Form("causal = true"), Shape(batch=2, queries=256, keys=256, heads=2, kv_heads=1, size=64, value_size=64), "f16"),
    (Form("causal = true"), Shape(batch=1, queries=384, keys=384, heads=2, kv_heads=2, size=64, value_size=64), "bf16"),
    (Form(), Shape(batch=2, queries=256, keys=128, heads=2, kv_heads=2, size=128, value_size=128), "f16"),
    (Form("causal = true"), Shape(batch=1, queries=256, keys=256, heads=4, kv_heads=2, size=128, value_size=128), "bf16"),
    (Form("causal = true"), Shape(batch=1, queries=128, keys=128, heads=2, kv_heads=1, size=128, value_size=128), "f16"),
    (Form("causal = true"), Shape(batch=2, queries=200, keys=200, heads=2, kv_heads=1, size=64, value_size=64), "bf16"),
    (Form(), Shape(batch=2, queries=160, keys=135, heads=2, kv_heads=2, size=64, value_size=64), "f16"),
    (Form("causal = true"), Shape(batch=2, queries=257, keys=257, heads=2, kv_heads=2, size=128, value_size=128), "f16"),
    (Form("causal = true, window = 70"), Shape(batch=2, queries=256, keys=256, heads=2, kv_heads=1, size=64, value_size=64),
     "bf16"),
    (Form("causal = true, window = 150"), Shape(batch=2, queries=300, keys=300, heads=2, kv_heads=1, size=64,
                                                value_size=64), "f16"),
    (Form("window = 100"), Shape(batch=2, queries=200, keys=330, heads=2, kv_heads=2, size=64, value_size=64), "bf16"),
    (Form("causal = true", ("cu_seqlens",)), Shape(batch=1, queries=384, keys=384, heads=2, kv_heads=1, size=64,
                                                   value_size=64), "bf16"),
    (Form("", ("cu_seqlens",)), Shape(batch=1, queries=333, keys=333, heads=2, kv_heads=2, size=128, value_size=128),
     "f16"),
    (Form("causal = true, window = 40", ("cu_seqlens",)), Shape(batch=1, queries=300, keys=300, heads=4, kv_heads=2,
                                                                size=64, value_size=64), "f16"),
]
SPREAD = [Form(), Form("causal = true"), Form("window = 90"), Form("causal = true, window = 90")]
# Values far from 0 beside what differs between them.
CHANGED = [
    (CASES[1][0], Shape(batch=1, queries=128, keys=128, heads=2, kv_heads=1, size=64, value_size=64), dtype, "sm_90a",
     {"value": (1, offset)}, None) for dtype, offset in [("bf16", 10), ("f16", 30)]
]


def find_spread(stem, form):
    """What the first of two batch rows gets of numbers that the other one has not, or an empty string: sequences end
    within a tile, whose next rows are those."""
    shape = Shape(batch=2, queries=150, keys=150, heads=2, kv_heads=1, size=64, value_size=64)
    module, inputs = stem.with_suffix(".mlir"), stem.with_suffix(".safetensors")
    module.write_text(text := write(form, shape, "bf16"))
    write_inputs(inputs, text, {name: (1, 0) for name in ("dy", "query", "key", "value")})
    found = []
    for other in (1, np.nan):
        tensors = safetensors_io.read(inputs)
        safetensors_io.write(inputs, {name: np.concatenate([rows[:1], other * rows[1:]])
                                      for name, rows in tensors.items()})
        outputs = stem.with_suffix(f".{len(found)}.safetensors")
        done = run("block-run", module, "--engine=emulate", "--chip=sm_90a", f"--inputs={inputs}", f"--outputs={outputs}")
        if done.returncode:
            return f"{form}\n{done.stderr[-1500:]}"
        found.append(safetensors_io.read(outputs))
    wrong = [name for name, rows in found[0].items()
             if not np.isfinite(rows).all() or (rows[0] != found[1][name][0]).any()]
    reached = [name for name, rows in found[1].items() if np.isnan(rows[1]).any()]
    return f"{form}: {wrong} of the first batch row changed" if wrong or not reached else ""


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    cases = [(folder / f"{number}-{forward}", write(form, shape, dtype, forward), "sm_90a")
             for number, (form, shape, dtype) in enumerate(CASES) for forward in (False, True)]
    cases = tiers.take_turn(cases, 5)
    cases += write_changed(folder, CHANGED)
    faults = [fault for number, form in enumerate(tiers.take_turn(SPREAD, 4))
              if (fault := find_spread(folder / f"spread{number}", form))]
    print("\n".join(faults))
    return engine_cases.try_all(check, cases, "gradients") or len(faults)


if __name__ == "__main__":
    sys.exit(main())
