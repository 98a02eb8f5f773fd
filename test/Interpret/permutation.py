#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Without positions and masks, permuted tokens give permuted rows.

As a control, every IR that loses its mask for this does not permute with it.
"""

import pathlib
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "golden"))

import safetensors_io
import tools
from small import FLAGS

INPUTS = pathlib.Path(__file__).parent / "Inputs"
MASKS = ("causal = true, window = 4, ", ", causal = true")
POSITIONS = (", alibi_max = 8.0", "rope = #block.rope<style = half, dim = 8, base = 100.0>,")
FILES = ("attention.mlir", "kv-heads.mlir", "shaped.mlir", "whole-qk-norm.mlir")
FAMILIES = ("vit", "vit-22b", "layerscale")


def without(text, parts):
    for part in parts:
        text = text.replace(part, "")
    return text


def distance(text, folder):
    """How far rows of permuted tokens are from permuted rows."""
    path, inputs = folder / "model.mlir", folder / "inputs.safetensors"
    path.write_text(text, encoding="utf-8")
    shape = tools.arguments(text, "input")["hidden_states"]
    random = np.random.Generator(np.random.PCG64(9))
    x = random.standard_normal(shape).astype(np.float32)
    order = random.permutation(shape[1])
    outputs = []
    for rows in (x, x[:, order]):
        safetensors_io.write(inputs, {"hidden_states": rows})
        flags = ("--seed=3", "--exact-arithmetic", f"--inputs={inputs}")
        (output,) = tools.execute(path, folder, *flags).values()
        outputs.append(output)
    return np.abs(outputs[1] - outputs[0][:, order]).max()


def check(case, folder):
    """A case is where the IR comes from, what it loses, and whether it then permutes."""
    source, parts, holds = case
    if source in FAMILIES:
        text = tools.generate(folder / "family.mlir", f"--family={source}", *FLAGS)
    else:
        text = without(read(source), parts)
    moved = distance(text, folder)
    if holds and not moved < 1e-12 or not holds and not moved > 1e-2:
        raise tools.Failure(f"off by {moved:.1e}")
    return f"off by {moved:.1e}"


def read(file):
    return (INPUTS / file).read_text(encoding="utf-8")


def list_cases():
    for file in FILES:
        yield file, (file, MASKS + POSITIONS, True)
        if any(part in read(file) for part in MASKS):
            yield f"{file}, masked", (file, POSITIONS, False)
        if any(part in read(file) for part in POSITIONS):
            yield f"{file}, with positions", (file, MASKS, False)
    for family in FAMILIES:
        yield family, (family, (), True)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        return tools.report(list_cases(), lambda case: check(case, folder))


if __name__ == "__main__":
    sys.exit(main())
