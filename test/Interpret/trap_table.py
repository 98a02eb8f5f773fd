# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every trap that separates model families, as one change of IR text.

A row is (what is confused, IR, text, text instead, flags). IR is a file of
Inputs/ or the name of a family; the text has to be in it. ROUNDING rows run
without exact arithmetic and only have to differ.
"""

# What a swap goes through: no IR has it.
THIRD = "<third>"

TRAPS = [
    # Norms
    ("eps inside and outside the root", "norm.mlir", "inside_root", "outside_root"),
    ("eps added and eps as a floor", "norm.mlir", "inside_root", "clamp"),
    ("eps outside the root and as a floor", "norm.mlir", ("inside_root", "outside_root"), ("inside_root", "clamp")),
    ("mean subtracted", "norm.mlir", "kind = layer", "kind = rms"),
    ("mean of squares and sum of squares", "norm.mlir", "kind = layer", "kind = l2"),
    ("gain and 1 + gain", "norm.mlir", "gamma_form = direct", "gamma_form = one_plus"),
]
