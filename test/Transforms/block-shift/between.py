# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts a scale between layers 0 and 1 of generated IR, standard input to output."""

import re
import sys

text = sys.stdin.read()
first, second = re.findall(r"(%\w+) = block\.layer", text)[:2]
tensor = re.search(r'block\.layer "[^"]*" at 0 -> (\S+)', text).group(1)
head, tail = text.split(f"    {second} = block.layer", 1)
tail = re.sub(rf"{first}\b", "%doubled", tail)
scale = f"    %doubled = block.scale {first} {{factor = 2.0 : f64}} : ({tensor}) -> {tensor}\n"
sys.stdout.write(f"{head}{scale}    {second} = block.layer{tail}")
