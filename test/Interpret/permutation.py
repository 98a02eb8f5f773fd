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
    """A case is an IR text and whether permutation has to go through it."""
    text, holds = case
    moved = distance(text(), folder)
    if holds and not moved < 1e-12 or not holds and not moved > 1e-2:
        raise tools.Failure(f"off by {moved:.1e}")
    return f"off by {moved:.1e}"


def list_cases(folder):
    for file in FILES:
        text = (INPUTS / file).read_text(encoding="utf-8")
        masked, free = without(text, POSITIONS), without(text, MASKS)
        plain = without(masked, MASKS)
        yield file, (lambda: plain, True)
        if masked != plain:
            yield f"{file}, masked", (lambda: masked, False)
        if free != plain:
            yield f"{file}, with positions", (lambda: free, False)
    for family in FAMILIES:
        flags = (f"--family={family}", *FLAGS)
        yield family, (lambda: tools.generate(folder / "family.mlir", *flags), True)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        return tools.report(list_cases(folder), lambda case: check(case, folder))


if __name__ == "__main__":
    sys.exit(main())
