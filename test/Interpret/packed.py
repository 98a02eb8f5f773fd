#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sequences packed into one row give what each gives alone.

Two sequences, an empty one, a third, and rows behind the last one, which
belong to none. As a control, other bounds give something else.
"""

import pathlib
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "golden"))

import safetensors_io
import tools
from small import FLAGS, WIDTH

BOUNDS = (0, 5, 5, 12, 13)
OTHER_BOUNDS = (0, 6, 6, 12, 13)
TOKENS = 15

# Whatever the scores know of positions, and nothing.
CASES = [
    (family, family)
    for family in (
        "gpt2",  # causal alone
        "bert",  # both ways
        "llama",  # a rotation
        "mistral",  # a window
        "mpt",  # ALiBi
        "bloom",
        "falcon-rw",  # ALiBi that is rounded
        "t5-encoder",  # buckets
        "shaped",  # shaped attention: its mean is over one sequence
    )
]


def run(path, rows, bounds=None):
    inputs = {"hidden_states": rows}
    flags = ["--seed=3", "--exact-arithmetic"]
    if bounds:
        inputs["cu_seqlens"] = np.array(bounds)
    else:
        flags.append(f"--dims=seq={rows.shape[1]}")
    safetensors_io.write(path.parent / "inputs.safetensors", inputs)
    found = tools.execute(
        path, path.parent, f"--inputs={path.parent / 'inputs.safetensors'}", *flags
    )
    return found["hidden_states"]


def check(family):
    random = np.random.Generator(np.random.PCG64(7))
    rows = (0.3 + random.standard_normal((1, TOKENS, WIDTH))).astype(np.float32)
    common = [f"--family={family}", "--scope=block", *FLAGS, "--batch=1"]
    with tempfile.TemporaryDirectory() as name:
        packed, alone = (pathlib.Path(name) / each for each in ("packed.mlir", "alone.mlir"))
        tools.generate(packed, *common, f"--seq={TOKENS}", f"--varlen={len(BOUNDS) - 1}")
        tools.generate(alone, *common, "--seq=?")
        whole, other = run(packed, rows, BOUNDS), run(packed, rows, OTHER_BOUNDS)
        off = 0.0
        for first, end in zip(BOUNDS, BOUNDS[1:]):
            if first < end:
                part = run(alone, rows[:, first:end])
                off = max(off, np.abs(whole[:, first:end] - part).max())
    behind = BOUNDS[-1]
    if not off < 1e-9:
        raise tools.Failure(f"off by {off:.1e}")
    if not np.array_equal(whole[:, behind:], other[:, behind:]):
        raise tools.Failure("rows behind the last sequence look at others")
    moved = np.abs(whole - other).max()
    if not moved > 1e-2:
        raise tools.Failure(f"other bounds move by {moved:.1e} only")
    return f"off by {off:.1e}"


if __name__ == "__main__":
    sys.exit(tools.report(CASES, check))
