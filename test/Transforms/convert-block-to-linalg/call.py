#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds a @main to a module that calls its function @called; the second file has its types.

usage: call.py CALLED WITH_TYPES
"""

import pathlib
import re
import sys

path, types = map(pathlib.Path, sys.argv[1:])
header = re.search(r"func\.func @main\((.*?)\) -> \(?(tensor<[^>]*>)", types.read_text(), re.DOTALL)
arguments = re.findall(r"(%\w+): (tensor<[^>]*>)", header[1])
given = ", ".join(f"{name}: {kind}" for name, kind in arguments)
names, kinds = (", ".join(part) for part in zip(*arguments))
text = path.read_text().rstrip()
path.write_text(
    f"{text}\n"
    f"func.func @main({given}) -> {header[2]} {{\n"
    f"  %y = func.call @called({names}) : ({kinds}) -> {header[2]}\n"
    f"  return %y : {header[2]}\n"
    "}\n}\n"
)
