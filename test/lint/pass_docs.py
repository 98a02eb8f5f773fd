#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every pass says its class, shows an example that runs, and has its options tested."""

import re

import tree

PASS = re.compile(r'def \w+ : Pass<"([\w-]+)".*?\n}\n', re.DOTALL)
OPTION = re.compile(r'\b(?:List)?Option<\s*"\w+",\s*"([\w-]+)"')
CLASSES = ("exact", "exact-up-to-eps", "approximate", "analysis", "interchange")


def run_lines(root):
    """RUN lines of all tests, continuation lines joined."""
    text = ""
    for path in tree.files(root, "test/*.mlir", "test/*.test"):
        text += path.read_text(encoding="utf-8") + "\n"
    text = re.sub(r"\\\n\s*(//|#)\s*RUN:", " ", text)
    return [line for line in text.split("\n") if "RUN:" in line]


def check(root):
    runs = run_lines(root)
    found = False
    for path in tree.files(root, "include/*Passes.td"):
        relative = path.relative_to(root)
        for match in PASS.finditer(path.read_text(encoding="utf-8")):
            found = True
            flag, text = match.group(1), match.group(0)
            example = f"test/Transforms/{flag}/doc.mlir"
            if example not in text:
                yield f"{relative}: {flag}: the description does not name {example}"
            if not (root / example).exists():
                yield f"{relative}: {flag}: {example} does not exist"
            if not re.search(rf"Class: ({'|'.join(CLASSES)})\b", text):
                yield f"{relative}: {flag}: expected 'Class: ' and one of {', '.join(CLASSES)}"
            for option in OPTION.findall(text):
                tested = re.compile(rf"{flag}\b.*\b{option}=")
                if not any(tested.search(line) for line in runs):
                    yield f"{relative}: {flag}: no RUN line gives {option}="
    if not found:
        yield f"{root}: no pass found"


if __name__ == "__main__":
    tree.main(__doc__, check)
