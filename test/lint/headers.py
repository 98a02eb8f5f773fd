#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C++ and TableGen files: banner, licence line; headers: guard, no `using namespace`."""

import re

import tree

LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"


def has_guard(name, text):
    """BlockOps.h is guarded by PARABLOCK_..._BLOCKOPS_H, its folders in between."""
    tail = re.sub(r"\W", "_", name).upper()
    return re.search(rf"^#ifndef (PARABLOCK_(?:\w+_)?{tail})\n#define \1$", text, re.MULTILINE)


def check(root):
    for path in tree.files(root, "*.cpp", "*.h", "*.td"):
        relative = path.relative_to(root)
        ours = relative.parts[0] != "test"  # a downstream project guards as it likes
        text = path.read_text(encoding="utf-8")
        lines = text.split("\n")
        if not lines[0].startswith(f"//===- {path.name} - "):
            yield f"{relative}:1: expected the banner '//===- {path.name} - what it is'"
        if not any(LICENCE in line for line in lines[:8]):
            yield f"{relative}:1: expected the line '// {LICENCE}'"
        if path.suffix == ".h":
            if ours and not has_guard(path.name, text):
                yield f"{relative}: expected a guard PARABLOCK_<folders>_<name>_H"
            for number, line in enumerate(lines, 1):
                if re.match(r"\s*using namespace", line):
                    yield f"{relative}:{number}: 'using namespace' in a header"


if __name__ == "__main__":
    tree.main(__doc__, check)
