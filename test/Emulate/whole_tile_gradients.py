#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of attention by whole tiles on sm_90a, also of sequences that end within one, on the emulator, against the
reference. What is no number stays in its batch row, and behind lengths out of it.

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


def tiles(batch, queries, keys, heads=2, kv_heads=1, size=64, **others):
    return Shape(batch, queries, keys, heads, kv_heads, size, size, **others)


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
    (Form("causal = true", ("lengths",)), tiles(3, 256, 256), "bf16"),
    (Form("", ("lengths",)), tiles(2, 160, 330, kv_heads=2), "f16"),
    (Form("window = 100", ("lengths",)), tiles(3, 200, 200, size=128), "bf16"),
    (Form("causal = true", ("seed",), rate=0.1), tiles(2, 200, 200, heads=3), "bf16"),
    (Form("", ("seed",), rate=0.5), tiles(1, 128, 256, size=128), "f16"),
    (Form("causal = true, window = 90", ("lengths", "seed"), rate=0.25), tiles(2, 256, 256), "f16"),
    (Form("", ("cu_seqlens", "seed"), rate=0.25), tiles(1, 333, 333, kv_heads=2), "bf16"),
    (Form("causal = true"), tiles(2, 300, 140), "bf16"),
    (Form("causal = true"), tiles(2, 128, 384, kv_heads=2), "f16"),
    (Form("causal = true, window = 60"), tiles(2, 128, 384), "bf16"),
    (Form("causal = true, window = 60"), tiles(2, 256, 128, size=128), "f16"),
    (Form(), tiles(2, 150, 200, is_open=True), "bf16"),
    (Form(), tiles(3, 5, 64, kv_heads=2, is_open=True), "f16"),
    (Form("causal = true"), tiles(2, 200, 200, is_open=True), "f16"),
    (Form("causal = true"), tiles(2, 256, 256, size=128, is_open=True), "bf16"),
    (Form("causal = true", ("lengths", "seed"), rate=0.1), tiles(3, 140, 270, kv_heads=2, is_open=True), "bf16"),
    (Form("window = 40", ("lengths",)), tiles(2, 190, 120, is_open=True), "f16"),
]
SPREAD = [Form(), Form("causal = true"), Form("window = 90"), Form("causal = true, window = 90")]
HIDDEN = [Form("", ("lengths",)), Form("causal = true", ("lengths",)), Form("window = 90", ("lengths", "seed"), rate=0.1)]
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


def find_hidden(stem, form):
    """What differs from the reference beside keys and values that are no numbers, behind lengths of which one is 0, or
    an empty string."""
    shape = tiles(3, 150, 200)
    module, inputs = stem.with_suffix(".mlir"), stem.with_suffix(".safetensors")
    module.write_text(text := write(form, shape, "bf16"))
    write_inputs(inputs, text, {name: (1, 0) for name in ("dy", "query", "key", "value")})
    tensors = safetensors_io.read(inputs)
    tensors["lengths"] = np.array([70, 0, 193])
    for rows, length in enumerate(tensors["lengths"]):
        for name in ("key", "value"):
            tensors[name][rows, length:] = np.nan
    safetensors_io.write(inputs, tensors)
    done = run("block-run", module, "--engine=emulate", "--chip=sm_90a", "--seed=7", f"--inputs={inputs}",
               f"--baseline={module}")
    return "" if done.returncode == 0 and "PASS" in done.stdout else f"{form}\n{done.stdout}{done.stderr[-1500:]}"


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    cases = [(folder / f"{number}-{forward}", write(form, shape, dtype, forward), "sm_90a")
             for number, (form, shape, dtype) in enumerate(CASES) for forward in (False, True)]
    cases = tiers.take_turn(cases, 5)
    cases += write_changed(folder, CHANGED)
    faults = [fault for number, form in enumerate(tiers.take_turn(SPREAD, 4))
              if (fault := find_spread(folder / f"spread{number}", form))]
    faults += [fault for number, form in enumerate(tiers.take_turn(HIDDEN, 3))
               if (fault := find_hidden(folder / f"hidden{number}", form))]
    print("\n".join(faults))
    return engine_cases.try_all(check, cases, "gradients") or len(faults)


if __name__ == "__main__":
    sys.exit(main())
