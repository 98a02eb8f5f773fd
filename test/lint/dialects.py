#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code expects ops of dialects that are not registered.

Their `getDialect()` is null, so `isa<..>(op->getDialect())` and `op->getDialect()->` crash:
`isa_and_nonnull` and `getName().getDialectNamespace()` do not.
"""

import re

import tree

CALL = r"[\w.>()-]*getDialect\(\)"
FAULTS = {
    re.compile(rf"\b(?:isa|cast|dyn_cast)<[\w:,\s]+>\(\s*{CALL}"): "use isa_and_nonnull: an op may have no dialect",
    re.compile(rf"{CALL}\s*->"): "an op may have no dialect: use getName().getDialectNamespace()",
}


def check(root):
    for path in tree.files(root, "lib/*.cpp", "lib/*.h", "include/*.h", "tools/*.cpp", "unittests/*.cpp"):
        text = path.read_text(encoding="utf-8")
        for pattern, advice in FAULTS.items():
            for found in pattern.finditer(text):
                line = text.count("\n", 0, found.start()) + 1
                yield f"{path.relative_to(root)}:{line}: {advice}"


if __name__ == "__main__":
    tree.main(__doc__, check)
