#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks seeded.py against the values that the unit test of the C++ side holds.

Both generators are pinned to the same rows, so neither can change alone.
"""

import pathlib
import re
import sys

import numpy as np

import seeded

UNIT_TEST = pathlib.Path(__file__).parents[2] / "unittests" / "Support" / "SeededRandomTest.cpp"
STREAM = re.compile(r'checkStream\((\d+)u?, "([^"]*)", \{(.*?)\}\);', re.DOTALL)
ROW = re.compile(r"\{(\d+), (0x[0-9a-f]+), (0x1\.[0-9a-f]+p-?\d+), (-?[0-9.e-]+)\}")


def main():
    wrong = checked = 0
    for seed, name, body in STREAM.findall(UNIT_TEST.read_text(encoding="utf-8")):
        rows = ROW.findall(body)
        values = seeded.values(int(seed), name, len(rows))
        uniforms = seeded.uniform(int(seed), name, len(rows))
        normals = seeded.normal(int(seed), name, len(rows))
        for index, value, uniform, normal in rows:
            k = int(index)
            ok = (
                values[k] == np.uint64(int(value, 16))
                and uniforms[k] == float.fromhex(uniform)
                and abs(normals[k] - float(normal)) < 1e-14
            )
            checked += 1
            wrong += not ok
            print(f"{seed}/{name}/{k}: {'ok' if ok else 'FAILED'}")
    print(f"{checked - wrong} passed, {wrong} failed")
    return 0 if checked >= 7 and wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
