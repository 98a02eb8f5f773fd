#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs both sides of every trap and wants their outputs to be far apart.

Far is 1e-3 in relative L2: over 100 times the tolerance of f32, 1e-5.
"""

import pathlib
import re
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "golden"))

import tools
from small import FLAGS
from family_traps import FAMILY_TRAPS
from trap_table import TRAPS

LIMIT = 1e-3
INPUTS = pathlib.Path(__file__).parent / "Inputs"


def replace_all(text, change):
    """All at once, so that two texts may be exchanged; each has to be there."""
    for old in change:
        if old not in text:
            raise tools.Failure(f"'{old}' is not in the IR")
    pattern = "|".join(re.escape(old) for old in change)
    return re.sub(pattern, lambda found: change[found.group()], text) if change else text


class Runs:
    """Remembers outputs: many traps start from the same IR."""

    def __init__(self, folder):
        self.folder = folder
        self.texts, self.outputs = {}, {}

    def read(self, source):
        if source not in self.texts:
            if source.endswith(".mlir"):
                self.texts[source] = (INPUTS / source).read_text(encoding="utf-8")
            else:
                path = self.folder / "family.mlir"
                self.texts[source] = tools.generate(path, f"--family={source}", *FLAGS)
        return self.texts[source]

    def run(self, text, exact):
        if (text, exact) not in self.outputs:
            path = self.folder / "trap.mlir"
            path.write_text(text, encoding="utf-8")
            flags = ["--seed=7"] + (["--exact-arithmetic"] if exact else [])
            (output,) = tools.execute(path, self.folder, *flags).values()
            self.outputs[text, exact] = output.astype(np.float64)
        return self.outputs[text, exact]


def check(trap, runs):
    text = replace_all(runs.read(trap.source), trap.before)
    one = runs.run(text, trap.exact)
    other = runs.run(replace_all(text, trap.change), trap.exact)
    if not one.any():
        raise tools.Failure("the output is zero")
    moved = np.linalg.norm(one - other) / np.linalg.norm(one)
    limit = LIMIT if trap.exact else 0.0
    if not moved > limit:
        raise tools.Failure(f"moved by {moved:.1e}, expected more than {limit:.0e}")
    return f"{moved:.1e}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(pathlib.Path(folder))
        cases = [(f"{trap.source}: {trap.name}", trap) for trap in TRAPS + FAMILY_TRAPS]
        return tools.report(cases, lambda trap: check(trap, runs))


if __name__ == "__main__":
    sys.exit(main())
