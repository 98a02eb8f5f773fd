#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks as other tools print them are raised whole: so many pieces, the same numbers.

tools.py FOLDER INPUTS
"""

import collections
import pathlib
import re
import subprocess
import sys

LAYERS = {"jax-scan-complex": 2}
SIZES = {"jax-symbolic": ["--dims=b=3,t=4"]}
PIECES = re.compile(r"(?<!#)block\.(layer|attention|mlp|norm|residual)\b")
COMPUTES = re.compile(r"\b(?:linalg\.\w*matmul|tosa\.matmul|math\.exp|tosa\.exp|stablehlo\.\w+)\b")
# attention, mlp, norms, residuals of each layer; and what the attention has to say.
MODELS = {
    "jax-bf16": (1, 1, 2, 2, ["causal = true", "gelu_tanh"]),
    "jax-gpt2-stablehlo": (1, 1, 2, 2, ["causal = true"]),
    "jax-llama-stablehlo": (1, 1, 2, 2, ["causal = true", "kv_heads = 2", "block.rope"]),
    "jax-scan-complex": (1, 1, 2, 2, ["causal = true", "kv_heads = 2", "interleaved"]),
    "jax-symbolic": (1, 1, 2, 2, ["score_bias", "kv_heads = 1", "tensor<?x?x16xf32>"]),
    "tf-encoder": (1, 1, 2, 2, ["causal = true"]),
    "tm-bert-mask": (1, 1, 2, 2, ["score_bias"]),
    "tm-bf16": (1, 1, 2, 2, ["causal = true"]),
    "tm-cross-safe": (1, 1, 1, 2, ["memory", "score_bias"]),
    "tm-gemma2": (1, 1, 4, 2, ["causal = true", "window = 4", "softcap", "kv_heads = 1"]),
    "tm-gpt2": (1, 1, 2, 2, ["causal = true"]),
    "tm-gptj-tables": (1, 1, 1, 1, ["causal = true", "rope_cos", "interleaved"]),
    "tm-llama-layer": (1, 1, 2, 2, ["score_bias", "kv_heads = 2", "rope_cos"]),
    "tm-neox": (1, 1, 2, 1, ["causal = true", "rope_cos", "dim = 8"]),
    "tm-tokens-first": (1, 1, 2, 2, ["tensor<2x8x32xf32>"]),
    "tm-qwen3-tosa": (1, 1, 2, 2, ["causal = true", "qk_norm", "rope_cos", "kv_heads = 2"]),
}


def run(*arguments):
    return subprocess.run(list(map(str, arguments)), capture_output=True, text=True)


def check(before, after, expected):
    raised = run("block-opt", before, "--block-raise", "-o", after)
    if raised.returncode:
        return raised.stderr
    text = after.read_text()
    counts = collections.Counter(PIECES.findall(text))
    layers = LAYERS.get(before.stem, 1)
    wanted = tuple(layers * count for count in expected[:4])
    found = tuple(counts[piece] for piece in ("attention", "mlp", "norm", "residual"))
    if counts["layer"] != layers or found != wanted:
        return f"expected {wanted} in {layers} layers, got {found} in {counts['layer']}"
    missing = [word for word in expected[4] if word not in text]
    if missing:
        return f"missing: {missing}"
    left = COMPUTES.findall(text)
    if left:
        return f"left: {left}"
    compared = run("block-run", after, "--engine=reference", "--seed=7", f"--baseline={before}", *SIZES.get(before.stem, []))
    return compared.stdout + compared.stderr if compared.returncode else ""


def main():
    folder, inputs = map(pathlib.Path, sys.argv[1:3])
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    if {path.stem for path in inputs.glob("*.mlir")} != set(MODELS):
        sys.exit("inputs and the table of models differ")
    for name, expected in MODELS.items():
        problem = check(inputs / f"{name}.mlir", folder / f"{name}.mlir", expected)
        failed += bool(problem)
        print(f"{'FAILED' if problem else 'ok'} {name} {problem.strip()[:400]}")
    print(f"{len(MODELS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
