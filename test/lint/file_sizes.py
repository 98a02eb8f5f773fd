#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small files: none over 600 lines, half of the libraries' sources under 200."""

import statistics

import tree

LONGEST = 600
MEDIAN = 200
SOURCES = ("*.cpp", "*.h", "*.td", "*.py", "*.sh", "*.mlir", "*.test", "*CMakeLists.txt", "*.cmake")
# What other tools printed is as long as it is.
PRINTED = "test/Ways/Inputs"


def check(root):
    for path in tree.files(root, *SOURCES):
        if path.relative_to(root).as_posix().startswith(PRINTED):
            continue
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines > LONGEST:
            yield f"{path.relative_to(root)}: {lines} lines, at most {LONGEST}: split it by theme"
    sizes = [
        path.read_text(encoding="utf-8").count("\n") for path in tree.files(root, "lib/*.cpp")
    ]
    if sizes and statistics.median(sizes) >= MEDIAN:
        yield f"lib: the median is {statistics.median(sizes)} lines, it should be under {MEDIAN}"


if __name__ == "__main__":
    tree.main(__doc__, check)
