#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No text file has conflict markers, as a merge or a rebase leaves them.

A line of seven = is one between the two others alone: pages underline titles so.
"""

import re
import subprocess

import tree

OURS, BASE, BETWEEN, THEIRS = (re.compile(rf"{re.escape(sign * 7)}( |$)") for sign in "<|=>")


def list_files(root):
    """Files of git below a folder, fixtures among them, if the folder is the tree; else all."""
    if root != tree.ROOT or not (root / ".git").exists():
        return sorted(path for path in root.rglob("*") if path.is_file())
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True).stdout
    named = (root / name for name in listed.split("\0") if name)
    own = root / "test/lint/Inputs/conflicts"
    return [path for path in named if path.is_file() and own not in path.parents]


def check(root):
    for path in list_files(root):
        data = path.read_bytes()
        if b"\0" in data:
            continue
        is_open = False
        for number, line in enumerate(data.decode(errors="replace").splitlines(), 1):
            if OURS.match(line):
                is_open = True
            elif not (THEIRS.match(line) or is_open and (BETWEEN.match(line) or BASE.match(line))):
                continue
            if THEIRS.match(line):
                is_open = False
            yield f"{path.relative_to(root)}:{number}: conflict marker {line[:7]}"


if __name__ == "__main__":
    tree.main(__doc__, check)
