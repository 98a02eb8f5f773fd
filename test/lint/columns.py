#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prose of pages has at most 120 columns.

Not of tables, of code, and of what a program writes between <!-- name --> and <!-- end name -->.
"""

import re

import tree

MOST = 120
COMMENT = re.compile(r"<!-- (end)?")


def find_written(lines):
    """Numbers of lines between a comment and the one that ends it."""
    begin, written = None, set()
    for number, line in enumerate(lines):
        if not (comment := COMMENT.match(line)):
            continue
        if comment[1] and begin is not None:
            written.update(range(begin, number))
        begin = None if comment[1] else number
    return written


def check(root):
    for path in tree.files(root, "*.md"):
        name = path.relative_to(root)
        if name.parts[:2] == ("docs", "generated") or name.parts[:3] == ("test", "lint", "Inputs"):
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        written, is_code = find_written(lines), False
        for number, line in enumerate(lines):
            is_code ^= line.lstrip().startswith("```")
            if len(line) > MOST and not is_code and not line.startswith("|") and number not in written:
                yield f"{name}:{number + 1}: {len(line)} columns, at most {MOST}"


if __name__ == "__main__":
    tree.main(__doc__, check)
