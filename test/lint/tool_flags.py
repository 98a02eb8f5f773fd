#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every flag that a tool lists has a test that gives it to that tool.

Options of passes are the business of pass_docs.py. `FOREIGN` are flags of LLVM and MLIR, which they test themselves.
"""

import re
import subprocess

import tree

TOOLS = ("block-bench", "block-drift", "block-gen", "block-launch", "block-opt", "block-reduce", "block-run", "block-translate", "block-weights")
#: A flag of a tool stands in front; options of a pass are further right.
LISTED = re.compile(r"^  (--[a-z][\w-]*)", re.MULTILINE)
FOREIGN = {
    *("--color", "--help", "--help-hidden", "--help-list", "--help-list-hidden", "--version"),
    *("--list-passes", "--mlir-print-ir-after-all", "--mlir-timing"),
}


def list_flags(tool):
    text = subprocess.run([tool, "--help"], capture_output=True, check=True, text=True).stdout
    return sorted(set(LISTED.findall(text)) - FOREIGN)


def read_commands(root):
    """Lines of tests, and whole programs, that name a tool."""
    for path in tree.files(root, "test/*.mlir", "test/*.test"):
        text = re.sub(r"\\\n\s*(//|#)?\s*(RUN|DEFINE):", " ", path.read_text(encoding="utf-8"))
        yield from text.split("\n")
    for path in tree.files(root, "test/*.py", "python/tests/*.py"):
        if path.parent.name != "lint":
            yield path.read_text(encoding="utf-8")


def check(root):
    commands = list(read_commands(root))
    for tool in TOOLS:
        flags = list_flags(tool)
        if not flags:
            yield f"{tool}: --help lists no flag"
        given = "\n".join(command for command in commands if tool in command)
        for flag in flags:
            if not re.search(rf"{flag}(?![\w-])", given):
                yield f"{tool}: no test gives {flag}"


if __name__ == "__main__":
    tree.main(__doc__, check)
