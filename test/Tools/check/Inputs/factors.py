# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A test that runs on one of so many days, and a part of its cases then, reaches all of them.

usage: factors.py ROOT
"""

import math
import pathlib
import re
import sys

import tiers

# What runs one of 3 days and then has one part of 3 has the same part each time.
root = pathlib.Path(sys.argv[1])
chosen = 0
for test in (path for path in (root / "test").rglob("*") if path.suffix in (".test", ".mlir")):
    text = test.read_text(encoding="utf-8")
    for place, name in re.findall(r"%(S|root)/(\S+\.py)", text) if tiers.find_days(text) > 1 else []:
        script = (root if place == "root" else test.parent) / name
        for days in re.findall(r"take_turn\(.*?, (\d+)[,)]", script.read_text(encoding="utf-8") if script.exists() else ""):
            chosen += 1
            assert math.gcd(int(days), tiers.find_days(text)) == 1, (
                f"{test}: DAYS: {tiers.find_days(text)} and take_turn(..., {days}) of {name} have a common factor")
assert chosen > 5, chosen
print("days of tests and days of their cases have no common factor")
