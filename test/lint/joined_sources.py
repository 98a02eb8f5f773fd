#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sources of one folder are compiled several at a time (PARABLOCK_JOIN_SOURCES), in groups that change with each new
file, so no two of them may give one name to two things that only they see: static functions, constants, types of
unnamed namespaces, macros. Equal aliases and equal macros may stand in several."""

import collections
import re

import one_definition
import tree

MACRO = re.compile(r"^[ \t]*#[ \t]*(define|undef)[ \t]+(\w+)((?:[^\\\n]|\\[\s\S])*)", re.MULTILINE)
# What MLIR's generated files undefine.
GENERATED = ("GEN_PASS_DEF_", "GET_OP_CLASSES")
ALIAS = re.compile(r"using (\w+) =")
FUNCTION = re.compile(r"(?:^|[ *&>])(operator ?[^\w ]+|[\w:~]+) ?\(")
VARIABLE = re.compile(r"(\w+)(?: ?\[[^]]*\])*(?: ?=.*)?$")


def split_parameters(text):
    """The parts between the commas of a list of parameters that stand in no bracket."""
    depth, part = 0, ""
    for letter in text:
        depth += (letter in "(<[") - (letter in ")>]")
        if letter == "," and depth == 0:
            yield part
            part = ""
        else:
            part += letter
    yield part


def describe_function(name, parameters):
    """A function by its name and the types of its parameters, since overloads may stand in two files."""
    depth, end = 1, 0
    while end < len(parameters) and depth:
        depth += {"(": 1, ")": -1}.get(parameters[end], 0)
        end += 1
    types = []
    for part in split_parameters(parameters[: end - 1]):
        part = part.split(" = ")[0].strip()
        if re.search(r"[\w>][ *&]+\w+$", part):
            part = re.sub(r"\w+$", "", part)
        types.append(re.sub(r" ?([*&]) ?", r" \1", re.sub(r"\b\w+::", "", part)).strip())
    return f"{name}({', '.join(types)})"


def name_statement(line, is_unnamed):
    """What a statement at file scope names for its file alone, if it does, with its text if an equal one may follow."""
    line = re.sub(r"^(?:template ?<.*?> )?", "", line)
    if alias := ALIAS.match(line):
        return alias[1], line
    if not (is_unnamed or re.match(r"(?:inline |constexpr )*static\b|constexpr |const ", line)):
        return None
    if kind := one_definition.TYPE.search(line):
        return (kind[1], None) if "(" not in line[: kind.start(1)] else None
    head = line.split(" = ")[0]
    if "(" in head:
        found = FUNCTION.search(head)
        is_named = found and "::" not in found[1]
        return (describe_function(found[1], head[found.end() :]), None) if is_named else None
    found = VARIABLE.search(head)
    return (found[1], None) if found and " " in head else None


def find_names(text):
    """The names that a file gives to what no other file sees, each with its text if an equal one may follow."""
    defined = {}
    for word, name, rest in MACRO.findall(text):
        if word == "undef":
            defined.pop(name, None)
        elif not name.startswith(GENERATED):
            defined[name] = rest
    yield from defined.items()
    text = one_definition.DIRECTIVE.sub("", one_definition.RAW.sub('""', text))
    scopes, statement = [], []
    for token in one_definition.TOKEN.findall(text):
        if token.startswith(("//", "/*")):
            continue
        if token in "{;" and "" not in scopes:
            line = " ".join(statement)
            space = one_definition.NAMESPACE.match(line)
            if space and token == "{":
                scopes.append(space[1] or None)
            else:
                if named := name_statement(line, None in scopes):
                    yield "::".join([scope for scope in scopes if scope] + [named[0]]), named[1]
                if token == "{":
                    scopes.append("")
        elif token == "{":
            scopes.append("")
        elif token == "}" and scopes:
            scopes.pop()
        statement = [] if token in "{};" else [*statement, token]


def check(root):
    places = collections.defaultdict(dict)
    for path in tree.files(root, "lib/*.cpp", "unittests/*Test.cpp"):
        folder = path.parent.relative_to(root).as_posix()
        for name, text in find_names(path.read_text(encoding="utf-8")):
            places[folder, name][path.name] = text
    for (folder, name), files in sorted(places.items()):
        if len(files) > 1 and (None in files.values() or len(set(files.values())) > 1):
            yield f"{folder}: {name} stands in {' and '.join(sorted(files))}: rename one, or share it in a header"


if __name__ == "__main__":
    tree.main(__doc__, check)
