#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every message of an error or a missed rewrite of passes and conversions is in a test.

A message is the text of each string literal of the statement that reports it, without numbers and names that are put in
between: a test holds such a text whole. Messages that no input of a test brings about are in `UNREACHED`, with the
reason.
"""

import re

import tree

SOURCES = ("lib/Transforms/*.cpp", "lib/Conversion/*.cpp", "lib/Pipelines/*.cpp")
TESTS = ("test/*.mlir", "test/*.test", "test/*.py", "test/*.json", "unittests/*.cpp", "python/tests/*.py")
REPORTS = re.compile(r"emitError|emitOpError|emitOptionalError|recordMissed|recordNoMatch|remarkMissed|createStringError|refuse\(|miss\(")
LITERALS = re.compile(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+')
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
#: Shorter texts are in tests by chance.
SHORTEST = 12

_DEFINITION = "the definition of the op rejects it first"
UNREACHED = {
    "of a tensor of type": _DEFINITION,
    "of rows of an open width": _DEFINITION,
    "with a result of an open shape": _DEFINITION,
    "with a weight of type": _DEFINITION,
    "expected f32, bf16, f16 or i64": _DEFINITION,
    "needs image and patch sizes that are numbers at this level, got a dynamic one": _DEFINITION,
    "no CPU code for attention to what its own kernel computes": _DEFINITION,
    "with a loop that is no index of an operand": _DEFINITION,
    "no GPU code for a size that is an argument of a region": _DEFINITION,
    "no CPU code for a result of type": "an op with such a result is no part of the leftovers",
    "no CPU code for an operand made by": "every op is weight work, a leftover or a kernel",
    "expected an order of the kernels of ops that are no blocks, found none": "a function in SSA form has an order",
    "ranks, got one of": "the tool that starts ranks compares their number first",
    "cannot make blocks of the module": "the pass reported its own error",
    "cannot read it": "a file that is readable when the recipe is written, and not afterwards",
}


def normalize(text):
    return re.sub(r"\s+", " ", text.replace("\\", "").replace('" "', "").replace("\" f\"", ""))


def list_messages(text):
    """Line and text of each literal that a report has."""
    for match in LITERALS.finditer(text):
        # The statement up to here.
        statement = re.split(r"[;{}]\s", text[max(0, match.start() - 300) : match.start()])[-1]
        if not REPORTS.search(statement):
            continue
        joined = "".join(LITERAL.findall(match[0])).replace("\\n", " ")
        message = normalize(joined).strip(" ':,;.()")
        if len(message) >= SHORTEST:
            yield text.count("\n", 0, match.start()) + 1, message


def check(root):
    own = root / "test" / "lint"
    texts = [path.read_text(encoding="utf-8") for path in tree.files(root, *TESTS) if own not in path.parents]
    tests = normalize("\n".join(texts))
    found, used = 0, set()
    for path in tree.files(root, *SOURCES):
        for line, message in list_messages(path.read_text(encoding="utf-8")):
            found += 1
            if message in tests:
                continue
            if message in UNREACHED:
                used.add(message)
            else:
                yield f"{path.relative_to(root)}:{line}: no test has '{message}'"
    if not found:
        yield f"{root}: no message found"
    if root == tree.ROOT:
        for message in sorted(set(UNREACHED) - used):
            yield f"'{message}': a test or no pass has it, expected it not in UNREACHED"


if __name__ == "__main__":
    tree.main(__doc__, check)
