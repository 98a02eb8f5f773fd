# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""families.py LIST TEMPORARY: makes, round-trips and runs every family of LIST.
Generated weights must not be kind: each update is at least 0.3 of the stream,
logits have a deviation of at least 1, gains are not 1 and biases not 0."""

import re
import sys

from tools import require as run

SMALL = "--layers=2 --width=64 --heads=4 --vocab=50 --positions=64 --batch=2 --seq=17".split()


def check_trace(family, text):
    rows = re.findall(r"^ +\d+ +\S+ +([\d.e+-]+) +([\d.e+-]+) +([\d.e+-]+)$", text, re.M)
    assert len(rows) == 2, (family, text)
    for row in rows:
        stream, attention, mlp = map(float, row)
        assert attention >= 0.3 * stream and mlp >= 0.3 * stream, (family, row)
    rms = float(re.search(r"rms ([\d.]+)", text).group(1))
    assert rms >= 0.5, (family, text)
    if "logits" in text:
        assert rms >= 1, (family, text)


def check_inits(family, text):
    inits = re.findall(r'block.init = #block.init<([^>]*)>,\s+block.param =\s+"([^"]*)"', text)
    assert inits, family
    for init, name in inits:
        assert "std" in init or "constant" in init, (family, name, init)
        assert not re.search(r"std = 0\.0\b", init), (family, name, init)


def main(list_path, temporary):
    families = open(list_path).read().split()
    assert len(families) == 55, len(families)
    for family in families:
        path = temporary + "." + family + ".mlir"
        run("block-gen", "--family=" + family, *SMALL, "-o", path)
        run("block-opt", "--verify-roundtrip", path, "-o", "/dev/null")
        check_trace(family, run("block-run", path, "--engine=reference", "--seed=3", "--trace"))
        check_inits(family, open(path).read())


main(*sys.argv[1:])
