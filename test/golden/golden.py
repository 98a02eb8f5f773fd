# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a golden vector is: a family's formula on seeded weights, and its digest."""

import importlib
import json
import pathlib

import numpy as np

from small import Inputs
from weights import Weights

SEED = 7
FOLDER = pathlib.Path(__file__).parent
# Rows below every length, so that padded and plain vectors look at the same.
ROWS = ((0, 0), (0, 1), (0, 8), (0, 16), (1, 5), (1, 10))
COLUMNS = 16


def families():
    """Names of all families that have a formula."""
    found = (FOLDER / "families").glob("*.py")
    return sorted(path.stem.replace("_", "-") for path in found if path.stem != "__init__")


def compute(family, padding):
    """Weights, inputs and outputs; rows of padding are 0."""
    module = importlib.import_module("families." + family.replace("-", "_"))
    weights, inputs = Weights(SEED), Inputs(padding)
    outputs = module.forward(weights, inputs)
    valid = inputs.valid_rows()[..., None]
    return weights, inputs, {name: np.where(valid, y, 0.0) for name, y in outputs.items()}


def digest(outputs):
    """Few numbers that pin an output: its size, and some rows' evenly spread columns."""
    return {
        name: {
            "shape": list(y.shape),
            "l2": float(np.linalg.norm(y)),
            "sum": float(y.sum()),
            "rows": {f"{b},{t}": spread(y[b, t]).tolist() for b, t in ROWS},
        }
        for name, y in outputs.items()
    }


def spread(row):
    return row[np.linspace(0, len(row) - 1, COLUMNS).astype(int)]


def vector(family):
    variants = {"plain": False, "padded": True}
    return {"seed": SEED} | {
        variant: digest(compute(family, padding)[2]) for variant, padding in variants.items()
    }


def vector_path(family):
    return FOLDER / "vectors" / f"{family}.json"


def read_vector(family):
    return json.loads(vector_path(family).read_text(encoding="utf-8"))
