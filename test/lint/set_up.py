#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""./demo installs whatever configuring needs: a machine where ./check has run hides what is missing."""

import argparse
import re
import subprocess

import tree

# What find_package left in the cache.
FOUND = re.compile(r"^(\w+)_DIR:PATH=(/.+)$", re.M)
LIST = re.compile(r"^packages=\((.*?)\)", re.M | re.S)


def owners(folders):
    """The package of Debian that each folder is of, by folder."""
    found = {}
    for folder in folders:
        answer = subprocess.run(["dpkg", "-S", folder], capture_output=True, text=True)
        if answer.returncode == 0:
            found[folder] = {name.strip().split(":")[0] for name in answer.stdout.rsplit(":", 1)[0].split(",")}
    return found


def closure(names):
    """These packages and all that they depend on."""
    answer = subprocess.run(
        ["dpkg-query", "-W", "-f=${Package}\t${Depends}, ${Pre-Depends}\n"],
        capture_output=True, text=True, check=True)
    needs = {}
    for line in answer.stdout.splitlines():
        name, _, depends = line.partition("\t")
        needs[name] = set(re.findall(r"(?:^|[,|])\s*([\w.+-]+)", depends))
    seen, left = set(), list(names)
    while left:
        name = left.pop()
        if name in seen:
            continue
        seen.add(name)
        left.extend(needs.get(name, ()))
    return seen


def complain(setup, cache):
    """What `cache` says that CMake found, and no package of `setup` brings."""
    listed = LIST.search(setup).group(1).split()
    installed = closure(listed)
    folders = dict((folder, name) for name, folder in FOUND.findall(cache))
    for folder, packages in sorted(owners(folders).items()):
        if not packages & installed:
            yield (f"scripts/setup.sh: configuring finds {folders[folder]} in {', '.join(sorted(packages))},"
                   " which `packages` does not install: ./demo fails on a machine without it")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", required=True, help="the build tree's CMakeCache.txt")
    parser.add_argument("--setup", default=tree.ROOT / "scripts/setup.sh", help="the script to look at")
    arguments = parser.parse_args()
    with open(arguments.cache, encoding="utf-8") as cache, open(arguments.setup, encoding="utf-8") as setup:
        complaints = list(complain(setup.read(), cache.read()))
    print("\n".join(complaints + [f"{len(complaints)} complaints"]))
    raise SystemExit(1 if complaints else 0)
