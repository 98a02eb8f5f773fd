#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Codes of read checkpoints, bit for bit: GPU kernels on the emulator, the CPU, and the reference.

usage: codes_of_readers.py FOLDER

Of a checkpoint's layer, as block-gen reads it, each matrix of codes multiplies rows of zeros with a single one, so that
the result is its numbers. Scales are powers of 2, so these are exact: those of the checkpoint's own layout, in NumPy.
Matrices have every code of their form, FP8's two codes that are no numbers included, in a row each. Rows are few, for
which kernels have the weight as the left operand in one tile, or many. (The reader of GGUF writes the layouts of
compressed-tensors, and its own tests compare bits.)
"""

import itertools
import json
import pathlib
import re
import subprocess
import sys

import numpy as np
import safetensors_io
import tiers

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "checkpoints"))
import packed  # noqa: E402

ENGINES = {"sm_80": ["--engine=emulate", "--chip=sm_80"], "sm_90a": ["--engine=emulate", "--chip=sm_90a"],
           "cpu": ["--engine=cpu"]}
FP8 = {"quant_method": "fp8", "activation_scheme": "dynamic", "fmt": "e4m3", "weight_block_size": [16, 16]}
MXFP4 = {"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn", "model.layers.*.mlp.router",
                                                             "model.embed_tokens", "lm_head"]}
OSS = {"model_type": "gpt_oss", "architectures": ["GptOssForCausalLM"], "hidden_size": 64, "intermediate_size": 32,
       "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 32,
       "num_local_experts": 2, "num_experts_per_tok": 1, "vocab_size": 40, "max_position_embeddings": 64,
       "sliding_window": 8,
       "layer_types": ["full_attention"], "rms_norm_eps": 1e-5, "hidden_act": "silu", "swiglu_limit": 7.0,
       "rope_theta": 10000.0, "rope_parameters": {"rope_theta": 10000.0, "rope_type": "default"},
       "attention_bias": True, "tie_word_embeddings": False}
NAMES = [case[0] for case in packed.CASES] + ["fp8 blocks", "mxfp4 blocks"]
CASES = list(itertools.product(NAMES, ["bf16", "f16"], [48, 136]))


def draw_codes(random, rows, columns, count):
    """Every code, in any order."""
    codes = np.resize(np.arange(count), rows * columns)
    return random.permutation(codes).reshape(rows, columns)


def draw_scales(random, *shape):
    return np.exp2(random.integers(-4, 4, shape))


def decode_fp8(codes):
    exponents, mantissas = codes >> 3 & 15, (codes & 7).astype(float)
    numbers = np.where(exponents == 0, np.ldexp(mantissas, -9), np.ldexp(8 + mantissas, exponents - 10))
    numbers = np.where(codes & 127 == 127, np.nan, numbers)
    return np.where(codes < 128, numbers, -numbers)


def write_integers(case, random):
    """The file's tensors, and the numbers of matrices in order."""
    _, bits, group, symmetric, _, packer = case
    tensors, numbers = {}, []
    for linear, out, columns in packed.LINEARS:
        groups = -(-columns // group) if group else 1
        codes = draw_codes(random, out, columns, 1 << bits)
        zeros = np.full((out, groups), 1 << (bits - 1))
        if not symmetric:
            # Those of 4 bits are all there are. No difference needs more digits than f16 has.
            zeros = random.integers(1, 1 << bits, (out, groups))
        scales = draw_scales(random, out, groups).astype(np.float16)
        tensors |= packer(f"model.layers.0.{linear}", codes, zeros, scales)
        spread = [np.repeat(x, group or columns, 1)[:, :columns].astype(float) for x in (zeros, scales)]
        numbers.append((codes - spread[0]) * spread[1])
    return tensors, numbers


def write_fp8(random):
    tensors, numbers = {}, []
    for linear, out, columns in packed.LINEARS:
        order = [code for code in range(256) if code & 127 != 127]
        codes = np.array(order)[draw_codes(random, out, columns, len(order))]
        codes[0, 3], codes[out - 1, 5] = 0x7F, 0xFF
        scales = draw_scales(random, -(-out // 16), -(-columns // 16))
        tensors[f"model.layers.0.{linear}.weight"] = codes.astype(np.uint8).view(np.int8)
        tensors[f"model.layers.0.{linear}.weight_scale_inv"] = scales.astype(np.float32)
        numbers.append(decode_fp8(codes) * scales.repeat(16, 0)[:out].repeat(16, 1)[:, :columns])
    return tensors, numbers


def write_mxfp4(random):
    tensors, numbers = {}, []
    magnitudes = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    for name, out, columns in (("gate_up_proj", 64, 64), ("down_proj", 64, 32)):
        codes = draw_codes(random, 2 * out, columns, 16)
        scales = random.integers(120, 126, (2 * out, columns // 32))
        pairs = codes.reshape(2, out, columns // 32, 16, 2)
        path = f"model.layers.0.mlp.experts.{name}"
        tensors[f"{path}_blocks"] = (pairs[..., 0] | pairs[..., 1] << 4).astype(np.uint8).view(np.int8)
        tensors[f"{path}_scales"] = scales.reshape(2, out, -1).astype(np.uint8).view(np.int8)
        signed = magnitudes[codes & 7] * (1 - 2 * (codes >> 3))
        numbers.append(signed * np.exp2(scales - 127.0).repeat(32, 1))
    return tensors, numbers


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stdout[-300:]}{done.stderr[-900:]}")
    return done.stdout


def multiply_codes(text, dtype, rows):
    """The program that reads these weights, with a product for each in place of its layers; their columns and rows."""
    lines = text.split("\n")
    start = next(i for i, line in enumerate(lines) if "func.func @main" in line)
    end = next(i for i, line in enumerate(lines) if line.startswith("    return "))
    body = [line for line in lines[start + 1 : end]
            if line != "    }" and ("block.unpack_weight" in line or not re.search(r"\bblock\.[a-z]", line))]
    matrices = [(match[1], int(match[2]), int(match[3])) for line in body if (match := re.match(
        r"\s*(%\w+) = block\.unpack_weight .* -> tensor<(\d+)x(\d+)x", line))]
    inputs, products = {}, []
    for number, (weight, out, columns) in enumerate(matrices):
        x, w = f"tensor<1x{rows}x{columns}x{dtype}>", f"tensor<{out}x{columns}x{dtype}>"
        y = f"tensor<1x{rows}x{out}xf32>"
        inputs[columns] = f'%one{columns}: {x} {{block.input = "one{columns}"}}'
        products.append((f"    %y{number} = block.linear %one{columns}, {weight} : ({x}, {w}) -> {y}", y))
    results = ", ".join(f'{y} {{block.output = "y{i}"}}' for i, (_, y) in enumerate(products))
    # Parameters that no codes are made of are left out.
    given = re.search(r"@main\((.*)\) -> ", lines[start])[1]
    arguments = [each for each in re.split(r", (?=%arg\d+: )", given)
                 if re.search(rf"{each.partition(':')[0]}\b", "\n".join(body))]
    head = f"  func.func @main({', '.join([*inputs.values(), *arguments])}) -> ({results}) {{"
    returned = ", ".join(f"%y{i}" for i in range(len(products)))
    last = f"    return {returned} : {', '.join(y for _, y in products)}"
    return "\n".join([*lines[:start], head, *body, *(line for line, _ in products), last, "  }", "}"]), matrices


def check(folder, name, dtype, rows):
    random = np.random.default_rng(len(name))
    if name == "fp8 blocks":
        (tensors, numbers), config = write_fp8(random), {**packed.CONFIG, "quantization_config": FP8}
    elif name == "mxfp4 blocks":
        (tensors, numbers), config = write_mxfp4(random), {**OSS, "quantization_config": MXFP4}
    else:
        case = next(each for each in packed.CASES if each[0] == name)
        (tensors, numbers), config = write_integers(case, random), {**packed.CONFIG, "quantization_config": case[4]}
    config["num_hidden_layers"] = 1
    weights = folder / "w.safetensors"
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    safetensors_io.write(weights, tensors)
    text = run("block-opt", "--unbroken-lines", "-o", "-", write(folder, dtype))
    program, matrices = multiply_codes(text, dtype, rows)
    model = folder / "m.mlir"
    model.write_text(program, encoding="utf-8")
    ones = {f"one{columns}": np.eye(columns, dtype=np.float32)[np.arange(rows) % columns][None]
            for _, _, columns in matrices}
    safetensors_io.write(folder / "x.safetensors", ones)
    if [each.shape for each in numbers] != [(out, columns) for _, out, columns in matrices]:
        yield f"expected matrices of {[each.shape for each in numbers]}, got {matrices}"
        return
    for engine, flags in ENGINES.items():
        kernels = folder / "k.mlir"
        run("block-opt", model, f"--block-optimize=chip={engine}", "-o", kernels)
        run("block-run", kernels, *flags, f"--inputs={folder / 'x.safetensors'}", f"--weights={weights}",
            f"--outputs={folder / 'y.safetensors'}")
        found = safetensors_io.read(folder / "y.safetensors")
        for number, (_, out, columns) in enumerate(matrices):
            wanted = numbers[number].T[np.arange(rows) % columns]
            # A code that is no number is in every product with its row.
            wanted[:, np.isnan(numbers[number]).any(1)] = np.nan
            if not np.array_equal(found[f"y{number}"][0].astype(float), wanted, equal_nan=True):
                yield f"{engine}: matrix {number} of {out} x {columns} has other numbers"
    lower = ["block-opt", folder / "k.mlir", "--block-to-gpu=chip=sm_90a",
             "--mlir-print-ir-before=convert-tile-to-nvvm"]
    device = subprocess.run(lower, capture_output=True, text=True, check=False).stderr
    if "tile.mma_codes" not in device or re.search(r"tile\.mma ", device):
        yield "expected products of codes alone"


def write(folder, dtype):
    source = folder / "s.mlir"
    run("block-gen", f"--config={folder / 'config.json'}", f"--dtype={dtype}", "--batch=1", "--seq=9", "-o", source)
    return source


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    faults = count = 0
    for case in tiers.take_turn(CASES, 7):
        count += 1
        try:
            found = [*check(folder, *case)]
        except RuntimeError as error:
            found = [str(error)]
        for fault in found:
            faults += 1
            print(*case, fault)
    print(f"{count} checkpoints, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
