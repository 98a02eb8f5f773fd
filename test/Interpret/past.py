#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Resuming after past keys and values gives the rows of the whole.

As a control, a past that was rotated otherwise does not.
"""

import pathlib
import sys
import tempfile

import numpy as np

import tools

TEXT = (pathlib.Path(__file__).parent / "Inputs" / "past.mlir").read_text(encoding="utf-8")
ROTATION = "heads = 2 : i64, form = #block.rope<style = half, dim = 6, base = 100.0>"
CASES = [
    ("the same past", (TEXT, True)),
    ("another past", (TEXT.replace(ROTATION, ROTATION.replace("100.0", "50.0")), False)),
]


def check(case):
    text, holds = case
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "past.mlir"
        path.write_text(text, encoding="utf-8")
        found = tools.execute(path, path.parent, "--seed=3", "--exact-arithmetic")
    moved = np.abs(found["whole"] - found["resumed"]).max()
    if holds and not moved < 1e-12 or not holds and not moved > 1e-3:
        raise tools.Failure(f"off by {moved:.1e}")
    return f"off by {moved:.1e}"


if __name__ == "__main__":
    sys.exit(tools.report(CASES, check))
