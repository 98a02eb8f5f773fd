#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges a raised function by the function that it was raised from.

    verdicts.py BEFORE AFTER

A change may give a function results that are NaN or infinite, as those of a row that sees no key; a block may define
them. Elsewhere the raised function must have numbers, and the same: NaN in the verdict alone excuses nothing.
"""

import json
import pathlib
import sys
import tempfile

import numpy as np

import safetensors_io  # noqa: E402
from tools import call as run

DIFFERENT = 3
SAME, NO_NUMBERS, WRONG, NOT_RUN = "same", "no numbers", "wrong", "not run"
#: Reasons of block-run that elements without numbers explain.
EXPLAINED = ("NaN or infinity on one side only", "no element to compare")


def find_non_finite(path, outputs):
    """Places of NaN and infinities of each output, by name; None if the function does not run."""
    if run("block-run", path, "--engine=reference", "--seed=7", "--exact-arithmetic", f"--outputs={outputs}").returncode:
        return None
    return {name: ~np.isfinite(value) for name, value in safetensors_io.read(outputs).items()}


def judge(before, after):
    """A verdict and what block-run wrote."""
    with tempfile.TemporaryDirectory() as name:
        report, outputs = pathlib.Path(name) / "report.json", pathlib.Path(name) / "outputs.safetensors"
        done = run("block-run", after, "--engine=reference", "--seed=7", f"--baseline={before}", f"--json={report}")
        said = done.stdout + done.stderr
        if done.returncode == 0:
            return SAME, said
        wanted = find_non_finite(before, outputs)
        if done.returncode != DIFFERENT:
            # A change may make a function that does not run at all.
            return (NOT_RUN if wanted is None else WRONG), said
        failed = [each for each in json.loads(report.read_text())["outputs"] if not each["pass"]]
        found = find_non_finite(after, outputs)
        for each in failed:
            explained = all(reason.startswith(EXPLAINED) for reason in each["reasons"])
            if wanted is None or found is None or not explained:
                return WRONG, said
            if np.any(found[each["name"]] & ~wanted[each["name"]]):
                return WRONG, said
        return NO_NUMBERS, said


if __name__ == "__main__":
    print(judge(*sys.argv[1:])[0])
