#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention whose kernel rounds its rows to codes of 8 bits, on the emulator, bit for bit.

usage: encoded_attention.py FOLDER

A product by an identity of codes shows the numbers of the codes exactly. They have to be those that NumPy rounds the
attention's own result to, which another kernel computes: in tiles of tensor maps and of few queries, whose keys CTAs
share, of heads that share keys, and with an open batch. A value may be a NaN, and magnitudes differ from column
to column. Defects that are planted in the kernels have to be found. Codes may leave the kernel besides, with their
scales or their numbers.
"""

import itertools
import pathlib
import subprocess
import sys

import numpy as np
import safetensors_io
import tiers

HEAD = 128
#: Batch, queries, keys, heads, heads of keys; whether the batch is open.
SHAPES = [(1, 200, 200, 2, 2, False), (2, 128, 128, 2, 1, False), (1, 1, 700, 4, 2, False), (1, 7, 300, 2, 2, False),
          (3, 2, 500, 2, 1, True), (2, 70, 70, 1, 1, True)]
CASES = list(itertools.product(SHAPES, ["bf16", "f16"]))
#: Models, and what they return: products, codes, scales, numbers.
MODELS = {"m.mlir": "y", "scales.mlir": "yes", "numbers.mlir": "yer"}
DEFECTS = ["wrong-operand:1", "wrong-operand:2", "wrong-operand:3", "wrong-source:0"]


def scale_columns(width):
    """Scales of a weight's rows, one of three in turn; products with them are exact."""
    return np.resize(np.float32([1, 2, 0.5]), width)


def write(folder, case):
    (batch, queries, keys, heads, key_heads, is_open), dtype = case
    width, key_width = heads * HEAD, key_heads * HEAD
    random = np.random.default_rng(queries + keys)

    def draw(rows, columns):
        # In 8 bits, which both types have.
        return np.round(random.standard_normal((batch, rows, columns)) * 32).astype(np.float32) / 32

    v = draw(keys, key_width) * np.exp2(random.integers(-6, 6, (batch, 1, key_width)))
    if keys == 200:
        v[-1, -1, 3] = np.nan
    tensors = {"q": draw(queries, width), "k": draw(keys, key_width), "v": v.astype(np.float32)}
    safetensors_io.write(folder / "x.safetensors", tensors)
    codes = np.zeros((width, width), np.uint8)
    np.fill_diagonal(codes, 0x38)
    safetensors_io.write_raw(folder / "w.safetensors", {"c": ("I8", [width, width], codes.tobytes()),
                                                        "s": ("F32", [width, 1], scale_columns(width).tobytes())})
    b = "?" if is_open else batch
    q, k, y = (f"tensor<{b}x{rows}x{columns}x{dtype}>" for rows, columns in
               ((queries, width), (keys, key_width), (queries, width)))
    scales, encoded = f"tensor<{b}x{queries}x{heads}xf32>", f"tensor<{b}x{queries}x{width}xi8>"
    names = ', block.dims = ["batch"]' if is_open else ""
    attention = f"""
  %a = block.sdpa %q, %k, %v {{heads = {heads} : i64, kv_heads = {key_heads} : i64, scores = #block.scores<scale = 0.1,
      causal = {str(queries == keys).lower()}>}} : ({q}, {k}, {k}) -> {y}"""
    arguments = ", ".join(f'%{name}: {kind} {{block.input = "{name}"{names}}}'
                          for name, kind in (("q", q), ("k", k), ("v", k)))
    (folder / "plain.mlir").write_text(f"""
func.func @main({arguments}) -> ({y} {{block.output = "y"}}) {{{attention}
  return %a : {y}
}}
""", encoding="utf-8")
    sums = y.replace(dtype, "f32")
    types = {"y": sums, "e": encoded, "s": scales, "r": y}
    for model, names in MODELS.items():
        results = ", ".join(f'{types[name]} {{block.output = "{name}"}}' for name in names)
        (folder / model).write_text(f"""
func.func @main({arguments}, %c: tensor<{width}x{width}xi8> {{block.param = "c"}},
                %ws: tensor<{width}x1xf32> {{block.param = "s"}}) -> ({results}) {{{attention}
  %s = block.group_scales %a {{group = 128 : i64}} : {y}
  %e = block.encode_groups %a scales %s : {y}, {scales}
  %r = block.decode_groups %e scales %s : {encoded}, {scales} -> {y}
  %w = block.unpack_weight %c, %ws {{form = #block.code_form<fp8>}}
      : tensor<{width}x{width}xi8>, tensor<{width}x1xf32> -> tensor<{width}x{width}x{dtype}>
  %y = block.linear %r, %w : ({y}, tensor<{width}x{width}x{dtype}>) -> {sums}
  return {", ".join(f"%{name}" for name in names)} : {", ".join(types[name] for name in names)}
}}
""", encoding="utf-8")


def split(x):
    return x.reshape(*x.shape[:-1], -1, HEAD)


def find_scales(x):
    """The scales of rows, with a last dimension of 1."""
    magnitudes = np.abs(np.where(np.isfinite(x), x, 0))
    largest = np.maximum(split(magnitudes).max(-1, keepdims=True), 2.0**-200)
    return np.exp2(np.maximum(np.ceil(np.log2(largest / 448)), -116))


def encode(x):
    """The numbers of the codes of rows."""
    groups, scales = split(x), find_scales(x)
    numbers = groups / scales
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = np.exp2(np.maximum(np.floor(np.log2(np.abs(numbers))), -6) - 3)
        numbers = np.clip(np.round(numbers / steps) * steps, -448, 448)
    return (np.where(np.isfinite(groups), numbers, np.nan) * scales).reshape(x.shape)


def decode(codes, scales):
    """The numbers of codes, by the bits of E4M3."""
    bits = codes.astype(np.int64) & 255
    exponents, fractions = bits >> 3 & 15, bits & 7
    numbers = np.where(exponents > 0, 8 + fractions, fractions) * np.exp2(np.maximum(exponents, 1) - 10.0)
    numbers = np.where(bits & 127 == 127, np.nan, np.where(bits > 127, -numbers, numbers))
    return (split(numbers) * scales[..., None]).reshape(codes.shape)


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


def emulate(folder, model, *options):
    """The results by name, or what was wrong."""
    outputs = folder / "y.safetensors"
    outputs.unlink(missing_ok=True)
    kernels = folder / "k.mlir"
    made = run("block-opt", folder / model, "--block-optimize=chip=sm_90a", "-o", kernels)
    done = run("block-run", kernels, "--engine=emulate", "--chip=sm_90a", f"--inputs={folder / 'x.safetensors'}",
               f"--outputs={outputs}", *options)
    if made.returncode or done.returncode:
        return made.stderr[-500:] + done.stdout[-200:] + done.stderr[-500:]
    return {name: tensor.astype(np.float64) for name, tensor in safetensors_io.read(outputs).items()}


def is_same(found, wanted):
    return not isinstance(found, str) and np.array_equal(found["y"], wanted, equal_nan=True)


def check_codes(found, plain, wanted):
    """Codes that leave the kernel, their scales and numbers are those of the attention's own result."""
    if not is_same(found, wanted):
        return f"other products: {found}"
    numbers, scales = encode(plain), find_scales(plain)[..., 0]
    owns = [found.get("r", numbers), decode(found["e"], found.get("s", scales))]
    return None if all(np.array_equal(own, numbers, equal_nan=True) for own in owns) else "other codes or numbers"


def check(folder, case):
    write(folder, case)
    weights = f"--weights={folder / 'w.safetensors'}"
    plain = emulate(folder, "plain.mlir")
    if isinstance(plain, str):
        yield f"no result to round: {plain}"
        return
    # A NaN among the rows of a product is in all of its columns.
    wanted = encode(plain["y"])
    wanted *= scale_columns(wanted.shape[-1])
    wanted[np.isnan(wanted).any(-1)] = np.nan
    found = emulate(folder, "m.mlir", weights)
    if not is_same(found, wanted):
        yield found if isinstance(found, str) else f"{np.sum(found['y'] != wanted)} of {wanted.size} numbers are others"
    if not np.isfinite(wanted).any():
        yield "nothing is finite"
    text = (folder / "k.mlir").read_text(encoding="utf-8")
    if text.count("block.kernel") != 2:
        yield f"expected two launches, got {text.count('block.kernel')}"
    for model in list(MODELS)[1:]:
        if fault := check_codes(emulate(folder, model, weights), plain["y"], wanted):
            yield f"{model}: {fault}"
    for kind in DEFECTS:
        if is_same(emulate(folder, "m.mlir", weights, f"--mutate={kind}"), wanted):
            yield f"a defect ({kind}) is not found"


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    count = faults = 0
    for case in tiers.take_turn(CASES, 7):
        count += 1
        for fault in check(folder, case):
            faults += 1
            print(case, fault)
    print(f"{count} attentions, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
