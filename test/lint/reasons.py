#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every reason for a missed rewrite is given by some pass and has a case in a refuse test.

Standard input is what `block-opt --block-list-reasons` prints: those and no others.
"""

import re
import sys

import tree

REASON = re.compile(r'^PARABLOCK_REASON\((\w+), "([^"]*)",\s*"([^"]*)"\)', re.MULTILINE)
DEFINITIONS = "include/parablock/Analysis/Reasons.def"


def read_all(root, *patterns):
    return "\n".join(path.read_text(encoding="utf-8") for path in tree.files(root, *patterns))


def check(root):
    given = set(re.findall(r"\bReason::(\w+)", read_all(root, "lib/*.cpp", "lib/*.h")))
    refused = set(re.findall(r"[\w-]+", read_all(root, "test/*/refuse.mlir", "test/*/refuse.test")))
    defined = REASON.findall((root / DEFINITIONS).read_text(encoding="utf-8"))
    if not defined:
        yield f"{DEFINITIONS}: no reason found"
    for enumerator, name, meaning in defined:
        if not re.fullmatch(r"[a-z]+(-[a-z]+)*", name):
            yield f"{name}: expected a name in kebab-case"
        if not meaning:
            yield f"{name}: expected a meaning"
        if enumerator not in given:
            yield f"{name}: no pass gives it"
        if name not in refused:
            yield f"{name}: no refuse.mlir or refuse.test has a case of it"
    names, listed = [name for _, name, _ in defined], sys.stdin.read().split()
    if listed != names:
        yield f"expected block-opt to list {' '.join(names)}, got {' '.join(listed)}"


if __name__ == "__main__":
    tree.main(__doc__, check)
