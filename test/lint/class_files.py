#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A class is read in one place: its methods are defined in at most three files of a folder."""

import collections
import re

import tree

MOST = 3
# A definition begins its line, or follows a line with its type alone. Classes begin with a
# capital, namespaces do not; names in front of a class are namespaces or an outer class.
DEFINITION = re.compile(r"^(?:\w[\w:<>,*& ]*?[\s*&])?((?:\w+::)*?)([A-Z]\w*)(?:<[\w, ]*>)?::(?:~?\w+|operator[^\s(]+)\(",
                        re.MULTILINE)


def methods(text):
    """The classes that a source defines methods of."""
    for match in DEFINITION.finditer(re.sub(r"//[^\n]*", "", text)):
        outer = re.findall(r"\b[A-Z]\w*", match[1])
        yield outer[0] if outer else match[2]


def check(root):
    places = collections.defaultdict(set)
    for path in tree.files(root, "lib/*.cpp", "tools/*.cpp"):
        for name in methods(path.read_text(encoding="utf-8")):
            places[f"{path.parent.relative_to(root)}: {name}"].add(path.name)
    for name in sorted(places):
        files = sorted(places[name])
        if len(files) > MOST:
            yield f"{name} has methods in {len(files)} files, at most {MOST}: {', '.join(files)}"


if __name__ == "__main__":
    tree.main(__doc__, check)
