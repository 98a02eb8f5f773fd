#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""./demo builds every tool before it calls it, by itself or through a script."""

import re

import tree

BUILD = re.compile(r"^\s*build_tree\s+\S+((?:\s+[\w-]+)*)")
TOOL = re.compile(r"\bblock-[a-z]+(?:-[a-z]+)*\b")
# At the start of a command: behind `show`, a pipe or `$(`, or by its path.
CALL = re.compile(r"(?:^\s*(?:show\s+)?|[|;&(]\s*|/bin/)(block-[a-z]+(?:-[a-z]+)*)\b(?!-)")
SCRIPT = re.compile(r"\b(scripts/\w+\.sh)\b")


def calls(root, path):
    """Line by line: the tools that it calls, those of scripts that it runs included."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith(("#", "echo")):
            continue
        built = BUILD.match(line)
        yield number, set(TOOL.findall(built.group(1))) if built else None, set(CALL.findall(line))
        for script in SCRIPT.findall(line):
            if script != "scripts/setup.sh":
                for _, _, tools in calls(root, root / script):
                    yield number, None, tools


def check(root):
    built, called = set(), set()
    for number, targets, tools in calls(root, root / "demo"):
        if targets is not None:
            built |= targets
            continue
        for tool in sorted(tools - built):
            yield f"demo:{number}: {tool} is called and not built before, which fails on a fresh clone"
        called |= tools
    for tool in sorted(built - called):
        yield f"demo: {tool} is built and never called"


if __name__ == "__main__":
    tree.main(__doc__, check)
