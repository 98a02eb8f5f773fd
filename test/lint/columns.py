#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prose of pages, and of docstrings and comments in Python, has at most 120 columns.

Not of tables, of code, and of what a program writes between <!-- name --> and <!-- end name -->.
"""

import ast
import io
import re
import tokenize

import tree

MOST = 120
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
COMMENT = re.compile(r"<!-- (end)?")


def find_written(lines):
    """Numbers of lines between a comment and the one that ends it."""
    begin, written = None, set()
    for number, line in enumerate(lines):
        if not (comment := COMMENT.match(line)):
            continue
        if comment[1] and begin is not None:
            written.update(range(begin, number))
        begin = None if comment[1] else number
    return written


def list_prose(text):
    """Numbers of a page's lines that are prose."""
    lines = text.splitlines()
    written, is_code = find_written(lines), False
    for number, line in enumerate(lines):
        is_code ^= line.lstrip().startswith("```")
        if not is_code and not line.startswith("|") and number not in written:
            yield number


def list_comments(text):
    """Numbers of a program's lines that are docstrings, or comments alone."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            yield from range(node.body[0].lineno - 1, node.body[0].end_lineno)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and token.line.lstrip().startswith("#"):
            yield token.start[0] - 1


def check(root):
    for path in tree.files(root, "*.md", "*.py"):
        name = path.relative_to(root)
        if name.parts[:2] == ("docs", "generated"):
            continue
        text = path.read_text(encoding="utf-8")
        long = {number: len(line) for number, line in enumerate(text.splitlines()) if len(line) > MOST}
        prose = set((list_comments if path.suffix == ".py" else list_prose)(text)) if long else ()
        for number, columns in long.items():
            if number in prose:
                yield f"{name}:{number + 1}: {columns} columns, at most {MOST}"


if __name__ == "__main__":
    tree.main(__doc__, check)
