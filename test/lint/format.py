#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All C++ is as clang-format 22 leaves it."""

import collections
import re
import shutil
import subprocess

import tree

WARNING = re.compile(r"^(.*?):(\d+):\d+: error: ", re.MULTILINE)


def check(root):
    tool = shutil.which("clang-format-22")
    if not tool:
        yield "clang-format-22 is not installed"
        return
    sources = [str(path) for path in tree.files(root, "*.cpp", "*.h")]
    if not sources:
        yield f"{root}: no C++ found"
        return
    run = subprocess.run(
        [tool, "--dry-run", "-Werror", "--style=file", *sources], capture_output=True, text=True
    )
    lines = collections.defaultdict(list)
    for path, line in WARNING.findall(run.stderr):
        lines[path].append(line)
    for path, where in lines.items():
        yield f"{path}:{where[0]}: {len(where)} places differ; clang-format-22 -i {path} repairs it"
    if run.returncode and not lines:
        yield run.stderr.strip()


if __name__ == "__main__":
    tree.main(__doc__, check)
