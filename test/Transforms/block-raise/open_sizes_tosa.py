#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers in TOSA whose sequence length is open: heads are a part of the batch there, as a reshape has one open size
only.

    open_sizes_tosa.py FOLDER

Each is raised, and compared at several lengths.
"""

import math
import pathlib
import re
import sys

import step_spellings as steps
from constructs import run
from spelling import B, D, DH, H, T, Case, project
from tosa_writers import Tosa

LENGTHS = (1, 6, 19)
OPEN = {T, B * T, T * DH}


def norm(c, x):
    return steps.affine(c, c.w.mul(steps.centered(c, x), c.w.unary("rsqrt", c.w.add(variance(c, x), 1e-5))))


def variance(c, x):
    y = steps.centered(c, x)
    return steps.mean(c, c.w.mul(y, y))


def root_mean_square(c, x):
    r = c.w.unary("rsqrt", c.w.add(steps.mean(c, c.w.mul(x, x)), 1e-6))
    return c.w.mul(c.w.mul(x, r), steps.rows(c, c.weight(D)))


def heads(c, x, count):
    """[B * H, T, dh]; fewer heads are repeated."""
    w = c.w
    x = w.swap(w.reshape(x, (B, T, count, DH)), 1, 2)
    if count != H:
        x = w.broadcast(w.reshape(x, (B, count, 1, T * DH)), (B, count, H // count, T * DH))
    return w.reshape(x, (B * H, T, DH))


def attention(c, x, groups=H, mask=None):
    w = c.w
    q = heads(c, w.mul(project(c, x, D), 1 / math.sqrt(DH)), H)
    k, v = (heads(c, project(c, x, groups * DH), groups) for _ in range(2))
    s = w.matmul(q, w.swap(k, 1, 2))
    if mask:
        s = w.add(s, mask(c))
    e = w.unary("exp", w.sub(s, w.reduce("max", s, 2, keep=True)))
    p = w.mul(e, w.unary("reciprocal", w.reduce("sum", e, 2, keep=True)))
    y = w.swap(w.reshape(w.matmul(p, v), (B, H, T, DH)), 1, 2)
    return project(c, w.reshape(y, (B, T, D)), D)


def gelu(c, x):
    return c.w.mul(c.w.mul(x, 0.5), c.w.add(c.w.unary("erf", c.w.mul(x, math.sqrt(0.5))), 1.0))


def padding(c):
    """Keys that an input hides, once for each head."""
    w = c.w
    low = w.mul(w.sub(1.0, w.cast(c.data((B, T), "i64", 'block.input = "mask", block.dims = ["seq"]'), "f32")), -1e9)
    return w.reshape(w.broadcast(w.reshape(low, (B, 1, T)), (B, H, T)), (B * H, 1, T))


def encoder(c):
    x = c.w.add(c.x, attention(c, norm(c, c.x)))
    return c.w.add(x, project(c, gelu(c, project(c, norm(c, x), 40, bias=True)), D, bias=True))


def padded_post_norm(c):
    x = norm(c, c.w.add(c.x, attention(c, c.x, mask=padding)))
    return norm(c, c.w.add(x, project(c, gelu(c, project(c, x, 40)), D)))


def gated(c):
    w = c.w
    x = w.add(c.x, attention(c, root_mean_square(c, c.x), groups=2))
    y = root_mean_square(c, x)
    gate = project(c, y, 40)
    hidden = w.mul(w.mul(gate, w.unary("sigmoid", gate)), project(c, y, 40))
    return w.add(x, project(c, hidden, D))


LAYERS = {"encoder": (encoder, ""), "padding": (padded_post_norm, "score_bias"), "gated": (gated, "kv_heads = 2")}


def open_sizes(text):
    """The text with `?` for lengths in types, and -1 in the sizes of reshapes."""
    for size in OPEN:
        for _ in range(2):
            text = re.sub(rf"([<x]){size}x", r"\1?x", text)
    return re.sub(r"(?<=const_shape).*", lambda line: re.sub(rf"\b({'|'.join(map(str, OPEN))})(?=[,\]])", "-1", line.group(0)), text)


def write(layer):
    writer = Tosa()
    x = writer.argument("x", (B, T, D), attributes='block.input = "x", block.dims = ["seq"]')
    return open_sizes(writer.module([layer(Case(writer, x, "p"))]))


def check(folder, name, layer, expect):
    before, after = folder / f"{name}.mlir", folder / f"{name}.raised.mlir"
    before.write_text(write(layer))
    raised = run("block-opt", before, "--block-raise", "--remarks-filter=.*", "--remark-format=emitRemark", "-o", after)
    text = after.read_text() if raised.returncode == 0 else ""
    if "block.layer" not in text or "= tosa.matmul" in text or expect not in text:
        return f"not raised: {raised.stderr[:400]}"
    for length in LENGTHS:
        compared = run("block-run", after, "--engine=reference", "--seed=7", f"--dims=seq={length}", f"--baseline={before}")
        if compared.returncode:
            return f"length {length}: {compared.stdout}{compared.stderr}"[:400]
    return ""


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name, (layer, expect) in LAYERS.items():
        problem = check(folder, name, layer, expect)
        failed += bool(problem)
        print(f"{'FAILED' if problem else 'ok'} {name} {problem}")
        if problem:
            before = folder / f"{name}.mlir"
            print(before.read_text() + run("block-opt", before, "--block-raise", "--block-raise-dump", "-o", "/dev/null").stderr)
    print(f"{len(LAYERS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
