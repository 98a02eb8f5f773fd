#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes the first block.activation_grad of a step for the identity."""

import re
import sys

text = sys.stdin.read()
result, gradient, line = re.search(r"(%\w+) = block\.activation_grad (%\w+) of(.*\n)", text).groups()
before, after = text.split(f"{result} = block.activation_grad {gradient} of{line}", 1)
end = after.index("block.yield")
print(before + re.sub(rf"{result}\b", gradient, after[:end]) + after[end:], end="")
