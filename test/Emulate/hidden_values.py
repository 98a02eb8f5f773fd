#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of attention beside operands that are no numbers, on the emulator and the CPU: what the reference keeps
finite, as masks hide such a value from it, agrees with the reference, and what the reference does not keep finite is
not.

usage: hidden_values.py FOLDER

The keys with infinities and NaN, and with numbers so large that nothing beside them has digits, are the first one, that
in the middle and the last one, of all or of a sequence: of these a kernel could know what values have in common. Each
case is one of several days'.
"""

import pathlib
import sys

import numpy as np
import safetensors_io
import tiers
from gradient_forms import PAST, TABLE, Form, Shape, write, write_inputs
from tools import call as run

SHAPE = Shape(batch=1, queries=96, keys=96, heads=2, kv_heads=1, size=16, value_size=16)
NAN, INF = float("nan"), float("inf")
BOUNDS = [0, 20, 45, 46, 96]
CAUSAL = "causal = true"
# The keys of each kind of number.
CASES = [
    (Form(CAUSAL, ("cu_seqlens",)), "f32", {NAN: [0], INF: [48]}),
    (Form("", ("cu_seqlens",)), "f32", {NAN: [95], -INF: [10]}),
    (Form("", ("cu_seqlens",)), "f32", {1e5: [0, 48, 95]}),
    (Form(CAUSAL), "f32", {NAN: [95]}),
    (Form(CAUSAL), "f32", {INF: [48, 95]}),
    (Form(f"{CAUSAL}, window = 20"), "f32", {NAN: [0], INF: [60]}),
    (Form("window = 20"), "f32", {NAN: [48]}),
    (Form(CAUSAL, ("lengths",)), "f32", {NAN: [69], INF: range(70, 96)}),
    (Form(CAUSAL, PAST), "f32", {NAN: [95]}),
    (Form(CAUSAL, ("cu_seqlens",)), "bf16", {NAN: [0], INF: [48]}),
    (Form(f"{CAUSAL}, window = 20"), "f16", {NAN: [0], INF: [95]}),
]


def tiles(queries, keys):
    return Shape(batch=1, queries=queries, keys=keys, heads=2, kv_heads=1, size=64, value_size=64)


BOTH = ("key", "value")
# Those of whole tiles, of keys that no query sees, and of keys that some see.
OTHERS = [
    (Form(CAUSAL), "bf16", {NAN: range(160, 192)}, "sm_90a", tiles(128, 192), BOTH),
    (Form("window = 20"), "f16", {NAN: range(169, 192)}, "sm_80", tiles(150, 192), BOTH),
    (Form(""), "f32", {NAN: [95]}, "sm_80", SHAPE, ("key",)),
    (Form(CAUSAL), "bf16", {NAN: range(150, 192)}, "sm_90a", tiles(150, 192), BOTH),
    (Form(f"{CAUSAL}, window = 20"), "bf16", {NAN: [159]}, "sm_90a", tiles(160, 160), ("value",)),
    (Form("", ("sinks",)), "f32", {NAN: [3]}, "sm_80", SHAPE, ("key",)),
    (Form(CAUSAL), "bf16", {NAN: range(150, 192)}, "sm_80", tiles(150, 192), BOTH),
    (Form("window = 20"), "f16", {NAN: range(169, 192)}, "sm_90a", tiles(150, 192), BOTH),
    (Form("", ("score_bias_of_heads",)), "f16", {NAN: [0]}, "sm_80", SHAPE, ("key",)),
    (Form(), "f16", {NAN: [100]}, "sm_90a", tiles(128, 128), ("key",)),
    (Form(CAUSAL), "bf16", {NAN: [0]}, "sm_80", SHAPE, ("key",)),
    (Form(CAUSAL, ("cu_seqlens",)), "bf16", {NAN: [50]}, "sm_90a", tiles(128, 128), ("value",)),
    (Form("", ("score_bias_of_heads",)), "f32", {NAN: [60]}, "sm_80", SHAPE, ("key",)),
]
# Scores that are NaN, of a head or one of a query, beside biases of -inf, whose keys are visible.
SCORES = [
    (Form(CAUSAL, ("sinks",)), "f32", {NAN: [1]}, "cpu", SHAPE, ("sinks",)),
    (Form("", ("score_bias",)), "f32", {-INF: range(96), NAN: [4]}, "sm_80", SHAPE, ("score_bias",)),
    (Form(CAUSAL, ("score_bias", "sinks")), "f16", {-INF: range(96), NAN: [70]}, "cpu", SHAPE, ("score_bias",)),
    (Form("window = 9", ("lengths", "sinks")), "bf16", {NAN: [0]}, "sm_90a", SHAPE, ("sinks",)),
    (Form(CAUSAL, ("score_bias", "sinks")), "bf16", {-INF: range(96), NAN: [70]}, "sm_90a", tiles(128, 128), ("score_bias",)),
    (Form("", ("score_bias",)), "f32", {-INF: range(96), NAN: [4]}, "cpu", SHAPE, ("score_bias",)),
    (Form("softcap = 1.5", ("relative_table", "sinks"), TABLE), "f32", {NAN: [3]}, "sm_80", SHAPE, ("query",)),
    (Form("softcap = 1.5", ("relative_table", "sinks"), TABLE), "f32", {NAN: [3]}, "cpu", SHAPE, ("query",)),
    (Form(CAUSAL, ("score_bias", "shaw_value")), "f32", {-INF: range(96), NAN: [50]}, "sm_80", SHAPE, ("score_bias",)),
    (Form(CAUSAL, ("sinks", "cu_seqlens")), "f16", {NAN: [0, 1]}, "cpu", SHAPE, ("sinks",)),
]


def spoil(values, numbers):
    """Puts numbers into a copy of `values`: in rows, or of biases by queries, of which few keys have each."""
    values = values.copy()
    for number, places in numbers.items():
        if values.ndim == 1:
            values[list(places)] = number
        elif values.ndim == 4:
            for place in places:
                values[:, :, place, place % 5 + np.isnan(number)::7] = number
        else:
            values[:, list(places), ::3] = number
    return values


def write_case(stem, form, dtype, numbers, shape, spoiled):
    """Writes the module and its inputs."""
    module, inputs = stem.with_suffix(".mlir"), stem.with_suffix(".safetensors")
    module.write_text(text := write(form, shape, dtype))
    names = ["dy", "query", "key", "value", *(PAST if PAST[0] in form.operands else ())]
    write_inputs(inputs, text, {name: (1, 0) for name in (*names, *set(spoiled).difference(names))})
    tensors = safetensors_io.read(inputs)
    for name in spoiled:
        tensors[name] = spoil(tensors[name], numbers)
    if "cu_seqlens" in form.operands:
        tensors["cu_seqlens"] = np.array([*BOUNDS[:-1], shape.keys])
    if "lengths" in form.operands:
        tensors["lengths"] = np.array([70])
    safetensors_io.write(inputs, tensors)
    return module, inputs


def check(stem, form, dtype, numbers, chip, shape=SHAPE, spoiled=("value",)):
    """What went wrong, or an empty string."""
    module, inputs = write_case(stem, form, dtype, numbers, shape, spoiled)
    results = []
    for engine in ("reference", "cpu" if chip == "cpu" else "emulate"):
        made = stem.with_suffix(f".{engine}.safetensors")
        flags = [f"--chip={chip}"] if engine == "emulate" else []
        done = run("block-run", module, f"--engine={engine}", *flags, f"--inputs={inputs}", f"--outputs={made}")
        if done.returncode:
            return f"{form} {chip}: {done.stderr[-1500:]}"
        results.append(safetensors_io.read(made))
    wanted, found = results
    limit = {"f32": 1e-5, "bf16": 2e-2, "f16": 3e-3}[dtype]
    faults = []
    for name, tensor in wanted.items():
        finite = np.isfinite(tensor)
        wrong = np.abs(found[name][finite] - tensor[finite])
        # A row of each query or key, whose numbers have one size.
        most = limit * np.abs(np.where(finite, tensor, 0)).max(-1, keepdims=True)
        most = np.broadcast_to(np.maximum(most, limit), tensor.shape)[finite]
        bad = ~(wrong <= most)
        # Keys that the last query sees have no finite gradient beside one that it alone sees.
        vacuous = name == "d_query" and not bad.size and "value" in spoiled
        faults += [f"{name} {bad.sum()} of {bad.size}"] if bad.any() or vacuous else []
        missed = np.isfinite(found[name]) & ~finite
        faults += [f"{name} finite at {missed.sum()}"] if missed.any() else []
    return f"{form} {dtype} {chip} {numbers}: {faults}" if faults else ""


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    cases = [(*case, ["sm_80", "sm_90a"][place % 2]) for place, case in enumerate(tiers.take_turn(CASES, 3))]
    cases += tiers.take_turn(OTHERS, 4) + tiers.take_turn(SCORES, 4)
    faults = [fault for place, case in enumerate(cases) if (fault := check(folder / str(place), *case))]
    print("\n".join([*faults, f"{len(cases) - len(faults)} of {len(cases)} gradients agree"]))
    return len(faults)


if __name__ == "__main__":
    sys.exit(main())
