#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A query that sees a key that is NaN gets NaN from attention and its gradients, also where a bias hides all other
keys; a query that sees no key gets zeros."""

import pathlib
import sys
import tempfile

import numpy as np
import safetensors_io
import tools
from gradient_forms import Form, Shape, write, write_inputs

SHAPE = Shape(batch=1, queries=6, keys=6, heads=1, kv_heads=1, size=4, value_size=4)
HIDDEN = np.full((6, 6), -np.inf)
PARTLY = np.where(np.arange(6) == 3, 0, HIDDEN)  # key 3 alone is seen, but by query 5, which sees none
PARTLY[5] = -np.inf
ALL = dict.fromkeys(["y", "d_query", "d_key", "d_value"], set(range(6)))
# The key that is NaN, and the rows of results that then are.
CASES = [
    ("causal", (Form("causal = true"), 4, None, ALL | {"y": {4, 5}, "d_query": {4, 5}})),
    ("alone", (Form("causal = true"), 0, None, ALL)),
    ("first", (Form(), 0, None, ALL)),
    ("last", (Form(), 5, None, ALL)),
    ("bias", (Form("", ("score_bias_of_one",)), 3, PARTLY, ALL)),
    ("none", (Form("", ("score_bias_of_one",)), None, HIDDEN, dict.fromkeys(ALL, set()))),
]


def run(folder, form, key, bias):
    """The results of attention and, of a module of their own, its gradients."""
    found = {}
    for forward in (False, True):
        module, inputs = folder / "nan.mlir", folder / "inputs.safetensors"
        module.write_text(text := write(form, SHAPE, "f32", forward), encoding="utf-8")
        write_inputs(inputs, text, {operand: (1, 0) for operand in ("dy", "query", "key", "value")})
        tensors = safetensors_io.read(inputs)
        if key is not None:
            tensors["key"][:, key, 1] = np.nan
        if bias is not None:
            tensors["score_bias"] = bias[None, None].astype(np.float32)
        safetensors_io.write(inputs, tensors)
        found = tools.execute(module, folder, f"--inputs={inputs}") | found
    return found


def check(case):
    form, key, bias, wanted = case
    with tempfile.TemporaryDirectory() as name:
        found = run(pathlib.Path(name), form, key, bias)
    for result, rows in wanted.items():
        nan = set(np.flatnonzero(np.isnan(found[result][0]).any(-1)).tolist())
        if nan != rows:
            raise tools.Failure(f"{result}: rows {sorted(nan)} are NaN, expected {sorted(rows)}")
    if key is None and any(found[result].any() for result in wanted):
        raise tools.Failure("a query without keys has a result")
    return "as expected"


if __name__ == "__main__":
    sys.exit(tools.report(CASES, check))
