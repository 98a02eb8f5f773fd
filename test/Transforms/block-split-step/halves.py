# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forward and backward, one run after the other, give the very bytes that the joint step gives.

Families take turns with types and rewrites, but for PARABLOCK_FULL in the environment.
"""

import math
import random
import re
import struct
import sys

import tiers
from safetensors_io import read_raw as read
from safetensors_io import write_raw as write
from tools import require as run

SIZES = "--layers=2 --width=32 --heads=4 --vocab=37 --positions=24 --batch=2 --seq=7".split()
FAMILIES = ["gpt2", "gptj", "llama", "gemma2", "qwen3", "phi", "shaped", "deepnorm", "bart-decoder"]

WITHOUT_LOGITS = ["deepnorm", "shaped", "bart-decoder"]


def draw_inputs(step):
    """Values for the inputs of @main_step: ids, and floats between -1 and 1."""
    with open(step) as file:
        signature = file.read().split("@main_step(")[1].split("->")[0]
    drawn, tensors = random.Random(1), {}
    for dims, element, name in re.findall(r'tensor<((?:\d+x)+)(\w+)> {(?:[^{}]*, )?block.input = "([^"]+)"', signature):
        shape = [int(dim) for dim in dims.split("x")[:-1]]
        size = math.prod(shape)
        if element == "i64":
            content = struct.pack(f"<{size}q", *(drawn.randrange(37) for _ in range(size)))
        else:
            content = struct.pack(f"<{size}f", *(drawn.uniform(-1, 1) for _ in range(size)))
            if element == "bf16":
                content = b"".join(content[i + 2 : i + 4] for i in range(0, 4 * size, 4))
        tensors[name] = {"i64": "I64", "f32": "F32", "bf16": "BF16"}[element], shape, content
    return tensors


def check(model, step, given, joint, forward, backward, *options):
    """Compares the halves with the whole; `options` make the step from the model."""
    run("block-opt", model, *options, "--block-split-step", "-o", step)
    start = "block-run", step, "--engine=reference", "--seed=1"
    inputs = draw_inputs(step)
    write(given, inputs)
    run(*start, "--function=main_step", f"--inputs={given}", f"--outputs={joint}")
    run(*start, "--function=main_forward", f"--inputs={given}", f"--outputs={forward}")
    write(given, {**inputs, **read(forward)})
    run(*start, "--function=main_backward", f"--inputs={given}", f"--outputs={backward}")
    whole, halves = read(joint), {**read(forward), **read(backward)}
    gradients = list(read(backward))
    if not gradients or not whole.keys() <= halves.keys() or any(name not in whole for name in gradients):
        sys.exit(f"{model} {options}: expected the results {sorted(whole)}, got {sorted(halves)}")
    for name, tensor in whole.items():
        if halves[name] != tensor:
            sys.exit(f"{model} {options}: '{name}' differs")
    return len(gradients)


def main(folder):
    files = [f"{folder}.{name}" for name in ("m.mlir", "s.mlir", "i", "j", "f", "b")]
    gradients = 0
    for number, family in enumerate(FAMILIES):
        for turn, dtype in enumerate(("f32", "bf16")):
            run("block-gen", f"--family={family}", *SIZES, f"--dtype={dtype}", "-o", files[0])
            ways = [[], ["--block-optimize"]]
            for more in ways if tiers.FULL else [ways[(number + turn) % 2]]:
                gradients += check(*files, "--block-differentiate=wrt=all loss=sum", *more)
        if family in WITHOUT_LOGITS:
            continue
        run("block-gen", f"--family={family}", *SIZES, "--loss=cross-entropy", "-o", files[0])
        gradients += check(*files, "--block-differentiate=wrt=params")
    print(gradients, "gradients are equal")


if __name__ == "__main__":
    main(sys.argv[1])
