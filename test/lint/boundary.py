#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No exception leaves the C interfaces: a function that returns a status does all of its work
within capi::run (lib/CAPI) or launch::contain (lib/Engines/Launch: run, make and use call it)."""

import re

import tree

#: The folder, which functions can fail, and what contains them.
INTERFACES = [
    ("lib/CAPI/*.cpp", re.compile(r"ParablockStatus\s+(parablock\w+)\("), re.compile(r"\bcapi::run\(|\bparablock\w+\(")),
    ("lib/Engines/Launch/CApi*.cpp", re.compile(r"pbl_\w+ ?\*?(pbl_\w+)\("), re.compile(r"\b(?:contain|run)\(|\bmake<|\buse\(\w+, error,")),
]
FUNCTION = re.compile(r"^(?P<head>\w[^;{}#]*?\)) \{\n(?P<body>.*?)^\}", re.MULTILINE | re.DOTALL)


def check(root):
    for pattern, name, contained in INTERFACES:
        for path in tree.files(root, pattern):
            text = path.read_text(encoding="utf-8")
            functions = list(FUNCTION.finditer(text))
            # Functions of the file that contain what their callers do.
            helpers = [found[1] for each in functions if contained.search(each["body"])
                       and (found := re.search(r"^static [^(]*?(\w+)\(", each["head"], re.MULTILINE))]
            for function in functions:
                head = name.match(function["head"])
                is_fallible = head and ("ParablockStatus" in head[0] or "pbl_error *" in function["head"])
                by_helper = any(f"return {helper}(" in function["body"] for helper in helpers)
                if is_fallible and not by_helper and not contained.search(function["body"]):
                    line = text.count("\n", 0, function.start()) + 1
                    relative = path.relative_to(root).as_posix()
                    yield f"{relative}:{line}: '{head[1]}' works outside of what contains exceptions"


if __name__ == "__main__":
    tree.main(__doc__, check)
