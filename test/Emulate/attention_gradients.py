#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""block.sdpa_grad in every form of scores that GPUs have, on the emulator, against the reference.

usage: attention_gradients.py FOLDER

Each form has two of its shapes, types and chips in turn, with the attention or alone, a seventh of these cases a day;
with PARABLOCK_FULL in the environment all of them. Those of CHANGED, whose inputs are large, have their cases each day.
"""

import dataclasses
import pathlib
import sys

import engine_cases
import tiers
from gradient_forms import FORMS, OPEN_FORMS, PAST, PAST_FORMS, SHAPES, TYPES, Form, Shape, read_dims, write, write_inputs
from tools import call as run

CHIPS = ["sm_80", "sm_90a"]
# A wide head whose sums have two launches, and one whose copies are not aligned.
SHAPES = [*SHAPES, Shape(batch=1, queries=19, keys=19, heads=2, kv_heads=1, size=192, value_size=128)]
# Weights of large scores are nearly 0 or 1: gradients by values show their digits, and others have none in f32. And
# values far from 0 beside what differs between them.
CHANGED = [
    *((Form("causal = true"), Shape(batch=1, queries=37, keys=37, heads=2, kv_heads=1), "f32", chip,
       {"query": (1000, 0)}, ["value"]) for chip in CHIPS),
    *((Form("causal = true"), Shape(batch=1, queries=64, keys=64, heads=2, kv_heads=1, size=64, value_size=64), dtype,
       chip, {"value": (1, offset)}, None)
      for dtype, chip, offset in [("bf16", "sm_80", 10), ("bf16", "sm_90a", 30), ("f16", "sm_80", 30)]),
]


def check(stem, text, chip, changes=None):
    """What went wrong, or an empty string; `changes` as in `write_inputs`."""
    module, inputs = stem.with_suffix(".mlir"), []
    module.write_text(text)
    if changes:
        file = stem.with_suffix(".safetensors")
        write_inputs(file, text, changes)
        inputs = [f"--inputs={file}"]
    done = run("block-run", module, "--engine=emulate", f"--chip={chip}", "--seed=7", *read_dims(text), *inputs,
               f"--baseline={module}")
    found = done.returncode == 0 and "PASS" in done.stdout and "race" not in done.stderr
    return "" if found else f"{text}\n{chip}\n{done.stdout[-1500:]}{done.stderr[-1500:]}"


def is_of_few(form):
    """Whether such a form has gradients of some f32 numbers, whose digits show how a result of 16 bits was rounded."""
    related = {*PAST, "shaw_key", "shaw_value"} & set(form.operands)
    return related and {"alpha", "beta", "gamma", "sinks"} & set(form.operands)


def write_changed(folder, changed):
    """The cases of such a table, alone and with an attention whose result is no part of the gradient's digits."""
    return [(folder / f"changed{number}-{forward}", write(form, shape, dtype, forward, 1e-30, by), chip, changes)
            for number, (form, shape, dtype, chip, changes, by) in enumerate(changed) for forward in (False, True)]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    cases = []
    for number, form in enumerate([*FORMS, *PAST_FORMS]):
        fitting = [place for place, shape in enumerate(SHAPES) if not form.same_length or shape.queries == shape.keys]
        others = fitting[1:] if tiers.FULL else [fitting[1 + number % (len(fitting) - 1)]]
        for place in [0, *others]:
            shape = dataclasses.replace(SHAPES[place], past=(37, 5, 130)[(number + place) % 3])
            if "cu_seqlens" in form.operands:
                shape = dataclasses.replace(shape, batch=1)
            turn = number + (1 if place else 0)
            types = TYPES if tiers.FULL else [TYPES[turn % 3]]
            for dtype in types:
                for chip in CHIPS if tiers.FULL else [CHIPS[(turn // 3 + place) % 2]]:
                    forward = (turn + len(cases)) % 2 == 1 and not (dtype != "f32" and is_of_few(form))
                    text = write(form, shape, dtype, forward)
                    cases.append((folder / str(len(cases)), text, chip))
    shape = Shape(batch=3, queries=37, keys=70, past=41, is_open=True)
    for number, form in enumerate(OPEN_FORMS):
        cases += [(folder / f"open{number}-{dtype}", write(form, shape, dtype), chip)
                  for dtype, chip in zip(["f32", "bf16"], CHIPS if number % 2 else CHIPS[::-1])]
    cases = tiers.take_turn(cases, 7)
    cases += write_changed(folder, CHANGED)
    return engine_cases.try_all(check, cases, "gradients")


if __name__ == "__main__":
    sys.exit(main())
