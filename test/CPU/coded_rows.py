#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows in codes of 8 bits, held bit for bit against an oracle in NumPy.

usage: coded_rows.py FOLDER "ARGUMENTS OF block-run"...

Rows have every number of E4M3, numbers halfway between two and next to these, subnormal ones, no numbers, infinite
ones, magnitudes of all exponents, and groups of nothing but zeros.
"""

import pathlib
import subprocess
import sys

import numpy as np
import safetensors_io

GROUP, GROUPS = 128, 3
#: Numbers of one sign, by their code.
NUMBERS = np.array([np.ldexp(code % 8, -9) if code < 8 else np.ldexp(8 + code % 8, code // 8 - 10)
                    for code in range(127)])


def round_to(values, element):
    """Numbers of a type, ties to even, as f64."""
    if element == "f16":
        return values.astype(np.float16).astype(np.float64)
    bits = values.astype(np.float32).view(np.uint32)
    if element == "bf16":
        odd = bits >> 16 & 1
        bits = np.where(np.isnan(values), bits | 0x400000, bits + 0x7FFF + odd) & 0xFFFF0000
    return bits.astype(np.uint32).view(np.float32).astype(np.float64)


def encode(rows):
    """The numbers of codes, and scales, in f64."""
    groups = rows.reshape(len(rows), -1, GROUP)
    magnitudes = np.where(np.isfinite(groups), np.abs(groups), 0).max(axis=2, keepdims=True)
    exponents = np.array([next(e for e in range(-116, 121) if m <= np.ldexp(448.0, e)) for m in magnitudes.ravel()])
    scales = np.ldexp(1.0, exponents).reshape(magnitudes.shape)
    with np.errstate(invalid="ignore"):
        wanted = np.abs(groups) / scales
        distances = np.abs(wanted[..., None] - NUMBERS)
    nearest = distances.min(axis=-1, keepdims=True)
    even = np.arange(127) % 2 == 0
    # Of two that are as near, the even code.
    codes = np.where(distances == nearest, 2 - even, 0).astype(float)
    codes = np.where(codes == 1, 3, codes).argmax(axis=-1)
    numbers = np.copysign(NUMBERS[codes], groups)
    return np.where(np.isfinite(groups), numbers, np.nan) * scales, scales


def make_rows():
    middle = (NUMBERS[1:] + NUMBERS[:-1]) / 2
    random = np.random.default_rng(1)
    near = np.concatenate([np.nextafter(middle.astype(np.float32), np.float32(0)),
                           np.nextafter(middle.astype(np.float32), np.float32(500)), middle[:GROUP * 2 - 2 * 126]])
    specials = random.normal(size=GROUP)
    specials[[0, 5, 77]] = [np.nan, np.inf, -np.inf]
    largest = np.full(GROUP, 1e-3)
    largest[9] = 448 * 2.0**-3
    beyond = largest.copy()
    beyond[9] = -448.5 * 2.0**-3
    groups = [np.append(NUMBERS, 0), np.append(middle, [448, 1]), near[:GROUP], near[-GROUP:], specials,
              np.zeros(GROUP), -np.zeros(GROUP), np.full(GROUP, np.nan), np.full(GROUP, np.inf), largest, beyond]
    groups += [random.normal(size=GROUP) * 2.0**exponent for exponent in (-140, -126, -118, -60, -9, 0, 9, 60, 120)]
    groups += [random.normal(size=GROUP) * 2.0 ** random.integers(-20, 9, GROUP)]
    groups += [random.normal(size=GROUP)] * (-len(groups) % GROUPS)
    return np.array(groups).reshape(-1, GROUPS * GROUP)


def check(folder, arguments, element):
    """The faults of an engine."""
    with np.errstate(over="ignore", under="ignore"):
        rows = round_to(make_rows(), element)
    count = len(rows)
    # Numbers that are not normal may count as zeros, and do in both.
    smallest = 0 if element == "f16" else 2.0**-126
    rows = np.where(np.abs(rows) < smallest, 0, rows) if "emulate" in arguments else rows
    x, s = f"tensor<1x{count}x{GROUPS * GROUP}x{element}>", f"tensor<1x{count}x{GROUPS}xf32>"
    model, inputs, outputs = folder / "m.mlir", folder / "i.safetensors", folder / "o.safetensors"
    model.write_text(f"""
func.func @main(%x: {x} {{block.input = "x"}}) -> ({x} {{block.output = "y"}}) {{
  %s = block.group_scales %x {{group = {GROUP} : i64}} : {x}
  %c = block.encode_groups %x scales %s : {x}, {s}
  %y = block.decode_groups %c scales %s : tensor<1x{count}x{GROUPS * GROUP}xi8>, {s} -> {x}
  return %y : {x}
}}
""", encoding="utf-8")
    safetensors_io.write(inputs, {"x": rows.astype(np.float32)[None]})
    done = subprocess.run(["block-run", model, *arguments.split(), f"--inputs={inputs}", f"--outputs={outputs}"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        return [done.stdout[-300:] + done.stderr[-600:]]
    with np.errstate(over="ignore"):
        expected = round_to(encode(rows)[0].reshape(rows.shape), element)
    found = safetensors_io.read(outputs)["y"][0].astype(np.float64)
    same = (found == expected) | (np.isnan(found) & np.isnan(expected))
    return [f"row {row}, column {column}: {rows[row, column]} became {found[row, column]}, "
            f"expected {expected[row, column]}" for row, column in np.argwhere(~same)[:5]]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    faults = [f"{arguments} {element}: {fault}" for arguments in sys.argv[2:] for element in ("f32", "bf16", "f16")
              for fault in check(folder, arguments, element)]
    print(*faults, f"{3 * len(sys.argv[2:])} cases, {len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
