#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention does not see the keys and values of other sequences, whatever they are.

usage: neighbours.py FOLDER

Tiles of keys reach past the end of a sequence, where memory holds the next one, or
padding. No such key has a weight; but zero times NaN is NaN. Each case is run with
numbers and with NaN there, and what does not depend on it has to keep every bit.
"""

import pathlib
import random
import struct
import subprocess
import sys

import safetensors_io

HEADS, SIZE, TIME, PAST, LENGTH = 2, 64, 70, 40, 33
WIDTH = HEADS * SIZE
NAN = float("nan")
# What the case adds to keys and values, and the mask.
CASES = {
    "plain": ("", "scale = 0.125"),
    "causal": ("", "scale = 0.125, causal = true"),
    "past": ("past", "scale = 0.125, causal = true"),
    "lengths": ("lengths", "scale = 0.125"),
}


def model(extra, scores):
    """Attention of two sequences as one kernel."""
    names = ["q", "k", "v"] + (["past_key", "past_value"] if extra == "past" else [])
    types = {name: f"tensor<2x{PAST if name.startswith('past') else TIME}x{WIDTH}xbf16>" for name in names}
    if extra == "lengths":
        names.append("lengths")
        types["lengths"] = "tensor<2xi64>"
    inputs = ", ".join(f'%{name}: {types[name]} {{block.input = "{name}"}}' for name in names)
    inside = ", ".join(f"%i_{name} = %{name} : {types[name]}" for name in names)
    more = "".join(f" {name} %i_{name}" for name in names[3:])
    result = types["q"]
    return f"""
func.func @main({inputs}) -> ({result} {{block.output = "o"}}) {{
  %0 = block.kernel "sdpa" ({inside}) -> {result} {{
    %s = block.sdpa %i_q, %i_k, %i_v{more} {{heads = {HEADS} : i64, kv_heads = {HEADS} : i64, scores = #block.scores<{scores}>}}
        : ({", ".join(types[name] for name in names)}) -> {result}
    block.yield %s : {result}
  }}
  return %0 : {result}
}}
"""


def read_result(path):
    """The bytes of the result of each sequence."""
    _, _, data = safetensors_io.read_raw(path)["o"]
    return data[: len(data) // 2], data[len(data) // 2 :]


def inputs(extra, poisoned):
    """Numbers, with NaN where the first sequence must not look."""
    source = random.Random(7)

    def tensor(rows, is_value):
        elements = [source.gauss(0, 1) for _ in range(2 * rows * WIDTH)]
        if poisoned and is_value and extra != "lengths":
            elements[rows * WIDTH :] = [NAN] * (rows * WIDTH)
        elif poisoned and is_value:
            elements[LENGTH * WIDTH : rows * WIDTH] = [NAN] * ((rows - LENGTH) * WIDTH)
        return "F32", [2, rows, WIDTH], struct.pack(f"<{len(elements)}f", *elements)

    tensors = {name: tensor(TIME, name == "v") for name in ("q", "k", "v")}
    if extra == "past":
        tensors.update({name: tensor(PAST, name == "past_value") for name in ("past_key", "past_value")})
    if extra == "lengths":
        tensors["lengths"] = ("I64", [2], struct.pack("<2q", LENGTH, TIME))
    return tensors


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    faults = 0
    for name, (extra, scores) in CASES.items():
        source = folder / f"{name}.mlir"
        source.write_text(model(extra, scores))
        for chip in ("sm_80", "sm_90a"):
            results = []
            for poisoned in (False, True):
                given, made = folder / "inputs.safetensors", folder / "outputs.safetensors"
                safetensors_io.write_raw(given, inputs(extra, poisoned))
                done = subprocess.run(["block-run", source, "--engine=emulate", f"--chip={chip}", "--threads=1",
                                       f"--inputs={given}", f"--outputs={made}"], capture_output=True, text=True)
                if done.returncode:
                    sys.exit(f"{name} {chip}: {done.stderr}")
                results.append(read_result(made))
            (first, other), (first_beside_nan, nans) = results
            if first != first_beside_nan:
                faults += 1
                print(f"{name} {chip}: the result of the first sequence is another beside NaN")
            if extra != "lengths" and nans == other:
                faults += 1
                print(f"{name} {chip}: expected NaN in the result of the second sequence")
    print(f"{len(CASES)} cases, {faults} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
