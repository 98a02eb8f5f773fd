#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every numbered constraint is in docs/design/Spec.md, a .td file, a verifier and a test.

A label looks like [SDPA-3]. One that only some of the four places know is
either a rule nobody checks or a check nobody wrote down.
"""

import re

import tree

LABEL = re.compile(r"\[([A-Z]+-[0-9]+)\]")
RANGE = re.compile(r"\[([A-Z]+)-([0-9]+)\] to \[\1-([0-9]+)\]")
PLACES = {
    "docs/design/Spec.md": ("docs/design/Spec.md",),
    "the .td files": ("include/*.td",),
    "the verifiers": ("lib/Dialect/Block/*.cpp", "lib/Dialect/Block/*.h", "lib/Dialect/Plan/*.cpp", "lib/Dialect/Tile/*.cpp"),
    "the tests": ("test/*.mlir", "test/*.test", "unittests/*.cpp"),
}


def labels_of(text):
    found = set(LABEL.findall(text))
    for family, first, last in RANGE.findall(text):
        found |= {f"{family}-{k}" for k in range(int(first), int(last) + 1)}
    return found


def sort_key(label):
    family, number = label.split("-")
    return family, int(number)


def check(root):
    known = {}
    for place, patterns in PLACES.items():
        known[place] = set()
        for path in tree.files(root, *patterns):
            if path.relative_to(root).parts[:2] == ("test", "lint"):
                continue
            known[place] |= labels_of(path.read_text(encoding="utf-8"))
    every = set().union(*known.values())
    if not every:
        yield f"{root}: no constraint is numbered"
    for label in sorted(every, key=sort_key):
        missing = [place for place in PLACES if label not in known[place]]
        if missing:
            yield f"[{label}] is missing in {', '.join(missing)}"


if __name__ == "__main__":
    tree.main(__doc__, check)
