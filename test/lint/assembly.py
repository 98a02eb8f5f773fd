#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every row of the assembly that device code is made with is known and tested.

That kernels are made with these rows and no others, test/Target/kernels.py says.
"""

import re

import tree

TABLE = "lib/Conversion/TileToNVVM/Assembly.def"
ROW = re.compile(r'^TILE_ASSEMBLY\((\w+), "([^"]+)"\)$', re.MULTILINE)
EMULATED = re.compile(r'"asm:([^"]+)"')
CHECK = re.compile(r"^[A-Z0-9]+(?:-[A-Z]+)?(?:-\d+)?:(.*)$", re.MULTILINE)


def read_all(root, *patterns):
    return "\n".join(path.read_text(encoding="utf-8") for path in tree.files(root, *patterns))


def check(root):
    text = (root / TABLE).read_text(encoding="utf-8")
    rows = ROW.findall(text)
    if not rows or len(rows) != len(re.findall(r"^TILE_ASSEMBLY", text, re.MULTILINE)):
        yield f"{TABLE}: expected rows such as TILE_ASSEMBLY(Op, \"instruction\"), each in a line"
    emulated = EMULATED.findall(read_all(root, "lib/Judges/Emulator/*.cpp"))
    checks = "\n".join(line for line in CHECK.findall(read_all(root, "test/Target/*.test")) if "block-" not in line)
    units = read_all(root, "unittests/Emulator/*")
    for op, instruction in rows:
        if not any(instruction.startswith(name) for name in emulated):
            yield f"{op}: the emulator has no name that '{instruction}' begins with"
        if instruction not in checks:
            yield f"{op}: no test in test/Target looks for '{instruction}' in PTX"
        if instruction not in units:
            yield f"{op}: no test in unittests/Emulator runs '{instruction}'"


if __name__ == "__main__":
    tree.main(__doc__, check)
