#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One definition of a type: two types of one name in one namespace, in different files, are one type for the linker,
which keeps the inline functions of either."""

import collections
import re

import tree

TOKEN = re.compile(
    r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/|[{};]|[^\s{};"\'/]+|\S', re.DOTALL
)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\\\n]|\\[\s\S])*", re.MULTILINE)
RAW = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
NAMESPACE = re.compile(r"(?:inline )?namespace ?([\w:]*)$")
TYPE = re.compile(r"(?:^|> )(?:struct|class|union|enum(?: class| struct)?) (?:\[\[\w+\]\] |\w+_API )?(\w+)(?: final)?(?: :.*)?$")


def find_types(text):
    """The qualified names of types that a file defines, but for those of unnamed namespaces."""
    text = DIRECTIVE.sub("", RAW.sub('""', text))
    scopes, statement = [], []
    for token in TOKEN.findall(text):
        if token.startswith(("//", "/*")):
            continue
        if token == "{":
            line = " ".join(statement)
            if space := NAMESPACE.match(line):
                scopes.append(space[1] or None)
            elif (found := TYPE.search(line)) and "(" not in line[: found.start(1)] and "" not in scopes:
                scopes.append(found[1])
                if None not in scopes:
                    yield "::".join(scopes)
            else:
                scopes.append("")
        elif token == "}" and scopes:
            scopes.pop()
        if token in "{};":
            statement = []
        else:
            statement.append(token)


def check(root):
    places = collections.defaultdict(set)
    for path in tree.files(root, "lib/*.cpp", "lib/*.h", "include/*.h", "tools/*.cpp", "tools/*.h"):
        for name in find_types(path.read_text(encoding="utf-8")):
            places[name].add(path.relative_to(root).as_posix())
    for name, files in sorted(places.items()):
        if len(files) > 1:
            yield f"{name}: defined in {' and '.join(sorted(files))}: rename one, or share it in a header"


if __name__ == "__main__":
    tree.main(__doc__, check)
