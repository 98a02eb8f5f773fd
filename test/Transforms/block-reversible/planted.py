#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""planted.py MODEL STEP SCRATCH: faults in sums of streams are found, though the limit of such functions is wider.

Each fault is in one sum of forward; the step made of it is compared with that of the model. A branch that is off by
two units (2^-16 each) is found in every sum, one that is missing or subtracted by far.
"""

import re
import sys

import tools

model, step, scratch = sys.argv[1:]
SUM = re.compile(r"(?P<result>%\w+) = block\.stream_add (?P<branch>%\w+) to (?P<stream>%[\w#]+) : (?P<kind>tensor<\w+>),")
UNIT = 2**-16
WIDTH = 32
# Of every second column more, of the others less: norms do not subtract it.
COLUMNS = f"tensor<1x1x{WIDTH}xf32>"
TWO_UNITS = f"""%units = "tosa.const"() {{{{values = dense<{[[[2 * UNIT, -2 * UNIT] * (WIDTH // 2)]]}> : {COLUMNS}}}}} : () -> {COLUMNS}
      %planted = tosa.add {{branch}}, %units : ({{kind}}, {COLUMNS}) -> {{kind}}
      {{result}} = block.stream_add %planted to {{stream}} : {{kind}},"""
NO_BRANCH = """%planted = "tosa.const"() {{values = dense<0.0> : {kind}}} : () -> {kind}
      {result} = block.stream_add %planted to {stream} : {kind},"""
SUBTRACTED = "{result} = block.stream_add {branch} to {stream} {{subtract}} : {kind},"

with open(model, encoding="utf-8") as file:
    text = file.read()
sums = list(SUM.finditer(text))
assert len(sums) == 4, sums
CASES = [(TWO_UNITS, each) for each in sums] + [(NO_BRANCH, sums[3]), (SUBTRACTED, sums[0])]
for fault, found in CASES:
    with open(f"{scratch}.m.mlir", "w", encoding="utf-8") as file:
        file.write(text[: found.start()] + fault.format(**found.groupdict()) + text[found.end() :])
    tools.require("block-opt", f"{scratch}.m.mlir", "--block-differentiate=wrt=params loss=sum", "-o", f"{scratch}.s.mlir")
    tools.require("block-run", f"{scratch}.s.mlir", "--engine=reference", "--function=main_step", "--seed=1",
                  f"--baseline={step}", code=tools.DIFFERENT)
print(len(CASES), "of", len(CASES), "found")
