#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CPU's code and the device's do the steps of an op in the order of its description.

Each case is one where another order of additions, or another type on the way, gives a
number far from the reference engine's.
"""

import pathlib
import tempfile

import numpy as np

import safetensors_io
import tools

ENGINES = [["cpu"], ["emulate", "--chip=sm_80"], ["emulate", "--chip=sm_90a"]]
TYPES = ["f32", "bf16", "f16"]


def embedding(element, table, extra, attributes):
    operands = "".join(f" {name} %{name}" for name in extra)
    types = "".join(f", tensor<1x8x{element}>" for _ in extra)
    arguments = "".join(f', %{name}: tensor<1x8x{element}> {{block.param = "{name}"}}' for name in extra)
    rows = {"table": table} | extra
    weights = {name: np.broadcast_to(np.float32(row), (1, 8)) for name, row in rows.items()}
    model = f"""
func.func @main(%ids: tensor<1x1xi64> {{block.input = "ids"}}, %table: tensor<1x8x{element}> {{block.param = "table"}}{arguments}) -> tensor<1x1x8x{element}> {{
  %0 = block.embedding %ids in %table{operands} {{{attributes}}} : (tensor<1x1xi64>, tensor<1x8x{element}>{types}) -> tensor<1x1x8x{element}>
  return %0 : tensor<1x1x8x{element}>
}}"""
    return model, weights, {"ids": np.zeros((1, 1), np.int64)}


def attention(element, scores):
    tensor = f"tensor<1x3x8x{element}>"
    arguments = ", ".join(f'%{name}: {tensor} {{block.input = "{name}"}}' for name in "qkv")
    model = f"""
func.func @main({arguments}) -> {tensor} {{
  %0 = block.sdpa %q, %k, %v {{heads = 1 : i64, kv_heads = 1 : i64, scores = #block.scores<{scores}>}} : ({tensor}, {tensor}, {tensor}) -> {tensor}
  return %0 : {tensor}
}}"""
    values = np.arange(24, dtype=np.float32).reshape(1, 3, 8) / 8
    return model, {}, {"q": np.zeros((1, 3, 8), np.float32), "k": values, "v": values}


def head(element, attributes):
    model = f"""
func.func @main(%x: tensor<1x3x8x{element}> {{block.input = "x"}}, %w: tensor<16x8x{element}> {{block.param = "w"}}) -> tensor<1x3x16x{element}> {{
  %0 = block.head %x, %w {{{attributes}}} : (tensor<1x3x8x{element}>, tensor<16x8x{element}>) -> tensor<1x3x16x{element}>
  return %0 : tensor<1x3x16x{element}>
}}"""
    return model, {"w": np.ones((16, 8), np.float32)}, {"x": np.zeros((1, 3, 8), np.float32)}


def make_cases():
    for element in TYPES:
        # f16 has no number small enough that f32 would lose it beside 1.
        if element != "f16":
            # Token and position are opposite, and only their sum leaves room for the type.
            for layout, cosines in {"sin_cos_pairs": [0, 1] * 4, "sin_then_cos": [0] * 4 + [1] * 4}.items():
                yield f"type after {layout}, {element}", embedding(
                    element, -np.array(cosines), {"type_table": 2.0**-30}, f"sinusoid = #block.sinusoid<{layout}>"
                )
        # f32 has no odd numbers from 2^24 on.
        yield f"odd position, {element}", embedding(
            element, 0, {}, f"sinusoid = #block.sinusoid<sin_cos_pairs>, position_offset = {2**24 + 1} : i64"
        )
        # The reciprocal of the cap is infinite, and zero times that is NaN.
        yield f"soft cap divides, {element}", attention(element, "scale = 1.0, softcap = 1.0e-39")
        yield f"soft cap of logits divides, {element}", head(element, "softcap = 1.0e-39 : f64")


def run(folder, case):
    model, weights, inputs = case
    paths = {name: folder / name for name in ["m.mlir", "weights.safetensors", "inputs.safetensors"]}
    paths["m.mlir"].write_text(model)
    safetensors_io.write(paths["weights.safetensors"], weights)
    safetensors_io.write(paths["inputs.safetensors"], inputs)
    for engine, *flags in ENGINES:
        command = ["block-run", paths["m.mlir"], f"--engine={engine}", *flags, f"--inputs={paths['inputs.safetensors']}"]
        if weights:
            command.append(f"--weights={paths['weights.safetensors']}")
        done = tools.call(*command, "--check-against=reference")
        yield [engine, *flags], done.returncode == 0 and "PASS" in done.stdout, done


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, case in make_cases():
            for engine, fine, done in run(pathlib.Path(folder), case):
                passed += fine
                failed += not fine
                if not fine:
                    print(f"FAILED {name} on {engine}: exit {done.returncode}: {done.stdout[-300:]} {done.stderr[-300:]}")
    print(f"{passed} passed, {failed} failed")


if __name__ == "__main__":
    main()
