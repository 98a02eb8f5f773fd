#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How evenly the tiles of an attention kernel are shared out, from its tile IR.

usage: attention-turns.py FILE

The order is that of tile.tiles; what a tile costs is the number of its steps over
keys, as the IR computes it from the tile's row and column, and a part of one for
what comes before and behind. Prints the steps of all tiles, how long the busiest CTA
takes over an even share, and how many heads are worked on at a time at most.
"""

import pathlib
import re
import sys

BESIDE = 0.6  # of a step
TILES = re.compile(r"tile\.tiles \((%\w+), (%\w+)\) below \((%\w+), (%\w+)\) band (\d+)")
LINE = re.compile(r"(%\w+) = (arith\.\w+) (.*?) : \w+$")
OPS = {
    "arith.addi": lambda a, b: a + b, "arith.subi": lambda a, b: a - b, "arith.muli": lambda a, b: a * b,
    "arith.divui": lambda a, b: a // b, "arith.remui": lambda a, b: a % b,
    "arith.minsi": min, "arith.maxsi": max, "arith.andi": lambda a, b: a & b,
    "arith.select": lambda c, a, b: a if c else b,
}
COMPARE = {"slt": lambda a, b: a < b, "ult": lambda a, b: a < b, "eq": lambda a, b: a == b}


def evaluate(lines, values):
    """Adds what the lines compute from what is known."""
    for name, op, text in lines:
        if op == "arith.constant":
            if re.fullmatch(r"-?\d+", text):
                values[name] = int(text)
            continue
        words = text.split(", ")
        if op == "arith.cmpi":
            operands = [values.get(word) for word in words[1:]]
            function = COMPARE.get(words[0])
        else:
            operands, function = [values.get(word) for word in words], OPS.get(op)
        if function and None not in operands:
            values[name] = function(*operands)
    return values


def main():
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    lines = text[text.index("tile.kernel"):].split("\n")
    grid = int(re.search(r"\bgrid = (\d+)", lines[0] + lines[1]).group(1))
    at = next(number for number, line in enumerate(lines) if TILES.search(line))
    row, column, rows, columns, band = TILES.search(lines[at]).groups()
    # The one over keys is inside the one that brings the queries; names are used again behind it.
    end = [number for number, line in enumerate(lines) if "tile.pipeline" in line][1]
    steps = re.search(r"tile\.pipeline (%\w+)", lines[end]).group(1)

    parse = [(found.groups() if (found := LINE.search(line)) else None) for line in lines[:end]]
    before = evaluate(filter(None, parse[:at]), {})
    inside = [line for line in parse[at:] if line]
    rows, columns, band = before[rows], before[columns], int(band)
    places = [(first + r, c) for first in range(0, rows, band) for c in range(columns)
              for r in range(min(band, rows - first))]
    costs = [evaluate(inside, {**before, row: r, column: c})[steps] + BESIDE for r, c in places]

    loads = [0] * grid
    for turn, cost in enumerate(costs):
        loads[turn % grid] += cost
    print(f"{len(costs)} tiles, {round(sum(costs) - BESIDE * len(costs))} steps, band {band}, "
          f"busiest {max(loads) / (sum(costs) / grid):.3f}")


if __name__ == "__main__":
    main()
