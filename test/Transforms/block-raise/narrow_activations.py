# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Activations of 16 bits that polynomials spell, computed in 16 bits or in f32, as every tool writes them.

    narrow_activations.py FOLDER     one line for each element type, way and spelling: the activation, or why not

Tools take turns, so that each writes each spelling and each type; with PARABLOCK_FULL in the environment all write all.
"""

import collections
import itertools
import math
import pathlib
import re
import sys

import spelling
import step_spellings as steps
import tiers
from constructs import WRITERS, run

HALF = math.sqrt(0.5)


def erf_gelu(erf):
    return lambda c: c.w.mul(c.w.mul(c.x, 0.5), c.w.add(erf(c, c.w.mul(c.x, HALF)), 1.0))


def by_pieces(c):
    return c.w.mul(c.w.mul(c.x, 0.5), steps.erfc_by_pieces(c, c.w.mul(c.w.unary("neg", c.x), HALF)))


def logistic(slope):
    def function(c):
        e = c.w.unary("exp", c.w.mul(c.x, -slope))
        return c.w.mul(c.x, c.w.div(1.0, c.w.add(e, 1.0)))
    return function


def leaky(c):
    """Its slope below 0 is less than a step of bf16."""
    zero = c.w.mul(c.x, 0.0)
    return c.w.mul(c.x, c.w.select(c.w.binary("lt", c.x, -0.001), c.w.add(zero, 0.001), c.w.add(zero, 1.0)))


FUNCTIONS = {
    "op": erf_gelu(lambda c, x: c.w.unary("erf", x)),
    "quotient": erf_gelu(steps.quotient_erf),
    "pieces": by_pieces,
    "tables": erf_gelu(steps.tabled_erf),
    "silu": logistic(1.0),
    "quick": logistic(1.702),
    "slower": logistic(1.65),
    "leaky": leaky,
}


def write(tool, element, inside, function):
    writer = WRITERS[tool]()
    x = writer.argument("x", (spelling.B, spelling.T, spelling.D), element, attributes='block.input = "x"')
    wide = function(spelling.Case(writer, writer.cast(x, inside), "p"))
    return writer.module([writer.cast(wide, element)])


def judge(folder, *case):
    """The activation that it becomes, with the same numbers, or nothing."""
    before, after = folder / "before.mlir", folder / "after.mlir"
    before.write_text(write(*case))
    raised = run("block-opt", before, "--block-raise", "-o", after)
    if raised.returncode:
        return raised.stderr.strip()[:200]
    found = re.search(r"block\.activation .*#block\.activation<(\w+)>", after.read_text())
    compared = run("block-run", after, "--engine=reference", "--seed=7", f"--baseline={before}")
    if compared.returncode:
        return f"other numbers: {compared.stdout}{compared.stderr}"[:200]
    return found.group(1) if found else "none"


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    ways = [(element, inside) for element in ("bf16", "f16") for inside in (element, "f32")]
    for (row, (element, inside)), (column, (name, function)) in itertools.product(enumerate(ways), enumerate(FUNCTIONS.items())):
        tools = list(WRITERS) if tiers.FULL else list(WRITERS)[(row + column) % 2 :: 2]
        told = collections.Counter(judge(folder, tool, element, inside, function) for tool in tools)
        print(f"{element} in {inside}: {name}: " + ", ".join(f"{how} x {count}" for how, count in told.items()))


if __name__ == "__main__":
    main()
