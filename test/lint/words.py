#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nothing in the tree names the machine it was written on, or what lies outside.

No absolute path into somebody's home or work folder, and no relative path that
climbs out of the tree.
"""

import pathlib
import re

import tree

PLACES = "|".join(("home", "root", "work", "mnt", "Users"))
START = r"(?<![\w.%$})/*-])"
ABSOLUTE = re.compile(START + "/(?:" + PLACES + r")/[\w.-]+")
TEMPORARY = re.compile(START + r"/tmp/[\w.-]+")
CLIMBING = re.compile(r"(?<![\w/%}.])((?:\.\./)+)[\w-]+")
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX)\b")
TEXT = ("*.cpp", "*.h", "*.td", "*.py", "*.sh", "*.mlir", "*.test", "*.txt", "*.cmake", "*.md",
        "*.json", "*.cfg", "*.in", "check", "demo", "*.clang-*", ".ci/run")


def check(root):
    for path in tree.files(root, *TEXT):
        relative = path.relative_to(root)
        if relative.with_suffix("") == pathlib.Path("test/lint/words"):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            for found in ABSOLUTE.findall(line) + TEMPORARY.findall(line):
                yield f"{relative}:{number}: a path of one machine, '{found}'"
            for climb in CLIMBING.findall(line):
                if climb.count("../") >= len(relative.parts):
                    yield f"{relative}:{number}: '{climb}' leads out of the tree"
            for word in UNFINISHED.findall(line):
                yield f"{relative}:{number}: '{word}': finish it, or write down in docs/ what is left"


if __name__ == "__main__":
    tree.main(__doc__, check)
