#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Documentation of C++ begins with a noun phrase (members, types) or a verb (functions).

A fragment such as "Of the latest run." has to be completed by whoever reads it.
"""

import re

import tree

FRAGMENT = re.compile(r"\s*/// (Of|By|Whether|What)\b")


def check(root):
    for path in tree.files(root, "include/*.h", "lib/*.h", "lib/*.cpp", "tools/*.h", "tools/*.cpp",
                           "unittests/*.h", "unittests/*.cpp"):
        before = ""
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            found = FRAGMENT.match(line)
            if found and not before.lstrip().startswith("///"):
                yield (f"{path.relative_to(root)}:{number}: a comment begins with '{found[1]}': "
                       "expected a noun phrase or a verb")
            before = line


if __name__ == "__main__":
    tree.main(__doc__, check)
