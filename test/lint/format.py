#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All C++ is as clang-format 22 leaves it.

A file is looked at on one of four days, and on each day if it differs from the commit of the day before; all of them
in a full run, and where git knows no such commit.
"""

import collections
import re
import shutil
import subprocess

import tiers
import tree

WARNING = re.compile(r"^(.*?):(\d+):\d+: error: ", re.MULTILINE)
DAYS = 4


def ask_git(root, *arguments):
    """What git prints as a list, empty where there is no git or no repository."""
    if not shutil.which("git"):
        return []
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True)
    return done.stdout.replace("\0", "\n").split("\n")[:-1]


def choose(root, paths):
    """The paths whose turn it is."""
    before = ask_git(root, "rev-list", "-1", "--before=1.day", "HEAD")
    if not before:
        return paths
    changed = {
        *ask_git(root, "diff", "--name-only", "--relative", "-z", *before),
        *ask_git(root, "ls-files", "--others", "--exclude-standard", "-z"),
    }
    names = [path.relative_to(root).as_posix() for path in paths]
    return [path for path, name in zip(paths, names) if name in changed or tiers.is_turn(name, DAYS)]


def check(root):
    tool = shutil.which("clang-format-22")
    if not tool:
        yield "clang-format-22 is not installed"
        return
    paths = list(tree.files(root, "*.cpp", "*.h"))
    if not paths:
        yield f"{root}: no C++ found"
        return
    sources = [str(path) for path in choose(root, paths)]
    if not sources:
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
