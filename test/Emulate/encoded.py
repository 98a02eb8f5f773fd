#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of rows and weights in codes of 8 bits, on the emulator, held against sums in f64.

usage: encoded.py FOLDER

Weights have every code of E4M3, and scales that differ from row to row and from group to group; magnitudes of rows
differ by powers of 2 from group to group. Rows and columns are multiples of no tile. Defects that are planted in the
kernel's code have to be found: scales of a neighbouring group or row, operands that begin elsewhere, waits that are
left out. Sums of the emulator's tensor cores keep 14 bits, so a long sum is within the limit only if each group's sum
is added in f32: the same without these additions has to be beyond it.
"""

import itertools
import pathlib
import struct
import subprocess
import sys

import numpy as np
import safetensors_io
import tiers

#: Rows, columns, depth, and columns of a scale of the weight, of which 0 are a row.
CASES = list(itertools.product([1, 70, 131], [200, 264], [256, 1152], [0, 128, 256])) + [(16, 128, 4096, 0)]
LONG = CASES[-1]
#: The last are loads of scales: of rows, ahead and in the loop, and of the weight.
DEFECTS = ["wrong-descriptor-start:0", "wrong-descriptor-stride:0", "drop-wgmma-wait:0", "wrong-source:0",
           "wrong-operand:4", "wrong-operand:6", "wrong-operand:9"]
LIMIT = 5e-4


def decode(codes):
    exponents, mantissas = codes >> 3 & 15, (codes & 7).astype(float)
    numbers = np.where(exponents == 0, np.ldexp(mantissas, -9), np.ldexp(8 + mantissas, exponents.astype(int) - 10))
    return np.where(codes < 128, numbers, -numbers)


def write(folder, case):
    """The sums in f64."""
    rows, columns, depth, group = case
    random = np.random.default_rng(rows + columns + depth + group)
    groups = -(-depth // group) if group else 1
    codes = random.integers(0, 127, (columns, depth)) + 128 * random.integers(0, 2, (columns, depth))
    scales = (1 + np.arange(columns * groups) * 7 % 11).reshape(columns, groups).astype(np.float32) / 900
    # Numbers of codes, so that rounding them changes nothing.
    x = decode(random.integers(0, 120, (rows, depth))) * np.exp2(random.integers(-6, 6, (1, depth // 128))).repeat(128, 1)
    x[:, ::128] = 448 * np.exp2(random.integers(-6, 6, (rows, depth // 128)))
    x *= random.choice([-1, 1], x.shape)
    safetensors_io.write(folder / "x.safetensors", {"x": x.astype(np.float32)[None]})
    tensors = {"w.codes": ("I8", [columns, depth], codes.astype(np.uint8).tobytes()),
               "w.scales": ("F32", [columns, groups], scales.tobytes()),
               "b": ("F32", [columns], struct.pack(f"{columns}f", *range(columns)))}
    safetensors_io.write_raw(folder / "w.safetensors", tensors)
    numbers = f"tensor<1x{rows}x{depth}xbf16>"
    s, y = f"tensor<1x{rows}x{depth // 128}xf32>", f"tensor<1x{rows}x{columns}xf32>"
    w, ws, wb = f"tensor<{columns}x{depth}xi8>", f"tensor<{columns}x{groups}xf32>", f"tensor<{columns}xf32>"
    (folder / "m.mlir").write_text(f"""
func.func @main(%x: {numbers} {{block.input = "x"}}, %c: {w} {{block.param = "w.codes"}},
                %ws: {ws} {{block.param = "w.scales"}}, %b: {wb} {{block.param = "b"}}) -> ({y} {{block.output = "y"}}) {{
  %s = block.group_scales %x {{group = 128 : i64}} : {numbers}
  %k = block.encode_groups %x scales %s : {numbers}, {s}
  %r = block.decode_groups %k scales %s : tensor<1x{rows}x{depth}xi8>, {s} -> {numbers}
  %w = block.unpack_weight %c, %ws {{form = #block.code_form<fp8>, group = {group} : i64}}
      : {w}, {ws} -> tensor<{columns}x{depth}xbf16>
  %y = block.linear %r, %w bias %b : ({numbers}, tensor<{columns}x{depth}xbf16>, {wb}) -> {y}
  return %y : {y}
}}
""", encoding="utf-8")
    return x @ (decode(codes) * scales.astype(float).repeat(group or depth, 1)[:, :depth]).T + np.arange(columns)


def find_error(found, exact):
    return np.linalg.norm(found - exact) / np.linalg.norm(exact)


def is_long_sum_found(folder):
    """Whether sums of 14 bits that are not added in f32 are beyond the limit, and others within it."""
    exact = write(folder, LONG)
    x = safetensors_io.read(folder / "x.safetensors")["x"][0].astype(float)
    weights = safetensors_io.read_raw(folder / "w.safetensors")
    weight = decode(np.frombuffer(weights["w.codes"][2], np.uint8).reshape(weights["w.codes"][1]).astype(int)).T
    scales = np.frombuffer(weights["w.scales"][2], np.float32).astype(float)
    errors = []
    for added in (128, LONG[2]):
        total, sums = np.zeros(exact.shape), np.zeros(exact.shape, np.float32)
        for k in range(0, LONG[2], 32):
            sums = (sums + x[:, k : k + 32] @ weight[k : k + 32]).astype(np.float32)
            sums = (sums.view(np.uint32) & 0xFFFFFC00).view(np.float32)
            if (k + 32) % added == 0:
                total, sums = total + sums, np.zeros_like(sums)
        errors.append(find_error(total * scales + np.arange(LONG[1]), exact))
    return errors[0] < LIMIT < errors[1]


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


def check(folder, case):
    """The faults of a case."""
    exact = write(folder, case)
    model, outputs = folder / "m.mlir", folder / "y.safetensors"
    emulate = ["block-run", model, "--engine=emulate", "--chip=sm_90a", f"--inputs={folder / 'x.safetensors'}",
               f"--weights={folder / 'w.safetensors'}", f"--outputs={outputs}"]

    def read_error():
        return find_error(safetensors_io.read(outputs)["y"][0].astype(np.float64), exact)

    done = run(*emulate)
    if done.returncode:
        yield f"expected numbers, got {done.stdout[-300:]} {done.stderr[-900:]}"
        return
    if not read_error() <= LIMIT:
        yield f"expected an error of at most {LIMIT}, got {read_error()}"
    device = run("block-opt", model, "--block-to-gpu=chip=sm_90a", "--mlir-print-ir-before=convert-tile-to-nvvm")
    if "tile.mma_scaled" not in device.stderr:
        yield f"expected a product of codes, {device.stderr[-300:]}"
    for kind in DEFECTS:
        outputs.unlink(missing_ok=True)
        spoilt = run(*emulate, f"--mutate={kind}")
        if spoilt.returncode == 0 and read_error() <= LIMIT:
            yield f"a defect ({kind}) is not found: {spoilt.stdout[-300:]} {spoilt.stderr[-300:]}"


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    faults, count = int(not is_long_sum_found(folder)), 0
    if faults:
        print("sums that are not added in f32 are not found")
    for case in tiers.take_turn(CASES, 9):
        count += 1
        for fault in check(folder, case):
            faults += 1
            print(*case, fault)
    print(f"{count} products, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
